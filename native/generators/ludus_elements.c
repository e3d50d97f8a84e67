/* Zones of the rule set "ludus": ladders, moving platforms, switches and doors, keys and locks, and
 * puzzles made of them. Whatever opens a way lies on this side of it and can be touched again. */
#include "generators/ludus_builder.h"

enum { WALL_COLUMNS = 2, DOOR_ROWS = 3 };

static char key_of(int colour) { return "hij"[colour]; }
static char lock_of(int colour) { return "HIJ"[colour]; }
static char switch_of(int colour) { return "npz"[colour]; }
static char door_of(int colour) { return "NPZ"[colour]; }
static char open_door_of(int colour) { return "()_"[colour]; }

static int next_colour(builder *b) {
    do
        b->colour = (b->colour + 1) % LG_COLOURS;
    while (b->colour == b->barred_colour);
    return b->colour;
}

/* Lays n columns of ground and lets walkers on them. */
static void lay_plain(builder *b, int n, int floor) {
    int x = b->x;
    lay_ground(b, n, floor);
    lg_add_places(b, x + 1, n - 2, floor, false);
}

/* ---- up -------------------------------------------------------------------------------------- */

/* How high a cliff can be here; there must be a level's worth of room above it. */
static int draw_cliff(builder *b) {
    return smaller(between(&b->terrain, 5, 8), b->floor - 6);
}

void lg_ladder(builder *b) {
    if (b->floor < 10)
        b->floor = b->lowest;
    lay_plain(b, between(&b->terrain, 4, 7), b->floor);
    int cliff = draw_cliff(b), top = b->floor - cliff;
    for (int row = top; row < b->floor; row++)
        put_element(b, b->x - 1, row, 'l');
    lay_ground(b, smaller(between(&b->terrain, 5, 9), room(b)), top);
    lg_coin_row(b, b->x - 4, 3, top - 2);
}

/* ---- moving platforms ------------------------------------------------------------------------ */

static void put_track(builder *b, int x, int n, int row, int platform) {
    for (int k = 0; k < n; k++)
        put_element(b, x + k, row, k < platform ? '=' : '.');
}

/* A pit that a platform crosses; it is too wide for a jump. */
static void put_ferry(builder *b) {
    int platform = b->difficulty < 10 ? 4 : 3, wide = smaller(b->options->reach_across, 12) + 4;
    int pit = smaller(between(&b->terrain, larger(wide, 9), larger(wide, 9) + 4), room(b) - 4);
    put_track(b, b->x, pit, b->floor, platform);
    lg_coin_row(b, b->x + pit / 2 - 2, 4, b->floor - 3);
    b->x += pit;
    lay_ground(b, 4, b->floor);
}

/* A platform of n columns that starts at row first and goes to row last and back. */
static void put_lift(builder *b, int x, int n, int first, int last) {
    for (int k = 0; k < n; k++)
        put_element(b, x + k, first, 'v');
    for (int row = first; row != last;) {
        row += last > first ? 1 : -1;
        put_element(b, x, row, ':');
    }
}

/* A pit with a platform that goes up to higher ground. */
static void put_elevator(builder *b) {
    int top = b->floor - draw_cliff(b);
    put_lift(b, b->x + 1, 3, b->floor, top);
    b->x += 5;
    lay_ground(b, smaller(5, room(b)), top);
}

/* A pit with platforms that go up and down, one up while the next is down. */
static void put_lifts(builder *b) {
    int n = between(&b->terrain, 2, 3), swing = smaller(3, b->options->reach_up);
    for (int k = 0; k < n && room(b) >= 12; k++) {
        int high = b->floor - swing + 1, low = b->floor + 1;
        b->x += larger(1, smaller(2, gap_limit(b, 0)));
        put_lift(b, b->x, 3, k % 2 ? low : high, k % 2 ? high : low);
        b->x += 3;
    }
    b->x += larger(1, smaller(2, gap_limit(b, 0)));
    lay_ground(b, smaller(4, room(b)), b->floor);
}

void lg_moving_platforms(builder *b) {
    int kind = below(&b->terrain, 3);
    lay_plain(b, between(&b->terrain, 3, 5), b->floor);
    if (kind == 0 && b->floor >= 11 && b->options->reach_up >= 1)
        put_elevator(b);
    else if (kind == 1 && b->options->reach_up >= 1 && b->floor + 1 < b->options->height)
        put_lifts(b);
    else
        put_ferry(b);
}

/* ---- doors and locks ------------------------------------------------------------------------- */

/* A wall with a doorway that is closed by this. */
static void put_gate(builder *b, int n, char closed) {
    lay_ground(b, n, b->floor);
    lg_put_wall(b, b->x - n, n, b->floor);
    for (int row = b->floor - DOOR_ROWS; row < b->floor; row++)
        for (int k = 1; k <= n; k++)
            put_element(b, b->x - k, row, closed);
}

/* Something to be fetched from a ledge: nobody touches it by running past. */
static void put_on_ledge(builder *b, int x, char what) {
    int step = smaller(3, b->options->reach_up), row = b->floor - 2 * step;
    put_box(b, x, 4, b->floor - step, b->floor - step, '%');
    if (step == 3 && chance(&b->terrain, 50) && row >= 4)
        put_box(b, x + 4, 3, row, row, '%'), x += 4;
    else
        row = b->floor - step;
    put_element(b, x + 1, row - 1 - (step == 1), what);
}

/* The wrong switch closes a door that was open. */
static void put_decoy(builder *b, int colour) {
    put_on_ledge(b, b->x - 9, switch_of(colour));
    put_gate(b, 1, open_door_of(colour));
}

void lg_switch(builder *b) {
    int colour = next_colour(b), before = between(&b->terrain, 10, 14);
    bool decoy = chance(&b->terrain, 5 * b->difficulty) && room(b) >= before + 16;
    lay_plain(b, before, b->floor);
    put_on_ledge(b, b->x - before + 1, switch_of(colour));
    if (decoy) {
        lay_plain(b, 10, b->floor);
        put_decoy(b, next_colour(b));
    }
    put_gate(b, WALL_COLUMNS, door_of(colour));
    lay_ground(b, 3, b->floor);
}

void lg_key(builder *b) {
    int colour = next_colour(b), before = between(&b->terrain, 10, 15);
    lay_plain(b, before, b->floor);
    put_on_ledge(b, b->x - before + 1, key_of(colour));
    put_gate(b, WALL_COLUMNS, lock_of(colour));
    lay_ground(b, 3, b->floor);
}

/* ---- puzzles --------------------------------------------------------------------------------- */

/* A puzzle is a chain: what lies in one niche opens the next one, and what lies in the last opens
 * the gate behind them all. The niches stand in any order. Niches are dead ends below slabs; the
 * way over the slabs is open in both directions. */

enum { MOST_LINKS = 3, NICHE_DEPTH = 11, CORRIDOR = 4, SLAB = 1, RISE = CORRIDOR + SLAB };

typedef struct {
    char inside, closed; /* closed: what closes the niche, or 0 */
} niche;

static int niche_columns(const builder *b) {
    return 2 * lg_steps_columns(b, RISE) + NICHE_DEPTH + WALL_COLUMNS + 2;
}

int lg_puzzle_columns(const builder *b) { return 2 * niche_columns(b) + 12; }

static int count_links(builder *b) {
    bool longer = b->difficulty >= 8 || chance(&b->terrain, 30 + 5 * b->difficulty);
    return longer && room(b) >= 3 * niche_columns(b) + 12 ? MOST_LINKS : 2;
}

static void put_niche(builder *b, const niche *n) {
    int steps = lg_steps_columns(b, RISE), length = NICHE_DEPTH + WALL_COLUMNS;
    int x = b->x + 1 + steps, top = b->floor - RISE;
    bool mirrored = chance(&b->terrain, 40);
    lay_ground(b, niche_columns(b), b->floor);
    lg_put_steps(b, x - steps, b->floor, RISE, true);
    lg_put_steps(b, x + length, b->floor, RISE, false);
    put_box(b, x, length, top, top + SLAB - 1, 'X');
    put_box(b, mirrored ? x : x + NICHE_DEPTH, WALL_COLUMNS, top, b->floor - 1, 'X');
    put_element(b, mirrored ? x + WALL_COLUMNS + 1 : x + NICHE_DEPTH - 2, b->floor - 1, n->inside);
    lg_coin_row(b, x + 3, length - 6, top - 2);
    lg_add_places(b, x + 2, length - 4, top, false);
    if (n->closed)
        for (int row = top + SLAB; row < b->floor; row++)
            put_element(b, mirrored ? x + length - 1 : x, row, n->closed);
}

static void shuffle(builder *b, niche *niches, int n) {
    for (int k = n - 1; k > 0; k--) {
        int other = below(&b->terrain, k + 1);
        niche kept = niches[k];
        niches[k] = niches[other];
        niches[other] = kept;
    }
}

void lg_puzzle(builder *b) {
    niche niches[MOST_LINKS];
    int n = count_links(b);
    char closed = 0;
    b->floor = larger(b->floor, smaller(b->lowest, RISE + 6));
    for (int k = 0; k < n; k++) {
        int colour = next_colour(b);
        bool is_key = k == 0 ? chance(&b->terrain, 30) : chance(&b->terrain, 60);
        niches[k] = (niche){is_key ? key_of(colour) : switch_of(colour), closed};
        closed = is_key ? lock_of(colour) : door_of(colour);
    }
    shuffle(b, niches, n);
    lay_ground(b, 3, b->floor);
    for (int k = 0; k < n; k++)
        put_niche(b, &niches[k]);
    lay_ground(b, 2, b->floor);
    put_gate(b, WALL_COLUMNS, closed);
    lay_ground(b, 3, b->floor);
}
