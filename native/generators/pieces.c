/* Hills, pipes, cannons and stairs, and the drawing of zones. */
#include "generators/pieces.h"

const gen_style GEN_BYTE_STYLE = {
    .ground = BYTE_GROUND,
    .ceiling = BYTE_GROUND,
    .stairs = BYTE_STAIRS,
    .coin = BYTE_COIN,
    .cannon = {BYTE_MUZZLE, BYTE_NECK, BYTE_POLE},
    .pipe_top = {BYTE_PIPE_TOP, BYTE_PIPE_TOP + 1},
    .pipe_body = {BYTE_PIPE_BODY, BYTE_PIPE_BODY + 1},
    .hill_top = {BYTE_HILL_TOP, BYTE_HILL_TOP + 1, BYTE_HILL_TOP + 2},
    .hill_body = {BYTE_HILL_BODY, BYTE_HILL_BODY + 1, BYTE_HILL_BODY + 2},
    .hill_overlap = {BYTE_HILL_OVERLAP, BYTE_HILL_OVERLAP + 1, BYTE_HILL_OVERLAP + 2},
    .question = {BYTE_QUESTION_POWER_UP, BYTE_QUESTION_COIN},
    .brick = {BYTE_BRICK_POWER_UP, BYTE_BRICK_COIN},
    .plain_brick = BYTE_BRICK,
};

/* What a hill makes of a cell: it fills empty ones and joins the ends of other hills' tops. */
static uint8_t hill_tile(const gen_style *style, uint8_t there, int piece, bool top) {
    if (there == 0)
        return top ? style->hill_top[piece] : style->hill_body[piece];
    if (there == style->hill_top[0])
        return style->hill_overlap[0];
    return there == style->hill_top[2] ? style->hill_overlap[2] : there;
}

static int hill_piece(int x, int first, int last) { return x == last ? 2 : x == first ? 0 : 1; }

void gen_put_hill(gen_level *level, const gen_style *style, int x0, int x1, int top, int bottom) {
    for (int x = x0; x < x1; x++)
        for (int y = top; y < bottom; y++) {
            int piece = hill_piece(x, x0, x1 - 1);
            put(level, x, y, hill_tile(style, get(level, x, y), piece, y == top));
        }
}

void gen_put_pipe_column(gen_level *level, const gen_style *style, int x, int top, int floor,
                         bool right) {
    put_column(level, x, top, floor - 1, style->pipe_body[right]);
    if (top < floor)
        put(level, x, top, style->pipe_top[right]);
}

void gen_put_cannon(gen_level *level, const gen_style *style, int x, int top, int floor) {
    for (int y = top; y < floor; y++)
        put(level, x, y, style->cannon[least(y - top, 2)]);
}

bool gen_is_in_gap(const gen_gap_shape *gap, int x) {
    return x >= gap->x0 + gap->side && x < gap->x1 - gap->side;
}

void gen_put_stairs(gen_level *level, const gen_style *style, const gen_gap_shape *gap, int x) {
    if (!gap->stairs)
        return;
    int height = x < gap->x0 + gap->side ? x - gap->x0 - 1 : gap->x1 - x - 2;
    put_column(level, x, gap->floor - height, gap->floor - 1, style->stairs);
}

/* ---- odds ------------------------------------------------------------------------------------ */

gen_zone_odds gen_odds_of(const int *weights, int n) {
    gen_zone_odds odds = {.n = n};
    for (int zone = 0; zone < n; zone++) {
        odds.first[zone] = odds.total;
        odds.total += weights[zone];
    }
    return odds;
}

int gen_draw_zone(java_random *random, const gen_zone_odds *odds) {
    int drawn = java_below(random, odds->total), zone = odds->n - 1;
    while (odds->first[zone] > drawn)
        zone--;
    return zone;
}
