/* The next decision of a player whose buttons may take effect late.
 *
 * Every decision is followed in all ways in which chance may play it: at once, a tick late, two, and so on. From
 * each of them a search of its own goes on, because the player will see what happened. The decision with the
 * least ticks to the exit on average is the best; the end of Mario counts as many ticks.
 */
#ifndef LUDUS_PLANNER_DECISION_H
#define LUDUS_PLANNER_DECISION_H

#include "planner/sticky_search.h"

typedef struct {
    sticky_terms search;
    int32_t pressed; /* the buttons of the decision before */
    int32_t budget;  /* sequences of decisions that all searches together look at */
    float sticky;    /* the probability that a tick repeats the buttons before */
    float horizon;   /* ticks that a plan has to gain */
    float stall;     /* ticks that it counts if a plan gets on but does not begin to */
    float wait;      /* ticks that it counts if a plan does not get on but rests */
} decision_terms;

/* Chooses the next decision, and tells how it may go on if nothing is late; the cost is that of the average.
 * False if memory ran out. */
bool planner_decide(const planner_way *way, const pf_world *root, const decision_terms *terms, sticky_plan *plan);

#endif
