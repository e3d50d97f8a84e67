/* Many environments stepped by one call, writing into buffers that were bound once. */
#ifndef LUDUS_PLATFORMER_BATCH_H
#define LUDUS_PLATFORMER_BATCH_H

#include "platformer/course.h"

/* What a step is worth: each weight times what changed in it. */
typedef struct {
    double progress; /* tiles to the right */
    double win, loss;
    double coin, kill;
    double power; /* modes gained, negative if lost */
    double tick;
} pf_reward;

enum pf_autoreset { PF_RESET_NEXT_STEP, PF_RESET_SAME_STEP, PF_RESET_NEVER };

/* Integer facts of each environment after a step, in the order of INFO_FIELDS in records.py. */
enum { PF_INFO_FIELDS = 8 };

/* One set of observation buffers; NULL parts are not wanted. */
typedef struct {
    uint8_t *scene, *enemies, *merged; /* n_envs * columns * rows */
    float *state;                      /* n_envs * PF_STATE_FIELDS */
    uint8_t *extra;                    /* n_envs * extra_size of the rule set */
    int8_t *fields;                    /* n_envs * fields_size */
    uint8_t *pixels; /* n_envs * PF_PICTURES * picture_size, the oldest picture first */
} pf_observation;

enum { PF_PICTURES = 4 };

/* How learners see a world; the caller brings it. */
typedef struct {
    void (*see_fields)(const pf_world *world, int8_t *out);
    void (*see_picture)(const pf_world *world, uint8_t *out);
    size_t fields_size, picture_size;
} pf_sight;

typedef struct {
    pf_world *world;
    const int32_t *pool; /* levels that it draws from */
    int32_t n_pool, level, steps, over;
    uint64_t random;
    int32_t pending; /* the action that the next step plays, where there is latency */
    int32_t seeded;  /* since the last episode began: the next one's chance begins with the seed itself */
    pf_course course;
} pf_env;

typedef struct {
    int32_t frame_skip, max_steps; /* max_steps 0: no limit */
    int32_t latency; /* 1: a step plays the action of the step before, at first none */
    enum pf_autoreset autoreset;
    pf_reward reward;
    pf_view view;
    pf_course_terms terms;
    pf_sight sight;
    pf_env *envs;
    pf_world *const *starts; /* by level: the world after its warm-up tick; those of courses as in course.h */
    pf_scenery *const *scenes, *const *merged_scenes; /* by level, of the view's grids; either may be NULL */
    const uint8_t *actions;
    double *rewards;
    uint8_t *terminated, *truncated, *won; /* won: what the status in infos says, or NULL */
    float *places;  /* x, y */
    int32_t *infos; /* PF_INFO_FIELDS each */
    int32_t *courses; /* PF_COURSE_FIELDS each, if there are courses */
    pf_observation seen, seen_last; /* seen_last: of episodes that ended, in PF_RESET_SAME_STEP */
} pf_batch;

/* Seeds the environment's choice of levels. */
void pf_env_seed(pf_env *env, uint64_t seed);

/* Begins an episode of environment k on a level drawn from its pool, or on the given one (>= 0); where there
 * are courses, a level is the number of one. */
bool pf_batch_reset(pf_batch *batch, int k, int level);

/* Writes what is seen of environment k as it stands; no step has led to it, so none has paid. */
void pf_batch_show(pf_batch *batch, int k);

/* Steps environments first .. last - 1; false if memory ran out. */
bool pf_batch_step(pf_batch *batch, int first, int last);

#endif
