/* Levels of map bytes, and what the rules of the competitions measure and show. */
#include "abi_test.h"

enum { WIDTH = 40, HEIGHT = 15 };

/* A floor with a goomba (kind 2 of 2009, 80 of 2010) in column 12. */
static ludus_level *read_map(const char *rules, int32_t goomba) {
    static uint8_t bytes[WIDTH * HEIGHT];
    ludus_creature creature = {12, 12, goomba, 0};
    ludus_map map;
    ZERO(map);
    for (int column = 0; column < WIDTH; column++)
        bytes[column * HEIGHT + 13] = bytes[column * HEIGHT + 14] = 0x81;
    map.size = sizeof map;
    map.width = WIDTH;
    map.height = HEIGHT;
    map.exit_x = 36;
    map.exit_y = 12;
    map.map = bytes;
    map.creatures = &creature;
    map.n_creatures = 1;
    ludus_level *level = NULL;
    EXPECT(ludus_level_from_map(&map, rules, &level) == LUDUS_OK);
    char text[WIDTH * HEIGHT + HEIGHT];
    size_t length = 0;
    EXPECT(ludus_map_text(&map, rules, text, sizeof text, &length) == LUDUS_OK && length >= WIDTH * HEIGHT);
    map.height = 0;
    ludus_level *none = NULL;
    EXPECT(ludus_level_from_map(&map, rules, &none) < 0 && !none);
    return level;
}

static ludus_world *begin(const char *rules, int32_t goomba) {
    ludus_level *level = read_map(rules, goomba);
    ludus_world_options options;
    ludus_settings settings;
    ZERO(options);
    ludus_settings_default(&settings);
    settings.size = sizeof settings;
    options.size = sizeof options;
    options.mode = 2;
    options.time_limit = 200;
    if (!strcmp(rules, "2010"))
        options.settings = &settings;
    ludus_world *world = NULL;
    EXPECT(ludus_world_begin(level, &options, &world) == LUDUS_OK);
    ludus_level_free(level);
    return world;
}

static int commas(const char *text, size_t length) {
    int n = 0;
    for (size_t k = 0; k < length; k++)
        n += text[k] == ',';
    return n;
}

/* As many values as names, whatever room there is. */
static void test_row(const ludus_world *world) {
    char row[4096], little[8];
    const char *names = ludus_world_trace_columns(world);
    size_t length = ludus_world_trace(world, row, sizeof row);
    EXPECT(length < sizeof row && ludus_world_trace(world, little, sizeof little) == length);
    EXPECT(!memcmp(row, little, sizeof little) && ludus_world_trace(world, NULL, 0) == length);
    EXPECT(commas(row, length) == commas(names, strlen(names)));
}

static void test_shown(const ludus_world *world) {
    ludus_pose pose;
    ludus_fate fates[8];
    uint8_t extra[256];
    ludus_world_pose(world, &pose);
    EXPECT(!pose.sliding && !pose.climbing && !pose.carrying);
    EXPECT(ludus_world_fates(world, fates, 8) == ludus_world_sprites(world, NULL, 0));
    EXPECT(fates[0].dead_time == 0 && !fates[0].flying && !fates[0].carried);
    size_t size = ludus_extra_size(world);
    EXPECT(size && size <= sizeof extra && ludus_world_extra(world, extra, sizeof extra) == size);
    test_row(world);
}

static void test_2009(void) {
    ludus_world *world = begin("2009", 2);
    ludus_evaluation_2009 figures;
    ludus_evaluation_2010 none;
    test_shown(world);
    for (int tick = 0; tick < 60; tick++)
        EXPECT(ludus_world_step(world, LUDUS_RIGHT) == LUDUS_RUNNING);
    EXPECT(ludus_world_evaluate_2009(world, &figures) == LUDUS_OK);
    EXPECT(figures.status == 2 && figures.ticks == 61 && figures.time_spent == 4 && figures.time_left == 195);
    EXPECT(figures.distance > 100 && figures.cells >= 6 && figures.collisions == 1 && figures.mode == 1);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "'2009'", ludus_world_evaluate_2010(world, &none));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "8 JUMP, 16 SPEED", ludus_world_step(world, 32));
    ludus_world_free(world);
}

/* What agents of 2010 saw: 19 x 19 cells with the goomba in them. */
static void test_interface_2010(const ludus_world *world) {
    ludus_field_2010 field;
    ludus_summary_2010 summary;
    ludus_entity_2010 entities[4];
    float creatures[3];
    int8_t cells[19 * 19];
    EXPECT(ludus_world_field_2010(world, &field) == LUDUS_OK && field.width == 19 && field.height == 19);
    EXPECT(ludus_world_grid_2010(world, 0, 0, cells, sizeof cells) == LUDUS_OK);
    EXPECT(ludus_world_grid_2010(world, 1, 2, cells, sizeof cells) == LUDUS_OK);
    EXPECT(ludus_world_grid_2010(world, 0, 0, cells, 5) < 0);
    EXPECT(ludus_world_grid_2010(world, 0, 3, cells, sizeof cells) < 0);
    size_t n = ludus_world_entities_2010(world, 0, entities, 4);
    EXPECT(n <= 1 && (n == 0 || entities[0].code == 80));
    EXPECT(ludus_world_creatures_2010(world, creatures, 1) == 1 && creatures[0] == 80);
    EXPECT(ludus_world_summary_2010(world, &summary) == LUDUS_OK && summary.time_left == 199);
}

static void test_2010(void) {
    ludus_world *world = begin("2010", 80);
    ludus_evaluation_2010 figures;
    ludus_evaluation_2009 none;
    test_shown(world);
    EXPECT(ludus_world_step(world, LUDUS_RIGHT) == LUDUS_RUNNING);
    EXPECT(ludus_world_evaluate_2010(world, &figures) == LUDUS_OK && figures.ticks == 2);
    test_interface_2010(world);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "'2010'", ludus_world_evaluate_2009(world, &none));
    ludus_world_free(world);
}

void test_competitions(void) {
    test_2009();
    test_2010();
    ludus_world *other = begin_flat_world();
    EXPECT(ludus_extra_size(other) == 0);
    test_row(other);
    ludus_world_free(other);
}
