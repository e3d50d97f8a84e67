/* What players see: receptive fields, positions, Mario's state. */
#include "platformer/rules/rules.h"

#include <string.h>

/* Toward zero, as all of the engine's conversions. */
static int tile_at(float pixel) { return (int)(pixel * 0.0625f); }

static int clamp(int value, int most) {
    value = value < 0 ? 0 : value;
    return value < most ? value : most;
}

typedef struct {
    int first_column, first_row; /* level cell of out[0][0] */
} corner_t;

static corner_t corner_of(const pf_world *w, const pf_view *view) {
    float x = view->on_screen ? w->camera_x + 128 : w->mario.body.x;
    float y = view->on_screen ? 128 : w->mario.body.y;
    return (corner_t){(int)x / 16 - view->columns / 2, (int)y / 16 - view->rows / 2};
}

enum { BLOCK = 8 };

/* Most of a level is air, and the code of air is 0. */
static inline void copy_block(const uint8_t *tiles, const uint8_t *codes, uint8_t *restrict out) {
    static const uint8_t air[BLOCK];
    if (!memcmp(tiles, air, BLOCK)) {
        memset(out, 0, BLOCK);
        return;
    }
    for (int k = 0; k < BLOCK; k++)
        out[k] = codes[tiles[k]];
}

/* Blocks of eight, of which the last may overlap the one before. */
static void copy_column(const uint8_t *tiles, const uint8_t *codes, int n, uint8_t *out) {
    for (int k = 0; n < BLOCK && k < n; k++)
        out[k] = codes[tiles[k]];
    for (int k = 0; k < n - BLOCK; k += BLOCK)
        copy_block(tiles + k, codes, out + k);
    if (n >= BLOCK)
        copy_block(tiles + n - BLOCK, codes, out + n - BLOCK);
}

/* Rows of a field above, in and below the level. */
typedef struct {
    int above, inside, below;
} rows_t;

static rows_t rows_of(const pf_level *level, int first, int rows) {
    int above = clamp(-first, rows), below = clamp(first + rows - level->height, rows);
    return (rows_t){above, rows - above - below, below};
}

static const uint8_t *column_of(const pf_level *level, const uint8_t *tiles, int column) {
    return tiles + (size_t)clamp(column, level->width - 1) * (size_t)level->height;
}

/* Rows from `first` on of one level column. Outside the level a row is 0, or in the scene the nearest
 * row there is. */
static void see_column(const uint8_t *tiles, const uint8_t *codes, int height, int first, rows_t rows,
                       bool repeat_rows, uint8_t *out) {
    if (rows.above)
        memset(out, repeat_rows ? codes[tiles[0]] : 0, (size_t)rows.above);
    if (rows.inside > 0)
        copy_column(tiles + first + rows.above, codes, rows.inside, out + rows.above);
    if (rows.below)
        memset(out + rows.above + rows.inside, repeat_rows ? codes[tiles[height - 1]] : 0,
               (size_t)rows.below);
}

/* Whether the columns from one to another are as the level began: most are not even looked at. */
static bool is_unchanged(const pf_world *w, int first_column, int last_column) {
    const uint8_t *first = column_of(w->level, pf_tiles(w), first_column);
    const uint8_t *last = column_of(w->level, pf_tiles(w), last_column);
    int right = w->level->width - 1;
    if (clamp(last_column, right) < w->changed_from || clamp(first_column, right) >= w->changed_to)
        return true;
    size_t size = (size_t)(last - first) + (size_t)w->level->height;
    return !memcmp(first, pf_level_tiles(w->level) + (first - pf_tiles(w)), size);
}

static bool repeats_rows(const pf_rules *rules, enum pf_grid grid) {
    return grid == PF_SCENE && !rules->air_outside;
}

static void see_tiles(const pf_world *w, enum pf_grid grid, const pf_view *view, corner_t corner,
                      bool only_changed, uint8_t *out) {
    const pf_level *level = w->level;
    const uint8_t *codes = w->rules->scene_codes[view->scene_detail];
    rows_t rows = rows_of(level, corner.first_row, view->rows);
    bool repeat_rows = repeats_rows(w->rules, grid);
    for (int c = 0; c < view->columns; c++) {
        uint8_t *seen = out + (size_t)c * (size_t)view->rows;
        int column = corner.first_column + c;
        const uint8_t *tiles = column_of(level, pf_tiles(w), column);
        bool inside = (unsigned)column < (unsigned)level->width;
        if (only_changed && is_unchanged(w, column, column))
            continue;
        if (inside || !w->rules->air_outside)
            see_column(tiles, codes, level->height, corner.first_row, rows, repeat_rows, seen);
        else
            memset(seen, 0, (size_t)view->rows);
    }
}

/* ---- sceneries ---------------------------------------------------------------------------------- */

enum { SLACK = 4 }; /* rows above and below the level that Mario is seen in by jumping and by falling */

static int rows_beyond(const pf_view *view) { return view->rows / 2 + SLACK; }

size_t pf_scenery_size(const pf_level *level, const pf_view *view) {
    enum { MOST = 1 << 20 };
    size_t size = (size_t)level->width * (size_t)(level->height + 2 * rows_beyond(view));
    bool common = !level->rules->observe && !level->rules->air_outside;
    return common && size <= MOST ? sizeof(pf_scenery) + size : 0;
}

void pf_scenery_build(pf_scenery *scenery, const pf_level *level, enum pf_grid grid, const pf_view *view) {
    const uint8_t *codes = level->rules->scene_codes[view->scene_detail], *tiles = pf_level_tiles(level);
    int beyond = rows_beyond(view), height = level->height + 2 * beyond;
    rows_t rows = rows_of(level, -beyond, height);
    *scenery = (pf_scenery){.level = level, .beyond = beyond};
    for (int column = 0; column < level->width; column++)
        see_column(column_of(level, tiles, column), codes, level->height, -beyond, rows,
                   repeats_rows(level->rules, grid), scenery->codes + (size_t)column * (size_t)height);
}

static bool is_in_scenery(const pf_scenery *scenery, const pf_world *w, const pf_view *view, corner_t corner) {
    return scenery && scenery->level == w->level && corner.first_row >= -scenery->beyond
           && corner.first_row + view->rows <= w->level->height + scenery->beyond;
}

static void copy_scenery(const pf_scenery *scenery, const pf_view *view, corner_t corner, uint8_t *out) {
    enum { USUAL_ROWS = 16 }; /* a size that the compiler knows is copied without a call */
    const pf_level *level = scenery->level;
    size_t height = (size_t)(level->height + 2 * scenery->beyond), rows = (size_t)view->rows;
    const uint8_t *column = scenery->codes + (size_t)clamp(corner.first_column, level->width - 1) * height
                            + (corner.first_row + scenery->beyond);
    for (int c = 0; c < view->columns; c++, out += rows) {
        if (rows == USUAL_ROWS)
            memcpy(out, column, USUAL_ROWS);
        else
            memcpy(out, column, rows);
        bool has_next = (unsigned)(corner.first_column + c) < (unsigned)(level->width - 1);
        column += has_next ? height : 0;
    }
}

/* ---- grids -------------------------------------------------------------------------------------- */

static void see_scene(const pf_world *w, enum pf_grid grid, const pf_view *view, const pf_scenery *scenery,
                      corner_t corner, uint8_t *out) {
    int last_column = corner.first_column + view->columns - 1;
    bool known = is_in_scenery(scenery, w, view, corner);
    if (known)
        copy_scenery(scenery, view, corner, out);
    if (!known || !is_unchanged(w, corner.first_column, last_column))
        see_tiles(w, grid, view, corner, known, out);
    if (w->rules->see_scene)
        w->rules->see_scene(w, view, corner.first_column, corner.first_row, out);
}

/* The first column and the first row of the field never show a creature, as in the references. */
static void see_sprites(const pf_world *w, const pf_view *view, corner_t corner, bool keep_scene,
                        uint8_t *out) {
    const uint8_t *codes = w->rules->enemy_codes[view->enemy_detail];
    const pf_sprite *sprites = pf_sprites(w);
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        bool noted = w->rules->seen_in_cells;
        int column = noted ? sprites[k].map_x : tile_at(sprites[k].body.x);
        int row = noted ? sprites[k].map_y : tile_at(sprites[k].body.y);
        int c = column - corner.first_column, r = row - corner.first_row;
        uint8_t code = codes[sprites[k].kind];
        if (column < 0 || row < 0 || c <= 0 || c >= view->columns || r <= 0 || r >= view->rows)
            continue;
        uint8_t *cell = &out[(size_t)c * (size_t)view->rows + (size_t)r];
        if (!keep_scene || (code && !(*cell && *cell == w->rules->keeps_code)))
            *cell = code;
    }
}

void pf_observe(const pf_world *w, enum pf_grid grid, const pf_view *view, uint8_t *out) {
    pf_observe_scenery(w, grid, view, NULL, out);
}

void pf_observe_scenery(const pf_world *w, enum pf_grid grid, const pf_view *view, const pf_scenery *scenery,
                        uint8_t *out) {
    if (w->rules->observe) {
        w->rules->observe(w, grid, view, out);
        return;
    }
    corner_t corner = corner_of(w, view);
    if (grid == PF_ENEMIES)
        memset(out, 0, (size_t)view->columns * (size_t)view->rows);
    else
        see_scene(w, grid, view, scenery, corner, out);
    if (grid != PF_SCENE)
        see_sprites(w, view, corner, grid == PF_MERGED, out);
}

int pf_enemy_positions(const pf_world *w, bool relative, int skipped, float *out, size_t capacity) {
    const pf_sprite *sprites = pf_sprites(w);
    float x = relative ? w->mario.body.x : 0, y = relative ? w->mario.body.y : 0;
    int n = 0;
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        int number = w->rules->listed_kinds[sprites[k].kind];
        if (!number)
            continue;
        if (n >= skipped && (size_t)(n - skipped) < capacity) {
            float *place = out + 3 * (n - skipped);
            place[0] = (float)number;
            place[1] = sprites[k].body.x - x;
            place[2] = sprites[k].body.y - y;
        }
        n++;
    }
    return n;
}

void pf_state(const pf_world *w, float *out) {
    const pf_mario *m = &w->mario;
    const int32_t *of_kind = w->log.of_kind;
    int kills = of_kind[PF_STOMP_KILL] + of_kind[PF_FIRE_KILL] + of_kind[PF_SHELL_KILL]
                + of_kind[PF_FALL_KILL];
    const float state[PF_STATE_FIELDS] = {
        m->body.x,
        m->body.y,
        m->body.vx,
        m->body.vy,
        (float)w->status,
        (float)pf_mode(m),
        m->body.on_ground,
        m->may_jump,
        m->fire && m->can_shoot && w->fireballs < 2,
        (float)(w->rules->carries && w->rules->carries(w)),
        m->jump_time > 0,
        m->ducking,
        (float)m->invulnerable,
        (float)w->timer,
        (float)kills,
        (float)of_kind[PF_FIRE_KILL],
        (float)of_kind[PF_STOMP_KILL],
        (float)of_kind[PF_SHELL_KILL],
        (float)of_kind[PF_FALL_KILL],
        (float)w->coins,
        (float)(w->rules->count_keys ? w->rules->count_keys(w) : 0),
    };
    memcpy(out, state, sizeof state);
}
