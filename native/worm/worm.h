/* The worm: a dish with food, dangers and gradients, and the worm that looks for the food.
 *
 * A task is immutable and shared: the constants of a world and tables made from them. A world is one
 * flat piece of memory: wm_world, then the foods, the predators, the cells that were visited and the
 * worm's memory. Copying the memory clones the world. Nothing here allocates, and all but batch.c
 * compiles freestanding. Arithmetic is in double precision, in source order, with functions of our
 * own (numbers.h), so that a seed and the actions give the same play on every machine.
 */
#ifndef LUDUS_WORM_H
#define LUDUS_WORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The identity of the behaviour: whoever changes what a step does gives it the next number. */
#define WM_RULES "worm"
enum { WM_VERSION = 1 };

enum {
    WM_MAX_SIZE = 128,
    WM_MAX_FOODS = 64,
    WM_MAX_PREDATORS = 32,
    WM_MAX_SPOTS = 16,
    WM_MAX_MEMORY = 64,
    WM_CHANNELS = 4,
};

enum wm_action { WM_FORWARD, WM_LEFT, WM_RIGHT, WM_STAY, WM_ACTIONS };
/* Two more that worms of a colony may have: a cell back without a turn, and round and a cell on. */
enum { WM_REVERSE = WM_ACTIONS, WM_OMEGA, WM_SIX_ACTIONS };
enum wm_facing { WM_UP, WM_WEST, WM_DOWN, WM_EAST }; /* a left turn adds one */

enum wm_ending {
    WM_RUNNING,
    WM_COMPLETED_ALL_FOOD,
    WM_STARVED,
    WM_PREDATOR,
    WM_HEALTH_DEPLETED,
    WM_MAX_STEPS,
    WM_ENDINGS
};

enum wm_predator_kind { WM_RANDOM, WM_STATIONARY, WM_PURSUIT };
enum wm_mode { WM_ORACLE, WM_TEMPORAL, WM_DERIVATIVE, WM_KLINOTAXIS };
enum wm_adaptation { WM_PLAIN, WM_FOLD_CHANGE, WM_CONTRAST, WM_LOGARITHM };
/* Whether there is air to be sensed, and whether the wounds it deals are charged as others are. */
enum wm_air { WM_NO_AIR, WM_AIR, WM_AIR_CHARGED };
/* What being near a predator costs: see wm_evaluate. */
enum wm_proximity { WM_APPROACH, WM_FLAT, WM_NO_PROXIMITY, WM_SCENT, WM_SCENT_AND_CONTACT };

/* The constants of a task. Yes and no, kinds and modes are numbers too, so that one list serves all. */
#define WM_TERMS(X) \
    X(continuous) X(size) X(max_steps) X(reference) X(zone_radius) \
    X(foods) X(target) X(min_food_distance) X(exclusion) X(decay) X(strength) X(fick) X(respawn) \
    X(eats_below) X(food_predator_distance) X(safe_zone_bias) X(hotspot_bias) X(hotspot_decay) X(portion) \
    X(satiety) X(satiety_decay) X(satiety_gain) X(health) X(food_healing) \
    X(predators) X(predator_kind) X(predator_speed) X(detection) X(damage_radius) X(predator_damage) \
    X(predator_decay) X(predator_strength) X(predator_kills) X(predator_spawns_by_steps) \
    X(thermal) X(temperature) X(temperature_gradient) X(temperature_direction) X(temperature_spot_decay) \
    X(cultivation) X(comfort_delta) X(discomfort_delta) X(danger_delta) X(comfort_reward) \
    X(discomfort_reward) X(danger_reward) X(danger_damage) X(lethal_damage) X(brave_reward) \
    X(aerial) X(oxygen) X(oxygen_gradient) X(oxygen_direction) X(oxygen_spot_decay) X(oxygen_lethal_below) \
    X(oxygen_danger_below) X(oxygen_comfort_to) X(oxygen_danger_to) X(oxygen_comfort_reward) \
    X(oxygen_danger_reward) X(oxygen_danger_damage) X(oxygen_lethal_damage) \
    X(senses_gradient) X(senses_food) X(senses_touch) X(senses_predators) X(senses_self) \
    X(senses_temperature) X(senses_oxygen) X(food_mode) X(predator_mode) X(temperature_mode) X(oxygen_mode) \
    X(memory) X(memory_size) X(memory_decay) X(adaptation) X(adaptation_rate) X(adaptation_floor) \
    X(max_step) X(max_turn) X(capture_radius) X(sweep) \
    X(reward_distance) X(reward_exploration) X(reward_dither) X(reward_step) X(reward_wall) X(reward_stuck) \
    X(stuck_after) X(reward_proximity) X(proximity) X(reward_temperature) X(reward_goal) X(reward_healing) \
    X(reward_damage) X(reward_death) X(reward_starvation)

typedef struct {
    double x, y, amount;
} wm_spot;

typedef struct {
    int32_t n, unused;
    wm_spot spot[WM_MAX_SPOTS];
} wm_spots;

typedef struct {
#define WM_TERM(name) double name;
    WM_TERMS(WM_TERM)
#undef WM_TERM
    wm_spots hot, cold, high, low, hotspots; /* a hotspot's amount is its weight */
} wm_terms;

/* A source's field on a cell: its strength there, and that over the distance (0 on the source). */
typedef struct {
    double strength, slope;
} wm_kernel;

/* Temperature or oxygen on a cell, and how its slope feels there: its size, and its direction by the worm's facing. */
typedef struct {
    double value;
    float felt, way[4];
    int32_t zone;
} wm_climate;

typedef struct {
    wm_terms terms;
    uint64_t identity; /* a digest of the terms */
    int32_t side, n_channels, n_features, memory_size;
    double heat_x, heat_y, air_x, air_y; /* gradients along the axes */
    double fade[WM_MAX_MEMORY], fade_total[WM_MAX_MEMORY + 1];
    double count_log[WM_MAX_MEMORY + 1]; /* k log2 k */
    /* bytes from the start of a world */
    int32_t predators_at, visited_at, memory_at, world_size;
    /* bytes from here; -1 where there is no such table */
    int32_t food_table, predator_table, warmth_table, air_table;
} wm_task;

/* Bytes that wm_task_build needs. */
size_t wm_task_size(const wm_terms *terms);
void wm_task_build(wm_task *task, const wm_terms *terms);

typedef struct {
    double x, y, heading;
    double due; /* steps that have added up but were not taken */
} wm_predator;

/* What reaches one place: the sum of all sources, and the vector towards them. */
typedef struct {
    double sum, x, y;
} wm_pull;

typedef struct {
    const wm_task *task;
    uint64_t seed, random;
    double x, y, cosine, sine; /* of the heading */
    double trail[2][2];        /* where the worm was one and two steps ago */
    double satiety, health;
    double near;                  /* distance to the nearest food */
    double near_squared;          /* Euclidean, squared */
    double pending;               /* under the reference's rules: what the state is worth, paid a step later */
    double total_reward, distance, damage;
    double goal_distance, efficiency; /* from the last food on; sum over the foods */
    wm_pull food_pull, predator_pull;
    double warmth, air;
    double adapted[2]; /* the adaptive sensor's baseline; what it read in the step before */
    int32_t step, ended, n_foods, eaten;
    int32_t counter, still, in_zone, positions;
    int32_t encounters, evasions, comfort, air_comfort, wall_hits;
    int32_t facing, last_action, in_danger;
    uint8_t wall_hit, contact, fresh, remembered, newest;
    uint8_t crowd; /* worms that share this one's dish: their worlds lie behind it, see colony.h */
    uint8_t gone;  /* it was taken off a dish that it shared */
    uint8_t unused;
} wm_world;

/* Puts the world at its start. It is memory of task->world_size bytes. */
void wm_begin(wm_world *world, const wm_task *task, uint64_t seed);

/* One step of a grid's worm; on a dish the actions stand for full speed with turns of -1, 0, 1, and for
 * rest. Returns the reward. A world that has ended stays as it is. */
double wm_step(wm_world *world, enum wm_action action);
/* One step on a dish: speed from 0 to 1, turn from -1 (right) to 1 (left). */
double wm_steer(wm_world *world, double speed, double turn);

/* What the worm senses: task->n_features numbers. */
void wm_features(const wm_world *world, float *out);

/* Vectors that worms sense, and where their size and direction go: many are computed faster than one by one. */
enum { WM_MOST_VECTORS = 64, WM_VECTORS_OF_WORLD = 4 };
typedef struct {
    double x[WM_MOST_VECTORS], y[WM_MOST_VECTORS];
    double cosine[WM_MOST_VECTORS], sine[WM_MOST_VECTORS]; /* of the worm's heading */
    float *out[WM_MOST_VECTORS];
    int n;
} wm_vectors;

/* Writes what the worm senses but for its vectors: they are listed, and there must be room for them. */
void wm_sense(const wm_world *world, float *out, wm_vectors *vectors);
/* Writes the vectors that are listed, and empties the list. */
void wm_write_vectors(wm_vectors *vectors);

/* What the state as it stands is worth, before what the coming step adds. */
double wm_evaluate_now(const wm_world *world);

/* Figures of an episode, in the order of FIGURES in records.py. */
enum { WM_FIGURES = 18 };
void wm_figures(const wm_world *world, double *out);

/* How wm_hash writes a state; another way to write it gets another number. */
enum { WM_DIGEST_VERSION = 2 };
/* A 64-bit digest of all that decides how the world goes on and what its figures are. */
uint64_t wm_hash(const wm_world *world);

/* ---- what is where ------------------------------------------------------------------------- */

void wm_food(const wm_world *world, int k, double *x, double *y);
static inline wm_predator *wm_predators(const wm_world *w) {
    return (wm_predator *)((char *)(uintptr_t)w + w->task->predators_at);
}
wm_pull wm_food_at(const wm_world *world, double x, double y);
wm_pull wm_predators_at(const wm_world *world, double x, double y);
double wm_temperature_at(const wm_task *task, double x, double y);
double wm_oxygen_at(const wm_task *task, double x, double y);

/* Zones: 0 comfort, 1 discomfort, 2 danger, 3 lethal. */
int wm_temperature_zone(const wm_task *task, double temperature);
int wm_oxygen_zone(const wm_task *task, double oxygen);

/* ---- setting up a situation ---------------------------------------------------------------- */

void wm_put_worm(wm_world *world, double x, double y, double heading);
void wm_put_foods(wm_world *world, const double *places, int n);
void wm_put_predators(wm_world *world, const double *places, int n);
/* Where the worm came from, oldest first and without the place it is at. */
void wm_put_trail(wm_world *world, const double *places, int n);
void wm_put_flags(wm_world *world, bool wall_hit, bool fresh, int still);
/* Samples of the short-term memory, oldest first: n_channels values each, moves of two, actions. */
void wm_put_memory(wm_world *world, const double *values, const double *moves, const int32_t *actions, int n);
/* Takes stock after the worm, foods or predators were put elsewhere. */
void wm_settle(wm_world *world);

#endif
