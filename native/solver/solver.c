/* The search: best first by the distance field, with a share of its nodes spent elsewhere. */
#include "solver/solver.h"

#include "solver/field.h"
#include "solver/ground.h"
#include "solver/store.h"

#include <stdlib.h>
#include <string.h>

/* One way to search. None is best everywhere: each gets a slice of the budget, then a larger one. */
typedef struct {
    int stride;           /* ticks that buttons are held */
    int x_shift, y_shift; /* pixels that count as one, as powers of two */
    int speed_parts;      /* steps of speed that are told apart, per pixel a tick */
    int greed;            /* what a tick of distance counts against a tick played */
    int elsewhere;        /* one in so many nodes comes from a place drawn by lot */
    int sight;            /* pixels around Mario within which creatures are told apart */
} style;

static const style styles[] = {
    {5, 3, 3, 1, 4, 8, 64}, {7, 3, 3, 1, 4, 8, 64}, {4, 3, 3, 1, 6, 8, 64},  {8, 3, 3, 1, 4, 8, 64},
    {3, 3, 3, 1, 6, 8, 64}, {6, 4, 4, 1, 4, 4, 32}, {2, 2, 2, 2, 4, 4, 128},
};
enum { N_STYLES = sizeof styles / sizeof *styles, SLICE = 25000, GROWTH = 4 };

/* Ticks of distance that a block is worth which was hidden and now can be stood on. */
enum { REVEALED = 12 };

/* Where platforms move, Mario may also stand still for a while. */
enum { WAIT_TICKS = 16, WAIT_DISCOUNT = 4 };

enum { MEMORY = 400 << 20, AREA = 64, SEED = 0x2545f491 };
#define NO_NODE UINT32_MAX

typedef struct {
    uint32_t parent, kept; /* kept: 0 once its children are made */
    int32_t ticks, cost;   /* since the root; waiting costs less than its ticks */
    uint8_t action, held;
} node;

/* The nodes of one area that wait, in no order. */
typedef struct {
    uint32_t *nodes;
    int n, capacity, place; /* place in the list of areas that have any */
} area;

typedef struct {
    const pf_world *root;
    const sv_plan *plan;
    const sv_field *field;
    const style *how;
    sv_work *work;
    sv_arena arena;
    sv_seen seen;
    sv_queue queue;
    node *nodes;
    uint32_t n_nodes, capacity;
    area *areas;
    int areas_wide, areas_high, n_areas, *busy, n_busy;
    uint64_t random;
    int64_t made, budget;
    uint32_t goal;
    bool failed; /* memory ran out */
} search;

/* ---- areas ---------------------------------------------------------------------------------- */

static int area_of(const search *s, const pf_world *w, int stage) {
    int column = (int)w->mario.body.x / AREA, row = ((int)w->mario.body.y + 2 * AREA) / AREA;
    column = column < 0 ? 0 : column < s->areas_wide ? column : s->areas_wide - 1;
    row = row < 0 ? 0 : row < s->areas_high ? row : s->areas_high - 1;
    return (stage * s->areas_wide + column) * s->areas_high + row;
}

static bool area_add(search *s, int number, uint32_t item) {
    area *a = &s->areas[number];
    if (a->n == a->capacity) {
        int capacity = a->capacity ? 2 * a->capacity : 32;
        uint32_t *nodes = realloc(a->nodes, (size_t)capacity * sizeof *nodes);
        if (!nodes)
            return false;
        a->nodes = nodes;
        a->capacity = capacity;
    }
    if (!a->n) {
        a->place = s->n_busy;
        s->busy[s->n_busy++] = number;
    }
    a->nodes[a->n++] = item;
    return true;
}

static uint32_t draw(search *s, int n) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (uint32_t)((s->random >> 32) % (uint64_t)n);
}

/* A node that waits in an area drawn by lot, or none. */
static uint32_t area_take(search *s) {
    while (s->n_busy) {
        int place = (int)draw(s, s->n_busy), number = s->busy[place];
        area *a = &s->areas[number];
        uint32_t k = draw(s, a->n), item = a->nodes[k];
        a->nodes[k] = a->nodes[--a->n];
        if (!a->n) {
            s->busy[place] = s->busy[--s->n_busy];
            s->areas[s->busy[place]].place = place;
        }
        if (s->nodes[item].kept)
            return item;
    }
    return NO_NODE;
}

/* ---- states that are alike ------------------------------------------------------------------ */

static uint64_t part(float value, int parts) { return (uint64_t)(int64_t)(value * (float)parts + 4096); }
static uint64_t cell(float value, int shift) { return (uint64_t)((int64_t)(value + 4096) >> shift); }

static uint64_t mario_key(const style *how, const pf_world *w) {
    const pf_mario *m = &w->mario;
    const pf_elements *e = pf_elements_of(w);
    uint64_t flags = (uint64_t)(m->body.on_ground | m->may_jump << 1 | m->ducking << 2 | e->climbing << 3
                                | (m->invulnerable > 1) << 4 | pf_mode(m) << 5
                                | (m->fire && m->can_shoot) << 7 | (e->switch_touched != 0) << 8);
    uint64_t h = digest_mix(1, cell(m->body.x, how->x_shift) << 32 | cell(m->body.y, how->y_shift));
    h = digest_mix(h, part(m->body.vx, how->speed_parts) << 32 | flags);
    if (m->body.on_ground)
        return h;
    return digest_mix(h, (uint64_t)m->jump_time << 32 | part(m->body.vy, how->speed_parts) >> 1);
}

/* Creatures close to Mario, in any order. */
static uint64_t sprites_key(const style *how, const pf_world *w) {
    const pf_sprite *sprites = pf_sprites(w);
    const pf_body *m = &w->mario.body;
    float sight = (float)how->sight;
    uint64_t sum = 0;
    for (int k = 0; k < w->n_sprites; k++) {
        const pf_body *b = &sprites[k].body;
        float dx = b->x - m->x, dy = b->y - m->y;
        if (dx > sight || dx < -sight || dy > sight || dy < -sight || sprites[k].kind == PF_FIREBALL)
            continue;
        uint64_t h = digest_mix(sprites[k].kind, cell(b->x, 4) << 32 | cell(b->y, how->y_shift));
        sum += digest_mix(h, (uint64_t)(b->facing + 1 + 4 * sprites[k].winged));
    }
    return sum;
}

/* Blocks that are other than they were. */
static uint64_t changes_key(const sv_work *work) {
    uint64_t sum = 0;
    for (int k = 0; k < work->n_changes; k++) {
        sv_change change = work->changes[k];
        unsigned before = sv_ground(work->base[change >> 8]), now = sv_ground((int)(change & 255));
        if (before != now || (change & 255) >= PF_LADDER)
            sum += digest_mix(3, change);
    }
    return sum;
}

static bool is_near(const pf_platform *p, const pf_body *b) {
    enum { AROUND = 80 };
    int last_x = p->x + p->dx * p->way + p->width, last_y = p->y + p->dy * p->way;
    return b->x > (float)(p->x - AROUND) && b->x < (float)(last_x + AROUND)
           && b->y > (float)(p->y - AROUND) && b->y < (float)(last_y + AROUND);
}

/* Where the platforms close to Mario are. */
static uint64_t platforms_key(const pf_world *w) {
    const pf_level *level = w->level;
    uint64_t sum = 0;
    for (int k = 0; k < pf_count_platforms(level); k++) {
        const pf_platform *p = pf_platforms(level) + k;
        if (p->way && is_near(p, &w->mario.body))
            sum += digest_mix((uint64_t)k + 7, (uint64_t)((p->start + w->tick) % (2 * p->way)) >> 3);
    }
    return sum;
}

static uint64_t state_key(const search *s) {
    const pf_world *w = s->work->world;
    uint64_t h = mario_key(s->how, w);
    h = digest_mix(h, sprites_key(s->how, w));
    return digest_mix(h, changes_key(s->work) + platforms_key(w));
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static bool grow(search *s) {
    uint32_t capacity = s->capacity ? 2 * s->capacity : 4096;
    node *nodes = realloc(s->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes)
        return false;
    s->nodes = nodes;
    s->capacity = capacity;
    return true;
}

static uint32_t add_node(search *s, node n) {
    if (s->n_nodes == s->capacity && !grow(s)) {
        s->failed = true;
        return NO_NODE;
    }
    s->nodes[s->n_nodes] = n;
    return s->n_nodes++;
}

/* Blocks that were hidden and can be stood on now. */
static int count_revealed(const sv_work *work) {
    int n = 0;
    for (int k = 0; k < work->n_changes; k++)
        n += (sv_ground(work->base[work->changes[k] >> 8]) & GROUND_HIDDEN) != 0;
    return n;
}

/* Puts the world at work into the queue, unless one like it was there. */
static void enqueue(search *s, node n) {
    const pf_world *w = s->work->world;
    int is_new = sv_seen_add(&s->seen, state_key(s));
    s->failed |= is_new < 0;
    if (is_new <= 0)
        return;
    n.kept = sv_keep(&s->arena, s->work);
    int stage = sv_plan_stage(s->plan, w);
    int distance = sv_field_distance(s->field, w, stage) - count_revealed(s->work) * REVEALED * FIELD_TICK;
    uint32_t item = n.kept ? add_node(s, n) : NO_NODE;
    if (item == NO_NODE)
        return;
    int64_t cost = (int64_t)n.cost * FIELD_TICK + (int64_t)distance * s->how->greed;
    s->failed |= !sv_queue_push(&s->queue, (int32_t)cost, item)
                 || !area_add(s, area_of(s, w, stage), item);
}

/* Holds buttons from the world at work on, and waits while the game stands still. */
static int hold(search *s, unsigned action, int ticks) {
    sv_work *work = s->work;
    int held = 0;
    for (; !s->failed && work->world->status == PF_RUNNING; held++) {
        ticks -= work->world->pause == 0;
        if (ticks < 0)
            break;
        s->failed |= !sv_work_step(work, action);
    }
    return held;
}

static bool is_hopeless(const pf_world *w) {
    return w->status > PF_WIN || w->overflow || w->mario.body.y > (float)(16 * w->level->height + 24);
}

enum { RUN_RIGHT = PF_RIGHT | PF_SPEED, RUN_LEFT = PF_LEFT | PF_SPEED, WAIT = PF_ACTIONS };

static void try_action(search *s, uint32_t from, uint32_t kept, unsigned action) {
    if (!sv_recall(&s->arena, s->work, kept)) {
        s->failed = true;
        return;
    }
    bool waits = action == WAIT;
    int held = hold(s, waits ? 0 : action, waits ? WAIT_TICKS : s->how->stride);
    s->made++;
    if (is_hopeless(s->work->world))
        return;
    const node *before = &s->nodes[from];
    node n = {.parent = from, .ticks = before->ticks + held, .held = (uint8_t)held,
              .cost = before->cost + (waits ? held / WAIT_DISCOUNT : held),
              .action = (uint8_t)(waits ? 0 : action)};
    if (s->work->world->status == PF_WIN)
        s->goal = add_node(s, n);
    else
        enqueue(s, n);
}

static int actions_for(const pf_world *w, uint8_t *actions) {
    static const uint8_t walks[] = {RUN_RIGHT, PF_RIGHT, 0, PF_LEFT, RUN_LEFT};
    const pf_mario *m = &w->mario;
    bool rises = m->may_jump || m->jump_time > 0 || pf_has_elements(w->level);
    int n = 0;
    for (int k = 0; k < (int)sizeof walks; k++) {
        actions[n++] = walks[k];
        if (rises)
            actions[n++] = walks[k] | PF_JUMP;
    }
    if (m->body.on_ground && (m->large || pf_has_elements(w->level))) {
        actions[n++] = PF_DOWN;
        actions[n++] = PF_DOWN | PF_RIGHT | PF_JUMP;
    } else if (pf_elements_of(w)->climbing) {
        actions[n++] = PF_DOWN;
    }
    if (m->body.on_ground && pf_count_platforms(w->level))
        actions[n++] = WAIT;
    return n;
}

static void expand(search *s, uint32_t item) {
    uint8_t actions[16];
    uint32_t kept = s->nodes[item].kept;
    s->nodes[item].kept = 0;
    if (!sv_recall(&s->arena, s->work, kept)) {
        s->failed = true;
        return;
    }
    int n = actions_for(s->work->world, actions);
    for (int k = 0; k < n && s->goal == NO_NODE && !s->failed; k++)
        try_action(s, item, kept, actions[k]);
    sv_forget(&s->arena, kept);
}

/* ---- the loop ------------------------------------------------------------------------------- */

static uint32_t next_node(search *s, int turn) {
    if (turn % s->how->elsewhere == s->how->elsewhere - 1) {
        uint32_t item = area_take(s);
        if (item != NO_NODE)
            return item;
    }
    while (s->queue.n) {
        uint32_t item = sv_queue_pop(&s->queue);
        if (s->nodes[item].kept)
            return item;
    }
    return NO_NODE;
}

static bool begin(search *s) {
    const pf_level *level = s->root->level;
    s->areas_wide = level->width * 16 / AREA + 1;
    s->areas_high = level->height * 16 / AREA + 3;
    s->n_areas = s->areas_wide * s->areas_high * s->plan->n_stages;
    s->areas = calloc((size_t)s->n_areas, sizeof *s->areas);
    s->busy = malloc((size_t)s->n_areas * sizeof *s->busy);
    s->random = SEED;
    s->goal = NO_NODE;
    sv_arena_begin(&s->arena, MEMORY);
    return sv_seen_begin(&s->seen) && s->areas && s->busy;
}

static void end(search *s) {
    for (int k = 0; s->areas && k < s->n_areas; k++)
        free(s->areas[k].nodes);
    free(s->areas);
    free(s->busy);
    free(s->nodes);
    free(s->queue.entries);
    sv_seen_end(&s->seen);
    sv_arena_end(&s->arena);
}

static bool write_actions(const search *s, sv_verdict *verdict) {
    int n = s->nodes[s->goal].ticks;
    verdict->actions = malloc((size_t)n + 1);
    if (!verdict->actions)
        return false;
    verdict->n_actions = n;
    for (uint32_t item = s->goal; s->nodes[item].parent != NO_NODE; item = s->nodes[item].parent) {
        n -= s->nodes[item].held;
        memset(verdict->actions + n, s->nodes[item].action, s->nodes[item].held);
    }
    verdict->outcome = SV_SOLVED;
    return true;
}

static bool run(search *s, sv_verdict *verdict) {
    node root = {.parent = NO_NODE};
    enqueue(s, root);
    for (int turn = 0; !s->failed && s->goal == NO_NODE && s->made < s->budget; turn++) {
        uint32_t item = next_node(s, turn);
        if (item == NO_NODE)
            break;
        expand(s, item);
    }
    verdict->nodes += s->made;
    return !s->failed && (s->goal == NO_NODE || write_actions(s, verdict));
}

/* Searches in one style from the root, for so many nodes. */
static bool try_style(const pf_world *root, const sv_plan *plan, const sv_field *field,
                      const style *how, int64_t budget, sv_verdict *verdict) {
    sv_work work;
    search s = {.root = root, .plan = plan, .field = field, .how = how, .work = &work,
                .budget = budget};
    bool good = sv_work_begin(&work, root) && begin(&s) && run(&s, verdict);
    end(&s);
    sv_work_end(&work);
    return good;
}

/* Looks for a proof that nobody can win. */
static bool prove(const pf_world *root, sv_verdict *verdict) {
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
static bool solve(const pf_world *root, const sv_plan *plan, const sv_field *field, int64_t budget,
                  sv_verdict *verdict) {
    int64_t slice = SLICE;
    int at_an_end = 0; /* styles in a row that had nothing left to try */
    for (int turn = 0; at_an_end < N_STYLES && verdict->nodes < budget; turn++) {
        int64_t left = budget - verdict->nodes, before = verdict->nodes;
        left = left < slice ? left : slice;
        if (!try_style(root, plan, field, &styles[turn % N_STYLES], left, verdict))
            return false;
        if (verdict->outcome == SV_UNKNOWN && turn == 0 && !prove(root, verdict))
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
    bool good = plan && sv_plan_begin(plan, root);
    if (good)
        good = sv_field_begin(&field, plan, root) && solve(root, plan, &field, budget, verdict);
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
