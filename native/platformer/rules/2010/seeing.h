/* What an agent of the 2010 benchmark sees: tiles and entities around Mario, by detail 0, 1 or 2. */
#ifndef LUDUS_PLATFORMER_2010_SEEING_H
#define LUDUS_PLATFORMER_2010_SEEING_H

#include "platformer/platformer.h"

enum { PF_2010_MOST_FIELD = 128 };

/* A receptive field: cell (row, column) shows the level's cell (left + column, top + row). */
typedef struct {
    int32_t width, height, ego_row, ego_column;
    int32_t left, top;
} pf_2010_field;

/* The field that a world's settings ask for. */
pf_2010_field pf_2010_field_of(const pf_world *world);

/* An entity in the field. */
typedef struct {
    const pf_sprite *sprite;
    int32_t row, column;
    int32_t code, threat; /* threat: the lower, the worse */
    int32_t moving;       /* a shell on its way, told at detail 0 alone */
} pf_2010_entity;

/* The first entity at or after sprite *at of the list, which moves behind it; false if there is none. The
 * first in engine order is n_sprites - 1. */
bool pf_2010_next_entity(const pf_world *world, const pf_2010_field *field, int detail, int *at, pf_2010_entity *entity);

/* Fill height * width signed codes, row by row. */
void pf_2010_see_tiles(const pf_world *world, const pf_2010_field *field, int detail, int8_t *codes);
void pf_2010_see_entities(const pf_world *world, const pf_2010_field *field, int detail, int8_t *codes);

/* Fills a grid as pf_observe does: with the field of the world's settings if it has the view's size, or else with
 * Mario in the middle. Where both are seen, an entity hides the tile. */
void pf_2010_observe(const pf_world *world, enum pf_grid grid, const pf_view *view, uint8_t *out);

/* Kind, x and y from Mario of the next creature or shell, likewise; wave goombas are left out. */
bool pf_2010_next_enemy(const pf_world *world, int *at, float *enemy);

/* Status, mode, on ground, may jump, SPEED was up, carrying, kills in all, by fire, stomp, shell, time left. */
enum { PF_2010_STATE_FIELDS = 11 };
void pf_2010_describe(const pf_world *world, int32_t *out);

#endif
