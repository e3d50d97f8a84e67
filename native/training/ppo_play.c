/* Playing a rollout. */
#include "training/ppo.h"

#include <stdlib.h>
#include <string.h>

#include "training/ppo_internal.h"

static bool open_blocks(ppo *p) {
    p->n_blocks = (p->games + PPO_BLOCK - 1) / PPO_BLOCK;
    p->blocks = calloc((size_t)p->n_blocks, sizeof *p->blocks);
    for (int k = 0; p->blocks && k < p->n_blocks; k++) {
        p->blocks[k].kinds.side = p->kinds.side;
        p->blocks[k].starts =
            calloc(((size_t)p->slots + 1) * PPO_BLOCK + 1, sizeof *p->blocks[k].starts);
        if (!p->blocks[k].starts || !workspace_open(&p->blocks[k].workspace, &p->net, PPO_BLOCK, false))
            return false;
    }
    return p->blocks;
}

static bool open_shares(ppo *p) {
    bool done = true;
    int room = p->net.fields ? PPO_FIELD_SAMPLES : PPO_PICTURE_SAMPLES;
    for (int k = 0; k < PPO_SHARES && done; k++) {
        ppo_share *share = &p->shares[k];
        share->gradient = calloc(p->net.size, sizeof *share->gradient);
        share->inputs =
            calloc((size_t)PPO_KINDS * (size_t)p->net.layers[0].inputs, sizeof *share->inputs);
        done =
            share->gradient && share->inputs && workspace_open(&share->workspace, &p->net, room, true);
    }
    return done;
}

ppo *ppo_new(const network *net, int games, int slots, int actions, int threads) {
    ppo *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->net = *net;
    p->games = games;
    p->slots = slots;
    p->actions = actions;
    p->threads = threads;
    size_t rows = ((size_t)slots + 1) * (size_t)games * (size_t)net->layers[0].places;
    p->transposed = calloc(net->size, sizeof *p->transposed);
    p->seen = calloc(net->fields ? 1 : rows, sizeof *p->seen);
    for (p->kinds.side = 1; !net->fields && 2 * p->kinds.side * p->kinds.side < net->layers[0].inputs;)
        p->kinds.side++;
    if (p->transposed && p->seen && open_blocks(p) && open_shares(p))
        return p;
    ppo_free(p);
    return NULL;
}

void ppo_free(ppo *p) {
    if (!p)
        return;
    crew_free(p->crew);
    for (int k = 0; p->blocks && k < p->n_blocks; k++) {
        workspace_close(&p->blocks[k].workspace);
        patches_free(&p->blocks[k].kinds);
        free(p->blocks[k].table);
        free(p->blocks[k].places);
        free(p->blocks[k].starts);
    }
    for (int k = 0; k < PPO_SHARES; k++) {
        workspace_close(&p->shares[k].workspace);
        free(p->shares[k].gradient);
        free(p->shares[k].inputs);
        free(p->shares[k].table);
    }
    patches_free(&p->kinds);
    free(p->blocks);
    free(p->transposed);
    free(p->seen);
    free(p->used);
    free(p->places);
    free(p->table);
    free(p);
}

/* A rollout that is being played. */
typedef struct {
    ppo *p;
    practice *world;
    const uint8_t *presses;
    uint8_t *buttons;
    const float *weights, *luck;
    const ppo_rollout *rollout;
    int first_game;
} match;

/* Computes what the first layer gives of kinds that were not seen before. */
static bool read_new_kinds(const match *m, ppo_block *block) {
    const network_layer *layer = &m->p->net.layers[0];
    size_t wide = (size_t)layer->outputs;
    float *inputs = malloc((size_t)layer->inputs * sizeof *inputs);
    if (block->kinds.room > block->room) {
        if (!resize((void **)&block->table, (size_t)block->kinds.room * wide * sizeof *block->table)) {
            free(inputs);
            return false;
        }
        block->room = block->kinds.room;
    }
    for (; inputs && block->known < block->kinds.n; block->known++) {
        patches_show(&block->kinds, (uint32_t)block->known, inputs);
        network_read_inputs(&m->p->net, m->weights, inputs, 1,
                            block->table + (size_t)block->known * wide);
    }
    free(inputs);
    return inputs;
}

static bool see_pictures(const match *m, ppo_block *block, int slot, int first, int n) {
    ppo *p = m->p;
    size_t places = (size_t)p->net.layers[0].places, wide = (size_t)p->net.layers[0].outputs;
    uint32_t *seen = p->seen + ((size_t)slot * (size_t)p->games + (size_t)first) * places;
    size_t at = (size_t)slot * (size_t)m->world->n + (size_t)(m->first_game + first);
    for (int k = 0; k < n; k++)
        if (!patches_read(&block->kinds, m->world->pictures + (at + (size_t)k) * 2 * SIGHT_PICTURE,
                          seen + (size_t)k * places))
            return false;
    if (!read_new_kinds(m, block))
        return false;
    for (size_t k = 0; k < (size_t)n * places; k++)
        memcpy(block->workspace.outputs[0] + k * wide, block->table + seen[k] * wide,
               wide * sizeof *block->table);
    return true;
}

static bool see_fields(const match *m, ppo_block *block, int slot, int first, int n) {
    ppo *p = m->p;
    size_t wide = (size_t)p->net.fields,
           at = (size_t)slot * (size_t)m->world->n + (size_t)(m->first_game + first);
    for (int k = 0; k < n; k++) {
        size_t *start = block->starts + slot * PPO_BLOCK + k;
        if (start[0] + wide > block->room_of_places) {
            block->room_of_places = 2 * (start[0] + wide);
            if (!resize((void **)&block->places, block->room_of_places * sizeof *block->places))
                return false;
        }
        start[1] = start[0]
                   + (size_t)find_places(m->world->fields + (at + (size_t)k) * wide, p->net.fields,
                                         block->places + start[0]);
    }
    block->starts[(slot + 1) * PPO_BLOCK] = block->starts[slot * PPO_BLOCK + n];
    for (int k = 0; k < n; k++)
        network_read_fields(&p->net, m->weights, &block->workspace, k,
                            seen_fields(p, m->world, m->first_game, slot, first + k));
    return true;
}

static bool see(const match *m, ppo_block *block, int slot, int first, int n) {
    return m->p->net.fields ? see_fields(m, block, slot, first, n)
                            : see_pictures(m, block, slot, first, n);
}

/* Chooses the action with the largest sum of preference and luck. */
static void choose(const match *m, const float *outputs, int slot, int game) {
    ppo *p = m->p;
    size_t at = (size_t)slot * (size_t)p->games + (size_t)game;
    m->rollout->values[at] = outputs[p->actions];
    if (slot == p->slots)
        return;
    const float *luck = m->luck + at * (size_t)p->actions;
    int best = 0;
    for (int k = 1; k < p->actions; k++)
        if (outputs[k] + luck[k] > outputs[best] + luck[best])
            best = k;
    m->rollout->actions[at] = (uint8_t)best;
    m->rollout->likelihoods[at] = outputs[best] - log_sum(outputs, p->actions);
    m->buttons[(size_t)slot * (size_t)m->world->n + (size_t)(m->first_game + game)] = m->presses[best];
}

static bool play_block(const match *m, int number) {
    ppo *p = m->p;
    ppo_block *block = &p->blocks[number];
    int first = number * PPO_BLOCK, n = p->games - first < PPO_BLOCK ? p->games - first : PPO_BLOCK;
    int game = m->first_game + first, last = p->net.n_layers - 1;
    block->known = 0;
    patches_clear(&block->kinds);
    for (int slot = 0; slot <= p->slots; slot++) {
        if (!see(m, block, slot, first, n))
            return false;
        network_forward(&p->net, m->weights, &block->workspace, n);
        for (int k = 0; k < n; k++)
            choose(m, block->workspace.outputs[last] + k * network_head(&p->net)->outputs, slot,
                   first + k);
        if (slot < p->slots && !practice_step(m->world, slot, game, game + n))
            return false;
    }
    return true;
}

static bool play_blocks(void *context, int first, int last) {
    for (int k = first; k < last; k++)
        if (!play_block(context, k))
            return false;
    return true;
}

/* Gives each kind one number in all blocks. */
static bool unite_kinds(ppo *p) {
    size_t places = (size_t)p->net.layers[0].places, wide = patch_size(&p->kinds);
    patches_clear(&p->kinds);
    for (int b = 0; b < p->n_blocks; b++) {
        const patches *kinds = &p->blocks[b].kinds;
        uint32_t *numbers = malloc(((size_t)kinds->n + 1) * sizeof *numbers);
        bool done = numbers;
        for (int32_t k = 0; done && k < kinds->n; k++) {
            int32_t number = patches_find(&p->kinds, kinds->pixels + (size_t)k * wide);
            done = number >= 0;
            numbers[k] = (uint32_t)number;
        }
        int first = b * PPO_BLOCK, last = first + PPO_BLOCK < p->games ? first + PPO_BLOCK : p->games;
        for (int slot = 0; done && slot <= p->slots; slot++) {
            uint32_t *row = p->seen + (size_t)slot * (size_t)p->games * places;
            for (size_t k = (size_t)first * places; k < (size_t)last * places; k++)
                row[k] = numbers[row[k]];
        }
        free(numbers);
        if (!done)
            return false;
    }
    return true;
}

bool ppo_play(ppo *p, practice *world, int first_game, const uint8_t *presses, uint8_t *buttons,
              const float *weights, const float *luck, ppo_rollout rollout) {
    match m = {p, world, presses, buttons, weights, luck, &rollout, first_game};
    return crew_spread(&p->crew, p->threads, play_blocks, &m, p->n_blocks)
           && (p->net.fields || unite_kinds(p));
}
