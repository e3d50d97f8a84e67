/* Lets random networks play and learn, with the kernels of every processor, for the sanitizers.
 *
 *     training_soup DECISIONS SEED
 */
#define SOUP "training_soup"
#include "platformer/heap.h"
#include "platformer/rules/rules.h"
#include "random_soup.h"
#include "training/ppo.h"

#include <math.h>
#include <string.h>

enum { MOST_LEVELS = 3, ROWS = 16, ROLLOUTS = 3 };

static float share(void) { return (float)(draw() >> 40) / (float)(1 << 24); }

static float *numbers(size_t n, float size) {
    float *all = memory(n * sizeof *all + 1);
    for (size_t k = 0; k < n; k++)
        all[k] = size * (2 * share() - 1);
    return all;
}

static void *zeros(size_t size) {
    void *all = memory(size + 1);
    memset(all, 0, size + 1);
    return all;
}

/* ---- kernels -------------------------------------------------------------------------------- */

static void compare(const float *one, const float *other, size_t n) {
    for (size_t k = 0; k < n; k++) {
        float gap = fabsf(one[k] - other[k]);
        require(gap <= 1e-4f * (1 + fabsf(one[k])), "all kernels compute the same");
    }
}

static void check_multiply(void) {
    int m = between(1, 9), n = KERNEL_WIDTH * between(1, 9), k = between(1, 40);
    size_t size = (size_t)(m * n);
    float *a = numbers((size_t)(m * k), 1), *b = numbers((size_t)(k * n), 1);
    float *c = numbers(size, 1), *d = memory(size * sizeof *d);
    memcpy(d, c, size * sizeof *d);
    choose_kernels()->multiply(m, n, k, (kernel_factor){a, (size_t)k, 1}, b, c);
    plain_kernels.multiply(m, n, k, (kernel_factor){a, (size_t)k, 1}, b, d);
    compare(c, d, size);
    free(a), free(b), free(c), free(d);
}

static void check_sparse(void) {
    int rows = between(1, 50), n = KERNEL_WIDTH * between(1, 17), found = 0;
    size_t size = (size_t)(rows * n);
    int8_t *whole = zeros((size_t)rows);
    uint16_t *places = zeros((size_t)rows * sizeof *places);
    for (int k = 0; k < rows; k++)
        if ((whole[k] = (int8_t)(one_in(3) ? between(-64, 64) : 0)))
            places[found++] = (uint16_t)k;
    kernel_sparse x = {whole, places, found};
    float *table = numbers(size, 1), *row = numbers((size_t)n, 1);
    float *same = memory((size_t)n * sizeof *same);
    memcpy(same, row, (size_t)n * sizeof *same);
    choose_kernels()->look_up(x, 0.015625f, table, n, row);
    plain_kernels.look_up(x, 0.015625f, table, n, same);
    compare(row, same, (size_t)n);
    float *twin = memory(size * sizeof *twin);
    memcpy(twin, table, size * sizeof *twin);
    choose_kernels()->spread(x, 0.015625f, row, n, table);
    plain_kernels.spread(x, 0.015625f, row, n, twin);
    compare(table, twin, size);
    free(whole), free(places), free(table), free(row), free(same), free(twin);
}

/* ---- games ---------------------------------------------------------------------------------- */

static pf_world *new_start(void) {
    static const char signs[] = "----------------XXSS?gkoR%";
    int width = between(4, 60);
    char *text = memory((size_t)(width * ROWS));
    for (int k = 0; k < width * ROWS; k++)
        text[k] = k / width >= ROWS - 2 ? "X-"[one_in(12)] : signs[below((int)sizeof signs - 1)];
    text[(ROWS - 3) * width] = 'M';
    pf_cells cells = {.characters = text, .width = width, .height = ROWS};
    pf_physics physics;
    pf_physics_default(&physics);
    pf_level *level = pf_level_new(&cells, pf_find_rules(one_in(2) ? "ludus" : "framework"));
    free(text);
    require(level != NULL, "there is memory");
    pf_world *start = pf_world_new(level, &physics, NULL, 0, between(0, 2), 1000 * between(5, 60));
    require(start != NULL, "there is memory");
    return start;
}

static void bind_buffers(practice *all, int slots, uint8_t **buttons) {
    size_t n = (size_t)all->n * (size_t)slots, seen = (size_t)all->n * (size_t)(slots + 1);
    *buttons = zeros(n);
    all->buttons = *buttons;
    all->rewards = zeros(n * sizeof(float));
    all->endings = zeros(n);
    all->reached = zeros(n * sizeof(float));
    all->played = zeros(n * sizeof(int32_t));
    all->retried = one_in(2) ? zeros(n) : NULL;
    if (all->sight == SEES_PICTURES)
        all->pictures = zeros(seen * 2 * SIGHT_PICTURE);
    else
        all->fields = zeros(seen * (all->sight == SEES_FIELDS ? SIGHT_FIELDS : SIGHT_WIDE_FIELDS));
}

static void free_games(practice *all, pf_world **starts) {
    for (int k = 0; k < all->n; k++) {
        pf_free(all->games[k].world);
        free(all->games[k].tape);
    }
    for (int k = 0; k < all->n_levels; k++) {
        pf_level *level = (pf_level *)(uintptr_t)starts[k]->level;
        pf_free(starts[k]);
        pf_free(level);
    }
    free(all->games), free((void *)(uintptr_t)all->buttons), free(all->rewards), free(all->endings);
    free(all->reached), free(all->played), free(all->retried), free(all->fields), free(all->pictures);
}

/* ---- learning ------------------------------------------------------------------------------- */

/* Returns how many actions it chooses from. */
static int plan(network *net, enum practice_sight sight) {
    static const int32_t strides[] = {4, 2, 2};
    static const int seen[] = {
        [SEES_FIELDS] = SIGHT_FIELDS, [SEES_WIDE_FIELDS] = SIGHT_WIDE_FIELDS, [SEES_PICTURES] = 0};
    int fields = seen[sight];
    int n_strides = fields ? 0 : between(1, 3), n = n_strides + between(1, 2);
    int32_t widths[6];
    for (int k = 0; k < n; k++)
        widths[k] = between(1, 20);
    widths[n] = between(2, 13);
    bool planned = network_plan(net, fields, strides, n_strides, widths, n + 1);
    require(planned, "such a network can be planned");
    net->kernels = one_in(2) ? &plain_kernels : choose_kernels();
    return widths[n] - 1;
}

static void learn(ppo *p, const practice *games, ppo_rollout rollout, ppo_state *state) {
    int n = p->games * p->slots, n_parts = between(1, 3), size = between(1, n);
    int32_t *parts = memory((size_t)(n_parts * size) * sizeof *parts);
    for (int k = 0; k < n_parts * size; k++)
        parts[k] = below(n);
    double figures[PPO_FIGURES];
    ppo_terms terms = {0.001f, 0.01f, 0.2f, 0.5f, 0.5f};
    require(ppo_learn(p, games, 0, rollout, state, terms, parts, n_parts, size, figures), "it learns");
    for (int k = 0; k < PPO_FIGURES; k++)
        require(isfinite(figures[k]), "figures are numbers");
    free(parts);
}

/* Returns the decisions that were played. */
static long play(ppo *p, practice *games, uint8_t *buttons) {
    size_t n = (size_t)p->games * (size_t)p->slots, size = p->net.size;
    ppo_state state = {.weights = numbers(size, 0.2f)};
    state.first = zeros(size * sizeof *state.first);
    state.second = zeros(size * sizeof *state.second);
    uint8_t presses[PPO_MOST_ACTIONS], *actions = zeros(n);
    float *likelihoods = zeros(n * sizeof *likelihoods);
    float *values = zeros((n + (size_t)p->games) * sizeof *values);
    for (int k = 0; k < p->actions; k++)
        presses[k] = (uint8_t)below(PF_ACTIONS);
    for (int k = 0; k < games->n; k++)
        require(practice_begin(games, k), "a game begins");
    for (int k = 0; k < ROLLOUTS; k++) {
        float *chance = numbers(n * (size_t)p->actions, 3);
        float *advantages = numbers(n, 2), *returns = numbers(n, 5);
        ppo_rollout rollout = {actions, likelihoods, values, advantages, returns};
        require(ppo_play(p, games, 0, presses, buttons, state.weights, chance, rollout), "it plays");
        learn(p, games, rollout, &state);
        free(chance), free(advantages), free(returns);
    }
    free(state.weights), free(state.first), free(state.second);
    free(actions), free(likelihoods), free(values);
    return ROLLOUTS * (long)n;
}

/* Mostly small, so that many are played. */
static int size(void) { return between(1, one_in(8) ? 40 : 8); }

static long cook(void) {
    pf_world *starts[MOST_LEVELS];
    double odds[MOST_LEVELS];
    practice games = {.n = size(), .n_levels = between(1, MOST_LEVELS), .starts = starts, .odds = odds};
    games.sight = (enum practice_sight)below(3);
    games.terms = (practice_terms){between(1, 5), below(31), between(1, 60), 0.25, one_in(2) ? 0.5 : 0};
    games.reward = (practice_reward){1, 10, -10, -0.01f};
    games.games = zeros((size_t)games.n * sizeof *games.games);
    for (int k = 0; k < games.n; k++)
        games.games[k].random = draw();
    for (int k = 0; k < games.n_levels; k++) {
        starts[k] = new_start();
        odds[k] = (double)(k + 1) / games.n_levels;
    }
    int slots = size();
    uint8_t *buttons;
    network net;
    bind_buffers(&games, slots, &buttons);
    int actions = plan(&net, games.sight);
    ppo *p = ppo_new(&net, games.n, slots, actions, between(1, 2));
    require(p != NULL, "there is memory");
    long played = play(p, &games, buttons);
    ppo_free(p);
    free_games(&games, starts);
    return played;
}

int main(int n, char **words) {
    long wanted = n > 1 ? atol(words[1]) : 0, played = 0, soups = 0;
    uint64_t seed = n > 2 ? strtoull(words[2], NULL, 10) : 1;
    for (; played < wanted; soups++) {
        begin_soup(seed + (uint64_t)soups);
        for (int k = 0; k < 20; k++) {
            check_multiply();
            check_sparse();
        }
        played += cook();
    }
    printf("decisions %ld, soups %ld\n", played, soups);
    return 0;
}
