#include "drawing/draw.h"

#include <stddef.h>
#include <string.h>

enum { CHANNELS = 3, TEXEL = 4, OPAQUE = 255 };

typedef struct {
    uint8_t *rgb;
    int width, height;
} picture;

static inline uint8_t mix(unsigned above, unsigned below, unsigned alpha) {
    unsigned sum = above * alpha + below * (OPAQUE - alpha) + 128;
    return (uint8_t)((sum + (sum >> 8)) >> 8);
}

static inline void put(uint8_t *to, const uint8_t *texel) {
    unsigned alpha = texel[3];
    if (alpha == OPAQUE) {
        to[0] = texel[0];
        to[1] = texel[1];
        to[2] = texel[2];
    } else if (alpha) {
        to[0] = mix(texel[0], to[0], alpha);
        to[1] = mix(texel[1], to[1], alpha);
        to[2] = mix(texel[2], to[2], alpha);
    }
}

static inline int same_colour(const uint8_t *one, const uint8_t *other) {
    return one[0] == other[0] && one[1] == other[1] && one[2] == other[2];
}

static void fill_background(picture to, const uint8_t *colours) {
    size_t row_size = (size_t)to.width * CHANNELS;
    for (int y = 0; y < to.height; y++) {
        uint8_t *row = to.rgb + y * row_size;
        const uint8_t *colour = colours + y * CHANNELS;
        if (y && same_colour(colour, colour - CHANNELS)) {
            memcpy(row, row - row_size, row_size);
            continue;
        }
        for (size_t i = 0; i < row_size; i += CHANNELS) memcpy(row + i, colour, CHANNELS);
    }
}

/* Texels without regard to alpha. All but the last are stored as four bytes, the fourth to be
 * overwritten by the next texel: half the work of three single ones. */
static inline void copy_texels(uint8_t *restrict to, const uint8_t *restrict texels, int count) {
    for (int x = 0; x < count - 1; x++) memcpy(to + x * CHANNELS, texels + x * TEXEL, TEXEL);
    memcpy(to + (count - 1) * CHANNELS, texels + (count - 1) * TEXEL, CHANNELS);
}

static inline uint32_t word(const uint8_t *texel) {
    uint32_t all;
    memcpy(&all, texel, TEXEL);
    return all;
}

/* One row of a frame; most rows are all opaque or all clear. */
static inline void draw_row(uint8_t *to, const uint8_t *texels, int count) {
    static const uint8_t only_alpha[TEXEL] = {0, 0, 0, OPAQUE};
    uint32_t opaque = word(only_alpha), every = opaque, any = 0;
    for (int x = 0; x < count; x++) {
        every &= word(texels + x * TEXEL);
        any |= word(texels + x * TEXEL);
    }
    if (every == opaque) {
        copy_texels(to, texels, count);
    } else if (any & opaque) {
        for (int x = 0; x < count; x++) put(to + x * CHANNELS, texels + x * TEXEL);
    }
}

/* A frame, cut to the picture; frames of both kinds are 16 texels wide. */
static void draw(picture to, const uint8_t *frame, int rows, int left, int top, int mirrored) {
    int first_x = left < 0 ? -left : 0, first_y = top < 0 ? -top : 0;
    int end_x = to.width - left < PF_TILE_PIXELS ? to.width - left : PF_TILE_PIXELS;
    int end_y = to.height - top < rows ? to.height - top : rows;
    int count = end_x - first_x;
    if (count <= 0) return;
    for (int y = first_y; y < end_y; y++) {
        uint8_t *row = to.rgb + ((size_t)(top + y) * to.width + (left + first_x)) * CHANNELS;
        const uint8_t *texels = frame + y * PF_TILE_PIXELS * TEXEL;
        if (mirrored) {
            texels += (PF_TILE_PIXELS - 1 - first_x) * TEXEL;
            for (int x = 0; x < count; x++) put(row + x * CHANNELS, texels - x * TEXEL);
        } else if (count == PF_TILE_PIXELS) {
            draw_row(row, texels, PF_TILE_PIXELS);
        } else {
            draw_row(row, texels + first_x * TEXEL, count);
        }
    }
}

static int floor_tile(int pixel) {
    return pixel >= 0 ? pixel / PF_TILE_PIXELS : -((PF_TILE_PIXELS - 1 - pixel) / PF_TILE_PIXELS);
}

static void draw_tiles(picture to, int camera_x, int camera_y, const pf_tile_grid *tiles,
                       const pf_frames *frames) {
    int first_column = floor_tile(camera_x), end_column = floor_tile(camera_x + to.width - 1) + 1;
    int first_row = floor_tile(camera_y), end_row = floor_tile(camera_y + to.height - 1) + 1;
    if (first_column < 0) first_column = 0;
    if (first_row < 0) first_row = 0;
    if (end_column > tiles->columns) end_column = tiles->columns;
    if (end_row > tiles->rows) end_row = tiles->rows;
    for (int i = first_column; i < end_column; i++) {
        const uint8_t *column = tiles->codes + (size_t)i * tiles->rows;
        int left = i * PF_TILE_PIXELS - camera_x;
        for (int j = first_row; j < end_row; j++) {
            int index = tiles->frame_of[column[j]];
            if (index == PF_NO_FRAME || index >= frames->count) continue;
            const uint8_t *frame =
                frames->frames + (size_t)index * PF_TILE_PIXELS * PF_TILE_PIXELS * TEXEL;
            draw(to, frame, PF_TILE_PIXELS, left, j * PF_TILE_PIXELS - camera_y, 0);
        }
    }
}

static void draw_sprites(picture to, int camera_x, int camera_y, const pf_frames *frames,
                         const pf_drawn *sprites, int n_sprites, int behind) {
    for (const pf_drawn *s = sprites; s < sprites + n_sprites; s++) {
        if ((s->flip & PF_BEHIND_TILES) != behind) continue;
        if (s->frame < 0 || s->frame >= frames->count) continue;
        const uint8_t *frame =
            frames->frames + (size_t)s->frame * PF_SPRITE_WIDTH * PF_SPRITE_HEIGHT * TEXEL;
        int left = s->x - PF_SPRITE_WIDTH / 2 - camera_x;
        int top = s->y - (PF_SPRITE_HEIGHT - 1) - camera_y;
        draw(to, frame, PF_SPRITE_HEIGHT, left, top, s->flip & PF_MIRRORED);
    }
}

void pf_draw_frame(uint8_t *rgb, int width, int height, int camera_x, int camera_y,
                   const uint8_t *background, const pf_tile_grid *tiles,
                   const pf_frames *tile_frames, const pf_frames *sprite_frames,
                   const pf_drawn *sprites, int n_sprites) {
    picture to = {rgb, width, height};
    fill_background(to, background);
    draw_sprites(to, camera_x, camera_y, sprite_frames, sprites, n_sprites, PF_BEHIND_TILES);
    draw_tiles(to, camera_x, camera_y, tiles, tile_frames);
    draw_sprites(to, camera_x, camera_y, sprite_frames, sprites, n_sprites, 0);
}
