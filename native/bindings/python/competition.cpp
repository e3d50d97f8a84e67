// Binds rows of recordings and what the competitions measure to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/string.h>

using namespace nb::literals;

namespace {

// What a function makes of a world that nobody steps meanwhile.
template <auto look> nb::object look_at(nb::handle world) {
    nb::ft_object_guard guard(world);
    return look(nb::cast<const View &>(world).get());
}

nb::object trace_columns(const ludus_world *world) { return nb::str(ludus_world_trace_columns(world)); }

nb::object trace_values(const ludus_world *world) {
    std::string row(4096, '\0');
    size_t length = ludus_world_trace(world, row.data(), row.size());
    if (length > row.size()) {
        row.resize(length);
        ludus_world_trace(world, row.data(), row.size());
    }
    return nb::str(row.data(), length);
}

nb::object kills_by_kind(const int32_t *kills) {
    nb::dict by_kind;
    for (int kind = 0; kind < LUDUS_KINDS; kind++)
        if (kills[kind])
            by_kind[nb::int_(kind)] = kills[kind];
    return by_kind;
}

nb::object evaluate_2009(const ludus_world *world) {
    ludus_evaluation_2009 e;
    check(ludus_world_evaluate_2009(world, &e));
    return nb::make_tuple(e.status, e.distance, e.cells, e.time_left, e.time_spent, e.ticks, e.mode, e.coins,
                          e.lives, e.collisions, e.hidden_blocks, e.kills[0], e.kills[1], e.kills[2],
                          e.kills[3], e.kills[4], e.kills[5], e.kills[6], e.kills[7],
                          kills_by_kind(e.kills_by_kind));
}

nb::object evaluate_2010(const ludus_world *world) {
    ludus_evaluation_2010 e;
    check(ludus_world_evaluate_2010(world, &e));
    nb::list deaths;
    for (int k = 0; k < e.n_deaths; k++)
        deaths.append(e.deaths[k]);
    return nb::make_tuple(e.status, e.mode, e.distance, e.cells, e.time_left, e.time_spent, e.ticks, e.coins,
                          e.hidden_blocks, e.mushrooms, e.green_mushrooms, e.flowers, e.kills, e.kills_by_stomp,
                          e.kills_by_fire, e.kills_by_shell, e.collisions, e.total_coins, e.total_hidden_blocks,
                          e.total_creatures, e.total_mushrooms, e.total_flowers, e.length, e.reward,
                          nb::tuple(deaths), kills_by_kind(e.kills_by_kind));
}

} // namespace

void bind_competition(nb::module_ &m) {
    m.def("trace_columns", &look_at<trace_columns>, "world"_a,
          "Return the names of the columns of the recordings of its rules, separated by commas.");
    m.def("trace_values", &look_at<trace_values>, "world"_a,
          "Return the row of a recording that shows the world, separated by commas.");
    m.def("evaluate_2009", &look_at<evaluate_2009>, "world"_a,
          "Return the fields of an Evaluation2009.");
    m.def("evaluate_2010", &look_at<evaluate_2010>, "world"_a,
          "Return the fields of an Evaluation2010.");
}
