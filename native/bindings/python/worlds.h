// The Python classes Level, World and ForwardModel of the platformer, as C++ sees them.
#pragma once

#include "bindings/python/native.h"

struct Grid {
    Handle<ludus_level> level;
};

// What World and ForwardModel share: a world that can be looked at.
struct View {
    Handle<ludus_world> world;
    nb::object level, physics;

    ludus_world *get() const { return world.get(); }
};

struct World : View {};
struct ForwardModel : View {};

// The worlds of a list, as the engine takes them.
inline std::vector<const ludus_world *> list_worlds(const std::vector<nb::object> &worlds) {
    std::vector<const ludus_world *> all;
    for (const nb::object &world : worlds)
        all.push_back(nb::cast<const World &>(world).get());
    return all;
}

void bind_batch(nb::module_ &module);
void bind_generators(nb::module_ &module);
void bind_solver(nb::module_ &module);
void bind_training(nb::module_ &module);
