/* What the worm senses. */
#include "worm/parts.h"

static const double SHARPNESS = 50; /* of differences in time and from side to side */
static const double AIR_MIDDLE = 8.5;

enum channel { FOOD, PREDATORS, WARMTH, AIR };

static int in_mode(double mode, int oracle) { return mode == WM_ORACLE ? oracle : (int)mode; }

int wm_count_channels(const wm_terms *t) {
    return (t->senses_food || t->senses_gradient) + (t->senses_predators != 0)
           + (t->senses_temperature != 0) + (t->senses_oxygen != 0);
}

int wm_count_features(const wm_terms *t) {
    int n = 0;
    n += t->senses_oxygen ? in_mode(t->oxygen_mode, 3) : 0;
    n += t->senses_food ? in_mode(t->food_mode, 2) : 0;
    n += t->senses_gradient ? 2 : 0;
    n += t->senses_touch ? 2 : 0;
    n += t->senses_predators ? in_mode(t->predator_mode, 2) : 0;
    n += t->senses_self ? 2 : 0;
    n += t->senses_temperature ? in_mode(t->temperature_mode, 3) : 0;
    return n + (t->memory ? 2 * wm_count_channels(t) + 3 : 0);
}

/* The memory's place for what is sensed of food and the others. */
static int channel_at(const wm_terms *t, enum channel channel) {
    int food = t->senses_food || t->senses_gradient, predators = t->senses_predators != 0;
    switch (channel) {
    case FOOD: return 0;
    case PREDATORS: return food;
    case WARMTH: return food + predators;
    default: return food + predators + (t->senses_temperature != 0);
    }
}

/* ---- taking in ---------------------------------------------------------------------------- */

static void adapt(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double before = w->food_pull.sum;
    w->adapted[0] += t->adaptation_rate * (before - w->adapted[0]);
    w->adapted[1] = before;
}

static void smell_food(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    if (t->senses_gradient || (t->senses_food && t->food_mode == WM_ORACLE))
        w->food_pull = t->continuous ? wm_food_at(w, w->x, w->y) : wm_food_on_cell(w, (int)w->x, (int)w->y);
    else if (t->senses_food)
        w->food_pull.sum = wm_food_sum(w, w->x, w->y);
}

static void smell_predators(wm_world *w) {
    bool grid = w->task->predator_table >= 0;
    w->predator_pull = grid ? wm_predators_on_cell(w, w->x, w->y) : wm_predators_at(w, w->x, w->y);
}

static double climate_here(const wm_world *w, int table, double (*value)(const wm_task *, double, double)) {
    return table >= 0 ? wm_climate_of(w->task, table, w->x, w->y)->value : value(w->task, w->x, w->y);
}

void wm_perceive(wm_world *w, bool all_is_as_before) {
    const wm_terms *t = &w->task->terms;
    if (t->adaptation && w->step > 0)
        adapt(w);
    if (!all_is_as_before)
        smell_food(w);
    if (t->adaptation && w->step == 0)
        w->adapted[0] = w->adapted[1] = w->food_pull.sum;
    bool predators_moved = !all_is_as_before || t->predator_kind != WM_STATIONARY;
    if (t->predators > 0 && predators_moved && (t->senses_predators || t->senses_gradient))
        smell_predators(w);
    if (t->thermal)
        w->warmth = climate_here(w, w->task->warmth_table, wm_temperature_at);
    if (t->aerial)
        w->air = climate_here(w, w->task->air_table, wm_oxygen_at);
    if (wm_needs_memory(w->task))
        wm_remember(w);
}

/* ---- modules ------------------------------------------------------------------------------ */

static float *note_vector(const wm_world *w, wm_vectors *list, double dx, double dy, float *out) {
    int k = list->n++;
    list->x[k] = dx;
    list->y[k] = dy;
    list->cosine[k] = w->cosine;
    list->sine[k] = w->sine;
    list->out[k] = out;
    return out + 2;
}

static wm_pair pair_at(const double *numbers) { return (wm_pair){numbers[0], numbers[1]}; }

void wm_write_vectors(wm_vectors *list) {
    float spare[2];
    if (list->n % 2) { /* a vector without size, for the other half of a pair */
        int k = list->n++;
        list->x[k] = list->y[k] = list->cosine[k] = list->sine[k] = 0;
        list->out[k] = spare;
    }
    for (int k = 0; k < list->n; k += 2) {
        wm_pair felt, way;
        wm_feel_vectors(pair_at(list->x + k), pair_at(list->y + k), pair_at(list->cosine + k), pair_at(list->sine + k),
                        &felt, &way);
        for (int half = 0; half < 2; half++) {
            list->out[k + half][0] = (float)felt[half];
            list->out[k + half][1] = (float)way[half];
        }
    }
    list->n = 0;
}

/* What draws the worm to food and from predators, in one vector with its size as it is. */
static float *gradient_features(const wm_world *w, float *out) {
    wm_pair dx = {w->food_pull.x - w->predator_pull.x, 0}, dy = {w->food_pull.y - w->predator_pull.y, 0};
    wm_pair size = wm_sizes(dx, dy);
    *out++ = (float)size[0];
    *out++ = (float)wm_directions(dx, dy, wm_both(w->cosine), wm_both(w->sine), size)[0];
    return out;
}

/* The places beside the head: a cell away on a grid, as far as the head sweeps on a dish. */
static void beside(const wm_world *w, double side, double *x, double *y) {
    const wm_terms *t = &w->task->terms;
    double last = t->continuous ? t->size : w->task->side - 1, reach = t->continuous ? t->sweep : 1;
    *x = wm_clamp(w->x + side * reach * w->sine, 0, last);
    *y = wm_clamp(w->y - side * reach * w->cosine, 0, last);
}

/* A scalar on the right and on the left. */
static wm_pair on_both_sides(const wm_world *w, double (*value)(const wm_world *, double, double)) {
    double x, y, other_x, other_y;
    beside(w, 1, &x, &y);
    beside(w, -1, &other_x, &other_y);
    return (wm_pair){value(w, x, y), value(w, other_x, other_y)};
}

/* Right minus left of a scalar. */
static double lateral(const wm_world *w, double (*value)(const wm_world *, double, double)) {
    wm_pair sides = on_both_sides(w, value);
    return sides[0] - sides[1];
}

/* Right minus left of a scent. */
static double lateral_scent(const wm_world *w, double (*sum)(const wm_world *, double, double)) {
    wm_pair sides = wm_tanh_pair(on_both_sides(w, sum));
    return sides[0] - sides[1];
}

static double predator_sum(const wm_world *w, double x, double y) { return wm_predators_at(w, x, y).sum; }
static double warmth(const wm_world *w, double x, double y) {
    return wm_temperature_at(w->task, x, y) / WM_WARMTH_UNIT;
}
static double air(const wm_world *w, double x, double y) { return wm_oxygen_at(w->task, x, y) / WM_AIR_UNIT; }

/* A scalar sense: what there is, from side to side, and in time, as the mode has it. */
static float *scalar_features(enum wm_mode mode, double now, double sideways, double change, float *out) {
    *out++ = (float)now;
    if (mode < WM_DERIVATIVE)
        return out;
    wm_pair differences = wm_tanh_pair(SHARPNESS * (wm_pair){sideways, change});
    if (mode == WM_KLINOTAXIS)
        *out++ = (float)differences[0];
    *out++ = (float)differences[1];
    return out;
}

/* The memory tells it where it is a sense of its own, or is asked for this alone. */
static double change_of(const wm_world *w, const wm_recollection *past, enum channel channel) {
    int at = channel_at(&w->task->terms, channel);
    return past ? past->change[at] : wm_recollect_change(w, at);
}

static float *adaptive_food(const wm_world *w, enum wm_mode mode, float *out) {
    const wm_terms *t = &w->task->terms;
    double sum = w->food_pull.sum, base = w->adapted[0], floor = t->adaptation_floor;
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, wm_food_sum) : 0, change = sum - w->adapted[1];
    switch ((enum wm_adaptation)t->adaptation) {
    case WM_CONTRAST:
        return scalar_features(mode, (sum - base) / (sum + base + floor), sideways, change, out);
    case WM_LOGARITHM: return scalar_features(mode, portable_log(1 + sum), sideways, change, out);
    default: break;
    }
    double scale = 1 / (sum + floor);
    return scalar_features(mode, wm_food_reading(t, sum), sideways * scale, change * scale, out);
}

static float *food_features(const wm_world *w, const wm_recollection *past, wm_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->food_mode;
    if (mode == WM_ORACLE)
        return note_vector(w, vectors, w->food_pull.x, w->food_pull.y, out);
    if (t->adaptation)
        return adaptive_food(w, mode, out);
    double sideways = mode == WM_KLINOTAXIS ? lateral_scent(w, wm_food_sum) : 0;
    double change = mode >= WM_DERIVATIVE ? change_of(w, past, FOOD) : 0;
    return scalar_features(mode, wm_tanh(w->food_pull.sum), sideways, change, out);
}

static float *predator_features(const wm_world *w, const wm_recollection *past, wm_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->predator_mode;
    if (mode == WM_ORACLE)
        return note_vector(w, vectors, w->predator_pull.x, w->predator_pull.y, out);
    double sideways = mode == WM_KLINOTAXIS ? lateral_scent(w, predator_sum) : 0;
    double change = mode >= WM_DERIVATIVE ? change_of(w, past, PREDATORS) : 0;
    return scalar_features(mode, wm_tanh(w->predator_pull.sum), sideways, change, out);
}

/* A slope: the table has how it feels on a cell. */
static float *slope_features(const wm_world *w, int table,
                             void (*slope)(const wm_task *, double, double, double *, double *),
                             wm_vectors *vectors, float *out) {
    double dx, dy;
    if (table >= 0) {
        const wm_climate *cell = wm_climate_of(w->task, table, w->x, w->y);
        out[0] = cell->felt;
        out[1] = cell->way[w->facing];
        return out + 2;
    }
    slope(w->task, w->x, w->y, &dx, &dy);
    return note_vector(w, vectors, dx, dy, out);
}

static float *temperature_features(const wm_world *w, const wm_recollection *past, wm_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->temperature_mode;
    double now = wm_clamp((w->warmth - t->cultivation) / WM_WARMTH_UNIT, -1, 1);
    if (mode == WM_ORACLE) {
        out = slope_features(w, w->task->warmth_table, wm_temperature_slope, vectors, out);
        *out++ = (float)now;
        return out;
    }
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, warmth) : 0;
    double change = mode >= WM_DERIVATIVE ? change_of(w, past, WARMTH) : 0;
    return scalar_features(mode, now, sideways, change, out);
}

static float *oxygen_features(const wm_world *w, const wm_recollection *past, wm_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->oxygen_mode;
    double now = wm_clamp((w->air - AIR_MIDDLE) / AIR_MIDDLE, -1, 1);
    if (mode == WM_ORACLE) {
        out = slope_features(w, w->task->air_table, wm_oxygen_slope, vectors, out);
        *out++ = (float)now;
        return out;
    }
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, air) : 0;
    double change = mode >= WM_DERIVATIVE ? change_of(w, past, AIR) : 0;
    return scalar_features(mode, now, sideways, change, out);
}

static float *touch_features(const wm_world *w, float *out) {
    const wm_terms *t = &w->task->terms;
    double last = t->continuous ? t->size : w->task->side - 1;
    *out++ = w->x <= 0 || w->y <= 0 || w->x >= last || w->y >= last;
    *out++ = t->predators > 0 && wm_nearest_predator(w, w->x, w->y) <= t->damage_radius;
    return out;
}

static float *self_features(const wm_world *w, float *out) {
    static const float HEADINGS[] = {0.5f, 1, -0.5f, 0}; /* over pi, by facing */
    const wm_terms *t = &w->task->terms;
    double dx = w->x - w->trail[0][0], dy = w->y - w->trail[0][1];
    double moved = w->step ? wm_sqrt(dx * dx + dy * dy) / (t->continuous ? t->max_step : 1) : 0;
    *out++ = (float)moved;
    *out++ = t->continuous ? (float)(wm_atan2(w->sine, w->cosine) / WM_PI) : HEADINGS[w->facing];
    return out;
}

static float *memory_features(const wm_world *w, const wm_recollection *past, float *out) {
    for (int channel = 0; channel < w->task->n_channels; channel++)
        *out++ = (float)past->mean[channel];
    for (int channel = 0; channel < w->task->n_channels; channel++)
        *out++ = (float)past->change[channel];
    *out++ = (float)past->moved_off_mean[0];
    *out++ = (float)past->moved_off_mean[1];
    *out++ = (float)past->action_entropy;
    return out;
}

void wm_sense(const wm_world *w, float *out, wm_vectors *vectors) {
    const wm_terms *t = &w->task->terms;
    wm_recollection recollection;
    const wm_recollection *past = t->memory ? wm_recollect(w, &recollection) : NULL;
    if (t->senses_oxygen)
        out = oxygen_features(w, past, vectors, out);
    if (t->senses_food)
        out = food_features(w, past, vectors, out);
    if (t->senses_gradient)
        out = gradient_features(w, out);
    if (t->senses_touch)
        out = touch_features(w, out);
    if (t->senses_predators)
        out = predator_features(w, past, vectors, out);
    if (t->senses_self)
        out = self_features(w, out);
    if (t->senses_temperature)
        out = temperature_features(w, past, vectors, out);
    if (past)
        memory_features(w, past, out);
}

void wm_features(const wm_world *w, float *out) {
    wm_vectors vectors;
    vectors.n = 0;
    wm_sense(w, out, &vectors);
    wm_write_vectors(&vectors);
}
