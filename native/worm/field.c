/* What is where: food and predators by their scent, temperature, oxygen. */
#include "worm/parts.h"

static inline const wm_kernel *kernels(const wm_task *task, int at) {
    return (const wm_kernel *)((const char *)task + at);
}
static inline const double *table(const wm_task *task, int at) {
    return (const double *)(const void *)((const char *)task + at);
}

/* A source's strength at a distance; Fick's kernel falls with its square. */
static double strength_at(double distance, double strength, double decay, bool fick) {
    double d = distance / decay;
    return strength * wm_exp(fick ? -d * d : -d);
}

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

static void fill_kernels(wm_task *task, int at, double strength, double decay, bool fick) {
    wm_kernel *cell = (wm_kernel *)((char *)task + at);
    for (int dx = 0; dx < task->side; dx++)
        for (int dy = 0; dy < task->side; dy++, cell++) {
            double distance = wm_sqrt((double)(dx * dx + dy * dy));
            cell->strength = strength_at(distance, strength, decay, fick);
            cell->slope = distance > 0 ? cell->strength / distance : 0;
        }
}

static void fill_table(wm_task *task, int at, double (*value)(const wm_task *, double, double)) {
    double *cell = (double *)(void *)((char *)task + at);
    for (int x = 0; x < task->side; x++)
        for (int y = 0; y < task->side; y++)
            *cell++ = value(task, x, y);
}

void wm_build_tables(wm_task *task) {
    const wm_terms *t = &task->terms;
    if (task->food_table >= 0)
        fill_kernels(task, task->food_table, t->strength, t->decay, t->fick != 0);
    if (task->predator_table >= 0)
        fill_kernels(task, task->predator_table, t->predator_strength, t->predator_decay, false);
    if (task->warmth_table >= 0)
        fill_table(task, task->warmth_table, computed_temperature);
    if (task->air_table >= 0)
        fill_table(task, task->air_table, computed_oxygen);
}

/* ---- temperature and oxygen --------------------------------------------------------------- */

static bool on_a_cell(const wm_task *task, double x, double y) {
    return x >= 0 && y >= 0 && x < task->side && y < task->side && x == (int)x && y == (int)y;
}

double wm_temperature_at(const wm_task *task, double x, double y) {
    if (task->warmth_table >= 0 && on_a_cell(task, x, y))
        return table(task, task->warmth_table)[(int)x * task->side + (int)y];
    return computed_temperature(task, x, y);
}

double wm_oxygen_at(const wm_task *task, double x, double y) {
    if (task->air_table >= 0 && on_a_cell(task, x, y))
        return table(task, task->air_table)[(int)x * task->side + (int)y];
    return computed_oxygen(task, x, y);
}

static double furthest(const wm_task *task) {
    return task->terms.continuous ? task->terms.size : task->side - 1;
}

static void slope(const wm_task *task, double x, double y, double *dx, double *dy,
                  double (*value)(const wm_task *, double, double)) {
    double last = furthest(task);
    *dx = (value(task, wm_clamp(x + 1, 0, last), y) - value(task, wm_clamp(x - 1, 0, last), y)) / 2;
    *dy = (value(task, x, wm_clamp(y + 1, 0, last)) - value(task, x, wm_clamp(y - 1, 0, last))) / 2;
}

void wm_temperature_slope(const wm_task *task, double x, double y, double *dx, double *dy) {
    slope(task, x, y, dx, dy, wm_temperature_at);
}

void wm_oxygen_slope(const wm_task *task, double x, double y, double *dx, double *dy) {
    slope(task, x, y, dx, dy, wm_oxygen_at);
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

/* ---- scents ------------------------------------------------------------------------------- */

static inline void add_kernel(wm_pull *pull, const wm_kernel *kernel, double dx, double dy, double left) {
    pull->sum += left * kernel->strength;
    pull->x += left * kernel->slope * dx;
    pull->y += left * kernel->slope * dy;
}

static inline wm_kernel kernel_of(double dx, double dy, double strength, double decay, bool fick) {
    double distance = wm_sqrt(dx * dx + dy * dy);
    double there = strength_at(distance, strength, decay, fick);
    return (wm_kernel){there, distance > 0 ? there / distance : 0};
}

static wm_pull food_on_cell(const wm_world *w, int x, int y) {
    const wm_task *task = w->task;
    const wm_kernel *kernel = kernels(task, task->food_table);
    const int16_t *fx = wm_cells_x(w), *fy = wm_cells_y(w);
    const double *left = task->terms.portion > 0 ? wm_left(w) : NULL;
    double sum = 0;
    wm_pair pull = {0, 0};
    for (int k = 0; k < w->n_foods; k++) {
        int dx = fx[k] - x, dy = fy[k] - y;
        const wm_kernel *there = &kernel[(dx < 0 ? -dx : dx) * task->side + (dy < 0 ? -dy : dy)];
        double share = left ? left[k] : 1;
        sum += share * there->strength;
        pull += share * there->slope * (wm_pair){dx, dy};
    }
    return (wm_pull){sum, pull[0], pull[1]};
}

wm_pull wm_food_at(const wm_world *w, double x, double y) {
    const wm_terms *t = &w->task->terms;
    if (!t->continuous && on_a_cell(w->task, x, y))
        return food_on_cell(w, (int)x, (int)y);
    wm_pull pull = {0, 0, 0};
    for (int k = 0; k < w->n_foods; k++) {
        double fx, fy;
        wm_food(w, k, &fx, &fy);
        wm_kernel kernel = kernel_of(fx - x, fy - y, t->strength, t->decay, t->fick != 0);
        add_kernel(&pull, &kernel, fx - x, fy - y, t->portion > 0 ? wm_left(w)[k] : 1);
    }
    return pull;
}

double wm_food_sum(const wm_world *w, double x, double y) {
    const wm_terms *t = &w->task->terms;
    if (!t->continuous || t->portion > 0)
        return wm_food_at(w, x, y).sum;
    const double *fx = wm_places_x(w), *fy = wm_places_y(w);
    double sum = 0, scale = t->fick ? 1 / (t->decay * t->decay) : 1 / t->decay;
    for (int k = 0; k < w->n_foods; k++) {
        double dx = fx[k] - x, dy = fy[k] - y, squared = dx * dx + dy * dy;
        sum += wm_exp(-(t->fick ? squared : wm_sqrt(squared)) * scale);
    }
    return t->strength * sum;
}

wm_pull wm_predators_at(const wm_world *w, double x, double y) {
    const wm_task *task = w->task;
    const wm_terms *t = &task->terms;
    const wm_predator *p = wm_predators(w);
    bool cell = task->predator_table >= 0 && on_a_cell(task, x, y);
    wm_pull pull = {0, 0, 0};
    for (int k = 0; k < (int)t->predators; k++) {
        double dx = p[k].x - x, dy = p[k].y - y;
        wm_kernel kernel;
        if (cell)
            kernel = kernels(task, task->predator_table)[(int)wm_abs(dx) * task->side + (int)wm_abs(dy)];
        else
            kernel = kernel_of(dx, dy, t->predator_strength, t->predator_decay, false);
        add_kernel(&pull, &kernel, dx, dy, 1);
    }
    return pull;
}

/* ---- the nearest food --------------------------------------------------------------------- */

void wm_food(const wm_world *w, int k, double *x, double *y) {
    if (w->task->terms.continuous) {
        *x = wm_places_x(w)[k];
        *y = wm_places_y(w)[k];
    } else {
        *x = wm_cells_x(w)[k];
        *y = wm_cells_y(w)[k];
    }
}

/* Written so that compilers turn it into eight lanes of 16 bits: sides are at most 128 cells. */
static void nearest_cell(const wm_world *w, int x, int y, int *steps, int *squared) {
    const int16_t *fx = wm_cells_x(w), *fy = wm_cells_y(w);
    int16_t here_x = (int16_t)x, here_y = (int16_t)y, least = INT16_MAX, least_squared = INT16_MAX;
    for (int k = 0; k < w->n_foods; k++) {
        int16_t dx = (int16_t)(fx[k] - here_x), dy = (int16_t)(fy[k] - here_y);
        int16_t ax = (int16_t)(dx < 0 ? -dx : dx), ay = (int16_t)(dy < 0 ? -dy : dy);
        int16_t sum = (int16_t)(ax + ay), square = (int16_t)(ax * ax + ay * ay);
        least = sum < least ? sum : least;
        least_squared = square < least_squared ? square : least_squared;
    }
    *steps = least;
    *squared = least_squared;
}

static double nearest_place(const wm_world *w, double x, double y) {
    const double *fx = wm_places_x(w), *fy = wm_places_y(w);
    double least = 1e9;
    for (int k = 0; k < w->n_foods; k++) {
        double dx = fx[k] - x, dy = fy[k] - y, square = dx * dx + dy * dy;
        least = square < least ? square : least;
    }
    return least;
}

void wm_look(wm_world *w) {
    if (w->task->terms.continuous) {
        w->near_squared = nearest_place(w, w->x, w->y);
        w->near = wm_sqrt(w->near_squared);
        return;
    }
    int steps, squared;
    nearest_cell(w, (int)w->x, (int)w->y, &steps, &squared);
    w->near = steps;
    w->near_squared = squared;
}

double wm_nearest_food(const wm_world *w, double x, double y) {
    if (w->task->terms.continuous)
        return wm_sqrt(nearest_place(w, x, y));
    int steps, squared;
    nearest_cell(w, (int)x, (int)y, &steps, &squared);
    return steps;
}

double wm_food_gap_squared(const wm_world *w, double x, double y) {
    if (w->task->terms.continuous)
        return nearest_place(w, x, y);
    int steps, squared;
    nearest_cell(w, (int)x, (int)y, &steps, &squared);
    return squared;
}

int wm_food_within(const wm_world *w, double x, double y, double reach) {
    int found = -1;
    double least = reach;
    for (int k = 0; k < w->n_foods; k++) {
        double fx, fy;
        wm_food(w, k, &fx, &fy);
        double gap = wm_gap(w->task, fx - x, fy - y);
        if (found < 0 ? gap <= least : gap < least) {
            found = k;
            least = gap;
        }
    }
    return found;
}
