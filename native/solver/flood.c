/* One flood: a body spreads from where it was put, base by base. */
#include "solver/flood.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BASES = 32767 };

/* ---- memory --------------------------------------------------------------------------------- */

bool sv_flood_allocate(sv_flood *f) {
    size_t cells = (size_t)f->n_cells;
    f->open = malloc(cells);
    f->wedge = malloc(cells);
    f->support = malloc(2 * cells * sizeof *f->support);
    f->rise = malloc(((size_t)f->width + 1) * sizeof *f->rise);
    f->reached = malloc(cells);
    f->highest = malloc(cells * sizeof *f->highest);
    f->base_at = malloc((size_t)f->n_heights * sizeof *f->base_at);
    f->bases = calloc((size_t)f->n_heights, sizeof *f->bases);
    return f->open && f->wedge && f->support && f->rise && f->reached && f->highest && f->base_at
           && f->bases;
}

void sv_flood_free(sv_flood *f) {
    for (int k = 0; f->bases && k < f->n_heights; k++) {
        free(f->bases[k].crossed);
        free(f->bases[k].sources.items);
    }
    free(f->now.items);
    free(f->next.items);
    free(f->bases);
    free(f->base_at);
    free(f->highest);
    free(f->reached);
    free(f->rise);
    free(f->support);
    free(f->open);
    free(f->wedge);
}

static void push(sv_flood *f, sv_list *l, int item) {
    if (l->n == l->capacity) {
        int capacity = l->capacity ? 2 * l->capacity : 64;
        int *items = realloc(l->items, (size_t)capacity * sizeof *items);
        if (!items) {
            f->failed = true;
            return;
        }
        l->items = items;
        l->capacity = capacity;
    }
    l->items[l->n++] = item;
}

/* ---- bases ---------------------------------------------------------------------------------- */

/* Sets how high a body can be, by the tiles that it has crossed. */
static void set_rise(sv_flood *f, const sv_body *b) {
    int last = b->arc->length - 1;
    float highest = b->arc->height[last];
    for (int crossed = f->width; crossed >= 0; crossed--) {
        float ticks = ceilf((float)(16 * crossed - b->slack) / b->speed) - 1;
        int first = ticks < 0 ? 0 : ticks < (float)last ? (int)ticks : last;
        for (int k = first; k <= last; k++)
            highest = b->arc->height[k] > highest ? b->arc->height[k] : highest;
        float pixels = ceilf(highest) + 1;
        f->rise[crossed] = (int16_t)(pixels < -30000 ? -30000 : pixels > 30000 ? 30000 : pixels);
        last = first;
    }
}

/* Makes room for one more base; NULL if there is none. */
static sv_base *add_base(sv_flood *f, int y) {
    size_t labels = WAYS * (size_t)f->n_cells;
    bool room = f->n_bases < MOST_BASES && (size_t)(f->n_bases + 1) * labels < MOST_LABELS;
    sv_base *b = &f->bases[f->n_bases];
    if (room && !b->crossed)
        b->crossed = malloc(labels * sizeof *b->crossed);
    if (!room || !b->crossed)
        return NULL;
    memset(b->crossed, 0xff, labels * sizeof *b->crossed);
    b->y = y;
    b->sources.n = 0;
    f->n_bases++;
    return b;
}

/* The base of this height, added if there is none; NULL if there is no room for it. */
static sv_base *find_base(sv_flood *f, int y) {
    y = y < HIGHEST ? HIGHEST : y;
    int16_t *number = &f->base_at[y - HIGHEST];
    if (*number >= 0)
        return &f->bases[*number];
    sv_base *b = add_base(f, y);
    if (b)
        *number = (int16_t)(b - f->bases);
    else
        f->failed = true;
    return b;
}

static void add_source(sv_flood *f, int y, int cell, int side) {
    sv_base *b = find_base(f, y);
    if (b && b->crossed[WAYS * cell + side])
        push(f, &b->sources, WAYS * cell + side);
}

static void reach(sv_flood *f, int cell, int side, int y) {
    int top = row_of(f, cell) >= 0 ? 16 * row_of(f, cell) : HIGHEST;
    int support = f->support[2 * cell + side];
    y = y > top ? y : top;
    f->highest[cell] = (int16_t)(y < f->highest[cell] ? y : f->highest[cell]);
    if (f->reached[cell] >> side & 1)
        return;
    f->reached[cell] |= (uint8_t)(1 << side);
    if (support != NOWHERE)
        add_source(f, support, cell, side);
}

/* A body that rose from this base gets into a cell in some way after crossing so many tiles. */
static void visit(sv_flood *f, sv_base *from, int cell, int way, int crossed) {
    uint16_t *known = &from->crossed[WAYS * cell + way];
    int y = from->y - f->rise[crossed];
    if (crossed >= *known || y > bottom_of(row_of(f, cell)))
        return;
    *known = (uint16_t)crossed;
    push(f, &f->now, WAYS * cell + way);
    reach(f, cell, way & RIGHT_SIDE, y);
}

/* ---- moves ---------------------------------------------------------------------------------- */

/* A body that is wedged in below a wall, its head inside, gets on if nothing is behind the wall. Who
 * then becomes smaller gets in anyway. */
static void move_up(sv_flood *f, const sv_body *b, sv_base *from, int cell, int way, int crossed) {
    int row = row_of(f, cell);
    if (row < 0)
        return;
    bool goes_on = row == 0 || f->open[cell - 2] || (b->shrinks && f->open[cell]);
    if (f->open[cell - 1] || (f->wedge[cell] && goes_on))
        visit(f, from, cell - 1, way, crossed);
}

/* Snapping to a tile adds 1 to its number as a float. Where that number is a power of two, and only
 * there, the sum may be rounded up, which takes the body into the wall that it was to stop at. */
static bool may_round(int tile) { return tile > 0 && !(tile & (tile - 1)); }

/* At the top of the level walls do not hold. */
static void move_down(sv_flood *f, const sv_body *b, sv_base *from, int cell, int way, int crossed) {
    int row = row_of(f, cell);
    bool sinks = row <= 0 || (b->sinks && may_round(row + 1));
    if (row < f->rows - 2 && (f->open[cell + 1] || sinks))
        visit(f, from, cell + 1, way, crossed);
}

static void move_aside(sv_flood *f, sv_base *from, int cell, int way, int crossed) {
    int beside = way & RIGHT_SIDE ? 1 : -1, column = cell / f->rows + beside;
    if (column < 0 || column >= f->width)
        return;
    if (f->open[cell + beside * f->rows] || (beside > 0 && may_round(column)))
        visit(f, from, cell + beside * f->rows, way ^ RIGHT_SIDE, crossed);
}

static void leave(sv_flood *f, const sv_body *b, sv_base *from, int cell, int way, int crossed) {
    if (way & FALLING) {
        move_down(f, b, from, cell, way, crossed);
    } else {
        move_up(f, b, from, cell, way, crossed);
        visit(f, from, cell, way | FALLING, crossed);
    }
    move_aside(f, from, cell, way, crossed);
    int across = WAYS * cell + (way ^ RIGHT_SIDE);
    if (crossed < f->width && crossed + 1 < from->crossed[across])
        push(f, &f->next, across);
}

/* ---- the flood ------------------------------------------------------------------------------ */

static void spread_from(sv_flood *f, const sv_body *b, sv_base *from) {
    f->now.n = f->next.n = 0;
    for (int k = 0; k < from->sources.n; k++)
        visit(f, from, from->sources.items[k] / WAYS, from->sources.items[k] % WAYS, 0);
    from->sources.n = 0;
    for (int crossed = 0; f->now.n && !f->failed; crossed++) {
        while (f->now.n) {
            int item = f->now.items[--f->now.n];
            if (from->crossed[item] == crossed)
                leave(f, b, from, item / WAYS, item % WAYS, crossed);
        }
        for (int k = 0; k < f->next.n; k++)
            visit(f, from, f->next.items[k] / WAYS, f->next.items[k] % WAYS, crossed + 1);
        f->next.n = 0;
    }
}

void sv_flood_spread(sv_flood *f, const sv_body *b) {
    bool more = true;
    while (more && !f->failed) {
        more = false;
        for (int k = 0; k < f->n_bases; k++)
            if (f->bases[k].sources.n) {
                spread_from(f, b, &f->bases[k]);
                more = true;
            }
    }
}

void sv_flood_begin(sv_flood *f, const sv_body *b) {
    memset(f->reached, 0, (size_t)f->n_cells);
    memset(f->base_at, 0xff, (size_t)f->n_heights * sizeof *f->base_at);
    for (int k = 0; k < f->n_cells; k++)
        f->highest[k] = NOWHERE;
    f->n_bases = 0;
    set_rise(f, b);
}

void sv_flood_put(sv_flood *f, float x, float y) {
    int cell = cell_of(f, x, y), row = row_of(f, cell), pixel = (int)floorf(y);
    for (int side = LEFT_SIDE; side <= RIGHT_SIDE; side++) {
        reach(f, cell, side, pixel);
        add_source(f, pixel < bottom_of(row) ? pixel : bottom_of(row), cell, side);
    }
}
