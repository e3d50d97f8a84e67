/* What nobody can pass, in levels that are impossible on purpose. */
#include "generators/ludus_builder.h"

enum { LEAST_APPROACH = 8, WALL_COLUMNS = 3, BEHIND = 6 };

/* Behind so much ground no height that was gained before and no fall into a pit is of use. Where
 * there is hardly room for a wall, the even ground of the start is enough. */
static int approach(const builder *b) {
    int wanted = b->options->reach_far + 4;
    if (3 * wanted > b->goal - b->options->start_column)
        wanted = LEAST_APPROACH;
    return larger(0, smaller(wanted, b->goal - b->x - WALL_COLUMNS));
}

/* Thrice as wide as any flight: creatures in the air can be stepped on. */
static int gap_columns(const builder *b) { return 3 * b->options->reach_far + 8; }

static int barrier_columns(const builder *b) {
    return approach(b) + (b->barrier == BARRIER_GAP ? gap_columns(b) : WALL_COLUMNS) + BEHIND;
}

/* Walls could be passed above: they need a ceiling. Thin ones let through who grows below them. */
int lg_plan_barrier(builder *b) {
    stream *s = &b->terrain;
    const lg_options *o = b->options;
    bool gap = chance(s, o->ceiling ? 50 : 100), lock = chance(s, 50);
    b->barrier = BARRIER_GAP;
    if (!gap || barrier_columns(b) + 10 > room(b)) {
        b->barrier = lock && (o->keys || o->puzzles) ? BARRIER_LOCK : BARRIER_WALL;
        b->roofed = true;
    }
    b->barred_colour = below(s, LG_COLOURS);
    return b->x + (room(b) - barrier_columns(b)) * between(s, 30, 80) / 100;
}

static void put_barrier_wall(builder *b) {
    lay_ground(b, WALL_COLUMNS, b->floor);
    put_box(b, b->x - WALL_COLUMNS, WALL_COLUMNS, 0, b->floor - 1, 'X');
    if (b->barrier != BARRIER_LOCK)
        return;
    for (int row = b->floor - 3; row < b->floor; row++)
        for (int k = 1; k <= WALL_COLUMNS; k++)
            put_element(b, b->x - k, row, "HIJ"[b->barred_colour]);
}

void lg_put_barrier(builder *b) {
    bool gap = b->barrier == BARRIER_GAP;
    lay_ground(b, approach(b), b->lowest);
    lg_coin_row(b, b->x - 6, 4, b->lowest - 2);
    if (gap)
        b->x += gap_columns(b);
    else
        put_barrier_wall(b);
    lay_ground(b, larger(0, smaller(BEHIND, room(b))), b->lowest);
    b->sealed_to = b->x;
    lg_coin_row(b, b->x - 2, 2, b->lowest - 2);
}
