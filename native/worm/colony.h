/* A colony: several worms on one dish. They share its food, its predators and its chance, and leave scents.
 *
 * A colony is one flat piece of memory: wm_colony, then a world for each worm. The first world holds the food,
 * the predators and the chance; the others have copies of food and predators, so that every worm senses and is
 * paid as a worm alone is. A colony of one worm without scents plays exactly as its world alone does.
 */
#ifndef LUDUS_WORM_COLONY_H
#define LUDUS_WORM_COLONY_H

#include "worm/worm.h"

enum { WM_MAX_WORMS = 10, WM_MAX_SOURCES = 128 };

/* Scents that worms leave: of food where one ate, of alarm where a predator hurt one. */
enum wm_scent { WM_ALARM, WM_FOUND, WM_SCENTS };
/* What becomes of a worm whose episode has ended: it lies where it is, it is taken away, or all end with it. */
enum wm_leaving { WM_FREEZE, WM_REMOVE, WM_END_ALL };

/* The constants of a colony; those of a scent are a list each. */
#define WM_COLONY_TERMS(X) \
    X(worms) X(actions) X(drawn_contests) X(leaving) X(company_radius) X(company_hunger) \
    X(senses_scents) X(senses_company) \
    X(alarm_strength) X(alarm_decay) X(alarm_half_life) X(alarm_sources) \
    X(found_strength) X(found_decay) X(found_half_life) X(found_sources)

typedef struct {
#define WM_TERM(name) double name;
    WM_COLONY_TERMS(WM_TERM)
#undef WM_TERM
} wm_colony_terms;

typedef struct {
    const wm_task *task;
    wm_colony_terms terms;
    uint64_t identity; /* a digest of the task's terms and these */
    int32_t worms, n_features, world_at, size;
    double reach[WM_SCENTS][2 * WM_MAX_SIZE]; /* what a distance in steps leaves of a scent */
    double fading[WM_SCENTS];                 /* what a step leaves of it */
} wm_colony_plan;

typedef struct {
    int32_t x, y;
    double left; /* of its strength */
} wm_source;

typedef struct {
    const wm_colony_plan *plan;
    int32_t step, alive;
    int32_t n_sources[WM_SCENTS], oldest[WM_SCENTS];
    double sensed[WM_MAX_WORMS][WM_SCENTS]; /* what each worm smelled in the step before */
    wm_source source[WM_SCENTS][WM_MAX_SOURCES];
} wm_colony;

/* The task is one of a grid; it must outlive the plan. */
void wm_colony_plan_build(wm_colony_plan *plan, const wm_task *task, const wm_colony_terms *terms);

static inline wm_world *wm_colony_world(const wm_colony *c, int k) {
    return (wm_world *)(void *)((char *)(uintptr_t)c + c->plan->world_at + (size_t)k * (size_t)c->plan->task->world_size);
}

/* Puts a colony at its start: memory of plan->size bytes. */
void wm_colony_begin(wm_colony *colony, const wm_colony_plan *plan, uint64_t seed);
/* One step of all worms whose episode has not ended; the others' actions do not count and pay 0. */
void wm_colony_step(wm_colony *colony, const int32_t *actions, double *rewards);
/* What worm k senses: plan->n_features numbers. */
void wm_colony_features(const wm_colony *colony, int k, float *out);
/* How strongly a place smells of a scent, 0 to 1. */
double wm_colony_scent(const wm_colony *colony, enum wm_scent scent, int x, int y);
/* How many others are within company_radius of worm k. */
int wm_colony_company(const wm_colony *colony, int k);
uint64_t wm_colony_hash(const wm_colony *colony);

/* Changes when states are written another way. */
enum { WM_COLONY_STATE_VERSION = 1 };
size_t wm_colony_saved_size(const wm_colony_plan *plan);
void wm_colony_save(const wm_colony *colony, uint8_t *bytes);
/* Why these bytes are no state of a colony of this plan, or NULL. */
const char *wm_colony_check_saved(const wm_colony_plan *plan, const uint8_t *bytes, size_t size);
/* Puts a colony, memory of plan->size bytes, into a state that was checked. */
void wm_colony_load(wm_colony *colony, const wm_colony_plan *plan, const uint8_t *bytes);

#endif
