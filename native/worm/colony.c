/* A colony: its start, its steps and its end. */
#include "worm/colony.h"
#include "common/digest.h"
#include "worm/parts.h"

/* ---- the plan ------------------------------------------------------------------------------- */

static void fill_scent(wm_colony_plan *plan, enum wm_scent scent, double decay, double half_life) {
    for (int d = 0; d < 2 * WM_MAX_SIZE; d++)
        plan->reach[scent][d] = wm_exp(-d / decay);
    plan->fading[scent] = wm_exp(-0.69314718055994530942 / half_life);
}

static int scent_features(const wm_terms *t) { return t->food_mode == WM_ORACLE ? 2 : (int)t->food_mode; }

void wm_colony_plan_build(wm_colony_plan *plan, const wm_task *task, const wm_colony_terms *terms) {
    enum { ALIGNMENT = 64 };
    __builtin_memset(plan, 0, sizeof *plan);
    plan->task = task;
    plan->terms = *terms;
    plan->worms = (int32_t)terms->worms;
    digest d = digest_begin();
    digest_u64(&d, task->identity);
    digest_bytes(&d, (const uint8_t *)terms, sizeof *terms);
    plan->identity = digest_end(&d);
    plan->n_features = task->n_features + (terms->senses_company != 0);
    if (terms->senses_scents)
        plan->n_features += WM_SCENTS * scent_features(&task->terms);
    plan->world_at = (int32_t)((sizeof(wm_colony) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    plan->size = plan->world_at + plan->worms * task->world_size;
    fill_scent(plan, WM_ALARM, terms->alarm_decay, terms->alarm_half_life);
    fill_scent(plan, WM_FOUND, terms->found_decay, terms->found_half_life);
}

/* ---- scents --------------------------------------------------------------------------------- */

static int most_sources(const wm_colony *c, enum wm_scent scent) {
    const wm_colony_terms *t = &c->plan->terms;
    return (int)(scent == WM_ALARM ? t->alarm_sources : t->found_sources);
}

/* A new source; the oldest gives way where there are as many as there may be. */
static void leave_scent(wm_colony *c, enum wm_scent scent, const wm_world *w) {
    const wm_colony_terms *t = &c->plan->terms;
    int most = most_sources(c, scent), at = c->oldest[scent];
    if (most == 0)
        return;
    if (c->n_sources[scent] < most)
        at = c->n_sources[scent]++;
    else
        c->oldest[scent] = (at + 1) % most;
    double strength = scent == WM_ALARM ? t->alarm_strength : t->found_strength;
    c->source[scent][at] = (wm_source){(int32_t)w->x, (int32_t)w->y, strength};
}

static void let_scents_fade(wm_colony *c) {
    for (int scent = 0; scent < WM_SCENTS; scent++)
        for (int k = 0; k < c->n_sources[scent]; k++)
            c->source[scent][k].left *= c->plan->fading[scent];
}

static int steps_between(int a, int b) { return a < b ? b - a : a - b; }

double wm_colony_scent(const wm_colony *c, enum wm_scent scent, int x, int y) {
    const wm_source *source = c->source[scent];
    double sum = 0;
    for (int k = 0; k < c->n_sources[scent]; k++) {
        int steps = steps_between(source[k].x, x) + steps_between(source[k].y, y);
        sum += source[k].left * c->plan->reach[scent][steps];
    }
    return wm_tanh(sum);
}

static void smell(wm_colony *c) {
    for (int k = 0; k < c->plan->worms; k++) {
        const wm_world *w = wm_colony_world(c, k);
        for (int scent = 0; scent < WM_SCENTS; scent++)
            c->sensed[k][scent] = wm_colony_scent(c, (enum wm_scent)scent, (int)w->x, (int)w->y);
    }
}

/* ---- sharing a dish ------------------------------------------------------------------------- */

static void share_foods(wm_colony *c) {
    const wm_world *host = wm_colony_world(c, 0);
    size_t bytes = (size_t)host->task->predators_at - sizeof *host;
    for (int k = 1; k < c->plan->worms; k++) {
        wm_world *w = wm_colony_world(c, k);
        w->n_foods = host->n_foods;
        __builtin_memcpy(w + 1, host + 1, bytes);
    }
}

static void share_predators(wm_colony *c) {
    const wm_world *host = wm_colony_world(c, 0);
    size_t bytes = (size_t)(host->task->visited_at - host->task->predators_at);
    for (int k = 1; k < c->plan->worms; k++)
        __builtin_memcpy(wm_predators(wm_colony_world(c, k)), wm_predators(host), bytes);
}

int wm_colony_company(const wm_colony *c, int k) {
    const wm_world *w = wm_colony_world(c, k);
    int near = 0;
    for (int j = 0; j < c->plan->worms; j++) {
        const wm_world *other = wm_colony_world(c, j);
        double gap = wm_abs(other->x - w->x) + wm_abs(other->y - w->y);
        near += j != k && !other->gone && gap <= c->plan->terms.company_radius;
    }
    return near;
}

/* ---- the start ------------------------------------------------------------------------------ */

/* Worms begin around the middle, the first one in it. */
static void take_start(wm_world *w, int k) {
    static const int8_t X[WM_MAX_WORMS] = {0, 2, -2, 0, 0, 2, -2, 2, -2, 1};
    static const int8_t Y[WM_MAX_WORMS] = {0, 0, 0, 2, -2, 2, -2, -2, 2, 1};
    w->x += X[k];
    w->y += Y[k];
}

void wm_colony_begin(wm_colony *c, const wm_colony_plan *plan, uint64_t seed) {
    __builtin_memset(c, 0, (size_t)plan->size);
    c->plan = plan;
    c->alive = plan->worms;
    for (int k = 0; k < plan->worms; k++) {
        wm_wake(wm_colony_world(c, k), plan->task, seed);
        take_start(wm_colony_world(c, k), k);
    }
    wm_world *host = wm_colony_world(c, 0);
    host->crowd = (uint8_t)(plan->worms - 1);
    wm_furnish(host);
    share_foods(c);
    share_predators(c);
    for (int k = 0; k < plan->worms; k++)
        wm_take_place(wm_colony_world(c, k));
}

/* ---- a step --------------------------------------------------------------------------------- */

/* What a step has brought each worm so far. */
typedef struct {
    bool acts[WM_MAX_WORMS], ate[WM_MAX_WORMS];
    double nearer[WM_MAX_WORMS], paid[WM_MAX_WORMS], lived[WM_MAX_WORMS];
} wm_outcome;

static bool same_place(const wm_world *a, const wm_world *b) { return a->x == b->x && a->y == b->y; }

/* Who gets the food that worm k and perhaps others stand on: the first of them, or one that is drawn. */
static int winner(wm_colony *c, const wm_outcome *r, int k) {
    int rivals[WM_MAX_WORMS], n = 0;
    for (int j = k; j < c->plan->worms; j++)
        if (r->acts[j] && !r->ate[j] && same_place(wm_colony_world(c, j), wm_colony_world(c, k))
            && wm_food_here(wm_colony_world(c, j)) >= 0)
            rivals[n++] = j;
    if (n > 1 && c->plan->terms.drawn_contests)
        return rivals[random_below(&wm_colony_world(c, 0)->random, n)];
    return rivals[0];
}

static void eat(wm_colony *c, wm_outcome *r, int k, int food) {
    wm_world *w = wm_colony_world(c, k);
    r->ate[k] = true;
    r->paid[k] += wm_swallow(w);
    wm_bite(wm_colony_world(c, 0), food);
    share_foods(c);
    wm_seek_anew(w);
    r->paid[k] += wm_finish_meal(w);
    for (int j = 0; j < c->plan->worms; j++)
        if (j != k && r->acts[j])
            wm_look(wm_colony_world(c, j));
    leave_scent(c, WM_FOUND, w);
}

static void eat_all(wm_colony *c, wm_outcome *r) {
    for (int k = 0; k < c->plan->worms; k++) {
        if (!r->acts[k] || r->ate[k] || wm_food_here(wm_colony_world(c, k)) < 0)
            continue;
        int who = winner(c, r, k);
        eat(c, r, who, wm_food_here(wm_colony_world(c, who)));
        k -= who != k; /* those that lost may find a portion left */
    }
}

static void meet_predators(wm_colony *c, wm_outcome *r) {
    for (int k = 0; k < c->plan->worms; k++) {
        wm_world *w = wm_colony_world(c, k);
        if (!r->acts[k] || w->ended)
            continue;
        double before = w->damage;
        r->lived[k] += wm_meet_predators(w, wm_nearest_predator(w, w->x, w->y));
        if (w->damage > before || w->ended == WM_PREDATOR)
            leave_scent(c, WM_ALARM, w);
    }
}

static bool any_alive(const wm_colony *c) {
    for (int k = 0; k < c->plan->worms; k++)
        if (!wm_colony_world(c, k)->ended)
            return true;
    return false;
}

static void live_with_predators(wm_colony *c, wm_outcome *r) {
    meet_predators(c, r);
    if (!any_alive(c))
        return;
    wm_move_predators(wm_colony_world(c, 0));
    share_predators(c);
    meet_predators(c, r);
}

static void endure(wm_colony *c, wm_outcome *r, int k) {
    wm_world *w = wm_colony_world(c, k);
    if (w->ended == WM_COMPLETED_ALL_FOOD)
        return;
    double hunger = w->task->terms.satiety_decay;
    if (c->plan->terms.company_hunger != 1 && wm_colony_company(c, k) > 0)
        hunger *= c->plan->terms.company_hunger;
    if (w->task->terms.predators > 0)
        r->lived[k] += wm_die_if_spent(w);
    r->paid[k] += wm_endure(w, r->lived[k], hunger);
}

/* Takes note of those that ended in this step. */
static void let_leave(wm_colony *c) {
    enum wm_leaving leaving = (enum wm_leaving)c->plan->terms.leaving;
    int alive = 0;
    for (int k = 0; k < c->plan->worms; k++) {
        wm_world *w = wm_colony_world(c, k);
        alive += !w->ended;
        w->gone = w->ended && leaving == WM_REMOVE;
    }
    if (leaving == WM_END_ALL && alive < c->plan->worms)
        for (int k = 0; k < c->plan->worms; k++) {
            wm_world *w = wm_colony_world(c, k);
            w->ended = w->ended ? w->ended : WM_MAX_STEPS;
            alive = 0;
        }
    c->alive = alive;
}

static void set_out(wm_colony *c, wm_outcome *r, const int32_t *actions) {
    for (int k = 0; k < c->plan->worms; k++) {
        wm_world *w = wm_colony_world(c, k);
        r->acts[k] = !w->ended;
        if (w->ended)
            continue;
        wm_set_out(w);
        wm_walk(w, actions[k]);
        w->last_action = actions[k];
        r->nearer[k] = wm_note_move(w);
    }
}

static double end_step(wm_world *w, const wm_outcome *r, int k) {
    double nearest = w->task->terms.predators > 0 ? wm_nearest_predator(w, w->x, w->y) : 0;
    return wm_end_step(w, r->paid[k], r->nearer[k], nearest, r->ate[k]);
}

void wm_colony_step(wm_colony *c, const int32_t *actions, double *rewards) {
    wm_outcome r = {0};
    if (c->alive == 0) {
        for (int k = 0; k < c->plan->worms; k++)
            rewards[k] = 0;
        return;
    }
    c->step++;
    if (c->plan->terms.senses_scents)
        smell(c);
    let_scents_fade(c);
    set_out(c, &r, actions);
    eat_all(c, &r);
    if (c->plan->task->terms.predators > 0)
        live_with_predators(c, &r);
    for (int k = 0; k < c->plan->worms; k++)
        if (r.acts[k])
            endure(c, &r, k);
    for (int k = 0; k < c->plan->worms; k++) {
        wm_world *w = wm_colony_world(c, k);
        rewards[k] = r.acts[k] ? end_step(w, &r, k) : 0;
        w->total_reward += rewards[k];
        if (r.acts[k])
            wm_perceive(w, false);
    }
    let_leave(c);
}

/* ---- senses --------------------------------------------------------------------------------- */

static double scent_at(const wm_colony *c, enum wm_scent scent, double x, double y) {
    double last = c->plan->task->side - 1;
    return wm_colony_scent(c, scent, (int)wm_clamp(x, 0, last), (int)wm_clamp(y, 0, last));
}

static float *scent_vector(const wm_colony *c, const wm_world *w, enum wm_scent scent, float *out) {
    double dx = (scent_at(c, scent, w->x + 1, w->y) - scent_at(c, scent, w->x - 1, w->y)) / 2;
    double dy = (scent_at(c, scent, w->x, w->y + 1) - scent_at(c, scent, w->x, w->y - 1)) / 2;
    double ahead = dx * w->cosine + dy * w->sine, left = dy * w->cosine - dx * w->sine;
    *out++ = (float)scent_at(c, scent, w->x, w->y);
    *out++ = (float)(wm_atan2(left, ahead) / WM_PI);
    return out;
}

static float *scent_features_of(const wm_colony *c, int k, enum wm_scent scent, float *out) {
    static const double SHARPNESS = 50;
    const wm_world *w = wm_colony_world(c, k);
    enum wm_mode mode = (enum wm_mode)w->task->terms.food_mode;
    if (mode == WM_ORACLE)
        return scent_vector(c, w, scent, out);
    double now = scent_at(c, scent, w->x, w->y);
    *out++ = (float)now;
    if (mode == WM_KLINOTAXIS) {
        double right = scent_at(c, scent, w->x + w->sine, w->y - w->cosine);
        double left = scent_at(c, scent, w->x - w->sine, w->y + w->cosine);
        *out++ = (float)wm_tanh(SHARPNESS * (right - left));
    }
    if (mode >= WM_DERIVATIVE)
        *out++ = (float)(c->step ? wm_tanh(SHARPNESS * (now - c->sensed[k][scent])) : 0);
    return out;
}

void wm_colony_features(const wm_colony *c, int k, float *out) {
    static const double MOST_COMPANY = 10;
    const wm_colony_terms *t = &c->plan->terms;
    wm_features(wm_colony_world(c, k), out);
    out += c->plan->task->n_features;
    if (t->senses_scents)
        for (int scent = 0; scent < WM_SCENTS; scent++)
            out = scent_features_of(c, k, (enum wm_scent)scent, out);
    if (t->senses_company)
        *out = (float)(wm_colony_company(c, k) / MOST_COMPANY);
}
