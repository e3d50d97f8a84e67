/* A distance field: its memory, and the order in which it is built. */
#include "solver/field_builder.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 24000000 };

static bool allocate(sv_field_builder *b) {
    const sv_field *field = b->field;
    size_t cells = (size_t)field->plan->n_stages * (size_t)count_cells(field);
    b->cells = calloc(cells, 1);
    b->tolls = calloc(cells, 1);
    b->bounce = malloc((size_t)field->width * sizeof *b->bounce);
    return b->cells && b->tolls && b->bounce;
}

static void release(sv_field_builder *b) {
    for (int k = 0; k < FIELD_RING; k++)
        free(b->ring[k].items);
    free(b->cells);
    free(b->tolls);
    free(b->bounce);
    free(b);
}

static bool fill(sv_field_builder *b) {
    sv_field_set_bounces(b);
    for (int stage = 0; stage < b->field->plan->n_stages; stage++)
        sv_field_set_stage(b, stage);
    sv_field_spread(b);
    return !b->failed;
}

static bool build(sv_field *field, const pf_world *root) {
    sv_field_builder *b = calloc(1, sizeof *b);
    if (!b)
        return false;
    b->field = field;
    b->root = root;
    bool good = allocate(b) && fill(b);
    release(b);
    return good;
}

bool sv_field_begin(sv_field *field, const sv_plan *plan, const pf_world *root) {
    const pf_level *level = root->level;
    *field = (sv_field){.plan = plan, .width = level->width, .height = level->height,
                        .rows = FIELD_SKY + level->height + FIELD_BELOW, .exit_x = level->exit_x};
    sv_field_set_phases(field, &root->physics);
    size_t states = (size_t)plan->n_stages * (size_t)count_cells(field) * (size_t)field->n_phases;
    if (states > MOST_STATES)
        return true;
    field->cost = malloc(states * sizeof *field->cost);
    if (!field->cost)
        return false;
    memset(field->cost, 0xff, states * sizeof *field->cost);
    return build(field, root);
}

void sv_field_end(sv_field *field) { free(field->cost); }
