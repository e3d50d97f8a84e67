/* An empty level, and the finishing of its ground. */
#include "generators/canvas.h"

void gen_clear(gen_level *level) {
    size_t cells = (size_t)level->width * (size_t)level->height;
    memset(level->map, 0, cells);
    memset(level->creatures, 0, cells);
    if (level->data)
        memset(level->data, 0, cells);
    level->exit_x = level->exit_y = 0;
    level->counts = (gen_counts){0};
}

/* By the corners of a cell around which all is ground: 1 upper left, 2 upper right, 4 lower left,
 * 8 lower right. 0 leaves the cell as it is. */
static const uint8_t GROUND_SHAPES[16] = {
    0, 162, 160, 161, 130, 146, 145, 163, 128, 145, 144, 179, 129, 147, 131, 145,
};

static const uint8_t GROUND_COLOURS[] = {
    [GEN_OVERGROUND] = 0, [GEN_UNDERGROUND] = 12, [GEN_CASTLE] = 8,
};

/* For each corner 0 .. height left of column x: are the four cells around it ground? */
static void find_corners(const gen_level *level, int x, uint8_t *corners) {
    int last = level->height - 1;
    const uint8_t *left = level->map + cell_at(level, most(x - 1, 0), 0);
    const uint8_t *right = level->map + cell_at(level, least(x, level->width - 1), 0);
    for (int y = 0; y <= level->height; y++) {
        int above = most(y - 1, 0), below = least(y, last);
        corners[y] = left[above] == BYTE_GROUND && right[above] == BYTE_GROUND
                     && left[below] == BYTE_GROUND && right[below] == BYTE_GROUND;
    }
}

static void finish_column(gen_level *level, int x, const uint8_t *left, const uint8_t *right,
                          int colour) {
    uint8_t *column = level->map + cell_at(level, x, 0);
    for (int y = 0; y < level->height; y++) {
        int corners = left[y] + 2 * right[y] + 4 * left[y + 1] + 8 * right[y + 1];
        if (corners)
            column[y] = (uint8_t)(GROUND_SHAPES[corners] + colour);
    }
}

/* The corners right of a column are found before the column changes. */
void gen_finish_ground(gen_level *level, int type) {
    uint8_t corners[2][GEN_MAX_HEIGHT + 1];
    find_corners(level, 0, corners[0]);
    for (int x = 0; x < level->width; x++) {
        find_corners(level, x + 1, corners[(x + 1) & 1]);
        finish_column(level, x, corners[x & 1], corners[(x + 1) & 1], GROUND_COLOURS[type]);
    }
}
