/* What the worm senses, and what it remembers of it. */
#include "worm/parts.h"

static const double SHARPNESS = 50; /* of differences in time and from side to side */
static const double WARMTH_UNIT = 15, AIR_UNIT = 21, AIR_MIDDLE = 8.5;

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

static double food_reading(const wm_terms *t, double sum) {
    return t->adaptation ? sum / (1 + sum) : wm_tanh(sum);
}

static void remember(wm_world *w) {
    const wm_task *task = w->task;
    const wm_terms *t = &task->terms;
    int at = w->remembered ? (w->newest + 1) % task->memory_size : 0;
    w->newest = (uint8_t)at;
    if (w->remembered < task->memory_size)
        w->remembered++;
    double *sample = wm_samples(w) + at * task->n_channels, *moved = wm_moves(w) + 2 * at;
    if (t->senses_food || t->senses_gradient)
        *sample++ = food_reading(t, w->food_pull.sum);
    if (t->senses_predators)
        *sample++ = wm_tanh(w->predator_pull.sum);
    if (t->senses_temperature)
        *sample++ = (w->warmth - t->cultivation) / WARMTH_UNIT;
    if (t->senses_oxygen)
        *sample++ = w->air / AIR_UNIT;
    moved[0] = w->step ? w->x - w->trail[0][0] : 0;
    moved[1] = w->step ? w->y - w->trail[0][1] : 0;
    wm_actions(w)[at] = (int8_t)w->last_action;
}

static void adapt(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double before = w->food_pull.sum;
    w->adapted[0] += t->adaptation_rate * (before - w->adapted[0]);
    w->adapted[1] = before;
}

static void smell_food(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    if (t->senses_gradient || (t->senses_food && t->food_mode == WM_ORACLE))
        w->food_pull = wm_food_at(w, w->x, w->y);
    else if (t->senses_food)
        w->food_pull.sum = wm_food_sum(w, w->x, w->y);
}

void wm_perceive(wm_world *w, bool food_is_as_before) {
    const wm_terms *t = &w->task->terms;
    if (t->adaptation && w->step > 0)
        adapt(w);
    if (!food_is_as_before)
        smell_food(w);
    if (t->adaptation && w->step == 0)
        w->adapted[0] = w->adapted[1] = w->food_pull.sum;
    if (t->predators > 0 && (t->senses_predators || t->senses_gradient))
        w->predator_pull = wm_predators_at(w, w->x, w->y);
    if (t->thermal)
        w->warmth = wm_temperature_at(w->task, w->x, w->y);
    if (t->aerial)
        w->air = wm_oxygen_at(w->task, w->x, w->y);
    if (wm_needs_memory(w->task))
        remember(w);
}

/* ---- memory ------------------------------------------------------------------------------- */

static double faded_mean(const wm_world *w, int channel) {
    const wm_task *task = w->task;
    const double *samples = wm_samples(w) + channel;
    double sum = 0;
    for (int age = 0; age < w->remembered; age++)
        sum += task->fade[age] * samples[wm_sample_of_age(w, age) * task->n_channels];
    return w->remembered ? sum / task->fade_total[w->remembered] : 0;
}

static double faded_change(const wm_world *w, int channel) {
    const wm_task *task = w->task;
    if (w->remembered < 2)
        return 0;
    const double *samples = wm_samples(w) + channel;
    double sum = 0, later = samples[wm_sample_of_age(w, 0) * task->n_channels];
    for (int age = 0; age < w->remembered - 1; age++) {
        double earlier = samples[wm_sample_of_age(w, age + 1) * task->n_channels];
        sum += task->fade[age] * (later - earlier);
        later = earlier;
    }
    return sum / task->fade_total[w->remembered - 1];
}

static double newest_move_off_mean(const wm_world *w, int axis) {
    const double *moves = wm_moves(w) + axis;
    double sum = 0;
    for (int age = 0; age < w->remembered; age++)
        sum += w->task->fade[age] * moves[2 * wm_sample_of_age(w, age)];
    return w->remembered ? moves[2 * w->newest] - sum / w->task->fade_total[w->remembered] : 0;
}

/* In bits, over the two that four actions have; six have up to 2.6. The start has no action. */
static double action_entropy(const wm_world *w) {
    int counts[WM_SIX_ACTIONS] = {0}, n = 0;
    for (int age = 0; age < w->remembered; age++) {
        int action = wm_actions(w)[wm_sample_of_age(w, age)];
        if (action >= 0) {
            counts[action]++;
            n++;
        }
    }
    if (n == 0)
        return 0;
    double sum = w->task->count_log[n];
    for (int action = 0; action < WM_SIX_ACTIONS; action++)
        sum -= w->task->count_log[counts[action]];
    return sum / n / 2;
}

static float *memory_features(const wm_world *w, float *out) {
    for (int channel = 0; channel < w->task->n_channels; channel++)
        *out++ = (float)faded_mean(w, channel);
    for (int channel = 0; channel < w->task->n_channels; channel++)
        *out++ = (float)faded_change(w, channel);
    *out++ = (float)newest_move_off_mean(w, 0);
    *out++ = (float)newest_move_off_mean(w, 1);
    *out++ = (float)action_entropy(w);
    return out;
}

/* ---- modules ------------------------------------------------------------------------------ */

/* Vectors that are sensed, and where their size and direction go: two at a time are computed as fast as one. */
typedef struct {
    double x[6], y[6];
    float *out[6];
    int n;
} sensed_vectors;

static float *note_vector(sensed_vectors *list, double dx, double dy, float *out) {
    list->x[list->n] = dx;
    list->y[list->n] = dy;
    list->out[list->n++] = out;
    return out + 2;
}

/* The direction of vectors seen from the worm, over pi; to the left is positive. One without size has none. */
static wm_pair directions(const wm_world *w, wm_pair dx, wm_pair dy, wm_pair size) {
    wm_pair ahead = dx * w->cosine + dy * w->sine, left = dy * w->cosine - dx * w->sine;
    return wm_choose(size > 0, wm_atan2_pair(left, ahead) / WM_PI, wm_both(0));
}

static wm_pair sizes(wm_pair dx, wm_pair dy) { return wm_sqrt_pair(dx * dx + dy * dy); }

static void write_vectors(const wm_world *w, sensed_vectors *list) {
    float spare[2];
    if (list->n % 2)
        note_vector(list, 0, 0, spare);
    for (int k = 0; k < list->n; k += 2) {
        wm_pair dx = {list->x[k], list->x[k + 1]}, dy = {list->y[k], list->y[k + 1]}, size = sizes(dx, dy);
        wm_pair felt = wm_tanh_pair(size), way = directions(w, dx, dy, size);
        for (int half = 0; half < 2; half++) {
            list->out[k + half][0] = (float)felt[half];
            list->out[k + half][1] = (float)way[half];
        }
    }
}

/* What draws the worm to food and from predators, in one vector with its size as it is. */
static float *gradient_features(const wm_world *w, float *out) {
    wm_pair dx = {w->food_pull.x - w->predator_pull.x, 0}, dy = {w->food_pull.y - w->predator_pull.y, 0};
    wm_pair size = sizes(dx, dy);
    *out++ = (float)size[0];
    *out++ = (float)directions(w, dx, dy, size)[0];
    return out;
}

/* The places beside the head: a cell away on a grid, as far as the head sweeps on a dish. */
static void beside(const wm_world *w, double side, double *x, double *y) {
    const wm_terms *t = &w->task->terms;
    double last = t->continuous ? t->size : w->task->side - 1, reach = t->continuous ? t->sweep : 1;
    *x = wm_clamp(w->x + side * reach * w->sine, 0, last);
    *y = wm_clamp(w->y - side * reach * w->cosine, 0, last);
}

/* Right minus left of a scalar. */
static double lateral(const wm_world *w, double (*value)(const wm_world *, double, double)) {
    double x, y, other_x, other_y;
    beside(w, 1, &x, &y);
    beside(w, -1, &other_x, &other_y);
    return value(w, x, y) - value(w, other_x, other_y);
}

static double food_scent(const wm_world *w, double x, double y) { return wm_tanh(wm_food_sum(w, x, y)); }
static double predator_scent(const wm_world *w, double x, double y) {
    return wm_tanh(wm_predators_at(w, x, y).sum);
}
static double warmth(const wm_world *w, double x, double y) {
    return wm_temperature_at(w->task, x, y) / WARMTH_UNIT;
}
static double air(const wm_world *w, double x, double y) { return wm_oxygen_at(w->task, x, y) / AIR_UNIT; }

/* A scalar sense: what there is, from side to side, and in time, as the mode has it. */
static float *scalar_features(enum wm_mode mode, double now, double sideways, double change, float *out) {
    *out++ = (float)now;
    if (mode == WM_KLINOTAXIS)
        *out++ = (float)wm_tanh(SHARPNESS * sideways);
    if (mode >= WM_DERIVATIVE)
        *out++ = (float)wm_tanh(SHARPNESS * change);
    return out;
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
    return scalar_features(mode, food_reading(t, sum), sideways * scale, change * scale, out);
}

static float *food_features(const wm_world *w, sensed_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->food_mode;
    if (mode == WM_ORACLE)
        return note_vector(vectors, w->food_pull.x, w->food_pull.y, out);
    if (t->adaptation)
        return adaptive_food(w, mode, out);
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, food_scent) : 0;
    double change = mode >= WM_DERIVATIVE ? faded_change(w, channel_at(t, FOOD)) : 0;
    return scalar_features(mode, wm_tanh(w->food_pull.sum), sideways, change, out);
}

static float *predator_features(const wm_world *w, sensed_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->predator_mode;
    if (mode == WM_ORACLE)
        return note_vector(vectors, w->predator_pull.x, w->predator_pull.y, out);
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, predator_scent) : 0;
    double change = mode >= WM_DERIVATIVE ? faded_change(w, channel_at(t, PREDATORS)) : 0;
    return scalar_features(mode, wm_tanh(w->predator_pull.sum), sideways, change, out);
}

static float *temperature_features(const wm_world *w, sensed_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->temperature_mode;
    double now = wm_clamp((w->warmth - t->cultivation) / WARMTH_UNIT, -1, 1);
    if (mode == WM_ORACLE) {
        double dx, dy;
        wm_temperature_slope(w->task, w->x, w->y, &dx, &dy);
        out = note_vector(vectors, dx, dy, out);
        *out++ = (float)now;
        return out;
    }
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, warmth) : 0;
    double change = mode >= WM_DERIVATIVE ? faded_change(w, channel_at(t, WARMTH)) : 0;
    return scalar_features(mode, now, sideways, change, out);
}

static float *oxygen_features(const wm_world *w, sensed_vectors *vectors, float *out) {
    const wm_terms *t = &w->task->terms;
    enum wm_mode mode = (enum wm_mode)t->oxygen_mode;
    double now = wm_clamp((w->air - AIR_MIDDLE) / AIR_MIDDLE, -1, 1);
    if (mode == WM_ORACLE) {
        double dx, dy;
        wm_oxygen_slope(w->task, w->x, w->y, &dx, &dy);
        out = note_vector(vectors, dx, dy, out);
        *out++ = (float)now;
        return out;
    }
    double sideways = mode == WM_KLINOTAXIS ? lateral(w, air) : 0;
    double change = mode >= WM_DERIVATIVE ? faded_change(w, channel_at(t, AIR)) : 0;
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
    const wm_terms *t = &w->task->terms;
    double dx = w->x - w->trail[0][0], dy = w->y - w->trail[0][1];
    double moved = w->step ? wm_sqrt(dx * dx + dy * dy) / (t->continuous ? t->max_step : 1) : 0;
    *out++ = (float)moved;
    *out++ = (float)(wm_atan2(w->sine, w->cosine) / WM_PI);
    return out;
}

void wm_features(const wm_world *w, float *out) {
    const wm_terms *t = &w->task->terms;
    sensed_vectors vectors;
    vectors.n = 0;
    if (t->senses_oxygen)
        out = oxygen_features(w, &vectors, out);
    if (t->senses_food)
        out = food_features(w, &vectors, out);
    if (t->senses_gradient)
        out = gradient_features(w, out);
    if (t->senses_touch)
        out = touch_features(w, out);
    if (t->senses_predators)
        out = predator_features(w, &vectors, out);
    if (t->senses_self)
        out = self_features(w, out);
    if (t->senses_temperature)
        out = temperature_features(w, &vectors, out);
    if (t->memory)
        memory_features(w, out);
    write_vectors(w, &vectors);
}
