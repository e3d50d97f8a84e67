/* The search: nodes, the futures that follow from them, and the loop. */
#include "solver/search.h"

#include "solver/areas.h"
#include "solver/ground.h"
#include "solver/state_key.h"

#include <stdlib.h>
#include <string.h>

/* Ticks of distance that a block is worth which was hidden and now can be stood on. */
enum { REVEALED = 12 };

/* Where platforms move, Mario may also stand still for a while. */
enum { WAIT_TICKS = 16, WAIT_DISCOUNT = 4 };

enum { MEMORY = 400 << 20 }; /* bytes of snapshots */

typedef struct {
    uint32_t parent, snapshot; /* snapshot: of its world, 0 once its children are made */
    int32_t ticks, cost;       /* since the root; waiting costs less than its ticks */
    uint8_t action, duration;  /* what led here from its parent, and for how many ticks */
} node;

typedef struct {
    const sv_problem *problem;
    const sv_style *style;
    sv_work work;
    sv_arena arena;
    sv_seen seen;
    sv_queue queue;
    sv_areas areas;
    node *nodes;
    uint32_t n_nodes, capacity;
    int64_t n_futures, budget;
    uint32_t goal;
    bool failed; /* memory ran out */
} search;

/* ---- nodes ---------------------------------------------------------------------------------- */

static bool grow_nodes(search *s) {
    uint32_t capacity = s->capacity ? 2 * s->capacity : 4096;
    node *nodes = realloc(s->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes)
        return false;
    s->nodes = nodes;
    s->capacity = capacity;
    return true;
}

static uint32_t add_node(search *s, node n) {
    if (s->n_nodes == s->capacity && !grow_nodes(s)) {
        s->failed = true;
        return SV_NO_NODE;
    }
    s->nodes[s->n_nodes] = n;
    return s->n_nodes++;
}

/* Blocks that were hidden and can be stood on now. */
static int count_revealed(const sv_work *work) {
    int n = 0;
    for (int k = 0; k < work->n_changes; k++)
        n += (sv_ground(sv_tile(work->root->level, work->base[work->changes[k] >> 8])) & GROUND_HIDDEN) != 0;
    return n;
}

/* Puts the world at work into the queue, unless one like it was there. */
static void enqueue(search *s, node n) {
    const pf_world *w = s->work.world;
    int is_new = sv_seen_add(&s->seen, sv_state_key(s->style, &s->work));
    s->failed |= is_new < 0;
    if (is_new <= 0)
        return;
    n.snapshot = sv_keep(&s->arena, &s->work);
    int stage = sv_plan_stage(s->problem->plan, w);
    int distance = sv_field_distance(s->problem->field, w, stage);
    distance -= count_revealed(&s->work) * REVEALED * FIELD_TICK;
    uint32_t item = n.snapshot ? add_node(s, n) : SV_NO_NODE;
    if (item == SV_NO_NODE)
        return;
    int64_t cost = (int64_t)n.cost * FIELD_TICK + (int64_t)distance * s->style->greed;
    s->failed |= !sv_queue_push(&s->queue, (int32_t)cost, item)
                 || !sv_areas_add(&s->areas, w, stage, item);
}

/* ---- futures -------------------------------------------------------------------------------- */

/* Holds buttons from the world at work on, and waits while the game stands still. */
static int hold_buttons(search *s, unsigned action, int ticks) {
    sv_work *work = &s->work;
    int duration = 0;
    for (; !s->failed && work->world->status == PF_RUNNING; duration++) {
        ticks -= work->world->pause == 0;
        if (ticks < 0)
            break;
        s->failed |= !sv_work_step(work, action);
    }
    return duration;
}

static bool is_hopeless(const pf_world *w) {
    return w->status > PF_WIN || w->overflow || w->mario.body.y > (float)(16 * w->level->height + 24);
}

enum { RUN_RIGHT = PF_RIGHT | PF_SPEED, RUN_LEFT = PF_LEFT | PF_SPEED, WAIT = PF_ACTIONS };

static void try_action(search *s, uint32_t from, uint32_t snapshot, unsigned action) {
    if (!sv_recall(&s->arena, &s->work, snapshot)) {
        s->failed = true;
        return;
    }
    bool waits = action == WAIT;
    int duration = hold_buttons(s, waits ? 0 : action, waits ? WAIT_TICKS : s->style->stride);
    s->n_futures++;
    if (is_hopeless(s->work.world))
        return;
    const node *before = &s->nodes[from];
    node n = {.parent = from, .ticks = before->ticks + duration, .duration = (uint8_t)duration,
              .cost = before->cost + (waits ? duration / WAIT_DISCOUNT : duration),
              .action = (uint8_t)(waits ? 0 : action)};
    if (s->work.world->status == PF_WIN)
        s->goal = add_node(s, n);
    else
        enqueue(s, n);
}

static int list_walks(const pf_world *w, uint8_t *actions) {
    static const uint8_t walks[] = {RUN_RIGHT, PF_RIGHT, 0, PF_LEFT, RUN_LEFT};
    const pf_mario *m = &w->mario;
    bool rises = m->may_jump || m->jump_time > 0 || pf_has_elements(w->level);
    int n = 0;
    for (int k = 0; k < (int)sizeof walks; k++) {
        actions[n++] = walks[k];
        if (rises)
            actions[n++] = walks[k] | PF_JUMP;
    }
    return n;
}

static bool is_at_ladder(const pf_world *w) {
    int column = (int)w->mario.body.x / PF_TILE, row = (int)w->mario.body.y / PF_TILE;
    if (column < 0 || column >= w->level->width || row < 0 || row >= w->level->height)
        return false;
    return sv_tile(w->level, pf_tiles(w)[column * w->level->height + row]) == PF_LADDER;
}

static int list_actions(const pf_world *w, uint8_t *actions) {
    const pf_mario *m = &w->mario;
    int n = list_walks(w, actions);
    if (m->body.on_ground && (m->large || pf_has_elements(w->level))) {
        actions[n++] = PF_DOWN;
        actions[n++] = PF_DOWN | PF_RIGHT | PF_JUMP;
    } else if (pf_elements_of(w)->climbing) {
        actions[n++] = PF_DOWN;
    }
    if (m->body.on_ground && pf_count_platforms(w->level))
        actions[n++] = WAIT;
    if (w->rules->maps && is_at_ladder(w)) {
        actions[n++] = SV_UP;
        actions[n++] = SV_UP | RUN_RIGHT;
        actions[n++] = PF_DOWN;
    }
    return n;
}

static void expand(search *s, uint32_t item) {
    uint8_t actions[20];
    uint32_t snapshot = s->nodes[item].snapshot;
    s->nodes[item].snapshot = 0;
    if (!sv_recall(&s->arena, &s->work, snapshot)) {
        s->failed = true;
        return;
    }
    int n = list_actions(s->work.world, actions);
    for (int k = 0; k < n && s->goal == SV_NO_NODE && !s->failed; k++)
        try_action(s, item, snapshot, actions[k]);
    sv_forget(&s->arena, snapshot);
}

/* ---- the loop ------------------------------------------------------------------------------- */

/* A node from an area drawn by lot whose children are still to be made. */
static uint32_t draw_node(search *s) {
    uint32_t item = sv_areas_take(&s->areas);
    while (item != SV_NO_NODE && !s->nodes[item].snapshot)
        item = sv_areas_take(&s->areas);
    return item;
}

static uint32_t next_node(search *s, int turn) {
    if (turn % s->style->elsewhere == s->style->elsewhere - 1) {
        uint32_t item = draw_node(s);
        if (item != SV_NO_NODE)
            return item;
    }
    while (s->queue.n) {
        uint32_t item = sv_queue_pop(&s->queue);
        if (s->nodes[item].snapshot)
            return item;
    }
    return SV_NO_NODE;
}

static bool begin(search *s) {
    s->goal = SV_NO_NODE;
    sv_arena_begin(&s->arena, MEMORY);
    return sv_work_begin(&s->work, s->problem->root) && sv_seen_begin(&s->seen)
           && sv_areas_begin(&s->areas, s->problem->root->level, s->problem->plan->n_stages);
}

static void end(search *s) {
    sv_areas_end(&s->areas);
    free(s->nodes);
    free(s->queue.entries);
    sv_seen_end(&s->seen);
    sv_arena_end(&s->arena);
    sv_work_end(&s->work);
}

static bool write_actions(const search *s, sv_verdict *verdict) {
    int n = s->nodes[s->goal].ticks;
    verdict->actions = malloc((size_t)n + 1);
    if (!verdict->actions)
        return false;
    verdict->n_actions = n;
    for (uint32_t item = s->goal; s->nodes[item].parent != SV_NO_NODE; item = s->nodes[item].parent) {
        n -= s->nodes[item].duration;
        unsigned action = sv_action(s->problem->root->rules, s->nodes[item].action);
        memset(verdict->actions + n, (int)action, s->nodes[item].duration);
    }
    verdict->outcome = SV_SOLVED;
    return true;
}

static bool run(search *s, sv_verdict *verdict) {
    node root = {.parent = SV_NO_NODE};
    enqueue(s, root);
    for (int turn = 0; !s->failed && s->goal == SV_NO_NODE && s->n_futures < s->budget; turn++) {
        uint32_t item = next_node(s, turn);
        if (item == SV_NO_NODE)
            break;
        expand(s, item);
    }
    verdict->nodes += s->n_futures;
    return !s->failed && (s->goal == SV_NO_NODE || write_actions(s, verdict));
}

bool sv_search(const sv_problem *problem, const sv_style *style, int64_t budget, sv_verdict *verdict) {
    search s = {.problem = problem, .style = style, .budget = budget};
    bool good = begin(&s) && run(&s, verdict);
    end(&s);
    return good;
}
