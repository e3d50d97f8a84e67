/* A course: levels played one after the other with several lives and sticky actions, as the arena
 * plays them. Chance is drawn as in games/sticky_actions.py, and counted as in arena/facts.py: the same
 * seed and the same decisions make the same episode there and here.
 */
#ifndef LUDUS_PLATFORMER_COURSE_H
#define LUDUS_PLATFORMER_COURSE_H

#include "platformer/platformer.h"

typedef struct {
    double sticky;    /* the probability that a tick repeats the buttons of the tick before */
    int32_t no_ops;   /* at most this many ticks without buttons before the first decision of a life */
    int32_t lives;    /* at the start; 0: there are no courses, an episode is one level */
    int32_t n_stages; /* levels of a course */
    int32_t n_modes;  /* starts of a level: one, or those of small, large and fire Mario */
} pf_course_terms;

/* Where an episode stands. */
typedef struct {
    uint64_t seed, chance; /* where its chance began, and where it is */
    int32_t number;        /* of the course */
    int32_t stage, lives, deaths, levels_completed, ticks;
    int32_t all_coins;     /* of lives that have ended: a hundred of them are a life */
    int32_t earlier_coins; /* that count, of the stages before */
    int32_t stage_coins;   /* of lives that ended in this stage */
    int32_t max_x;         /* the furthest pixel in this stage */
    int32_t finished;      /* the last level is completed or the last life lost */
    int32_t pressed;       /* the buttons of the last tick */
    int32_t flag;          /* the last decision completed a level */
    int32_t unused;
} pf_course;

/* What a course tells after each decision, in the order of COURSE_FIELDS in records.py. */
enum { PF_COURSE_FIELDS = 10 };

/* Begins the course of this number; starts are by course, stage and mode. False if memory ran out. */
bool pf_course_begin(const pf_course_terms *terms, pf_world *const *starts, int number, uint64_t seed,
                     pf_course *course, pf_world **world);

/* The buttons of the next tick, if these are decided on. */
unsigned pf_course_buttons(const pf_course_terms *terms, pf_course *course, unsigned decided);

/* Counts a tick that was played. */
void pf_course_tick(pf_course *course, const pf_world *world);

/* Goes on after a decision; with the next life, if there is one, where a level was completed or a life lost. */
bool pf_course_go_on(const pf_course_terms *terms, pf_world *const *starts, pf_course *course,
                     pf_world **world);

/* The start that the life of this world began with. */
int pf_course_start(const pf_course_terms *terms, const pf_course *course, int mode);

void pf_course_facts(const pf_course *course, const pf_world *world, int steps, int32_t *facts);

#endif
