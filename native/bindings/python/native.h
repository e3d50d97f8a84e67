// What the files of the binding share: errors, handles, arrays.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "abi/ludus.h"
#include "bindings/python/meter.h"

namespace nb = nanobind;

// Raises ludus.errors.<name> with this message.
[[noreturn]] inline void raise_ludus(const char *name, const std::string &message) {
    nb::object type = nb::module_::import_("ludus.errors").attr(name);
    PyErr_SetString(type.ptr(), message.c_str());
    throw nb::python_error();
}

// Raises the exception that an error of the engine stands for.
[[noreturn]] inline void raise_error(int32_t code) {
    const char *message = ludus_last_error();
    switch (code) {
    case LUDUS_BAD_OPTION: raise_ludus("OptionError", message);
    case LUDUS_BAD_ACTION: raise_ludus("ActionError", message);
    case LUDUS_EPISODE_OVER: raise_ludus("EpisodeOver", message);
    case LUDUS_CAPACITY: raise_ludus("CapacityError", message);
    case LUDUS_BAD_LEVEL: raise_ludus("LevelError", message);
    case LUDUS_BAD_INDEX: throw nb::index_error(message);
    default: throw std::bad_alloc();
    }
}

// The value that a function of the engine returned, unless it is an error.
inline int32_t check(int32_t value) {
    if (value < 0)
        raise_error(value);
    return value;
}

// Whether somebody is at work on an object. Objects whose calls let other threads run have one of these.
using Busy = std::atomic<bool>;

// One call's work on an object. It raises ThreadError if another thread is at work there: to wait would hide
// that two threads share what each of them believes to be its own, and could block the interpreter.
class Work {
  public:
    Work(Busy &busy, const char *what) : busy_(busy) {
        if (busy_.exchange(true, std::memory_order_acquire))
            raise_ludus("ThreadError", std::string(what) + " is in use by another thread: give each thread its own");
    }
    ~Work() { busy_.store(false, std::memory_order_release); }
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;

  private:
    Busy &busy_;
};

// The code that a function of the engine returns while other Python threads run.
template <typename Call> int32_t run_unlocked(Call call) {
    nb::gil_scoped_release released;
    return call();
}

// A class whose calls never let other threads run: the interpreter's lock makes each of them one step. Where
// Python has no such lock, they lock the object.
template <typename T, typename... Bases> class Locked : public nb::class_<T, Bases...> {
    using Base = nb::class_<T, Bases...>;

  public:
    using Base::Base;

    template <typename Function, typename... Extra>
    Locked &def(const char *name, Function &&function, const Extra &...extra) {
        Base::def(name, std::forward<Function>(function), nb::lock_self(), extra...);
        return *this;
    }
    template <typename Getter, typename... Extra>
    Locked &def_prop_ro(const char *name, Getter &&getter, const Extra &...extra) {
        Base::def_prop_ro(name, std::forward<Getter>(getter), nb::lock_self(), extra...);
        return *this;
    }
};

struct Free {
    void operator()(ludus_level *level) const { ludus_level_free(level); }
    void operator()(ludus_world *world) const { ludus_world_free(world); }
    void operator()(ludus_batch *batch) const { ludus_batch_free(batch); }
    void operator()(ludus_planner *planner) const { ludus_planner_free(planner); }
    void operator()(ludus_practice *practice) const { ludus_practice_free(practice); }
    void operator()(ludus_generated *generated) const { ludus_generated_free(generated); }
    void operator()(ludus_worm_task *task) const { ludus_worm_task_free(task); }
    void operator()(ludus_worm *worm) const { ludus_worm_free(worm); }
    void operator()(ludus_worm_batch *batch) const { ludus_worm_batch_free(batch); }
    void operator()(ludus_colony *colony) const { ludus_colony_free(colony); }
    void operator()(ludus_colony_batch *batch) const { ludus_colony_batch_free(batch); }
    void operator()(ludus_diplomacy *board) const { ludus_diplomacy_free(board); }
    void operator()(ludus_diplomacy_batch *batch) const { ludus_diplomacy_batch_free(batch); }
};
template <typename T> using Handle = std::unique_ptr<T, Free>;

// All items that a function of the engine lists.
template <typename Item, typename From>
std::vector<Item> list_items(size_t (*function)(const From *, Item *, size_t), const From *from) {
    std::vector<Item> items(function(from, nullptr, 0));
    function(from, items.data(), items.size());
    return items;
}

// An array of Python's that owns its memory, which fill(data) writes.
template <typename T, typename Fill> nb::object new_array(std::initializer_list<size_t> shape, Fill fill) {
    size_t size = 1;
    for (size_t side : shape)
        size *= side;
    charge(COST_OF_LOOK + int64_t(size) / CELLS_FOR_A_UNIT);
    T *data = new T[size + 1];
    nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<T *>(memory); });
    fill(data);
    return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.begin(), owner));
}

// The state that a function of the engine writes, as bytes of Python's.
template <typename From> nb::bytes save(size_t (*function)(const From *, void *, size_t), const From *from) {
    uint8_t usual[16384]; // what most states fit in
    size_t size = function(from, usual, sizeof usual);
    if (size <= sizeof usual)
        return nb::bytes(usual, size);
    std::vector<uint8_t> large(size);
    function(from, large.data(), size);
    return nb::bytes(large.data(), size);
}

inline int32_t narrow(int64_t value) {
    return int32_t(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
}

inline nb::dict describe_build() {
    nb::dict info;
    info["compiler"] = LUDUS_ENGINE_COMPILER;
    info["flags"] = LUDUS_ENGINE_FLAGS;
    info["source_hash"] = LUDUS_ENGINE_DIGEST;
    return info;
}
