/* Solving levels. */
#include "solver/solver.h"
#include "abi/internal.h"

int32_t ludus_solve(const ludus_world *world, int64_t budget, ludus_solution *solution) {
    sv_verdict verdict = {0};
    if (!sv_solve(world->core, budget, &verdict))
        return abi_no_memory();
    *solution = (ludus_solution){(int32_t)verdict.outcome, verdict.nodes, verdict.actions,
                                 (size_t)verdict.n_actions};
    return LUDUS_OK;
}

void ludus_solution_free(ludus_solution *solution) {
    sv_verdict verdict = {.actions = (uint8_t *)(uintptr_t)solution->actions};
    sv_free(&verdict);
    *solution = (ludus_solution){0};
}
