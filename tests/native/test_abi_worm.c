/* Tests of native/abi/ludus.h: the worm. */
#include "abi_test.h"

enum { MOST_TERMS = 256, WORLDS = 9 };

static double terms[MOST_TERMS];

static double *term(const char *name) {
    for (int32_t k = 0; k < ludus_worm_term_count(); k++)
        if (!strcmp(ludus_worm_term_name(k), name))
            return &terms[k];
    fprintf(stderr, "no term %s\n", name);
    exit(1);
}

static void set_terms(int continuous) {
    ZERO(terms);
    *term("continuous") = continuous;
    *term("size") = 20;
    *term("max_steps") = 60;
    *term("foods") = 3;
    *term("target") = 5;
    *term("decay") = 5;
    *term("strength") = 1;
    *term("respawn") = 1;
    *term("eats_below") = 1;
    *term("satiety") = 500;
    *term("satiety_decay") = 1;
    *term("predators") = 2;
    *term("predator_decay") = 5;
    *term("predator_strength") = 1;
    *term("detection") = 5;
    *term("thermal") = 1;
    *term("temperature") = 20;
    *term("temperature_gradient") = 0.5;
    *term("temperature_spot_decay") = 4;
    *term("cultivation") = 20;
    *term("comfort_delta") = 5;
    *term("discomfort_delta") = 10;
    *term("danger_delta") = 15;
    *term("aerial") = 1;
    *term("oxygen") = 8;
    *term("oxygen_comfort_to") = 12;
    *term("oxygen_danger_to") = 17;
    *term("oxygen_spot_decay") = 4;
    *term("senses_food") = 1;
    *term("food_mode") = 2;
    *term("memory") = 1;
    *term("memory_size") = 4;
    *term("max_step") = 1;
    *term("max_turn") = 1;
    *term("capture_radius") = 1;
    *term("reward_distance") = 0.5;
}

static ludus_worm_task_options task_options(void) {
    static const ludus_spot hot = {3, 3, 5};
    ludus_worm_task_options o;
    ZERO(o);
    o.size = sizeof o;
    o.terms = terms;
    o.n_terms = (size_t)ludus_worm_term_count();
    o.hot.spots = &hot;
    o.hot.n = 1;
    return o;
}

ludus_worm_task *new_worm_task(int continuous) {
    ludus_worm_task *task = NULL;
    set_terms(continuous);
    ludus_worm_task_options o = task_options();
    EXPECT(ludus_worm_task_new(&o, &task) == LUDUS_OK);
    return task;
}

ludus_worm_task *new_single_food_task(void) {
    ludus_worm_task *task = NULL;
    set_terms(0);
    *term("foods") = 1;
    *term("respawn") = 0;
    *term("predators") = *term("thermal") = *term("aerial") = 0;
    ludus_worm_task_options o = task_options();
    EXPECT(ludus_worm_task_new(&o, &task) == LUDUS_OK);
    return task;
}

static void test_tasks(void) {
    ludus_worm_task *task = new_worm_task(0), *none = NULL;
    EXPECT(!strcmp(ludus_worm_rules_name(), "worm") && ludus_worm_rules_version() >= 1);
    EXPECT(ludus_worm_digest_version() == 2);
    EXPECT(ludus_worm_term_count() < MOST_TERMS && !ludus_worm_term_name(-1));
    EXPECT(!ludus_worm_term_name(ludus_worm_term_count()));
    EXPECT(ludus_worm_features_count(task) > 0 && ludus_worm_channels_count(task) > 0);
    EXPECT(ludus_worm_temperature(task, 3, 3) > ludus_worm_temperature(task, 19, 3) - 30);
    EXPECT(ludus_worm_temperature_zone(task, 20) == 0 && ludus_worm_temperature_zone(task, 90) == 3);
    EXPECT(ludus_worm_oxygen_zone(task, ludus_worm_oxygen(task, 1, 1)) == 0);
    ludus_worm_task_free(task);
    ludus_worm_task_free(NULL);
    ludus_worm_task_options o = task_options();
    o.n_terms = 3;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "3 terms", ludus_worm_task_new(&o, &none));
    o = task_options();
    *term("foods") = 65;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "foods 65", ludus_worm_task_new(&o, &none));
    *term("foods") = 2.5;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "foods 2.5", ludus_worm_task_new(&o, &none));
    *term("foods") = 2;
    *term("size") = 1e9;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "size 1e+09", ludus_worm_task_new(&o, &none));
    *term("size") = 20;
    *term("decay") = *term("decay") / 0.0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "decay inf", ludus_worm_task_new(&o, &none));
    *term("decay") = 5;
    o.hot.n = 17;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "hot_spots", ludus_worm_task_new(&o, &none));
    EXPECT(!none);
}

static void test_world(void) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_worm *worm = NULL, *twin = NULL;
    uint8_t actions[100], bad[] = {0, 4};
    double path[200], reward = -1;
    size_t played = 0;
    ludus_worm_facts facts;
    for (int k = 0; k < 100; k++)
        actions[k] = (uint8_t)(k % 4);
    EXPECT(ludus_worm_begin(task, 7, &worm) == LUDUS_OK && ludus_worm_clone(worm, &twin) == LUDUS_OK);
    ludus_worm_task_free(task); /* the worms hold on to it */
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 4", ludus_worm_step(worm, 4, &reward));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 4", ludus_worm_run(worm, bad, 2, NULL, &played));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "not steered", ludus_worm_steer(worm, 1, 0, &reward));
    EXPECT(ludus_worm_hash(worm) == ludus_worm_hash(twin));
    EXPECT(ludus_worm_run(worm, actions, 100, path, &played) == LUDUS_OK && played == 60);
    for (size_t k = 0; k < played; k++)
        EXPECT(ludus_worm_step(twin, actions[k], &reward) == LUDUS_OK);
    EXPECT(ludus_worm_hash(worm) == ludus_worm_hash(twin));
    ludus_worm_describe(worm, &facts);
    EXPECT(facts.seed == 7 && facts.steps == 60 && facts.ended == 5);
    EXPECT(facts.x == path[118] && facts.y == path[119] && facts.cosine * facts.cosine + facts.sine * facts.sine == 1);
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "step 60", ludus_worm_step(worm, 0, &reward));
    ludus_worm_free(worm);
    ludus_worm_free(twin);
    ludus_worm_free(NULL);
}

static void test_states(void) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_worm *worm = NULL, *other = NULL;
    static uint8_t bytes[16384];
    double reward;
    EXPECT(ludus_worm_begin(task, 7, &worm) == LUDUS_OK && ludus_worm_begin(task, 8, &other) == LUDUS_OK);
    EXPECT(ludus_worm_step(worm, 0, &reward) == LUDUS_OK);
    size_t size = ludus_worm_save(worm, NULL, 0);
    EXPECT(size <= sizeof bytes && ludus_worm_save(worm, bytes, size) == size);
    EXPECT(ludus_worm_load(other, bytes, size) == LUDUS_OK && ludus_worm_hash(other) == ludus_worm_hash(worm));
    bytes[size / 2] ^= 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "checksum", ludus_worm_load(other, bytes, size));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "too short", ludus_worm_load(other, bytes, 7));
    EXPECT(ludus_worm_hash(other) == ludus_worm_hash(worm));
    ludus_worm_task_free(task);
    ludus_worm_free(worm);
    ludus_worm_free(other);
}

static void test_looking(void) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_worm *worm = NULL;
    float features[64];
    double figures[LUDUS_WORM_FIGURES], foods[6], predators[4], food[3], fear[3];
    EXPECT(ludus_worm_begin(task, 3, &worm) == LUDUS_OK);
    EXPECT(ludus_worm_features(worm, features, 64) == (size_t)ludus_worm_features_count(task));
    EXPECT(ludus_worm_figures(worm, figures, LUDUS_WORM_FIGURES) == LUDUS_WORM_FIGURES && figures[15] == 3);
    EXPECT(ludus_worm_foods(worm, foods, 3) == 3 && ludus_worm_predators(worm, predators, 2) == 2);
    ludus_worm_pulls(worm, food, fear);
    EXPECT(food[0] > 0 && ludus_worm_food_scent(worm, foods[0], foods[1]) > food[0]);
    EXPECT(ludus_worm_predator_scent(worm, predators[0], predators[1]) != 0 && fear[0] == fear[0]);
    double before = ludus_worm_evaluate(worm);
    EXPECT(before == before);
    ludus_worm_task_free(task);
    ludus_worm_free(worm);
}

static void test_arranging(void) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_worm *worm = NULL;
    const double one[] = {4, 5}, both[] = {1, 1, 9, 9}, outside[] = {4, 20}, between[] = {4.5, 3};
    const double values[] = {0.5, 0.25, 0.125, 0, 0, 0, 0, 0}, moves[] = {1, 0, 0, 1};
    const int32_t actions[] = {0, 1}, wrong[] = {0, 9};
    double foods[6];
    ludus_worm_facts facts;
    EXPECT(ludus_worm_begin(task, 3, &worm) == LUDUS_OK);
    ludus_worm_put_worm(worm, 3, 4, 0);
    EXPECT(ludus_worm_put_foods(worm, one, 1) == LUDUS_OK);
    EXPECT(ludus_worm_put_predators(worm, both, 2) == LUDUS_OK);
    EXPECT(ludus_worm_put_trail(worm, both, 2) == LUDUS_OK);
    ludus_worm_put_flags(worm, 1, 0, 2);
    EXPECT(ludus_worm_put_memory(worm, values, moves, actions, 2) == LUDUS_OK);
    ludus_worm_settle(worm);
    ludus_worm_describe(worm, &facts);
    EXPECT(facts.x == 3 && facts.y == 4 && ludus_worm_foods(worm, foods, 3) == 1 && foods[1] == 5);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "20.0", ludus_worm_put_foods(worm, outside, 1));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "4.5", ludus_worm_put_trail(worm, between, 1));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "1 predators", ludus_worm_put_predators(worm, one, 1));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 9", ludus_worm_put_memory(worm, values, moves, wrong, 2));
    ludus_worm_task_free(task);
    ludus_worm_free(worm);
}

static void test_dish(void) {
    ludus_worm_task *task = new_worm_task(1);
    ludus_worm *worm = NULL;
    ludus_worm_facts before, after;
    double reward;
    EXPECT(ludus_worm_begin(task, 1, &worm) == LUDUS_OK);
    ludus_worm_describe(worm, &before);
    EXPECT(ludus_worm_steer(worm, 0.5, 0.25, &reward) == LUDUS_OK);
    ludus_worm_describe(worm, &after);
    EXPECT(after.steps == 1 && (after.x != before.x || after.y != before.y));
    EXPECT_ERROR(LUDUS_BAD_ACTION, "finite", ludus_worm_steer(worm, reward / 0.0 - reward / 0.0, 0, &reward));
    ludus_worm_task_free(task);
    ludus_worm_free(worm);
}

typedef struct {
    int32_t actions[WORLDS];
    float steering[2 * WORLDS], features[WORLDS * 64], final_features[WORLDS * 64], rewards[WORLDS];
    uint8_t ended[WORLDS];
    uint64_t seeds[WORLDS];
    double last[WORLDS * LUDUS_WORM_FIGURES];
    int64_t finished[WORLDS];
} tank;

static ludus_worm_batch *new_batch(const ludus_worm_task *task, tank *t, int threads) {
    ludus_worm_batch *batch = NULL;
    ludus_worm_batch_options o;
    ZERO(o);
    ZERO(*t);
    o.size = sizeof o;
    o.n = WORLDS;
    o.autoreset = LUDUS_WORM_RESET_SAME_STEP;
    o.threads = threads;
    o.actions = t->actions;
    o.steering = t->steering;
    o.features = t->features;
    o.rewards = t->rewards;
    o.ended = t->ended;
    o.seeds = t->seeds;
    o.last = t->last;
    o.finished = t->finished;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "final_features", ludus_worm_batch_new(task, &o, &batch));
    o.final_features = t->final_features;
    o.n = 0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0 worlds", ludus_worm_batch_new(task, &o, &batch));
    o.n = WORLDS;
    EXPECT(!batch && ludus_worm_batch_new(task, &o, &batch) == LUDUS_OK);
    return batch;
}

static void play_tank(ludus_worm_batch *batch, tank *t, int steered) {
    int64_t seeds[WORLDS];
    for (int k = 0; k < WORLDS; k++)
        seeds[k] = 100 + k;
    EXPECT(ludus_worm_batch_begin(batch, seeds, WORLDS) == LUDUS_OK);
    for (int step = 0; step < 90; step++) {
        for (int k = 0; k < WORLDS; k++) {
            t->actions[k] = (step + k) % 3;
            t->steering[2 * k] = 1;
        }
        EXPECT(ludus_worm_batch_step(batch, steered) == LUDUS_OK);
    }
}

static void test_batch(int continuous) {
    static tank alone, together;
    ludus_worm_task *task = new_worm_task(continuous);
    ludus_worm_batch *one = new_batch(task, &alone, 1), *two = new_batch(task, &together, 3);
    double figures[WORLDS * LUDUS_WORM_FIGURES], places[2 * WORLDS];
    ludus_worm *worm = NULL;
    ludus_worm_facts facts;
    const int64_t none[] = {-1, -1, -1, -1, -1, -1, -1, -1, -2};
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_worm_batch_step(one, 0));
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_worm_batch_world(one, 0, &worm));
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_worm_batch_begin(one, none, WORLDS));
    EXPECT(ludus_worm_batch_figures(one, figures, WORLDS) == 0 && ludus_worm_batch_places(one, places, WORLDS) == 0);
    ludus_worm_task_free(task); /* the batches hold on to it */
    play_tank(one, &alone, continuous);
    play_tank(two, &together, continuous);
    EXPECT(!memcmp(&alone, &together, sizeof alone) && alone.finished[0] >= 1);
    static uint8_t bytes[65536];
    size_t size = ludus_worm_batch_save(one, bytes, sizeof bytes);
    EXPECT(size <= sizeof bytes && ludus_worm_batch_step(two, continuous) == LUDUS_OK);
    EXPECT(ludus_worm_batch_load(two, bytes, size) == LUDUS_OK);
    EXPECT(!memcmp(alone.seeds, together.seeds, sizeof alone.seeds));
    EXPECT(ludus_worm_batch_step(two, continuous) == LUDUS_OK && ludus_worm_batch_step(one, continuous) == LUDUS_OK);
    EXPECT(!memcmp(&alone, &together, sizeof alone));
    bytes[size / 2] ^= 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no state", ludus_worm_batch_load(two, bytes, size));
    EXPECT(ludus_worm_batch_begin(one, none, WORLDS) == LUDUS_OK);
    EXPECT(alone.seeds[8] == together.seeds[8] + 1 && alone.seeds[0] == together.seeds[0]);
    EXPECT(ludus_worm_batch_world(two, 8, &worm) == LUDUS_OK);
    ludus_worm_describe(worm, &facts);
    EXPECT(ludus_worm_batch_figures(two, figures, WORLDS) == WORLDS);
    EXPECT(ludus_worm_batch_places(two, places, WORLDS) == WORLDS);
    EXPECT(places[16] == facts.x && figures[8 * LUDUS_WORM_FIGURES] == facts.steps);
    together.actions[2] = -1;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action -1", ludus_worm_batch_step(two, 0));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "world 9", ludus_worm_batch_world(two, WORLDS, &worm));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "1 seeds", ludus_worm_batch_begin(two, none, 1));
    ludus_worm_batch_free(one);
    ludus_worm_batch_free(two);
    ludus_worm_batch_free(NULL);
    ludus_worm_free(worm);
}

void test_worms(void) {
    test_tasks();
    test_world();
    test_states();
    test_looking();
    test_arranging();
    test_dish();
    test_batch(0);
    test_batch(1);
}
