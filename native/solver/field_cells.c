/* What the cells of a field are in each stage: open, fit to stand on, and at which toll. */
#include "solver/field_builder.h"

/* What entering a cell costs, in phases. */
enum { TOLL_BRICK_LARGE = 8, TOLL_BRICK = 90, TOLL_CLOSED = 220, TOLL_LOW = 4 };

static int tile_at(const sv_field_builder *b, int stage, int column, int row) {
    const sv_field *field = b->field;
    if (column < 0 || column >= field->width || row < 0 || row >= field->height)
        return 0;
    return sv_plan_tile(field->plan, stage, column * field->height + row);
}

static bool is_large(const sv_field_builder *b, int stage) {
    const sv_plan *plan = b->field->plan;
    return plan->size_matters ? plan->stages[stage] >> STAGE_LARGE & 1 : b->root->mario.large;
}

static bool is_closed(int tile) {
    return sv_colour(tile, PF_LOCK) >= 0 || sv_colour(tile, PF_DOOR_CLOSED) >= 0;
}

static int toll_of(const sv_field_builder *b, int stage, int tile) {
    if (is_closed(tile))
        return TOLL_CLOSED;
    if (sv_ground(tile) & GROUND_BRICK)
        return is_large(b, stage) ? TOLL_BRICK_LARGE : TOLL_BRICK;
    return 0;
}

static void set_cell(sv_field_builder *b, int stage, int column, int row) {
    int tile = tile_at(b, stage, column, row), below = tile_at(b, stage, column, row + 1);
    int at = cell_in_stage(b->field, stage, column, row);
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

static void mark_cell(sv_field_builder *b, int stage, int column, int row, unsigned mark) {
    if (!is_inside(b->field, column, row))
        return;
    int at = cell_in_stage(b->field, stage, column, row);
    if (b->cells[at] & CELL_OPEN)
        b->cells[at] |= (uint8_t)mark;
}

static void set_platform(sv_field_builder *b, int stage, const pf_platform *p) {
    int last_x = p->x + p->dx * p->way + p->width - 1, last_y = p->y + p->dy * p->way;
    for (int column = p->x / 16; column <= last_x / 16; column++)
        for (int row = p->y / 16 - 1; row <= last_y / 16 - 1; row++)
            mark_cell(b, stage, column, row, CELL_STAND);
}

void sv_field_set_stage(sv_field_builder *b, int stage) {
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
void sv_field_set_bounces(sv_field_builder *b) {
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
