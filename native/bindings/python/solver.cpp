// Binds the level solver to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/tuple.h>

#include <tuple>

extern "C" {
#include "solver/solver.h"
}

using namespace nb::literals;

namespace {

// Outcome (0 solved, 1 impossible, 2 unknown), the winning actions, and the nodes looked at.
std::tuple<int, nb::bytes, int64_t> solve(const World &world, int64_t budget) {
    sv_verdict verdict{};
    bool good;
    {
        nb::gil_scoped_release released;
        good = sv_solve(world.get(), budget, &verdict);
    }
    if (!good)
        throw std::bad_alloc();
    nb::bytes actions(reinterpret_cast<const char *>(verdict.actions), size_t(verdict.n_actions));
    std::tuple<int, nb::bytes, int64_t> told(int(verdict.outcome), actions, verdict.nodes);
    sv_free(&verdict);
    return told;
}

} // namespace

void bind_solver(nb::module_ &m) {
    m.def("solve", &solve, "world"_a, "budget"_a,
          "Search for a way to win from here; return the outcome, the actions and the nodes.");
}
