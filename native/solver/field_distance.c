/* Reading a field: how far it is from where Mario is. */
#include "solver/field_builder.h"

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
    int at = cell_in_stage(field, stage, column, row);
    return field->cost[(size_t)at * (size_t)field->n_phases + (size_t)phase];
}

/* Who stands on the edge of a tile has his feet in the cell beside it. */
static int cost_on_edge(const sv_field *field, int stage, int column, int row, int phase) {
    int cost = cost_at(field, stage, column, row, phase);
    if (cost != FIELD_FAR || phase)
        return cost;
    int left = cost_at(field, stage, column - 1, row, 0);
    int right = cost_at(field, stage, column + 1, row, 0);
    int falling = cost_at(field, stage, column, row, field->apex + 1);
    cost = left < right ? left : right;
    return cost < falling ? cost : falling;
}

static float clamp(float value, float most) {
    return value > most ? most : value < -most ? -most : value;
}

/* What it costs in the column of a body, and in those beside it. */
typedef struct {
    int column, here, left, right;
} reading;

static reading read_costs(const sv_field *field, const pf_world *world, int stage) {
    const pf_body *b = &world->mario.body;
    int column = (int)(b->x * 0.0625f), phase = phase_of(field, world);
    int row = (int)(b->y * 0.0625f + 64) - 64, lowest = field->height + FIELD_BELOW - 1;
    row = row < -FIELD_SKY ? -FIELD_SKY : row > lowest ? lowest : row;
    column = column < field->width ? column : field->width - 1;
    return (reading){column, cost_on_edge(field, stage, column, row, phase),
                     cost_on_edge(field, stage, column - 1, row, phase),
                     cost_on_edge(field, stage, column + 1, row, phase)};
}

/* Between the middles of two cells costs lie on a line; speed the right way makes up for some. */
static float ticks_from(const sv_field *field, const reading *r, const pf_body *b) {
    float part = b->x * 0.0625f - (float)r->column - 0.5f, cost = (float)r->here;
    int beside = part > 0 ? r->right : r->left;
    if (beside != FIELD_FAR)
        cost += clamp((float)(beside - r->here), 4) * (part > 0 ? part : -part);
    float ticks = cost * field->ticks;
    if (r->left != FIELD_FAR && r->right != FIELD_FAR)
        ticks -= clamp((float)(r->left - r->right), 2) * 0.5f * b->vx * (1 / 1.2f) * 0.5f;
    return ticks;
}

int sv_field_distance(const sv_field *field, const pf_world *world, int stage) {
    enum { OFF_THE_MAP = 3000 * FIELD_TICK };
    const pf_body *b = &world->mario.body;
    if (!field->cost)
        return (int)((float)(16 * field->exit_x) - b->x) * 2;
    reading r = read_costs(field, world, stage);
    return r.here == FIELD_FAR ? OFF_THE_MAP : (int)(ticks_from(field, &r, b) * FIELD_TICK);
}
