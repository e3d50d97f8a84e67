/* Whether a level can be finished: a search with the engine itself, and a proof that none can help.
 *
 * The search tries held buttons, best first by a distance field over the level, and ends with the
 * buttons that win. The proof floods the level under physics that are kinder than the engine's: what
 * even they do not reach, nobody does. Both are counted in nodes, never in seconds, so that a verdict
 * is the same on every machine.
 */
#ifndef LUDUS_SOLVER_H
#define LUDUS_SOLVER_H

#include "platformer/platformer.h"

enum sv_outcome { SV_SOLVED, SV_IMPOSSIBLE, SV_UNKNOWN };

typedef struct {
    enum sv_outcome outcome;
    uint8_t *actions; /* if solved: one for each tick from the root on, for sv_free */
    int32_t n_actions;
    int64_t nodes; /* futures looked at */
} sv_verdict;

/* Looks for a way to win from here within so many nodes; false if memory ran out. */
bool sv_solve(const pf_world *root, int64_t budget, sv_verdict *verdict);
void sv_free(sv_verdict *verdict);

/* Rows of the reachable map: one for all above the level, the level's, and those of a fall. */
enum { SV_ROWS_ABOVE = 1, SV_ROWS_BELOW = 3 };

/* Marks in `cells` (column by column, height + 4 rows each, from above the level down) where Mario's
 * feet might get to under the kinder physics, and tells whether the exit is among them. If the level
 * is too large for that, or memory runs out, everything is. */
bool sv_may_finish(const pf_world *root, uint8_t *cells);

#endif
