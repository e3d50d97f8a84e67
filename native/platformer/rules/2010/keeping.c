/* The rule set "2010": what of a game digests and saved states hold. */
#include "platformer/rules/2010/2010.h"

#include <string.h>

static void write_settings(digest *d, const pf_physics *p) {
    const pf_settings *s = &p->settings;
    const int32_t numbers[] = {s->difficulty, s->green_kills, s->screen_width, s->screen_height, s->stopped};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        digest_i32(d, numbers[k]);
}

static void write_counters(digest *d, const pf_2010 *t) {
    const int32_t counters[] = {t->reward,         t->kills,     t->kills_by_fire, t->kills_by_stomp,
                                t->kills_by_shell, t->mushrooms, t->flowers,       t->green_mushrooms,
                                t->offered_mushrooms, t->offered_flowers};
    const uint8_t flags[] = {t->in_ladder_zone, t->on_ladder, t->on_ladder_top, t->may_shoot, t->n_causes};
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        digest_i32(d, counters[k]);
    digest_bytes(d, flags, sizeof flags);
    digest_bytes(d, t->causes, sizeof t->causes);
}

void pf_2010_digest(const pf_world *w, digest *d) {
    const pf_2010 *t = pf_2010_of(w);
    pf_digest_competition(w, pf_2010_templates(w), d);
    write_settings(d, &w->physics);
    digest_f32(d, t->x_before);
    digest_f32(d, t->y_before);
    digest_u64(d, t->random);
    write_counters(d, t);
    digest_bytes(d, (const uint8_t *)pf_2010_data(w), pf_2010_cells(w->level));
    for (int k = 0; k < w->n_sprites; k++) {
        digest_f32(d, pf_sprites(w)[k].x_before);
        digest_f32(d, pf_sprites(w)[k].y_before);
    }
}

/* ---- states of strangers ----------------------------------------------------------------------- */

static bool is_count(int value) { return value >= 0 && value <= 1 << 30; }

static bool counters_fit(const pf_2010 *t) {
    return is_count(t->kills) && is_count(t->kills_by_fire) && is_count(t->kills_by_stomp)
           && is_count(t->kills_by_shell) && is_count(t->mushrooms) && is_count(t->flowers)
           && is_count(t->green_mushrooms) && is_count(t->offered_mushrooms) && is_count(t->offered_flowers)
           && t->reward >= -(1 << 30) && t->reward <= 1 << 30;
}

static bool flags_fit(const pf_2010 *t) {
    const uint8_t none[sizeof t->unused] = {0};
    return t->in_ladder_zone <= 1 && t->on_ladder <= 1 && t->on_ladder_top <= 1 && t->may_shoot <= 1
           && t->n_causes <= MOST_CAUSES && !memcmp(t->unused, none, sizeof none);
}

static bool is_place(float value) { return value >= -(1 << 24) && value <= 1 << 24; }

static bool swings_fit(const pf_level *level, const pf_2010 *t, const int8_t *data) {
    int n = (int)pf_2010_cells(level);
    if (t->swing_from < 0 || t->swing_from > t->swing_to || t->swing_to > n)
        return false;
    for (int k = 0; k < n; k++)
        if (data[k] > 0 && (k < t->swing_from || k >= t->swing_to))
            return false;
    return true;
}

bool pf_2010_fits(const pf_level *level, const void *tail) {
    pf_2010 t;
    memcpy(&t, tail, sizeof t);
    const int8_t *data = (const int8_t *)tail + sizeof t;
    const uint8_t *templates = (const uint8_t *)data + pf_2010_cells(level);
    return pf_competition_fits(&t.common) && counters_fit(&t) && flags_fit(&t) && is_place(t.x_before)
           && is_place(t.y_before) && t.random < (uint64_t)1 << 48
           && swings_fit(level, &t, data) && pf_templates_fit(level, templates);
}
