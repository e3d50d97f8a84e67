/* The worm: tasks and worlds. */
#include "abi/worm.h"
#include "worm/saved_state.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)WM_MAX_SIZE == (int)LUDUS_WORM_MAX_SIZE && (int)WM_MAX_FOODS == (int)LUDUS_WORM_MAX_FOODS
                   && (int)WM_MAX_PREDATORS == (int)LUDUS_WORM_MAX_PREDATORS
                   && (int)WM_MAX_SPOTS == (int)LUDUS_WORM_MAX_SPOTS
                   && (int)WM_MAX_MEMORY == (int)LUDUS_WORM_MAX_MEMORY
                   && (int)WM_FIGURES == (int)LUDUS_WORM_FIGURES,
               "the header tells the engine's limits");

const char *ludus_worm_rules_name(void) { return WM_RULES; }
int32_t ludus_worm_rules_version(void) { return WM_VERSION; }
int32_t ludus_worm_digest_version(void) { return WM_DIGEST_VERSION; }

/* ---- tasks ---------------------------------------------------------------------------------- */

static const char *const term_names[] = {
#define NAME(name) #name,
    WM_TERMS(NAME)
#undef NAME
};
enum { TERMS = sizeof term_names / sizeof *term_names };

_Static_assert(offsetof(wm_terms, hot) == TERMS * sizeof(double), "the terms come first, without gaps");

int32_t ludus_worm_term_count(void) { return TERMS; }

const char *ludus_worm_term_name(int32_t number) {
    return number >= 0 && number < TERMS ? term_names[number] : NULL;
}

static bool is_finite(double value) { return value - value == 0; }

static int32_t read_spots(wm_spots *to, const ludus_spots *from, const char *name) {
    if (from->n > WM_MAX_SPOTS)
        return abi_fail(LUDUS_BAD_OPTION, "%s holds more spots than %d", name, WM_MAX_SPOTS);
    to->n = (int32_t)from->n;
    for (size_t k = 0; k < from->n; k++) {
        const ludus_spot *s = &from->spots[k];
        if (!is_finite(s->x) || !is_finite(s->y) || !is_finite(s->amount))
            return abi_fail(LUDUS_BAD_OPTION, "a spot of %s is no number: give x, y, amount", name);
        to->spot[k] = (wm_spot){s->x, s->y, s->amount};
    }
    return LUDUS_OK;
}

/* What decides how much memory is needed, or where to jump to. */
static int32_t check_term(const char *name, double value, double least, double most) {
    if (value >= least && value <= most)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "%s %g is out of range: give %g to %g", name, value, least, most);
}

static int32_t check_whole(const char *name, double value, int most) {
    if (value >= 0 && value <= most && value == (int)value)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "%s %g is out of range: give a whole number from 0 to %d", name, value, most);
}

static int32_t check_terms(const wm_terms *t) {
    int32_t error = check_term("size", t->size, 1, WM_MAX_SIZE);
    const struct {
        const char *name;
        double value;
        int most;
    } wholes[] = {
        {"foods", t->foods, WM_MAX_FOODS},
        {"predators", t->predators, WM_MAX_PREDATORS},
        {"memory_size", t->memory_size, WM_MAX_MEMORY},
        {"predator_kind", t->predator_kind, WM_PURSUIT},
        {"food_mode", t->food_mode, WM_KLINOTAXIS},
        {"predator_mode", t->predator_mode, WM_KLINOTAXIS},
        {"temperature_mode", t->temperature_mode, WM_KLINOTAXIS},
        {"oxygen_mode", t->oxygen_mode, WM_KLINOTAXIS},
        {"adaptation", t->adaptation, WM_LOGARITHM},
        {"proximity", t->proximity, WM_SCENT_AND_CONTACT},
    };
    for (size_t k = 0; k < sizeof wholes / sizeof *wholes && !error; k++)
        error = check_whole(wholes[k].name, wholes[k].value, wholes[k].most);
    return error;
}

static int32_t read_terms(wm_terms *to, const ludus_worm_task_options *o) {
    memset(to, 0, sizeof *to);
    if (o->n_terms != TERMS)
        return abi_fail(LUDUS_BAD_OPTION, "%zu terms were given: give all %d, in the order of "
                        "ludus_worm_term_name", o->n_terms, TERMS);
    for (size_t k = 0; k < o->n_terms; k++)
        if (!is_finite(o->terms[k]))
            return abi_fail(LUDUS_BAD_OPTION, "%s %g is no number: give a finite one", term_names[k], o->terms[k]);
    memcpy(to, o->terms, TERMS * sizeof *o->terms);
    int32_t error = check_terms(to);
    if (error || (error = read_spots(&to->hot, &o->hot, "hot_spots"))
        || (error = read_spots(&to->cold, &o->cold, "cold_spots"))
        || (error = read_spots(&to->high, &o->high, "high_spots"))
        || (error = read_spots(&to->low, &o->low, "low_spots")))
        return error;
    return read_spots(&to->hotspots, &o->hotspots, "hotspots");
}

void *abi_aligned(size_t bytes) {
    enum { ALIGNMENT = 64 };
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

int32_t ludus_worm_task_new(const ludus_worm_task_options *given, ludus_worm_task **task) {
    ludus_worm_task_options o;
    wm_terms terms;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = read_terms(&terms, &o)))
        return error;
    ludus_worm_task *made = calloc(1, sizeof *made);
    if (!made || !(made->core = abi_aligned(wm_task_size(&terms)))) {
        free(made);
        return abi_no_memory();
    }
    wm_task_build(made->core, &terms);
    atomic_init(&made->holders, 1);
    *task = made;
    return LUDUS_OK;
}

void ludus_worm_task_free(ludus_worm_task *task) {
    if (!task || atomic_fetch_sub(&task->holders, 1) > 1)
        return;
    free(task->core);
    free(task);
}

ludus_worm_task *abi_hold_task(const ludus_worm_task *task) {
    ludus_worm_task *held = (ludus_worm_task *)(uintptr_t)task; /* its count of holders is no part of its value */
    atomic_fetch_add_explicit(&held->holders, 1, memory_order_relaxed);
    return held;
}

int32_t ludus_worm_features_count(const ludus_worm_task *task) { return task->core->n_features; }
int32_t ludus_worm_channels_count(const ludus_worm_task *task) { return task->core->n_channels; }

double ludus_worm_temperature(const ludus_worm_task *task, double x, double y) {
    return wm_temperature_at(task->core, x, y);
}
double ludus_worm_oxygen(const ludus_worm_task *task, double x, double y) {
    return wm_oxygen_at(task->core, x, y);
}
int32_t ludus_worm_temperature_zone(const ludus_worm_task *task, double temperature) {
    return wm_temperature_zone(task->core, temperature);
}
int32_t ludus_worm_oxygen_zone(const ludus_worm_task *task, double oxygen) {
    return wm_oxygen_zone(task->core, oxygen);
}

/* ---- worlds --------------------------------------------------------------------------------- */

static int32_t new_worm(const ludus_worm_task *task, ludus_worm **worm) {
    ludus_worm *made = malloc(sizeof *made);
    if (!made || !(made->core = abi_aligned((size_t)task->core->world_size))) {
        free(made);
        return abi_no_memory();
    }
    made->task = abi_hold_task(task);
    *worm = made;
    return LUDUS_OK;
}

int32_t ludus_worm_begin(const ludus_worm_task *task, uint64_t seed, ludus_worm **worm) {
    int32_t error = new_worm(task, worm);
    if (!error)
        wm_begin((*worm)->core, task->core, seed);
    return error;
}

int32_t abi_copy_worm(const ludus_worm_task *task, const wm_world *core, ludus_worm **copy) {
    int32_t error = new_worm(task, copy);
    if (!error)
        memcpy((*copy)->core, core, (size_t)task->core->world_size);
    return error;
}

int32_t ludus_worm_clone(const ludus_worm *worm, ludus_worm **clone) {
    return abi_copy_worm(worm->task, worm->core, clone);
}

size_t ludus_worm_save(const ludus_worm *worm, void *bytes, size_t capacity) {
    size_t size = wm_saved_size(worm->core->task);
    if (capacity >= size)
        wm_save(worm->core, bytes);
    return size;
}

int32_t ludus_worm_load(ludus_worm *worm, const void *bytes, size_t size) {
    const char *reason = wm_check_saved(worm->task->core, bytes, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of this world: %s: give what a world of "
                        "the same task has saved", size, reason);
    wm_load(worm->core, worm->task->core, bytes);
    return LUDUS_OK;
}

void ludus_worm_free(ludus_worm *worm) {
    if (!worm)
        return;
    free(worm->core);
    ludus_worm_task_free(worm->task);
    free(worm);
}

int32_t abi_check_worm_action(int64_t action) {
    if (action >= 0 && action < WM_ACTIONS)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_ACTION, "action %lld is out of range: give 0 forward, 1 left, 2 right, 3 stay",
                    (long long)action);
}

static int32_t check_running(const ludus_worm *worm) {
    if (!worm->core->ended)
        return LUDUS_OK;
    return abi_fail(LUDUS_EPISODE_OVER, "the episode ended at step %d: begin a new world",
                    (int)worm->core->step);
}

int32_t ludus_worm_step(ludus_worm *worm, int64_t action, double *reward) {
    int32_t error = abi_check_worm_action(action);
    if (error || (error = check_running(worm)))
        return error;
    *reward = wm_step(worm->core, (enum wm_action)action);
    return LUDUS_OK;
}

int32_t ludus_worm_steer(ludus_worm *worm, double speed, double turn, double *reward) {
    if (!worm->core->task->terms.continuous)
        return abi_fail(LUDUS_BAD_ACTION,
                        "a grid's worm is not steered: give 0 forward, 1 left, 2 right, 3 stay");
    if (!is_finite(speed) || !is_finite(turn))
        return abi_fail(LUDUS_BAD_ACTION, "speed %f and turn %f must be finite numbers", speed, turn);
    int32_t error = check_running(worm);
    if (error)
        return error;
    *reward = wm_steer(worm->core, speed, turn);
    return LUDUS_OK;
}

int32_t ludus_worm_run(ludus_worm *worm, const uint8_t *actions, size_t n, double *path, size_t *played) {
    wm_world *w = worm->core;
    *played = 0;
    for (size_t k = 0; k < n; k++) {
        int32_t error = abi_check_worm_action(actions[k]);
        if (error)
            return error;
    }
    for (; *played < n && !w->ended; ++*played) {
        wm_step(w, (enum wm_action)actions[*played]);
        if (path) {
            *path++ = w->x;
            *path++ = w->y;
        }
    }
    return LUDUS_OK;
}

/* ---- looking -------------------------------------------------------------------------------- */

void ludus_worm_describe(const ludus_worm *worm, ludus_worm_facts *facts) {
    const wm_world *w = worm->core;
    *facts = (ludus_worm_facts){
        .seed = w->seed,
        .steps = w->step,
        .ended = w->ended,
        .x = w->x,
        .y = w->y,
        .cosine = w->cosine,
        .sine = w->sine,
    };
}

static void write_pull(const wm_pull *pull, double *out) {
    out[0] = pull->sum;
    out[1] = pull->x;
    out[2] = pull->y;
}

void ludus_worm_pulls(const ludus_worm *worm, double food[3], double predators[3]) {
    const wm_world *w = worm->core;
    const wm_pull pull = wm_food_at(w, w->x, w->y), fear = wm_predators_at(w, w->x, w->y);
    write_pull(&pull, food);
    write_pull(&fear, predators);
}

uint64_t ludus_worm_hash(const ludus_worm *worm) { return wm_hash(worm->core); }
double ludus_worm_evaluate(const ludus_worm *worm) { return wm_evaluate_now(worm->core); }

size_t ludus_worm_features(const ludus_worm *worm, float *features, size_t capacity) {
    size_t n = (size_t)worm->core->task->n_features;
    if (capacity >= n)
        wm_features(worm->core, features);
    return n;
}

size_t ludus_worm_figures(const ludus_worm *worm, double *figures, size_t capacity) {
    double all[WM_FIGURES];
    wm_figures(worm->core, all);
    if (capacity)
        memcpy(figures, all, sizeof *figures * abi_least(capacity, WM_FIGURES));
    return WM_FIGURES;
}

size_t ludus_worm_foods(const ludus_worm *worm, double *places, size_t capacity) {
    size_t n = (size_t)worm->core->n_foods;
    for (size_t k = 0; k < n && k < capacity; k++)
        wm_food(worm->core, (int)k, &places[2 * k], &places[2 * k + 1]);
    return n;
}

size_t ludus_worm_predators(const ludus_worm *worm, double *places, size_t capacity) {
    size_t n = (size_t)worm->core->task->terms.predators;
    for (size_t k = 0; k < n && k < capacity; k++) {
        places[2 * k] = wm_predators(worm->core)[k].x;
        places[2 * k + 1] = wm_predators(worm->core)[k].y;
    }
    return n;
}

double ludus_worm_food_scent(const ludus_worm *worm, double x, double y) {
    return wm_food_at(worm->core, x, y).sum;
}
double ludus_worm_predator_scent(const ludus_worm *worm, double x, double y) {
    return wm_predators_at(worm->core, x, y).sum;
}
