/* A task: constants, where the parts of its worlds lie, and tables. */
#include "common/digest.h"
#include "worm/parts.h"

enum { ALIGNMENT = 64 };

static int aligned(int bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }
static int to_eight(int bytes) { return (bytes + 7) / 8 * 8; }

static int memory_size(const wm_terms *t) {
    bool remembers = t->memory != 0;
    if (t->senses_food || t->senses_gradient)
        remembers |= t->food_mode >= WM_DERIVATIVE;
    if (t->senses_predators)
        remembers |= t->predator_mode >= WM_DERIVATIVE;
    if (t->senses_temperature)
        remembers |= t->temperature_mode >= WM_DERIVATIVE;
    if (t->senses_oxygen)
        remembers |= t->oxygen_mode >= WM_DERIVATIVE;
    return remembers ? (int)t->memory_size : 0;
}

static void lay_out_worlds(wm_task *task) {
    const wm_terms *t = &task->terms;
    int foods = (int)t->foods;
    int each = 2 * (t->continuous ? (int)sizeof(double) : (int)sizeof(int16_t));
    int at = (int)sizeof(wm_world) + to_eight(foods * each);
    if (t->portion > 0)
        at += foods * (int)sizeof(double);
    task->predators_at = at;
    task->visited_at = at += (int)t->predators * (int)sizeof(wm_predator);
    task->memory_at = at += (task->side * task->side + 63) / 64 * 8;
    int sample = (task->n_channels + 2) * (int)sizeof(double) + (int)sizeof(int8_t);
    int end = at + to_eight(task->memory_size * sample);
    int read = (int)sizeof(wm_world) + (foods + wm_in_lanes(foods)) * (int)sizeof(int16_t);
    task->world_size = aligned(end > read ? end : read);
}

/* The tables lie behind the task, one after the other. */
static size_t lay_out_tables(wm_task *task) {
    const wm_terms *t = &task->terms;
    size_t cells = (size_t)task->side * (size_t)task->side, at = (size_t)aligned((int)sizeof(wm_task));
    task->food_table = task->predator_table = task->warmth_table = task->air_table = -1;
    if (t->continuous)
        return at;
    task->food_table = (int32_t)at;
    at += cells * sizeof(wm_kernel);
    if (t->predators > 0) {
        task->predator_table = (int32_t)at;
        at += cells * sizeof(wm_kernel);
    }
    if (t->thermal) {
        task->warmth_table = (int32_t)at;
        at += cells * sizeof(wm_climate);
    }
    if (t->aerial) {
        task->air_table = (int32_t)at;
        at += cells * sizeof(wm_climate);
    }
    return at;
}

static void count(wm_task *task, const wm_terms *terms) {
    task->terms = *terms;
    task->side = (int32_t)terms->size + (terms->size > (int32_t)terms->size);
    task->n_channels = wm_count_channels(terms);
    task->memory_size = memory_size(terms);
    task->n_features = wm_count_features(terms);
}

size_t wm_task_size(const wm_terms *terms) {
    wm_task task;
    count(&task, terms);
    return lay_out_tables(&task);
}

static uint64_t identify(const wm_terms *terms) {
    digest d = digest_begin();
    digest_bytes(&d, (const uint8_t *)terms, sizeof *terms);
    return digest_end(&d);
}

void wm_task_build(wm_task *task, const wm_terms *terms) {
    __builtin_memset(task, 0, sizeof *task);
    count(task, terms);
    task->identity = identify(terms);
    double cosine, sine;
    wm_turn_of(terms->temperature_direction, &cosine, &sine);
    task->heat_x = terms->temperature_gradient * cosine;
    task->heat_y = terms->temperature_gradient * sine;
    wm_turn_of(terms->oxygen_direction, &cosine, &sine);
    task->air_x = terms->oxygen_gradient * cosine;
    task->air_y = terms->oxygen_gradient * sine;
    for (int age = 0; age < WM_MAX_MEMORY; age++) {
        task->fade[age] = wm_exp(-terms->memory_decay * age);
        task->fade_total[age + 1] = task->fade_total[age] + task->fade[age];
    }
    for (int k = 1; k <= WM_MAX_MEMORY; k++)
        task->count_log[k] = k * portable_log(k) * 1.4426950408889634074;
    lay_out_worlds(task);
    lay_out_tables(task);
    wm_build_tables(task);
}
