/* An A* search over sequences of decisions, each followed in several outcomes. */
#include "planner/sticky_search.h"

#include <stdlib.h>
#include <string.h>

#include "platformer/heap.h"
#include "solver/store.h"

static const float TICKS_PER_PIXEL = 0.11f / 1.2f; /* at full running speed */
static const float TICKS_PER_SPEED = 1 / 1.2f;     /* what a pixel per tick saves until it has decayed */
enum { FINE = 64 };                                /* parts of a tick that costs count */

/* What a search knows of Mario in an outcome. */
typedef struct {
    float x, y, vx;
    int32_t status;
    int16_t jump_time;
    uint8_t on_ground, may_jump, mode;
} outcome_mario;

typedef struct {
    pf_world *worlds[STICKY_OUTCOMES]; /* kept without events; NULL once nothing follows from them */
    outcome_mario marios[STICKY_OUTCOMES];
    int32_t parent, ticks;
    uint8_t action;
} plan_node;

typedef struct {
    const sticky_terms *terms;
    outcome_mario start;
    float floor;
    pf_world *work;
    plan_node *nodes;
    int32_t n_nodes, created, rest;
    float rest_x;
    sv_queue queue;
    sv_seen seen;
} search_t;

/* ---- worlds -------------------------------------------------------------------------------- */

/* Returns a copy with just the room it needs. */
static pf_world *keep(const pf_world *w) {
    size_t size = (size_t)w->sprites_at + (size_t)w->n_sprites * sizeof(pf_sprite);
    pf_world *kept = malloc(size);
    if (kept) {
        memcpy(kept, w, size);
        kept->n_events = 0;
    }
    return kept;
}

static outcome_mario mario_of(const pf_world *w) {
    const pf_mario *m = &w->mario;
    return (outcome_mario){m->body.x,         m->body.y,   m->body.vx,         w->status, (int16_t)m->jump_time,
                           m->body.on_ground, m->may_jump, (uint8_t)pf_mode(m)};
}

/* Plays a decision in one outcome, from a kept world to the world at work. */
static bool play(search_t *s, const pf_world *from, unsigned before, unsigned action, int late) {
    pf_copy(s->work, from, s->work->sprite_capacity);
    for (int t = 0; t < s->terms->skip && s->work->status == PF_RUNNING; t++) {
        if (!pf_make_room(&s->work))
            return false;
        pf_step(s->work, t < late ? before : action);
    }
    return true;
}

static void drop_worlds(plan_node *node) {
    for (int k = 0; k < STICKY_OUTCOMES; k++) {
        free(node->worlds[k]);
        node->worlds[k] = NULL;
    }
}

/* ---- nodes --------------------------------------------------------------------------------- */

static bool goes_on(const search_t *s, const outcome_mario *m) {
    return (m->status == PF_RUNNING || m->status == PF_WIN) && m->y <= s->floor && m->mode >= s->start.mode;
}

/* Follows a decision in all outcomes: 1 if Mario survives them, 0 if not, -1 if memory ran out. */
static int follow(search_t *s, const plan_node *node, unsigned action, plan_node *child) {
    *child = (plan_node){.parent = (int32_t)(node - s->nodes), .ticks = node->ticks + s->terms->skip,
                         .action = (uint8_t)action};
    s->created++;
    for (int k = 0; k < s->terms->n_outcomes; k++) {
        sticky_late late = s->terms->late[k];
        int ticks = action == node->action ? 0 : node->ticks ? late.later : late.first;
        if (!play(s, node->worlds[k], node->action, action, ticks))
            return -1;
        child->marios[k] = mario_of(s->work);
        if (!goes_on(s, &child->marios[k]))
            return 0;
        if (!(child->worlds[k] = keep(s->work)))
            return -1;
    }
    return 1;
}

/* What makes two nodes alike enough to follow only the first of them. */
static uint64_t likeness(const search_t *s, const plan_node *node) {
    const outcome_mario *first = &node->marios[0], *last = &node->marios[s->terms->n_outcomes - 1];
    const int parts[] = {(int)first->x >> 2, (int)first->y >> 2, (int)(first->vx + 64.5f), first->jump_time,
                         first->may_jump, (int)last->x >> 3, (int)last->y >> 3, node->action, node->ticks >> 4};
    uint64_t key = 0x9e3779b97f4a7c15u;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        key = (key ^ (uint64_t)(uint32_t)parts[k]) * 0xff51afd7ed558ccdu, key ^= key >> 32;
    return key;
}

/* The ticks lost in the slowest outcome against a Mario at full speed. */
static int32_t loss(const search_t *s, const plan_node *node) {
    float least = 0;
    for (int k = 0; k < s->terms->n_outcomes; k++) {
        const outcome_mario *m = &node->marios[k];
        float gain = (m->x - s->start.x) * TICKS_PER_PIXEL + (m->vx - s->start.vx) * TICKS_PER_SPEED;
        least = k == 0 || gain < least ? gain : least;
    }
    return (int32_t)(FINE * ((float)node->ticks - s->terms->greed * least));
}

static bool arrives(const search_t *s, const plan_node *node) {
    for (int k = 0; k < s->terms->n_outcomes; k++) {
        const outcome_mario *m = &node->marios[k];
        bool far = m->on_ground && m->x >= s->start.x + (float)s->terms->horizon;
        if (m->status != PF_WIN && !far)
            return false;
    }
    return true;
}

/* Remembers the node that is furthest with firm footing. */
static void note_rest(search_t *s, const plan_node *node) {
    float x = node->marios[0].x;
    for (int k = 0; k < s->terms->n_outcomes; k++) {
        if (!node->marios[k].on_ground)
            return;
        x = node->marios[k].x < x ? node->marios[k].x : x;
    }
    if (node->ticks < s->terms->rest * s->terms->skip || (s->rest >= 0 && x <= s->rest_x))
        return;
    s->rest = (int32_t)(node - s->nodes);
    s->rest_x = x;
}

/* ---- the search ---------------------------------------------------------------------------- */

/* Puts a node into the queue unless one like it was there; false if memory ran out. */
static bool add(search_t *s, plan_node *child) {
    int fresh = sv_seen_add(&s->seen, likeness(s, child));
    if (fresh <= 0) {
        drop_worlds(child);
        return fresh == 0;
    }
    s->nodes[s->n_nodes] = *child;
    return sv_queue_push(&s->queue, loss(s, child), (uint32_t)s->n_nodes++);
}

enum { WALKS = 5 };

/* The buttons that make sense for this Mario: how many, and each by its number. */
static int count_moves(const outcome_mario *mario) {
    return mario->may_jump || mario->jump_time > 0 ? 2 * WALKS : WALKS;
}
static unsigned move_of(int k) {
    static const uint8_t walks[WALKS] = {PF_RIGHT | PF_SPEED, PF_RIGHT, 0, PF_LEFT, PF_LEFT | PF_SPEED};
    return k < WALKS ? walks[k] : walks[k - WALKS] | (unsigned)PF_JUMP;
}

static bool expand(search_t *s, int32_t number) {
    int moves = count_moves(&s->nodes[number].marios[0]);
    for (int k = 0; k < moves && s->n_nodes < s->terms->nodes; k++) {
        plan_node child;
        int survives = follow(s, &s->nodes[number], move_of(k), &child);
        if (survives > 0 ? !add(s, &child) : (drop_worlds(&child), survives < 0))
            return false;
    }
    if (number)
        drop_worlds(&s->nodes[number]);
    return true;
}

/* The buttons that bring Mario to a stop. */
static unsigned brake(const outcome_mario *mario) { return mario->vx > 1 ? PF_LEFT : mario->vx < -1 ? PF_RIGHT : 0; }

/* Looks whether Mario can stand after one move and braking, which a search for the fastest way overlooks. */
static bool try_to_stop(search_t *s, unsigned move) {
    int32_t number = 0;
    for (int step = 0; step < s->terms->rest; step++) {
        unsigned action = step ? brake(&s->nodes[number].marios[0]) : move;
        plan_node child;
        int survives = follow(s, &s->nodes[number], action, &child);
        if (survives <= 0) {
            drop_worlds(&child);
            return survives == 0;
        }
        number = s->n_nodes++;
        s->nodes[number] = child;
    }
    note_rest(s, &s->nodes[number]);
    return true;
}

static bool look_for_rest(search_t *s) {
    int moves = count_moves(&s->nodes[0].marios[0]);
    for (int k = 0; s->terms->rest > 0 && k < moves; k++)
        if (!try_to_stop(s, move_of(k)))
            return false;
    return true;
}

static void tell(const search_t *s, int32_t node, enum sticky_verdict verdict, sticky_plan *plan) {
    int n = 0;
    for (int32_t at = node; s->nodes[at].parent >= 0; at = s->nodes[at].parent)
        n++;
    plan->verdict = verdict;
    plan->n_decisions = n < STICKY_DECISIONS ? n : STICKY_DECISIONS;
    for (int32_t at = node; n-- > 0; at = s->nodes[at].parent)
        if (n < STICKY_DECISIONS)
            plan->decisions[n] = s->nodes[at].action;
}

static bool run(search_t *s, sticky_plan *plan) {
    if (!expand(s, 0))
        return false;
    while (s->queue.n && s->created < s->terms->nodes) {
        int32_t number = (int32_t)sv_queue_pop(&s->queue);
        if (arrives(s, &s->nodes[number])) {
            tell(s, number, STICKY_ARRIVES, plan);
            return true;
        }
        note_rest(s, &s->nodes[number]);
        if (!expand(s, number))
            return false;
    }
    if (!look_for_rest(s))
        return false;
    if (s->rest >= 0)
        tell(s, s->rest, STICKY_RESTS, plan);
    return true;
}

static bool begin(search_t *s, const pf_world *root) {
    s->work = pf_world_clone(root);
    s->nodes = malloc((size_t)(s->terms->nodes + 2 * WALKS * s->terms->rest) * sizeof *s->nodes);
    if (!s->work || !s->nodes || !sv_seen_begin(&s->seen))
        return false;
    s->start = mario_of(root);
    s->floor = (float)(PF_TILE * root->level->height);
    s->nodes[0] = (plan_node){.parent = -1, .action = (uint8_t)s->terms->pressed};
    s->n_nodes = 1;
    for (int k = 0; k < s->terms->n_outcomes; k++) {
        s->nodes[0].marios[k] = s->start;
        if (!(s->nodes[0].worlds[k] = keep(root)))
            return false;
    }
    return true;
}

static void end(search_t *s) {
    for (int32_t k = 0; s->nodes && k < s->n_nodes; k++)
        drop_worlds(&s->nodes[k]);
    free(s->nodes);
    free(s->queue.entries);
    sv_seen_end(&s->seen);
    pf_free(s->work);
}

bool sticky_search(const pf_world *root, const sticky_terms *terms, sticky_plan *plan) {
    search_t s = {.terms = terms, .rest = -1};
    *plan = (sticky_plan){0};
    bool good = begin(&s, root) && run(&s, plan);
    plan->nodes = s.created;
    end(&s);
    return good;
}
