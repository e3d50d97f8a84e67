/* How bodies move: sub-steps of at most 8 pixels, probes at the leading edge, snapping to tiles.
 *
 * The three engines of the family share this geometry to the last bit. A rule set includes this file
 * after it has defined
 *
 *     uint8_t features[256]                           FEATURE_* bits of each tile code
 *     void mario_probed(pf_world *, int i, int j, bool blocked, float direction)
 *     void shell_probed(pf_world *, int i, int j)     a moving shell ran into this tile
 *
 * so that everything is inlined into its tick and no rule costs another rule set a branch.
 * Floating-point expressions are written in the order in which they must be rounded.
 */
#ifndef LUDUS_PLATFORMER_MOTION_H
#define LUDUS_PLATFORMER_MOTION_H

#include "platformer.h"

#if defined(__GNUC__)
#define PF_INLINE static inline __attribute__((always_inline))
#define PF_COLD __attribute__((noinline, cold))
#define PF_LIKELY(x) __builtin_expect(!!(x), 1)
#define PF_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define PF_INLINE static inline
#define PF_COLD
#define PF_LIKELY(x) (x)
#define PF_UNLIKELY(x) (x)
#endif

enum {
    FEATURE_ALL = 1,    /* solid from every side */
    FEATURE_UPPER = 2,  /* solid for upward motion */
    FEATURE_LOWER = 4,  /* solid for downward motion */
    FEATURE_BUMPABLE = 8,
    FEATURE_BREAKABLE = 16,
    FEATURE_SPECIAL = 32, /* holds a power-up */
    FEATURE_LIFE = 64,    /* holds a 1-up */
    FEATURE_PICKABLE = 128
};

enum mover { MOVES_PLAIN, MOVES_FROM_CLIFFS, MOVES_AS_SHELL, MOVES_AS_MARIO };

static const uint8_t features[256];
static void mario_probed(pf_world *w, int i, int j, bool blocked, float direction);
static void shell_probed(pf_world *w, int i, int j);

/* Toward zero, so that the pixels above and left of the level count as row and column 0. */
PF_INLINE int tile_at(float pixel) { return (int)(pixel * 0.0625f); }

PF_INLINE int clamp_column(const pf_level *level, int i) {
    i = i < 0 ? 0 : i;
    return i < level->width ? i : level->width - 1;
}

PF_INLINE int block(const pf_world *w, int i, int j) {
    const pf_level *level = w->level;
    if ((unsigned)j >= (unsigned)level->height)
        return 0;
    return pf_tiles(w)[clamp_column(level, i) * level->height + j];
}

PF_INLINE void set_block(pf_world *w, int i, int j, int tile) {
    const pf_level *level = w->level;
    if ((unsigned)i < (unsigned)level->width && (unsigned)j < (unsigned)level->height)
        pf_tiles(w)[i * level->height + j] = (uint8_t)tile;
}

PF_INLINE bool solid(const pf_world *w, int i, int j, unsigned mask) {
    return features[block(w, i, j)] & mask;
}

/* Whether tile (i, j) blocks a body that stands in tile (i0, j0): its own tile never does. */
PF_INLINE bool probe(pf_world *w, int i0, int j0, int i, int j, unsigned mask, float direction,
                     enum mover how) {
    if (i == i0 && j == j0)
        return false;
    bool blocked = solid(w, i, j, mask);
    if (how == MOVES_AS_MARIO)
        mario_probed(w, i, j, blocked, direction);
    return blocked;
}

PF_INLINE bool blocked_sideways(pf_world *w, const pf_body *b, float dx, float edge,
                                enum mover how) {
    int i0 = tile_at(b->x), j0 = tile_at(b->y), i = tile_at(b->x + dx + edge);
    int top = tile_at(b->y - (float)b->height), middle = tile_at(b->y - (float)(b->height / 2));
    bool high = probe(w, i0, j0, i, top, FEATURE_ALL, 0, how);
    if (how == MOVES_AS_SHELL && high)
        shell_probed(w, i, top);
    bool mid = probe(w, i0, j0, i, middle, FEATURE_ALL, 0, how);
    if (how == MOVES_AS_SHELL && mid)
        shell_probed(w, i, middle);
    bool low = probe(w, i0, j0, i, j0, FEATURE_ALL, 0, how);
    if (how == MOVES_AS_SHELL && low)
        shell_probed(w, i, j0);
    bool cliff = how == MOVES_FROM_CLIFFS && b->on_ground
                 && !solid(w, i, (int)(b->y * 0.0625f + 1), FEATURE_ALL | FEATURE_LOWER);
    return high | mid | low | cliff;
}

/* One sub-step sideways; false if blocked. `stays` leaves a free body where it is (frozen). */
PF_INLINE bool substep_x(pf_world *w, pf_body *b, float dx, enum mover how, bool stays) {
    int half = b->half_width;
    float edge = (float)half;
    if (dx > 0) {
        if (PF_LIKELY(!blocked_sideways(w, b, dx, edge, how))) {
            b->x = stays ? b->x : b->x + dx;
            return true;
        }
        b->x = (float)(16 * (int)((b->x + edge) * 0.0625f + 1) - half - 1);
    } else {
        if (PF_LIKELY(!blocked_sideways(w, b, dx, -edge, how))) {
            b->x = stays ? b->x : b->x + dx;
            return true;
        }
        b->x = (float)(16 * tile_at(b->x - edge) + half);
    }
    b->vx = 0;
    return false;
}

PF_INLINE bool substep_down(pf_world *w, pf_body *b, float dy, enum mover how, bool stays) {
    float edge = (float)b->half_width, y = b->y + dy;
    int i0 = tile_at(b->x), j0 = tile_at(b->y);
    int left = tile_at(b->x - edge), right = tile_at(b->x + edge);
    int row = tile_at(y), below = tile_at(y + 1);
    unsigned down = FEATURE_ALL | FEATURE_LOWER;
    if (!probe(w, i0, j0, left, row, FEATURE_ALL, 0, how)
        && !probe(w, i0, j0, right, row, FEATURE_ALL, 0, how)
        && !probe(w, i0, j0, left, below, down, dy, how)
        && !probe(w, i0, j0, right, below, down, dy, how)) {
        b->y = stays ? b->y : y;
        return true;
    }
    float feet = how == MOVES_AS_MARIO ? b->y - 1 : b->y;
    b->y = (float)(16 * (int)(feet * 0.0625f + 1) - 1);
    b->on_ground = 1;
    return false;
}

PF_INLINE bool substep_up(pf_world *w, pf_body *b, float dy, enum mover how, bool stays) {
    float edge = (float)b->half_width, y = b->y + dy;
    int i0 = tile_at(b->x), j0 = tile_at(b->y), row = tile_at(y - (float)b->height);
    unsigned up = FEATURE_ALL | FEATURE_UPPER;
    if (!probe(w, i0, j0, i0, row, up, dy, how)
        && !probe(w, i0, j0, tile_at(b->x - edge), row, up, dy, how)
        && !probe(w, i0, j0, tile_at(b->x + edge), row, up, dy, how)) {
        b->y = stays ? b->y : y;
        return true;
    }
    b->y = (float)(16 * tile_at(b->y - (float)b->height) + b->height);
    b->vy = 0;
    return false;
}

/* Moves a body sideways; false if something was in the way, which discards the rest. */
PF_INLINE bool move_x(pf_world *w, pf_body *b, float dx, enum mover how, bool stays) {
    for (; dx > 8; dx -= 8)
        if (!substep_x(w, b, 8, how, stays))
            return false;
    for (; dx < -8; dx += 8)
        if (!substep_x(w, b, -8, how, stays))
            return false;
    return dx == 0 || substep_x(w, b, dx, how, stays);
}

/* Moves a body up or down; false if something was in the way, which discards the rest. */
PF_INLINE bool move_y(pf_world *w, pf_body *b, float dy, enum mover how, bool stays) {
    for (; dy > 8; dy -= 8)
        if (!substep_down(w, b, 8, how, stays))
            return false;
    for (; dy < -8; dy += 8)
        if (!substep_up(w, b, -8, how, stays))
            return false;
    if (dy > 0)
        return substep_down(w, b, dy, how, stays);
    return dy == 0 || substep_up(w, b, dy, how, stays);
}

#endif
