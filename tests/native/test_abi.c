/* Tests of native/abi/ludus.h: levels, generators, worlds. Silent if all is well. */
#include "abi_test.h"

static const char FLAT[] = "------------\nM----------F\nXXXXXXXXXXXX\n";
static const char ELEMENTS[] = "----v---\n----:---\nMh---g-F\nXXXX=.XX";

static ludus_level *read_level(const char *text, const char *rules) {
    ludus_level *level = NULL;
    EXPECT(ludus_level_from_text(text, strlen(text), rules, &level) == LUDUS_OK);
    return level;
}

ludus_world *begin_flat_world(void) {
    ludus_level *level = read_level(FLAT, NULL);
    ludus_world *world = NULL;
    EXPECT(ludus_world_begin(level, NULL, &world) == LUDUS_OK);
    ludus_level_free(level); /* the world holds on to it */
    return world;
}

static void test_versions(void) {
    EXPECT(ludus_abi_version() == LUDUS_ABI_VERSION);
    EXPECT(ludus_rule_set_count() >= 2);
    EXPECT(!strcmp(ludus_rule_set_name(0), "framework") && ludus_rule_set_version(0) >= 1);
    EXPECT(!strcmp(ludus_rule_set_name(1), "ludus") && ludus_rule_set_version(1) >= 1);
    EXPECT(!ludus_rule_set_name(-1) && !ludus_rule_set_name(ludus_rule_set_count()));
    EXPECT(ludus_rule_set_version(99) == 0);
    EXPECT(ludus_digest_version() == 2);
}

/* ---- levels ----------------------------------------------------------------------------------- */

static void test_levels(void) {
    ludus_level *level = read_level(FLAT, "framework");
    ludus_level_facts facts;
    ludus_level_describe(level, &facts);
    EXPECT(facts.width == 12 && facts.height == 3 && facts.total_coins == 0);
    EXPECT(facts.start_x == 0 && facts.start_y == 1 && facts.exit_x == 11 && facts.exit_y == 1);
    EXPECT(!strcmp(ludus_level_rules(level), "framework"));
    uint8_t tiles[36], few[2] = {9, 9};
    EXPECT(ludus_level_tiles(level, NULL, 0) == 36 && ludus_level_tiles(level, few, 1) == 36);
    EXPECT(ludus_level_tiles(level, tiles, 36) == 36 && tiles[2] == 1 && tiles[0] == 0 && few[1] == 9);
    EXPECT(ludus_level_platforms(level, NULL, 0) == 0 && ludus_level_templates(level, NULL, 0) == 0);
    ludus_level_free(level);
    ludus_level_free(NULL);
}

static void test_level_of_elements(void) {
    ludus_level *level = read_level(ELEMENTS, "ludus");
    ludus_template templates[4];
    ludus_platform platforms[4];
    EXPECT(ludus_level_templates(level, templates, 4) == 1 && templates[0].column == 5 && templates[0].kind == 2);
    EXPECT(ludus_level_platforms(level, platforms, 4) == 2);
    EXPECT(platforms[0].x == 64 && platforms[0].y == 0 && platforms[0].width == 16);
    ludus_world *world = NULL;
    EXPECT(ludus_world_begin(level, NULL, &world) == LUDUS_OK && !strcmp(ludus_world_rules(world), "ludus"));
    EXPECT(ludus_world_platforms(world, platforms, 4) == 2 && platforms[0].y == 1);
    ludus_world_facts facts;
    for (int tick = 0; tick < 5; tick++)
        EXPECT(ludus_world_step(world, LUDUS_RIGHT) == LUDUS_RUNNING);
    ludus_world_describe(world, &facts);
    EXPECT(facts.keys[0] == 1 && facts.keys[1] == 0 && facts.keys[2] == 0);
    ludus_level_free(level);
    ludus_world_free(world);
}

static void test_no_levels(void) {
    ludus_level *level = NULL;
    EXPECT_ERROR(LUDUS_BAD_LEVEL, "empty", ludus_level_from_text("\r\n\n", 3, NULL, &level));
    EXPECT_ERROR(LUDUS_BAD_LEVEL, "row 2", ludus_level_from_text("XX\nXXX", 6, NULL, &level));
    EXPECT_ERROR(LUDUS_BAD_LEVEL, "0 x 2", ludus_level_from_text("\nX", 2, NULL, &level) == LUDUS_BAD_LEVEL
                                               ? ludus_level_from_cells("XX", 0, 2, NULL, &level)
                                               : LUDUS_OK);
    EXPECT_ERROR(LUDUS_BAD_LEVEL, "out of range", ludus_level_from_cells("X", 1, 2000, NULL, &level));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "'framework', 'ludus'", ludus_level_from_text("X", 1, "chess", &level));
    EXPECT(!level);
    EXPECT(ludus_level_from_text("XX\r\n--\r\n", 8, NULL, &level) == LUDUS_OK);
    ludus_level_free(level);
}

/* ---- generators ------------------------------------------------------------------------------- */

static void test_generator(int32_t number) {
    const char *name = ludus_generator_name(number);
    ludus_option_range ranges[64];
    size_t n = ludus_generator_options(number, ranges, 64);
    EXPECT(n >= 4 && n <= 64 && ludus_generator_options(number, NULL, 0) == n);
    for (size_t k = 0; k < n; k++)
        EXPECT(ranges[k].least <= ranges[k].value && ranges[k].value <= ranges[k].most);
    ludus_option seed[] = {{"seed", 5}, {"difficulty", 3}};
    ludus_generated *one = NULL, *same = NULL, *other = NULL;
    EXPECT(ludus_generate(name, seed, 2, &one) == LUDUS_OK && ludus_generate(name, seed, 2, &same) == LUDUS_OK);
    EXPECT(ludus_generate(name, NULL, 0, &other) == LUDUS_OK);
    EXPECT(!strcmp(one->text, same->text) && strcmp(one->text, other->text));
    EXPECT(strlen(one->text) == one->text_length && one->text[one->width] == '\n');
    EXPECT(one->text_length == (size_t)(one->width + 1) * (size_t)one->height - 1);
    EXPECT(!strcmp(one->rules, "framework"));
    ludus_level *level = NULL;
    ludus_level_facts facts;
    EXPECT(ludus_level_from_generator(name, seed, 2, &level) == LUDUS_OK);
    ludus_level_describe(level, &facts);
    EXPECT(facts.width == one->width && facts.height == one->height);
    ludus_level_free(level);
    ludus_generated_free(one);
    ludus_generated_free(same);
    ludus_generated_free(other);
}

static void test_generated_data(void) {
    ludus_option options[] = {{"seed", 1}, {"difficulty", 9}, {"creature_4", 3}, {"creature_0", 0}};
    ludus_generated *level = NULL;
    EXPECT(ludus_generate("tunable-2010", options, 4, &level) == LUDUS_OK);
    EXPECT(level->map && level->exit_x > 0 && level->n_creatures > 0 && level->counts.blocks > 0);
    int green = 0;
    for (size_t k = 0; k < level->n_creatures; k++)
        green += level->creatures[k].kind == 81;
    for (size_t k = 0; k < level->n_data; k++)
        EXPECT(level->data[k].value != 0 && level->data[k].column < level->width);
    EXPECT(green > 0 && green <= 3);
    ludus_generated_free(level);
    ludus_option elements[] = {{"ladders", 100}, {"keys", 100}};
    EXPECT(ludus_generate("ludus", elements, 2, &level) == LUDUS_OK && !strcmp(level->rules, "ludus"));
    ludus_generated_free(level);
    ludus_generated_free(NULL);
}

static void test_generators(void) {
    ludus_option unknown[] = {{"colour", 1}}, large[] = {{"length", 5000}}, blocks[] = {{"power_ups", 90}};
    ludus_option outside[] = {{"exit_x", 300}}, far_off[] = {{"start_column", 180}};
    ludus_generated *none = NULL;
    EXPECT(ludus_generator_count() == 4 && !ludus_generator_name(4) && !ludus_generator_name(-1));
    EXPECT(ludus_generator_options(4, NULL, 0) == 0);
    for (int32_t k = 0; k < ludus_generator_count(); k++)
        test_generator(k);
    test_generated_data();
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no generator 'x'", ludus_generate("x", NULL, 0, &none));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no option 'colour'", ludus_generate("ludus", unknown, 1, &none));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "give 50 to 4096", ludus_generate("ludus", large, 1, &none));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "at most 100", ludus_generate("ludus", blocks, 1, &none));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "start_column 180", ludus_generate("ludus", far_off, 1, &none));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "the exit (300", ludus_generate("tunable-2010", outside, 1, &none));
    EXPECT(!none);
}

/* ---- worlds ----------------------------------------------------------------------------------- */

static void test_play(void) {
    ludus_world *world = begin_flat_world(), *twin = NULL, *half = NULL;
    uint8_t actions[200];
    size_t played = 0;
    memset(actions, LUDUS_RIGHT | LUDUS_SPEED, sizeof actions);
    EXPECT(ludus_world_clone(world, &twin) == LUDUS_OK && ludus_world_hash(twin) == ludus_world_hash(world));
    int ticks = 0;
    for (; ludus_world_status(world) == LUDUS_RUNNING; ticks++) {
        EXPECT(ludus_world_step(world, LUDUS_RIGHT | LUDUS_SPEED) >= 0);
        if (ticks == 9)
            EXPECT(ludus_world_clone(world, &half) == LUDUS_OK);
    }
    EXPECT(ludus_world_status(world) == LUDUS_WIN && ludus_world_hash(twin) != ludus_world_hash(world));
    EXPECT(ludus_world_run(twin, actions, sizeof actions, &played) == LUDUS_OK && played == (size_t)ticks);
    EXPECT(ludus_world_hash(twin) == ludus_world_hash(world));
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "finished", ludus_world_step(world, 0));
    EXPECT(ludus_world_restore(world, half) == LUDUS_OK && ludus_world_hash(world) == ludus_world_hash(half));
    EXPECT(ludus_world_step(world, LUDUS_RIGHT) == LUDUS_RUNNING);
    ludus_result result;
    ludus_world_result(twin, &result);
    EXPECT(result.status == LUDUS_WIN && result.ticks == ticks && result.completion == 1 && result.kills == 0);
    ludus_world_free(world);
    ludus_world_free(twin);
    ludus_world_free(half);
    ludus_world_free(NULL);
}

static void test_states(void) {
    ludus_world *world = begin_flat_world(), *other = begin_flat_world(), *strict = NULL;
    uint8_t bytes[4096];
    size_t size = ludus_world_save(world, NULL, 0);
    EXPECT(size > 100 && size <= sizeof bytes && ludus_world_save(world, bytes, size - 1) == size);
    EXPECT(ludus_world_step(world, LUDUS_RIGHT) == LUDUS_RUNNING);
    size = ludus_world_save(world, bytes, sizeof bytes);
    EXPECT(ludus_world_load(other, bytes, size) == LUDUS_OK); /* equal levels need not be the same */
    EXPECT(ludus_world_hash(other) == ludus_world_hash(world));
    bytes[size / 2] ^= 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "checksum", ludus_world_load(other, bytes, size));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "3 bytes", ludus_world_load(other, bytes, 3));
    EXPECT(ludus_world_hash(other) == ludus_world_hash(world));
    ludus_kill_event kills[] = {{9, 0}, {5, 2}}, found[2];
    ludus_world_options options;
    ZERO(options);
    options.size = sizeof options;
    options.kill_events = kills;
    options.n_kill_events = 2;
    ludus_level *level = read_level(FLAT, NULL);
    EXPECT(ludus_world_begin(level, &options, &strict) == LUDUS_OK);
    EXPECT(ludus_world_kill_events(strict, found, 2) == 2 && found[1].kind == 5 && found[1].param == 2);
    EXPECT(ludus_world_kill_events(world, found, 2) == 0);
    ludus_level_free(level);
    ludus_world_free(world);
    ludus_world_free(other);
    ludus_world_free(strict);
}

static void test_bad_actions(void) {
    ludus_world *world = begin_flat_world(), *other = begin_flat_world();
    uint64_t before = ludus_world_hash(world);
    uint8_t actions[] = {2, 2, 32};
    size_t played = 7;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 32", ludus_world_step(world, 32));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action -9223372036854775808", ludus_world_step(world, INT64_MIN));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 32", ludus_world_run(world, actions, 3, &played));
    EXPECT(played == 0 && ludus_world_hash(world) == before);
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 99", ludus_model_advance(world, 99));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "clone instead", ludus_world_restore(world, other));
    ludus_world_free(world);
    ludus_world_free(other);
}

static void test_models(void) {
    ludus_world *world = begin_flat_world(), *model = NULL, *copy = NULL;
    EXPECT(ludus_world_step(world, LUDUS_JUMP | LUDUS_RIGHT) == LUDUS_RUNNING);
    uint64_t before = ludus_world_hash(world);
    EXPECT(ludus_world_forward_model(world, &model) == LUDUS_OK);
    EXPECT(ludus_world_events(model, NULL, 0) == 0);
    for (int tick = 0; tick < 300; tick++)
        EXPECT(ludus_model_advance(model, LUDUS_RIGHT | LUDUS_SPEED) >= 0);
    EXPECT(ludus_world_status(model) == LUDUS_WIN && ludus_world_hash(world) == before);
    EXPECT(ludus_model_clone(model, &copy) == LUDUS_OK && ludus_world_status(copy) == LUDUS_WIN);
    ludus_world_free(world);
    ludus_world_free(model);
    ludus_world_free(copy);
}

static ludus_world_options some_options(void) {
    ludus_world_options options;
    ZERO(options);
    options.size = sizeof options;
    return options;
}

static void test_options(void) {
    ludus_level *level = read_level(FLAT, NULL);
    ludus_world *world = NULL;
    ludus_world_facts facts;
    ludus_mario mario;
    ludus_physics physics;
    ludus_kill_event kill = {6, 0}; /* a jump */
    ludus_world_options options = some_options();
    ludus_physics_default(&physics);
    options.mode = 2;
    options.time_limit = 3;
    options.rules = "framework";
    options.physics = &physics;
    options.kill_events = &kill;
    options.n_kill_events = 1;
    EXPECT(ludus_world_begin(level, &options, &world) == LUDUS_OK);
    ludus_world_mario(world, &mario);
    ludus_world_describe(world, &facts);
    EXPECT(mario.mode == 2 && facts.timer == 2970 && facts.tick == 1 && facts.status == LUDUS_RUNNING);
    for (int tick = 0; tick < 20 && ludus_world_status(world) == LUDUS_RUNNING; tick++)
        EXPECT(ludus_world_step(world, tick > 9 ? LUDUS_JUMP : 0) >= 0);
    EXPECT(ludus_world_status(world) == LUDUS_LOSE);
    ludus_world_free(world);
    ludus_level_free(level);
}

/* The physics of neutral options is the reference's, bit for bit; others are not. */
static void test_physics(void) {
    ludus_level *level = read_level("---------\nM-------F\nXXXXXXXXX", NULL);
    ludus_physics physics;
    ludus_world *plain = NULL, *neutral = NULL, *light = NULL;
    ludus_world_options options = some_options();
    ludus_physics_default(&physics);
    options.physics = &physics;
    EXPECT(ludus_world_begin(level, NULL, &plain) == LUDUS_OK);
    EXPECT(ludus_world_begin(level, &options, &neutral) == LUDUS_OK);
    physics.gravity = 0.5f;
    EXPECT(ludus_world_begin(level, &options, &light) == LUDUS_OK);
    EXPECT(ludus_world_hash(plain) == ludus_world_hash(neutral));
    EXPECT(ludus_world_hash(plain) != ludus_world_hash(light));
    ludus_world_free(plain);
    ludus_world_free(neutral);
    ludus_world_free(light);
    ludus_level_free(level);
}

static void test_bad_options(void) {
    ludus_level *level = read_level(FLAT, NULL);
    ludus_world *world = NULL;
    ludus_physics physics;
    ludus_kill_event kill = {13, 0};
    ludus_world_options options = some_options();
    options.mode = 3;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "mode 3", ludus_world_begin(level, &options, &world));
    options = some_options();
    options.time_limit = -1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "time limit -1", ludus_world_begin(level, &options, &world));
    options = some_options();
    options.rules = "ludus";
    EXPECT_ERROR(LUDUS_BAD_OPTION, "not read for", ludus_world_begin(level, &options, &world));
    options.rules = "chess";
    EXPECT_ERROR(LUDUS_BAD_OPTION, "unknown", ludus_world_begin(level, &options, &world));
    options = some_options();
    options.kill_events = &kill;
    options.n_kill_events = 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "kill event (13, 0)", ludus_world_begin(level, &options, &world));
    options = some_options();
    options.size = 4096;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "4096 bytes", ludus_world_begin(level, &options, &world));
    options = some_options();
    options.physics = &physics;
    ludus_physics_default(&physics);
    physics.gravity = 0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "gravity 0", ludus_world_begin(level, &options, &world));
    ludus_physics_default(&physics);
    physics.ice = physics.wind = 0.09f;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0.99", ludus_world_begin(level, &options, &world));
    EXPECT(!world);
    options = some_options();
    options.size = 8; /* of a program that knew the mode only */
    options.mode = 1;
    EXPECT(ludus_world_begin(level, &options, &world) == LUDUS_OK);
    ludus_world_free(world);
    ludus_level_free(level);
}

static void test_looking(void) {
    ludus_level *level = read_level("-----o---\nM--g-K--F\nXXXXXXXXX", NULL);
    ludus_world *world = NULL;
    EXPECT(ludus_world_begin(level, NULL, &world) == LUDUS_OK);
    ludus_sprite sprites[4], one[2];
    ludus_event events[64];
    uint8_t tiles[27], cells[16 * 16];
    float enemies[6], state[LUDUS_STATE_FIELDS];
    ludus_view view = {16, 16, 1, 0, 0}, wide = {129, 1, 0, 0, 0}, odd = {8, 8, 3, 0, 0};
    EXPECT(ludus_world_sprites(world, sprites, 4) == 2 && ludus_world_sprites(world, one, 1) == 2);
    EXPECT(sprites[0].kind == one[0].kind && sprites[0].kind + sprites[1].kind == 2 + 7);
    EXPECT(ludus_world_enemies(world, 1, enemies, 2) == 2 && enemies[1] > 0);
    EXPECT(ludus_world_enemies(world, 0, NULL, 0) == 2);
    EXPECT(ludus_world_tiles(world, tiles, 27) == 27 && tiles[15] == 15);
    EXPECT(ludus_world_state(world, state, LUDUS_STATE_FIELDS) == LUDUS_STATE_FIELDS && state[0] == 8);
    EXPECT(ludus_world_observe(world, LUDUS_SCENE, &view, cells, sizeof cells) == LUDUS_OK);
    EXPECT(cells[8 * 16 + 9] == 17); /* the floor below his feet */
    EXPECT(ludus_world_observe(world, LUDUS_ENEMIES, &view, cells, sizeof cells) == LUDUS_OK && cells[11 * 16 + 8] == 2);
    EXPECT(ludus_world_observe(world, LUDUS_MERGED, &view, cells, sizeof cells) == LUDUS_OK && cells[11 * 16 + 8] == 2);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "255 cells", ludus_world_observe(world, LUDUS_SCENE, &view, cells, 255));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "129 x 1", ludus_world_observe(world, LUDUS_SCENE, &wide, cells, 256));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "detail 3", ludus_world_observe(world, LUDUS_SCENE, &odd, cells, 256));
    size_t n = 0;
    for (int tick = 0; tick < 9 && !n; tick++) {
        EXPECT(ludus_world_step(world, LUDUS_RIGHT | (tick > 2 ? LUDUS_JUMP : 0)) >= 0);
        n = ludus_world_events(world, events, 64);
    }
    EXPECT(n && events[0].kind == 6 && events[0].tick > 1 && events[0].x > 8);
    ludus_level_free(level);
    ludus_world_free(world);
}

int main(void) {
    test_versions();
    test_levels();
    test_level_of_elements();
    test_no_levels();
    test_generators();
    test_play();
    test_states();
    test_bad_actions();
    test_models();
    test_options();
    test_physics();
    test_bad_options();
    test_looking();
    test_batches();
    test_pictures();
    test_solver();
    test_planner();
    test_practice();
    test_worms();
    test_colonies();
    test_diplomacy();
    test_threads();
    test_competitions();
    return 0;
}
