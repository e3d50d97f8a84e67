/* A flood over the level: where a body might get to under physics that are kinder than the engine's.
 *
 * The flood knows the cell that the feet are in. It is sound because of what the engine does:
 *
 * - Feet enter a cell sideways only if it is no wall, and from above or below likewise. Faults of the
 *   engine break this and are allowed for: at the top of the level who comes from above gets into the
 *   walls of the first two rows; rounding takes bodies into some walls; who changes size, or is
 *   lifted by a platform, gets into the ceiling and through one that is one tile thick; who descends
 *   a ladder gets into the walls beside its top.
 * - Without new support (floor, creature, ladder, platform) a body rises, then falls; it is never
 *   higher above the last support than a jump with the button held, at any time since; and a tile
 *   sideways takes it at least the time that it takes at top speed. So for each height of support it
 *   is enough to know how few tiles sideways lead to each side of each cell, rising or falling.
 * - What may vanish or open (bricks, locks, doors) is no wall as soon as what opens it may be had.
 */
#ifndef LUDUS_SOLVER_FLOOD_H
#define LUDUS_SOLVER_FLOOD_H

#include "solver/ground.h"

#include <math.h>

enum { NOWHERE = INT16_MAX, HIGHEST = -2048, MOST_LABELS = 40000000 };

/* Where and how a body is in a cell: at which side of it, rising or falling. */
enum { LEFT_SIDE = 0, RIGHT_SIDE = 1, FALLING = 2, WAYS = 4 };

/* Pixels that a flight may gain: standing and landing with half a body beside a tile, and snapping to
 * one on the way. */
enum { MARIO_SLACK = 4 + 4 + 8, CREATURE_SLACK = 4 + 4 + 16 };

/* What Mario can have on his way. */
enum { HAS_SIZE = 1, HAS_SHELLS = 2, HAS_KEY = 4, HAS_SWITCH = HAS_KEY << PF_COLOURS };

typedef struct {
    int *items, n, capacity;
} sv_list;

/* How one kind of body may move. */
typedef struct {
    const sv_arc *arc;
    float speed; /* pixels a tick, sideways */
    int slack;
    bool shrinks, sinks; /* into ceilings, into floors */
} sv_body;

/* What is supported at one height, in pixels. */
typedef struct {
    int y;
    uint16_t *crossed; /* by cell and way: the least tiles crossed to get there so */
    sv_list sources;   /* cells and ways to start from */
} sv_base;

typedef struct {
    const pf_world *root;
    int width, height, rows, n_cells;
    unsigned has;     /* HAS_*: what Mario can have */
    bool wedges;      /* whether Mario's head may get into walls */
    uint8_t *open;    /* cells that feet can enter */
    uint8_t *wedge;   /* cells in which a body's head may be inside the wall above */
    int16_t *support; /* by cell and side: height that a body may rise from there, or NOWHERE */
    int16_t *rise;    /* by tiles crossed: pixels that a body can then be above its base */
    uint8_t *reached; /* by cell: bits of its sides */
    int16_t *highest; /* by cell: how high feet may be in it */
    sv_base *bases;
    int16_t *base_at; /* by height: which base, or -1 */
    int n_bases, n_heights;
    sv_list now, next;
    bool failed;
} sv_flood;

/* Cells count from the row above the level, rows as the engine does: the sky is row -1. */
static inline int cell_at(const sv_flood *f, int column, int row) { return column * f->rows + row + 1; }
static inline int row_of(const sv_flood *f, int cell) { return cell % f->rows - 1; }

/* The cell of a pixel; what is outside counts as at the border. */
static inline int cell_of(const sv_flood *f, float x, float y) {
    int column = (int)(x / 16), row = (int)floorf(y / 16);
    column = column < 0 ? 0 : column < f->width ? column : f->width - 1;
    row = row < -1 ? -1 : row < f->rows - 2 ? row : f->rows - 2;
    return cell_at(f, column, row);
}

static inline bool is_inside(const sv_flood *f, int column, int row) {
    return column >= 0 && column < f->width && row >= -1 && row < f->rows - 1;
}

/* The lowest pixel that feet in a row can stand on. */
static inline int bottom_of(int row) { return 16 * row + 15; }

static inline int tile_at(const sv_flood *f, int column, int row) {
    bool inside = column >= 0 && column < f->width && row >= 0 && row < f->height;
    return inside ? pf_tiles(f->root)[column * f->height + row] : 0;
}

/* ---- flood.c -------------------------------------------------------------------------------- */

/* False if memory ran out; sv_flood_free is due all the same. */
bool sv_flood_allocate(sv_flood *f);
void sv_flood_free(sv_flood *f);

/* Empties the flood for another body. */
void sv_flood_begin(sv_flood *f, const sv_body *b);
/* Puts a body with its feet on this pixel. */
void sv_flood_put(sv_flood *f, float x, float y);
/* Floods from all that was put until nothing new is reached. */
void sv_flood_spread(sv_flood *f, const sv_body *b);

/* ---- flood_level.c -------------------------------------------------------------------------- */

/* Sets which cells are open and which support, for a Mario who has what f->has says. */
void sv_flood_read_level(sv_flood *f);
/* Lets a body rise from this height in a cell. */
void sv_flood_add_support(sv_flood *f, int column, int row, int y);
/* Marks the cells around one in which a body that reaches into it may be wedged in. */
void sv_flood_wedge_around(sv_flood *f, int column, int row);

/* ---- flood_creatures.c ---------------------------------------------------------------------- */

/* Where a creature to bounce off may be, cell by cell: how high Mario then bounces from, at most. */
typedef struct {
    int16_t *bounce, *before;
} sv_creatures;

/* False if memory ran out; sv_creatures_free is due all the same. */
bool sv_creatures_allocate(sv_creatures *c, int n_cells);
void sv_creatures_free(sv_creatures *c);

/* Floods the level with the creatures and notes how high Mario may bounce off them. */
void sv_creatures_spread(sv_creatures *c, sv_flood *f);
/* Lets whoever comes close above a creature rise from it; false if there are none. */
bool sv_creatures_support(const sv_creatures *c, sv_flood *f);

/* ---- flood_items.c -------------------------------------------------------------------------- */

/* HAS_* bits of what Mario has, or can have at once, where the flood begins. */
unsigned sv_items_at_start(const sv_flood *f);
/* The same with what lies where he may get to. */
unsigned sv_items_within_reach(const sv_flood *f);
/* Marks where a mushroom or a flower may make him grow into a ceiling. */
void sv_items_wedge(sv_flood *f);

#endif
