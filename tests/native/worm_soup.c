/* Random dishes with random worms: what no task made by hand would try.
 *
 *     worm_soup STEPS SEED               plays at least so many steps and stops at the first broken promise
 *     worm_soup digest SOUPS STEPS SEED  writes a line for each soup: a digest over all its steps
 *
 * A soup is one random task with some worlds in a batch. Soup k of a run draws from seed SEED + k, so
 * that `worm_soup 1 SEED+k` plays it again alone.
 */
#include "worm/batch.h"
#include "worm/saved_state.h"
#include "worm/worm.h"

#define SOUP "worm_soup"
#include "forging.h"

#include <string.h>

enum { WORLDS = 5 };

static struct {
    long steps, episodes;
} run;

static double real_between(double least, double most) {
    return least + (most - least) * ((double)below(65537) / 65536.0);
}

static void *used_memory(size_t bytes) { return memset(memory(bytes), 0xa5, bytes); }

/* ---- tasks ------------------------------------------------------------------------------------ */

static wm_spots spots(double size, double most) {
    wm_spots made = {0};
    made.n = between(0, 3);
    for (int k = 0; k < made.n; k++)
        made.spot[k] = (wm_spot){real_between(0, size), real_between(0, size), real_between(0.1, most)};
    return made;
}

static void draw_dangers(wm_terms *t) {
    t->predators = one_in(2) ? between(1, WM_MAX_PREDATORS) : 0;
    t->predator_kind = below(3);
    t->predator_speed = real_between(0, one_in(4) ? 12 : 1.5);
    t->detection = real_between(0, 20);
    t->damage_radius = below(4);
    t->predator_damage = real_between(0, 30);
    t->predator_decay = real_between(0.5, 20);
    t->predator_strength = real_between(0, 2);
    t->predator_kills = one_in(4);
    t->predator_spawns_by_steps = one_in(2);
    t->thermal = one_in(2);
    t->temperature = real_between(0, 40);
    t->temperature_gradient = real_between(-3, 3);
    t->temperature_direction = real_between(-7, 7);
    t->temperature_spot_decay = real_between(0.5, 10);
    t->cultivation = 20;
    t->comfort_delta = 5, t->discomfort_delta = 10, t->danger_delta = 15;
    t->danger_damage = 2, t->lethal_damage = 10, t->brave_reward = 0.3;
    t->aerial = below(3);
    t->oxygen = real_between(0, 21);
    t->oxygen_gradient = real_between(-1, 1);
    t->oxygen_direction = real_between(-7, 7);
    t->oxygen_spot_decay = real_between(0.5, 10);
    t->oxygen_lethal_below = 2, t->oxygen_danger_below = 5, t->oxygen_comfort_to = 12;
    t->oxygen_danger_to = 17, t->oxygen_danger_damage = 0.5, t->oxygen_lethal_damage = 6;
}

static void draw_senses(wm_terms *t) {
    t->senses_gradient = one_in(4);
    t->senses_food = one_in(2);
    t->senses_touch = one_in(2);
    t->senses_predators = t->predators > 0 && one_in(2);
    t->senses_self = one_in(2);
    t->senses_temperature = t->thermal && one_in(2);
    t->senses_oxygen = t->aerial && one_in(2);
    t->food_mode = below(4), t->predator_mode = below(4);
    t->temperature_mode = below(4), t->oxygen_mode = below(4);
    t->memory = one_in(2);
    t->memory_size = between(1, WM_MAX_MEMORY);
    t->memory_decay = real_between(0, 1);
    t->adaptation = below(4), t->adaptation_rate = 0.1, t->adaptation_floor = 0.1;
}

static wm_terms random_terms(void) {
    wm_terms t = {0};
    t.continuous = one_in(3);
    t.size = between(5, one_in(8) ? WM_MAX_SIZE : 30);
    t.max_steps = between(1, 300);
    t.reference = one_in(2);
    t.zone_radius = 5;
    t.foods = between(1, one_in(4) ? WM_MAX_FOODS : 8);
    t.target = between(1, 12);
    t.min_food_distance = real_between(0, 6);
    t.exclusion = real_between(0, 6);
    t.decay = real_between(0.3, 30);
    t.strength = 1;
    t.fick = one_in(3);
    t.respawn = !one_in(5);
    t.eats_below = one_in(4) ? 0.8 : 1;
    t.food_predator_distance = one_in(4) ? 4 : 0;
    t.safe_zone_bias = one_in(4) ? 0.7 : 0;
    t.hotspot_bias = 0.8, t.hotspot_decay = real_between(0.1, 9);
    t.portion = one_in(4) ? 0.25 : 0;
    t.satiety = real_between(1, 300), t.satiety_decay = real_between(0, 3), t.satiety_gain = 0.2;
    t.health = one_in(3) ? 0 : 100, t.food_healing = 5;
    t.max_step = real_between(0.1, 3), t.max_turn = real_between(0, 3);
    t.capture_radius = real_between(0.1, 3), t.sweep = real_between(0, 2);
    draw_dangers(&t);
    draw_senses(&t);
    t.reward_distance = 0.5, t.reward_exploration = 0.05, t.reward_dither = 0.02, t.reward_step = 0.005;
    t.reward_wall = 0.02, t.reward_stuck = one_in(2) ? 0.1 : 0, t.stuck_after = 3;
    t.reward_proximity = 0.15, t.proximity = below(5), t.reward_temperature = one_in(2) ? 0.3 : 0;
    t.reward_goal = 2, t.reward_healing = 0.1, t.reward_damage = 0.5, t.reward_death = 10;
    t.reward_starvation = 10;
    t.hot = spots(t.size, 25), t.cold = spots(t.size, 25);
    t.high = spots(t.size, 8), t.low = spots(t.size, 8), t.hotspots = spots(t.size, 1);
    return t;
}

/* ---- playing ---------------------------------------------------------------------------------- */

static bool finite(double x) { return x - x == 0; }

static void check(const wm_batch *b, int k) {
    const wm_world *w = wm_batch_world(b, k);
    double last = b->task->terms.continuous ? b->task->terms.size : b->task->side - 1, x, y;
    require(w->x >= 0 && w->y >= 0 && w->x <= last && w->y <= last, "the worm is in its dish");
    for (int food = 0; food < w->n_foods; food++) {
        wm_food(w, food, &x, &y);
        require(x >= 0 && y >= 0 && x <= last && y <= last, "food is in the dish");
    }
    for (int p = 0; p < (int)b->task->terms.predators; p++) {
        const wm_predator *one = &wm_predators(w)[p];
        require(one->x >= 0 && one->y >= 0 && one->x <= last && one->y <= last, "predators are in the dish");
    }
    for (int f = 0; f < b->task->n_features; f++)
        require(finite((double)b->features[k * b->task->n_features + f]), "features are finite");
    require(finite((double)b->rewards[k]), "rewards are finite");
    require(w->n_foods <= (int)b->task->terms.foods, "there is no more food than asked for");
}

/* Everything that reads a world; the world may be one that no episode leads to. */
static void suffer(wm_world *w) {
    float *features = memory((size_t)w->task->n_features * sizeof *features + 1);
    double figures[WM_FIGURES];
    for (int steps = between(1, 40); steps > 0; steps--) {
        wm_step(w, (enum wm_action)below(WM_ACTIONS));
        wm_features(w, features);
        wm_figures(w, figures);
        (void)wm_hash(w);
        (void)wm_evaluate_now(w);
    }
    free(features);
}

/* A saved state goes on alike; a forged one is refused or does no harm. */
static void try_saved(const wm_world *w) {
    saved s = {memory(wm_saved_size(w->task)), wm_saved_size(w->task)};
    wm_world *other = used_memory((size_t)w->task->world_size);
    wm_save(w, s.bytes);
    require(!wm_check_saved(w->task, s.bytes, s.size), "a state that was saved is accepted");
    wm_load(other, w->task, s.bytes);
    require(wm_hash(other) == wm_hash(w), "a loaded world equals the saved one");
    require(!memcmp(other, w, (size_t)w->task->world_size), "to the last byte");
    for (int n = 8; n > 0; n--) {
        wm_save(w, s.bytes);
        change_bytes(&s);
        if (!one_in(8))
            reseal(&s);
        bool refused = wm_check_saved(w->task, s.bytes, one_in(16) ? (size_t)below((int)s.size) : s.size);
        forgeries.refused += refused;
        forgeries.accepted += !refused;
        if (!refused) {
            wm_load(other, w->task, s.bytes);
            suffer(other);
        }
    }
    free(other);
    free(s.bytes);
}

#include "colony_soup.h"

static uint64_t mixed(uint64_t digest, uint64_t value) { return (digest ^ value) * 0x100000001b3u + 1; }

/* Plays one soup and returns a digest over all that happened in it. */
static uint64_t play(uint64_t seed, long steps, bool saves) {
    begin_soup(seed);
    wm_terms terms = random_terms();
    wm_task *task = used_memory(wm_task_size(&terms));
    wm_task_build(task, &terms);
    size_t features = WORLDS * (size_t)task->n_features + 1;
    int32_t actions[WORLDS];
    float steering[2 * WORLDS], rewards[WORLDS];
    uint8_t ended[WORLDS];
    uint64_t seeds[WORLDS];
    double last[WORLDS * WM_FIGURES];
    int64_t finished[WORLDS] = {0};
    wm_batch batch = {
        .task = task,
        .worlds = used_memory(WORLDS * (size_t)task->world_size),
        .autoreset = (enum wm_autoreset)between(1, 2),
        .actions = actions,
        .steering = steering,
        .features = used_memory(features * sizeof(float)),
        .final_features = used_memory(features * sizeof(float)),
        .rewards = rewards,
        .ended = ended,
        .seeds = seeds,
        .last = last,
        .finished = finished,
    };
    for (int k = 0; k < WORLDS; k++)
        wm_batch_begin(&batch, k, draw());
    uint64_t digest = seed;
    for (long step = 0; step < steps; step++) {
        for (int k = 0; k < WORLDS; k++) {
            actions[k] = below(4);
            steering[2 * k] = (float)real_between(-0.5, 1.5);
            steering[2 * k + 1] = (float)real_between(-1.5, 1.5);
        }
        batch.steered = terms.continuous && one_in(2);
        wm_batch_step(&batch, 0, WORLDS);
        for (int k = 0; k < WORLDS; k++) {
            check(&batch, k);
            digest = mixed(digest, wm_hash(wm_batch_world(&batch, k)));
            for (int f = 0; f < task->n_features; f++) {
                uint32_t bits;
                memcpy(&bits, &batch.features[k * task->n_features + f], sizeof bits);
                digest = mixed(digest, bits);
            }
        }
        run.steps += WORLDS;
        if (saves && one_in(100))
            try_saved(wm_batch_world(&batch, below(WORLDS)));
    }
    for (int k = 0; k < WORLDS; k++)
        run.episodes += (long)finished[k];
    free(batch.worlds);
    free(batch.features);
    free(batch.final_features);
    free(task);
    return digest;
}

int main(int count, char **words) {
    if (count == 5 && !strcmp(words[1], "digest")) {
        uint64_t seed = strtoull(words[4], NULL, 10);
        for (long k = 0; k < atol(words[2]); k++)
            printf("%016" PRIx64 "\n", play(seed + (uint64_t)k, atol(words[3]), false));
        return 0;
    }
    if (count != 3) {
        fprintf(stderr, "usage: worm_soup STEPS SEED | worm_soup digest SOUPS STEPS SEED\n");
        return 2;
    }
    long soups = 0;
    for (uint64_t seed = strtoull(words[2], NULL, 10); run.steps < atol(words[1]); seed++, soups++) {
        play(seed, 400, true);
        play_colony(seed, 200);
        compare_with_one(seed, 200);
    }
    printf("steps %ld, soups %ld, episodes %ld, forged states refused %ld, accepted %ld\n", run.steps, soups,
           run.episodes, forgeries.refused, forgeries.accepted);
    return 0;
}
