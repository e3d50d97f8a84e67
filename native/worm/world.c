/* A world: its start, its steps and its end. */
#include "worm/parts.h"

static const int8_t FACING_X[] = {0, -1, 0, 1}, FACING_Y[] = {1, 0, -1, 0};

static void face(wm_world *w, int facing) {
    w->facing = facing & 3;
    w->cosine = FACING_X[w->facing];
    w->sine = FACING_Y[w->facing];
}

/* Whether the cell was never visited; now it is. */
static bool visit(wm_world *w) {
    int cell = wm_cell_of(w, w->x, w->y);
    uint64_t *word = &wm_visited(w)[cell >> 6], bit = (uint64_t)1 << (cell & 63);
    bool fresh = !(*word & bit);
    *word |= bit;
    return fresh;
}

static void count_position(wm_world *w) {
    double radius = w->task->terms.zone_radius;
    w->positions++;
    w->in_zone += w->n_foods > 0 && w->near_squared <= radius * radius;
}

static bool in_danger(const wm_world *w) {
    const wm_terms *t = &w->task->terms;
    return t->predators > 0 && wm_nearest_predator(w, w->x, w->y) <= t->detection;
}

static void set_goal(wm_world *w) {
    w->counter = 0;
    w->goal_distance = w->n_foods > 0 ? w->near : 0;
}

void wm_wake(wm_world *w, const wm_task *task, uint64_t seed) {
    const wm_terms *t = &task->terms;
    __builtin_memset(w, 0, (size_t)task->world_size);
    w->task = task;
    w->seed = w->random = seed;
    random_next(&w->random);
    w->random ^= seed << 32;
    w->x = w->y = t->continuous ? t->size / 2 : task->side / 2;
    face(w, WM_UP);
    w->last_action = -1;
    w->satiety = t->satiety;
    w->health = t->health;
}

void wm_furnish(wm_world *w) {
    bool predators_first = w->task->terms.food_predator_distance > 0;
    if (predators_first)
        wm_place_predators(w);
    wm_place_foods(w);
    if (!predators_first)
        wm_place_predators(w);
}

void wm_take_place(wm_world *w) {
    w->fresh = visit(w);
    wm_settle(w);
    count_position(w);
}

void wm_begin(wm_world *w, const wm_task *task, uint64_t seed) {
    wm_wake(w, task, seed);
    wm_furnish(w);
    wm_take_place(w);
}

void wm_settle(wm_world *w) {
    wm_look(w);
    set_goal(w);
    w->in_danger = in_danger(w);
    if (w->task->terms.reference)
        w->pending = wm_evaluate_now(w);
    wm_perceive(w, false);
}

/* ---- moving ------------------------------------------------------------------------------- */

void wm_walk(wm_world *w, int action) {
    static const int8_t TURNS[] = {0, 1, 3, 0, 0, 2};
    if (action == WM_STAY)
        return;
    int facing = (w->facing + TURNS[action]) & 3, last = w->task->side - 1;
    int way = action == WM_REVERSE ? -1 : 1;
    int x = (int)w->x + way * FACING_X[facing], y = (int)w->y + way * FACING_Y[facing];
    if (x < 0 || y < 0 || x > last || y > last) {
        w->wall_hit = 1;
        return;
    }
    face(w, facing);
    w->x = x;
    w->y = y;
}

static void crawl(wm_world *w, double speed, double turn) {
    const wm_terms *t = &w->task->terms;
    double cosine, sine, c = w->cosine, s = w->sine;
    double reach = wm_clamp(speed, 0, 1) * t->max_step;
    if (turn != 0 && turn == turn) {
        wm_turn_of(wm_clamp(turn, -1, 1) * t->max_turn, &cosine, &sine);
        w->cosine = c * cosine - s * sine;
        w->sine = s * cosine + c * sine;
        double size = wm_sqrt(w->cosine * w->cosine + w->sine * w->sine);
        w->cosine /= size;
        w->sine /= size;
    }
    double x = w->x + reach * w->cosine, y = w->y + reach * w->sine;
    w->wall_hit = x < 0 || y < 0 || x > t->size || y > t->size;
    w->x = wm_clamp(x, 0, t->size);
    w->y = wm_clamp(y, 0, t->size);
}

/* ---- eating ------------------------------------------------------------------------------- */

/* How straight the way to this food was: the distance to the nearest food over the way made. */
static double way_to_food(const wm_world *w) {
    const wm_terms *t = &w->task->terms;
    int counter = t->reference && w->eaten == 0 ? w->counter - 1 : w->counter;
    double way = t->continuous ? counter * t->max_step : counter;
    double ratio = counter > 0 ? w->goal_distance / way : 1;
    return t->reference || ratio < 1 ? ratio : 1;
}

static int warmth_zone_here(const wm_world *w) {
    const wm_task *task = w->task;
    if (task->warmth_table >= 0)
        return wm_climate_of(task, task->warmth_table, w->x, w->y)->zone;
    return wm_temperature_zone(task, wm_temperature_at(task, w->x, w->y));
}

static int air_zone_here(const wm_world *w) {
    const wm_task *task = w->task;
    if (task->air_table >= 0)
        return wm_climate_of(task, task->air_table, w->x, w->y)->zone;
    return wm_oxygen_zone(task, wm_oxygen_at(task, w->x, w->y));
}

/* Returns what eating pays at once. */
double wm_swallow(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double paid = 0, healed = w->health;
    w->efficiency += way_to_food(w);
    w->eaten++;
    w->satiety = wm_clamp(w->satiety + t->satiety_gain * t->satiety, 0, t->satiety);
    if (t->health > 0)
        w->health = wm_clamp(w->health + t->food_healing, 0, t->health);
    if (w->health > healed)
        paid += t->reward_healing;
    if (t->thermal && t->brave_reward != 0) {
        int zone = warmth_zone_here(w);
        paid += zone == 1 || zone == 2 ? t->brave_reward : 0;
    }
    return paid;
}

void wm_seek_anew(wm_world *w) {
    wm_look(w);
    set_goal(w);
}

int wm_food_here(const wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double reach = t->continuous ? t->capture_radius : 0;
    if (w->near > reach || w->satiety > t->eats_below * t->satiety)
        return -1;
    return wm_food_within(w, w->x, w->y, reach);
}

/* ---- dangers ------------------------------------------------------------------------------ */

static void hurt(wm_world *w, double damage) {
    w->health -= damage;
    w->damage += damage;
}

double wm_meet_predators(wm_world *w, double nearest) {
    const wm_terms *t = &w->task->terms;
    bool once = !t->reference && w->contact;
    if (once || nearest > t->damage_radius)
        return 0;
    w->contact = 1;
    if (t->predator_kills) {
        w->ended = WM_PREDATOR;
        return -t->reward_death;
    }
    hurt(w, t->predator_damage);
    return t->predator_damage > 0 ? -t->reward_damage : 0;
}

double wm_die_if_spent(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    if (t->health <= 0 || w->health > 0 || w->ended)
        return 0;
    w->ended = WM_HEALTH_DEPLETED;
    return -t->reward_death;
}

/* Leaves how near the nearest predator is then. */
static double live_with_predators(wm_world *w, double *nearest) {
    double paid = wm_meet_predators(w, *nearest);
    if (!w->ended) {
        if (wm_move_predators(w))
            *nearest = wm_nearest_predator(w, w->x, w->y);
        paid += wm_meet_predators(w, *nearest);
    }
    return paid + wm_die_if_spent(w);
}

static double live_with_temperature(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    int zone = warmth_zone_here(w);
    double damage = zone == 2 ? t->danger_damage : zone == 3 ? t->lethal_damage : 0;
    double paid = zone == 0 ? t->comfort_reward : zone == 1 ? t->discomfort_reward : t->danger_reward;
    w->comfort += zone == 0;
    if (t->health > 0 && damage > 0) {
        hurt(w, damage);
        paid -= t->reward_damage;
    }
    return paid + wm_die_if_spent(w);
}

static double live_with_oxygen(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    int zone = air_zone_here(w);
    double damage = zone == 2 ? t->oxygen_danger_damage : zone == 3 ? t->oxygen_lethal_damage : 0;
    double paid = zone ? t->oxygen_danger_reward : t->oxygen_comfort_reward;
    w->air_comfort += zone == 0;
    if (t->health > 0 && damage > 0) {
        hurt(w, damage);
        paid -= t->aerial == WM_AIR_CHARGED ? t->reward_damage : 0;
    }
    return paid + wm_die_if_spent(w);
}

/* ---- the step ----------------------------------------------------------------------------- */

double wm_endure(wm_world *w, double paid, double hunger) {
    const wm_terms *t = &w->task->terms;
    if (w->ended)
        return paid;
    w->satiety -= hunger;
    if (t->thermal)
        paid += live_with_temperature(w);
    if (t->aerial && !w->ended)
        paid += live_with_oxygen(w);
    if (!w->ended && w->satiety <= 0) {
        w->satiety = 0;
        w->ended = WM_STARVED;
        paid -= t->reward_starvation;
    }
    return paid;
}

/* Everything after the meal. Returns what it pays. */
static double live(wm_world *w, double *nearest) {
    const wm_terms *t = &w->task->terms;
    return wm_endure(w, t->predators > 0 ? live_with_predators(w, nearest) : 0, t->satiety_decay);
}

static void note_danger(wm_world *w, double nearest) {
    bool before = w->in_danger != 0;
    w->in_danger = nearest <= w->task->terms.detection;
    w->encounters += w->in_danger && !before;
    w->evasions += before && !w->in_danger;
}

static void note_way(wm_world *w) {
    double dx = w->x - w->trail[0][0], dy = w->y - w->trail[0][1];
    bool moved = dx != 0 || dy != 0;
    w->still = moved ? 0 : w->still + 1;
    w->wall_hits += w->wall_hit;
    w->distance += w->task->terms.continuous ? wm_sqrt(dx * dx + dy * dy) : moved;
    w->fresh = visit(w);
}

static double goal_bonus(const wm_world *w) {
    const wm_terms *t = &w->task->terms;
    double left = 1 - w->step / t->max_steps;
    return t->reward_goal * (left > 0.1 ? left : 0.1);
}

double wm_note_move(wm_world *w) {
    double before = w->near;
    w->counter++;
    note_way(w);
    if (w->still == 0)
        wm_look(w);
    return w->n_foods > 0 ? before - w->near : 0;
}

double wm_finish_meal(wm_world *w) {
    const wm_terms *t = &w->task->terms;
    if (w->eaten >= t->target)
        w->ended = WM_COMPLETED_ALL_FOOD;
    return t->reference ? 0 : goal_bonus(w);
}

double wm_end_step(wm_world *w, double paid, double nearer, double nearest, bool ate) {
    const wm_terms *t = &w->task->terms;
    if (t->predators > 0)
        note_danger(w, nearest);
    if (!w->ended || !t->reference)
        count_position(w);
    if (!w->ended && w->step >= t->max_steps)
        w->ended = WM_MAX_STEPS;
    if (!t->reference)
        return paid + wm_evaluate(w, nearer, nearest);
    paid += w->pending;
    w->pending = ate ? wm_evaluate_now(w) : wm_evaluate(w, nearer, nearest);
    return paid;
}

/* What happens once the worm has moved. Returns the step's reward. */
static double go_on(wm_world *w) {
    double nearer = wm_note_move(w), paid = 0;
    double nearest = w->task->terms.predators > 0 ? wm_nearest_predator(w, w->x, w->y) : 0;
    int k = wm_food_here(w);
    if (k >= 0) {
        paid += wm_swallow(w);
        wm_bite(w, k);
        wm_seek_anew(w);
        paid += wm_finish_meal(w);
    }
    if (!w->ended)
        paid += live(w, &nearest);
    return wm_end_step(w, paid, nearer, nearest, k >= 0);
}

void wm_set_out(wm_world *w) {
    w->step++;
    w->wall_hit = w->contact = 0;
    w->trail[1][0] = w->trail[0][0];
    w->trail[1][1] = w->trail[0][1];
    w->trail[0][0] = w->x;
    w->trail[0][1] = w->y;
}

static double arrive(wm_world *w, int action) {
    int eaten = w->eaten;
    w->last_action = action;
    double reward = go_on(w);
    w->total_reward += reward;
    wm_perceive(w, w->still > 0 && w->eaten == eaten);
    return reward;
}

double wm_step(wm_world *w, enum wm_action action) {
    if (w->task->terms.continuous)
        return wm_steer(w, action != WM_STAY, (action == WM_LEFT) - (action == WM_RIGHT));
    if (w->ended)
        return 0;
    wm_set_out(w);
    wm_walk(w, action);
    return arrive(w, action);
}

double wm_steer(wm_world *w, double speed, double turn) {
    if (w->ended)
        return 0;
    wm_set_out(w);
    crawl(w, speed, turn);
    int action = !(speed > 0) ? WM_STAY : turn > 0.5 ? WM_LEFT : turn < -0.5 ? WM_RIGHT : WM_FORWARD;
    return arrive(w, action);
}

/* ---- telling ------------------------------------------------------------------------------ */

void wm_figures(const wm_world *w, double *out) {
    *out++ = w->step;
    *out++ = w->eaten;
    *out++ = w->ended == WM_COMPLETED_ALL_FOOD;
    *out++ = w->eaten ? w->efficiency / w->eaten : 0;
    *out++ = w->total_reward;
    *out++ = w->ended;
    *out++ = w->satiety;
    *out++ = w->health > 0 ? w->health : 0;
    *out++ = w->in_zone;
    *out++ = w->positions;
    *out++ = w->encounters;
    *out++ = w->evasions;
    *out++ = w->damage;
    *out++ = w->comfort;
    *out++ = w->air_comfort;
    *out++ = (double)w->seed;
    *out++ = w->wall_hits;
    *out++ = w->distance;
}
