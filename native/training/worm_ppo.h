/* Proximal policy optimisation of a worm's brain: an actor and a critic, both layers of rectifiers over
 * its senses.
 *
 * A segment is played in one world, up to the end of the episode or a number of steps, and learned from
 * at once. The weights are those of the actor and then those of the critic, laid out as network.h says.
 */
#ifndef LUDUS_TRAINING_WORM_PPO_H
#define LUDUS_TRAINING_WORM_PPO_H

#include "training/network.h"
#include "training/objective.h"
#include "worm/batch.h"

enum { WORM_PPO_SAMPLES = 32 }; /* computed together: they stay in the caches */

typedef struct {
    network actor, critic;
    size_t size; /* numbers of all weights */
    int32_t features, actions, horizon;
    workspace acting, judging;
    float *inputs; /* of WORM_PPO_SAMPLES */
    float *transposed, *gradient;
    float *advantages, *returns; /* of a segment */
} worm_ppo;

/* A segment step by step; what was sensed and what it is worth has a row more, for the situation after
 * it. */
typedef struct {
    float *features;
    int32_t *actions;
    float *rewards, *likelihoods, *values;
    int32_t length;
    bool ended; /* with its last step */
} worm_segment;

/* How a segment is learned from. */
typedef struct {
    ppo_terms terms;
    float discount, trace; /* of generalised advantage estimation */
    const int32_t *orders; /* of the steps, one for each epoch */
    int epochs, minibatches;
} worm_lesson;

/* Makes a learner; widths are those of the hidden layers. NULL if there are too many, or memory ran
 * out. */
worm_ppo *worm_ppo_new(int features, const int32_t *widths, int n_widths, int actions, int horizon);
void worm_ppo_free(worm_ppo *p);

/* Plays a segment of so many steps at most in the only world of a batch. Luck is noise for every action
 * of each step; without it the largest preference is taken. Values are left out if there is no room for
 * them. */
void worm_ppo_play(worm_ppo *p, const wm_batch *world, const float *weights, const float *luck,
                   int most, worm_segment *segment);

/* Learns from a segment. */
void worm_ppo_learn(worm_ppo *p, const worm_segment *segment, const worm_lesson *lesson,
                    ppo_state *state);

#endif
