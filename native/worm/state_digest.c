/* The digest of a state: named fields in a fixed order and width, as docs/state-digest.md lists them. */
#include "common/digest.h"
#include "worm/parts.h"

static void write_pull(digest *d, const wm_pull *pull) {
    digest_f64(d, pull->sum);
    digest_f64(d, pull->x);
    digest_f64(d, pull->y);
}

static void write_worm(digest *d, const wm_world *w) {
    digest_f64(d, w->x);
    digest_f64(d, w->y);
    digest_f64(d, w->cosine);
    digest_f64(d, w->sine);
    for (int ago = 0; ago < 2; ago++) {
        digest_f64(d, w->trail[ago][0]);
        digest_f64(d, w->trail[ago][1]);
    }
    digest_f64(d, w->satiety);
    digest_f64(d, w->health);
    digest_i32(d, w->facing);
    digest_i32(d, w->last_action);
}

static void write_sums(digest *d, const wm_world *w) {
    const double sums[] = {w->near,          w->near_squared, w->pending, w->total_reward, w->distance,
                           w->damage,        w->goal_distance, w->efficiency};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
        digest_f64(d, sums[k]);
}

static void write_senses(digest *d, const wm_world *w) {
    write_pull(d, &w->food_pull);
    write_pull(d, &w->predator_pull);
    digest_f64(d, w->warmth);
    digest_f64(d, w->air);
    digest_f64(d, w->adapted[0]);
    digest_f64(d, w->adapted[1]);
}

static void write_counters(digest *d, const wm_world *w) {
    const int32_t counters[] = {w->step,       w->ended,     w->eaten,    w->counter, w->still,
                                w->in_zone,    w->positions, w->encounters, w->evasions, w->comfort,
                                w->air_comfort, w->wall_hits, w->in_danger};
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        digest_i32(d, counters[k]);
    digest_u8(d, w->wall_hit);
    digest_u8(d, w->contact);
    digest_u8(d, w->fresh);
}

static void write_foods(digest *d, const wm_world *w) {
    bool portions = w->task->terms.portion > 0;
    digest_i32(d, w->n_foods);
    for (int k = 0; k < w->n_foods; k++) {
        double x, y;
        wm_food(w, k, &x, &y);
        digest_f64(d, x);
        digest_f64(d, y);
        if (portions)
            digest_f64(d, wm_left(w)[k]);
    }
}

static void write_predators(digest *d, const wm_world *w) {
    int n = (int)w->task->terms.predators;
    digest_i32(d, n);
    for (int k = 0; k < n; k++) {
        const wm_predator *p = wm_predators(w) + k;
        digest_f64(d, p->x);
        digest_f64(d, p->y);
        digest_f64(d, p->heading);
        digest_f64(d, p->due);
    }
}

static void write_visited(digest *d, const wm_world *w) {
    int side = w->task->side, words = (side * side + 63) / 64;
    digest_i32(d, side);
    for (int k = 0; k < words; k++)
        digest_u64(d, wm_visited(w)[k]);
}

/* The newest sample first. */
static void write_memory(digest *d, const wm_world *w) {
    int channels = w->task->n_channels;
    digest_i32(d, w->remembered);
    for (int age = 0; age < w->remembered; age++) {
        int at = wm_sample_of_age(w, age);
        for (int channel = 0; channel < channels; channel++)
            digest_f64(d, wm_samples(w)[at * channels + channel]);
        digest_f64(d, wm_moves(w)[2 * at]);
        digest_f64(d, wm_moves(w)[2 * at + 1]);
        digest_i8(d, wm_actions(w)[at]);
    }
}

uint64_t wm_hash(const wm_world *w) {
    digest d = digest_begin();
    digest_i32(&d, WM_DIGEST_VERSION);
    digest_u64(&d, w->seed);
    digest_u64(&d, w->random);
    write_worm(&d, w);
    write_sums(&d, w);
    write_senses(&d, w);
    write_counters(&d, w);
    write_foods(&d, w);
    write_predators(&d, w);
    write_visited(&d, w);
    write_memory(&d, w);
    return digest_end(&d);
}
