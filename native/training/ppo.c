/* Learning from a rollout. */
#include "training/ppo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "training/ppo_internal.h"

/* A part of a rollout that is being learned from. */
typedef struct {
    ppo *p;
    const practice *world;
    const ppo_rollout *rollout;
    const ppo_state *state;
    const ppo_terms *terms;
    const int32_t *part;
    int first_game, size;
    float mean, deviation; /* of the advantages */
} minibatch;

/* Where a share of so many things begins. */
static int share_start(int n, int number) { return (int)((int64_t)n * number / PPO_SHARES); }

static void standardise(minibatch *l) {
    double sum = 0, squares = 0;
    for (int k = 0; k < l->size; k++)
        sum += l->rollout->advantages[l->part[k]];
    double mean = sum / l->size;
    for (int k = 0; k < l->size; k++) {
        double off = l->rollout->advantages[l->part[k]] - mean;
        squares += off * off;
    }
    l->mean = (float)mean;
    l->deviation = (float)sqrt(squares / l->size) + 1e-8f;
}

/* Writes the gradient of the loss of one decision over its preferences and value. */
static void grade(const minibatch *l, int32_t decision, const float *outputs, float *gradient,
                  double *figures) {
    int actions = l->p->actions;
    float likelihood, part = 1 / (float)l->size, before = l->rollout->likelihoods[decision];
    float advantage = (l->rollout->advantages[decision] - l->mean) / l->deviation;
    ppo_choice choice = {l->rollout->actions[decision], before, advantage, part};
    figures[0] += grade_choice(l->terms, choice, outputs, actions, gradient, &likelihood);
    float error = outputs[actions] - l->rollout->returns[decision];
    gradient[actions] = l->terms->value * part * error;
    figures[1] += 0.5 * (double)error * (double)error;
    figures[2] += before - likelihood;
}

static void read_samples(const minibatch *l, workspace *d, const int32_t *decisions, int n) {
    ppo *p = l->p;
    size_t places = (size_t)p->net.layers[0].places, wide = (size_t)p->net.layers[0].outputs;
    for (int k = 0; k < n; k++) {
        if (p->net.fields) {
            int slot = decisions[k] / p->games, game = decisions[k] % p->games;
            network_read_fields(&p->net, l->state->weights, d, k,
                                seen_fields(p, l->world, l->first_game, slot, game));
            continue;
        }
        const uint32_t *seen = p->seen + (size_t)decisions[k] * places;
        float *to = d->outputs[0] + (size_t)k * places * wide;
        for (size_t j = 0; j < places; j++, to += wide)
            memcpy(to, p->table + (size_t)p->places[seen[j]] * wide, wide * sizeof *to);
    }
}

static void learn_samples(const minibatch *l, ppo_share *share, const int32_t *decisions, int n) {
    ppo *p = l->p;
    if (p->net.fields) {
        network_learn_fields(&p->net, &share->workspace, n, share->gradient);
        return;
    }
    size_t places = (size_t)p->net.layers[0].places, wide = (size_t)p->net.layers[0].outputs;
    const float *from = share->workspace.gradients[0];
    for (int k = 0; k < n; k++) {
        const uint32_t *seen = p->seen + (size_t)decisions[k] * places;
        for (size_t j = 0; j < places; j++, from += wide) {
            float *to = share->table + (size_t)p->places[seen[j]] * wide;
            for (size_t c = 0; c < wide; c++)
                to[c] += from[c];
        }
    }
}

static void learn_share(const minibatch *l, int number) {
    ppo *p = l->p;
    ppo_share *share = &p->shares[number];
    const network_layer *head = network_head(&p->net);
    int from = share_start(l->size, number), to = share_start(l->size, number + 1);
    memset(share->gradient, 0, p->net.size * sizeof *share->gradient);
    memset(share->figures, 0, sizeof share->figures);
    if (!p->net.fields)
        memset(share->table, 0,
               (size_t)p->n_used * (size_t)p->net.layers[0].outputs * sizeof *share->table);
    for (int n; from < to; from += n) {
        n = to - from < share->workspace.room ? to - from : share->workspace.room;
        read_samples(l, &share->workspace, l->part + from, n);
        network_forward(&p->net, l->state->weights, &share->workspace, n);
        float *gradients = share->workspace.gradients[p->net.n_layers - 1];
        const float *outputs = share->workspace.outputs[p->net.n_layers - 1];
        for (int k = 0; k < n; k++)
            grade(l, l->part[from + k], outputs + k * head->outputs, gradients + k * head->outputs,
                  share->figures);
        network_backward(&p->net, p->transposed, &share->workspace, n, share->gradient);
        learn_samples(l, share, l->part + from, n);
    }
}

static bool learn_shares(void *context, int first, int last) {
    for (int k = first; k < last; k++)
        learn_share(context, k);
    return true;
}

/* ---- the first layer's kinds of squares */

static bool make_room_for_kinds(ppo *p) {
    int32_t room = p->kinds.room;
    size_t wide = (size_t)p->net.layers[0].outputs;
    if (room <= p->room_used)
        return true;
    bool done = resize((void **)&p->used, (size_t)room * sizeof *p->used)
                && resize((void **)&p->places, (size_t)room * sizeof *p->places)
                && resize((void **)&p->table, (size_t)room * wide * sizeof *p->table);
    for (int k = 0; k < PPO_SHARES; k++)
        done = done && resize((void **)&p->shares[k].table, (size_t)room * wide * sizeof *p->table);
    p->room_used = done ? room : p->room_used;
    return done;
}

static void list_kinds(const minibatch *l) {
    ppo *p = l->p;
    size_t places = (size_t)p->net.layers[0].places;
    for (int32_t k = 0; k < p->kinds.n; k++)
        p->places[k] = -1;
    p->n_used = 0;
    for (int k = 0; k < l->size; k++) {
        const uint32_t *seen = p->seen + (size_t)l->part[k] * places;
        for (size_t j = 0; j < places; j++)
            if (p->places[seen[j]] < 0) {
                p->places[seen[j]] = p->n_used;
                p->used[p->n_used++] = seen[j];
            }
    }
}

/* Calls work for the kinds of a share, some at a time, with their inputs on the share's workspace. */
static void for_kinds(const minibatch *l, int number,
                      void (*work)(const minibatch *, ppo_share *, int first, int n)) {
    ppo *p = l->p;
    ppo_share *share = &p->shares[number];
    int from = share_start(p->n_used, number), to = share_start(p->n_used, number + 1);
    for (int n; from < to; from += n) {
        n = to - from < PPO_KINDS ? to - from : PPO_KINDS;
        for (int k = 0; k < n; k++)
            patches_show(&p->kinds, p->used[from + k],
                         share->inputs + (size_t)k * (size_t)p->net.layers[0].inputs);
        work(l, share, from, n);
    }
}

static void read_kinds(const minibatch *l, ppo_share *share, int first, int n) {
    network_read_inputs(&l->p->net, l->state->weights, share->inputs, n,
                        l->p->table + (size_t)first * (size_t)l->p->net.layers[0].outputs);
}

static void learn_kinds(const minibatch *l, ppo_share *share, int first, int n) {
    ppo *p = l->p;
    const network_layer *layer = &p->net.layers[0];
    size_t wide = (size_t)layer->outputs, from = (size_t)first * wide, size = (size_t)n * wide;
    float *sum = p->shares[0].table + from;
    for (int k = 1; k < PPO_SHARES; k++)
        for (size_t j = 0; j < size; j++)
            sum[j] += p->shares[k].table[from + j];
    rectify_gradient(p->table + from, sum, size);
    for (size_t j = 0; j < size; j++)
        share->gradient[layer->bias + j % wide] += sum[j];
    kernel_factor inputs = {share->inputs, 1, (size_t)layer->inputs};
    p->net.kernels->multiply(layer->inputs, layer->outputs, n, inputs, sum,
                             share->gradient + layer->weights);
}

static bool read_all_kinds(void *context, int first, int last) {
    for (int k = first; k < last; k++)
        for_kinds(context, k, read_kinds);
    return true;
}

static bool learn_all_kinds(void *context, int first, int last) {
    for (int k = first; k < last; k++)
        for_kinds(context, k, learn_kinds);
    return true;
}

/* ---- steps */

/* Sums the gradients of all shares in the first one and returns what cuts the sum to the longest
 * length. */
static float sum_gradients(ppo *p, float longest) {
    float *sum = p->shares[0].gradient;
    double squares = 0;
    for (size_t k = 0; k < p->net.size; k++) {
        for (int s = 1; s < PPO_SHARES; s++)
            sum[k] += p->shares[s].gradient[k];
        squares += (double)sum[k] * (double)sum[k];
    }
    return fminf(1, longest / ((float)sqrt(squares) + 1e-8f));
}

static bool learn_part(minibatch *l, ppo_state *state) {
    ppo *p = l->p;
    bool pictures = !p->net.fields, done = true;
    standardise(l);
    network_transpose(&p->net, state->weights, p->transposed);
    if (pictures) {
        list_kinds(l);
        done = crew_spread(&p->crew, p->threads, read_all_kinds, l, PPO_SHARES);
    }
    done = done && crew_spread(&p->crew, p->threads, learn_shares, l, PPO_SHARES);
    if (pictures)
        done = done && crew_spread(&p->crew, p->threads, learn_all_kinds, l, PPO_SHARES);
    if (done)
        step_down(state, p->shares[0].gradient, p->net.size, l->terms->rate,
                  sum_gradients(p, l->terms->longest), 1e-5f);
    return done;
}

bool ppo_learn(ppo *p, const practice *world, int first_game, ppo_rollout rollout, ppo_state *state,
               ppo_terms terms, const int32_t *parts, int n_parts, int size, double *figures) {
    memset(figures, 0, PPO_FIGURES * sizeof *figures);
    if (!p->net.fields && !make_room_for_kinds(p))
        return false;
    for (int k = 0; k < n_parts; k++) {
        minibatch l = {p,          world, &rollout, state, &terms, parts + (size_t)k * (size_t)size,
                       first_game, size,  0,        1};
        if (!learn_part(&l, state))
            return false;
        for (int s = 0; s < PPO_SHARES; s++)
            for (int f = 0; f < PPO_FIGURES; f++)
                figures[f] += p->shares[s].figures[f] / ((double)size * n_parts);
    }
    return true;
}
