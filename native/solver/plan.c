/* Stages of a level and the steps between them. */
#include "solver/plan.h"

#include "solver/ground.h"

#include <stdlib.h>
#include <string.h>

static bool has_bit(uint64_t stage, int bit) { return stage >> bit & 1; }
static uint64_t with_bit(uint64_t stage, int bit) { return stage | (uint64_t)1 << bit; }
static int count_tiles(const sv_plan *plan) { return plan->level->width * plan->level->height; }

/* ---- what there is -------------------------------------------------------------------------- */

/* The four places around one, -1 for those outside. */
static void places_around(const sv_plan *plan, int place, int *around) {
    int height = plan->level->height, row = place % height;
    around[0] = row > 0 ? place - 1 : -1;
    around[1] = row < height - 1 ? place + 1 : -1;
    around[2] = place - height; /* negative if outside */
    around[3] = place + height < count_tiles(plan) ? place + height : -1;
}

/* Gives a number to all of a lock that hangs together. */
static void fill_lock(sv_plan *plan, int place, int lock, int *stack) {
    const uint8_t *tiles = plan->root_tiles;
    int n = 0, around[4];
    plan->lock_of[place] = (int8_t)lock;
    stack[n++] = place;
    while (n) {
        places_around(plan, stack[--n], around);
        for (int k = 0; k < 4; k++) {
            int next = around[k];
            if (next < 0 || tiles[next] != tiles[place] || plan->lock_of[next] >= 0)
                continue;
            plan->lock_of[next] = (int8_t)lock;
            stack[n++] = next;
        }
    }
}

static void note_tile(sv_plan *plan, int place, int *stack) {
    int tile = plan->root_tiles[place], key = sv_colour(tile, PF_KEY), lock = sv_colour(tile, PF_LOCK);
    if (key >= 0 && plan->n_keys < PLAN_KEYS) {
        plan->key_colour[plan->n_keys] = (int8_t)key;
        plan->key_at[plan->n_keys++] = place;
    }
    if (lock >= 0 && plan->lock_of[place] < 0 && plan->n_locks < PLAN_LOCKS) {
        plan->lock_colour[plan->n_locks] = (int8_t)lock;
        plan->lock_at[plan->n_locks] = place;
        fill_lock(plan, place, plan->n_locks++, stack);
    }
    for (int colour = 0; colour < PF_COLOURS; colour++)
        if (tile == PF_DOOR_CLOSED + colour || tile == PF_DOOR_OPEN + colour)
            plan->door_at[colour] = place;
}

/* Size matters if there are bricks to break and Mario is or can become large. */
static bool size_matters(const sv_plan *plan, const pf_world *root) {
    unsigned ground = root->mario.large ? GROUND_POWER : 0;
    for (int k = 0; k < count_tiles(plan); k++)
        ground |= sv_ground(plan->root_tiles[k]);
    return ground & GROUND_POWER && ground & GROUND_BRICK;
}

/* ---- triggers ------------------------------------------------------------------------------- */

static bool add_trigger(sv_plan *plan, int place, int what, int item) {
    if (plan->n_triggers == plan->trigger_capacity) {
        int capacity = plan->trigger_capacity ? 2 * plan->trigger_capacity : 64;
        plan_trigger *triggers = realloc(plan->triggers, (size_t)capacity * sizeof *triggers);
        if (!triggers)
            return false;
        plan->triggers = triggers;
        plan->trigger_capacity = capacity;
    }
    plan->triggers[plan->n_triggers++] = (plan_trigger){place, (uint8_t)what, (int8_t)item};
    return true;
}

static int key_number(const sv_plan *plan, int place) {
    for (int k = 0; k < plan->n_keys; k++)
        if (plan->key_at[k] == place)
            return k;
    return -1;
}

/* What can be done with feet in this cell. */
static bool add_triggers(sv_plan *plan, int place) {
    const uint8_t *tiles = plan->root_tiles;
    int tile = tiles[place], key = key_number(plan, place), around[4], lock_before = -1;
    bool good = key < 0 || add_trigger(plan, place, STEP_KEY, key);
    places_around(plan, place, around);
    for (int colour = 0; colour < PF_COLOURS; colour++)
        if ((tile == PF_SWITCH + colour || tile == PF_SWITCH_PRESSED + colour)
            && plan->door_at[colour] >= 0)
            good &= add_trigger(plan, place, STEP_SWITCH, colour);
    for (int k = 0; k < 4; k++) {
        int lock = around[k] >= 0 ? plan->lock_of[around[k]] : -1;
        if (lock >= 0 && lock != lock_before && plan->lock_of[place] != lock)
            good &= add_trigger(plan, place, STEP_LOCK, lock);
        lock_before = lock;
    }
    if (plan->size_matters && around[0] >= 0 && sv_ground(tiles[around[0]]) & GROUND_POWER)
        good &= add_trigger(plan, place, STEP_GROW, 0);
    return good;
}

int sv_plan_trigger(const sv_plan *plan, int place) {
    int first = 0, last = plan->n_triggers;
    while (first < last) {
        int middle = (first + last) / 2;
        if (plan->triggers[middle].place < place)
            first = middle + 1;
        else
            last = middle;
    }
    return first < plan->n_triggers && plan->triggers[first].place == place ? first : plan->n_triggers;
}

/* ---- stages --------------------------------------------------------------------------------- */

static int keys_held(const sv_plan *plan, uint64_t stage, int colour) {
    int held = plan->keys_at_start[colour];
    for (int k = 0; k < plan->n_keys; k++)
        held += plan->key_colour[k] == colour && has_bit(stage, STAGE_KEY + k);
    for (int k = 0; k < plan->n_locks; k++)
        held -= plan->lock_colour[k] == colour && has_bit(stage, STAGE_LOCK + k);
    return held;
}

static int stage_number(const sv_plan *plan, uint64_t stage) {
    for (int k = 0; k < plan->n_stages; k++)
        if (plan->stages[k] == stage)
            return k;
    return -1;
}

static int add_stage(sv_plan *plan, uint64_t stage) {
    int number = stage_number(plan, stage);
    if (number < 0 && plan->n_stages < PLAN_STAGES) {
        number = plan->n_stages++;
        plan->stages[number] = stage;
    }
    return number;
}

/* The stage that a trigger leads to, or the same one if it does nothing. */
static uint64_t stage_after(const sv_plan *plan, uint64_t stage, const plan_trigger *t) {
    switch (t->what) {
    case STEP_KEY: return with_bit(stage, STAGE_KEY + t->item);
    case STEP_SWITCH: return stage ^ (uint64_t)1 << (STAGE_DOOR + t->item);
    case STEP_GROW: return with_bit(stage, STAGE_LARGE);
    default: break;
    }
    bool opens = keys_held(plan, stage, plan->lock_colour[t->item]) > 0;
    return opens ? with_bit(stage, STAGE_LOCK + t->item) : stage;
}

static void add_step(sv_plan *plan, int from, int to, const plan_trigger *t) {
    for (int k = 0; k < plan->n_steps; k++) {
        const plan_step *s = &plan->steps[k];
        if (s->from == from && s->to == to && s->what == t->what && s->item == t->item)
            return;
    }
    if (plan->n_steps < PLAN_STEPS)
        plan->steps[plan->n_steps++] = (plan_step){from, to, t->what, t->item};
}

/* Finds the stages: in each, flies about from where it was entered, as far as no wall is in the way.
 * Nobody is expected to get over a wall that ends at the top of the level. */
typedef struct {
    sv_plan *plan;
    uint8_t *flown; /* by stage and place */
    int *stack;
    int32_t (*entries)[2]; /* stage and place, still to be looked at */
    int n_entries, capacity;
} finder;

static bool add_entry(finder *f, int stage, int place) {
    if (f->n_entries == f->capacity) {
        int capacity = f->capacity ? 2 * f->capacity : 64;
        int32_t(*entries)[2] = realloc(f->entries, (size_t)capacity * sizeof *entries);
        if (!entries)
            return false;
        f->entries = entries;
        f->capacity = capacity;
    }
    f->entries[f->n_entries][0] = stage;
    f->entries[f->n_entries++][1] = place;
    return true;
}

static bool is_open(const sv_plan *plan, int stage, int place) {
    unsigned ground = sv_ground(sv_plan_tile(plan, stage, place));
    return !(ground & GROUND_WALL) || ground & GROUND_BRICK;
}

static bool make_steps(finder *f, int stage, int place) {
    sv_plan *plan = f->plan;
    for (int k = sv_plan_trigger(plan, place); k < plan->n_triggers && plan->triggers[k].place == place; k++) {
        const plan_trigger *t = &plan->triggers[k];
        uint64_t after = stage_after(plan, plan->stages[stage], t);
        int to = after != plan->stages[stage] ? add_stage(plan, after) : -1;
        if (to < 0)
            continue;
        add_step(plan, stage, to, t);
        if (!add_entry(f, to, place))
            return false;
    }
    return true;
}

static int push_open(finder *f, int stage, int place, int n) {
    uint8_t *flown = f->flown + (size_t)stage * (size_t)count_tiles(f->plan);
    if (place < 0 || flown[place] || !is_open(f->plan, stage, place))
        return n;
    flown[place] = 1;
    f->stack[n++] = place;
    return n;
}

static bool fly(finder *f, int stage, int place) {
    const sv_plan *plan = f->plan;
    int n = push_open(f, stage, place, 0), around[4];
    while (n) {
        int here = f->stack[--n];
        if (!make_steps(f, stage, here))
            return false;
        places_around(plan, here, around);
        for (int k = 0; k < 4; k++)
            n = push_open(f, stage, around[k], n);
    }
    return true;
}

static int place_of_mario(const pf_world *w) {
    int column = (int)(w->mario.body.x / 16), row = (int)(w->mario.body.y / 16);
    column = column < w->level->width ? column : w->level->width - 1;
    row = row < 0 ? 0 : row < w->level->height ? row : w->level->height - 1;
    return column * w->level->height + row;
}

static bool find_stages(sv_plan *plan, const pf_world *root) {
    size_t n = (size_t)count_tiles(plan);
    finder f = {.plan = plan, .flown = calloc(n, PLAN_STAGES), .stack = malloc(n * sizeof *f.stack)};
    bool good = f.flown && f.stack && add_entry(&f, 0, place_of_mario(root));
    for (int k = 0; good && k < f.n_entries; k++)
        good = fly(&f, f.entries[k][0], f.entries[k][1]);
    free(f.flown);
    free(f.stack);
    free(f.entries);
    /* small again by being hurt, which no plan counts on */
    for (int k = plan->n_stages - 1; plan->size_matters && k >= 0; k--)
        add_stage(plan, plan->stages[k] & ~((uint64_t)1 << STAGE_LARGE));
    return good;
}

static bool has_steps(const sv_plan *plan) { return plan->n_triggers > 0; }

static bool read_level(sv_plan *plan, const pf_world *root) {
    size_t n = (size_t)count_tiles(plan);
    int *stack = malloc(n * sizeof *stack);
    plan->lock_of = malloc(n);
    plan->root_tiles = malloc(n);
    bool good = stack && plan->lock_of && plan->root_tiles;
    if (good) {
        for (size_t k = 0; k < n; k++)
            plan->root_tiles[k] = (uint8_t)sv_tile(root->level, pf_tiles(root)[k]);
        memset(plan->lock_of, -1, n);
        for (int k = 0; k < (int)n; k++)
            note_tile(plan, k, stack);
        plan->size_matters = size_matters(plan, root);
        for (int k = 0; good && k < (int)n; k++)
            good = add_triggers(plan, k);
    }
    free(stack);
    return good;
}

bool sv_plan_begin(sv_plan *plan, const pf_world *root) {
    memset(plan, 0, sizeof *plan);
    plan->level = root->level;
    memset(plan->door_at, -1, sizeof plan->door_at);
    memcpy(plan->keys_at_start, pf_elements_of(root)->keys, sizeof plan->keys_at_start);
    if (!read_level(plan, root))
        return false;
    bool large = plan->size_matters && root->mario.large;
    add_stage(plan, large ? with_bit(0, STAGE_LARGE) : 0);
    return !has_steps(plan) || find_stages(plan, root);
}

void sv_plan_end(sv_plan *plan) {
    free(plan->lock_of);
    free(plan->root_tiles);
    free(plan->triggers);
}

/* ---- worlds and stages ---------------------------------------------------------------------- */

int sv_plan_stage(const sv_plan *plan, const pf_world *world) {
    const uint8_t *tiles = pf_tiles(world), *before = plan->root_tiles; /* maps have no keys, locks and doors */
    uint64_t stage = 0;
    if (plan->n_stages == 1)
        return 0;
    for (int k = 0; k < plan->n_keys; k++)
        if (tiles[plan->key_at[k]] != before[plan->key_at[k]])
            stage = with_bit(stage, STAGE_KEY + k);
    for (int k = 0; k < plan->n_locks; k++)
        if (tiles[plan->lock_at[k]] != before[plan->lock_at[k]])
            stage = with_bit(stage, STAGE_LOCK + k);
    for (int colour = 0; colour < PF_COLOURS; colour++) {
        int at = plan->door_at[colour];
        if (at >= 0 && tiles[at] != before[at])
            stage = with_bit(stage, STAGE_DOOR + colour);
    }
    if (plan->size_matters && world->mario.large)
        stage = with_bit(stage, STAGE_LARGE);
    int number = stage_number(plan, stage);
    return number < 0 ? 0 : number;
}

int sv_plan_tile(const sv_plan *plan, int stage, int place) {
    int tile = plan->root_tiles[place], lock = plan->lock_of[place];
    uint64_t bits = plan->stages[stage];
    if (tile < PF_LOCK)
        return tile;
    if (lock >= 0 && has_bit(bits, STAGE_LOCK + lock))
        return 0;
    for (int colour = 0; colour < PF_COLOURS; colour++)
        if (has_bit(bits, STAGE_DOOR + colour)) {
            if (tile == PF_DOOR_CLOSED + colour)
                return PF_DOOR_OPEN + colour;
            if (tile == PF_DOOR_OPEN + colour)
                return PF_DOOR_CLOSED + colour;
        }
    return tile;
}
