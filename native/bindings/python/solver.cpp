// Binds the level solver to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/tuple.h>

using namespace nb::literals;

namespace {

// Outcome (0 solved, 1 impossible, 2 unknown), the winning actions, and the nodes looked at.
std::tuple<int, nb::bytes, int64_t> solve(const World &world, int64_t budget) {
    ludus_solution solution{};
    int32_t error;
    {
        nb::gil_scoped_release released;
        error = ludus_solve(world.get(), budget, &solution);
    }
    check(error);
    nb::bytes actions(reinterpret_cast<const char *>(solution.actions), solution.n_actions);
    std::tuple<int, nb::bytes, int64_t> found(solution.outcome, actions, solution.nodes);
    ludus_solution_free(&solution);
    return found;
}

} // namespace

void bind_solver(nb::module_ &m) {
    m.def("solve", &solve, "world"_a, "budget"_a,
          "Search for a way to win from here; return the outcome, the actions and the nodes.");
}
