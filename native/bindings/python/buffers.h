// Arrays of Python's that native code reads and writes for as long as it lives.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

// What keeps bound arrays alive.
using Kept = std::vector<nanobind::object>;

// The memory of one array by its name, which must hold exactly this many elements.
template <typename T>
T *bound(Kept &kept, nanobind::handle arrays, const char *name, size_t size) {
    nanobind::object array = arrays[name];
    nanobind::ndarray<T, nanobind::c_contig, nanobind::device::cpu> buffer;
    if (!nanobind::try_cast(array, buffer) || buffer.size() != size)
        throw nanobind::type_error(
            (std::string("buffer '") + name + "' has the wrong type or size").c_str());
    kept.push_back(array);
    return buffer.data();
}

template <typename T>
T *bound_if_there(Kept &kept, nanobind::handle arrays, const char *name, size_t size) {
    return PyMapping_HasKeyString(arrays.ptr(), name) ? bound<T>(kept, arrays, name, size) : nullptr;
}
