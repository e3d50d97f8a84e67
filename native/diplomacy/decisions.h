/* The decisions of a movement phase: whether each move succeeds, each support is given, each convoying
 * fleet goes on.
 *
 * Every decision has an equation in the others. What is known so far bounds every strength from both sides;
 * a decision falls as soon as its bounds allow no other answer. Where none falls any more, those left
 * depend on each other in circles, and the backup rules decide (circles.c).
 */
#ifndef LUDUS_DIPLOMACY_DECISIONS_H
#define LUDUS_DIPLOMACY_DECISIONS_H

#include "diplomacy/board.h"

/* The answers that are still possible, as bits. */
typedef uint8_t dp_answer;
enum { DP_NO = 1, DP_YES = 2, DP_OPEN = 3 };

static inline dp_answer dp_not(dp_answer a) { return (dp_answer)((a & 1) << 1 | a >> 1); }
static inline dp_answer dp_and(dp_answer a, dp_answer b) {
    return (dp_answer)((a & b & DP_YES) | ((a | b) & DP_NO));
}

/* How a unit goes: by land; by sea; by sea if its convoy holds, else by land. */
enum dp_way { DP_BY_LAND, DP_BY_SEA, DP_BY_EITHER };

typedef struct {
    const dp_board *board;
    int n;
    int8_t at[DP_PROVINCES];           /* the unit in a province, or -1 */
    int8_t first_mover[DP_PROVINCES];  /* into a province; the others follow by next_mover */
    uint8_t convoyer[DP_SEAS];         /* the unit in a sea */
    /* of each unit */
    dp_parts order[DP_PROVINCES];
    uint8_t owner[DP_PROVINCES], from[DP_PROVINCES], to[DP_PROVINCES], way[DP_PROVINCES];
    int8_t next_mover[DP_PROVINCES];
    int8_t other[DP_PROVINCES];         /* whom it supports or convoys, if that does what it says; or -1 */
    int8_t first_support[DP_PROVINCES]; /* of the unit; the others follow by next_support */
    int8_t next_support[DP_PROVINCES];
    uint32_t convoy[DP_PROVINCES];      /* seas with a fleet that has orders for this very move */
    bool route_ordered[DP_PROVINCES];   /* whether those make a route */
    bool disrupted[DP_PROVINCES];       /* by the rule for paradoxes */
    dp_answer answer[DP_PROVINCES];
} dp_decisions;

/* Reads the orders; units without one hold. */
void dp_read_orders(dp_decisions *d, const dp_board *board, const dp_order *orders, int n);
/* Decides everything. */
void dp_decide(dp_decisions *d);

/* ---- equations (equations.c) -------------------------------------------------------------------- */

/* The answers that are possible to a unit's decision, from what is known of the others. */
dp_answer dp_evaluate(const dp_decisions *d, int unit);
/* Marks the open decisions that a unit's decision still depends on. */
void dp_mark_dependencies(const dp_decisions *d, int unit, bool *marked);

dp_answer dp_route_holds(const dp_decisions *d, int unit);
/* Whether a move has a way to its goal. */
static inline dp_answer dp_has_path(const dp_decisions *d, int unit) {
    return d->way[unit] == DP_BY_SEA ? dp_route_holds(d, unit) : DP_YES;
}
/* The unit that moves the opposite way, or -1; and whether both go by land. */
int dp_find_opponent(const dp_decisions *d, int unit);
dp_answer dp_is_head_to_head(const dp_decisions *d, int unit, int opponent);
/* Once all is decided: whether a move would succeed if every support given to it counted. */
bool dp_is_strong_enough(const dp_decisions *d, int unit);

/* ---- circles (circles.c) ------------------------------------------------------------------------ */

/* Applies the backup rules to every circle that waits for nothing else. */
void dp_break_circles(dp_decisions *d);

static inline bool dp_moves_away(const dp_decisions *d, int unit) {
    return d->order[unit].verb == DP_MOVE && d->answer[unit] == DP_YES;
}
/* The unit that has moved into another's place, or -1. */
int dp_find_attacker(const dp_decisions *d, int unit);

#endif
