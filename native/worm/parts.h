/* The parts of a world behind its header, and what the files of this folder share. */
#ifndef LUDUS_WORM_PARTS_H
#define LUDUS_WORM_PARTS_H

#include "common/logarithm.h"
#include "common/random.h"
#include "worm/numbers.h"
#include "worm/worm.h"

/* ---- foods: cells on a grid, places on a dish ---- */

static inline int16_t *wm_cells_x(const wm_world *w) { return (int16_t *)(w + 1); }
static inline int16_t *wm_cells_y(const wm_world *w) {
    return wm_cells_x(w) + (int)w->task->terms.foods;
}
static inline double *wm_places_x(const wm_world *w) { return (double *)(w + 1); }
static inline double *wm_places_y(const wm_world *w) {
    return wm_places_x(w) + (int)w->task->terms.foods;
}
/* The cells of foods are read eight at a time: so many for n foods. Behind the last ones lie others' numbers. */
enum { WM_LANES = 8 };
static inline int wm_in_lanes(int n) { return (n + WM_LANES - 1) & -WM_LANES; }
/* What is left of each food; only where they are eaten in portions. */
static inline double *wm_left(const wm_world *w) {
    const wm_terms *t = &w->task->terms;
    return (double *)((char *)(uintptr_t)wm_predators(w) - sizeof(double) * (size_t)t->foods);
}

/* ---- cells that were visited ---- */

static inline uint64_t *wm_visited(const wm_world *w) {
    return (uint64_t *)((char *)(uintptr_t)w + w->task->visited_at);
}
static inline int wm_cell_of(const wm_world *w, double x, double y) {
    int last = w->task->side - 1;
    int column = (int)x, row = (int)y; /* the far wall of a dish is in its last cell */
    return (column < last ? column : last) * w->task->side + (row < last ? row : last);
}

static inline bool wm_on_a_cell(const wm_task *task, double x, double y) {
    return x >= 0 && y >= 0 && x < task->side && y < task->side && x == (int)x && y == (int)y;
}

/* ---- the short-term memory: values, moves, actions, each a ring ---- */

static inline double *wm_samples(const wm_world *w) {
    return (double *)((char *)(uintptr_t)w + w->task->memory_at);
}
static inline double *wm_moves(const wm_world *w) {
    return wm_samples(w) + w->task->memory_size * w->task->n_channels;
}
static inline int8_t *wm_actions(const wm_world *w) {
    return (int8_t *)(wm_moves(w) + 2 * w->task->memory_size);
}
/* Where the sample of this age is; 0 is the newest. */
static inline int wm_sample_of_age(const wm_world *w, int age) {
    int at = w->newest - age;
    return at < 0 ? at + w->task->memory_size : at;
}

/* ---- distance: steps on a grid, straight on a dish ---- */

static inline double wm_gap(const wm_task *task, double dx, double dy) {
    if (task->terms.continuous)
        return wm_sqrt(dx * dx + dy * dy);
    return wm_abs(dx) + wm_abs(dy);
}

/* ---- worms that share a dish: those behind the first one in memory ---- */

static inline wm_world *wm_behind(const wm_world *w, int k) {
    return (wm_world *)(void *)((char *)(uintptr_t)w + (size_t)(k + 1) * (size_t)w->task->world_size);
}

/* ---- what a grid's worm feels of temperature or oxygen ---- */

static inline const wm_climate *wm_climate_of(const wm_task *task, int table, double x, double y) {
    return (const wm_climate *)(const void *)((const char *)task + table) + ((int)x * task->side + (int)y);
}

/* ---- vectors as they are sensed ---- */

/* The direction seen from a heading, over pi; to the left is positive. A vector without size has none; one with a
 * size is not at the origin. */
static inline wm_pair wm_directions(wm_pair dx, wm_pair dy, wm_pair cosine, wm_pair sine, wm_pair size) {
    wm_pair ahead = dx * cosine + dy * sine, left = dy * cosine - dx * sine;
    return wm_choose(size > 0, wm_angle_pair(left, ahead) / WM_PI, wm_both(0));
}

static inline wm_pair wm_sizes(wm_pair dx, wm_pair dy) { return wm_sqrt_pair(dx * dx + dy * dy); }

static inline void wm_feel_vectors(wm_pair dx, wm_pair dy, wm_pair cosine, wm_pair sine, wm_pair *felt, wm_pair *way) {
    wm_pair size = wm_sizes(dx, dy);
    *felt = wm_tanh_size(size);
    *way = wm_directions(dx, dy, cosine, sine, size);
}

static inline bool wm_needs_memory(const wm_task *task) { return task->memory_size > 0; }

/* field.c */
/* The scents where a grid's worm is, or on another cell of its dish. */
wm_pull wm_food_on_cell(const wm_world *world, int x, int y);
wm_pull wm_predators_on_cell(const wm_world *world, double x, double y);
/* The sum of all food's scents alone: cheaper on a dish than with the vector. */
double wm_food_sum(const wm_world *world, double x, double y);
void wm_build_tables(wm_task *task);
/* Looks around from the worm's place: fills near and near_squared. */
void wm_look(wm_world *world);
/* The distance to the nearest food from a place. */
double wm_nearest_food(const wm_world *world, double x, double y);
/* The straight distance to it, squared. */
double wm_food_gap_squared(const wm_world *world, double x, double y);
int wm_food_within(const wm_world *world, double x, double y, double reach);

/* climate.c */
void wm_build_climate(wm_task *task);
/* The gradient by central differences between neighbours a cell away, halved. */
void wm_temperature_slope(const wm_task *task, double x, double y, double *dx, double *dy);
void wm_oxygen_slope(const wm_task *task, double x, double y, double *dx, double *dy);

/* food.c */
void wm_place_foods(wm_world *world);
/* Takes what food k has to give and lets another grow. */
void wm_bite(wm_world *world, int k);

/* predators.c */
void wm_place_predators(wm_world *world);
/* Returns whether any may be elsewhere now. */
bool wm_move_predators(wm_world *world);
/* The distance to the nearest predator from a place. */
double wm_nearest_predator(const wm_world *world, double x, double y);

/* world.c: the parts of a step, which a colony plays for several worms. Those that pay return it. */
void wm_wake(wm_world *world, const wm_task *task, uint64_t seed);
/* Puts food and predators on the dish. */
void wm_furnish(wm_world *world);
void wm_take_place(wm_world *world);
void wm_set_out(wm_world *world);
void wm_walk(wm_world *world, int action);
/* Takes in where a move has led; returns how much nearer to food. */
double wm_note_move(wm_world *world);
/* The food that the worm can eat where it is, or -1. */
int wm_food_here(const wm_world *world);
double wm_swallow(wm_world *world);
/* Looks for food anew after a meal. */
void wm_seek_anew(wm_world *world);
double wm_finish_meal(wm_world *world);
/* Meets what touches the worm, given the distance to the nearest predator. Returns what that costs. */
double wm_meet_predators(wm_world *world, double nearest);
double wm_die_if_spent(wm_world *world);
/* Hunger, temperature and air, after what predators have cost. */
double wm_endure(wm_world *world, double paid, double hunger);
/* The end of a step that has paid so much and led so much nearer to food, to where the nearest predator is so far;
 * returns its reward. */
double wm_end_step(wm_world *world, double paid, double nearer, double nearest, bool ate);

/* reward.c: what the state is worth, given how much nearer to food the last move has led, and the distance to
 * the nearest predator. */
double wm_evaluate(const wm_world *world, double nearer, double nearest);

/* memory.c */
#define WM_WARMTH_UNIT 15.0
#define WM_AIR_UNIT 21.0
/* What the short-term memory tells, the newest samples most: of each channel the mean and the change, how far the
 * last move was off the mean one, and how mixed the actions were. */
typedef struct {
    double mean[WM_CHANNELS], change[WM_CHANNELS], moved_off_mean[2], action_entropy;
} wm_recollection;
/* The adaptive sensor's reading of a sum of scents, or the plain one's. */
double wm_food_reading(const wm_terms *terms, double sum);
/* Keeps what is sensed now. */
void wm_remember(wm_world *world);
/* Fills it in and returns it. */
const wm_recollection *wm_recollect(const wm_world *world, wm_recollection *to);
/* One channel's change alone. */
double wm_recollect_change(const wm_world *world, int channel);

/* sense.c */
/* Takes in what there is at the worm's place. A worm that stays while no food changes smells what it smelled. */
void wm_perceive(wm_world *world, bool all_is_as_before);
int wm_count_features(const wm_terms *terms);
int wm_count_channels(const wm_terms *terms);

#endif
