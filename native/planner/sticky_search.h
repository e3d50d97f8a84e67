/* Searches for a player whose buttons may take effect late, as sticky actions make them.
 *
 * A plan is followed as if all its changes of buttons came in time, and beside that in faults: in each of them one
 * of the first changes comes late. The end of Mario in a fault makes the plan dearer by its probability.
 */
#ifndef LUDUS_PLANNER_STICKY_SEARCH_H
#define LUDUS_PLANNER_STICKY_SEARCH_H

#include "planner/way.h"
#include "solver/store.h"

enum { STICKY_FAULTS = 7, STICKY_DECISIONS = 256 };

typedef struct {
    int32_t skip;   /* ticks for which a decision is held */
    int32_t nodes;  /* decisions that a search plays before the best so far must do */
    int32_t rest;   /* decisions after which Mario must still stand where no plan gets on */
    int32_t faults; /* changes of buttons that are also followed if they come late */
    int32_t late;   /* ticks by which they do */
    int32_t follow; /* decisions for which a fault is followed */
    float fault;    /* the probability of each */
    float greed;    /* what progress counts for; 1 finds the fastest plan, more finds a plan sooner */
    float wound, death; /* ticks that being hurt and the end of Mario count as */
} sticky_terms;

/* Where a search begins and where it may end. */
typedef struct {
    const pf_world *world;
    unsigned pressed; /* the buttons of the tick before */
    int32_t mode;     /* of a Mario who is unharmed */
    float goal;       /* ticks to go at which a plan is long enough */
    float lost;       /* those at which a Mario in the air is taken for lost where a fault is let go */
} sticky_start;

enum sticky_verdict { STICKY_NONE, STICKY_LIVES, STICKY_RESTS, STICKY_ARRIVES };

typedef struct {
    enum sticky_verdict verdict;
    float cost; /* ticks to the exit, along the plan and from its end; unless the verdict is none */
    int32_t n_decisions, nodes;
    uint8_t decisions[STICKY_DECISIONS];
} sticky_plan;

/* What searches use one after the other. */
typedef struct sticky_memory sticky_memory;
/* NULL if memory ran out. */
sticky_memory *sticky_memory_new(const sticky_terms *terms, const pf_world *root);
void sticky_memory_free(sticky_memory *memory);

/* Looks for decisions after which Mario is near enough to the exit and stands, in the faults, too; else for those after which he stands nearest to it; else for those that he survives. False if memory ran out. */
bool sticky_search(sticky_memory *memory, const planner_way *way, const sticky_terms *terms,
                   const sticky_start *start, sticky_plan *plan);

enum { STICKY_MOVES = 10 };
/* The buttons that make sense for this Mario: how many, and each by its number. */
int sticky_count_moves(const pf_world *world);
unsigned sticky_move(int number);

#endif
