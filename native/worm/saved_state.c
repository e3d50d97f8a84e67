/* States as bytes: a head, then the memory of a world but for the address of its task. */
#include "worm/saved_state.h"
#include "common/seal.h"
#include "worm/parts.h"

enum { MAGIC = 0x5357554c /* LUWS */, STATE_AT = offsetof(wm_world, seed), MOST_COUNT = 1 << 30 };

static const double MOST_ANGLE = 64;

static seal seal_of(const wm_task *task) {
    return (seal){.magic = MAGIC,
                  .version = WM_STATE_VERSION,
                  .rules = seal_rules(WM_RULES, WM_VERSION),
                  .subject = task->identity};
}

static size_t memory_size(const wm_task *task) { return (size_t)task->world_size - STATE_AT; }

size_t wm_saved_size(const wm_task *task) { return sizeof(seal) + memory_size(task); }

void wm_save(const wm_world *w, uint8_t *bytes) {
    memcpy(bytes + sizeof(seal), (const char *)w + STATE_AT, memory_size(w->task));
    bytes[sizeof(seal) + offsetof(wm_world, crowd) - STATE_AT] = 0; /* a world stands for itself alone */
    seal_write(bytes, wm_saved_size(w->task), seal_of(w->task));
}

void wm_load(wm_world *w, const wm_task *task, const uint8_t *bytes) {
    w->task = task;
    memcpy((char *)w + STATE_AT, bytes + sizeof(seal), memory_size(task));
}

/* ---- checking: `at` is where a world would begin whose memory the bytes are ------------------- */

typedef struct {
    const wm_task *task;
    const uint8_t *at;
} image;

static const uint8_t *part(const image *of, int offset) { return of->at + offset; }

static double real_at(const uint8_t *bytes, size_t number) {
    double value;
    memcpy(&value, bytes + number * sizeof value, sizeof value);
    return value;
}

static bool are_finite(const uint8_t *bytes, size_t n) {
    for (size_t k = 0; k < n; k++) {
        double value = real_at(bytes, k);
        if (!(value - value == 0))
            return false;
    }
    return true;
}

/* Whether a coordinate is in the dish: a cell's number on a grid. */
static bool in_dish(const wm_task *task, double value) {
    if (task->terms.continuous)
        return value >= 0 && value <= task->terms.size;
    return value >= 0 && value <= task->side - 1 && value == (int)value;
}

static bool are_counts(const int32_t *counts, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (counts[k] < 0 || counts[k] > MOST_COUNT)
            return false;
    return true;
}

static bool heading_fits(const wm_world *w) {
    double square = w->cosine * w->cosine + w->sine * w->sine;
    return square > 0.99 && square < 1.01;
}

static bool numbers_fit(const wm_world *w) {
    enum { FIRST = offsetof(wm_world, x), REALS = (offsetof(wm_world, step) - FIRST) / sizeof(double) };
    return are_finite((const uint8_t *)w + FIRST, REALS) && heading_fits(w) && in_dish(w->task, w->x)
           && in_dish(w->task, w->y) && in_dish(w->task, w->trail[0][0]) && in_dish(w->task, w->trail[0][1])
           && in_dish(w->task, w->trail[1][0]) && in_dish(w->task, w->trail[1][1]);
}

static bool counters_fit(const wm_world *w) {
    enum { COUNTS = (offsetof(wm_world, facing) - offsetof(wm_world, step)) / sizeof(int32_t) };
    int room = w->task->memory_size;
    return are_counts(&w->step, COUNTS) && w->ended < WM_ENDINGS && w->n_foods <= (int)w->task->terms.foods
           && w->facing >= 0 && w->facing <= 3 && w->last_action >= -1 && w->last_action < WM_SIX_ACTIONS
           && (w->in_danger == 0 || w->in_danger == 1) && w->wall_hit <= 1 && w->contact <= 1 && w->fresh <= 1
           && w->remembered <= room && w->newest < (room ? room : 1) && w->crowd == 0 && w->gone <= 1;
}

static int16_t cell_at(const uint8_t *bytes, int number) {
    int16_t cell;
    memcpy(&cell, bytes + (size_t)number * sizeof cell, sizeof cell);
    return cell;
}

/* All places, those behind n_foods too: food grows into them. */
static bool foods_fit(const image *of) {
    const wm_terms *t = &of->task->terms;
    const uint8_t *places = part(of, (int)sizeof(wm_world));
    int n = 2 * (int)t->foods;
    for (int k = 0; k < n; k++)
        if (!in_dish(of->task, t->continuous ? real_at(places, (size_t)k) : cell_at(places, k)))
            return false;
    const uint8_t *left = part(of, of->task->predators_at) - sizeof(double) * (size_t)t->foods;
    return t->portion <= 0 || are_finite(left, (size_t)t->foods);
}

static bool predators_fit(const image *of) {
    wm_predator p;
    for (int k = 0; k < (int)of->task->terms.predators; k++) {
        memcpy(&p, part(of, of->task->predators_at) + (size_t)k * sizeof p, sizeof p);
        if (!in_dish(of->task, p.x) || !in_dish(of->task, p.y) || wm_abs(p.due) > MOST_COUNT
            || !(wm_abs(p.heading) <= MOST_ANGLE) || p.due != p.due)
            return false;
    }
    return true;
}

static bool memory_fits(const image *of) {
    const wm_task *task = of->task;
    size_t size = (size_t)task->memory_size, reals = size * ((size_t)task->n_channels + 2);
    const uint8_t *samples = part(of, task->memory_at);
    for (size_t k = 0; k < size; k++) {
        int8_t action = (int8_t)samples[reals * sizeof(double) + k];
        if (action < -1 || action >= WM_SIX_ACTIONS)
            return false;
    }
    return are_finite(samples, reals);
}

const char *wm_check_saved(const wm_task *task, const uint8_t *bytes, size_t size) {
    const char *reason = seal_check(bytes, size, seal_of(task));
    if (reason)
        return reason;
    if (size != wm_saved_size(task))
        return "its parts do not add up to its size";
    image of = {task, bytes + sizeof(seal) - STATE_AT};
    wm_world w;
    w.task = task;
    memcpy((char *)&w + STATE_AT, bytes + sizeof(seal), sizeof w - STATE_AT);
    bool fits = numbers_fit(&w) && counters_fit(&w) && foods_fit(&of) && predators_fit(&of) && memory_fits(&of);
    return fits ? NULL : "it holds what no episode leads to";
}
