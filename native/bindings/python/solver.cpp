// Binds the level solver to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/tuple.h>

using namespace nb::literals;

namespace {

// Outcome (0 solved, 1 impossible, 2 unknown), the winning actions, and the nodes looked at.
// The search looks at a copy: the world may be stepped while it lasts.
std::tuple<int, nb::bytes, int64_t> solve(nb::handle_t<World> world, int64_t budget) {
    Handle<ludus_world> copy = copy_handle(world);
    ludus_solution solution{};
    check(run_unlocked([&] { return ludus_solve(copy.get(), budget, &solution); }));
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
