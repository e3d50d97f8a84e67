/* Random games of Diplomacy: what no game played by hand would try.
 *
 *     diplomacy_soup PHASES SEED              plays at least so many phases and stops at the first broken promise
 *     diplomacy_soup digest SOUPS PHASES SEED writes a line for each soup: a digest over all its phases
 *
 * A soup is one game from the usual start or from units put anywhere. Soup k of a run draws from seed SEED + k,
 * so that `diplomacy_soup 1 SEED+k` plays it again alone.
 */
#include "diplomacy/bots/bots.h"

#define SOUP "diplomacy_soup"
#include "forging.h"

#include <string.h>

static struct {
    long phases, games;
} run;

/* ---- positions ---------------------------------------------------------------------------------- */

static void put_units(dp_board *b, int n) {
    while (n--) {
        int unit = below(256);
        if (dp_is_unit(unit) && dp_add_unit(b, below(DP_POWERS), (dp_unit)unit) && one_in(2)) {
            int power = below(DP_POWERS); /* one draw a statement: compilers differ in the order of arguments */
            dp_add_influence(b, power, below(DP_PROVINCES));
        }
    }
}

static void put_centres(dp_board *b) {
    for (int k = 0; k < DP_CENTRES; k++)
        if (!one_in(5))
            dp_add_centre(b, below(DP_POWERS), dp_centre_order[k]);
}

static void begin(dp_board *b) {
    if (one_in(3)) {
        int year = between(1901, 1999);
        dp_begin(b, year, below(4));
        return;
    }
    bool winter = one_in(8);
    int year = between(1, 2005);
    dp_clear(b, year, winter ? DP_WINTER : one_in(2) ? DP_SPRING : DP_FALL,
             winter ? DP_ADJUSTMENTS : DP_MOVEMENT);
    b->options = (uint8_t)below(4);
    put_units(b, one_in(10) ? 300 : between(0, 80));
    if (!one_in(6))
        put_centres(b);
}

/* ---- promises ----------------------------------------------------------------------------------- */

static int count(const uint8_t *counts) {
    int n = 0;
    for (int power = 0; power < DP_POWERS; power++)
        n += counts[power];
    return n;
}

static void check_places(const dp_board *b) {
    bool taken[DP_PROVINCES] = {false};
    for (int k = 0; k < b->n_units; k++) {
        int province = dp_province(b->units[k].unit);
        require(dp_is_unit(b->units[k].unit), "a unit stands where it can");
        require(!taken[province], "no two units stand in one province");
        require(!k || b->units[k].owner >= b->units[k - 1].owner, "units are in the order of the powers");
        taken[province] = true;
    }
    require(count(b->n_centres) <= DP_CENTRES, "there are 34 centres");
    require(!b->n_dislodged || b->kind == DP_RETREATS, "only retreats have dislodged units");
    require(b->kind != DP_RETREATS || b->n_dislodged, "retreats have dislodged units");
}

/* What a phase may change. */
static void check_change(const dp_board *before, const dp_board *after) {
    int was = before->n_units + before->n_dislodged, is = after->n_units + after->n_dislodged;
    if (before->kind == DP_MOVEMENT && after->kind == DP_RETREATS)
        require(was == is + after->n_destroyed, "a movement loses only units without a way out");
    if (before->kind != DP_ADJUSTMENTS)
        require(is <= was, "only winter brings units");
    if (before->kind == DP_ADJUSTMENTS)
        for (int power = 0; power < DP_POWERS; power++)
            require(dp_count_units(after, power) <= after->n_centres[power]
                        || dp_count_units(after, power) <= dp_count_units(before, power),
                    "nobody builds more than it has centres");
    if (before->season != DP_FALL)
        require(count(before->n_centres) == count(after->n_centres), "centres change hands in fall alone");
    if (count(before->n_centres) && after->season == DP_WINTER)
        require(count(before->n_centres) <= count(after->n_centres), "no centre gets lost");
}

/* Every order is legal, its text is read again, and the list is sorted. */
static void check_orders(const dp_board *b) {
    static dp_order orders[DP_MOST_ORDERS];
    dp_groups groups;
    dp_list_orders(b, orders, DP_MOST_ORDERS, &groups);
    require(groups.n <= DP_MOST_ORDERS, "all orders are listed");
    for (int group = 0, at = 0; group < groups.n_groups; group++) {
        char before[DP_TEXT] = "", text[DP_TEXT];
        for (; at < groups.end[group]; at++) {
            int length = dp_write_order(orders[at], text);
            require(length == (int)strlen(text) && length < DP_TEXT, "a text fits");
            require(strcmp(before, text) < 0, "texts are sorted");
            require(dp_read_order(text) == (int64_t)orders[at], "a text is read as it was written");
            require(dp_is_legal(b, groups.owner[group], orders[at]), "what is listed is legal");
            memcpy(before, text, sizeof text);
        }
    }
}

/* A random number is an order that is listed, or is refused, or is one of the few that are legal besides. */
static void check_random_order(const dp_board *b) {
    dp_order order = (dp_order)draw();
    order >>= below(6);
    int power = below(DP_POWERS);
    if (!dp_is_legal(b, power, order))
        return;
    char text[DP_TEXT];
    dp_write_order(order, text);
    require(dp_read_order(text) == (int64_t)order, "what is legal has a text");
}

/* The bots order what is legal, and they leave the board alone; those that look ahead are asked seldom. */
static uint64_t check_bots(const dp_board *b, uint64_t digest) {
    dp_board before = *b;
    dp_order orders[DP_PROVINCES];
    int bot = one_in(40) ? below(DP_BOTS) : below(DP_SEARCH), power = below(DP_POWERS);
    int winters = one_in(8) ? between(1, 4) : 1;
    int n = dp_choose_orders(b, (enum dp_bot)bot, power, winters, &luck.state, orders);
    require(!memcmp(b, &before, sizeof before), "a bot disturbs nothing");
    for (int k = 0; k < n; k++) {
        require(dp_is_legal(b, power, orders[k]), "a bot orders what is legal");
        digest = digest_mix(digest, orders[k]);
    }
    return digest;
}

/* ---- saved states ------------------------------------------------------------------------------- */

static void play_forged(dp_board *b) {
    dp_order orders[DP_PROVINCES];
    for (int k = 0; k < 5 && b->kind != DP_OVER; k++)
        dp_step(b, orders, dp_draw_orders(b, &luck.state, orders), NULL);
}

static void try_saved(const dp_board *b) {
    dp_board other;
    saved s = {memory(dp_saved_size()), dp_saved_size()};
    dp_save(b, s.bytes);
    require(!dp_check_saved(s.bytes, s.size), "a saved board is accepted");
    dp_load(&other, s.bytes);
    require(dp_hash(&other) == dp_hash(b), "a loaded board is the same");
    change_bytes(&s);
    if (one_in(4) == 0)
        reseal(&s);
    if (dp_check_saved(s.bytes, s.size)) {
        forgeries.refused++;
    } else {
        forgeries.accepted++;
        dp_load(&other, s.bytes);
        play_forged(&other);
    }
    free(s.bytes);
}

/* ---- playing ------------------------------------------------------------------------------------ */

static uint64_t mixed(uint64_t digest, uint64_t value) { return digest_mix(digest, value); }

static uint64_t play_phase(dp_board *b, bool thorough, uint64_t digest) {
    dp_order orders[DP_PROVINCES];
    dp_results results;
    dp_board before = *b, clone = *b;
    int n = dp_draw_orders(b, &luck.state, orders);
    if (one_in(4))
        n = below(n + 1);
    dp_step(&clone, orders, n, NULL);
    require(!memcmp(b, &before, sizeof before), "a clone never disturbs");
    dp_step(b, orders, n, &results);
    require(dp_hash(b) == dp_hash(&clone), "a clone goes the same way");
    check_places(b);
    check_change(&before, b);
    if (thorough) {
        check_orders(b);
        check_random_order(b);
        try_saved(b);
    }
    if (b->kind != DP_OVER && one_in(20))
        digest = check_bots(b, digest);
    for (int k = 0; k < results.n; k++)
        digest = mixed(digest, results.each[k].unit | (uint64_t)results.each[k].n << 8);
    return mixed(digest, dp_hash(b));
}

static uint64_t play(uint64_t seed, long phases, bool checks) {
    dp_board b;
    uint64_t digest = seed;
    begin_soup(seed);
    begin(&b);
    for (long k = 0; k < phases && b.kind != DP_OVER; k++, run.phases++)
        digest = play_phase(&b, checks && one_in(10), digest);
    run.games++;
    return digest;
}

int main(int number, char **words) {
    if (number == 5 && !strcmp(words[1], "digest")) {
        uint64_t seed = strtoull(words[4], NULL, 10);
        for (long k = 0; k < atol(words[2]); k++)
            printf("%016" PRIx64 "\n", play(seed + (uint64_t)k, atol(words[3]), false));
        return 0;
    }
    if (number != 3) {
        fprintf(stderr, "usage: diplomacy_soup PHASES SEED | diplomacy_soup digest SOUPS PHASES SEED\n");
        return 2;
    }
    for (uint64_t seed = strtoull(words[2], NULL, 10); run.phases < atol(words[1]); seed++)
        play(seed, 100, true);
    printf("phases %ld, games %ld, forged states refused %ld, accepted %ld\n", run.phases, run.games,
           forgeries.refused, forgeries.accepted);
    return 0;
}
