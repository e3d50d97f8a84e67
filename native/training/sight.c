/* What a learner sees of a world. */
#include "training/sight.h"
#include "training/tile_nature.h"

#include "platformer/rules/ludus/elements.h"

#include <string.h>

static int clamped(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

static int8_t small(float value) {
    return value < -127 ? -127 : value > 127 ? 127 : (int8_t)value;
}

static int cell_of(float pixel) {
    int whole = (int)(pixel * 0.0625f);
    return pixel < 0 ? whole - 1 : whole;
}

/* ---- tiles --------------------------------------------------------------------------------- */

static int8_t blocking(uint8_t tile) { return tile_nature[tile] & TILE_BLOCKS ? SIGHT_ONE : 0; }

static int8_t holding(uint8_t tile) {
    unsigned n = tile_nature[tile];
    return n & TILE_HOLDS    ? SIGHT_ONE
           : n & TILE_LADDER ? -SIGHT_ONE / 2
           : n & TILE_USEFUL ? -SIGHT_ONE
                             : 0;
}

typedef struct {
    int column, row; /* level cell of the field's first */
} corner_t;

static void see_tiles(const pf_world *w, corner_t at, int8_t *blocks, int8_t *holds) {
    int width = w->level->width, height = w->level->height;
    for (int c = 0; c < SIGHT_COLUMNS; c++) {
        const uint8_t *column =
            pf_tiles(w) + (size_t)clamped(at.column + c, 0, width - 1) * (size_t)height;
        for (int r = 0; r < SIGHT_ROWS; r++) {
            int row = at.row + r;
            uint8_t tile = row >= height ? 0 : column[row < 0 ? 0 : row];
            blocks[c * SIGHT_ROWS + r] = blocking(tile);
            holds[c * SIGHT_ROWS + r] = holding(tile);
        }
    }
}

static void see_platforms(const pf_world *w, corner_t at, int8_t *holds) {
    for (int k = 0; k < pf_count_platforms(w->level); k++) {
        const pf_platform *p = pf_platforms(w->level) + k;
        int x, y;
        pf_platform_at(p, w->tick, &x, &y);
        int r = (y + 8) / PF_TILE - at.row;
        for (int right = x + p->width; x < right && r >= 0 && r < SIGHT_ROWS; x += PF_TILE) {
            int c = (x + 8) / PF_TILE - at.column;
            if (c >= 0 && c < SIGHT_COLUMNS)
                holds[c * SIGHT_ROWS + r] = SIGHT_ONE;
        }
    }
}

/* ---- creatures ----------------------------------------------------------------------------- */

static bool harms(int kind) {
    return (kind >= PF_GOOMBA && kind <= PF_ENEMY_FLOWER) || kind == PF_SHELL;
}

static bool can_be_stomped(int kind) {
    return kind != PF_SPIKY && kind != PF_SPIKY_WINGED && kind != PF_ENEMY_FLOWER;
}

static bool is_item(int kind) {
    return kind == PF_MUSHROOM || kind == PF_FIRE_FLOWER || kind == PF_LIFE_MUSHROOM;
}

static void see_sprites(const pf_world *w, corner_t at, int8_t *who) {
    const pf_sprite *sprites = pf_sprites(w);
    for (int k = 0; k < w->n_sprites; k++) {
        int kind = sprites[k].kind;
        int c = cell_of(sprites[k].body.x) - at.column, r = cell_of(sprites[k].body.y) - at.row;
        if (c < 0 || c >= SIGHT_COLUMNS || r < 0 || r >= SIGHT_ROWS)
            continue;
        if (harms(kind))
            who[c * SIGHT_ROWS + r] = can_be_stomped(kind) ? SIGHT_ONE : -SIGHT_ONE;
        else if (is_item(kind) && !who[c * SIGHT_ROWS + r])
            who[c * SIGHT_ROWS + r] = SIGHT_ONE / 4;
    }
}

static float distance(const pf_world *w, const pf_sprite *s) {
    float dx = s->body.x - w->mario.body.x, dy = s->body.y - w->mario.body.y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

static void describe(const pf_world *w, const pf_sprite *s, int8_t *out) {
    out[0] = SIGHT_ONE;
    out[1] = small((s->body.x - w->mario.body.x) / 2);
    out[2] = small((s->body.y - w->mario.body.y) / 2);
    out[3] = small(s->body.vx * 16);
    out[4] = small(s->body.vy * 8);
    out[5] = can_be_stomped(s->kind) ? SIGHT_ONE : -SIGHT_ONE;
    out[6] = s->winged ? SIGHT_ONE : 0;
}

/* The nearest creatures that harm, nearest first. */
static void see_creatures(const pf_world *w, int8_t *out) {
    enum { FAR = 320 };
    const pf_sprite *sprites = pf_sprites(w), *nearest[SIGHT_CREATURES];
    float ways[SIGHT_CREATURES];
    int n = 0;
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        float way = harms(sprites[k].kind) ? distance(w, &sprites[k]) : FAR;
        if (!(way < FAR) || (n == SIGHT_CREATURES && way >= ways[n - 1]))
            continue;
        int place = n < SIGHT_CREATURES ? n++ : n - 1;
        for (; place > 0 && ways[place - 1] > way; place--) {
            ways[place] = ways[place - 1];
            nearest[place] = nearest[place - 1];
        }
        ways[place] = way;
        nearest[place] = &sprites[k];
    }
    for (int k = 0; k < n; k++)
        describe(w, nearest[k], out + k * SIGHT_CREATURE_FIELDS);
}

/* ---- Mario --------------------------------------------------------------------------------- */

static int8_t flag(bool is) { return is ? SIGHT_ONE : 0; }

static void see_mario(const pf_world *w, int8_t *out) {
    const pf_mario *m = &w->mario;
    const pf_body *b = &m->body;
    const pf_elements *e = pf_elements_of(w);
    int keys = e->keys[0] + e->keys[1] + e->keys[2];
    const int8_t fields[SIGHT_MARIO_FIELDS] = {
        small((b->x - (float)(PF_TILE * cell_of(b->x))) * 4),
        small((b->y - (float)(PF_TILE * cell_of(b->y))) * 4),
        small(b->y / 2 - 64),
        small(b->vx * 8),
        small(b->vy * 4),
        (int8_t)(b->facing * SIGHT_ONE),
        flag(b->on_ground),
        flag(m->may_jump),
        small((float)m->jump_time * 8),
        flag(pf_mode(m) == 1),
        flag(pf_mode(m) == 2),
        flag(m->ducking),
        small((float)m->invulnerable * 2),
        flag(m->can_shoot),
        flag(e->climbing),
        flag(e->riding),
        flag(keys),
        flag(w->fireballs),
        SIGHT_ONE,
    };
    memcpy(out, fields, sizeof fields);
}

void sight_fields(const pf_world *w, int8_t *out) {
    corner_t at = {cell_of(w->mario.body.x) - SIGHT_BEHIND, cell_of(w->mario.body.y) - SIGHT_ABOVE};
    int8_t *blocks = out, *holds = blocks + SIGHT_CELLS, *who = holds + SIGHT_CELLS;
    int8_t *creatures = who + SIGHT_CELLS;
    int8_t *mario = creatures + SIGHT_CREATURES * SIGHT_CREATURE_FIELDS;
    memset(who, 0, (size_t)(mario - who));
    see_tiles(w, at, blocks, holds);
    see_platforms(w, at, holds);
    see_sprites(w, at, who);
    see_creatures(w, creatures);
    see_mario(w, mario);
}

/* ---- pictures ------------------------------------------------------------------------------ */

/* A square of grey pixels that shows the screen. Where the side is a constant, so is all that follows.
 */
typedef struct {
    uint8_t *pixels;
    int side;
} canvas_t;

enum { SKY = 40, MARIO_GREY = 255, PLATFORM_GREY = 150 };

static uint8_t grey_of(uint8_t tile) {
    unsigned n = tile_nature[tile];
    if (n & TILE_BLOCKS)
        return tile == 7 || tile == 8 || tile == 11 ? 125 : 110;
    if (n & TILE_HOLDS)
        return PLATFORM_GREY;
    return n & TILE_LADDER ? 85 : n & TILE_USEFUL ? 180 : tile == 15 ? 60 : SKY;
}

static inline void fill(canvas_t to, int left, int top, int right, int bottom, uint8_t grey) {
    left = clamped(left, 0, to.side);
    right = clamped(right, 0, to.side);
    for (int y = clamped(top, 0, to.side); y < clamped(bottom, 0, to.side) && left < right; y++)
        memset(to.pixels + y * to.side + left, grey, (size_t)(right - left));
}

/* A pixel of the screen on the canvas. */
static inline int shrunk(canvas_t to, float pixel) {
    enum { FAR = 4096 };
    int whole = (int)(pixel + FAR);
    return (whole * to.side >> 8) - FAR / PF_SCREEN * to.side;
}

static inline void draw_tile(canvas_t to, int i, int j, int left, int top, uint8_t tile) {
    bool thin = (tile_nature[tile] & (TILE_BLOCKS | TILE_HOLDS)) == TILE_HOLDS;
    int x = i * to.side / PF_TILE - left, y = j * to.side / PF_TILE - top;
    int right = (i + 1) * to.side / PF_TILE - left, bottom = (j + 1) * to.side / PF_TILE - top;
    uint8_t grey = grey_of(tile);
    if (grey != SKY)
        fill(to, x, y, right, thin ? y + 1 : bottom, grey);
}

static inline void draw_tiles(const pf_world *w, canvas_t to) {
    int height = w->level->height, left = shrunk(to, w->camera_x), top = shrunk(to, w->camera_y);
    int last_column = (left + to.side) * PF_TILE / to.side,
        last_row = (top + to.side) * PF_TILE / to.side;
    for (int i = left * PF_TILE / to.side; i <= last_column; i++) {
        const uint8_t *column =
            pf_tiles(w) + (size_t)clamped(i, 0, w->level->width - 1) * (size_t)height;
        for (int j = top * PF_TILE / to.side; j < height && j <= last_row; j++)
            draw_tile(to, i, j, left, top, column[j]);
    }
}

static inline void draw_platforms(const pf_world *w, canvas_t to) {
    for (int k = 0; k < pf_count_platforms(w->level); k++) {
        const pf_platform *p = pf_platforms(w->level) + k;
        int x, y;
        pf_platform_at(p, w->tick, &x, &y);
        int left = shrunk(to, (float)x - w->camera_x), top = shrunk(to, (float)y - w->camera_y);
        fill(to, left, top, left + p->width * to.side / PF_SCREEN, top + 1, PLATFORM_GREY);
    }
}

static inline void draw_body(const pf_world *w, const pf_body *b, uint8_t grey, canvas_t to) {
    int middle = shrunk(to, b->x - w->camera_x), feet = shrunk(to, b->y - w->camera_y) + 1;
    int tall = (b->height * to.side + PF_SCREEN - 1) / PF_SCREEN,
        half = (to.side + PF_TILE) / (2 * PF_TILE);
    fill(to, middle - half, feet - tall, middle + half, feet, grey);
}

static uint8_t grey_of_kind(int kind) {
    return is_item(kind) ? 200 : kind == PF_FIREBALL ? 75 : can_be_stomped(kind) ? 225 : 0;
}

static inline void draw(const pf_world *w, canvas_t to) {
    const pf_sprite *sprites = pf_sprites(w);
    memset(to.pixels, SKY, (size_t)(to.side * to.side));
    draw_tiles(w, to);
    draw_platforms(w, to);
    for (int k = 0; k < w->n_sprites; k++)
        draw_body(w, &sprites[k].body, grey_of_kind(sprites[k].kind), to);
    draw_body(w, &w->mario.body, MARIO_GREY, to);
}

void sight_picture(const pf_world *w, uint8_t *out) { draw(w, (canvas_t){out, SIGHT_SIDE}); }

void sight_screen(const pf_world *w, uint8_t *out) { draw(w, (canvas_t){out, SIGHT_SCREEN_SIDE}); }
