/* Several worms on one dish. */
#include "abi/colony.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)WM_MAX_WORMS == (int)LUDUS_COLONY_MAX_WORMS
                   && (int)WM_MAX_SOURCES == (int)LUDUS_COLONY_MAX_SOURCES
                   && (int)WM_SCENTS == (int)LUDUS_COLONY_SCENTS && (int)WM_REVERSE == (int)LUDUS_COLONY_REVERSE
                   && (int)WM_OMEGA == (int)LUDUS_COLONY_OMEGA,
               "the header tells the engine's limits");

static const char *const term_names[] = {
#define NAME(name) #name,
    WM_COLONY_TERMS(NAME)
#undef NAME
};
enum { TERMS = sizeof term_names / sizeof *term_names, LEAST_SIZE = 5 };

_Static_assert(sizeof(wm_colony_terms) == TERMS * sizeof(double), "there are no gaps between the terms");

int32_t ludus_colony_term_count(void) { return TERMS; }

const char *ludus_colony_term_name(int32_t number) {
    return number >= 0 && number < TERMS ? term_names[number] : NULL;
}

/* ---- plans ---------------------------------------------------------------------------------- */

static int32_t check_range(const char *name, double value, double least, double most) {
    if (value >= least && value <= most)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "%s %g is out of range: give %g to %g", name, value, least, most);
}

static int32_t check_terms(const wm_colony_terms *t) {
    const struct {
        const char *name;
        double value, least, most;
        bool whole;
    } ranges[] = {
        {"worms", t->worms, 1, WM_MAX_WORMS, true},
        {"actions", t->actions, WM_ACTIONS, WM_SIX_ACTIONS, true},
        {"leaving", t->leaving, 0, WM_END_ALL, true},
        {"company_radius", t->company_radius, 0, 1e6, false},
        {"company_hunger", t->company_hunger, 0, 1e6, false},
        {"alarm_strength", t->alarm_strength, 0, 1e3, false},
        {"alarm_decay", t->alarm_decay, 1e-3, 1e6, false},
        {"alarm_half_life", t->alarm_half_life, 1e-3, 1e6, false},
        {"alarm_sources", t->alarm_sources, 0, WM_MAX_SOURCES, true},
        {"found_strength", t->found_strength, 0, 1e3, false},
        {"found_decay", t->found_decay, 1e-3, 1e6, false},
        {"found_half_life", t->found_half_life, 1e-3, 1e6, false},
        {"found_sources", t->found_sources, 0, WM_MAX_SOURCES, true},
    };
    int32_t error = LUDUS_OK;
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges && !error; k++) {
        error = check_range(ranges[k].name, ranges[k].value, ranges[k].least, ranges[k].most);
        if (!error && ranges[k].whole && ranges[k].value != (double)(int32_t)ranges[k].value)
            error = abi_fail(LUDUS_BAD_OPTION, "%s %g is no whole number", ranges[k].name, ranges[k].value);
    }
    return error;
}

static int32_t read_terms(wm_colony_terms *to, const ludus_worm_task *task, const ludus_colony_options *given) {
    ludus_colony_options o;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error)
        return error;
    if (o.n_terms != TERMS)
        return abi_fail(LUDUS_BAD_OPTION, "%zu terms were given: give all %d, in the order of "
                        "ludus_colony_term_name", o.n_terms, TERMS);
    memcpy(to, o.terms, sizeof *to);
    if (task->core->terms.continuous || task->core->side < LEAST_SIZE)
        return abi_fail(LUDUS_BAD_OPTION, "several worms need a grid of %d cells or more a side", LEAST_SIZE);
    return check_terms(to);
}

int32_t abi_new_colony_plan(const ludus_worm_task *task, const ludus_colony_options *given, colony_plan **plan) {
    wm_colony_terms terms;
    int32_t error = read_terms(&terms, task, given);
    if (error)
        return error;
    colony_plan *made = malloc(sizeof *made);
    if (!made)
        return abi_no_memory();
    atomic_init(&made->holders, 1);
    made->task = abi_hold_task(task);
    wm_colony_plan_build(&made->core, task->core, &terms);
    *plan = made;
    return LUDUS_OK;
}

void abi_free_colony_plan(colony_plan *plan) {
    if (!plan || atomic_fetch_sub(&plan->holders, 1) > 1)
        return;
    ludus_worm_task_free(plan->task);
    free(plan);
}

/* ---- colonies ------------------------------------------------------------------------------- */

int32_t abi_new_colony(colony_plan *plan, const wm_colony *like, ludus_colony **colony) {
    ludus_colony *made = malloc(sizeof *made);
    if (!made || !(made->core = abi_aligned((size_t)plan->core.size))) {
        free(made);
        return abi_no_memory();
    }
    atomic_fetch_add_explicit(&plan->holders, 1, memory_order_relaxed);
    made->plan = plan;
    if (like)
        memcpy(made->core, like, (size_t)plan->core.size);
    *colony = made;
    return LUDUS_OK;
}

int32_t ludus_colony_begin(const ludus_worm_task *task, const ludus_colony_options *options, uint64_t seed,
                           ludus_colony **colony) {
    colony_plan *plan;
    int32_t error = abi_new_colony_plan(task, options, &plan);
    if (error)
        return error;
    if (!(error = abi_new_colony(plan, NULL, colony)))
        wm_colony_begin((*colony)->core, &plan->core, seed);
    abi_free_colony_plan(plan);
    return error;
}

int32_t ludus_colony_clone(const ludus_colony *colony, ludus_colony **clone) {
    return abi_new_colony(colony->plan, colony->core, clone);
}

void ludus_colony_free(ludus_colony *colony) {
    if (!colony)
        return;
    free(colony->core);
    abi_free_colony_plan(colony->plan);
    free(colony);
}

size_t ludus_colony_save(const ludus_colony *colony, void *bytes, size_t capacity) {
    size_t size = wm_colony_saved_size(&colony->plan->core);
    if (capacity >= size)
        wm_colony_save(colony->core, bytes);
    return size;
}

int32_t ludus_colony_load(ludus_colony *colony, const void *bytes, size_t size) {
    const char *reason = wm_colony_check_saved(&colony->plan->core, bytes, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of this colony: %s: give what a colony of "
                        "the same task has saved", size, reason);
    wm_colony_load(colony->core, &colony->plan->core, bytes);
    return LUDUS_OK;
}

int32_t abi_check_colony_actions(const wm_colony_plan *plan, const int32_t *actions, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (actions[k] < 0 || actions[k] >= (int32_t)plan->terms.actions)
            return abi_fail(LUDUS_BAD_ACTION, "action %d is out of range: give 0 to %d", (int)actions[k],
                            (int)plan->terms.actions - 1);
    return LUDUS_OK;
}

int32_t ludus_colony_step(ludus_colony *colony, const int32_t *actions, size_t n, double *rewards) {
    const wm_colony_plan *plan = &colony->plan->core;
    if (n != (size_t)plan->worms)
        return abi_fail(LUDUS_BAD_ACTION, "%zu actions were given: give one for each of %d worms", n,
                        (int)plan->worms);
    int32_t error = abi_check_colony_actions(plan, actions, n);
    if (error)
        return error;
    if (colony->core->alive == 0)
        return abi_fail(LUDUS_EPISODE_OVER, "the episode ended at step %d: begin a new colony",
                        (int)colony->core->step);
    wm_colony_step(colony->core, actions, rewards);
    return LUDUS_OK;
}

/* ---- looking -------------------------------------------------------------------------------- */

void ludus_colony_describe(const ludus_colony *colony, ludus_colony_facts *facts) {
    const wm_colony_plan *plan = &colony->plan->core;
    *facts = (ludus_colony_facts){plan->worms, colony->core->step, colony->core->alive, plan->n_features};
}

size_t ludus_colony_features(const ludus_colony *colony, float *features, size_t capacity) {
    const wm_colony_plan *plan = &colony->plan->core;
    size_t each = (size_t)plan->n_features, all = (size_t)plan->worms * each;
    for (int k = 0; capacity >= all && k < plan->worms; k++)
        wm_colony_features(colony->core, k, features + (size_t)k * each);
    return all;
}

int32_t ludus_colony_worm(const ludus_colony *colony, int32_t k, ludus_worm **worm) {
    if (k < 0 || k >= colony->plan->core.worms)
        return abi_fail(LUDUS_BAD_INDEX, "there is no worm %d: there are %d", (int)k,
                        (int)colony->plan->core.worms);
    int32_t error = abi_copy_worm(colony->plan->task, wm_colony_world(colony->core, k), worm);
    if (!error)
        (*worm)->core->crowd = 0; /* it stands alone */
    return error;
}

size_t ludus_colony_sources(const ludus_colony *colony, int32_t scent, double *sources, size_t capacity) {
    if (scent < 0 || scent >= WM_SCENTS)
        return 0;
    size_t n = (size_t)colony->core->n_sources[scent];
    for (size_t k = 0; k < n && k < capacity; k++) {
        const wm_source *s = &colony->core->source[scent][k];
        sources[3 * k] = s->x;
        sources[3 * k + 1] = s->y;
        sources[3 * k + 2] = s->left;
    }
    return n;
}

double ludus_colony_scent(const ludus_colony *colony, int32_t scent, int32_t x, int32_t y) {
    int32_t side = colony->plan->core.task->side;
    if (scent < 0 || scent >= WM_SCENTS || x < 0 || y < 0 || x >= side || y >= side)
        return 0;
    return wm_colony_scent(colony->core, (enum wm_scent)scent, x, y);
}

uint64_t ludus_colony_hash(const ludus_colony *colony) { return wm_colony_hash(colony->core); }
