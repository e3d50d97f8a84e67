/* Setting up a situation, for experiments and for tests. */
#include "worm/parts.h"

void wm_put_worm(wm_world *w, double x, double y, double heading) {
    double last = w->task->terms.continuous ? w->task->terms.size : w->task->side - 1;
    w->x = wm_clamp(x, 0, last);
    w->y = wm_clamp(y, 0, last);
    if (w->task->terms.continuous) {
        wm_turn_of(heading, &w->cosine, &w->sine);
        return;
    }
    w->x = wm_floor(w->x);
    w->y = wm_floor(w->y);
    w->facing = (int)wm_round(heading / (WM_PI / 2) - 1) & 3;
    w->cosine = (w->facing == WM_EAST) - (w->facing == WM_WEST);
    w->sine = (w->facing == WM_UP) - (w->facing == WM_DOWN);
}

void wm_put_foods(wm_world *w, const double *places, int n) {
    const wm_terms *t = &w->task->terms;
    w->n_foods = n;
    for (int k = 0; k < n; k++) {
        if (t->continuous) {
            wm_places_x(w)[k] = places[2 * k];
            wm_places_y(w)[k] = places[2 * k + 1];
        } else {
            wm_cells_x(w)[k] = (int16_t)places[2 * k];
            wm_cells_y(w)[k] = (int16_t)places[2 * k + 1];
        }
        if (t->portion > 0)
            wm_left(w)[k] = 1;
    }
}

void wm_put_predators(wm_world *w, const double *places, int n) {
    wm_predator *p = wm_predators(w);
    for (int k = 0; k < n; k++)
        p[k] = (wm_predator){places[2 * k], places[2 * k + 1], 0, 0};
}

void wm_put_trail(wm_world *w, const double *places, int n) {
    for (int k = 0; k < n; k++) {
        wm_visited(w)[wm_cell_of(w, places[2 * k], places[2 * k + 1]) >> 6] |=
            (uint64_t)1 << (wm_cell_of(w, places[2 * k], places[2 * k + 1]) & 63);
        w->trail[1][0] = w->trail[0][0];
        w->trail[1][1] = w->trail[0][1];
        w->trail[0][0] = places[2 * k];
        w->trail[0][1] = places[2 * k + 1];
    }
    w->step = n;
}

void wm_put_flags(wm_world *w, bool wall_hit, bool fresh, int still) {
    w->wall_hit = wall_hit;
    w->fresh = fresh;
    w->still = still;
}

void wm_put_memory(wm_world *w, const double *values, const double *moves, const int32_t *actions, int n) {
    const wm_task *task = w->task;
    int size = task->memory_size;
    w->remembered = (uint8_t)(n < size ? n : size);
    w->newest = (uint8_t)(n > 0 ? (n - 1) % size : 0);
    for (int k = 0; k < n; k++) {
        int at = k % size;
        for (int channel = 0; channel < task->n_channels; channel++)
            wm_samples(w)[at * task->n_channels + channel] = values[k * task->n_channels + channel];
        wm_moves(w)[2 * at] = moves[2 * k];
        wm_moves(w)[2 * at + 1] = moves[2 * k + 1];
        wm_actions(w)[at] = (int8_t)actions[k];
    }
}
