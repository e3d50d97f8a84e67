/* The costs of a field, from the exit backwards: the cheapest state is settled first. */
#include "solver/field_builder.h"

#include <stdlib.h>

/* What moves cost on top of their time, in phases. */
enum { TOLL_BOUNCE_NEAR = 40, TOLL_BOUNCE = 150, TOLL_GROW = 30, TOLL_CLIMB = 3 };

static int toll_of_bounce(const sv_field_builder *b, int column, int row) {
    return row >= b->bounce[column] ? TOLL_BOUNCE_NEAR : TOLL_BOUNCE;
}

static void push(sv_field_builder *b, uint32_t state, int cost) {
    sv_bucket *to = &b->ring[cost % FIELD_RING];
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

/* Notes a cheaper way from a state; `at` counts cells through all stages. */
static void relax(sv_field_builder *b, int at, int phase, int cost) {
    size_t state = (size_t)at * (size_t)b->field->n_phases + (size_t)phase;
    if (cost >= b->field->cost[state])
        return;
    b->field->cost[state] = (uint16_t)cost;
    push(b, (uint32_t)state, cost);
}

/* A state that is settled, and what the moves into it look like. */
typedef struct {
    const uint8_t *cells; /* of the stage */
    int stage, phase, cost, toll;
    int first; /* cell of the stage, counted through all stages */
    int cell, column, row;
} settled_state;

/* ---- moves into a settled state ------------------------------------------------------------- */

static bool is_open(const sv_field_builder *b, const settled_state *s, int column, int row) {
    return is_inside(b->field, column, row) && s->cells[cell_at(b->field, column, row)] & CELL_OPEN;
}

static bool column_is_open(const sv_field_builder *b, const settled_state *s, int column, int first,
                           int last) {
    for (int row = first; row <= last; row++)
        if (!is_open(b, s, column, row))
            return false;
    return true;
}

/* Whether he can come from (column, row) to the settled cell: first along one axis, then the other. */
static bool is_way(const sv_field_builder *b, const settled_state *s, int column, int row) {
    int first = row < s->row ? row : s->row, last = row < s->row ? s->row : row;
    if (!is_open(b, s, column, row))
        return false;
    return column_is_open(b, s, column, first, last) || column_is_open(b, s, s->column, first, last);
}

/* He comes in a phase, from so many rows above, at most one column aside. */
static void come_from(sv_field_builder *b, const settled_state *s, int above, int phase) {
    for (int aside = -1; aside <= 1; aside++) {
        int column = s->column + aside, row = s->row - above;
        if (!is_way(b, s, column, row))
            continue;
        int cell = cell_at(b->field, column, row);
        unsigned kind = s->cells[cell];
        if (phase == 0 && (!(kind & CELL_STAND) || kind & CELL_LADDER))
            continue;
        relax(b, s->first + cell, phase, s->cost + 1 + (aside || above ? s->toll : 0));
    }
}

static void walk_from(sv_field_builder *b, const settled_state *s, int column) {
    if (!is_open(b, s, column, s->row))
        return;
    int cell = cell_at(b->field, column, s->row);
    if (s->cells[cell] & CELL_STAND)
        relax(b, s->first + cell, 0, s->cost + 1 + s->toll);
}

static void climb_from(sv_field_builder *b, const settled_state *s) {
    unsigned here = s->cells[s->cell];
    bool to_ladder = here & CELL_LADDER;
    for (int below = -1; below <= 1; below += 2) {
        int row = s->row + below;
        if (!is_open(b, s, s->column, row))
            continue;
        int cell = cell_at(b->field, s->column, row);
        if ((below > 0 ? s->cells[cell] & CELL_LADDER : to_ladder) && s->cells[cell] & CELL_STAND)
            relax(b, s->first + cell, 0, s->cost + TOLL_CLIMB + s->toll);
    }
}

/* ---- settling ------------------------------------------------------------------------------- */

/* He lands here, or holds on to a ladder. */
static void settle_ground(sv_field_builder *b, const settled_state *s) {
    const sv_field *field = b->field;
    int last = field->n_phases - 1;
    bool ladder = s->cells[s->cell] & CELL_LADDER;
    for (int phase = ladder ? 1 : field->apex; phase <= last; phase++)
        if (phase > 0)
            relax(b, s->first + s->cell, phase, s->cost);
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

static void settle_rising(sv_field_builder *b, const settled_state *s) {
    const sv_field *field = b->field;
    for (int below = 0; below <= field->rise[s->phase]; below++)
        come_from(b, s, -below, s->phase - 1);
    if (s->phase == 1)
        for (int phase = field->apex; phase < field->n_phases; phase++)
            relax(b, s->first + s->cell, phase, s->cost + toll_of_bounce(b, s->column, s->row));
    if (s->phase == field->apex)
        for (int phase = 1; phase < field->apex; phase++)
            relax(b, s->first + s->cell, phase, s->cost);
}

static void settle_falling(sv_field_builder *b, const settled_state *s) {
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
static void settle_steps(sv_field_builder *b, const settled_state *s) {
    const sv_plan *plan = b->field->plan;
    int place = s->column * b->field->height + s->row;
    for (int k = 0; k < plan->n_steps; k++) {
        const plan_step *step = &plan->steps[k];
        for (int t = step->to == s->stage ? sv_plan_trigger(plan, place) : plan->n_triggers;
             t < plan->n_triggers && plan->triggers[t].place == place; t++)
            if (plan->triggers[t].what == step->what && plan->triggers[t].item == step->item)
                relax(b, step->from * count_cells(b->field) + s->cell, s->phase,
                      s->cost + (step->what == STEP_GROW ? TOLL_GROW : 1));
    }
}

static settled_state describe(const sv_field_builder *b, uint32_t state, int cost) {
    const sv_field *field = b->field;
    int at = (int)(state / (uint32_t)field->n_phases), cells = count_cells(field);
    int stage = at / cells, first = stage * cells, cell = at - first;
    return (settled_state){.cells = b->cells + first, .stage = stage, .first = first, .cell = cell,
                           .phase = (int)(state % (uint32_t)field->n_phases), .cost = cost,
                           .toll = b->tolls[at], .column = cell / field->rows,
                           .row = cell % field->rows - FIELD_SKY};
}

static void settle(sv_field_builder *b, uint32_t state, int cost) {
    settled_state s = describe(b, state, cost);
    if (s.phase == 0)
        settle_ground(b, &s);
    else if (s.phase <= b->field->apex)
        settle_rising(b, &s);
    else
        settle_falling(b, &s);
    if (s.cells[s.cell] & CELL_TRIGGER)
        settle_steps(b, &s);
}

/* ---- the loop ------------------------------------------------------------------------------- */

static void start_at_exit(sv_field_builder *b) {
    const sv_field *field = b->field;
    for (int stage = 0; stage < field->plan->n_stages; stage++)
        for (int row = -FIELD_SKY; row < field->height + FIELD_BELOW; row++) {
            int at = cell_in_stage(field, stage, field->exit_x, row);
            if (b->cells[at] & CELL_OPEN)
                for (int phase = 0; phase < field->n_phases; phase++)
                    relax(b, at, phase, 0);
        }
}

void sv_field_spread(sv_field_builder *b) {
    start_at_exit(b);
    for (int cost = 0; b->pending && !b->failed && cost < FIELD_FAR - FIELD_RING; cost++) {
        sv_bucket *now = &b->ring[cost % FIELD_RING];
        for (int k = 0; k < now->n; k++) {
            uint32_t state = now->items[k];
            b->pending--;
            if (b->field->cost[state] == cost)
                settle(b, state, cost);
        }
        now->n = 0;
    }
}
