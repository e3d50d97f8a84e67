/* The cells of a distance field, and the field while it is being built. */
#ifndef LUDUS_SOLVER_FIELD_BUILDER_H
#define LUDUS_SOLVER_FIELD_BUILDER_H

#include "solver/field.h"
#include "solver/ground.h"

enum { CELL_OPEN = 1, CELL_STAND = 2, CELL_LADDER = 4, CELL_TRIGGER = 8 };

/* No move costs as much, in phases, so the buckets can go round. */
enum { FIELD_RING = 512 };

typedef struct {
    uint32_t *items;
    int n, capacity;
} sv_bucket;

typedef struct {
    sv_field *field;
    const pf_world *root;
    uint8_t *cells;  /* by stage and cell: CELL_* */
    uint8_t *tolls;  /* by stage and cell: phases that entering costs */
    int16_t *bounce; /* by column: the highest row with creatures to bounce off */
    sv_bucket ring[FIELD_RING]; /* states by what they cost */
    int pending;
    bool failed;
} sv_field_builder;

static inline int count_cells(const sv_field *field) { return field->width * field->rows; }
static inline int cell_at(const sv_field *field, int column, int row) {
    return column * field->rows + row + FIELD_SKY;
}
/* The same, counted through all stages. */
static inline int cell_in_stage(const sv_field *field, int stage, int column, int row) {
    return stage * count_cells(field) + cell_at(field, column, row);
}
static inline bool is_inside(const sv_field *field, int column, int row) {
    return column >= 0 && column < field->width && row >= -FIELD_SKY
           && row < field->height + FIELD_BELOW;
}

/* field_phases.c: sets how long a phase is and how far it goes up or down. */
void sv_field_set_phases(sv_field *field, const pf_physics *physics);

/* field_cells.c: sets the cells of a stage and their tolls. */
void sv_field_set_stage(sv_field_builder *b, int stage);
/* Finds the rows in which creatures can be bounced off. */
void sv_field_set_bounces(sv_field_builder *b);

/* field_spread.c: sets the costs of all states, from the exit backwards. */
void sv_field_spread(sv_field_builder *b);

#endif
