// Binds plans for sticky actions to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace {

// Verdict (0 none, 1 rests, 2 arrives), the decisions, and the nodes looked at.
std::tuple<int, nb::bytes, int> plan(const View &view, int pressed, const std::vector<std::pair<int, int>> &late,
                                     int skip, int nodes, int horizon, int rest, float greed) {
    std::vector<int8_t> ticks;
    for (const auto &[first, later] : late) {
        ticks.push_back(int8_t(first));
        ticks.push_back(int8_t(later));
    }
    ludus_plan_options o{};
    o.size = sizeof o;
    o.skip = skip;
    o.pressed = pressed;
    o.nodes = nodes;
    o.horizon = horizon;
    o.rest = rest;
    o.greed = greed;
    o.n_outcomes = late.size();
    o.late = ticks.data();
    ludus_plan found;
    check(ludus_world_plan(view.get(), &o, &found));
    charge(COST_OF_COPY + int64_t(found.nodes) * int64_t(late.size()) * (COST_OF_COPY + skip * COST_OF_TICK));
    nb::bytes decisions(reinterpret_cast<const char *>(found.decisions), found.n_decisions);
    return {found.verdict, decisions, found.nodes};
}

} // namespace

void bind_planner(nb::module_ &m) {
    m.def("plan_sticky", &plan, "model"_a, "pressed"_a, "late"_a, "skip"_a, "nodes"_a, "horizon"_a, "rest"_a,
          "greed"_a, "Search for decisions that survive late buttons; return the verdict, they and the nodes.");
}
