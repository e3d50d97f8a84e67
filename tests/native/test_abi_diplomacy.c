/* Tests of native/abi/ludus.h: Diplomacy. */
#include "abi_test.h"

enum { SPRING = LUDUS_DIPLOMACY_SPRING, MOVEMENT = LUDUS_DIPLOMACY_MOVEMENT, FRANCE = 2, GERMANY = 3 };

static ludus_diplomacy *begin(void) {
    ludus_diplomacy *board;
    EXPECT(!ludus_diplomacy_begin(1901, 0, &board));
    return board;
}

static uint32_t order(const char *text) {
    int64_t number = ludus_diplomacy_read_order(text);
    EXPECT(number >= 0);
    return (uint32_t)number;
}

static void test_map(void) {
    int32_t places[16];
    char text[LUDUS_DIPLOMACY_TEXT];
    EXPECT(!strcmp(ludus_diplomacy_rules_name(), "diplomacy"));
    EXPECT(ludus_diplomacy_rules_version() >= 2 && ludus_diplomacy_digest_version() >= 1);
    EXPECT(!strcmp(ludus_diplomacy_power(FRANCE), "FRANCE") && !ludus_diplomacy_power(7));
    EXPECT(!strcmp(ludus_diplomacy_location(0), "ADR") && !ludus_diplomacy_location(-1));
    EXPECT(ludus_diplomacy_province(80) == 74 && ludus_diplomacy_province(81) == -1);
    EXPECT(ludus_diplomacy_province_kind(0) == 2 && ludus_diplomacy_province_kind(75) == -1);
    int32_t paris = ludus_diplomacy_read_unit("A PAR");
    EXPECT(ludus_diplomacy_moves(paris, places, 16) == 4);
    EXPECT(ludus_diplomacy_moves(LUDUS_DIPLOMACY_FLEET + paris, places, 16) == 0);
    EXPECT(ludus_diplomacy_homes(FRANCE, places, 16) == 3 && ludus_diplomacy_homes(9, places, 16) == 0);
    EXPECT(ludus_diplomacy_write_unit(paris, text) == 5 && !strcmp(text, "A PAR"));
    EXPECT(ludus_diplomacy_write_unit(-1, text) == 0);
    EXPECT(ludus_diplomacy_read_unit("F PAR") == -1);
    EXPECT(ludus_diplomacy_write_order(order("A PAR S A MAR - BUR"), text) == 19);
    EXPECT(ludus_diplomacy_write_order(0xffffffffu, text) == 0);
    EXPECT(ludus_diplomacy_read_order("A PAR -") == -1);
}

static void test_orders(void) {
    ludus_diplomacy *board = begin();
    ludus_diplomacy_groups groups;
    uint32_t orders[512];
    size_t n = ludus_diplomacy_orders(board, &groups, orders, 512);
    EXPECT(groups.n_groups == 22 && n > 150 && n < 512 && (size_t)groups.ends[21] == n);
    EXPECT(ludus_diplomacy_orders(board, &groups, NULL, 0) == n);
    EXPECT(ludus_diplomacy_is_legal(board, FRANCE, order("A PAR - BUR")));
    EXPECT(!ludus_diplomacy_is_legal(board, GERMANY, order("A PAR - BUR")));
    EXPECT(!ludus_diplomacy_is_legal(board, 7, order("A PAR - BUR")));
    EXPECT(!ludus_diplomacy_is_legal(board, FRANCE, 0xffffffffu));
    ludus_diplomacy_free(board);
}

static void test_play(void) {
    ludus_diplomacy *board = begin(), *other;
    ludus_diplomacy_result results[LUDUS_DIPLOMACY_RESULTS];
    ludus_diplomacy_facts facts;
    int32_t counts[7] = {0, 0, 1, 1, 0, 0, 0};
    uint32_t orders[2] = {order("A PAR - BUR"), order("A PAR - GAS")}, drawn[LUDUS_DIPLOMACY_PROVINCES];
    uint64_t hash = ludus_diplomacy_hash(board), random = 1;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "GERMANY may not order 'A PAR - GAS'",
                 ludus_diplomacy_step(board, orders, counts, results));
    EXPECT(ludus_diplomacy_hash(board) == hash);
    orders[1] = order("A MUN - BUR");
    EXPECT(!ludus_diplomacy_clone(board, &other));
    EXPECT(ludus_diplomacy_step(board, orders, counts, results) == 22);
    int bounced = 0;
    for (int k = 0; k < 22; k++)
        bounced += results[k].n == 1 && results[k].codes[0] == LUDUS_DIPLOMACY_BOUNCE;
    EXPECT(bounced == 2);
    EXPECT(ludus_diplomacy_step(other, orders, counts, NULL) == 0);
    EXPECT(ludus_diplomacy_hash(board) == ludus_diplomacy_hash(other));
    ludus_diplomacy_describe(board, &facts);
    EXPECT(facts.season == LUDUS_DIPLOMACY_FALL && facts.n_units == 22 && facts.n_centres[FRANCE] == 3);
    EXPECT(ludus_diplomacy_draw(board, &random, drawn) == 22);
    for (int32_t bot = LUDUS_DIPLOMACY_DUMB; bot <= LUDUS_DIPLOMACY_REGRET; bot++)
        EXPECT(ludus_diplomacy_choose(board, bot, FRANCE, 1, &random, drawn) == 3
               && ludus_diplomacy_is_legal(board, FRANCE, drawn[2]));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no bot 4", ludus_diplomacy_choose(board, 4, FRANCE, 1, &random, drawn));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no power 7", ludus_diplomacy_choose(board, 0, 7, 1, &random, drawn));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0 winters", ludus_diplomacy_choose(board, 2, FRANCE, 0, &random, drawn));
    EXPECT(ludus_diplomacy_play(other, &random, 1910) > 20);
    ludus_diplomacy_copy(other, board);
    EXPECT(ludus_diplomacy_hash(board) == ludus_diplomacy_hash(other));
    ludus_diplomacy_free(board);
    ludus_diplomacy_free(other);
    ludus_diplomacy_free(NULL);
}

static void test_states(void) {
    ludus_diplomacy *board = begin();
    uint64_t hash = ludus_diplomacy_hash(board), random = 3;
    uint8_t bytes[4096];
    size_t size = ludus_diplomacy_save(board, bytes, sizeof bytes);
    EXPECT(size < sizeof bytes && ludus_diplomacy_save(board, NULL, 0) == size);
    ludus_diplomacy_play(board, &random, 1903);
    EXPECT(!ludus_diplomacy_load(board, bytes, size) && ludus_diplomacy_hash(board) == hash);
    bytes[size - 1] ^= 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "checksum", ludus_diplomacy_load(board, bytes, size));
    ludus_diplomacy_free(board);
}

static void test_set_up(void) {
    ludus_diplomacy *board = begin();
    int32_t paris = ludus_diplomacy_read_unit("A PAR"), homes[4], bur = 17;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no year", ludus_diplomacy_begin(-1, 0, &board));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "options", ludus_diplomacy_begin(1901, 99, &board));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no phase", ludus_diplomacy_clear(board, 1901, SPRING, 2, 0, 0));
    EXPECT(!ludus_diplomacy_clear(board, 1905, LUDUS_DIPLOMACY_WINTER, LUDUS_DIPLOMACY_ADJUSTMENTS, 0, 0));
    while (strcmp(ludus_diplomacy_location(bur), "BRE"))
        bur--;
    int32_t brest = ludus_diplomacy_province(bur);
    EXPECT(!ludus_diplomacy_add(board, LUDUS_DIPLOMACY_CENTRE, FRANCE, brest));
    EXPECT(ludus_diplomacy_open_homes(board, FRANCE, homes, 4) == 1 && homes[0] == brest);
    EXPECT(ludus_diplomacy_open_homes(board, 8, homes, 4) == 0);
    EXPECT(!ludus_diplomacy_add(board, LUDUS_DIPLOMACY_UNIT, FRANCE, paris));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "is taken", ludus_diplomacy_add(board, LUDUS_DIPLOMACY_UNIT, GERMANY, paris));
    EXPECT(!ludus_diplomacy_add(board, LUDUS_DIPLOMACY_INFLUENCE, FRANCE, brest));
    ludus_diplomacy_free(board);
}

enum { GAMES = 3, PLACES = GAMES * LUDUS_DIPLOMACY_PROVINCES };

static void test_batch(void) {
    static int32_t actions[PLACES], counts[PLACES], times[GAMES * LUDUS_DIPLOMACY_TIMES];
    static uint8_t owners[PLACES], planes[GAMES * LUDUS_DIPLOMACY_LOCATIONS * LUDUS_DIPLOMACY_PLANES];
    static float rewards[GAMES * 7];
    static uint8_t ended[GAMES];
    ludus_diplomacy_batch_options o;
    ludus_diplomacy_batch *batch;
    ludus_diplomacy *board, *start = begin();
    ZERO(o);
    o.size = sizeof o;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "too few", ludus_diplomacy_batch_new(&o, &batch));
    o.n = GAMES;
    o.threads = 2;
    o.last_year = 1901;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "buffer", ludus_diplomacy_batch_new(&o, &batch));
    o.actions = actions, o.counts = counts, o.owners = owners, o.planes = planes, o.times = times;
    o.rewards = rewards, o.ended = ended;
    EXPECT(!ludus_diplomacy_batch_new(&o, &batch));
    for (int k = 0; k < PLACES; k++)
        actions[k] = 1;
    EXPECT(times[0] == 1901 && times[1] == LUDUS_DIPLOMACY_SPRING);
    EXPECT(!ludus_diplomacy_batch_step(batch) && times[1] != LUDUS_DIPLOMACY_SPRING && !ended[0]);
    for (int k = 0; k < 4 && !ended[2]; k++)
        EXPECT(!ludus_diplomacy_batch_step(batch));
    EXPECT(ended[2] == 2 && times[1] == LUDUS_DIPLOMACY_SPRING);
    ludus_diplomacy_batch_begin(batch);
    EXPECT(!ludus_diplomacy_batch_board(batch, 1, &board));
    EXPECT(ludus_diplomacy_hash(board) == ludus_diplomacy_hash(start));
    ludus_diplomacy_free(board);
    EXPECT_ERROR(LUDUS_BAD_INDEX, "no game 3", ludus_diplomacy_batch_board(batch, GAMES, &board));
    ludus_diplomacy_batch_free(batch);
    ludus_diplomacy_batch_free(NULL);
    ludus_diplomacy_free(start);
}

void test_diplomacy(void) {
    test_batch();
    test_map();
    test_orders();
    test_play();
    test_states();
    test_set_up();
}
