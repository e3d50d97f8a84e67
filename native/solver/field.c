/* The distance field, from the exit backwards. */
#include "solver/field.h"

#include "solver/ground.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 24000000, RING = 512 };

/* What it costs, in phases. */
enum {
    TOLL_BRICK_LARGE = 8,
    TOLL_BRICK = 90,
    TOLL_CLOSED = 220,
    TOLL_LOW = 4,
    TOLL_BOUNCE_NEAR = 40,
    TOLL_BOUNCE = 150,
    TOLL_GROW = 30,
    TOLL_CLIMB = 3
};

enum { CELL_OPEN = 1, CELL_STAND = 2, CELL_LADDER = 4, CELL_TRIGGER = 8 };

typedef struct {
    uint32_t *items;
    int n, capacity;
} bucket;

typedef struct {
    sv_field *field;
    const pf_world *root;
    uint8_t *cells; /* by stage and cell: CELL_* */
    uint8_t *tolls; /* by stage and cell: phases that entering costs */
    int16_t *bounce; /* by column: the highest row with creatures to bounce off */
    bucket ring[RING];
    int pending;
    bool failed;
} builder;

/* ---- phases --------------------------------------------------------------------------------- */

static float height_at(const sv_arc *arc, float tick) {
    int before = (int)tick;
    if (before >= arc->length - 1)
        return arc->height[arc->length - 1];
    float part = tick - (float)before;
    return arc->height[before] + part * (arc->height[before + 1] - arc->height[before]);
}

static int rows_between(const sv_arc *arc, float from, float to) {
    float high = height_at(arc, to) / 16 + 1000.5f, low = height_at(arc, from) / 16 + 1000.5f;
    return (int)high - (int)low;
}

/* A phase takes as long as a tile at a brisk run; the last one repeats for the rest of a fall. */
static void set_phases(sv_field *field, const pf_physics *physics) {
    enum { MOST_RISING = 12, FALLING = 6 };
    sv_arc arc;
    sv_jump_arc(&arc, physics, physics->jump_ticks, true);
    float ticks = 16 / (0.93f * sv_top_speed(physics)), top = (float)arc.top;
    ticks = ticks < 1 ? 1 : ticks;
    ticks = ticks * MOST_RISING < top ? top / MOST_RISING : ticks;
    field->ticks = ticks;
    field->jump_ticks = physics->jump_ticks;
    field->apex = (int)(top / ticks + 0.5f);
    field->n_phases = field->apex + 1 + FALLING;
    for (int p = 1; p < field->n_phases; p++) {
        int rows = rows_between(&arc, (float)(p - 1) * ticks, (float)p * ticks);
        int tick = (int)((float)p * ticks);
        field->rise[p] = p <= field->apex ? (rows > 0 ? rows : 0) : (rows < 0 ? -rows : 0);
        field->fall_speed[p] = tick < arc.length ? -arc.speed[tick] : 20;
    }
    float fastest = -arc.speed[arc.length - 1] * ticks / 16;
    field->rise[field->n_phases - 1] = fastest > 1 ? (int)(fastest + 0.5f) : 1;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static int n_cells(const sv_field *field) { return field->width * field->rows; }
static int cell_at(const sv_field *field, int column, int row) {
    return column * field->rows + row + FIELD_SKY;
}
static bool is_inside(const sv_field *field, int column, int row) {
    return column >= 0 && column < field->width && row >= -FIELD_SKY
           && row < field->height + FIELD_BELOW;
}

static int tile_at(const builder *b, int stage, int column, int row) {
    const sv_field *field = b->field;
    if (column < 0 || column >= field->width || row < 0 || row >= field->height)
        return 0;
    return sv_plan_tile(field->plan, stage, column * field->height + row);
}

static bool is_large(const builder *b, int stage) {
    const sv_plan *plan = b->field->plan;
    return plan->size_matters ? plan->stages[stage] >> STAGE_LARGE & 1 : b->root->mario.large;
}

static bool is_closed(int tile) {
    return sv_colour(tile, PF_LOCK) >= 0 || sv_colour(tile, PF_DOOR_CLOSED) >= 0;
}

static int toll_of(const builder *b, int stage, int tile) {
    if (is_closed(tile))
        return TOLL_CLOSED;
    if (sv_ground(tile) & GROUND_BRICK)
        return is_large(b, stage) ? TOLL_BRICK_LARGE : TOLL_BRICK;
    return 0;
}

static void set_cell(builder *b, int stage, int column, int row) {
    int tile = tile_at(b, stage, column, row), below = tile_at(b, stage, column, row + 1);
    size_t at = (size_t)stage * (size_t)n_cells(b->field) + (size_t)cell_at(b->field, column, row);
    int toll = toll_of(b, stage, tile);
    unsigned ground = sv_ground(tile), cell = 0;
    if (!(ground & GROUND_WALL) || toll)
        cell |= CELL_OPEN;
    if (cell && sv_ground(below) & (GROUND_FLOOR | GROUND_HIDDEN))
        cell |= CELL_STAND;
    if (cell && ground & GROUND_LADDER)
        cell |= CELL_LADDER | CELL_STAND;
    if (is_large(b, stage) && sv_ground(tile_at(b, stage, column, row - 1)) & GROUND_WALL)
        toll += TOLL_LOW;
    b->cells[at] = (uint8_t)cell;
    b->tolls[at] = (uint8_t)(toll < 255 ? toll : 255);
}

static void mark_cell(builder *b, int stage, int column, int row, unsigned mark) {
    if (!is_inside(b->field, column, row))
        return;
    size_t at = (size_t)stage * (size_t)n_cells(b->field) + (size_t)cell_at(b->field, column, row);
    if (b->cells[at] & CELL_OPEN)
        b->cells[at] |= (uint8_t)mark;
}

static void set_platform(builder *b, int stage, const pf_platform *p) {
    int last_x = p->x + p->dx * p->way + p->width - 1, last_y = p->y + p->dy * p->way;
    for (int column = p->x / 16; column <= last_x / 16; column++)
        for (int row = p->y / 16 - 1; row <= last_y / 16 - 1; row++)
            mark_cell(b, stage, column, row, CELL_STAND);
}

static void set_stage(builder *b, int stage) {
    const sv_field *field = b->field;
    const pf_level *level = b->root->level;
    for (int column = 0; column < field->width; column++)
        for (int row = -FIELD_SKY; row < field->height + FIELD_BELOW; row++)
            set_cell(b, stage, column, row);
    for (int k = 0; k < pf_count_platforms(level); k++)
        set_platform(b, stage, pf_platforms(level) + k);
    for (int k = 0; k < field->plan->n_triggers; k++) {
        int place = field->plan->triggers[k].place;
        mark_cell(b, stage, place / field->height, place % field->height, CELL_TRIGGER);
    }
}

/* Creatures come down from where they are made; winged ones also hop. */
static void set_bounces(builder *b) {
    const pf_level *level = b->root->level;
    enum { AROUND = 5, HOP = 5 };
    for (int i = 0; i < level->width; i++)
        b->bounce[i] = PF_MAX_HEIGHT;
    for (int k = 0; k < level->n_templates; k++) {
        const pf_template *t = pf_templates(level) + k;
        int16_t row = (int16_t)(t->row - (t->kind % 2 ? HOP : 1));
        for (int i = t->column - AROUND; sv_is_stompable(t->kind) && i <= t->column + AROUND; i++)
            if (i >= 0 && i < level->width && row < b->bounce[i])
                b->bounce[i] = row;
    }
}

static int toll_of_bounce(const builder *b, int column, int row) {
    return row >= b->bounce[column] ? TOLL_BOUNCE_NEAR : TOLL_BOUNCE;
}

/* ---- backwards from the exit ---------------------------------------------------------------- */

static size_t state_of(const sv_field *field, int stage, int cell, int phase) {
    return ((size_t)stage * (size_t)n_cells(field) + (size_t)cell) * (size_t)field->n_phases
           + (size_t)phase;
}

static void push(builder *b, uint32_t state, int cost) {
    bucket *to = &b->ring[cost % RING];
    if (to->n == to->capacity) {
        int capacity = to->capacity ? 2 * to->capacity : 256;
        uint32_t *items = realloc(to->items, (size_t)capacity * sizeof *items);
        if (!items) {
            b->failed = true;
            return;
        }
        to->items = items;
        to->capacity = capacity;
    }
    to->items[to->n++] = state;
    b->pending++;
}

static void relax(builder *b, int stage, int cell, int phase, int cost) {
    size_t state = state_of(b->field, stage, cell, phase);
    if (cost >= b->field->cost[state])
        return;
    b->field->cost[state] = (uint16_t)cost;
    push(b, (uint32_t)state, cost);
}

/* A state that is settled, and what the moves into it look like. */
typedef struct {
    int stage, cell, column, row, phase, cost;
    const uint8_t *cells; /* of the stage */
    int toll;
} settled;

static bool is_open(const builder *b, const settled *s, int column, int row) {
    return is_inside(b->field, column, row) && s->cells[cell_at(b->field, column, row)] & CELL_OPEN;
}

static bool column_is_open(const builder *b, const settled *s, int column, int first, int last) {
    for (int row = first; row <= last; row++)
        if (!is_open(b, s, column, row))
            return false;
    return true;
}

/* Whether he can come from (column, row) to the settled cell: first along one axis, then the other. */
static bool is_way(const builder *b, const settled *s, int column, int row) {
    int first = row < s->row ? row : s->row, last = row < s->row ? s->row : row;
    if (!is_open(b, s, column, row))
        return false;
    return column_is_open(b, s, column, first, last) || column_is_open(b, s, s->column, first, last);
}

/* He comes in a phase, from so many rows above, at most one column aside. */
static void come_from(builder *b, const settled *s, int above, int phase) {
    for (int aside = -1; aside <= 1; aside++) {
        int column = s->column + aside, row = s->row - above;
        if (!is_way(b, s, column, row))
            continue;
        int cell = cell_at(b->field, column, row);
        unsigned kind = s->cells[cell];
        if (phase == 0 && (!(kind & CELL_STAND) || kind & CELL_LADDER))
            continue;
        relax(b, s->stage, cell, phase, s->cost + 1 + (aside || above ? s->toll : 0));
    }
}

static void walk_from(builder *b, const settled *s, int column) {
    if (!is_open(b, s, column, s->row))
        return;
    int cell = cell_at(b->field, column, s->row);
    if (s->cells[cell] & CELL_STAND)
        relax(b, s->stage, cell, 0, s->cost + 1 + s->toll);
}

static void climb_from(builder *b, const settled *s) {
    unsigned here = s->cells[s->cell];
    bool to_ladder = here & CELL_LADDER;
    for (int below = -1; below <= 1; below += 2) {
        int row = s->row + below;
        if (!is_open(b, s, s->column, row))
            continue;
        int cell = cell_at(b->field, s->column, row);
        if ((below > 0 ? s->cells[cell] & CELL_LADDER : to_ladder) && s->cells[cell] & CELL_STAND)
            relax(b, s->stage, cell, 0, s->cost + TOLL_CLIMB + s->toll);
    }
}

/* He lands here, or holds on to a ladder. */
static void settle_ground(builder *b, const settled *s) {
    const sv_field *field = b->field;
    int last = field->n_phases - 1;
    bool ladder = s->cells[s->cell] & CELL_LADDER;
    for (int phase = ladder ? 1 : field->apex; phase <= last; phase++)
        if (phase > 0)
            relax(b, s->stage, s->cell, phase, s->cost);
    for (int phase = field->apex + 1; phase <= last; phase++)
        for (int above = 1; above < field->rise[phase]; above++) {
            if (phase - 1 > 0)
                come_from(b, s, above, phase - 1);
            if (phase == last)
                come_from(b, s, above, last);
        }
    walk_from(b, s, s->column - 1);
    walk_from(b, s, s->column + 1);
    if (pf_has_elements(b->root->level))
        climb_from(b, s);
}

static void settle_rising(builder *b, const settled *s) {
    const sv_field *field = b->field;
    for (int below = 0; below <= field->rise[s->phase]; below++)
        come_from(b, s, -below, s->phase - 1);
    if (s->phase == 1)
        for (int phase = field->apex; phase < field->n_phases; phase++)
            relax(b, s->stage, s->cell, phase, s->cost + toll_of_bounce(b, s->column, s->row));
    if (s->phase == field->apex)
        for (int phase = 1; phase < field->apex; phase++)
            relax(b, s->stage, s->cell, phase, s->cost);
}

static void settle_falling(builder *b, const settled *s) {
    const sv_field *field = b->field;
    int above = field->rise[s->phase];
    if (s->phase > 1)
        come_from(b, s, above, s->phase - 1);
    if (s->phase == field->n_phases - 1)
        come_from(b, s, above, s->phase);
    if (s->phase == field->apex + 1) {
        walk_from(b, s, s->column - 1);
        walk_from(b, s, s->column + 1);
    }
}

/* Whoever makes a step in this cell has come from another stage. */
static void settle_steps(builder *b, const settled *s) {
    const sv_plan *plan = b->field->plan;
    int place = s->column * b->field->height + s->row;
    for (int k = 0; k < plan->n_steps; k++) {
        const plan_step *step = &plan->steps[k];
        for (int t = step->to == s->stage ? sv_plan_trigger(plan, place) : plan->n_triggers;
             t < plan->n_triggers && plan->triggers[t].place == place; t++)
            if (plan->triggers[t].what == step->what && plan->triggers[t].item == step->item)
                relax(b, step->from, s->cell, s->phase,
                      s->cost + (step->what == STEP_GROW ? TOLL_GROW : 1));
    }
}

static void settle(builder *b, uint32_t state, int cost) {
    const sv_field *field = b->field;
    int cells = n_cells(field), at = (int)(state / (uint32_t)field->n_phases);
    settled s = {.stage = at / cells, .cell = at % cells, .phase = (int)(state % (uint32_t)field->n_phases),
                 .cost = cost};
    s.cells = b->cells + (size_t)s.stage * (size_t)cells;
    s.toll = b->tolls[at];
    s.column = s.cell / field->rows;
    s.row = s.cell % field->rows - FIELD_SKY;
    if (s.phase == 0)
        settle_ground(b, &s);
    else if (s.phase <= field->apex)
        settle_rising(b, &s);
    else
        settle_falling(b, &s);
    if (s.cells[s.cell] & CELL_TRIGGER)
        settle_steps(b, &s);
}

static void start_at_exit(builder *b) {
    const sv_field *field = b->field;
    for (int stage = 0; stage < field->plan->n_stages; stage++)
        for (int row = -FIELD_SKY; row < field->height + FIELD_BELOW; row++) {
            int cell = cell_at(field, field->exit_x, row);
            if (b->cells[(size_t)stage * (size_t)n_cells(field) + (size_t)cell] & CELL_OPEN)
                for (int phase = 0; phase < field->n_phases; phase++)
                    relax(b, stage, cell, phase, 0);
        }
}

static void spread(builder *b) {
    for (int cost = 0; b->pending && !b->failed && cost < FIELD_FAR - RING; cost++) {
        bucket *now = &b->ring[cost % RING];
        for (int k = 0; k < now->n; k++) {
            uint32_t state = now->items[k];
            b->pending--;
            if (b->field->cost[state] == cost)
                settle(b, state, cost);
        }
        now->n = 0;
    }
}

static bool build(builder *b) {
    const sv_field *field = b->field;
    size_t cells = (size_t)field->plan->n_stages * (size_t)n_cells(field);
    b->cells = calloc(cells, 1);
    b->tolls = calloc(cells, 1);
    b->bounce = malloc((size_t)field->width * sizeof *b->bounce);
    if (b->cells && b->tolls && b->bounce) {
        set_bounces(b);
        for (int stage = 0; stage < field->plan->n_stages; stage++)
            set_stage(b, stage);
        start_at_exit(b);
        spread(b);
    } else {
        b->failed = true;
    }
    for (int k = 0; k < RING; k++)
        free(b->ring[k].items);
    free(b->cells);
    free(b->tolls);
    free(b->bounce);
    return !b->failed;
}

bool sv_field_begin(sv_field *field, const sv_plan *plan, const pf_world *root) {
    const pf_level *level = root->level;
    *field = (sv_field){.plan = plan, .width = level->width, .height = level->height,
                        .rows = FIELD_SKY + level->height + FIELD_BELOW, .exit_x = level->exit_x};
    set_phases(field, &root->physics);
    size_t states = (size_t)plan->n_stages * (size_t)n_cells(field) * (size_t)field->n_phases;
    if (states > MOST_STATES)
        return true;
    field->cost = malloc(states * sizeof *field->cost);
    if (!field->cost)
        return false;
    memset(field->cost, 0xff, states * sizeof *field->cost);
    builder *b = calloc(1, sizeof *b);
    if (!b)
        return false;
    b->field = field;
    b->root = root;
    bool good = build(b);
    free(b);
    return good;
}

void sv_field_end(sv_field *field) { free(field->cost); }

/* ---- reading it ----------------------------------------------------------------------------- */

static int phase_of(const sv_field *field, const pf_world *w) {
    const pf_mario *m = &w->mario;
    if (m->body.on_ground || pf_elements_of(w)->climbing)
        return 0;
    if (m->jump_time > 0 && field->apex > 0) {
        int phase = (int)((float)(field->jump_ticks - m->jump_time + 1) / field->ticks + 0.5f);
        return phase < 1 ? 1 : phase < field->apex ? phase : field->apex;
    }
    int phase = field->apex > 0 ? field->apex : 1;
    while (phase + 1 < field->n_phases && field->fall_speed[phase + 1] <= m->body.vy)
        phase++;
    return phase;
}

static int cost_at(const sv_field *field, int stage, int column, int row, int phase) {
    if (column < 0 || column >= field->width)
        return FIELD_FAR;
    return field->cost[state_of(field, stage, cell_at(field, column, row), phase)];
}

/* Who stands on the edge of a tile has his feet in the cell beside it. */
static int cost_on_edge(const sv_field *field, int stage, int column, int row, int phase) {
    int cost = cost_at(field, stage, column, row, phase);
    if (cost != FIELD_FAR || phase)
        return cost;
    int left = cost_at(field, stage, column - 1, row, 0), right = cost_at(field, stage, column + 1, row, 0);
    int falling = cost_at(field, stage, column, row, field->apex + 1);
    cost = left < right ? left : right;
    return cost < falling ? cost : falling;
}

static float near(float value, float most) {
    return value > most ? most : value < -most ? -most : value;
}

int sv_field_distance(const sv_field *field, const pf_world *world, int stage) {
    const pf_mario *m = &world->mario;
    enum { OFF_THE_MAP = 3000 * FIELD_TICK };
    if (!field->cost)
        return (int)((float)(16 * field->exit_x) - m->body.x) * 2;
    int column = (int)(m->body.x * 0.0625f), phase = phase_of(field, world);
    int row = (int)(m->body.y * 0.0625f + 64) - 64, lowest = field->height + FIELD_BELOW - 1;
    row = row < -FIELD_SKY ? -FIELD_SKY : row > lowest ? lowest : row;
    column = column < field->width ? column : field->width - 1;
    int here = cost_on_edge(field, stage, column, row, phase);
    if (here == FIELD_FAR)
        return OFF_THE_MAP;
    float part = m->body.x * 0.0625f - (float)column - 0.5f, cost = (float)here;
    int left = cost_on_edge(field, stage, column - 1, row, phase);
    int right = cost_on_edge(field, stage, column + 1, row, phase);
    int beside = part > 0 ? right : left;
    if (beside != FIELD_FAR)
        cost += near((float)(beside - here), 4) * (part > 0 ? part : -part);
    float ticks = cost * field->ticks;
    if (left != FIELD_FAR && right != FIELD_FAR)
        ticks -= near((float)(left - right), 2) * 0.5f * m->body.vx * (1 / 1.2f) * 0.5f;
    return (int)(ticks * FIELD_TICK);
}
