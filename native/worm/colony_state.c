/* The states of colonies: their digest, and as bytes. */
#include "common/digest.h"
#include "common/seal.h"
#include "worm/colony.h"
#include "worm/parts.h"
#include "worm/saved_state.h"

enum { MAGIC = 0x4357554c /* LUWC */, STATE_AT = offsetof(wm_colony, step), MOST_STEPS = 1 << 30 };

static const double MOST_LEFT = 1e6;

uint64_t wm_colony_hash(const wm_colony *c) {
    digest d = digest_begin();
    digest_i32(&d, WM_DIGEST_VERSION);
    digest_i32(&d, c->step);
    for (int k = 0; k < c->plan->worms; k++) {
        digest_u64(&d, wm_hash(wm_colony_world(c, k)));
        digest_u8(&d, wm_colony_world(c, k)->gone);
    }
    for (int scent = 0; scent < WM_SCENTS; scent++) {
        digest_i32(&d, c->n_sources[scent]);
        digest_i32(&d, c->oldest[scent]);
        for (int k = 0; k < c->n_sources[scent]; k++) {
            digest_i32(&d, c->source[scent][k].x);
            digest_i32(&d, c->source[scent][k].y);
            digest_f64(&d, c->source[scent][k].left);
        }
    }
    return digest_end(&d);
}

static seal seal_of(const wm_colony_plan *plan) {
    return (seal){.magic = MAGIC,
                  .version = WM_COLONY_STATE_VERSION,
                  .rules = seal_rules(WM_RULES, WM_VERSION),
                  .subject = plan->identity};
}

static size_t head_size(void) { return sizeof(seal) + sizeof(wm_colony) - STATE_AT; }

size_t wm_colony_saved_size(const wm_colony_plan *plan) {
    return head_size() + (size_t)plan->worms * wm_saved_size(plan->task);
}

void wm_colony_save(const wm_colony *c, uint8_t *bytes) {
    memcpy(bytes + sizeof(seal), (const char *)c + STATE_AT, sizeof *c - STATE_AT);
    for (int k = 0; k < c->plan->worms; k++) {
        uint8_t *to = bytes + head_size() + (size_t)k * wm_saved_size(c->plan->task);
        wm_save(wm_colony_world(c, k), to);
    }
    seal_write(bytes, wm_colony_saved_size(c->plan), seal_of(c->plan));
}

static bool sources_fit(const wm_colony_plan *plan, const wm_colony *c, enum wm_scent scent) {
    int most = (int)(scent == WM_ALARM ? plan->terms.alarm_sources : plan->terms.found_sources);
    if (c->n_sources[scent] < 0 || c->n_sources[scent] > most || c->oldest[scent] < 0
        || c->oldest[scent] >= (most ? most : 1))
        return false;
    for (int k = 0; k < c->n_sources[scent]; k++) {
        const wm_source *s = &c->source[scent][k];
        if (s->x < 0 || s->y < 0 || s->x >= plan->task->side || s->y >= plan->task->side
            || !(s->left >= 0 && s->left <= MOST_LEFT))
            return false;
    }
    return true;
}

static bool head_fits(const wm_colony_plan *plan, const wm_colony *c) {
    for (int k = 0; k < WM_MAX_WORMS; k++)
        for (int scent = 0; scent < WM_SCENTS; scent++)
            if (!(c->sensed[k][scent] >= 0 && c->sensed[k][scent] <= 1))
                return false;
    return c->step >= 0 && c->step <= MOST_STEPS && c->alive >= 0 && c->alive <= plan->worms
           && sources_fit(plan, c, WM_ALARM) && sources_fit(plan, c, WM_FOUND);
}

const char *wm_colony_check_saved(const wm_colony_plan *plan, const uint8_t *bytes, size_t size) {
    const char *reason = seal_check(bytes, size, seal_of(plan));
    if (reason)
        return reason;
    if (size != wm_colony_saved_size(plan))
        return "its parts do not add up to its size";
    wm_colony c;
    memcpy((char *)&c + STATE_AT, bytes + sizeof(seal), sizeof c - STATE_AT);
    if (!head_fits(plan, &c))
        return "it holds what no episode leads to";
    size_t each = wm_saved_size(plan->task);
    for (int k = 0; k < plan->worms && !reason; k++)
        reason = wm_check_saved(plan->task, bytes + head_size() + (size_t)k * each, each);
    return reason;
}

void wm_colony_load(wm_colony *c, const wm_colony_plan *plan, const uint8_t *bytes) {
    memset(c, 0, (size_t)plan->size);
    c->plan = plan;
    memcpy((char *)c + STATE_AT, bytes + sizeof(seal), sizeof *c - STATE_AT);
    c->alive = 0;
    for (int k = 0; k < plan->worms; k++) {
        wm_world *w = wm_colony_world(c, k);
        wm_load(w, plan->task, bytes + head_size() + (size_t)k * wm_saved_size(plan->task));
        c->alive += !w->ended;
    }
    wm_colony_world(c, 0)->crowd = (uint8_t)(plan->worms - 1);
}
