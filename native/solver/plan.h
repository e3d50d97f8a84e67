/* What can be changed in a level for good: keys, locks, doors, and Mario's size where it matters.
 *
 * A stage is one combination of these. Each has a distance field of its own, and the fields hang
 * together where Mario takes a key, opens a lock, presses a switch or finds a mushroom.
 */
#ifndef LUDUS_SOLVER_PLAN_H
#define LUDUS_SOLVER_PLAN_H

#include "platformer/rules/ludus/elements.h"

enum { PLAN_KEYS = 24, PLAN_LOCKS = 24, PLAN_STAGES = 128, PLAN_STEPS = 2048 };

/* Bits of a stage. */
enum { STAGE_KEY = 0, STAGE_LOCK = PLAN_KEYS, STAGE_DOOR = PLAN_KEYS + PLAN_LOCKS };
enum { STAGE_LARGE = STAGE_DOOR + PF_COLOURS };

enum { STEP_KEY, STEP_LOCK, STEP_SWITCH, STEP_GROW };

/* From one stage to another, by taking a key, opening a lock, pressing a switch or growing. */
typedef struct {
    int32_t from, to;
    uint8_t what; /* STEP_* */
    int8_t item;  /* which key or lock, which colour of switch */
} plan_step;

/* A cell in which Mario's feet can make a step. */
typedef struct {
    int32_t place; /* column * height + row */
    uint8_t what;
    int8_t item;
} plan_trigger;

typedef struct {
    const pf_level *level;
    int n_keys, n_locks, n_stages, n_steps, n_triggers, trigger_capacity;
    int32_t key_at[PLAN_KEYS], lock_at[PLAN_LOCKS], door_at[PF_COLOURS]; /* tiles */
    int8_t key_colour[PLAN_KEYS], lock_colour[PLAN_LOCKS];
    int8_t *lock_of; /* by tile: which lock, or -1 */
    uint8_t *root_tiles;
    bool size_matters;
    uint8_t keys_at_start[PF_COLOURS];
    uint64_t stages[PLAN_STAGES];
    plan_step steps[PLAN_STEPS];
    plan_trigger *triggers; /* by place */
} sv_plan;

/* False if memory ran out; sv_plan_end is due all the same. */
bool sv_plan_begin(sv_plan *plan, const pf_world *root);
void sv_plan_end(sv_plan *plan);

/* Number of the stage that a world is in; 0 if it is none of the plan's. */
int sv_plan_stage(const sv_plan *plan, const pf_world *world);

/* The tile that stands here in a stage. */
int sv_plan_tile(const sv_plan *plan, int stage, int place);

/* The first of the triggers in a cell, which follow each other; n_triggers if there are none. */
int sv_plan_trigger(const sv_plan *plan, int place);

#endif
