/* What a state is worth to a learner. */
#include "worm/parts.h"

enum { MOST_STUCK = 10 };

/* Steps of the trail that are known: none at the start, two from the second step on. */
static int trail_length(const wm_world *w) { return w->step < 2 ? w->step : 2; }

static bool same_cell(const wm_world *w, const double place[2]) {
    if (!w->task->terms.continuous)
        return (w->x == place[0]) & (w->y == place[1]);
    return wm_cell_of(w, w->x, w->y) == wm_cell_of(w, place[0], place[1]);
}

static double scent(const wm_world *w) { return wm_tanh(wm_predators_at(w, w->x, w->y).sum); }

static double near_predators(const wm_world *w, double now) {
    const wm_terms *t = &w->task->terms;
    double cost = t->reward_proximity;
    double contact = t->reference ? 1 : t->damage_radius;
    switch ((enum wm_proximity)t->proximity) {
    case WM_NO_PROXIMITY: return 0;
    case WM_SCENT: return -cost * scent(w);
    case WM_SCENT_AND_CONTACT: return -cost * scent(w) - (now <= contact ? cost : 0);
    case WM_FLAT: return now <= t->detection ? -cost : 0;
    default: break;
    }
    if (now > t->detection)
        return 0;
    if (trail_length(w) == 0)
        return -cost;
    double before = wm_nearest_predator(w, w->trail[0][0], w->trail[0][1]);
    return cost * (now - before) - (now <= contact ? cost : 0);
}

/* Where a worm is or was. */
static double warmth_at(const wm_task *task, double x, double y) {
    if (task->warmth_table >= 0)
        return wm_climate_of(task, task->warmth_table, x, y)->value;
    return wm_temperature_at(task, x, y);
}

static double into_comfort(const wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double now = wm_abs(warmth_at(w->task, w->x, w->y) - t->cultivation);
    if (now <= t->comfort_delta || trail_length(w) == 0)
        return 0;
    double there = warmth_at(w->task, w->trail[0][0], w->trail[0][1]);
    return t->reward_temperature * (wm_abs(there - t->cultivation) - now);
}

double wm_evaluate(const wm_world *w, double nearer, double nearest) {
    const wm_terms *t = &w->task->terms;
    double worth = -t->reward_step;
    if (trail_length(w) > 0)
        worth += t->reward_distance * nearer;
    worth -= wm_if(w->fresh, -t->reward_exploration);
    worth -= wm_if(trail_length(w) > 1 && same_cell(w, w->trail[1]), t->reward_dither);
    worth -= wm_if(w->wall_hit, t->reward_wall);
    if (t->reward_stuck > 0 && w->still > t->stuck_after)
        worth -= t->reward_stuck * wm_clamp(w->still - t->stuck_after, 0, MOST_STUCK);
    if (t->predators > 0)
        worth += near_predators(w, nearest);
    if (t->thermal && t->reward_temperature > 0)
        worth += into_comfort(w);
    return worth;
}

double wm_evaluate_now(const wm_world *w) {
    double nearer = 0;
    if (w->n_foods > 0)
        nearer = wm_nearest_food(w, w->trail[0][0], w->trail[0][1]) - wm_nearest_food(w, w->x, w->y);
    return wm_evaluate(w, nearer, wm_nearest_predator(w, w->x, w->y));
}
