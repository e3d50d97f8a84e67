/* Where food grows, and what becomes of it when it is eaten. */
#include "worm/parts.h"

enum { DRAWS = 100 };
static const double CRUMB = 1e-3; /* what is left of a source when it counts as gone */

static void put_food(wm_world *w, int k, double x, double y) {
    if (w->task->terms.continuous) {
        wm_places_x(w)[k] = x;
        wm_places_y(w)[k] = y;
    } else {
        wm_cells_x(w)[k] = (int16_t)x;
        wm_cells_y(w)[k] = (int16_t)y;
    }
    if (w->task->terms.portion > 0)
        wm_left(w)[k] = 1;
}

static const wm_spot *drawn_hotspot(wm_world *w) {
    const wm_spots *spots = &w->task->terms.hotspots;
    double total = 0;
    for (int k = 0; k < spots->n; k++)
        total += spots->spot[k].amount;
    double drawn = random_share(&w->random) * total;
    int k = 0;
    while (k < spots->n - 1 && (drawn -= spots->spot[k].amount) >= 0)
        k++;
    return &spots->spot[k];
}

static void draw_near_hotspot(wm_world *w, double *x, double *y) {
    const wm_terms *t = &w->task->terms;
    const wm_spot *spot = drawn_hotspot(w);
    double distance = -t->hotspot_decay * portable_log(1 - random_share(&w->random));
    double cosine, sine;
    wm_turn_of((2 * random_share(&w->random) - 1) * WM_PI, &cosine, &sine);
    *x = spot->x + distance * cosine;
    *y = spot->y + distance * sine;
    if (t->continuous) {
        *x = wm_clamp(*x, 0, t->size);
        *y = wm_clamp(*y, 0, t->size);
    } else {
        *x = wm_clamp(wm_round(*x), 0, w->task->side - 1);
        *y = wm_clamp(wm_round(*y), 0, w->task->side - 1);
    }
}

static void draw_place(wm_world *w, double *x, double *y) {
    const wm_terms *t = &w->task->terms;
    if (t->hotspots.n > 0 && random_share(&w->random) < t->hotspot_bias) {
        draw_near_hotspot(w, x, y);
    } else if (t->continuous) {
        *x = random_share(&w->random) * t->size;
        *y = random_share(&w->random) * t->size;
    } else {
        *x = random_below(&w->random, w->task->side);
        *y = random_below(&w->random, w->task->side);
    }
}

static bool within(double dx, double dy, double radius) { return dx * dx + dy * dy < radius * radius; }

static bool far_enough(const wm_world *w, double x, double y) {
    const wm_terms *t = &w->task->terms;
    if (!w->gone && within(x - w->x, y - w->y, t->exclusion))
        return false;
    for (int k = 0; k < w->crowd; k++) {
        const wm_world *other = wm_behind(w, k);
        if (!other->gone && within(x - other->x, y - other->y, t->exclusion))
            return false;
    }
    if (w->n_foods > 0 && wm_food_gap_squared(w, x, y) < t->min_food_distance * t->min_food_distance)
        return false;
    const wm_predator *p = wm_predators(w);
    if (t->food_predator_distance > 0)
        for (int k = 0; k < (int)t->predators; k++)
            if (within(x - p[k].x, y - p[k].y, t->food_predator_distance))
                return false;
    return true;
}

/* One draw; whether it was a place where food may grow. */
static bool try_to_grow(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double x, y;
    draw_place(w, &x, &y);
    if (!far_enough(w, x, y))
        return false;
    if (t->thermal && t->safe_zone_bias > 0 && random_share(&w->random) < t->safe_zone_bias
        && wm_temperature_zone(w->task, wm_temperature_at(w->task, x, y)) != 0)
        return false;
    put_food(w, w->n_foods++, x, y);
    return true;
}

void wm_place_foods(wm_world *w) {
    int foods = (int)w->task->terms.foods;
    for (int draws = DRAWS * foods; draws > 0 && w->n_foods < foods; draws--)
        try_to_grow(w);
}

static void remove_food(wm_world *w, int k) {
    double x, y;
    int last = --w->n_foods;
    wm_food(w, last, &x, &y);
    double left = w->task->terms.portion > 0 ? wm_left(w)[last] : 1;
    put_food(w, k, x, y);
    if (w->task->terms.portion > 0)
        wm_left(w)[k] = left;
}

void wm_bite(wm_world *w, int k) {
    const wm_terms *t = &w->task->terms;
    if (t->portion > 0 && (wm_left(w)[k] -= t->portion) > CRUMB)
        return;
    remove_food(w, k);
    if (t->respawn)
        for (int draws = DRAWS; draws > 0 && !try_to_grow(w); draws--)
            ;
}
