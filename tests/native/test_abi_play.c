/* Tests of native/abi/ludus.h: batches, pictures, the solver, practice. */
#include "abi_test.h"

/* ---- batches ---------------------------------------------------------------------------------- */

enum { ENVS = 13, SIDE = 8 };

typedef struct {
    uint8_t actions[ENVS], terminated[ENVS], truncated[ENVS];
    double rewards[ENVS];
    float places[2 * ENVS], state[ENVS * LUDUS_STATE_FIELDS];
    int32_t infos[ENVS * LUDUS_INFO_FIELDS];
    uint8_t scene[ENVS * SIDE * SIDE], enemies[ENVS * SIDE * SIDE], merged[ENVS * SIDE * SIDE];
    uint8_t last_scene[ENVS * SIDE * SIDE];
} desk;

static int32_t pool[ENVS], sizes[ENVS];

static ludus_batch_options batch_options(desk *d, const ludus_world *const *start, int threads, int autoreset) {
    ludus_batch_options o;
    ZERO(o);
    ZERO(*d);
    for (int k = 0; k < ENVS; k++)
        sizes[k] = 1;
    o.size = sizeof o;
    o.n_envs = ENVS;
    o.starts = start;
    o.n_starts = 1;
    o.pools = pool;
    o.pool_sizes = sizes;
    o.view.columns = o.view.rows = SIDE;
    o.reward.progress = 1;
    o.reward.win = 10;
    o.frame_skip = 2;
    o.autoreset = autoreset;
    o.threads = threads;
    o.actions = d->actions;
    o.rewards = d->rewards;
    o.terminated = d->terminated;
    o.truncated = d->truncated;
    o.places = d->places;
    o.infos = d->infos;
    o.seen.scene = d->scene;
    o.seen.enemies = d->enemies;
    o.seen.merged = d->merged;
    o.seen.state = d->state;
    o.seen_last.scene = d->last_scene;
    return o;
}

/* Plays until the first environment wins; returns the steps that took. */
static int play_batch(ludus_batch *batch, desk *d) {
    for (int k = 0; k < ENVS; k++) {
        EXPECT(ludus_batch_seed(batch, k, (uint64_t)k) == LUDUS_OK);
        EXPECT(ludus_batch_reset(batch, k, -1) == LUDUS_OK);
        d->actions[k] = LUDUS_RIGHT | LUDUS_SPEED;
    }
    int steps = 0;
    do {
        EXPECT(ludus_batch_step(batch) == LUDUS_OK);
        steps++;
    } while (!d->terminated[0] && steps < 1000);
    return steps;
}

static void compare_threads(const ludus_world *const *start) {
    static desk alone, together;
    ludus_batch *one = NULL, *two = NULL;
    ludus_world *a = NULL, *b = NULL;
    ludus_batch_options o = batch_options(&alone, start, 1, LUDUS_RESET_SAME_STEP);
    EXPECT(ludus_batch_new(&o, &one) == LUDUS_OK);
    o = batch_options(&together, start, 3, LUDUS_RESET_SAME_STEP);
    EXPECT(ludus_batch_new(&o, &two) == LUDUS_OK);
    EXPECT(play_batch(one, &alone) == play_batch(two, &together));
    EXPECT(!memcmp(&alone, &together, sizeof alone));
    EXPECT(alone.rewards[0] > 9 && alone.infos[0] == LUDUS_WIN && ludus_batch_over(one, 0) == 0);
    EXPECT(ludus_batch_world(one, 12, &a) == LUDUS_OK && ludus_batch_world(two, 12, &b) == LUDUS_OK);
    EXPECT(ludus_world_hash(a) == ludus_world_hash(b) && ludus_world_hash(a) == ludus_world_hash(start[0]));
    ludus_batch_free(one);
    ludus_batch_free(two);
    EXPECT(ludus_world_step(a, 0) == LUDUS_RUNNING); /* it outlives its batch */
    ludus_world_free(a);
    ludus_world_free(b);
}

static void save_batches(const ludus_world *const *start) {
    static desk d, e;
    static uint8_t bytes[65536];
    ludus_batch *one = NULL, *two = NULL;
    ludus_world *a = NULL, *b = NULL;
    ludus_batch_options o = batch_options(&d, start, 2, LUDUS_RESET_NEXT_STEP);
    EXPECT(ludus_batch_new(&o, &one) == LUDUS_OK);
    o = batch_options(&e, start, 1, LUDUS_RESET_NEXT_STEP);
    EXPECT(ludus_batch_new(&o, &two) == LUDUS_OK);
    EXPECT(ludus_batch_load(two, bytes, ludus_batch_save(one, bytes, sizeof bytes)) == LUDUS_OK);
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_batch_step(two));
    play_batch(one, &d);
    size_t size = ludus_batch_save(one, NULL, 0);
    EXPECT(size <= sizeof bytes && ludus_batch_save(one, bytes, size) == size);
    EXPECT(ludus_batch_load(two, bytes, size) == LUDUS_OK);
    EXPECT(!memcmp(d.scene, e.scene, sizeof d.scene) && !memcmp(d.infos, e.infos, sizeof d.infos));
    EXPECT(ludus_batch_over(two, 0) == 1 && e.terminated[0] == 1);
    memcpy(e.actions, d.actions, sizeof d.actions);
    EXPECT(ludus_batch_step(one) == LUDUS_OK && ludus_batch_step(two) == LUDUS_OK);
    EXPECT(ludus_batch_world(one, 0, &a) == LUDUS_OK && ludus_batch_world(two, 0, &b) == LUDUS_OK);
    EXPECT(ludus_world_hash(a) == ludus_world_hash(b));
    for (size_t at = 0; at < size; at += 97) {
        bytes[at] ^= 64;
        EXPECT_ERROR(LUDUS_BAD_OPTION, "no state", ludus_batch_load(two, bytes, size));
        bytes[at] ^= 64;
        EXPECT_ERROR(LUDUS_BAD_OPTION, "no state", ludus_batch_load(two, bytes, at));
    }
    ludus_world_free(a);
    ludus_world_free(b);
    ludus_batch_free(one);
    ludus_batch_free(two);
}

/* Two lives on one level, which the first one completes. */
static void play_courses(const ludus_world *const *start) {
    static desk d;
    static int32_t courses[ENVS * LUDUS_COURSE_FIELDS];
    static int8_t fields[ENVS * LUDUS_SIGHT_FIELDS];
    static uint8_t pixels[ENVS * LUDUS_PICTURES * LUDUS_SCREEN_SIDE * LUDUS_SCREEN_SIDE];
    ludus_batch *batch = NULL;
    uint64_t seed = 0;
    ludus_batch_options o = batch_options(&d, start, 1, LUDUS_RESET_SAME_STEP);
    o.lives = 2;
    o.n_stages = o.n_modes = 1;
    o.no_ops = 5;
    o.sticky = 0.5;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no course", ludus_batch_new(&o, &batch));
    o.courses = courses;
    o.fields = fields;
    o.pixels = pixels;
    o.n_modes = 3;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "not courses", ludus_batch_new(&o, &batch));
    o.n_modes = 1;
    o.sticky = 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "no probability", ludus_batch_new(&o, &batch));
    o.sticky = 0.5;
    EXPECT(ludus_batch_new(&o, &batch) == LUDUS_OK);
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_batch_course_seed(batch, 0, &seed));
    play_batch(batch, &d);
    EXPECT(courses[1] == 2 && courses[4] > 0 && courses[7] == 1 && courses[9] == 1);
    EXPECT(ludus_batch_seed(batch, 0, 12) == LUDUS_OK && ludus_batch_reset(batch, 0, -1) == LUDUS_OK);
    EXPECT(ludus_batch_course_seed(batch, 0, &seed) == LUDUS_OK && seed == 12);
    EXPECT(pixels[0] && memchr(fields, 64, sizeof fields));
    ludus_batch_free(batch);
}

static void try_bad_batches(const ludus_world *const *start) {
    static desk d;
    ludus_batch *batch = NULL;
    ludus_batch_options o = batch_options(&d, start, 1, LUDUS_RESET_NEVER);
    o.frame_skip = 0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "frame_skip 0", ludus_batch_new(&o, &batch));
    o = batch_options(&d, start, 0, LUDUS_RESET_NEVER);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0 threads", ludus_batch_new(&o, &batch));
    o = batch_options(&d, start, 1, 7);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "autoreset 7", ludus_batch_new(&o, &batch));
    o = batch_options(&d, start, 1, LUDUS_RESET_NEVER);
    o.rewards = NULL;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "missing", ludus_batch_new(&o, &batch));
    o = batch_options(&d, start, 1, LUDUS_RESET_NEVER);
    pool[3] = 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "level 1", ludus_batch_new(&o, &batch));
    pool[3] = 0;
    EXPECT(ludus_batch_new(&o, &batch) == LUDUS_OK);
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_batch_step(batch));
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_batch_level(batch, 0));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "environment 13", ludus_batch_reset(batch, ENVS, -1));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "level 1", ludus_batch_reset(batch, 0, 1));
    play_batch(batch, &d);
    EXPECT(ludus_batch_over(batch, 0) == 1 && ludus_batch_level(batch, 0) == 0);
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "finished", ludus_batch_step(batch));
    for (int k = 0; k < ENVS; k++)
        EXPECT(ludus_batch_reset(batch, k, 0) == LUDUS_OK);
    d.actions[4] = 77;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 77", ludus_batch_step(batch));
    ludus_batch_free(batch);
    ludus_batch_free(NULL);
}

void test_batches(void) {
    ludus_world *world = begin_flat_world();
    const ludus_world *start[1] = {world};
    compare_threads(start);
    save_batches(start);
    play_courses(start);
    try_bad_batches(start);
    ludus_world_free(world);
}

/* ---- pictures --------------------------------------------------------------------------------- */

void test_pictures(void) {
    static uint8_t tile_frame[16 * 16 * 4], sprite_frame[16 * 32 * 4], frame_of[256], rgb[32 * 20 * 3];
    uint8_t background[20 * 3], tiles[] = {0, 1, 0, 1};
    ludus_drawn sprite = {0, 8, 10, LUDUS_MIRRORED};
    ludus_scene_picture p;
    memset(tile_frame, 255, sizeof tile_frame);
    memset(frame_of, 255, sizeof frame_of);
    memset(background, 7, sizeof background);
    frame_of[1] = 0;
    ZERO(p);
    p.size = sizeof p;
    p.width = 32, p.height = 20;
    p.background = background;
    p.tiles = tiles;
    p.columns = p.rows = 2;
    p.frame_of = frame_of;
    p.tile_frames = tile_frame;
    p.sprite_frames = sprite_frame;
    p.n_tile_frames = p.n_sprite_frames = 1;
    p.sprites = &sprite;
    p.n_sprites = 1;
    EXPECT(ludus_draw(&p, rgb, sizeof rgb) == LUDUS_OK);
    EXPECT(rgb[0] == 7 && rgb[3 * (16 * 32)] == 255);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "1919 bytes", ludus_draw(&p, rgb, sizeof rgb - 1));
    p.width = 0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "0 x 20", ludus_draw(&p, rgb, sizeof rgb));
}

/* ---- the solver ------------------------------------------------------------------------------- */

void test_solver(void) {
    ludus_world *world = begin_flat_world();
    ludus_solution solution;
    size_t played = 0;
    EXPECT(ludus_solve(world, 100000, &solution) == LUDUS_OK && solution.outcome == LUDUS_SOLVED);
    EXPECT(solution.n_actions > 0 && solution.nodes > 0);
    EXPECT(ludus_world_run(world, solution.actions, solution.n_actions, &played) == LUDUS_OK);
    EXPECT(ludus_world_status(world) == LUDUS_WIN);
    ludus_solution_free(&solution);
    EXPECT(!solution.actions);
    ludus_world_free(world);
}

/* ---- practice --------------------------------------------------------------------------------- */

enum { GAMES = 6, SLOTS = 40 };

static double odds[2] = {1, 1};
static uint64_t seeds[GAMES];

typedef struct {
    uint8_t buttons[SLOTS * GAMES], endings[SLOTS * GAMES];
    float rewards[SLOTS * GAMES], reached[SLOTS * GAMES];
    int32_t played[SLOTS * GAMES];
    int8_t fields[(SLOTS + 1) * GAMES * LUDUS_SIGHT_FIELDS];
} rollout;

static ludus_practice_options practice_options(rollout *r, const ludus_world *const *start, int threads) {
    ludus_practice_options o;
    ZERO(o);
    ZERO(*r);
    memset(r->buttons, LUDUS_RIGHT | LUDUS_SPEED, sizeof r->buttons);
    for (int k = 0; k < GAMES; k++)
        seeds[k] = (uint64_t)(k + 1);
    o.size = sizeof o;
    o.n_games = GAMES;
    o.groups = 2;
    o.slots = SLOTS;
    o.threads = threads;
    o.starts = start;
    o.n_starts = 1;
    o.seeds = seeds;
    o.skip = 4, o.no_ops = 5, o.patience = 100;
    o.sticky = 0.25;
    o.progress = 1, o.win = 10;
    o.odds = odds;
    o.buttons = r->buttons;
    o.rewards = r->rewards;
    o.endings = r->endings;
    o.reached = r->reached;
    o.played = r->played;
    o.fields = r->fields;
    return o;
}

static void play_practice(ludus_practice *practice, int32_t from, int32_t to) {
    for (int32_t slot = from; slot < to; slot++)
        EXPECT(ludus_practice_step(practice, slot) == LUDUS_OK);
}

/* A practice that is brought to its places goes on as the other does. */
static void compare_practices(const ludus_world *const *start) {
    static rollout first, second;
    ludus_practice *one = NULL, *two = NULL;
    ludus_practice_place place;
    ludus_practice_options o = practice_options(&first, start, 1);
    EXPECT(ludus_practice_new(&o, &one) == LUDUS_OK);
    o = practice_options(&second, start, 2);
    EXPECT(ludus_practice_new(&o, &two) == LUDUS_OK);
    EXPECT_ERROR(LUDUS_EPISODE_OVER, "not begun", ludus_practice_step(one, 0));
    EXPECT(ludus_practice_begin(one) == LUDUS_OK && ludus_practice_begin(two) == LUDUS_OK);
    play_practice(one, 0, SLOTS);
    play_practice(two, 0, SLOTS);
    EXPECT(!memcmp(&first, &second, sizeof first));
    int wins = 0;
    for (int k = 0; k < SLOTS * GAMES; k++)
        wins += first.endings[k] == 1;
    EXPECT(wins > 0);
    for (int32_t game = 0; game < GAMES; game++) {
        EXPECT(ludus_practice_get(one, game, &place) == LUDUS_OK && place.n_decisions <= SLOTS);
        EXPECT(ludus_practice_put(two, game, &place) == LUDUS_OK);
        ludus_practice_fork fork;
        EXPECT(ludus_practice_get_fork(one, game, &fork) == LUDUS_OK && fork.at == -1);
        EXPECT(ludus_practice_put_forked(two, game, &place, NULL) == LUDUS_OK);
    }
    play_practice(one, 0, 5);
    play_practice(two, 0, 5);
    EXPECT(!memcmp(first.reached, second.reached, sizeof(float) * 5 * GAMES));
    place.level = 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "level 1", ludus_practice_put(two, 0, &place));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "game 6", ludus_practice_put(two, GAMES, &place));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "game -1", ludus_practice_get(two, -1, &place));
    ludus_practice_fork fork;
    EXPECT_ERROR(LUDUS_BAD_INDEX, "game -1", ludus_practice_get_fork(two, -1, &fork));
    EXPECT_ERROR(LUDUS_BAD_INDEX, "slot 40", ludus_practice_step(two, SLOTS));
    ludus_practice_free(one);
    ludus_practice_free(two);
    ludus_practice_free(NULL);
}

void test_practice(void) {
    static rollout r;
    int8_t fields[LUDUS_SIGHT_FIELDS];
    static uint8_t pixels[LUDUS_SIGHT_SIDE * LUDUS_SIGHT_SIDE];
    ludus_world *world = begin_flat_world();
    const ludus_world *start[1] = {world};
    ludus_practice *none = NULL;
    EXPECT(ludus_world_sight(world, fields, sizeof fields) == sizeof fields && fields[LUDUS_SIGHT_FIELDS - 1] == 64);
    EXPECT(ludus_world_sight_picture(world, pixels, sizeof pixels) == sizeof pixels && pixels[0] > 0);
    compare_practices(start);
    ludus_practice_options o = practice_options(&r, start, 1);
    o.fields = NULL;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "fields or", ludus_practice_new(&o, &none));
    o = practice_options(&r, start, 1);
    o.groups = 7;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "7 groups", ludus_practice_new(&o, &none));
    EXPECT(!none);
    ludus_world_free(world);
}
