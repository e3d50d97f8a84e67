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

static inline bool wm_needs_memory(const wm_task *task) { return task->memory_size > 0; }

/* field.c */
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
/* The gradient by central differences between neighbours a cell away, halved. */
void wm_temperature_slope(const wm_task *task, double x, double y, double *dx, double *dy);
void wm_oxygen_slope(const wm_task *task, double x, double y, double *dx, double *dy);

/* food.c */
void wm_place_foods(wm_world *world);
/* Takes what food k has to give and lets another grow. */
void wm_bite(wm_world *world, int k);

/* predators.c */
void wm_place_predators(wm_world *world);
void wm_move_predators(wm_world *world);
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
double wm_meet_predators(wm_world *world);
double wm_die_if_spent(wm_world *world);
/* Hunger, temperature and air, after what predators have cost. */
double wm_endure(wm_world *world, double paid, double hunger);
/* The end of a step that has paid so much; returns its reward. */
double wm_end_step(wm_world *world, double paid, double nearer, bool ate);

/* reward.c: what the state is worth, given how much nearer to food the last move has led, and the distance to
 * the nearest predator. */
double wm_evaluate(const wm_world *world, double nearer, double nearest);

/* sense.c */
/* Takes in what there is at the worm's place. A worm that stays while no food changes smells what it smelled. */
void wm_perceive(wm_world *world, bool food_is_as_before);
int wm_count_features(const wm_terms *terms);
int wm_count_channels(const wm_terms *terms);

#endif
