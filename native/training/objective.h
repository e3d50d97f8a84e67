/* What proximal policy optimisation makes small, and the steps of Adam that lead there. */
#ifndef LUDUS_TRAINING_OBJECTIVE_H
#define LUDUS_TRAINING_OBJECTIVE_H

#include <math.h>
#include <stddef.h>

enum { PPO_MOST_ACTIONS = 32 };

typedef struct {
    float *weights, *first, *second; /* those of Adam beside the weights */
    float count;                     /* steps of Adam so far */
} ppo_state;

typedef struct {
    float rate, entropy, clip, value, longest;
} ppo_terms;

/* An action that was taken: its log-likelihood then, how much better than usual it went, and its share
 * of the mean. */
typedef struct {
    int action;
    float before, advantage, share;
} ppo_choice;

/* The logarithm of the sum of exponentials. */
static inline float log_sum(const float *numbers, int n) {
    float most = numbers[0], sum = 0;
    for (int k = 1; k < n; k++)
        most = fmaxf(most, numbers[k]);
    for (int k = 0; k < n; k++)
        sum += expf(numbers[k] - most);
    return most + logf(sum);
}

/* Writes the gradient of a choice over the preferences, and the action's log-likelihood; returns the
 * entropy of the preferences. */
static inline float grade_choice(const ppo_terms *terms, ppo_choice c, const float *preferences,
                                 int actions, float *gradient, float *likelihood) {
    float log_of[PPO_MOST_ACTIONS], chance[PPO_MOST_ACTIONS], entropy = 0;
    float off = log_sum(preferences, actions);
    for (int k = 0; k < actions; k++) {
        log_of[k] = preferences[k] - off;
        chance[k] = expf(log_of[k]);
        entropy -= chance[k] * log_of[k];
    }
    float ratio = expf(log_of[c.action] - c.before);
    float near = fminf(fmaxf(ratio, 1 - terms->clip), 1 + terms->clip);
    float pull = ratio * c.advantage <= near * c.advantage ? -ratio * c.advantage * c.share : 0;
    for (int k = 0; k < actions; k++)
        gradient[k] = pull * ((float)(k == c.action) - chance[k])
                      + terms->entropy * c.share * chance[k] * (log_of[k] + entropy);
    *likelihood = log_of[c.action];
    return entropy;
}

/* Takes a step of Adam down a gradient of n numbers that is scaled first. */
static inline void step_down(ppo_state *state, const float *gradient, size_t n, float rate, float scale,
                             float epsilon) {
    const float keep = 0.9f, keep_squares = 0.999f;
    state->count += 1;
    float step = rate / (1 - powf(keep, state->count));
    float spread = 1 / (1 - powf(keep_squares, state->count));
    float *__restrict weights = state->weights;
    float *__restrict first = state->first, *__restrict second = state->second;
    for (size_t k = 0; k < n; k++) {
        float slope = gradient[k] * scale;
        first[k] = keep * first[k] + (1 - keep) * slope;
        second[k] = keep_squares * second[k] + (1 - keep_squares) * slope * slope;
        weights[k] -= step * first[k] / (sqrtf(second[k] * spread) + epsilon);
    }
}

#endif
