/* The short-term memory: what is kept of each step, and what it tells. */
#include "worm/parts.h"

double wm_food_reading(const wm_terms *t, double sum) { return t->adaptation ? sum / (1 + sum) : wm_tanh(sum); }

void wm_remember(wm_world *w) {
    const wm_task *task = w->task;
    const wm_terms *t = &task->terms;
    int at = w->remembered ? (w->newest + 1) % task->memory_size : 0;
    w->newest = (uint8_t)at;
    if (w->remembered < task->memory_size)
        w->remembered++;
    double *sample = wm_samples(w) + at * task->n_channels, *moved = wm_moves(w) + 2 * at;
    if (t->senses_food || t->senses_gradient)
        *sample++ = wm_food_reading(t, w->food_pull.sum);
    if (t->senses_predators)
        *sample++ = wm_tanh(w->predator_pull.sum);
    if (t->senses_temperature)
        *sample++ = (w->warmth - t->cultivation) / WM_WARMTH_UNIT;
    if (t->senses_oxygen)
        *sample++ = w->air / WM_AIR_UNIT;
    moved[0] = w->step ? w->x - w->trail[0][0] : 0;
    moved[1] = w->step ? w->y - w->trail[0][1] : 0;
    wm_actions(w)[at] = (int8_t)w->last_action;
}

/* ---- telling: sums go from the newest sample to the oldest --------------------------------------- */

typedef struct {
    double mean, change;
} course;

static course course_of(const wm_world *w, int channel) {
    const wm_task *task = w->task;
    const double *samples = wm_samples(w) + channel;
    if (w->remembered == 0)
        return (course){0, 0};
    double later = samples[w->newest * task->n_channels];
    double sum = 0 + task->fade[0] * later, change = 0;
    for (int age = 1; age < w->remembered; age++) {
        double earlier = samples[wm_sample_of_age(w, age) * task->n_channels];
        change += task->fade[age - 1] * (later - earlier);
        sum += task->fade[age] * earlier;
        later = earlier;
    }
    bool changes = w->remembered > 1;
    return (course){sum / task->fade_total[w->remembered], changes ? change / task->fade_total[w->remembered - 1] : 0};
}

double wm_recollect_change(const wm_world *w, int channel) { return course_of(w, channel).change; }

/* In bits, over the two that four actions have; six have up to 2.6. Counts lie in a byte for each action. */
static double entropy_of(const wm_task *task, uint64_t counts) {
    int n = 0;
    for (int action = 0; action < WM_SIX_ACTIONS; action++)
        n += counts >> 8 * action & 255;
    if (n == 0)
        return 0;
    double sum = task->count_log[n];
    for (int action = 0; action < WM_SIX_ACTIONS; action++)
        sum -= task->count_log[counts >> 8 * action & 255];
    return sum / n / 2;
}

static void recollect_moves(const wm_world *w, wm_recollection *to) {
    const double *moves = wm_moves(w), *newest = moves + 2 * w->newest;
    const int8_t *actions = wm_actions(w);
    wm_pair sum = {0, 0};
    uint64_t counts = 0;
    for (int age = 0; age < w->remembered; age++) {
        int at = wm_sample_of_age(w, age);
        sum += w->task->fade[age] * (wm_pair){moves[2 * at], moves[2 * at + 1]};
        counts += (uint64_t)1 << 8 * (actions[at] & 7); /* the start has none: -1, which no one reads */
    }
    double total = w->task->fade_total[w->remembered];
    for (int axis = 0; axis < 2; axis++)
        to->moved_off_mean[axis] = w->remembered ? newest[axis] - sum[axis] / total : 0;
    to->action_entropy = entropy_of(w->task, counts);
}

const wm_recollection *wm_recollect(const wm_world *w, wm_recollection *to) {
    for (int channel = 0; channel < w->task->n_channels; channel++) {
        course course = course_of(w, channel);
        to->mean[channel] = course.mean;
        to->change[channel] = course.change;
    }
    recollect_moves(w, to);
    return to;
}
