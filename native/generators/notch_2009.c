/* The generator of the 2009 competition: map bytes, 15 rows, an exit with a run-out behind it. */
#include "notch.h"

static const notch_style STYLE = {
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
    .walkers = "rkgy",
};

enum { RUN_OUT = 64, EXIT_AFTER = 8 };

static void add_run_out(notch *n, int length) {
    gen_level *level = n->level;
    level->exit_y = notch_floor(n);
    level->exit_x = length + EXIT_AFTER;
    for (int x = length; x < level->width; x++)
        put_column(level, x, level->exit_y, level->height - 1, STYLE.ground);
}

void gen_notch_2009(gen_level *level, const gen_notch_options *options) {
    notch n = notch_begin(level, &STYLE, options);
    int length = notch_safe_start(&n);
    while (length < level->width - RUN_OUT)
        length += notch_add_zone(&n, length, level->width - length);
    add_run_out(&n, length);
    notch_add_ceiling(&n);
    gen_finish_ground(level, options->type);
}
