/* Part of the rule set "framework": what tiles and kinds are, events, and the coming and going of
 * sprites and of Mario's life. */

enum { CULL_ASIDE = 64, CULL_BELOW = 32, FALL_KILL_Y = PF_SCREEN + 32 };
enum { POWER_PAUSE = 9, HURT_INVULNERABLE = 32, FIREBALL_LIMIT = 2, MUZZLE_PERIOD = 100 };

static const float INERTIA = 0.89f, DAMPING = 0.85f, WINGED_DAMPING = 0.95f, JUMP_SPEED = -1.9f;

/* speed * DAMPING to the last bit. The speed of a body at rest is subnormal, and those are slow to
 * multiply; the product of integers, rounded to the nearest even one, is the same. */
PF_INLINE float damped(float speed) {
    enum { LEAST_NORMAL = 1 << 23, NUMERATOR = 14260634, SHIFT = 24 }; /* DAMPING is their quotient */
    union {
        float real;
        uint32_t bits;
    } v = {speed};
    if (PF_LIKELY(v.bits - 1 >= LEAST_NORMAL - 1))
        return speed * DAMPING;
    uint64_t product = (uint64_t)v.bits * NUMERATOR, half = (uint64_t)1 << (SHIFT - 1);
    v.bits = (uint32_t)((product + half - 1 + (product >> SHIFT & 1)) >> SHIFT);
    return v.real;
}

static const uint8_t features[256] = {
    [1] = FEATURE_ALL,
    [2] = FEATURE_ALL,
    [3] = FEATURE_ALL,
    [4] = FEATURE_ALL,
    [5] = FEATURE_ALL,
    [6] = FEATURE_ALL | FEATURE_BREAKABLE,
    [7] = FEATURE_ALL | FEATURE_BUMPABLE,
    [8] = FEATURE_ALL | FEATURE_BUMPABLE | FEATURE_SPECIAL,
    [11] = FEATURE_ALL | FEATURE_BUMPABLE,
    [14] = FEATURE_ALL,
    [15] = FEATURE_PICKABLE,
    [18] = FEATURE_ALL,
    [19] = FEATURE_ALL,
    [20] = FEATURE_ALL,
    [21] = FEATURE_ALL,
    [43] = FEATURE_LOWER,
    [44] = FEATURE_LOWER,
    [45] = FEATURE_LOWER,
    [46] = FEATURE_LOWER,
    [48] = FEATURE_UPPER | FEATURE_BUMPABLE | FEATURE_LIFE,
    [49] = FEATURE_UPPER | FEATURE_BUMPABLE,
    [50] = FEATURE_ALL | FEATURE_BUMPABLE | FEATURE_SPECIAL,
    [51] = FEATURE_ALL | FEATURE_BUMPABLE | FEATURE_LIFE,
    [52] = FEATURE_ALL,
    [53] = FEATURE_ALL,
    [PF_LADDER_TOP] = FEATURE_LOWER,
    [PF_LOCK] = FEATURE_ALL,
    [PF_LOCK + 1] = FEATURE_ALL,
    [PF_LOCK + 2] = FEATURE_ALL,
    [PF_DOOR_CLOSED] = FEATURE_ALL,
    [PF_DOOR_CLOSED + 1] = FEATURE_ALL,
    [PF_DOOR_CLOSED + 2] = FEATURE_ALL,
};

enum { USED_BLOCK = 14, MUZZLE = 3 };

static const uint8_t height_of[PF_KINDS] = {
    [PF_GOOMBA] = 12,      [PF_GOOMBA_WINGED] = 12,
    [PF_RED_KOOPA] = 24,   [PF_RED_KOOPA_WINGED] = 24,
    [PF_GREEN_KOOPA] = 24, [PF_GREEN_KOOPA_WINGED] = 24,
    [PF_SPIKY] = 12,       [PF_SPIKY_WINGED] = 12,
    [PF_BULLET_BILL] = 12, [PF_ENEMY_FLOWER] = 12,
    [PF_MUSHROOM] = 12,    [PF_FIRE_FLOWER] = 12,
    [PF_SHELL] = 12,       [PF_LIFE_MUSHROOM] = 12,
    [PF_FIREBALL] = 8,
};

PF_INLINE bool is_walker(int kind) { return kind >= PF_GOOMBA && kind <= PF_SPIKY_WINGED; }
PF_INLINE bool is_koopa(int kind) { return kind >= PF_RED_KOOPA && kind <= PF_GREEN_KOOPA_WINGED; }
PF_INLINE bool is_spiky(int kind) { return kind == PF_SPIKY || kind == PF_SPIKY_WINGED; }
PF_INLINE bool avoids_cliffs(int kind) { return kind == PF_RED_KOOPA || kind == PF_RED_KOOPA_WINGED; }
PF_INLINE bool is_enemy(int kind) {
    return is_walker(kind) || kind == PF_ENEMY_FLOWER || kind == PF_BULLET_BILL;
}

static void update(pf_world *w, pf_sprite *s);


static PF_COLD void emit(pf_world *w, enum pf_event_kind kind, int param) {
    if (w->n_events == w->event_capacity) {
        w->overflow = 1;
        return;
    }
    const pf_mario *m = &w->mario;
    pf_events(w)[w->n_events++] = (pf_event){
        (uint8_t)kind, (uint8_t)param, (uint8_t)pf_mode(m), 0, w->tick, m->body.x, m->body.y};
}

static void lose(pf_world *w) {
    emit(w, PF_LOST, 0);
    w->status = PF_LOSE;
    w->mario.alive = 0;
}

static void hurt(pf_world *w) {
    pf_mario *m = &w->mario;
    if (m->invulnerable > 0 || !m->alive || w->physics.invulnerable)
        return;
    if (!m->large) {
        lose(w);
        return;
    }
    w->pause = POWER_PAUSE;
    if (m->fire)
        m->fire = 0;
    else
        m->large = 0;
    m->invulnerable = HURT_INVULNERABLE;
}

static void collect_coin(pf_world *w) {
    if (!w->mario.alive)
        return;
    w->coins++;
    if (w->coins % 100 == 0)
        w->lives++;
}

static void eat(pf_world *w, int kind) {
    pf_mario *m = &w->mario;
    if (!m->alive)
        return;
    if (kind == PF_LIFE_MUSHROOM) {
        w->lives++;
    } else if (kind == PF_MUSHROOM ? m->large : m->fire) {
        collect_coin(w);
    } else {
        w->pause = POWER_PAUSE;
        m->large = 1;
        m->fire |= kind == PF_FIRE_FLOWER;
    }
}

static void remove_sprite(pf_world *w, pf_sprite *s) {
    s->alive = 0;
    w->n_removed++;
}

/* Puts a sprite behind the list and lets it move once, as every newcomer does in its first tick. */
static pf_sprite *add(pf_world *w, int kind, float x, float y, int facing, float vy, int key) {
    int at = w->n_sprites + w->n_added;
    if (at == w->sprite_capacity) {
        w->overflow = 1;
        at--;
    } else {
        w->n_added++;
    }
    pf_sprite *s = pf_sprites(w) + at;
    *s = (pf_sprite){
        .body = {x, y, 0, vy, (int8_t)facing, 0, kind == PF_ENEMY_FLOWER ? 2 : 4, height_of[kind]},
        .kind = (uint8_t)kind,
        .alive = 1,
        .winged = is_walker(kind) && kind % 2 == 1,
        .key = key,
        .y_start = kind == PF_ENEMY_FLOWER ? y : 0,
    };
    return s;
}

static void add_and_update(pf_world *w, int kind, float x, float y, int facing, float vy, int key) {
    update(w, add(w, kind, x, y, facing, vy, key));
}
