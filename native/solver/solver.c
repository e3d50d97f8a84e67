/* The verdict on a level: searches in several styles in turn, and the proof. */
#include "solver/search.h"
#include "solver/store.h"

#include <stdlib.h>

/* None is best everywhere: each gets a slice of the budget, then a larger one. */
static const sv_style styles[] = {
    {5, 3, 3, 1, 4, 8, 64}, {7, 3, 3, 1, 4, 8, 64}, {4, 3, 3, 1, 6, 8, 64},  {8, 3, 3, 1, 4, 8, 64},
    {3, 3, 3, 1, 6, 8, 64}, {6, 4, 4, 1, 4, 4, 32}, {2, 2, 2, 2, 4, 4, 128},
};
enum { N_STYLES = sizeof styles / sizeof *styles, SLICE = 25000, GROWTH = 4 };

/* Looks for a proof that nobody can win. There is none where he jumps off walls, which the kinder physics do not
 * know. */
static bool prove(const pf_world *root, sv_verdict *verdict) {
    if (root->rules->maps)
        return true;
    size_t rows = (size_t)root->level->height + SV_ROWS_ABOVE + SV_ROWS_BELOW;
    uint8_t *cells = malloc((size_t)root->level->width * rows);
    if (!cells)
        return false;
    if (!sv_may_finish(root, cells))
        verdict->outcome = SV_IMPOSSIBLE;
    free(cells);
    return true;
}

/* Gives each style a slice, then a larger one, until the budget is spent or no style finds more. */
static bool solve(const sv_problem *problem, int64_t budget, sv_verdict *verdict) {
    int64_t slice = SLICE;
    int at_an_end = 0; /* styles in a row that had nothing left to try */
    for (int turn = 0; at_an_end < N_STYLES && verdict->nodes < budget; turn++) {
        int64_t left = budget - verdict->nodes, before = verdict->nodes;
        left = left < slice ? left : slice;
        if (!sv_search(problem, &styles[turn % N_STYLES], left, verdict))
            return false;
        if (verdict->outcome == SV_UNKNOWN && turn == 0 && !prove(problem->root, verdict))
            return false;
        if (verdict->outcome != SV_UNKNOWN)
            break;
        at_an_end = verdict->nodes - before < left ? at_an_end + 1 : 0;
        slice *= turn % N_STYLES == N_STYLES - 1 ? GROWTH : 1;
    }
    return true;
}

bool sv_solve(const pf_world *root, int64_t budget, sv_verdict *verdict) {
    size_t tiles = (size_t)root->level->width * (size_t)root->level->height;
    *verdict = (sv_verdict){.outcome = root->status == PF_WIN ? SV_SOLVED : SV_UNKNOWN};
    if (root->status != PF_RUNNING || tiles >= SV_MOST_TILES)
        return true;
    sv_plan *plan = malloc(sizeof *plan);
    sv_field field = {0};
    sv_problem problem = {root, plan, &field};
    bool good = plan && sv_plan_begin(plan, root) && sv_field_begin(&field, plan, root)
                && solve(&problem, budget, verdict);
    sv_field_end(&field);
    if (plan)
        sv_plan_end(plan);
    free(plan);
    return good;
}

void sv_free(sv_verdict *verdict) {
    free(verdict->actions);
    verdict->actions = NULL;
}
