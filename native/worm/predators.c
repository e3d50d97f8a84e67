/* Predators: where they begin and how they move. */
#include "worm/parts.h"

enum { DRAWS = 100, MOST_MOVES = 10 };

static bool far_from(const wm_world *w, double x, double y) {
    const wm_terms *t = &w->task->terms;
    double reach = t->detection > t->damage_radius ? t->detection : t->damage_radius;
    double dx = x - w->x, dy = y - w->y;
    if (t->predator_spawns_by_steps)
        return wm_abs(dx) + wm_abs(dy) > t->detection;
    return dx * dx + dy * dy > reach * reach;
}

static bool far_enough(const wm_world *w, double x, double y) {
    for (int k = 0; k < w->crowd; k++)
        if (!far_from(wm_behind(w, k), x, y))
            return false;
    return far_from(w, x, y);
}

static void place(wm_world *w, wm_predator *p) {
    const wm_terms *t = &w->task->terms;
    for (int draws = DRAWS; draws > 0; draws--) {
        p->x = t->continuous ? random_share(&w->random) * t->size : random_below(&w->random, w->task->side);
        p->y = t->continuous ? random_share(&w->random) * t->size : random_below(&w->random, w->task->side);
        if (far_enough(w, p->x, p->y))
            break;
    }
    if (t->continuous)
        p->heading = (2 * random_share(&w->random) - 1) * WM_PI;
}

void wm_place_predators(wm_world *w) {
    for (int k = 0; k < (int)w->task->terms.predators; k++)
        place(w, &wm_predators(w)[k]);
}

/* The worm that a predator would chase: the nearest of those alive; the first if none is. */
static const wm_world *nearest_worm(const wm_world *w, const wm_predator *p) {
    const wm_world *prey = w;
    double least = w->ended ? 1e9 : wm_gap(w->task, w->x - p->x, w->y - p->y);
    for (int k = 0; k < w->crowd; k++) {
        const wm_world *other = wm_behind(w, k);
        double gap = wm_gap(w->task, other->x - p->x, other->y - p->y);
        if (!other->ended && gap < least) {
            prey = other;
            least = gap;
        }
    }
    return prey;
}

static int distance(int gap) { return gap < 0 ? -gap : gap; }
static int limited(int cell, int last) {
    int inside = cell > 0 ? cell : 0;
    return inside < last ? inside : last;
}

/* Without branches: which way a predator goes is hard to foresee. */
static void step_on_grid(wm_world *w, wm_predator *p, const wm_world *prey) {
    static const int8_t WAY_X[] = {1, -1, 0, 0}, WAY_Y[] = {0, 0, 1, -1};
    int last = w->task->side - 1, x = (int)p->x, y = (int)p->y, dx, dy;
    if (prey) {
        int gap_x = (int)prey->x - x, gap_y = (int)prey->y - y;
        bool along_x = distance(gap_x) >= distance(gap_y);
        dx = along_x * ((gap_x > 0) - (gap_x < 0));
        dy = !along_x * ((gap_y > 0) - (gap_y < 0));
    } else {
        int way = random_below(&w->random, 4);
        dx = WAY_X[way];
        dy = WAY_Y[way];
    }
    p->x = limited(x + dx, last);
    p->y = limited(y + dy, last);
}

static double wrapped(double angle) {
    return angle > WM_PI ? angle - 2 * WM_PI : angle < -WM_PI ? angle + 2 * WM_PI : angle;
}

static void step_on_dish(wm_world *w, wm_predator *p, bool chasing) {
    const wm_terms *t = &w->task->terms;
    double reach = t->predator_speed * t->max_step, cosine, sine;
    if (chasing) {
        double dx = w->x - p->x, dy = w->y - p->y, gap = wm_sqrt(dx * dx + dy * dy);
        if (gap <= reach) {
            p->x = w->x;
            p->y = w->y;
            return;
        }
        p->heading = wm_atan2(dy, dx);
        cosine = dx / gap;
        sine = dy / gap;
    } else {
        p->heading = wrapped(p->heading + (2 * random_share(&w->random) - 1) * WM_PI / 4);
        wm_turn_of(p->heading, &cosine, &sine);
    }
    p->x = wm_clamp(p->x + reach * cosine, 0, t->size);
    p->y = wm_clamp(p->y + reach * sine, 0, t->size);
}

/* The worm that a predator chases, or NULL. */
static const wm_world *find_prey(const wm_world *w, const wm_predator *p) {
    const wm_terms *t = &w->task->terms;
    const wm_world *prey = w->crowd ? nearest_worm(w, p) : w;
    bool chasing = t->predator_kind == WM_PURSUIT
                   && wm_gap(w->task, prey->x - p->x, prey->y - p->y) <= t->detection;
    return chasing ? prey : NULL;
}

static bool move(wm_world *w, wm_predator *p) {
    if (w->task->terms.continuous) {
        step_on_dish(w, p, find_prey(w, p) != NULL);
        return true;
    }
    p->due += w->task->terms.predator_speed;
    if (!(p->due >= 1))
        return false;
    const wm_world *prey = find_prey(w, p);
    for (int moves = 0; p->due >= 1 && moves < MOST_MOVES; moves++) {
        p->due -= 1;
        step_on_grid(w, p, prey);
    }
    return true;
}

bool wm_move_predators(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    bool moved = false;
    if (t->predator_kind == WM_STATIONARY)
        return false;
    for (int k = 0; k < (int)t->predators; k++)
        moved |= move(w, &wm_predators(w)[k]);
    return moved;
}

double wm_nearest_predator(const wm_world *w, double x, double y) {
    const wm_predator *p = wm_predators(w), *end = p + (int)w->task->terms.predators;
    double least = 1e9;
    if (w->task->terms.continuous) {
        for (; p < end; p++) {
            double gap = wm_gap(w->task, p->x - x, p->y - y);
            least = gap < least ? gap : least;
        }
        return least;
    }
    for (; p < end; p++) {
        double gap = wm_abs(p->x - x) + wm_abs(p->y - y);
        least = gap < least ? gap : least;
    }
    return least;
}
