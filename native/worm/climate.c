/* Temperature and oxygen: what there is at a place, and what a grid's worm feels of it on each cell. */
#include "worm/parts.h"

static double spots_at(const wm_spots *spots, double decay, double x, double y) {
    double sum = 0;
    for (int k = 0; k < spots->n; k++) {
        double dx = spots->spot[k].x - x, dy = spots->spot[k].y - y;
        sum += spots->spot[k].amount * wm_exp(-wm_sqrt(dx * dx + dy * dy) / decay);
    }
    return sum;
}

static double computed_temperature(const wm_task *task, double x, double y) {
    const wm_terms *t = &task->terms;
    double middle = t->size / 2;
    return t->temperature + (x - middle) * task->heat_x + (y - middle) * task->heat_y
           + spots_at(&t->hot, t->temperature_spot_decay, x, y)
           - spots_at(&t->cold, t->temperature_spot_decay, x, y);
}

static double computed_oxygen(const wm_task *task, double x, double y) {
    const wm_terms *t = &task->terms;
    double middle = t->size / 2;
    double oxygen = t->oxygen + (x - middle) * task->air_x + (y - middle) * task->air_y
                    + spots_at(&t->high, t->oxygen_spot_decay, x, y)
                    - spots_at(&t->low, t->oxygen_spot_decay, x, y);
    return wm_clamp(oxygen, 0, 21);
}

/* ---- what there is at a place --------------------------------------------------------------- */

double wm_temperature_at(const wm_task *task, double x, double y) {
    if (task->warmth_table >= 0 && wm_on_a_cell(task, x, y))
        return wm_climate_of(task, task->warmth_table, x, y)->value;
    return computed_temperature(task, x, y);
}

double wm_oxygen_at(const wm_task *task, double x, double y) {
    if (task->air_table >= 0 && wm_on_a_cell(task, x, y))
        return wm_climate_of(task, task->air_table, x, y)->value;
    return computed_oxygen(task, x, y);
}

int wm_temperature_zone(const wm_task *task, double temperature) {
    const wm_terms *t = &task->terms;
    double off = wm_abs(temperature - t->cultivation);
    return (off > t->comfort_delta) + (off > t->discomfort_delta) + (off > t->danger_delta);
}

int wm_oxygen_zone(const wm_task *task, double oxygen) {
    const wm_terms *t = &task->terms;
    if (oxygen < t->oxygen_lethal_below || oxygen > t->oxygen_danger_to)
        return 3;
    return oxygen < t->oxygen_danger_below || oxygen > t->oxygen_comfort_to ? 2 : 0;
}

static void slope(const wm_task *task, double x, double y, double *dx, double *dy,
                  double (*value)(const wm_task *, double, double)) {
    double last = task->terms.continuous ? task->terms.size : task->side - 1;
    *dx = (value(task, wm_clamp(x + 1, 0, last), y) - value(task, wm_clamp(x - 1, 0, last), y)) / 2;
    *dy = (value(task, x, wm_clamp(y + 1, 0, last)) - value(task, x, wm_clamp(y - 1, 0, last))) / 2;
}

void wm_temperature_slope(const wm_task *task, double x, double y, double *dx, double *dy) {
    slope(task, x, y, dx, dy, wm_temperature_at);
}

void wm_oxygen_slope(const wm_task *task, double x, double y, double *dx, double *dy) {
    slope(task, x, y, dx, dy, wm_oxygen_at);
}

/* ---- tables of grids ------------------------------------------------------------------------ */

static wm_climate *cells(wm_task *task, int at) { return (wm_climate *)(void *)((char *)task + at); }

static void fill_values(wm_task *task, int at, double (*value)(const wm_task *, double, double),
                        int (*zone)(const wm_task *, double)) {
    wm_climate *cell = cells(task, at);
    for (int x = 0; x < task->side; x++)
        for (int y = 0; y < task->side; y++, cell++) {
            cell->value = value(task, x, y);
            cell->zone = zone(task, cell->value);
        }
}

/* What a worm senses of this slope, whichever way it faces. */
static void feel_slope(wm_climate *cell, double dx, double dy) {
    static const wm_pair COSINES[] = {{0, -1}, {0, 1}}, SINES[] = {{1, 0}, {-1, 0}};
    wm_pair felt, way;
    for (int half = 0; half < 2; half++) {
        wm_feel_vectors(wm_both(dx), wm_both(dy), COSINES[half], SINES[half], &felt, &way);
        cell->felt = (float)felt[0];
        cell->way[2 * half] = (float)way[0];
        cell->way[2 * half + 1] = (float)way[1];
    }
}

static void fill_slopes(wm_task *task, int at,
                        void (*slope_at)(const wm_task *, double, double, double *, double *)) {
    wm_climate *cell = cells(task, at);
    for (int x = 0; x < task->side; x++)
        for (int y = 0; y < task->side; y++) {
            double dx, dy;
            slope_at(task, x, y, &dx, &dy);
            feel_slope(cell++, dx, dy);
        }
}

void wm_build_climate(wm_task *task) {
    const wm_terms *t = &task->terms;
    if (task->warmth_table >= 0)
        fill_values(task, task->warmth_table, computed_temperature, wm_temperature_zone);
    if (task->warmth_table >= 0 && t->senses_temperature && t->temperature_mode == WM_ORACLE)
        fill_slopes(task, task->warmth_table, wm_temperature_slope);
    if (task->air_table >= 0)
        fill_values(task, task->air_table, computed_oxygen, wm_oxygen_zone);
    if (task->air_table >= 0 && t->senses_oxygen && t->oxygen_mode == WM_ORACLE)
        fill_slopes(task, task->air_table, wm_oxygen_slope);
}
