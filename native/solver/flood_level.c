/* The level as a flood sees it: cells that are open, and what can be risen from in them. */
#include "solver/flood.h"

static bool may_toggle(const sv_flood *f, int tile, int family) {
    int colour = sv_colour(tile, family);
    return colour >= 0 && f->has & (unsigned)HAS_SWITCH << colour;
}

static bool is_open(const sv_flood *f, int tile) {
    unsigned ground = sv_ground(tile);
    int lock = sv_colour(tile, PF_LOCK);
    if (!(ground & GROUND_WALL))
        return true;
    if (ground & GROUND_BRICK)
        return f->has & (HAS_SIZE | HAS_SHELLS);
    return (lock >= 0 && f->has & (unsigned)HAS_KEY << lock) || may_toggle(f, tile, PF_DOOR_CLOSED);
}

static bool may_carry(const sv_flood *f, int column, int row) {
    int tile = tile_at(f, column, row);
    return sv_ground(tile) & (GROUND_FLOOR | GROUND_HIDDEN) || may_toggle(f, tile, PF_DOOR_OPEN);
}

static void add_support_beside(sv_flood *f, int column, int row, int side, int y) {
    if (!is_inside(f, column, row))
        return;
    int16_t *known = &f->support[2 * cell_at(f, column, row) + side];
    *known = (int16_t)(y < *known ? y : *known);
}

void sv_flood_add_support(sv_flood *f, int column, int row, int y) {
    add_support_beside(f, column, row, LEFT_SIDE, y);
    add_support_beside(f, column, row, RIGHT_SIDE, y);
}

/* Where the feet of who rides a platform may be. */
typedef struct {
    int first_column, last_column, first_row, last_row;
} ride;

static ride find_ride(const sv_flood *f, const pf_platform *p) {
    int last_x = p->x + p->dx * p->way + p->width + 4, last_y = p->y + p->dy * p->way - 1;
    ride r = {p->x / 16 - 1, last_x / 16, p->y > 0 ? (p->y - 1) / 16 : -1, last_y / 16};
    r.first_column = r.first_column < 0 ? 0 : r.first_column;
    r.last_column = r.last_column < f->width ? r.last_column : f->width - 1;
    return r;
}

static void support_by_platform(sv_flood *f, const pf_platform *p) {
    ride r = find_ride(f, p);
    for (int column = r.first_column; column <= r.last_column; column++)
        for (int row = r.first_row; row <= r.last_row; row++)
            sv_flood_add_support(f, column, row, p->dy ? bottom_of(row - 1) : bottom_of(row));
}

/* A rising platform pushes who rides it into the walls above and beside it. */
static void open_by_platform(sv_flood *f, const pf_platform *p) {
    ride r = find_ride(f, p);
    for (int column = r.first_column; p->dy && column <= r.last_column; column++)
        for (int row = r.first_row; row <= r.last_row; row++)
            f->open[cell_at(f, column, row)] = 1;
}

static bool is_wall(const sv_flood *f, int column, int row) {
    return is_inside(f, column, row) && !f->open[cell_at(f, column, row)];
}

/* Whether the edge of a body may find hold beside its cell: on a floor, or where one of the faults has
 * put it into a wall, at the top of the level or at the edge of a ceiling. */
static bool holds_edge(const sv_flood *f, int column, int row) {
    if (row <= 1 && is_wall(f, column, row))
        return true;
    bool ceiling = is_wall(f, column, row) && !is_wall(f, column, row + 1);
    return is_wall(f, column, row) ? ceiling && f->wedges : may_carry(f, column, row + 1);
}

static void support_by_tiles(sv_flood *f, int column, int row) {
    if (is_wall(f, column, row) || may_carry(f, column, row + 1))
        sv_flood_add_support(f, column, row, bottom_of(row));
    if (holds_edge(f, column - 1, row))
        add_support_beside(f, column, row, LEFT_SIDE, bottom_of(row));
    if (holds_edge(f, column + 1, row))
        add_support_beside(f, column, row, RIGHT_SIDE, bottom_of(row));
    if (sv_ground(tile_at(f, column, row)) & GROUND_LADDER)
        sv_flood_add_support(f, column, row, bottom_of(row - 1));
}

/* Who goes down through the top of a ladder may get into the walls beside it. */
static void open_beside_ladder(sv_flood *f, int column, int row) {
    if (tile_at(f, column, row) != PF_LADDER_TOP)
        return;
    for (int aside = -1; aside <= 1; aside += 2)
        if (is_inside(f, column + aside, row))
            f->open[cell_at(f, column + aside, row)] = 1;
}

/* Whether a platform takes its riders up. */
static bool has_lift(const pf_level *level) {
    for (int k = 0; k < pf_count_platforms(level); k++)
        if (pf_platforms(level)[k].dy)
            return true;
    return false;
}

static void open_cells(sv_flood *f) {
    const pf_level *level = f->root->level;
    for (int column = 0; column < f->width; column++)
        for (int row = -1; row < f->rows - 1; row++)
            f->open[cell_at(f, column, row)] = is_open(f, tile_at(f, column, row));
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++)
            open_beside_ladder(f, column, row);
    for (int k = 0; k < pf_count_platforms(level); k++)
        open_by_platform(f, pf_platforms(level) + k);
    f->open[cell_of(f, f->root->mario.body.x, f->root->mario.body.y)] = 1; /* he may start in a wall */
}

static void set_support(sv_flood *f) {
    const pf_level *level = f->root->level;
    for (int k = 0; k < 2 * f->n_cells; k++)
        f->support[k] = NOWHERE;
    for (int column = 0; column < f->width; column++)
        for (int row = -1; row < f->rows - 1; row++)
            support_by_tiles(f, column, row);
    for (int k = 0; k < pf_count_platforms(level); k++)
        support_by_platform(f, pf_platforms(level) + k);
}

void sv_flood_read_level(sv_flood *f) {
    f->wedges = f->has & HAS_SIZE || has_lift(f->root->level);
    open_cells(f);
    set_support(f);
}

void sv_flood_wedge_around(sv_flood *f, int column, int row) {
    for (int aside = -1; aside <= 1; aside++)
        for (int below = -1; below <= 2; below++)
            if (is_inside(f, column + aside, row + below))
                f->wedge[cell_at(f, column + aside, row + below)] = 1;
}
