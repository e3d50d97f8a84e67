/* Tests of native/abi/ludus.h: several worms on one dish. */
#include "abi_test.h"

enum { MOST_TERMS = 32, COLONIES = 5, WORMS = 3, MOST_FEATURES = 64, FOUND = 1 };

static double terms[MOST_TERMS];

static double *term(const char *name) {
    for (int32_t k = 0; k < ludus_colony_term_count(); k++)
        if (!strcmp(ludus_colony_term_name(k), name))
            return &terms[k];
    fprintf(stderr, "no term %s\n", name);
    exit(1);
}

static ludus_colony_options colony_options(int worms) {
    ludus_colony_options o;
    ZERO(o);
    ZERO(terms);
    *term("worms") = worms;
    *term("actions") = 6;
    *term("company_radius") = 2;
    *term("company_hunger") = 1;
    *term("senses_scents") = 1;
    *term("senses_company") = 1;
    *term("alarm_strength") = 1;
    *term("alarm_decay") = 5;
    *term("alarm_half_life") = 10;
    *term("alarm_sources") = 4;
    *term("found_strength") = 2;
    *term("found_decay") = 5;
    *term("found_half_life") = 1;
    *term("found_sources") = 4;
    o.size = sizeof o;
    o.terms = terms;
    o.n_terms = (size_t)ludus_colony_term_count();
    return o;
}

static ludus_colony *begin_colony(const ludus_worm_task *task, int worms, uint64_t seed) {
    ludus_colony *colony = NULL;
    ludus_colony_options o = colony_options(worms);
    EXPECT(ludus_colony_begin(task, &o, seed, &colony) == LUDUS_OK);
    return colony;
}

static int near_to(double a, double b) { return a - b < 1e-9 && b - a < 1e-9; }

static void draw_actions(int32_t *actions, int step) {
    for (int k = 0; k < WORMS; k++)
        actions[k] = (step * 7 + step / 3 + k) % 6;
}

/* ---- options ---------------------------------------------------------------------------------- */

static void expect_bad_term(const ludus_worm_task *task, const char *name, double value, const char *words) {
    ludus_colony *none = NULL;
    ludus_colony_options o = colony_options(WORMS);
    *term(name) = value;
    EXPECT_ERROR(LUDUS_BAD_OPTION, words, ludus_colony_begin(task, &o, 1, &none));
    EXPECT(!none);
}

static void test_bad_options(void) {
    ludus_worm_task *grid = new_worm_task(0), *dish = new_worm_task(1);
    ludus_colony *none = NULL;
    EXPECT(ludus_colony_term_count() < MOST_TERMS && !ludus_colony_term_name(-1));
    EXPECT(!ludus_colony_term_name(ludus_colony_term_count()));
    expect_bad_term(grid, "worms", 0, "worms 0");
    expect_bad_term(grid, "worms", LUDUS_COLONY_MAX_WORMS + 1, "give 1 to 10");
    expect_bad_term(grid, "worms", 2.5, "worms 2.5 is no whole number");
    expect_bad_term(grid, "found_sources", 1.5, "found_sources 1.5 is no whole number");
    expect_bad_term(grid, "actions", 3, "actions 3");
    expect_bad_term(grid, "alarm_decay", 0, "alarm_decay 0");
    expect_bad_term(grid, "found_sources", LUDUS_COLONY_MAX_SOURCES + 1, "found_sources 129");
    expect_bad_term(dish, "worms", 2, "need a grid");
    ludus_colony_options o = colony_options(WORMS);
    o.n_terms = 3;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "3 terms", ludus_colony_begin(grid, &o, 1, &none));
    o = colony_options(WORMS);
    o.size = 4096;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "4096 bytes", ludus_colony_begin(grid, &o, 1, &none));
    EXPECT(!none);
    ludus_worm_task_free(grid);
    ludus_worm_task_free(dish);
}

/* ---- steps ------------------------------------------------------------------------------------ */

static void expect_same_worm(const ludus_colony *colony, const ludus_worm *alone) {
    ludus_worm *worm = NULL;
    float features[MOST_FEATURES], expected[MOST_FEATURES];
    size_t n = ludus_worm_features(alone, expected, MOST_FEATURES);
    EXPECT(ludus_colony_worm(colony, 0, &worm) == LUDUS_OK);
    EXPECT(ludus_worm_hash(worm) == ludus_worm_hash(alone));
    EXPECT(ludus_colony_features(colony, features, MOST_FEATURES) == n);
    EXPECT(!memcmp(features, expected, n * sizeof *features));
    ludus_worm_free(worm);
}

/* A colony of one worm plays as a world alone does, to its end. */
static void test_one_worm(uint64_t seed) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_worm *alone = NULL;
    ludus_colony *colony = NULL;
    ludus_colony_options o = colony_options(1);
    ludus_colony_facts facts;
    ludus_worm_facts worm;
    double reward, paid;
    *term("senses_scents") = *term("senses_company") = 0;
    EXPECT(ludus_colony_begin(task, &o, seed, &colony) == LUDUS_OK);
    EXPECT(ludus_worm_begin(task, seed, &alone) == LUDUS_OK);
    ludus_worm_task_free(task); /* the colony holds on to it */
    expect_same_worm(colony, alone);
    int32_t step = 0;
    do {
        int32_t action = (step * 7 + step / 3) % 4;
        EXPECT(ludus_colony_step(colony, &action, 1, &paid) == LUDUS_OK);
        EXPECT(ludus_worm_step(alone, action, &reward) == LUDUS_OK && paid == reward);
        expect_same_worm(colony, alone);
        ludus_worm_describe(alone, &worm);
        ludus_colony_describe(colony, &facts);
        EXPECT(facts.steps == ++step && facts.alive == !worm.ended);
    } while (!worm.ended);
    int32_t stay = 3;
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "the episode ended", ludus_colony_step(colony, &stay, 1, &paid));
    ludus_colony_free(colony);
    ludus_worm_free(alone);
}

static void test_bad_actions(void) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_colony *colony = begin_colony(task, WORMS, 7);
    ludus_worm *none = NULL;
    uint64_t before = ludus_colony_hash(colony);
    int32_t actions[] = {0, LUDUS_COLONY_REVERSE, 6};
    double rewards[WORMS];
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 6", ludus_colony_step(colony, actions, WORMS, rewards));
    actions[2] = -1;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action -1", ludus_colony_step(colony, actions, WORMS, rewards));
    actions[2] = LUDUS_COLONY_OMEGA;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "2 actions", ludus_colony_step(colony, actions, 2, rewards));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "no worm 3", ludus_colony_worm(colony, WORMS, &none));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "no worm -1", ludus_colony_worm(colony, -1, &none));
    EXPECT(!none && ludus_colony_hash(colony) == before);
    EXPECT(ludus_colony_step(colony, actions, WORMS, rewards) == LUDUS_OK);
    EXPECT(ludus_colony_hash(colony) != before);
    ludus_colony_free(colony);
    ludus_worm_task_free(task);
}

/* The first worm begins in the middle, the others two cells beside it. */
static void test_senses(void) {
    ludus_worm_task *task = new_worm_task(0);
    ludus_colony *colony = begin_colony(task, WORMS, 7);
    ludus_colony_facts facts;
    float features[WORMS * MOST_FEATURES];
    ludus_colony_describe(colony, &facts);
    EXPECT(facts.worms == WORMS && facts.alive == WORMS && facts.steps == 0);
    EXPECT(facts.features == ludus_worm_features_count(task) + 2 * LUDUS_COLONY_SCENTS + 1);
    size_t each = (size_t)facts.features;
    features[0] = -7;
    EXPECT(ludus_colony_features(colony, features, WORMS * each - 1) == WORMS * each && features[0] == -7);
    EXPECT(ludus_colony_features(colony, features, WORMS * each) == WORMS * each);
    EXPECT(features[each - 1] == 0.2f && features[2 * each - 1] == 0.1f && features[3 * each - 1] == 0.1f);
    ludus_colony_free(colony);
    ludus_worm_task_free(task);
}

/* ---- food ------------------------------------------------------------------------------------- */

typedef struct {
    ludus_worm_facts facts;
    double food[2], eaten;
    size_t n_foods;
} sighting;

static sighting look_at(const ludus_colony *colony, int32_t k) {
    sighting s;
    ludus_worm *worm = NULL;
    double figures[LUDUS_WORM_FIGURES];
    ZERO(s);
    EXPECT(ludus_colony_worm(colony, k, &worm) == LUDUS_OK);
    ludus_worm_describe(worm, &s.facts);
    EXPECT(ludus_worm_figures(worm, figures, LUDUS_WORM_FIGURES) == LUDUS_WORM_FIGURES);
    s.eaten = figures[1];
    s.n_foods = ludus_worm_foods(worm, s.food, 1);
    ludus_worm_free(worm);
    return s;
}

/* The action that takes a worm a cell along an axis: forward, left, right, or round. */
static int32_t action_towards(const ludus_worm_facts *w, double dx, double dy) {
    double ahead = dx * w->cosine + dy * w->sine, left = dy * w->cosine - dx * w->sine;
    return ahead > 0.5 ? 0 : left > 0.5 ? 1 : left < -0.5 ? 2 : LUDUS_COLONY_OMEGA;
}

/* The next action on the way to the cell beside the food, around the food; 3 stays there. */
static int32_t approach(const sighting *s, double beside) {
    double dx = beside - s->facts.x, dy = s->food[1] - s->facts.y, way = dx > 0 ? 1 : -1;
    if (dx != 0 && dy == 0 && s->facts.x + way == s->food[0])
        return action_towards(&s->facts, 0, s->food[1] > 10 ? -1 : 1);
    if (dx != 0)
        return action_towards(&s->facts, way, 0);
    return dy == 0 ? 3 : action_towards(&s->facts, 0, dy > 0 ? 1 : -1);
}

/* Leads all worms to the cell beside the only food; returns their column. */
static double gather(ludus_colony *colony) {
    int32_t actions[WORMS];
    double rewards[WORMS];
    sighting s = look_at(colony, 0);
    double beside = s.food[0] > 10 ? s.food[0] - 1 : s.food[0] + 1;
    for (int step = 0, waiting = 0; waiting < WORMS; step++) {
        EXPECT(step < 50);
        waiting = 0;
        for (int32_t k = 0; k < WORMS; k++) {
            s = look_at(colony, k);
            EXPECT(s.n_foods == 1 && s.eaten == 0);
            actions[k] = approach(&s, beside);
            waiting += actions[k] == 3;
        }
        EXPECT(ludus_colony_step(colony, actions, WORMS, rewards) == LUDUS_OK);
    }
    return beside;
}

static void check_scent(ludus_colony *colony, const double *food) {
    int32_t x = (int32_t)food[0], y = (int32_t)food[1], stay[WORMS] = {3, 3, 3};
    double sources[3], rewards[WORMS];
    EXPECT(ludus_colony_sources(colony, FOUND, NULL, 0) == 1 && ludus_colony_sources(colony, FOUND, sources, 1) == 1);
    EXPECT(sources[0] == food[0] && sources[1] == food[1] && sources[2] == 2);
    EXPECT(near_to(ludus_colony_scent(colony, FOUND, x, y), 0.96402758007581688)); /* tanh 2 */
    EXPECT(ludus_colony_scent(colony, FOUND, 10, 10) < ludus_colony_scent(colony, FOUND, x, y));
    EXPECT(ludus_colony_scent(colony, FOUND, -1, y) == 0 && ludus_colony_scent(colony, FOUND, x, 20) == 0);
    EXPECT(ludus_colony_scent(colony, 0, x, y) == 0 && ludus_colony_sources(colony, 0, sources, 1) == 0);
    EXPECT(ludus_colony_scent(colony, 2, x, y) == 0 && ludus_colony_sources(colony, 2, sources, 1) == 0);
    EXPECT(ludus_colony_step(colony, stay, WORMS, rewards) == LUDUS_OK);
    EXPECT(ludus_colony_sources(colony, FOUND, sources, 1) == 1 && near_to(sources[2], 1)); /* half of it is gone */
}

/* All worms enter the cell of the only food in the same step: the first one eats it, and leaves a scent. */
static void test_food_is_eaten_once(uint64_t seed) {
    ludus_worm_task *task = new_single_food_task();
    ludus_colony *colony = begin_colony(task, WORMS, seed);
    int32_t actions[WORMS];
    double rewards[WORMS], food[2], beside = gather(colony);
    for (int32_t k = 0; k < WORMS; k++) {
        sighting s = look_at(colony, k);
        EXPECT(s.facts.x == beside && s.facts.y == s.food[1]);
        actions[k] = action_towards(&s.facts, s.food[0] - beside, 0);
        memcpy(food, s.food, sizeof food);
    }
    EXPECT(ludus_colony_step(colony, actions, WORMS, rewards) == LUDUS_OK);
    for (int32_t k = 0; k < WORMS; k++) {
        sighting s = look_at(colony, k);
        EXPECT(s.facts.x == food[0] && s.facts.y == food[1] && s.n_foods == 0 && s.eaten == (k == 0));
    }
    check_scent(colony, food);
    ludus_colony_free(colony);
    ludus_worm_task_free(task);
}

/* ---- states ----------------------------------------------------------------------------------- */

static void play_some(ludus_colony *colony, int from, int to) {
    int32_t actions[WORMS];
    double rewards[WORMS];
    for (int step = from; step < to; step++) {
        draw_actions(actions, step);
        EXPECT(ludus_colony_step(colony, actions, WORMS, rewards) == LUDUS_OK);
    }
}

static void test_states(void) {
    static uint8_t bytes[65536];
    ludus_worm_task *task = new_worm_task(0);
    ludus_colony *colony = begin_colony(task, WORMS, 7), *other = begin_colony(task, WORMS, 8), *clone = NULL;
    ludus_colony *pair = begin_colony(task, 2, 7);
    play_some(colony, 0, 9);
    uint64_t digest = ludus_colony_hash(colony);
    EXPECT(ludus_colony_hash(other) != digest);
    size_t size = ludus_colony_save(colony, NULL, 0);
    EXPECT(size <= sizeof bytes && ludus_colony_save(colony, bytes, size - 1) == size && !bytes[0]);
    EXPECT(ludus_colony_save(colony, bytes, sizeof bytes) == size);
    EXPECT(ludus_colony_load(other, bytes, size) == LUDUS_OK && ludus_colony_hash(other) == digest);
    EXPECT(ludus_colony_clone(colony, &clone) == LUDUS_OK && ludus_colony_hash(clone) == digest);
    play_some(other, 9, 20);
    play_some(clone, 9, 20);
    EXPECT(ludus_colony_hash(colony) == digest && ludus_colony_hash(clone) != digest);
    EXPECT(ludus_colony_hash(other) == ludus_colony_hash(clone));
    digest = ludus_colony_hash(other);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "another level or task", ludus_colony_load(pair, bytes, size));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "cut off", ludus_colony_load(other, bytes, size - 1));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "too short", ludus_colony_load(other, bytes, 7));
    bytes[size / 2] ^= 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "checksum", ludus_colony_load(other, bytes, size));
    EXPECT(ludus_colony_hash(other) == digest);
    ludus_worm_task_free(task);
    ludus_colony_free(colony);
    ludus_colony_free(other);
    ludus_colony_free(clone);
    ludus_colony_free(pair);
    ludus_colony_free(NULL);
}

/* ---- batches ---------------------------------------------------------------------------------- */

typedef struct {
    int32_t actions[COLONIES * WORMS];
    float features[COLONIES * WORMS * MOST_FEATURES], rewards[COLONIES * WORMS];
    uint8_t ended[COLONIES * WORMS];
    uint64_t seeds[COLONIES];
    double last[COLONIES * WORMS * LUDUS_WORM_FIGURES];
    int64_t finished[COLONIES];
} dishes;

static const uint64_t SEEDS[COLONIES] = {7, 20, 30, 40, 50};

static ludus_colony_batch *new_batch(const ludus_worm_task *task, dishes *d, int threads) {
    ludus_colony_batch *batch = NULL;
    ludus_colony_options colony = colony_options(WORMS);
    ludus_colony_batch_options o;
    ZERO(o);
    ZERO(*d);
    o.size = sizeof o;
    o.threads = threads;
    o.autoreset = 1;
    o.actions = d->actions;
    o.features = d->features;
    o.rewards = d->rewards;
    o.ended = d->ended;
    o.seeds = d->seeds;
    o.last = d->last;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0 colonies", ludus_colony_batch_new(task, &colony, &o, &batch));
    o.n = COLONIES;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "a buffer is missing", ludus_colony_batch_new(task, &colony, &o, &batch));
    o.finished = d->finished;
    o.threads = 0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0 threads", ludus_colony_batch_new(task, &colony, &o, &batch));
    o.threads = threads;
    EXPECT(!batch && ludus_colony_batch_new(task, &colony, &o, &batch) == LUDUS_OK);
    return batch;
}

static void play_batch(ludus_colony_batch *batch, dishes *d, int from, int to) {
    for (int step = from; step < to; step++) {
        for (int k = 0; k < COLONIES; k++)
            draw_actions(d->actions + k * WORMS, step);
        EXPECT(ludus_colony_batch_step(batch) == LUDUS_OK);
    }
}

/* A batch plays each colony as it plays alone. */
static void compare_with_colony(const ludus_worm_task *task, const ludus_colony_batch *batch, int steps) {
    ludus_colony *alone = begin_colony(task, WORMS, SEEDS[0]), *copy = NULL;
    play_some(alone, 0, steps);
    EXPECT(ludus_colony_batch_colony(batch, 0, &copy) == LUDUS_OK);
    EXPECT(ludus_colony_hash(copy) == ludus_colony_hash(alone));
    ludus_colony_free(alone);
    ludus_colony_free(copy);
}

static void test_batch(void) {
    static dishes alone, together;
    ludus_worm_task *task = new_worm_task(0);
    ludus_colony_batch *one = new_batch(task, &alone, 1), *two = new_batch(task, &together, 3);
    ludus_colony *none = NULL;
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_colony_batch_step(one));
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_colony_batch_colony(one, 0, &none));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "1 seeds", ludus_colony_batch_begin(one, SEEDS, 1));
    EXPECT(ludus_colony_batch_begin(one, SEEDS, COLONIES) == LUDUS_OK);
    EXPECT(ludus_colony_batch_begin(two, SEEDS, COLONIES) == LUDUS_OK);
    play_batch(one, &alone, 0, 12);
    compare_with_colony(task, one, 12);
    ludus_worm_task_free(task); /* the batches hold on to it */
    play_batch(one, &alone, 12, 90);
    play_batch(two, &together, 0, 90);
    EXPECT(!memcmp(&alone, &together, sizeof alone));
    for (int k = 0; k < COLONIES; k++)
        EXPECT(alone.finished[k] >= 1 && alone.seeds[k] == SEEDS[k] + (uint64_t)alone.finished[k]);
    EXPECT(alone.last[0] > 0 && alone.last[0] <= 60 && alone.last[15] == (double)alone.seeds[0] - 1);
    together.actions[4] = 6;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 6", ludus_colony_batch_step(two));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "no colony 5", ludus_colony_batch_colony(two, COLONIES, &none));
    EXPECT(!none);
    ludus_colony_batch_free(one);
    ludus_colony_batch_free(two);
    ludus_colony_batch_free(NULL);
}

/* A batch goes on from a state, and takes none of another. */
static void test_batch_states(void) {
    static dishes first, second;
    static uint8_t bytes[1 << 19];
    ludus_worm_task *task = new_worm_task(0);
    ludus_colony_batch *one = new_batch(task, &first, 1), *two = new_batch(task, &second, 1);
    size_t fresh = ludus_colony_batch_save(one, NULL, 0);
    EXPECT(ludus_colony_batch_begin(one, SEEDS, COLONIES) == LUDUS_OK);
    play_batch(one, &first, 0, 70);
    size_t size = ludus_colony_batch_save(one, NULL, 0);
    EXPECT(fresh < size && size <= sizeof bytes);
    EXPECT(ludus_colony_batch_save(one, bytes, size - 1) == size && !bytes[0]);
    EXPECT(ludus_colony_batch_save(one, bytes, sizeof bytes) == size);
    EXPECT(ludus_colony_batch_load(two, bytes, size) == LUDUS_OK);
    EXPECT(!memcmp(first.features, second.features, sizeof first.features));
    play_batch(one, &first, 70, 90);
    play_batch(two, &second, 70, 90);
    EXPECT(!memcmp(&first, &second, sizeof first));
    EXPECT_ERROR(LUDUS_BAD_OPTION, "cut off", ludus_colony_batch_load(two, bytes, size - 1));
    bytes[size / 2] ^= 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "checksum", ludus_colony_batch_load(two, bytes, size));
    EXPECT(!memcmp(&first, &second, sizeof first));
    ludus_worm_task_free(task);
    ludus_colony_batch_free(one);
    ludus_colony_batch_free(two);
}

void test_colonies(void) {
    test_bad_options();
    for (uint64_t seed = 1; seed <= 4; seed++) {
        test_one_worm(seed);
        test_food_is_eaten_once(seed);
    }
    test_bad_actions();
    test_senses();
    test_states();
    test_batch();
    test_batch_states();
}
