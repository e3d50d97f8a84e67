/* Decisions weighed over what chance makes of them. */
#include "planner/decision.h"

#include <float.h>
#include <string.h>

#include "platformer/heap.h"

enum { LOST = 100 }; /* ticks that nobody loses who can still land */

typedef struct {
    const planner_way *way;
    const pf_world *root;
    const decision_terms *terms;
    sticky_memory *memory;
    pf_world *world; /* after the decision being weighed */
    float here, goal, floor; /* ticks to go, and those at which a plan is long enough */
    int32_t nodes;
} chooser;

/* A decision and what is known of it before searches. */
typedef struct {
    unsigned action;
    float hope;  /* ticks to the exit if nothing is late and nothing stands in the way */
    bool begins; /* whether Mario is nearer to the exit after it */
} option;

/* Plays a decision that takes effect so many ticks late; false if memory ran out. */
static bool play_late(chooser *c, unsigned action, int late) {
    const decision_terms *terms = c->terms;
    pf_copy(c->world, c->root, c->world->sprite_capacity);
    for (int t = 0; t < terms->search.skip && c->world->status == PF_RUNNING; t++) {
        if (!pf_make_room(&c->world))
            return false;
        pf_step(c->world, t < late ? (unsigned)terms->pressed : action);
    }
    return true;
}

static bool is_lost(const chooser *c) {
    return c->world->status != PF_WIN && (c->world->status != PF_RUNNING || c->world->mario.body.y > c->floor);
}

/* What a plan counts as, with the ticks of the decision before it. */
static float cost_of(const chooser *c, const sticky_plan *plan) {
    const decision_terms *terms = c->terms;
    float ticks = (float)terms->search.skip + plan->cost, death = terms->search.death;
    switch (plan->verdict) {
    case STICKY_ARRIVES:
        return ticks;
    case STICKY_RESTS:
        return ticks + terms->wait;
    case STICKY_LIVES:
        return ticks + terms->wait + death / 4; /* nobody knows */
    default:
        return c->here + death;
    }
}

/* Decisions that a search may play: fewer for what is less probable, and some where the budget is used up. */
static int32_t share_budget(const chooser *c, int late) {
    enum { LEAST = 32, MOST_HALVED = 3 };
    int32_t share = c->terms->search.nodes >> (late < MOST_HALVED ? late : MOST_HALVED);
    int32_t left = c->terms->budget - c->nodes > LEAST ? c->terms->budget - c->nodes : LEAST;
    return left < share ? left : share;
}

/* Weighs one way in which a decision is played; false if memory ran out. */
static bool weigh_late(chooser *c, unsigned action, int late, float *cost, sticky_plan *plan) {
    const sticky_terms *search = &c->terms->search;
    *plan = (sticky_plan){0};
    if (!play_late(c, action, late))
        return false;
    if (is_lost(c)) {
        *cost = cost_of(c, plan);
        return true;
    }
    sticky_terms terms = *search;
    terms.nodes = share_budget(c, late);
    sticky_start start = {c->world, late < search->skip ? action : (unsigned)c->terms->pressed,
                          pf_mode(&c->root->mario), c->goal, c->here + LOST};
    if (!sticky_search(c->memory, c->way, &terms, &start, plan))
        return false;
    c->nodes += plan->nodes;
    *cost = cost_of(c, plan);
    return true;
}

/* Puts a decision before the plan that follows it. */
static void put_first(sticky_plan *plan, unsigned action) {
    memmove(plan->decisions + 1, plan->decisions, STICKY_DECISIONS - 1);
    plan->decisions[0] = (uint8_t)action;
    plan->n_decisions += plan->n_decisions < STICKY_DECISIONS;
}

/* Weighs a decision over how late it may come, and replaces the best if it is better; false if memory ran out. */
static bool weigh(chooser *c, const option *weighed, sticky_plan *best) {
    int last = weighed->action == (unsigned)c->terms->pressed ? 0 : c->terms->search.skip;
    float left = 1, sum = 0;
    sticky_plan plan, on_time = {0};
    for (int late = 0; late <= last && sum < best->cost; late++) {
        float cost, chance = late < last ? left * (1 - c->terms->sticky) : left;
        if (!weigh_late(c, weighed->action, late, &cost, &plan))
            return false;
        if (late == 0) {
            on_time = plan;
            cost += plan.verdict == STICKY_ARRIVES && !weighed->begins ? c->terms->stall : 0;
        }
        sum += chance * cost;
        left -= chance;
    }
    if (sum >= best->cost)
        return true;
    *best = on_time;
    best->cost = sum;
    put_first(best, weighed->action);
    return true;
}

static option make_option(const chooser *c, unsigned action) {
    float to_go = c->world->status == PF_WIN ? 0 : planner_way_ticks(c->way, c->world);
    float ticks = (float)c->terms->search.skip + to_go;
    return (option){action, is_lost(c) ? ticks + c->terms->search.death : ticks, to_go < c->here};
}

/* Lists what can be decided, the most hopeful first; -1 if memory ran out. */
static int list_options(chooser *c, option *options) {
    int n = sticky_count_moves(c->root);
    for (int k = 0; k < n; k++) {
        if (!play_late(c, sticky_move(k), 0))
            return -1;
        option one = make_option(c, sticky_move(k));
        int at = k;
        for (; at > 0 && options[at - 1].hope > one.hope; at--)
            options[at] = options[at - 1];
        options[at] = one;
    }
    return n;
}

static bool choose(chooser *c, sticky_plan *best) {
    option options[STICKY_MOVES];
    int n = list_options(c, options);
    best->cost = FLT_MAX;
    for (int k = 0; k < n; k++)
        if (options[k].hope < best->cost && !weigh(c, &options[k], best))
            return false;
    return n > 0;
}

bool planner_decide(const planner_way *way, const pf_world *root, const decision_terms *terms, sticky_plan *plan) {
    *plan = (sticky_plan){0};
    chooser c = {.way = way, .root = root, .terms = terms, .world = pf_world_clone(root),
                 .memory = sticky_memory_new(&terms->search, root),
                 .here = planner_way_ticks(way, root),
                 .floor = (float)(PF_TILE * root->level->height)};
    c.goal = c.here - terms->horizon;
    bool good = c.world && c.memory && choose(&c, plan);
    plan->nodes = c.nodes;
    sticky_memory_free(c.memory);
    pf_free(c.world);
    return good;
}
