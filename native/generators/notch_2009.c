/* The generator of the 2009 competition: map bytes, 15 rows, an exit with a run-out behind it. */
#include "generators/notch.h"

static const notch_style STYLE = {.tiles = &GEN_BYTE_STYLE, .walkers = "rkgy"};

enum { RUN_OUT = 64, EXIT_AFTER = 8 };

static void add_run_out(notch *n, int length) {
    gen_level *level = n->level;
    level->exit_y = notch_floor(n);
    level->exit_x = length + EXIT_AFTER;
    for (int x = length; x < level->width; x++)
        put_column(level, x, level->exit_y, level->height - 1, n->tiles->ground);
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
