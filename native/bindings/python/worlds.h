// The Python classes Level, World and ForwardModel of the platformer, as C++ sees them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <string>

extern "C" {
#include "platformer/batch.h"
#include "drawing/draw.h"
#include "platformer/heap.h"
#include "platformer/rules/ludus/elements.h"
}

namespace nb = nanobind;

// Raises ludus.errors.<name> with this message.
[[noreturn]] void raise_ludus(const char *name, const std::string &message);

struct Freed {
    void operator()(void *memory) const { pf_free(memory); }
};
using LevelMemory = std::unique_ptr<pf_level, Freed>;
using WorldMemory = std::unique_ptr<pf_world, Freed>;

struct Grid {
    LevelMemory level;
};

// What World and ForwardModel share: a world that can be looked at.
struct View {
    WorldMemory world;
    nb::object level, physics;

    pf_world *get() const { return world.get(); }
    void tick(long action);
};

struct World : View {};
struct ForwardModel : View {};

unsigned checked_action(long action);
WorldMemory cloned(const pf_world *world);

template <typename T> nb::object fresh_array(T *data, size_t dimensions, const size_t *shape) {
    nb::capsule owner(data, [](void *p) noexcept { delete[] static_cast<T *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data, dimensions, shape, owner));
}

void bind_batch(nb::module_ &module);
void bind_solver(nb::module_ &module);
void bind_training(nb::module_ &module);
