/* Forks with a dead end. */
#include "generators/ludus_builder.h"

enum {
    SCREEN_HALF = 8, /* columns that are seen ahead of Mario */
    LEAST_DEPTH = SCREEN_HALF + 2,
    UPPER_ROOM = 6, /* rows above a slab */
    STEP_COLUMNS = 3,
    WALL_COLUMNS = 2
};

/* ---- parts ----------------------------------------------------------------------------------- */

static int count_steps(const builder *b, int rise) {
    int step = smaller(3, b->options->reach_up);
    return step > 0 ? (rise + step - 1) / step - 1 : 0;
}

int lg_steps_columns(const builder *b, int rise) { return STEP_COLUMNS * count_steps(b, rise); }

void lg_put_steps(builder *b, int x, int floor, int rise, bool rightwards) {
    int n = count_steps(b, rise);
    for (int k = 1; k <= n; k++) {
        int place = rightwards ? k - 1 : n - k;
        put_box(b, x + STEP_COLUMNS * place, STEP_COLUMNS, floor - rise * k / (n + 1),
                floor - rise * k / (n + 1), '%');
    }
}

void lg_put_wall(builder *b, int x, int n, int floor) {
    put_box(b, x, n, larger(0, floor - out_of_reach(b) - 9), floor - 1, 'X');
}

/* ---- dead ends ------------------------------------------------------------------------------- */

typedef struct {
    int floor, corridor, thickness; /* rows of the lower way and of the slab above it */
    int before, depth;              /* columns up to the fork, and from there to the wall */
    bool upper_blocked, by_ladder;
} fork_plan;

static int slab_top(const fork_plan *fork) {
    return fork->floor - fork->corridor - fork->thickness;
}

int lg_dead_end_columns(const builder *b) {
    return 2 + lg_steps_columns(b, 7) + LEAST_DEPTH + WALL_COLUMNS + 3;
}

static fork_plan plan_fork(builder *b) {
    stream *s = &b->terrain;
    fork_plan fork = {.floor = b->floor};
    fork.corridor = between(s, 3, 5);
    fork.thickness = between(s, 1, 2);
    while (fork.corridor + fork.thickness > 7)
        fork.thickness--;
    if (slab_top(&fork) < UPPER_ROOM)
        fork.floor = b->lowest;
    while (slab_top(&fork) < UPPER_ROOM && fork.corridor > 3)
        fork.corridor--;
    fork.by_ladder = chance(s, b->options->ladders);
    fork.upper_blocked = chance(s, 50) && slab_top(&fork) >= out_of_reach(b);
    int rise = fork.corridor + fork.thickness;
    fork.before = 2 + (fork.by_ladder ? 2 : lg_steps_columns(b, rise));
    int most_depth = smaller(b->options->dead_end_depth, room(b) - fork.before - WALL_COLUMNS - 3);
    int least_depth = larger(LEAST_DEPTH, most_depth * 2 / 3);
    fork.depth = between(s, least_depth, larger(LEAST_DEPTH, most_depth));
    return fork;
}

static void put_way_up(builder *b, const fork_plan *fork, int x) {
    int rise = fork->floor - slab_top(fork);
    if (fork->by_ladder)
        for (int row = slab_top(fork); row < fork->floor; row++)
            put_element(b, x - 1, row, 'l');
    else
        lg_put_steps(b, x - lg_steps_columns(b, rise), fork->floor, rise, true);
}

/* What lies in both ways, so that neither looks better than the other. */
static void furnish(builder *b, const fork_plan *fork, int x) {
    stream *s = &b->terrain;
    int length = fork->depth - 2, bump = x + between(s, 4, larger(4, length - 3));
    for (int way = 0; way < 2; way++) {
        int first = between(s, 1, 4), n = between(s, 3, 6);
        lg_coin_row(b, x + first, n, (way ? slab_top(fork) : fork->floor) - 2);
    }
    if (chance(s, 10 * b->difficulty) && fork->corridor >= 4)
        put_box(b, bump, 2, fork->floor - 1, fork->floor - 1, '#');
    lg_add_places(b, x + 3, length - 3, fork->floor, true);
    lg_add_places(b, x + 3, length - 3, slab_top(fork), true);
}

void lg_dead_end(builder *b) {
    fork_plan fork = plan_fork(b);
    int x = b->x + fork.before, top = slab_top(&fork), wall = x + fork.depth;
    lay_ground(b, fork.before + fork.depth + WALL_COLUMNS + 3, fork.floor);
    put_way_up(b, &fork, x);
    put_box(b, x, fork.depth + WALL_COLUMNS, top, top + fork.thickness - 1, 'X');
    furnish(b, &fork, x);
    if (fork.upper_blocked)
        lg_put_wall(b, wall, WALL_COLUMNS, top);
    else
        put_box(b, wall, WALL_COLUMNS, top, fork.floor - 1, 'X');
}
