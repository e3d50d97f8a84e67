/* What is where: food and predators by their scent. */
#include "worm/parts.h"

static inline const wm_kernel *kernels(const wm_task *task, int at) {
    return (const wm_kernel *)((const char *)task + at);
}

/* A source's strength at a distance; Fick's kernel falls with its square. */
static double strength_at(double distance, double strength, double decay, bool fick) {
    double d = distance / decay;
    return strength * wm_exp(fick ? -d * d : -d);
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

void wm_build_tables(wm_task *task) {
    const wm_terms *t = &task->terms;
    if (task->food_table >= 0)
        fill_kernels(task, task->food_table, t->strength, t->decay, t->fick != 0);
    if (task->predator_table >= 0)
        fill_kernels(task, task->predator_table, t->predator_strength, t->predator_decay, false);
    wm_build_climate(task);
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

/* Where each food lies seen from a cell, and the kernel for it. */
typedef struct {
    int32_t gaps[WM_MAX_FOODS][2];
    int16_t kernels[WM_MAX_FOODS];
} wm_offsets;

static inline int16_t larger(int16_t a, int16_t b) { return a > b ? a : b; }
static inline int16_t smaller(int16_t a, int16_t b) { return a < b ? a : b; }
static inline int16_t steps_apart(int16_t a, int16_t b) { return larger((int16_t)(a - b), (int16_t)(b - a)); }

/* This loop and that of nearest_cell are written so that compilers turn them into lanes of 16 bits: sides are at
 * most 128 cells. What they read behind the last food counts for nothing. */
static void measure_offsets(const wm_world *w, int x, int y, wm_offsets *to) {
    const int16_t *fx = wm_cells_x(w), *fy = wm_cells_y(w);
    int16_t here_x = (int16_t)x, here_y = (int16_t)y, side = (int16_t)w->task->side;
    for (int k = 0; k < wm_in_lanes(w->n_foods); k++) {
        to->kernels[k] = (int16_t)(steps_apart(fx[k], here_x) * side + steps_apart(fy[k], here_y));
        to->gaps[k][0] = (int16_t)(fx[k] - here_x);
        to->gaps[k][1] = (int16_t)(fy[k] - here_y);
    }
}

wm_pull wm_food_on_cell(const wm_world *w, int x, int y) {
    const wm_kernel *kernel = kernels(w->task, w->task->food_table);
    const double *left = w->task->terms.portion > 0 ? wm_left(w) : NULL;
    wm_offsets offsets;
    measure_offsets(w, x, y, &offsets);
    double sum = 0;
    wm_pair pull = {0, 0};
    for (int k = 0; k < w->n_foods; k++) {
        const wm_kernel *there = &kernel[offsets.kernels[k]];
        wm_pair gap = {offsets.gaps[k][0], offsets.gaps[k][1]};
        double share = left ? left[k] : 1;
        sum += share * there->strength;
        pull += share * there->slope * gap;
    }
    return (wm_pull){sum, pull[0], pull[1]};
}

wm_pull wm_predators_on_cell(const wm_world *w, double x, double y) {
    const wm_task *task = w->task;
    const wm_kernel *kernel = kernels(task, task->predator_table);
    const wm_predator *p = wm_predators(w), *end = p + (int)task->terms.predators;
    double sum = 0;
    wm_pair pull = {0, 0};
    for (; p < end; p++) {
        wm_pair gap = {p->x - x, p->y - y};
        wm_counts cells = __builtin_convertvector(wm_abs_pair(gap), wm_counts);
        const wm_kernel *there = &kernel[cells[0] * task->side + cells[1]];
        sum += there->strength;
        pull += there->slope * gap;
    }
    return (wm_pull){sum, pull[0], pull[1]};
}

wm_pull wm_food_at(const wm_world *w, double x, double y) {
    const wm_terms *t = &w->task->terms;
    if (!t->continuous && wm_on_a_cell(w->task, x, y))
        return wm_food_on_cell(w, (int)x, (int)y);
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
    const wm_terms *t = &w->task->terms;
    const wm_predator *p = wm_predators(w);
    if (w->task->predator_table >= 0 && wm_on_a_cell(w->task, x, y))
        return wm_predators_on_cell(w, x, y);
    wm_pull pull = {0, 0, 0};
    for (int k = 0; k < (int)t->predators; k++) {
        double dx = p[k].x - x, dy = p[k].y - y;
        wm_kernel kernel = kernel_of(dx, dy, t->predator_strength, t->predator_decay, false);
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

#define EIGHT(n) n, n, n, n, n, n, n, n
#define SIXTY_FOUR(n) EIGHT(n), EIGHT(n), EIGHT(n), EIGHT(n), EIGHT(n), EIGHT(n), EIGHT(n), EIGHT(n)
/* Nothing for as many foods as there may be, then more than any distance. */
static const int16_t FLOOR[] = {SIXTY_FOUR(0), SIXTY_FOUR(INT16_MAX)};
_Static_assert(sizeof FLOOR == 2 * WM_MAX_FOODS * sizeof *FLOOR, "the floor is as long as there may be foods");

static void nearest_cell(const wm_world *w, int x, int y, int *steps, int *squared) {
    const int16_t *fx = wm_cells_x(w), *fy = wm_cells_y(w), *floor = FLOOR + WM_MAX_FOODS - w->n_foods;
    int16_t here_x = (int16_t)x, here_y = (int16_t)y, least = INT16_MAX, least_squared = INT16_MAX;
    for (int k = 0; k < wm_in_lanes(w->n_foods); k++) {
        int16_t dx = steps_apart(fx[k], here_x), dy = steps_apart(fy[k], here_y);
        least = smaller(least, larger((int16_t)(dx + dy), floor[k]));
        least_squared = smaller(least_squared, larger((int16_t)(dx * dx + dy * dy), floor[k]));
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
