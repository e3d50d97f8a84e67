/* Proximal policy optimisation of a worm's brain. */
#include "training/worm_ppo.h"

#include <stdlib.h>
#include <string.h>

static float *make_room(size_t n) { return calloc(n, sizeof(float)); }

static bool plan(worm_ppo *p, const int32_t *widths, int n_widths) {
    int32_t all[NETWORK_LAYERS];
    if (n_widths >= NETWORK_LAYERS)
        return false;
    memcpy(all, widths, (size_t)n_widths * sizeof *all);
    all[n_widths] = p->actions;
    bool done = network_plan(&p->actor, p->features, NULL, 0, all, n_widths + 1);
    all[n_widths] = 1;
    done = done && network_plan(&p->critic, p->features, NULL, 0, all, n_widths + 1);
    p->size = p->actor.size + p->critic.size;
    return done;
}

static bool open(worm_ppo *p) {
    p->inputs = make_room(WORM_PPO_SAMPLES * (size_t)p->features);
    p->transposed = make_room(p->size);
    p->gradient = make_room(p->size);
    p->advantages = make_room((size_t)p->horizon);
    p->returns = make_room((size_t)p->horizon);
    return workspace_open(&p->acting, &p->actor, WORM_PPO_SAMPLES, true)
           && workspace_open(&p->judging, &p->critic, WORM_PPO_SAMPLES, true) && p->inputs
           && p->transposed && p->gradient && p->advantages && p->returns;
}

worm_ppo *worm_ppo_new(int features, const int32_t *widths, int n_widths, int actions, int horizon) {
    worm_ppo *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->features = features;
    p->actions = actions;
    p->horizon = horizon;
    if (plan(p, widths, n_widths) && open(p))
        return p;
    worm_ppo_free(p);
    return NULL;
}

void worm_ppo_free(worm_ppo *p) {
    if (!p)
        return;
    workspace_close(&p->acting);
    workspace_close(&p->judging);
    free(p->inputs);
    free(p->transposed);
    free(p->gradient);
    free(p->advantages);
    free(p->returns);
    free(p);
}

/* Computes n rows and returns the outputs, as wide as the head. */
static const float *compute(const network *net, const float *weights, workspace *d, const float *rows,
                            int n) {
    network_read_inputs(net, weights, rows, n, d->outputs[0]);
    network_forward(net, weights, d, n);
    return d->outputs[net->n_layers - 1];
}

/* ---- playing */

static int choose(const float *preferences, const float *luck, int actions) {
    int best = 0;
    float most = 0;
    for (int k = 0; k < actions; k++) {
        float worth = preferences[k] + (luck ? luck[k] : 0);
        if (!k || worth > most) {
            most = worth;
            best = k;
        }
    }
    return best;
}

static void judge(worm_ppo *p, const float *weights, worm_segment *s) {
    size_t wide = (size_t)network_head(&p->critic)->outputs;
    for (int at = 0, n; at <= s->length; at += n) {
        n = s->length + 1 - at < WORM_PPO_SAMPLES ? s->length + 1 - at : WORM_PPO_SAMPLES;
        const float *rows = s->features + (size_t)at * (size_t)p->features;
        const float *worth = compute(&p->critic, weights + p->actor.size, &p->judging, rows, n);
        for (int k = 0; k < n; k++)
            s->values[at + k] = worth[(size_t)k * wide];
    }
}

void worm_ppo_play(worm_ppo *p, const wm_batch *world, const float *weights, const float *luck,
                   int most, worm_segment *s) {
    wm_batch mine = *world;
    int32_t action;
    mine.actions = &action;
    mine.steered = false;
    size_t row = (size_t)p->features * sizeof(float);
    float *seen = s->features;
    memcpy(seen, mine.features, row);
    for (s->length = 0, s->ended = false; s->length < most && !s->ended; s->length++) {
        const float *preferences = compute(&p->actor, weights, &p->acting, seen, 1);
        action = choose(preferences, luck ? luck + s->length * p->actions : NULL, p->actions);
        wm_batch_step(&mine, 0, 1);
        s->actions[s->length] = action;
        s->rewards[s->length] = *mine.rewards;
        s->likelihoods[s->length] = preferences[action] - log_sum(preferences, p->actions);
        s->ended = *mine.ended != 0;
        seen += p->features;
        memcpy(seen, mine.features, row);
    }
    if (s->values)
        judge(p, weights, s);
}

/* ---- learning */

/* How much better each step went than expected (Schulman et al. 2016), and what was to be expected. */
static void estimate(worm_ppo *p, const worm_segment *s, float discount, float trace) {
    float later = 0, next = s->ended ? 0 : s->values[s->length];
    for (int k = s->length - 1; k >= 0; k--) {
        later = s->rewards[k] + discount * next - s->values[k] + discount * trace * later;
        next = s->values[k];
        p->advantages[k] = later;
        p->returns[k] = later + next;
    }
}

static void standardise(float *numbers, int n) {
    double sum = 0, squares = 0;
    for (int k = 0; k < n; k++)
        sum += numbers[k];
    double mean = sum / (n > 1 ? n : 1);
    for (int k = 0; k < n; k++)
        squares += (numbers[k] - mean) * (numbers[k] - mean);
    double deviation = sqrt(squares / (n > 2 ? n - 1 : 1)) + 1e-8;
    for (int k = 0; k < n; k++)
        numbers[k] = (float)((numbers[k] - mean) / deviation);
}

/* Adds the gradient of n samples, whose outputs have gradients. */
static void learn_network(const network *net, const float *transposed, workspace *d,
                          const float *inputs, int n, float *gradient) {
    network_backward(net, transposed, d, n, gradient);
    network_learn_inputs(net, d, inputs, n, gradient);
}

static void learn_samples(worm_ppo *p, const worm_segment *s, const ppo_terms *terms,
                          const float *weights, const int32_t *steps, int n, float share) {
    size_t actor = (size_t)network_head(&p->actor)->outputs,
           critic = (size_t)network_head(&p->critic)->outputs;
    for (int k = 0; k < n; k++)
        memcpy(p->inputs + k * p->features, s->features + steps[k] * p->features,
               (size_t)p->features * sizeof(float));
    const float *preferences = compute(&p->actor, weights, &p->acting, p->inputs, n);
    const float *worth = compute(&p->critic, weights + p->actor.size, &p->judging, p->inputs, n);
    float *pull = p->acting.gradients[p->actor.n_layers - 1],
          *errors = p->judging.gradients[p->critic.n_layers - 1];
    for (size_t k = 0; k < (size_t)n; k++) {
        int32_t step = steps[k];
        ppo_choice choice = {s->actions[step], s->likelihoods[step], p->advantages[step], share};
        float likelihood;
        grade_choice(terms, choice, preferences + k * actor, p->actions, pull + k * actor, &likelihood);
        errors[k * critic] = 2 * terms->value * share * (worth[k * critic] - p->returns[step]);
    }
    learn_network(&p->actor, p->transposed, &p->acting, p->inputs, n, p->gradient);
    learn_network(&p->critic, p->transposed + p->actor.size, &p->judging, p->inputs, n,
                  p->gradient + p->actor.size);
}

/* Writes the gradient of the loss over some steps of a segment. */
static void find_gradient(worm_ppo *p, const worm_segment *s, const ppo_terms *terms,
                          const float *weights, const int32_t *steps, int n) {
    memset(p->gradient, 0, p->size * sizeof *p->gradient);
    network_transpose(&p->actor, weights, p->transposed);
    network_transpose(&p->critic, weights + p->actor.size, p->transposed + p->actor.size);
    for (int at = 0, some; at < n; at += some) {
        some = n - at < WORM_PPO_SAMPLES ? n - at : WORM_PPO_SAMPLES;
        learn_samples(p, s, terms, weights, steps + at, some, 1 / (float)n);
    }
}

/* What cuts the gradient to the longest length. */
static float cut(const worm_ppo *p, float longest) {
    enum { SUMS = 8 }; /* KERNEL_WIDTH divides the size */
    float squares[SUMS] = {0}, sum = 0;
    for (size_t k = 0; k < p->size; k += SUMS)
        for (size_t j = 0; j < SUMS; j++)
            squares[j] += p->gradient[k + j] * p->gradient[k + j];
    for (int j = 0; j < SUMS; j++)
        sum += squares[j];
    return fminf(1, longest / (sqrtf(sum) + 1e-6f));
}

/* Moments that fade away become 0 long before they are too small to be computed with at full speed. */
static void drop_traces(const ppo_state *state, size_t n) {
    for (size_t k = 0; k < n; k++) {
        state->first[k] = fabsf(state->first[k]) < 1e-20f ? 0 : state->first[k];
        state->second[k] = state->second[k] < 1e-30f ? 0 : state->second[k];
    }
}

void worm_ppo_learn(worm_ppo *p, const worm_segment *s, const worm_lesson *lesson, ppo_state *state) {
    int size = (s->length + lesson->minibatches - 1) / lesson->minibatches;
    estimate(p, s, lesson->discount, lesson->trace);
    standardise(p->advantages, s->length);
    for (int part = 0; part < lesson->epochs * lesson->minibatches; part++) {
        int first = part % lesson->minibatches * size, left = s->length - first;
        const int32_t *order = lesson->orders + part / lesson->minibatches * s->length;
        int n = left < 0 ? 0 : left < size ? left : size;
        find_gradient(p, s, &lesson->terms, state->weights, order + (n ? first : 0), n);
        step_down(state, p->gradient, p->size, lesson->terms.rate, cut(p, lesson->terms.longest),
                  1e-8f);
    }
    drop_traces(state, p->size);
}
