/* Plans of a player whose buttons may take effect late, as sticky actions make them.
 *
 * A plan is followed in several outcomes at once, in each of which changes of buttons come late by other
 * numbers of ticks. It counts only if Mario survives all of them unharmed.
 */
#ifndef LUDUS_PLANNER_STICKY_SEARCH_H
#define LUDUS_PLANNER_STICKY_SEARCH_H

#include "platformer/platformer.h"

enum { STICKY_OUTCOMES = 8, STICKY_DECISIONS = 256 };

/* Ticks by which the first change of buttons comes late, and every later one. */
typedef struct {
    int8_t first, later;
} sticky_late;

typedef struct {
    int32_t skip;    /* ticks for which a decision is held */
    int32_t pressed; /* the buttons of the decision before */
    int32_t nodes;   /* sequences of decisions that are looked at before the best so far must do */
    int32_t horizon; /* pixels to the right at which a plan is long enough */
    int32_t rest;    /* decisions after which Mario must still stand where no plan gets on */
    float greed;     /* what progress counts for; 1 finds the fastest plan, more finds a plan sooner */
    int32_t n_outcomes;
    sticky_late late[STICKY_OUTCOMES];
} sticky_terms;

enum sticky_verdict { STICKY_NONE, STICKY_RESTS, STICKY_ARRIVES };

typedef struct {
    enum sticky_verdict verdict;
    int32_t n_decisions, nodes;
    uint8_t decisions[STICKY_DECISIONS];
} sticky_plan;

/* Looks for decisions after which Mario is far enough and stands, in all outcomes; else for those that lead
 * furthest to where he stands. False if memory ran out. */
bool sticky_search(const pf_world *root, const sticky_terms *terms, sticky_plan *plan);

#endif
