/* Pictures. */
#include "drawing/draw.h"
#include "abi/internal.h"

_Static_assert(sizeof(pf_drawn) == sizeof(ludus_drawn), "sprites are handed on as they are");

enum { MOST_PIXELS = 1 << 15 }; /* of a side */

static int32_t check_sizes(const ludus_scene_picture *p, size_t capacity) {
    if (p->width < 1 || p->height < 1 || p->width > MOST_PIXELS || p->height > MOST_PIXELS)
        return abi_fail(LUDUS_BAD_OPTION, "a picture of %d x %d pixels is out of range: give 1 to %d",
                        (int)p->width, (int)p->height, MOST_PIXELS);
    size_t wanted = 3 * (size_t)p->width * (size_t)p->height;
    if (capacity < wanted)
        return abi_fail(LUDUS_BAD_OPTION, "%zu bytes are too few: give room for %zu", capacity, wanted);
    if (p->columns < 0 || p->rows < 0 || p->n_tile_frames < 0 || p->n_sprite_frames < 0
        || p->n_sprites > INT32_MAX)
        return abi_fail(LUDUS_BAD_OPTION, "a count is negative: give columns, rows and frames from 0 on");
    return LUDUS_OK;
}

int32_t ludus_draw(const ludus_scene_picture *given, uint8_t *rgb, size_t capacity) {
    ludus_scene_picture p;
    int32_t error = abi_read_options(&p, sizeof p, given);
    if (error || (error = check_sizes(&p, capacity)))
        return error;
    pf_tile_grid grid = {p.tiles, p.columns, p.rows, p.frame_of};
    pf_frames tiles = {p.tile_frames, p.n_tile_frames}, sprites = {p.sprite_frames, p.n_sprite_frames};
    pf_draw_frame(rgb, p.width, p.height, p.camera_x, p.camera_y, p.background, &grid, &tiles, &sprites,
                  (const pf_drawn *)(const void *)p.sprites, (int)p.n_sprites);
    return LUDUS_OK;
}
