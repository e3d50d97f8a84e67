/* Where Mario might get to at all: a flood over tiles under physics that are kinder than the engine's.
 *
 * The flood knows the cell that his feet are in. It is sound because of what the engine does:
 *
 * - Feet enter a cell sideways only if it is no wall, and from above or below likewise. Faults of the
 *   engine break this and are allowed for: at the top of the level who comes from above gets into the
 *   walls of the first two rows; rounding takes bodies into some walls; who changes size, or is
 *   lifted by a platform, gets into the ceiling and through one that is one tile thick; who descends
 *   a ladder gets into the walls beside its top.
 * - Without new support (floor, creature, ladder, platform) he rises, then falls; he is never higher
 *   above the last support than a jump with the button held, at any time since; and a tile sideways
 *   takes him at least the time that it takes at top speed. So for each height of support it is enough
 *   to know how few tiles sideways lead to each side of each cell, rising or falling.
 * - What may vanish or open (bricks, locks, doors) is no wall as soon as what opens it may be had.
 *
 * Creatures that he can bounce off flood the level in the same way with bounds of their own.
 */
#include "solver/ground.h"
#include "solver/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = INT16_MAX };

/* Where and how a body is in a cell: at which side of it, rising or falling. */
enum { LEFT_SIDE = 0, RIGHT_SIDE = 1, FALLING = 2, WAYS = 4 };
enum { MOST_LABELS = 40000000, HIGHEST = -2048, MOST_BASES = 32767 };

/* Pixels that a flight may gain: standing and landing with half a body beside a tile, and snapping to
 * one on the way. */
enum { MARIO_SLACK = 4 + 4 + 8, CREATURE_SLACK = 4 + 4 + 16 };

/* What Mario can have on his way. */
enum { HAS_SIZE = 1, HAS_SHELLS = 2, HAS_KEY = 4, HAS_SWITCH = HAS_KEY << PF_COLOURS };

typedef struct {
    int *items, n, capacity;
} list;

/* How one kind of body may move. */
typedef struct {
    const sv_arc *arc;
    float speed; /* pixels a tick, sideways */
    int slack;
    bool shrinks, sinks; /* into ceilings, into floors */
} body;

/* What is supported at one height, in pixels. */
typedef struct {
    int y;
    uint16_t *crossed; /* by cell and way: the least tiles crossed to get there so */
    list sources;      /* cells and ways to start from */
} base;

typedef struct {
    const pf_world *root;
    int width, height, rows, n_cells;
    unsigned has;
    bool wedges;      /* whether Mario's head may get into walls */
    uint8_t *open;    /* cells that feet can enter */
    uint8_t *wedge;   /* cells in which a body's head may be inside the wall above */
    int16_t *support; /* by cell and side: height that a body may rise from there, or NOWHERE */
    int16_t *rise;    /* by tiles crossed: pixels that a body can then be above its base */
    uint8_t *reached; /* by cell: bits of its sides */
    int16_t *highest; /* by cell: how high feet may be in it */
    base *bases;
    int16_t *base_at; /* by height: which base, or -1 */
    int n_bases, n_heights;
    list now, next;
    bool failed;
} flood;

static void push(flood *f, list *l, int item) {
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

/* ---- the level ------------------------------------------------------------------------------ */

/* Cells count from the row above the level, rows as the engine does: the sky is row -1. */
static int cell_at(const flood *f, int column, int row) { return column * f->rows + row + 1; }
static int row_of(const flood *f, int cell) { return cell % f->rows - 1; }
/* The cell of a pixel; what is outside counts as at the border. */
static int cell_of(const flood *f, float x, float y) {
    int column = (int)(x / 16), row = (int)floorf(y / 16);
    column = column < 0 ? 0 : column < f->width ? column : f->width - 1;
    row = row < -1 ? -1 : row < f->rows - 2 ? row : f->rows - 2;
    return cell_at(f, column, row);
}

static bool is_inside(const flood *f, int column, int row) {
    return column >= 0 && column < f->width && row >= -1 && row < f->rows - 1;
}

/* The lowest pixel that feet in a row can stand on. */
static int bottom_of(int row) { return 16 * row + 15; }

static int tile_at(const flood *f, int column, int row) {
    bool inside = column >= 0 && column < f->width && row >= 0 && row < f->height;
    return inside ? pf_tiles(f->root)[column * f->height + row] : 0;
}

static bool may_toggle(const flood *f, int tile, int family) {
    int colour = sv_colour(tile, family);
    return colour >= 0 && f->has & (unsigned)HAS_SWITCH << colour;
}

static bool is_open(const flood *f, int tile) {
    unsigned ground = sv_ground(tile);
    int lock = sv_colour(tile, PF_LOCK);
    if (!(ground & GROUND_WALL))
        return true;
    if (ground & GROUND_BRICK)
        return f->has & (HAS_SIZE | HAS_SHELLS);
    return (lock >= 0 && f->has & (unsigned)HAS_KEY << lock) || may_toggle(f, tile, PF_DOOR_CLOSED);
}

static bool may_carry(const flood *f, int column, int row) {
    int tile = tile_at(f, column, row);
    return sv_ground(tile) & (GROUND_FLOOR | GROUND_HIDDEN) || may_toggle(f, tile, PF_DOOR_OPEN);
}

static void add_support_at(flood *f, int column, int row, int side, int y) {
    if (!is_inside(f, column, row))
        return;
    int16_t *known = &f->support[2 * cell_at(f, column, row) + side];
    *known = (int16_t)(y < *known ? y : *known);
}

static void add_support(flood *f, int column, int row, int y) {
    add_support_at(f, column, row, LEFT_SIDE, y);
    add_support_at(f, column, row, RIGHT_SIDE, y);
}

/* Where the feet of who rides a platform may be. */
typedef struct {
    int first_column, last_column, first_row, last_row;
} stretch;

static stretch ridden(const flood *f, const pf_platform *p) {
    int last_x = p->x + p->dx * p->way + p->width + 4, last_y = p->y + p->dy * p->way - 1;
    stretch s = {p->x / 16 - 1, last_x / 16, p->y > 0 ? (p->y - 1) / 16 : -1, last_y / 16};
    s.first_column = s.first_column < 0 ? 0 : s.first_column;
    s.last_column = s.last_column < f->width ? s.last_column : f->width - 1;
    return s;
}

static void support_by_platform(flood *f, const pf_platform *p) {
    stretch s = ridden(f, p);
    for (int column = s.first_column; column <= s.last_column; column++)
        for (int row = s.first_row; row <= s.last_row; row++)
            add_support(f, column, row, p->dy ? bottom_of(row - 1) : bottom_of(row));
}

/* A rising platform pushes who rides it into the walls above and beside it. */
static void open_by_platform(flood *f, const pf_platform *p) {
    stretch s = ridden(f, p);
    for (int column = s.first_column; p->dy && column <= s.last_column; column++)
        for (int row = s.first_row; row <= s.last_row; row++)
            f->open[cell_at(f, column, row)] = 1;
}

static bool is_wall(const flood *f, int column, int row) {
    return is_inside(f, column, row) && !f->open[cell_at(f, column, row)];
}

/* Whether the edge of a body may find hold beside its cell: on a floor, or where one of the faults has
 * put it into a wall, at the top of the level or at the edge of a ceiling. */
static bool holds_edge(const flood *f, int column, int row) {
    if (row <= 1 && is_wall(f, column, row))
        return true;
    bool ceiling = is_wall(f, column, row) && !is_wall(f, column, row + 1);
    return is_wall(f, column, row) ? ceiling && f->wedges : may_carry(f, column, row + 1);
}

static void support_by_tiles(flood *f, int column, int row) {
    if (is_wall(f, column, row) || may_carry(f, column, row + 1))
        add_support(f, column, row, bottom_of(row));
    if (holds_edge(f, column - 1, row))
        add_support_at(f, column, row, LEFT_SIDE, bottom_of(row));
    if (holds_edge(f, column + 1, row))
        add_support_at(f, column, row, RIGHT_SIDE, bottom_of(row));
    if (sv_ground(tile_at(f, column, row)) & GROUND_LADDER)
        add_support(f, column, row, bottom_of(row - 1));
}

/* Who goes down through the top of a ladder may get into the walls beside it. */
static void open_beside_ladder(flood *f, int column, int row) {
    if (tile_at(f, column, row) != PF_LADDER_TOP)
        return;
    for (int aside = -1; aside <= 1; aside += 2)
        if (is_inside(f, column + aside, row))
            f->open[cell_at(f, column + aside, row)] = 1;
}

static bool is_lifted(const pf_level *level) {
    for (int k = 0; k < pf_count_platforms(level); k++)
        if (pf_platforms(level)[k].dy)
            return true;
    return false;
}

static void read_level(flood *f) {
    const pf_level *level = f->root->level;
    f->wedges = f->has & HAS_SIZE || is_lifted(level);
    for (int column = 0; column < f->width; column++)
        for (int row = -1; row < f->rows - 1; row++)
            f->open[cell_at(f, column, row)] = is_open(f, tile_at(f, column, row));
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++)
            open_beside_ladder(f, column, row);
    for (int k = 0; k < pf_count_platforms(level); k++)
        open_by_platform(f, pf_platforms(level) + k);
    f->open[cell_of(f, f->root->mario.body.x, f->root->mario.body.y)] = 1; /* he may start in a wall */
    for (int k = 0; k < 2 * f->n_cells; k++)
        f->support[k] = NOWHERE;
    for (int column = 0; column < f->width; column++)
        for (int row = -1; row < f->rows - 1; row++)
            support_by_tiles(f, column, row);
    for (int k = 0; k < pf_count_platforms(level); k++)
        support_by_platform(f, pf_platforms(level) + k);
}

/* ---- one flood ------------------------------------------------------------------------------ */

static void set_body(flood *f, const body *b) {
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

/* The base of this height, made if there is none; NULL if there is no room for it. */
static base *base_of(flood *f, int y) {
    y = y < HIGHEST ? HIGHEST : y;
    int16_t *number = &f->base_at[y - HIGHEST];
    if (*number >= 0)
        return &f->bases[*number];
    size_t labels = WAYS * (size_t)f->n_cells;
    bool room = f->n_bases < MOST_BASES && (size_t)(f->n_bases + 1) * labels < MOST_LABELS;
    base *made = &f->bases[f->n_bases];
    if (room && !made->crossed)
        made->crossed = malloc(labels * sizeof *made->crossed);
    if (!room || !made->crossed) {
        f->failed = true;
        return NULL;
    }
    memset(made->crossed, 0xff, labels * sizeof *made->crossed);
    made->y = y;
    made->sources.n = 0;
    *number = (int16_t)f->n_bases++;
    return made;
}

static void add_source(flood *f, int y, int cell, int side) {
    base *b = base_of(f, y);
    if (b && b->crossed[WAYS * cell + side])
        push(f, &b->sources, WAYS * cell + side);
}

static void reach(flood *f, int cell, int side, int y) {
    int top = row_of(f, cell) >= 0 ? 16 * row_of(f, cell) : HIGHEST, support = f->support[2 * cell + side];
    y = y > top ? y : top;
    f->highest[cell] = (int16_t)(y < f->highest[cell] ? y : f->highest[cell]);
    if (f->reached[cell] >> side & 1)
        return;
    f->reached[cell] |= (uint8_t)(1 << side);
    if (support != NOWHERE)
        add_source(f, support, cell, side);
}

/* A body that rose from this base gets into a cell in some way after crossing so many tiles. */
static void visit(flood *f, base *from, int cell, int way, int crossed) {
    uint16_t *known = &from->crossed[WAYS * cell + way];
    int y = from->y - f->rise[crossed];
    if (crossed >= *known || y > bottom_of(row_of(f, cell)))
        return;
    *known = (uint16_t)crossed;
    push(f, &f->now, WAYS * cell + way);
    reach(f, cell, way & RIGHT_SIDE, y);
}

/* A body that is wedged in below a wall, its head inside, gets on if nothing is behind the wall. Who
 * then becomes smaller gets in anyway. */
static void move_up(flood *f, const body *b, base *from, int cell, int way, int crossed) {
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
static void move_down(flood *f, const body *b, base *from, int cell, int way, int crossed) {
    int row = row_of(f, cell);
    bool sinks = row <= 0 || (b->sinks && may_round(row + 1));
    if (row < f->rows - 2 && (f->open[cell + 1] || sinks))
        visit(f, from, cell + 1, way, crossed);
}

static void move_aside(flood *f, base *from, int cell, int way, int crossed) {
    int beside = way & RIGHT_SIDE ? 1 : -1, column = cell / f->rows + beside;
    if (column < 0 || column >= f->width)
        return;
    if (f->open[cell + beside * f->rows] || (beside > 0 && may_round(column)))
        visit(f, from, cell + beside * f->rows, way ^ RIGHT_SIDE, crossed);
}

static void leave(flood *f, const body *b, base *from, int cell, int way, int crossed) {
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

static void spread_from(flood *f, const body *b, base *from) {
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

/* Floods from all sources until nothing new is reached. */
static void spread(flood *f, const body *b) {
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

static void begin(flood *f, const body *b) {
    memset(f->reached, 0, (size_t)f->n_cells);
    memset(f->base_at, 0xff, (size_t)f->n_heights * sizeof *f->base_at);
    for (int k = 0; k < f->n_cells; k++)
        f->highest[k] = NOWHERE;
    f->n_bases = 0;
    set_body(f, b);
}

/* Puts a body with its feet on this pixel. */
static void put(flood *f, float x, float y) {
    int cell = cell_of(f, x, y), row = row_of(f, cell), pixel = (int)floorf(y);
    for (int side = LEFT_SIDE; side <= RIGHT_SIDE; side++) {
        reach(f, cell, side, pixel);
        add_source(f, pixel < bottom_of(row) ? pixel : bottom_of(row), cell, side);
    }
}

/* Marks the cells around one in which a body that reaches into it may be. */
static void wedge_around(flood *f, int column, int row) {
    for (int aside = -1; aside <= 1; aside++)
        for (int below = -1; below <= 2; below++)
            if (is_inside(f, column + aside, row + below))
                f->wedge[cell_at(f, column + aside, row + below)] = 1;
}

/* ---- creatures ------------------------------------------------------------------------------ */

static bool is_winged(int kind) { return kind < PF_BULLET_BILL && kind % 2 == 1; }
static bool is_plain(int kind) { return !is_winged(kind); }
static bool has_shell(int kind) { return kind >= PF_RED_KOOPA && kind <= PF_GREEN_KOOPA_WINGED; }

/* Where a creature to bounce off may be, cell by cell: how high Mario then bounces from, at most. */
typedef struct {
    int16_t *bounce, *before;
} creatures;

/* Puts the creatures for which `fits` holds where the level makes them and where they are now. */
static void put_creatures(flood *f, bool (*fits)(int kind)) {
    const pf_level *level = f->root->level;
    for (int k = 0; k < level->n_templates; k++) {
        const pf_template *t = pf_templates(level) + k;
        if (sv_is_stompable(t->kind) && fits(t->kind))
            put(f, (float)(16 * t->column + 8), (float)(16 * t->row + 15));
    }
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        if (s->kind != PF_BULLET_BILL && sv_is_stompable(s->kind) && fits(s->kind))
            put(f, s->body.x, s->body.y);
    }
}

/* All that were somewhere before may go on from there in another form. */
static void put_changed(flood *f, const int16_t *before) {
    for (int k = 0; k < f->n_cells; k++)
        if (before[k] != NOWHERE)
            put(f, (float)(16 * (k / f->rows) + 8), (float)before[k]);
}

static void note_bounces(const flood *f, int16_t *bounce, int half_height) {
    for (int k = 0; k < f->n_cells; k++)
        if (f->highest[k] != NOWHERE && f->highest[k] - half_height < bounce[k])
            bounce[k] = (int16_t)(f->highest[k] - half_height);
}

/* Feet of these creatures flood the level, and of those that may have turned into them. */
static void flood_creatures(flood *f, creatures *c, const sv_arc *arc, float speed,
                            bool (*fits)(int)) {
    body b = {arc, speed, CREATURE_SLACK, false, true};
    begin(f, &b);
    if (fits)
        put_creatures(f, fits);
    put_changed(f, c->before);
    spread(f, &b);
    for (int k = 0; k < f->n_cells; k++)
        c->before[k] = f->highest[k] < c->before[k] ? f->highest[k] : c->before[k];
    note_bounces(f, c->bounce, f->has & HAS_SHELLS && fits ? 12 : 6);
}

/* Bullets fly along the whole row of their cannon. */
static void bounce_off_bullets(const flood *f, int16_t *bounce) {
    uint8_t fires[PF_MAX_HEIGHT] = {0};
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++)
            fires[row] |= tile_at(f, column, row) == 3;
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        int row = (int)(s->body.y / 16);
        if (s->kind == PF_BULLET_BILL && row >= 0 && row < f->height)
            fires[row] = 1;
    }
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++) {
            int16_t *here = &bounce[cell_at(f, column, row)];
            if (fires[row] && bottom_of(row) - 6 < *here)
                *here = (int16_t)(bottom_of(row) - 6);
        }
}

/* Koopas may be made with their heads in the wall; then they stay below it. */
static void wedge_creatures(flood *f) {
    const pf_level *level = f->root->level;
    memset(f->wedge, 0, (size_t)f->n_cells);
    for (int k = 0; k < level->n_templates; k++) {
        const pf_template *t = pf_templates(level) + k;
        if (has_shell(t->kind))
            f->wedge[cell_at(f, t->column, t->row)] = 1;
    }
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        if (has_shell(s->kind))
            wedge_around(f, (int)(s->body.x / 16), (int)floorf(s->body.y / 16));
    }
}

/* Winged ones lose their wings, then their shells. */
static void find_creatures(flood *f, creatures *c) {
    const pf_physics *p = &f->root->physics;
    const float walk = 1.75f, kicked = 11, leap = 10;
    sv_arc arc;
    for (int k = 0; k < f->n_cells; k++)
        c->bounce[k] = c->before[k] = NOWHERE;
    sv_throw_arc(&arc, leap, 0.95f, p->winged_gravity);
    flood_creatures(f, c, &arc, walk, is_winged);
    sv_throw_arc(&arc, 0, 0.85f, p->walker_gravity);
    flood_creatures(f, c, &arc, walk, is_plain);
    sv_throw_arc(&arc, leap, 0.85f, p->shell_gravity);
    if (f->has & HAS_SHELLS)
        flood_creatures(f, c, &arc, kicked, NULL);
    bounce_off_bullets(f, c->bounce);
}

/* Whoever comes close above a creature may rise from it; false if there are none. */
static bool support_by_creatures(flood *f, const int16_t *bounce) {
    bool any = false;
    for (int column = 0; column < f->width; column++)
        for (int row = -1; row < f->rows - 1; row++) {
            int y = bounce[cell_at(f, column, row)];
            any |= y != NOWHERE;
            for (int aside = -1; y != NOWHERE && aside <= 1; aside++)
                for (int above = 0; above <= 2; above++)
                    add_support(f, column + aside, row - above, y);
        }
    return any;
}

/* ---- Mario ---------------------------------------------------------------------------------- */

/* Whether his body may cover, or his head may hit, something in this cell. */
static bool is_close(const flood *f, int column, int row) {
    for (int aside = -1; aside <= 1; aside++)
        for (int below = 0; below <= 3; below++)
            if (is_inside(f, column + aside, row + below)
                && f->reached[cell_at(f, column + aside, row + below)])
                return true;
    return false;
}

static unsigned found_at(const flood *f, int column, int row) {
    int tile = tile_at(f, column, row), key = sv_colour(tile, PF_KEY);
    int on = sv_colour(tile, PF_SWITCH), off = sv_colour(tile, PF_SWITCH_PRESSED);
    unsigned found = sv_ground(tile) & GROUND_POWER ? HAS_SIZE : 0;
    if (key >= 0)
        found |= (unsigned)HAS_KEY << key;
    if (on >= 0 || off >= 0)
        found |= (unsigned)HAS_SWITCH << (on >= 0 ? on : off);
    return found;
}

/* What lies where he may get to. A shell may hit a block far from him, so any may give size. */
static unsigned find(const flood *f) {
    unsigned found = f->has;
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++) {
            unsigned here = found_at(f, column, row);
            bool by_shell = here == HAS_SIZE && f->has & HAS_SHELLS;
            if (here & ~found && (by_shell || is_close(f, column, row)))
                found |= here;
        }
    return found;
}

static unsigned had_at_start(const flood *f) {
    const pf_world *w = f->root;
    unsigned has = w->mario.large ? HAS_SIZE : 0;
    for (int colour = 0; colour < PF_COLOURS; colour++)
        if (pf_elements_of(w)->keys[colour])
            has |= (unsigned)HAS_KEY << colour;
    for (int k = 0; k < w->level->n_templates; k++)
        if (has_shell(pf_templates(w->level)[k].kind))
            has |= HAS_SHELLS;
    for (int k = 0; k < w->n_sprites; k++) {
        int kind = pf_sprites(w)[k].kind;
        if (kind == PF_SHELL || has_shell(kind))
            has |= HAS_SHELLS;
        if (kind == PF_MUSHROOM || kind == PF_FIRE_FLOWER)
            has |= HAS_SIZE;
    }
    return has;
}

/* Puts mushrooms and flowers where blocks release them and where they are now. */
static void put_items(flood *f) {
    for (int column = 0; column < f->width; column++)
        for (int row = 0; row < f->height; row++)
            if (sv_ground(tile_at(f, column, row)) & GROUND_POWER)
                put(f, (float)(16 * column + 9), (float)(16 * row - 1));
    for (int k = 0; k < f->root->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(f->root) + k;
        if (s->kind == PF_MUSHROOM || s->kind == PF_FIRE_FLOWER)
            put(f, s->body.x, s->body.y);
    }
}

static void wedge_by_items(flood *f) {
    sv_arc arc;
    sv_throw_arc(&arc, 10, 0.85f, 2);
    body item = {&arc, 1.75f, CREATURE_SLACK, false, true};
    begin(f, &item);
    put_items(f);
    spread(f, &item);
    for (int k = 0; k < f->n_cells; k++)
        if (f->reached[k])
            wedge_around(f, k / f->rows, row_of(f, k));
}

/* Mario may stand up wherever he stands, grow where a mushroom is, and be wedged in to begin with.
 * Lifted, he is pushed in. */
static void wedge_mario(flood *f) {
    const pf_body *mario = &f->root->mario.body;
    memset(f->wedge, 0, (size_t)f->n_cells);
    wedge_around(f, (int)(mario->x / 16), (int)floorf(mario->y / 16));
    if (f->has & HAS_SIZE)
        wedge_by_items(f);
    for (int k = 0; k < f->n_cells; k++)
        if (f->wedges && (f->support[2 * k] != NOWHERE || f->support[2 * k + 1] != NOWHERE))
            f->wedge[k] = 1;
}

/* Floods with Mario, who has what f->has says. */
static void flood_mario(flood *f, creatures *c) {
    const pf_physics *p = &f->root->physics;
    read_level(f);
    wedge_creatures(f);
    find_creatures(f, c);
    wedge_mario(f);
    bool bounces = support_by_creatures(f, c->bounce);
    sv_arc arc;
    if (bounces && p->stomp_ticks > p->jump_ticks)
        sv_jump_arc(&arc, p, p->stomp_ticks, false);
    else
        sv_jump_arc(&arc, p, p->jump_ticks, true);
    float speed = sv_top_speed(p) + (pf_count_platforms(f->root->level) > 0);
    body mario = {&arc, speed, MARIO_SLACK, true, false};
    begin(f, &mario);
    put(f, f->root->mario.body.x, f->root->mario.body.y);
    spread(f, &mario);
}

static bool exit_is_reached(const flood *f) {
    for (int k = cell_at(f, f->root->level->exit_x, -1); k < f->n_cells; k++)
        if (f->reached[k])
            return true;
    return false;
}

/* Whether there is time to run to the exit at top speed. */
static bool is_in_time(const pf_world *w) {
    float way = (float)(16 * w->level->exit_x) - w->mario.body.x;
    float speed = sv_top_speed(&w->physics) + (pf_count_platforms(w->level) > 0);
    return !w->timer || way / speed <= (float)(w->timer / w->physics.tick_cost) + 2;
}

static bool allocate(flood *f, creatures *c) {
    size_t cells = (size_t)f->n_cells;
    f->open = malloc(cells);
    f->wedge = malloc(cells);
    f->support = malloc(2 * cells * sizeof *f->support);
    f->rise = malloc(((size_t)f->width + 1) * sizeof *f->rise);
    f->reached = malloc(cells);
    f->highest = malloc(cells * sizeof *f->highest);
    f->base_at = malloc((size_t)f->n_heights * sizeof *f->base_at);
    f->bases = calloc((size_t)f->n_heights, sizeof *f->bases);
    c->bounce = malloc(cells * sizeof *c->bounce);
    c->before = malloc(cells * sizeof *c->before);
    return f->open && f->wedge && f->support && f->rise && f->reached && f->highest && f->base_at && f->bases
           && c->bounce && c->before;
}

static void release(flood *f, creatures *c) {
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
    free(c->bounce);
    free(c->before);
}

static bool run(flood *f, creatures *c) {
    f->has = had_at_start(f);
    for (bool more = true; more && !f->failed;) {
        flood_mario(f, c);
        unsigned found = find(f);
        more = found != f->has;
        f->has = found;
    }
    return !f->failed;
}

bool sv_may_finish(const pf_world *root, uint8_t *cells) {
    const pf_level *level = root->level;
    int rows = level->height + SV_ROWS_ABOVE + SV_ROWS_BELOW;
    flood f = {.root = root, .width = level->width, .height = level->height, .rows = rows,
               .n_cells = level->width * rows, .n_heights = 16 * rows - HIGHEST};
    creatures c = {0};
    memset(cells, 1, (size_t)f.n_cells);
    bool too_high = root->mario.body.y < HIGHEST + 64;
    if (f.n_cells > MOST_LABELS / 64 || too_high || root->status != PF_RUNNING)
        return true;
    bool good = allocate(&f, &c) && run(&f, &c);
    bool finishes = !good || (exit_is_reached(&f) && is_in_time(root));
    if (good)
        for (int k = 0; k < f.n_cells; k++)
            cells[k] = f.reached[k] != 0;
    release(&f, &c);
    return finishes;
}
