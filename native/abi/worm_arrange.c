/* The worm: setting up a situation, for experiments and for tests. */
#include "abi/worm.h"

/* Refuses places that are not in the dish: the engine's tables end at its walls. */
static int32_t check_places(const ludus_worm *worm, const double *places, size_t n) {
    const wm_task *task = worm->core->task;
    double last = task->terms.continuous ? task->terms.size : task->side - 1;
    for (size_t k = 0; k < 2 * n; k++) {
        double value = places[k];
        if (!(value >= 0 && value <= last) || (!task->terms.continuous && value != (int)value))
            return abi_fail(LUDUS_BAD_OPTION, "%f is no place in the dish: give 0 to %d", value, (int)last);
    }
    return LUDUS_OK;
}

void ludus_worm_put_worm(ludus_worm *worm, double x, double y, double heading) {
    wm_put_worm(worm->core, x, y, heading);
}

int32_t ludus_worm_put_foods(ludus_worm *worm, const double *places, size_t n) {
    int32_t error = check_places(worm, places, n);
    size_t most = (size_t)worm->core->task->terms.foods;
    if (error)
        return error;
    if (n > most)
        return abi_fail(LUDUS_BAD_OPTION, "%zu foods are more than the task's %zu", n, most);
    wm_put_foods(worm->core, places, (int)n);
    return LUDUS_OK;
}

int32_t ludus_worm_put_predators(ludus_worm *worm, const double *places, size_t n) {
    int32_t error = check_places(worm, places, n);
    size_t wanted = (size_t)worm->core->task->terms.predators;
    if (error)
        return error;
    if (n != wanted)
        return abi_fail(LUDUS_BAD_OPTION, "%zu predators were given: the task has %zu", n, wanted);
    wm_put_predators(worm->core, places, (int)n);
    return LUDUS_OK;
}

int32_t ludus_worm_put_trail(ludus_worm *worm, const double *places, size_t n) {
    int32_t error = check_places(worm, places, n);
    if (!error)
        wm_put_trail(worm->core, places, (int)n);
    return error;
}

void ludus_worm_put_flags(ludus_worm *worm, int32_t wall_hit, int32_t new_cell, int32_t still) {
    wm_put_flags(worm->core, wall_hit != 0, new_cell != 0, still);
}

int32_t ludus_worm_put_memory(ludus_worm *worm, const double *values, const double *moves,
                              const int32_t *actions, size_t n) {
    if (!worm->core->task->memory_size)
        return abi_fail(LUDUS_BAD_OPTION, "%zu samples do not fit: the worm of this task has no memory", n);
    for (size_t k = 0; k < n; k++) {
        int32_t error = actions[k] == -1 ? LUDUS_OK : abi_check_worm_action(actions[k]);
        if (error)
            return error;
    }
    wm_put_memory(worm->core, values, moves, actions, (int)n);
    return LUDUS_OK;
}

void ludus_worm_settle(ludus_worm *worm) { wm_settle(worm->core); }
