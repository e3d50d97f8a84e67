/* A picture of a piece of a level: background, tiles and sprites as RGB pixels. */
#ifndef LUDUS_PLATFORMER_DRAW_H
#define LUDUS_PLATFORMER_DRAW_H

#include <stdint.h>

enum {
    PF_TILE_PIXELS = 16,   /* a tile frame is 16 x 16 RGBA */
    PF_SPRITE_WIDTH = 16,  /* a sprite frame is 16 x 32 RGBA, its feet in the bottom row */
    PF_SPRITE_HEIGHT = 32,
    PF_NO_FRAME = 255      /* a tile that shows nothing */
};

/* Bits of pf_drawn.flip. */
enum { PF_MIRRORED = 1, PF_BEHIND_TILES = 2 };

/* One sprite to draw. Frames look to the right; x is the middle of the feet, y their pixel row. */
typedef struct {
    int16_t frame, x, y, flip;
} pf_drawn;

typedef struct {
    const uint8_t *frames; /* count frames of RGBA, row by row */
    int count;
} pf_frames;

typedef struct {
    const uint8_t *codes; /* column by column, from the top down */
    int columns, rows;
    const uint8_t *frame_of; /* 256 entries: frame of a tile code, or PF_NO_FRAME */
} pf_tile_grid;

/* Fills rgb (height rows of width pixels) with what a camera at (camera_x, camera_y) sees.
 *
 * background holds one RGB colour per row of the picture. Sprites are drawn in their order, those
 * behind the tiles first. Frames outside their atlas and all beyond the grid show the background.
 */
void pf_draw_frame(uint8_t *rgb, int width, int height, int camera_x, int camera_y,
                   const uint8_t *background, const pf_tile_grid *tiles,
                   const pf_frames *tile_frames, const pf_frames *sprite_frames,
                   const pf_drawn *sprites, int n_sprites);

#endif
