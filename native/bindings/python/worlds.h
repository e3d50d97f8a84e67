// The Python classes Level, World and ForwardModel of the platformer, as C++ sees them.
#pragma once

#include "bindings/python/native.h"

struct Grid {
    Handle<ludus_level> level;
};

// What World and ForwardModel share: a world that can be looked at.
struct View {
    Handle<ludus_world> world;
    nb::object level, physics, options;

    ludus_world *get() const { return world.get(); }
};

struct World : View {};
struct ForwardModel : View {};

// A copy of a world; nobody steps the world meanwhile.
inline Handle<ludus_world> copy_handle(nb::handle world) {
    nb::ft_object_guard guard(world);
    ludus_world *copy;
    check(ludus_world_clone(nb::cast<const World &>(world).get(), &copy));
    return Handle<ludus_world>(copy);
}

// Copies of the worlds of a list, and their addresses as the engine takes them.
struct Copies {
    std::vector<Handle<ludus_world>> worlds;
    std::vector<const ludus_world *> all;

    explicit Copies(const std::vector<nb::object> &objects) {
        for (const nb::object &object : objects) {
            worlds.push_back(copy_handle(object));
            all.push_back(worlds.back().get());
        }
    }
};

// Of maps.cpp: levels of map bytes.
void make_map_grid(Grid *self, nb::object reference, const std::string &rules);
std::string map_text(nb::object reference, const std::string &rules);

void bind_agents(nb::module_ &module);
void bind_batch(nb::module_ &module);
void bind_competition(nb::module_ &module);
void bind_generators(nb::module_ &module);
void bind_interfaces(nb::module_ &module);
void bind_senses(nb::module_ &module);
void bind_solver(nb::module_ &module);
void bind_planner(nb::module_ &module);
void bind_training(nb::module_ &module);
