/* The rule set "2009": the engine of the Mario AI competition of 2009, and nothing else. */
#define GROUND_INSIDE 0
#include "platformer/rules/2009/2009.h"
#include "platformer/rules/competition/competition.inc"

enum { START_X = 32, FALL_DEATH = 256 };

static const bool cells_lag = true;

PF_INLINE bool is_creature(int kind) { return is_walker(kind) || kind == PF_ENEMY_FLOWER; }
PF_INLINE bool keeps_off_cliffs(int kind) { return avoids_cliffs(kind); }
PF_INLINE int screen_width(const pf_world *w) { return (void)w, SCREEN_WIDTH; }
PF_INLINE int screen_height(const pf_world *w) { return (void)w, SCREEN_HEIGHT; }
PF_INLINE uint8_t *killed_flag(const pf_world *w, int key) { return pf_2009_templates(w) + key; }
static void update_other(pf_world *w, pf_sprite *s) { (void)w, (void)s; }

/* ---- Mario's life ------------------------------------------------------------------------------ */

/* A power change makes the world stand still for a tick, in which only Mario moves. */
PF_INLINE bool reacts(const pf_world *w) { return !w->pause && !pf_competition_of(w)->death_time; }

static void die(pf_world *w, int status) {
    emit(w, PF_LOST, 0);
    w->pause = 1;
    w->status = status;
    w->mario.alive = 0;
    pf_competition_of(w)->death_time = DEATH_TIME;
}

static void win(pf_world *w) {
    emit(w, PF_WON, 0);
    w->pause = 1;
    w->status = PF_WIN;
    pf_competition_of(w)->win_time = 1;
}

static void hurt(pf_world *w, int kind) {
    pf_mario *m = &w->mario;
    (void)kind;
    if (!reacts(w) || m->invulnerable > 0)
        return;
    pf_competition_of(w)->collisions++;
    if (!m->large) {
        die(w, PF_LOSE);
        return;
    }
    w->pause = 1;
    set_power(w, m->fire, false);
    m->invulnerable = HURT_INVULNERABLE;
}

static void collect_coin(pf_world *w) {
    w->coins++;
    if (w->coins % 100 == 0)
        w->lives++;
}

static void eat(pf_world *w, int kind) {
    const pf_mario *m = &w->mario;
    if (!reacts(w))
        return;
    if (kind == PF_MUSHROOM ? m->large : m->fire) {
        collect_coin(w);
    } else {
        w->pause = 1;
        set_power(w, true, kind == PF_FIRE_FLOWER);
    }
}

static void empty_block(pf_world *w, int i, int j, int byte) {
    int item = w->mario.large ? PF_FIRE_FLOWER : PF_MUSHROOM;
    pf_competition_of(w)->hidden += byte == HIDDEN_COIN || byte == HIDDEN_POWER_UP;
    set_block(w, i, j, USED_BLOCK);
    if (features[byte] & FEATURE_SPECIAL)
        add_and_update(w, item, (float)(16 * i + 8), (float)(16 * j + 8), 1, 0, -1);
    else
        collect_coin(w);
}

/* ---- kills ------------------------------------------------------------------------------------- */

static void emit_kill(pf_world *w, int kind, enum cause cause) {
    static const uint8_t events[] = {PF_STOMP_KILL, PF_SHELL_KILL, PF_FIRE_KILL};
    if (cause != BY_BUMP)
        emit(w, events[cause], kind);
}

static void count_kill(pf_world *w, const pf_sprite *s, enum cause cause) {
    pf_2009 *t = pf_2009_of(w);
    if (s->kind == PF_BULLET_BILL) {
        t->kills[cause == BY_STOMP ? KILLS_BILL_STOMP : KILLS_BILL_SHELL]++;
    } else if (s->kind == PF_SHELL) {
        t->kills[KILLS_SHELL_FIRE]++;
        return;
    } else {
        t->kills[cause]++;
        t->kills_by_kind[s->kind]++;
    }
    emit_kill(w, s->kind, cause);
}

static void count_broken_shell(pf_world *w, bool in_hands) {
    (void)in_hands;
    pf_2009_of(w)->kills[KILLS_SHELL_DIE]++;
}

static void stomped(pf_world *w) { (void)w; }
static void shake_brick(pf_world *w, int i, int j) { (void)w, (void)i, (void)j; }

/* ---- Mario's update ---------------------------------------------------------------------------- */

/* A fall and the exit in the same tick end as a win. */
PF_INLINE void keep_inside(pf_world *w) {
    pf_body *b = &w->mario.body;
    float right = (float)(16 * w->level->width);
    if (PF_UNLIKELY(b->y > FALL_DEATH))
        die(w, PF_LOSE);
    if (b->x < 0) {
        b->x = 0;
        b->vx = 0;
    }
    if (PF_UNLIKELY(b->x > (float)(16 * w->level->exit_x)))
        win(w);
    if (PF_UNLIKELY(b->x > right)) {
        b->x = right;
        b->vx = 0;
    }
}

PF_INLINE void update_mario(pf_world *w, unsigned action) {
    pf_mario *m = &w->mario;
    pf_body *b = &m->body;
    pf_competition *c = pf_competition_of(w);
    c->map_x = tile_at(b->x);
    c->map_y = tile_at(b->y);
    if (PF_UNLIKELY(c->death_time > 0)) {
        update_dead_mario(w);
        return;
    }
    m->invulnerable -= m->invulnerable > 0;
    m->was_on_ground = b->on_ground;
    if (b->on_ground)
        m->ducking = (action & HOLD_DOWN) && m->large;
    face_along(b);
    jump(w, action);
    steer(w, action);
    if ((action & HOLD_SPEED) && m->can_shoot && m->fire && w->fireballs < FIREBALL_LIMIT)
        shoot(w);
    w->pause = 0;
    m->can_shoot = !(action & HOLD_SPEED);
    m->may_jump = (b->on_ground || c->sliding) && !(action & HOLD_JUMP);
    if (b->vx < 0.5f && b->vx > -0.5f)
        b->vx = 0;
    set_height(m);
    move_mario(w);
    keep_inside(w);
    b->vy = damped(b->vy);
    b->vx *= INERTIA;
    if (!b->on_ground)
        b->vy += w->physics.mario_gravity;
    if (PF_UNLIKELY(c->carrying))
        carry_shell(w, action & HOLD_SPEED);
}

/* ---- the tick ---------------------------------------------------------------------------------- */

static void spawn(pf_world *w, const pf_template *t, int key) {
    int x = 16 * t->column, y = 16 * t->row, direction = direction_to_mario(w, t->column);
    if (t->kind != PF_ENEMY_FLOWER) {
        add_and_update(w, t->kind, (float)(x + 8), (float)(y + 15), direction ? direction : 1, 0, key);
        return;
    }
    enum { UPDATES = 4 + 1 }; /* as it is born, and as it is added */
    pf_sprite *s = add(w, t->kind, (float)(x + 15), (float)(y + 24), 1, -8, key);
    s->body.y -= 1;
    for (int k = 0; k < UPDATES; k++)
        update(w, s);
}

static void tick(pf_world *w, unsigned action) {
    pf_competition *c = pf_competition_of(w);
    if (PF_UNLIKELY(w->status != PF_RUNNING))
        return;
    w->n_events = 0;
    w->shells_queued = w->fireballs_queued = 0;
    c->buttons = (uint8_t)action;
    c->clock++;
    if (w->timer > 0 && --w->timer == 0)
        die(w, PF_TIME_OUT);
    follow_mario(w);
    cull(w);
    if (PF_UNLIKELY(w->pause)) {
        update_mario(w, action);
    } else {
        w->tick++;
        spawn_pass(w);
        update_all(w, action);
        touch_all(w);
        hit_all(w);
    }
    if (PF_UNLIKELY(w->n_added | w->n_removed))
        commit(w);
}

static void begin(pf_world *w, int mode) { begin_competition(w, mode, START_X, 0); }

/* ---- the tail ---------------------------------------------------------------------------------- */

static size_t world_tail_size(const pf_cells *cells) {
    return sizeof(pf_2009) + (size_t)cells->map->n_templates;
}

static void digest_tail(const pf_world *w, digest *d) {
    const pf_2009 *t = pf_2009_of(w);
    pf_digest_competition(w, pf_2009_templates(w), d);
    digest_counts(d, t->kills, KILL_CAUSES);
    digest_counts(d, t->kills_by_kind, PF_KINDS);
}

static bool tail_fits(const pf_level *level, const void *tail) {
    pf_2009 t;
    memcpy(&t, tail, sizeof t);
    for (int k = 0; k < KILL_CAUSES; k++)
        if (t.kills[k] < 0)
            return false;
    for (int k = 0; k < PF_KINDS; k++)
        if (t.kills_by_kind[k] < 0)
            return false;
    return pf_competition_fits(&t.common) && pf_templates_fit(level, (const uint8_t *)tail + sizeof t);
}

static bool carries(const pf_world *w) { return pf_competition_of(w)->carrying; }
static void see_extra(const pf_world *w, void *out) { pf_2009_level_bits(w, out); }
static bool slides(const pf_world *w) { return pf_competition_of(w)->sliding; }

extern const pf_rules pf_rules_2009;
const pf_rules pf_rules_2009 = {
    .name = "2009",
    .version = 1,
    .n_kinds = PF_KINDS,
    .n_actions = HOLD_UP,
    .buttons = "1 LEFT, 2 RIGHT, 4 DOWN, 8 JUMP, 16 SPEED",
    .maps = true,
    .used_block = USED_BLOCK,
    .exact_models = true,
    .world_tail_size = world_tail_size,
    .begin = begin,
    .tick = tick,
    .features = features,
    .digest_tail = digest_tail,
    .tail_fits = tail_fits,
    .scene_codes = {pf_2009_scene_0, pf_2009_scene_1, pf_2009_scene_2},
    .enemy_codes = {pf_2009_kinds, pf_2009_enemies_1, pf_2009_enemies_2},
    .listed_kinds = pf_2009_listed_kinds,
    .air_outside = true,
    .seen_in_cells = true,
    .keeps_code = MUZZLE,
    .carries = carries,
    .slides = slides,
    .extra_size = PF_2009_BITS,
    .see_extra = see_extra,
    .trace_columns = pf_2009_columns,
    .write_trace = pf_2009_trace,
};
