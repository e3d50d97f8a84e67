/* Proximal policy optimisation: a policy plays a rollout of practice games, and learns from it.
 *
 * Games are played in blocks and decisions learned from in shares whose sizes do not depend on the
 * number of threads; so all that is computed is the same with any number of them.
 */
#ifndef LUDUS_TRAINING_PPO_H
#define LUDUS_TRAINING_PPO_H

#include "common/crew.h"
#include "training/network.h"
#include "training/objective.h"
#include "training/patches.h"
#include "training/practice.h"

enum { PPO_SHARES = 4, PPO_FIGURES = 3 };

/* Games that are played together, and what was seen in them: places of fields that are not zero, or
 * kinds of squares. */
typedef struct {
    workspace workspace;
    uint16_t *places;
    size_t *starts; /* in places, by slot and game, and where the last one ends */
    size_t room_of_places;
    patches kinds;
    float *table; /* what the first layer gives of each kind */
    int32_t known, room;
} ppo_block;

/* Decisions of a part that are learned from together. */
typedef struct {
    workspace workspace;
    float *gradient, *inputs;
    float *table; /* gradients of what the first layer gives of each kind */
    double figures[PPO_FIGURES];
} ppo_share;

/* What was done in a rollout and what came of it, by slot and game. Play writes actions, likelihoods
 * and, with one slot more, values. */
typedef struct {
    uint8_t *actions;
    float *likelihoods, *values;
    const float *advantages, *returns; /* only to learn */
} ppo_rollout;

typedef struct {
    network net;
    int32_t games, slots, actions, threads, n_blocks;
    ppo_block *blocks;
    ppo_share shares[PPO_SHARES];
    crew *crew;
    float *transposed;
    uint32_t *seen; /* numbers of kinds, by slot, game and place */
    patches kinds;  /* of the whole rollout */
    /* Of a part: which kinds are in it, where they are in that list, and what the first layer gives of
     * them. */
    uint32_t *used;
    int32_t *places;
    int32_t n_used, room_used;
    float *table;
} ppo;

/* Makes a learner for a network that was laid out; NULL if memory ran out. */
ppo *ppo_new(const network *net, int games, int slots, int actions, int threads);
void ppo_free(ppo *p);

/* Lets a policy play slots of games from first_game on, and values what it sees at last; luck is
 * Gumbel's noise for every action. False if memory ran out. */
bool ppo_play(ppo *p, practice *world, int first_game, const uint8_t *presses, uint8_t *buttons,
              const float *weights, const float *luck, ppo_rollout rollout);

/* Learns from parts of the rollout that was played last, one after the other, and writes the means of
 * entropy, value error and divergence. */
bool ppo_learn(ppo *p, const practice *world, int first_game, ppo_rollout rollout, ppo_state *state,
               ppo_terms terms, const int32_t *parts, int n_parts, int size, double *figures);

#endif
