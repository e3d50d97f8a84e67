// Binds plans for sticky actions to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/tuple.h>

using namespace nb::literals;

namespace {

struct Planner {
    Handle<ludus_planner> planner;
};

using Found = std::tuple<int, nb::bytes, float, int>;

void begin(Planner *self, const View &view) {
    ludus_planner *planner;
    check(ludus_planner_begin(view.get(), &planner));
    new (self) Planner{Handle<ludus_planner>(planner)};
}

double ticks_to_go(const Planner &self, const View &view) {
    charge(COST_OF_RECORD);
    return ludus_planner_ticks(self.planner.get(), view.get());
}

// Verdict (0 none, 1 lives, 2 rests, 3 arrives), the decisions, their cost, and the nodes looked at.
Found plan(const Planner &self, const View &view, int pressed, int skip, int nodes, int budget, int rest, int faults,
           int late, int follow, float fault, float sticky, float horizon, float greed, float wound, float stall,
           float wait, float death) {
    ludus_plan_options o{};
    o.size = sizeof o;
    o.skip = skip;
    o.pressed = pressed;
    o.nodes = nodes;
    o.budget = budget;
    o.rest = rest;
    o.faults = faults;
    o.late = late;
    o.follow = follow;
    o.fault = fault;
    o.sticky = sticky;
    o.horizon = horizon;
    o.greed = greed;
    o.wound = wound;
    o.stall = stall;
    o.wait = wait;
    o.death = death;
    ludus_plan found;
    check(ludus_planner_plan(self.planner.get(), view.get(), &o, &found));
    charge(COST_OF_COPY + int64_t(found.nodes) * (COST_OF_COPY + skip * COST_OF_TICK));
    nb::bytes decisions(reinterpret_cast<const char *>(found.decisions), found.n_decisions);
    return {found.verdict, decisions, found.cost, found.nodes};
}

} // namespace

void bind_planner(nb::module_ &m) {
    nb::class_<Planner>(m, "StickyPlanner", "Plans for late buttons in one level.")
        .def("__init__", &begin, "model"_a)
        .def("ticks_to_go", &ticks_to_go, "model"_a, "Return the ticks to the exit if no creature stood in the way.")
        .def("plan", &plan, "model"_a, "pressed"_a, nb::kw_only(), "skip"_a, "nodes"_a, "budget"_a, "rest"_a, "faults"_a,
             "late"_a, "follow"_a, "fault"_a, "sticky"_a, "horizon"_a, "greed"_a, "wound"_a, "stall"_a, "wait"_a, "death"_a,
             "Weigh decisions over how late they may come; return the verdict, the best, its cost and the nodes.");
}
