/* Blocks with what they hold, coins, and hidden blocks. */
#include "generators/ludus_builder.h"

#include <string.h>

/* ---- blocks ---------------------------------------------------------------------------------- */

/* q is a question block, b a brick; the upper row is four rows above the lower one. */
typedef struct {
    const char *upper, *lower;
} formation;

static const formation FORMATIONS[] = {
    {"", "q"},         {"", "bqb"},         {"", "qqq"},         {"", "bqqb"},
    {"", "bqbqb"},     {"", "bbqbb"},       {"", "q-q-q"},       {"", "qb-bq"},
    {"", "q--q--q"},   {"--q--", "bqbqb"},  {"-qbq-", "bbqbb"},  {"--qqq--", "bb---bb"},
    {"q-----q", "-bqbqb-"}, {"bbqbb", "q---q"}, {"-bbbbq-", "qb---bq"}, {"qqqq", "bbbb"},
    {"--bqqb--", "bqb--bqb"}, {"", "bbqbbqbb"},
};
enum { N_FORMATIONS = sizeof FORMATIONS / sizeof *FORMATIONS };

/* Question blocks are filled first, bricks when more than half of all blocks hold something. */
static char block_of(builder *b, char kind) {
    const lg_options *o = b->options;
    stream *s = &b->items;
    int full = o->power_ups + o->coin_blocks + o->one_ups;
    bool question = kind == 'q';
    int roll = below(s, 100), what = full ? below(s, full) : 0;
    if (roll >= (question ? 2 * full : 2 * full - 100))
        return 'S';
    if (what < o->one_ups)
        return 'L';
    if (what < o->one_ups + o->power_ups)
        return question ? '?' : 'U';
    return question ? '!' : 'C';
}

static void put_blocks(builder *b, int x, int row, const char *pattern) {
    for (; *pattern; pattern++, x++)
        if (*pattern != '-' && row >= 2)
            put_if_empty(b, x, row, block_of(b, *pattern));
}

/* Puts a formation of at most n columns; returns its length, 0 if none fits. */
static int put_formation(builder *b, int x, int n, int floor) {
    const formation *f;
    int length, tries = 4;
    do {
        f = &FORMATIONS[below(&b->items, N_FORMATIONS)];
        length = (int)strlen(f->lower);
    } while (length > n && --tries);
    if (length > n)
        return 0;
    x += between(&b->items, 0, n - length);
    put_blocks(b, x, floor - 4, f->lower);
    put_blocks(b, x, floor - 8, f->upper);
    return length;
}

/* ---- hidden blocks --------------------------------------------------------------------------- */

static void put_hidden(builder *b, int x, int n, int floor) {
    stream *s = &b->items;
    int wanted = between(s, 1, 3), at = between(s, x, x + n - wanted), row = floor - 4;
    for (int column = at; column < at + wanted; column++) {
        char block = chance(s, 10) ? '1' : '2';
        if (row >= 2 && look(b, column, row + 1) == '-')
            put_if_empty(b, column, row, block);
    }
}

/* ---- coins ----------------------------------------------------------------------------------- */

static bool wants_coins(builder *b) { return chance(&b->coins, b->options->coins); }

static void put_coin(builder *b, int x, int row) {
    if (row >= 2)
        put_if_empty(b, x, row, 'o');
}

void lg_coin_row(builder *b, int x, int n, int row) {
    if (!wants_coins(b))
        return;
    for (int column = x; column < x + n; column++)
        put_coin(b, column, row);
}

/* Over n columns as a jump goes; row is that of the ends. */
void lg_coin_arc(builder *b, int x, int n, int row) {
    if (!wants_coins(b))
        return;
    for (int k = 0; k < n; k++)
        put_coin(b, x + k, row - smaller(2, smaller(k, n - 1 - k)));
}

static void put_coin_figure(builder *b, int x, int n, int floor) {
    stream *s = &b->coins;
    int kind = below(s, 5), length = between(s, smaller(3, n), smaller(n, 8));
    if (!wants_coins(b))
        return;
    x += between(s, 0, n - length);
    for (int k = 0; k < length; k++) {
        int row = floor - 3;
        switch (kind) {
        case 0: put_coin(b, x + k, floor - 2); break;                                   /* row */
        case 1: put_coin(b, x + k, row - smaller(2, smaller(k, length - 1 - k))); break; /* arc */
        case 2: put_coin(b, x + k, row), put_coin(b, x + k, row - 1); break;            /* box */
        case 3: put_coin(b, x + k, row - (k & 1)); break;                               /* zigzag */
        default: put_coin(b, x + k, row - (k >= length / 2)); break;                    /* stair */
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

void lg_decorate(builder *b, int x, int n, int floor) {
    const lg_options *o = b->options;
    bool wants_blocks = chance(&b->items, o->blocks);
    bool wants_hidden = chance(&b->items, o->hidden_blocks);
    if (n < 3)
        return;
    bool has_blocks = wants_blocks && n >= 5 && put_formation(b, x + 1, n - 2, floor);
    if (wants_hidden)
        put_hidden(b, x, n, floor);
    if (has_blocks)
        lg_coin_row(b, x + 2, n - 4, chance(&b->coins, 50) ? floor - 5 : floor - 2);
    else
        put_coin_figure(b, x + 1, n - 2, floor);
}
