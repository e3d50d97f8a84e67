// Arrays of Python's that native code reads and writes for as long as it lives.
#pragma once

#include "bindings/python/native.h"

// What keeps bound arrays alive.
using Buffers = std::vector<nb::object>;

// The memory of one array by its name, which must hold exactly this many elements.
template <typename T> T *bind_buffer(Buffers &buffers, nb::handle arrays, const char *name, size_t size) {
    nb::object array = arrays[name];
    nb::ndarray<T, nb::c_contig, nb::device::cpu> buffer;
    if (!nb::try_cast(array, buffer) || buffer.size() != size)
        throw nb::type_error(
            (std::string("buffer '") + name + "' has the wrong type or size").c_str());
    buffers.push_back(array);
    // numpy refuses to resize an array to which there is a weak reference, even if it is told not to check
    buffers.push_back(nb::steal(PyWeakref_NewRef(array.ptr(), nullptr)));
    return buffer.data();
}

template <typename T> T *bind_optional(Buffers &buffers, nb::handle arrays, const char *name, size_t size) {
    bool exists = PyMapping_HasKeyString(arrays.ptr(), name);
    return exists ? bind_buffer<T>(buffers, arrays, name, size) : nullptr;
}
