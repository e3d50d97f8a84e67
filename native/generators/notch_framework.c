/* The framework's version of the 2009 generator: the characters of a level text, filled to the end.
 *
 * Question blocks come out as bricks and bricks as coins, whatever is drawn for their content.
 */
#include "generators/notch.h"

static const gen_style TILES = {
    .ground = 'X',
    .ceiling = 'S',
    .stairs = 'X',
    .coin = 'o',
    .cannon = {'*', '*', '*'},
    .pipe_top = {'t', 't'},
    .pipe_body = {'t', 't'},
    .hill_top = {'%', '%', '%'},
    .hill_body = {'|', '|', '|'},
    .hill_overlap = {'%', '%', '%'},
    .question = {'S', 'S'},
    .brick = {'o', 'o'},
    .plain_brick = 'o',
};

static const notch_style STYLE = {
    .tiles = &TILES,
    .flower_fills_pipe = true,
    .walkers = "gkry",
    .easy_walker = 1,
};

void gen_notch_framework(gen_level *level, const gen_notch_options *options) {
    notch n = notch_begin(level, &STYLE, options);
    int length = notch_safe_start(&n);
    while (length < level->width)
        length += notch_add_zone(&n, length, level->width - length);
    notch_floor(&n); /* of the run-out that the 2009 generator has */
    notch_add_ceiling(&n);
}
