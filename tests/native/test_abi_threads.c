/* Tests of native/abi/ludus.h: threads with objects of their own, on a level and a task that all share.
 * Built with the thread sanitizer, it finds what is written behind the caller's back. */
#include "abi_test.h"

#include <pthread.h>

enum { THREADS = 4, ENVS = 6, WORMS = 5, WORM_FEATURES = 64 };

typedef struct {
    const ludus_level *level;
    const ludus_worm_task *task;
    uint64_t hash; /* of all that the thread has played */
} shift;

static void mix(shift *s, uint64_t value) { s->hash = (s->hash ^ value) * 0x100000001b3u; }

static void play_worlds(shift *s) {
    static const ludus_option seed[] = {{"seed", 5}};
    uint8_t actions[60], state[8192];
    ludus_level *generated = NULL;
    ludus_world *world = NULL, *other = NULL, *model = NULL;
    ludus_solution solution;
    size_t played = 0;
    memset(actions, LUDUS_RIGHT | LUDUS_SPEED, sizeof actions);
    EXPECT(ludus_level_from_generator("ludus", seed, 1, &generated) == LUDUS_OK);
    EXPECT(ludus_world_begin(generated, NULL, &other) == LUDUS_OK);
    EXPECT(ludus_world_run(other, actions, sizeof actions, &played) == LUDUS_OK);
    mix(s, ludus_world_hash(other));
    ludus_world_free(other);
    EXPECT(ludus_world_begin(s->level, NULL, &world) == LUDUS_OK);
    EXPECT(ludus_world_begin(s->level, NULL, &other) == LUDUS_OK);
    EXPECT(ludus_world_run(world, actions, 20, &played) == LUDUS_OK);
    EXPECT(ludus_world_load(other, state, ludus_world_save(world, state, sizeof state)) == LUDUS_OK);
    EXPECT(ludus_world_forward_model(other, &model) == LUDUS_OK && ludus_model_advance(model, 2) >= 0);
    EXPECT(ludus_solve(other, 2000, &solution) == LUDUS_OK);
    mix(s, ludus_world_hash(model) ^ (uint64_t)solution.nodes);
    ludus_solution_free(&solution);
    ludus_world_free(model);
    ludus_world_free(other);
    ludus_world_free(world);
    ludus_level_free(generated);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "rules 'x'", ludus_level_from_text("M", 1, "x", &generated));
}

static void play_batch(shift *s) {
    uint8_t actions[ENVS], terminated[ENVS], truncated[ENVS];
    double rewards[ENVS];
    float places[2 * ENVS];
    int32_t infos[ENVS * LUDUS_INFO_FIELDS], pools[ENVS] = {0}, sizes[ENVS];
    ludus_world *start = NULL, *world = NULL;
    ludus_batch *batch = NULL;
    ludus_batch_options o;
    ZERO(o);
    EXPECT(ludus_world_begin(s->level, NULL, &start) == LUDUS_OK);
    const ludus_world *starts[] = {start};
    for (int k = 0; k < ENVS; k++)
        sizes[k] = 1, actions[k] = (uint8_t)(k % 2 ? LUDUS_RIGHT : LUDUS_RIGHT | LUDUS_JUMP);
    o.size = sizeof o;
    o.n_envs = ENVS, o.n_starts = 1, o.frame_skip = 1, o.threads = 2;
    o.starts = starts, o.pools = pools, o.pool_sizes = sizes;
    o.view.columns = o.view.rows = 4;
    o.actions = actions, o.rewards = rewards, o.terminated = terminated, o.truncated = truncated;
    o.places = places, o.infos = infos;
    EXPECT(ludus_batch_new(&o, &batch) == LUDUS_OK);
    for (int k = 0; k < ENVS; k++)
        EXPECT(ludus_batch_reset(batch, k, -1) == LUDUS_OK);
    for (int step = 0; step < 100; step++)
        EXPECT(ludus_batch_step(batch) == LUDUS_OK);
    EXPECT(ludus_batch_world(batch, 2, &world) == LUDUS_OK);
    mix(s, ludus_world_hash(world));
    ludus_world_free(world);
    ludus_world_free(start);
    ludus_batch_free(batch);
}

static void play_worms(shift *s) {
    int32_t actions[WORMS] = {0, 1, 2, 0, 0};
    float features[WORMS * WORM_FEATURES], rewards[WORMS];
    uint8_t ended[WORMS];
    uint64_t seeds[WORMS];
    int64_t finished[WORMS] = {0}, first[WORMS] = {1, 2, 3, 4, 5};
    double last[WORMS * LUDUS_WORM_FIGURES];
    ludus_worm *worm = NULL;
    ludus_worm_batch *batch = NULL;
    ludus_worm_batch_options o;
    ZERO(o);
    EXPECT(ludus_worm_features_count(s->task) <= WORM_FEATURES);
    o.size = sizeof o;
    o.n = WORMS, o.threads = 2;
    o.actions = actions, o.features = features, o.rewards = rewards, o.ended = ended;
    o.seeds = seeds, o.last = last, o.finished = finished;
    EXPECT(ludus_worm_batch_new(s->task, &o, &batch) == LUDUS_OK);
    EXPECT(ludus_worm_batch_begin(batch, first, WORMS) == LUDUS_OK);
    for (int step = 0; step < 50; step++)
        EXPECT(ludus_worm_batch_step(batch, 0) == LUDUS_OK);
    EXPECT(ludus_worm_batch_world(batch, 3, &worm) == LUDUS_OK);
    mix(s, ludus_worm_hash(worm));
    ludus_worm_free(worm);
    ludus_worm_batch_free(batch);
}

static void *work(void *context) {
    shift *s = (shift *)context;
    for (int round = 0; round < 3; round++) {
        play_worlds(s);
        play_batch(s);
        play_worms(s);
    }
    return NULL;
}

void test_threads(void) {
    static const char TEXT[] = "----------------\nM--S-g---k-Q---F\nXXXXXXXXXXXXXXXX";
    shift shifts[THREADS];
    pthread_t threads[THREADS];
    ludus_level *level = NULL;
    ludus_worm_task *task = new_worm_task(0);
    EXPECT(ludus_level_from_text(TEXT, strlen(TEXT), "framework", &level) == LUDUS_OK);
    for (int k = 0; k < THREADS; k++) {
        shifts[k].level = level, shifts[k].task = task, shifts[k].hash = 1;
        EXPECT(!pthread_create(&threads[k], NULL, work, &shifts[k]));
    }
    for (int k = 0; k < THREADS; k++)
        EXPECT(!pthread_join(threads[k], NULL));
    for (int k = 1; k < THREADS; k++)
        EXPECT(shifts[k].hash == shifts[0].hash);
    ludus_level_free(level);
    ludus_worm_task_free(task);
}
