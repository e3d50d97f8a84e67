// The worm's tasks and worlds as Python holds them, for the files of its module.
#pragma once

#include "bindings/python/buffers.h"

// A name of its own: types of equal names in two modules are one to nanobind.
namespace worm {

struct Task {
    Handle<ludus_worm_task> task;
    const ludus_worm_task *get() const { return task.get(); }
};

struct World {
    Handle<ludus_worm> worm;
    nb::object task;
    std::vector<double> path; // x, y at the start and after every step

    ludus_worm *get() const { return worm.get(); }
    ludus_worm_facts facts() const {
        ludus_worm_facts facts;
        ludus_worm_describe(get(), &facts);
        return facts;
    }
    void note_place() {
        ludus_worm_facts now = facts();
        path.push_back(now.x);
        path.push_back(now.y);
    }
};

struct Batch {
    static constexpr const char *WHAT = "the batch of worms";
    Handle<ludus_worm_batch> batch;
    nb::object task;
    Buffers buffers;
    size_t n;
    mutable Busy busy{false};

    ludus_worm_batch *get() const { return batch.get(); }
};

World wrap_world(ludus_worm *worm, nb::object task);

// colony.cpp
void bind_colonies(nb::module_ &m);

// worm_learning.cpp
void bind_learning(nb::module_ &m);

} // namespace worm
