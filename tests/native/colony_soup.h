/* Random colonies: several worms on a dish that no task made by hand would have. */
#ifndef COLONY_SOUP_H
#define COLONY_SOUP_H

#include "worm/colony.h"

static wm_colony_terms random_colony_terms(int worms) {
    return (wm_colony_terms){
        .worms = worms,
        .actions = one_in(2) ? WM_ACTIONS : WM_SIX_ACTIONS,
        .drawn_contests = one_in(2),
        .leaving = below(3),
        .company_radius = below(8),
        .company_hunger = real_between(0, 2),
        .senses_scents = one_in(2),
        .senses_company = one_in(2),
        .alarm_strength = real_between(0, 5),
        .alarm_decay = real_between(0.1, 20),
        .alarm_half_life = real_between(0.5, 60),
        .alarm_sources = between(0, one_in(4) ? WM_MAX_SOURCES : 3),
        .found_strength = real_between(0, 5),
        .found_decay = real_between(0.1, 20),
        .found_half_life = real_between(0.5, 60),
        .found_sources = between(0, one_in(4) ? WM_MAX_SOURCES : 3),
    };
}

static void check_food(const wm_colony *c, int at_start) {
    const wm_world *host = wm_colony_world(c, 0);
    const wm_terms *t = &host->task->terms;
    int eaten = 0;
    for (int k = 0; k < c->plan->worms; k++) {
        const wm_world *w = wm_colony_world(c, k);
        size_t foods = (size_t)w->task->predators_at - sizeof *w;
        eaten += w->eaten;
        require(w->n_foods == host->n_foods && !memcmp(w + 1, host + 1, foods), "worms see the same food");
    }
    if (!t->respawn && t->portion <= 0)
        require(eaten + host->n_foods == at_start, "no food is eaten twice");
}

static void check_colony(const wm_colony *c, const double *rewards) {
    float *features = memory((size_t)c->plan->n_features * sizeof *features + 1);
    double last = c->plan->task->side - 1;
    for (int k = 0; k < c->plan->worms; k++) {
        const wm_world *w = wm_colony_world(c, k);
        require(w->x >= 0 && w->y >= 0 && w->x <= last && w->y <= last, "all worms are in their dish");
        require(finite(rewards[k]), "rewards of a colony are finite");
        wm_colony_features(c, k, features);
        for (int f = 0; f < c->plan->n_features; f++)
            require(finite((double)features[f]), "features of a colony are finite");
    }
    free(features);
}

static void draw_actions(const wm_colony_plan *plan, int32_t *actions) {
    for (int k = 0; k < plan->worms; k++)
        actions[k] = below((int)plan->terms.actions);
}

/* A saved colony goes on alike; a forged one is refused or does no harm. */
static void try_saved_colony(const wm_colony *c) {
    const wm_colony_plan *plan = c->plan;
    saved s = {memory(wm_colony_saved_size(plan)), wm_colony_saved_size(plan)};
    wm_colony *other = used_memory((size_t)plan->size);
    int32_t actions[WM_MAX_WORMS];
    double rewards[WM_MAX_WORMS];
    wm_colony_save(c, s.bytes);
    require(!wm_colony_check_saved(plan, s.bytes, s.size), "a colony that was saved is accepted");
    wm_colony_load(other, plan, s.bytes);
    require(!memcmp(other, c, (size_t)plan->size), "a loaded colony equals the saved one to the last byte");
    for (int n = 4; n > 0; n--) {
        wm_colony_save(c, s.bytes);
        change_bytes(&s);
        reseal(&s);
        bool refused = wm_colony_check_saved(plan, s.bytes, s.size);
        forgeries.refused += refused;
        forgeries.accepted += !refused;
        if (refused)
            continue;
        wm_colony_load(other, plan, s.bytes);
        for (int steps = between(1, 20); steps > 0; steps--) {
            draw_actions(plan, actions);
            wm_colony_step(other, actions, rewards);
            (void)wm_colony_hash(other);
        }
        float *features = memory((size_t)plan->n_features * sizeof *features + 1);
        wm_colony_features(other, below(plan->worms), features);
        free(features);
    }
    free(other);
    free(s.bytes);
}

/* A copy plays on without disturbing what it was copied from. */
static void try_copy(const wm_colony *c) {
    wm_colony *copy = used_memory((size_t)c->plan->size);
    int32_t actions[WM_MAX_WORMS];
    double rewards[WM_MAX_WORMS];
    uint64_t before = wm_colony_hash(c);
    memcpy(copy, c, (size_t)c->plan->size);
    for (int steps = 5; steps > 0; steps--) {
        draw_actions(c->plan, actions);
        wm_colony_step(copy, actions, rewards);
    }
    require(wm_colony_hash(c) == before, "a copy does not disturb the colony");
    free(copy);
}

static void play_colony(uint64_t seed, int steps) {
    begin_soup(seed);
    wm_terms terms = random_terms();
    terms.continuous = 0;
    wm_task *task = used_memory(wm_task_size(&terms));
    wm_task_build(task, &terms);
    wm_colony_terms colony_terms = random_colony_terms(between(1, WM_MAX_WORMS));
    wm_colony_plan plan;
    wm_colony_plan_build(&plan, task, &colony_terms);
    wm_colony *c = used_memory((size_t)plan.size);
    wm_colony_begin(c, &plan, draw());
    int at_start = wm_colony_world(c, 0)->n_foods;
    int32_t actions[WM_MAX_WORMS];
    double rewards[WM_MAX_WORMS];
    for (int step = 0; step < steps; step++) {
        draw_actions(&plan, actions);
        wm_colony_step(c, actions, rewards);
        check_colony(c, rewards);
        check_food(c, at_start);
        run.steps += plan.worms;
        if (one_in(60))
            try_saved_colony(c);
        if (one_in(60))
            try_copy(c);
    }
    free(c);
    free(task);
}

/* A colony of one worm that nobody is near plays exactly as a world alone does. */
static void compare_with_one(uint64_t seed, int steps) {
    begin_soup(seed);
    wm_terms terms = random_terms();
    terms.continuous = 0;
    wm_task *task = used_memory(wm_task_size(&terms));
    wm_task_build(task, &terms);
    wm_colony_terms colony_terms = random_colony_terms(1);
    colony_terms.actions = WM_ACTIONS;
    wm_colony_plan plan;
    wm_colony_plan_build(&plan, task, &colony_terms);
    wm_colony *c = used_memory((size_t)plan.size);
    wm_world *alone = used_memory((size_t)task->world_size);
    uint64_t world_seed = draw();
    wm_colony_begin(c, &plan, world_seed);
    wm_begin(alone, task, world_seed);
    for (int step = 0; step < steps && !alone->ended; step++) {
        int32_t action = below(WM_ACTIONS);
        double paid, reward = wm_step(alone, (enum wm_action)action);
        wm_colony_step(c, &action, &paid);
        require(paid == reward, "one worm is paid as a worm alone");
        require(wm_hash(wm_colony_world(c, 0)) == wm_hash(alone), "one worm lives as a worm alone");
    }
    free(alone);
    free(c);
    free(task);
}

#endif
