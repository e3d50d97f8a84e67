/* Coins, blocks and ladders of the tunable generator. */
#include "generators/tunable.h"

enum { COINS_ABOVE = 2, HIDDEN_ABOVE = 4, HIDDEN_STEP = 4, LEAST_LADDER = 4, FAR = 4 };

/* Columns that a row leaves free at its sides. */
typedef struct {
    int left, right;
} margins;

static margins draw_margins(tunable *t) {
    int left = draw(t, 4);
    return (margins){left, draw(t, 4)};
}

/* How many columns lie between the margins, without the first and the last of the stretch. */
static int room_between(stretch s, margins m) {
    return (s.x1 - 1 - m.right) - (s.x0 + 1 + m.left);
}

/* Puts a tile that holds this many coins. */
static void put_if_empty(tunable *t, int x, int y, uint8_t tile, int coins) {
    if (get(t->level, x, y) != 0)
        return;
    put(t->level, x, y, tile);
    t->counts->coins += coins;
}

/* ---- coins ----------------------------------------------------------------------------------- */

static void add_coin_row(tunable *t, stretch s, margins m) {
    int row = s.floor - COINS_ABOVE;
    if (!t->options.coins || row < 0 || room_between(s, m) <= 1)
        return;
    for (int x = s.x0 + 1 + m.left; x < s.x1 - 1 - m.right; x++)
        put_if_empty(t, x, row, BYTE_COIN, 1);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void add_many_coins(tunable *t, int x, int y) {
    int coins = draw(t, 9) + 1;
    put(t->level, x, y, BYTE_QUESTION_COINS);
    if (inside(t->level, x, y))
        t->level->data[cell_at(t->level, x, y)] = (int8_t)-coins;
    t->counts->coins += coins;
}

static void add_question(tunable *t, int x, int y) {
    int content = draw(t, 6) / 2;
    t->counts->blocks++;
    if (content == 2) {
        add_many_coins(t, x, y);
        return;
    }
    put_if_empty(t, x, y, content ? BYTE_QUESTION_COIN : BYTE_QUESTION_POWER_UP, content);
}

static void add_filled_brick(tunable *t, int x, int y) {
    bool coin = draw(t, 4) != 0;
    t->counts->blocks++;
    put_if_empty(t, x, y, coin ? BYTE_BRICK_COIN : BYTE_BRICK_POWER_UP, coin);
}

/* Returns whether a block was added. */
static bool add_brick(tunable *t, int x, int y) {
    if (draw(t, 2) != 1 || !t->options.blocks || get(t->level, x, y) != 0)
        return false;
    t->counts->blocks++;
    put(t->level, x, y, BYTE_BRICK);
    return true;
}

/* Returns whether a block was added. */
static bool add_block(tunable *t, stretch s, int x, int y) {
    bool at_end = x == s.x0 + 1 || x == s.x1 - 2;
    if (!at_end && draw(t, 3) == 0) {
        if (t->options.blocks)
            add_question(t, x, y);
        return t->options.blocks;
    }
    if (draw(t, 4) == 0) {
        if (t->options.blocks)
            add_filled_brick(t, x, y);
        return t->options.blocks;
    }
    return add_brick(t, x, y);
}

static void add_hidden_block(tunable *t, int x, int y) {
    if (draw(t, 2) != 1)
        return;
    put(t->level, x, y, BYTE_HIDDEN_COIN);
    t->counts->hidden++;
    t->counts->coins++;
}

static void add_row(tunable *t, stretch s, margins m, bool hidden) {
    bool decorated = false;
    for (int x = s.x0 + m.left; x < s.x1 - m.right; x++) {
        if (hidden && t->options.hidden_blocks)
            add_hidden_block(t, x, s.floor - HIDDEN_ABOVE);
        else
            decorated |= add_block(t, s, x, s.floor);
    }
    if (decorated)
        add_coin_row(t, s, m);
}

/* Returns whether two rows are so far apart that a ladder would help. */
static bool add_rows(tunable *t, stretch s, margins m, bool hidden) {
    bool far = false;
    for (s.floor--; s.floor > 0; m = draw_margins(t)) {
        if (room_between(s, m) > 0) {
            add_row(t, s, m, hidden);
            hidden = draw(t, 4) == 0;
        }
        int step = draw(t, 6) + 3;
        far |= step > FAR;
        s.floor -= step;
    }
    draw_bool(t);
    return far;
}

void tunable_add_block_rows(tunable *t, stretch s) { add_rows(t, s, (margins){0, 0}, false); }

void tunable_add_hidden_rows(tunable *t, stretch s) {
    margins m = {0, 0};
    for (s.floor--; s.floor > 0; s.floor -= HIDDEN_STEP, m = draw_margins(t))
        if (room_between(s, m) > 0)
            add_row(t, s, m, true);
    draw_bool(t);
}

/* ---- ladders and decorations ----------------------------------------------------------------- */

void tunable_add_ladder(tunable *t, int x, int floor, int max_height) {
    int height = least(draw(t, t->level->height), max_height);
    if (height < LEAST_LADDER)
        return;
    put_column(t->level, x, floor - height + 1, floor - 1, BYTE_LADDER);
    put(t->level, x, floor - height, BYTE_LADDER_TOP);
}

void tunable_decorate(tunable *t, stretch s) {
    if (s.floor < 1)
        return;
    margins m = draw_margins(t);
    bool hidden = draw(t, t->options.difficulty + 1) > 0;
    if (s.floor - COINS_ABOVE > 0 && !hidden)
        add_coin_row(t, s, m);
    bool far = add_rows(t, s, m, hidden);
    if (far && t->options.ladders && draw(t, 3) == 0)
        tunable_add_ladder(t, draw_bool(t) ? s.x0 : s.x1, s.floor, t->level->height);
}
