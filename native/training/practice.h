/* Games played for practice: many at once, under the arena's protocol, over buffers bound once.
 *
 * A slot is one moment of a rollout: step(t) reads the actions of slot t, writes its rewards and
 * endings, and what is seen next into slot t + 1. A game that ends begins anew in the same step.
 * A game in progress is known by its level, the seed of its chance and the decisions so far, so that
 * a rollout can go on after a break exactly as it would have. Chance is drawn as in
 * games/sticky_actions.py: the same seed and the same decisions make the same game there and here.
 *
 * A lost game may be tried again from a place shortly before its end, with other chance from there on.
 * Such a retry is the game up to its fork, then the fork's seed and the decisions after it.
 */
#ifndef LUDUS_TRAINING_PRACTICE_H
#define LUDUS_TRAINING_PRACTICE_H

#include "platformer/platformer.h"
#include "training/sight.h"

enum practice_ending { STILL_ON, ENDED_WON, ENDED_LOST, ENDED_TIME_OUT, ENDED_GIVEN_UP };

enum practice_sight { SEES_FIELDS, SEES_WIDE_FIELDS, SEES_PICTURES };

typedef struct {
    int32_t skip;     /* ticks for which a decision is held */
    int32_t no_ops;   /* at most this many ticks without buttons before the first decision */
    int32_t patience; /* decisions without progress after which a game is given up */
    double sticky;    /* the probability that a tick repeats the buttons of the tick before */
    double retry;     /* the probability that a lost game is tried again from shortly before its end */
} practice_terms;

typedef struct {
    float progress; /* per tile further than ever in this game */
    float win, loss, decision;
} practice_reward;

/* Where a retry left its game: never if it is none. */
typedef struct {
    uint64_t seed; /* of the chance from there on */
    int32_t at;    /* decisions before it; -1 for none */
} practice_fork;

typedef struct {
    pf_world *world;
    uint8_t *tape; /* the decisions */
    int32_t taped, tape_room;
    int32_t group, level;
    int32_t since; /* decisions since the last progress */
    float furthest;
    uint8_t pressed;
    uint64_t seed, chance; /* of this game: where its chance began, and where it is */
    uint64_t random;       /* what levels and seeds are drawn from */
    practice_fork fork;
} practice_game;

typedef struct {
    int32_t n, n_levels;
    practice_terms terms;
    practice_reward reward;
    enum practice_sight sight;
    practice_game *games;
    pf_world *const *starts;
    const double *odds; /* by group: cumulated chances of the levels */
    const uint8_t *buttons; /* by slot and game */
    float *rewards;
    uint8_t *endings;
    float *reached;   /* furthest x in pixels, of the game that was played */
    int32_t *played;  /* level of that game */
    uint8_t *retried; /* whether that game was a retry; may be NULL */
    int8_t *fields;   /* one slot more than the others */
    uint8_t *pictures; /* the same; the picture before and the one now */
} practice;

/* Begins game k anew and shows it in slot 0; false if memory ran out. */
bool practice_begin(practice *all, int k);

/* Brings game k to where its tape ends and shows it in slot 0. */
bool practice_restore(practice *all, int k, const uint8_t *tape, int taped);

/* Plays a decision of games first .. last - 1 in a slot. */
bool practice_step(practice *all, int slot, int first, int last);

#endif
