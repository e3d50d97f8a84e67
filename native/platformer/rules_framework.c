/* The rule set "framework": one tick of the Mario-AI-Framework engine, quirks included.
 *
 * The sprite list of the reference puts newcomers in front and has Mario last. Here it is an array
 * read from its end: sprites[n_sprites - 1] is first in engine order, Mario stands outside of it and
 * comes last. Sprites born in a tick wait behind the list until the commit.
 */
#include "motion.h"

enum { GRAB_WIDTH = 16, WALKER_GRAB_WIDTH = 12, FLOWER_GRAB_WIDTH = 8 };
enum { CULL_ASIDE = 64, CULL_BELOW = 32, FALL_KILL_Y = PF_SCREEN + 32 };
enum { POWER_PAUSE = 9, HURT_INVULNERABLE = 32, FIREBALL_LIMIT = 2, MUZZLE_PERIOD = 100 };

static const float INERTIA = 0.89f, DAMPING = 0.85f, WINGED_DAMPING = 0.95f, JUMP_SPEED = -1.9f;

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

/* ---- events, life and death ----------------------------------------------------------------- */

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

/* ---- blocks --------------------------------------------------------------------------------- */

static bool stands_on(const pf_body *b, int i, int j) {
    return b->x + (float)b->half_width > (float)(16 * i)
           && b->x - (float)b->half_width < (float)(16 * i + 16) && j == tile_at(b->y - 1);
}

static void bump_sprite(pf_world *w, pf_sprite *s, int i, int j) {
    if (is_walker(s->kind) || s->kind == PF_ENEMY_FLOWER) {
        if (stands_on(&s->body, i, j))
            remove_sprite(w, s);
    } else if (s->kind == PF_SHELL || s->kind == PF_MUSHROOM || s->kind == PF_LIFE_MUSHROOM) {
        if (stands_on(&s->body, i, j)) {
            s->body.facing = (int8_t)-w->mario.body.facing;
            s->body.vy = -10;
        }
    }
}

/* What lies or stands on tile (i, j) feels that the block below was hit. */
static void bump_into(pf_world *w, int i, int j) {
    if (features[block(w, i, j)] & FEATURE_PICKABLE) {
        emit(w, PF_COLLECT, PF_COIN_TILE);
        collect_coin(w);
        set_block(w, i, j, 0);
    }
    pf_sprite *sprites = pf_sprites(w);
    for (int k = w->n_sprites - 1; k >= 0; k--)
        if (sprites[k].alive)
            bump_sprite(w, &sprites[k], i, j);
}

static PF_COLD void bump(pf_world *w, int i, int j, bool can_break) {
    unsigned f = features[block(w, i, j)];
    float x = (float)(16 * i + 9), y = (float)(16 * j + 8);
    if (f & FEATURE_BUMPABLE) {
        bump_into(w, i, j - 1);
        emit(w, PF_BUMP, PF_BUMPED_BLOCK);
        set_block(w, i, j, USED_BLOCK);
        if (f & FEATURE_SPECIAL)
            add_and_update(w, w->mario.large ? PF_FIRE_FLOWER : PF_MUSHROOM, x, y, 1, 0, -1);
        else if (f & FEATURE_LIFE)
            add_and_update(w, PF_LIFE_MUSHROOM, x, y, 1, 0, -1);
        else
            collect_coin(w);
    } else if (f & FEATURE_BREAKABLE) {
        bump_into(w, i, j - 1);
        if (can_break) {
            emit(w, PF_BUMP, PF_BROKE_BRICK);
            set_block(w, i, j, 0);
        }
    }
}

PF_INLINE void mario_probed(pf_world *w, int i, int j, bool blocked, float direction) {
    if (PF_UNLIKELY(features[block(w, i, j)] & FEATURE_PICKABLE)) {
        emit(w, PF_COLLECT, PF_COIN_TILE);
        collect_coin(w);
        set_block(w, i, j, 0);
    }
    if (blocked && direction < 0)
        bump(w, i, j, w->mario.large);
}

static void shell_probed(pf_world *w, int i, int j) { bump(w, i, j, true); }

/* ---- Mario ---------------------------------------------------------------------------------- */

static void mario_move_y(pf_world *w, float dy) {
    if (!move_y(w, &w->mario.body, dy, MOVES_AS_MARIO, false) && dy < 0)
        w->mario.jump_time = 0;
}

/* Whether his head would hit something 4 pixels up; hits it if so. */
static bool head_is_blocked(pf_world *w) {
    const pf_body *b = &w->mario.body;
    float edge = (float)b->half_width;
    int i = tile_at(b->x), j = tile_at(b->y), row = tile_at(b->y - 4 - (float)b->height);
    unsigned up = FEATURE_ALL | FEATURE_UPPER;
    return probe(w, i, j, i, row, up, -4, MOVES_AS_MARIO)
           || probe(w, i, j, tile_at(b->x - edge), row, up, -4, MOVES_AS_MARIO)
           || probe(w, i, j, tile_at(b->x + edge), row, up, -4, MOVES_AS_MARIO);
}

static void take_off(pf_world *w) {
    pf_mario *m = &w->mario;
    m->jump_time = w->physics.jump_ticks;
    m->body.vy = (float)m->jump_time * JUMP_SPEED;
    m->body.on_ground = 0;
    if (!head_is_blocked(w)) {
        m->jump_start_x = m->body.x;
        emit(w, PF_JUMPED, 0);
    }
}

PF_INLINE void jump(pf_world *w, unsigned action) {
    pf_mario *m = &w->mario;
    if (!(action & PF_JUMP)) {
        m->jump_time = 0;
    } else if (m->body.on_ground && m->may_jump) {
        take_off(w);
    } else if (m->jump_time > 0) {
        m->body.vy = (float)m->jump_time * JUMP_SPEED;
        m->jump_time--;
    }
}

PF_INLINE void steer(pf_mario *m, unsigned action) {
    float acceleration = action & PF_SPEED ? 1.2f : 0.6f;
    if (m->ducking)
        return;
    if (action & PF_LEFT) {
        m->body.vx -= acceleration;
        m->body.facing = -1;
    }
    if (action & PF_RIGHT) {
        m->body.vx += acceleration;
        m->body.facing = 1;
    }
}

static void shoot(pf_world *w) {
    const pf_body *b = &w->mario.body;
    add_and_update(w, PF_FIREBALL, b->x + (float)(6 * b->facing), b->y - 20, b->facing, 4, -1);
}

PF_INLINE void keep_inside(pf_world *w) {
    pf_body *b = &w->mario.body;
    float exit_x = (float)(16 * w->level->exit_x);
    if (b->x < 0) {
        b->x = 0;
        b->vx = 0;
    }
    if (PF_UNLIKELY(b->x > exit_x)) {
        b->x = exit_x;
        b->vx = 0;
        emit(w, PF_WON, 0);
        w->status = PF_WIN;
    }
}

PF_INLINE void update_mario(pf_world *w, unsigned action) {
    pf_mario *m = &w->mario;
    pf_body *b = &m->body;
    if (!m->alive)
        return;
    m->invulnerable -= m->invulnerable > 0;
    m->was_on_ground = b->on_ground;
    if (b->on_ground)
        m->ducking = (action & PF_DOWN) && m->large;
    b->height = m->large && !m->ducking ? 24 : 12;
    if (b->vx > 2)
        b->facing = 1;
    if (b->vx < -2)
        b->facing = -1;
    jump(w, action);
    steer(m, action);
    if ((action & PF_SPEED) && m->can_shoot && m->fire && w->fireballs < FIREBALL_LIMIT)
        shoot(w);
    m->can_shoot = !(action & PF_SPEED);
    m->may_jump = b->on_ground && !(action & PF_JUMP);
    if (b->vx < 0.5f && b->vx > -0.5f)
        b->vx = 0;
    b->on_ground = 0;
    move_x(w, b, b->vx, MOVES_AS_MARIO, false);
    mario_move_y(w, b->vy);
    if (!m->was_on_ground && b->on_ground && m->jump_start_x >= 0) {
        emit(w, PF_LANDED, 0);
        m->jump_start_x = -100;
    }
    keep_inside(w);
    b->vy *= DAMPING;
    b->vx *= b->facing > 0 ? w->physics.inertia_right : w->physics.inertia_left;
    if (!b->on_ground)
        b->vy += w->physics.mario_gravity;
}

/* Mario bounces off what he stomped. */
static void bounce(pf_world *w, const pf_body *victim) {
    pf_mario *m = &w->mario;
    if (!m->alive)
        return;
    float target = victim->y - (float)(victim->height / 2);
    mario_move_y(w, target - m->body.y);
    m->jump_time = w->physics.stomp_ticks;
    m->body.vy = (float)m->jump_time * JUMP_SPEED;
    m->body.on_ground = 0;
    m->invulnerable = 1;
}

/* ---- creatures and items move ---------------------------------------------------------------- */

PF_INLINE void face_along(pf_body *b) {
    if (b->vx > 2)
        b->facing = 1;
    if (b->vx < -2)
        b->facing = -1;
}

/* A step sideways at this speed, turning at walls, then falling. */
PF_INLINE void stroll(pf_world *w, pf_body *b, float speed, enum mover how, bool stays) {
    b->vx = (float)b->facing * speed;
    if (!move_x(w, b, b->vx, how, stays))
        b->facing = (int8_t)-b->facing;
    b->on_ground = 0;
    move_y(w, b, b->vy, how, stays);
}

static void update_walker(pf_world *w, pf_sprite *s) {
    pf_body *b = &s->body;
    const pf_physics *p = &w->physics;
    face_along(b);
    if (avoids_cliffs(s->kind))
        stroll(w, b, 1.75f, MOVES_FROM_CLIFFS, p->frozen);
    else
        stroll(w, b, 1.75f, MOVES_PLAIN, p->frozen);
    b->vy *= s->winged ? WINGED_DAMPING : DAMPING;
    b->vx *= b->facing > 0 ? p->inertia_right : p->inertia_left;
    if (!b->on_ground)
        b->vy += s->winged ? p->winged_gravity : p->walker_gravity;
    else if (s->winged)
        b->vy = -10;
}

static void update_shell(pf_world *w, pf_sprite *s) {
    pf_body *b = &s->body;
    face_along(b);
    s->queued = b->facing != 0;
    w->shells_queued += s->queued;
    stroll(w, b, 11, MOVES_AS_SHELL, false);
    b->vy *= DAMPING;
    b->vx *= INERTIA;
    if (!b->on_ground)
        b->vy += w->physics.shell_gravity;
}

static void update_mushroom(pf_world *w, pf_sprite *s) {
    pf_body *b = &s->body;
    if (s->aux < 9) {
        b->y -= 1;
        s->aux++;
        return;
    }
    face_along(b);
    stroll(w, b, 1.75f, MOVES_PLAIN, false);
    b->vy *= DAMPING;
    b->vx *= INERTIA;
    if (!b->on_ground)
        b->vy += 2;
}

static void update_fire_flower(pf_sprite *s) {
    s->aux++;
    if (s->aux < 9)
        s->body.y -= 1;
}

static void update_fireball(pf_world *w, pf_sprite *s) {
    pf_body *b = &s->body;
    face_along(b);
    b->vx = (float)b->facing * 8;
    s->queued = 1;
    w->fireballs_queued++;
    if (!move_x(w, b, b->vx, MOVES_PLAIN, false)) {
        remove_sprite(w, s);
        return;
    }
    b->on_ground = 0;
    move_y(w, b, b->vy, MOVES_PLAIN, false);
    if (b->on_ground)
        b->vy = -10;
    b->vy *= WINGED_DAMPING;
    b->vx *= INERTIA;
    if (!b->on_ground)
        b->vy += 1.5f;
}

static void update_bill(pf_world *w, pf_sprite *s) {
    s->body.vx = (float)(4 * s->body.facing);
    if (!w->physics.frozen)
        s->body.x += s->body.vx;
}

/* Up 20 pixels, wait, down, wait until Mario is not close, up again. */
static void update_flower(pf_world *w, pf_sprite *s) {
    pf_body *b = &s->body;
    if (w->physics.frozen)
        return;
    if (b->vy > 0) {
        if (b->y >= s->y_start) {
            float distance = w->mario.body.x - b->x;
            b->y = s->y_start;
            s->aux++;
            if (s->aux > 40 && (int)(distance < 0 ? -distance : distance) > 24) {
                s->aux = 0;
                b->vy = -1;
            }
        }
    } else if (b->vy < 0 && s->y_start - b->y > 20) {
        b->y = s->y_start - 20;
        s->aux++;
        if (s->aux > 40) {
            s->aux = 0;
            b->vy = 1;
        }
    }
    b->y += b->vy;
}

static void update(pf_world *w, pf_sprite *s) {
    switch (s->kind) {
    case PF_BULLET_BILL: update_bill(w, s); break;
    case PF_ENEMY_FLOWER: update_flower(w, s); break;
    case PF_MUSHROOM: case PF_LIFE_MUSHROOM: update_mushroom(w, s); break;
    case PF_FIRE_FLOWER: update_fire_flower(s); break;
    case PF_SHELL: update_shell(w, s); break;
    case PF_FIREBALL: update_fireball(w, s); break;
    default: update_walker(w, s); break;
    }
}

/* ---- contacts ------------------------------------------------------------------------------- */

/* Whether (x, y), the feet of a body of this height, lie in the open box of a victim. */
PF_INLINE bool overlaps(const pf_body *victim, const pf_body *b, float width) {
    float dx = b->x - victim->x, dy = b->y - victim->y;
    return dx > -width && dx < width && dy > -(float)victim->height && dy < (float)b->height;
}

PF_INLINE bool is_stomping(const pf_mario *m, const pf_body *victim) {
    return m->body.vy > 0 && m->body.y - victim->y <= 0
           && !(m->body.on_ground && m->was_on_ground);
}

static void harm(pf_world *w, int kind) {
    emit(w, PF_HURT, kind);
    hurt(w);
}

static void stomp_walker(pf_world *w, pf_sprite *s) {
    bounce(w, &s->body);
    if (s->winged) {
        s->winged = 0;
        s->body.vy = 0;
        return;
    }
    if (is_koopa(s->kind)) {
        pf_sprite *shell = add(w, PF_SHELL, s->body.x, s->body.y, 0, -5, s->key);
        shell->aux = s->kind >= PF_GREEN_KOOPA;
        update(w, shell);
    }
    emit(w, PF_STOMP_KILL, s->kind);
    remove_sprite(w, s);
}

static void touch_shell(pf_world *w, pf_sprite *s) {
    pf_mario *m = &w->mario;
    bool moving = s->body.facing != 0;
    if (is_stomping(m, &s->body)) {
        bounce(w, &s->body);
        s->body.facing = moving ? 0 : m->body.facing;
        if (moving)
            s->body.vx = 0;
    } else if (moving) {
        harm(w, PF_SHELL);
    } else {
        emit(w, PF_KICK, PF_SHELL);
        if (m->alive)
            m->invulnerable = 1;
        s->body.facing = m->body.facing;
    }
}

static void touch(pf_world *w, pf_sprite *s) {
    bool pointed = s->kind == PF_ENEMY_FLOWER || is_spiky(s->kind);
    switch (s->kind) {
    case PF_SHELL: touch_shell(w, s); break;
    case PF_MUSHROOM: case PF_LIFE_MUSHROOM: case PF_FIRE_FLOWER:
        emit(w, PF_COLLECT, s->kind);
        eat(w, s->kind);
        remove_sprite(w, s);
        break;
    case PF_BULLET_BILL:
        if (is_stomping(&w->mario, &s->body)) {
            bounce(w, &s->body);
            remove_sprite(w, s);
        } else {
            harm(w, s->kind);
        }
        break;
    default:
        if (!pointed && is_stomping(&w->mario, &s->body))
            stomp_walker(w, s);
        else
            harm(w, s->kind);
    }
}

static const float grab_width[PF_KINDS] = {
    [PF_GOOMBA] = WALKER_GRAB_WIDTH,      [PF_GOOMBA_WINGED] = WALKER_GRAB_WIDTH,
    [PF_RED_KOOPA] = WALKER_GRAB_WIDTH,   [PF_RED_KOOPA_WINGED] = WALKER_GRAB_WIDTH,
    [PF_GREEN_KOOPA] = WALKER_GRAB_WIDTH, [PF_GREEN_KOOPA_WINGED] = WALKER_GRAB_WIDTH,
    [PF_SPIKY] = WALKER_GRAB_WIDTH,       [PF_SPIKY_WINGED] = WALKER_GRAB_WIDTH,
    [PF_BULLET_BILL] = GRAB_WIDTH,        [PF_ENEMY_FLOWER] = FLOWER_GRAB_WIDTH,
    [PF_MUSHROOM] = GRAB_WIDTH,           [PF_FIRE_FLOWER] = GRAB_WIDTH,
    [PF_SHELL] = GRAB_WIDTH,              [PF_LIFE_MUSHROOM] = GRAB_WIDTH,
    [PF_FIREBALL] = -1, /* touches nobody */
};

/* Whether the queued shell q hits s. */
static bool shell_hits(pf_world *w, pf_sprite *s, pf_sprite *q) {
    if (!is_enemy(s->kind) && s->kind != PF_SHELL)
        return false;
    if (!overlaps(&s->body, &q->body, GRAB_WIDTH))
        return false;
    emit(w, PF_SHELL_KILL, s->kind);
    remove_sprite(w, s);
    if (s->kind == PF_SHELL)
        remove_sprite(w, q);
    return true;
}

/* Whether the queued fireball q hits s; spikies, bills and moving shells take no harm. */
static bool fireball_hits(pf_world *w, pf_sprite *s, pf_sprite *q) {
    if (!is_enemy(s->kind) && s->kind != PF_SHELL)
        return false;
    if (!overlaps(&s->body, &q->body, GRAB_WIDTH))
        return false;
    if (s->kind == PF_SHELL) {
        if (s->body.facing == 0)
            remove_sprite(w, s);
    } else if (!is_spiky(s->kind) && s->kind != PF_BULLET_BILL) {
        emit(w, PF_FIRE_KILL, s->kind);
        remove_sprite(w, s);
    }
    return true;
}

static void shell_pass(pf_world *w, pf_sprite *q) {
    pf_sprite *sprites = pf_sprites(w);
    for (int k = w->n_sprites - 1; k >= 0; k--)
        if (&sprites[k] != q && sprites[k].alive && q->alive)
            shell_hits(w, &sprites[k], q);
}

static void fireball_pass(pf_world *w, pf_sprite *q) {
    pf_sprite *sprites = pf_sprites(w);
    for (int k = w->n_sprites - 1; k >= 0; k--)
        if (&sprites[k] != q && sprites[k].alive && q->alive && fireball_hits(w, &sprites[k], q))
            remove_sprite(w, q);
}

/* The passes of what was queued in this tick: the list in its order, then the newcomers in theirs. */
static PF_COLD void projectile_passes(pf_world *w, int kind, void (*pass)(pf_world *, pf_sprite *)) {
    pf_sprite *sprites = pf_sprites(w);
    for (int k = w->n_sprites - 1; k >= 0; k--)
        if (sprites[k].kind == kind && sprites[k].queued)
            pass(w, &sprites[k]);
    for (int k = w->n_sprites; k < w->n_sprites + w->n_added; k++)
        if (sprites[k].kind == kind && sprites[k].queued)
            pass(w, &sprites[k]);
}

/* ---- the tick ------------------------------------------------------------------------------- */

PF_INLINE float follow(float place, int level_size) {
    float camera = place - 128;
    if (camera + PF_SCREEN > (float)level_size)
        camera = (float)(level_size - PF_SCREEN);
    return camera < 0 ? 0 : camera;
}

static PF_COLD void cull_sprite(pf_world *w, pf_sprite *s) {
    remove_sprite(w, s);
    if (is_enemy(s->kind) && s->body.y > FALL_KILL_Y)
        emit(w, PF_FALL_KILL, s->kind);
}

PF_INLINE void cull(pf_world *w) {
    float left = w->camera_x - CULL_ASIDE, right = w->camera_x + PF_SCREEN + CULL_ASIDE;
    float bottom = (float)(16 * w->level->height + CULL_BELOW);
    pf_sprite *sprites = pf_sprites(w);
    w->fireballs = 0;
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        const pf_body *b = &sprites[k].body;
        if (PF_UNLIKELY(b->x < left || b->x > right || b->y > bottom))
            cull_sprite(w, &sprites[k]);
        else
            w->fireballs += sprites[k].kind == PF_FIREBALL;
    }
    if (PF_UNLIKELY(w->mario.body.y > bottom)) {
        lose(w);
        w->mario.listed = 0;
    }
}

static bool has_sprite(const pf_world *w, int key) {
    const pf_sprite *sprites = pf_sprites(w);
    for (int k = 0; k < w->n_sprites; k++)
        if (sprites[k].key == key)
            return true;
    return false;
}

/* Which way a creature born in column i looks: at Mario, or 0 if he is too close. */
static int direction_to_mario(const pf_world *w, int i) {
    float middle = (float)(16 * i + 8), x = w->mario.body.x;
    if (middle < x - 16)
        return 1;
    return middle > x + 16 ? -1 : 0;
}

static void spawn(pf_world *w, const pf_template *t, int key) {
    int x = 16 * t->column, y = 16 * t->row, direction = direction_to_mario(w, t->column);
    if (has_sprite(w, key))
        return;
    if (t->kind == PF_ENEMY_FLOWER)
        add_and_update(w, t->kind, (float)(x + 17), (float)(y + 18), 1, -1, key);
    else
        add_and_update(w, t->kind, (float)(x + 8), (float)(y + 15), direction ? direction : 1, 0, key);
}

/* Creatures of column i whose cells were not in the window a tick ago. */
static void spawn_column(pf_world *w, int i, int first_row, int last_row, const int32_t *before) {
    const int32_t *first_in = pf_first_in(w->level);
    if (i < 0 || i >= w->level->width)
        return;
    bool column_was_in = i >= before[0] && i <= before[1];
    for (int key = first_in[i]; key < first_in[i + 1]; key++) {
        const pf_template *t = pf_templates(w->level) + key;
        bool row_was_in = t->row >= before[2] && t->row <= before[3];
        if (t->row >= first_row && t->row <= last_row && !(column_was_in && row_was_in))
            spawn(w, t, key);
    }
}

static void fire_muzzle(pf_world *w, int i, int j) {
    int direction = direction_to_mario(w, i);
    if (direction && block(w, i, j) == MUZZLE)
        add_and_update(w, PF_BULLET_BILL, (float)(16 * i + 8 + 8 * direction), (float)(16 * j + 15),
                       direction, -5, -1);
}

/* A tick in which the cannons fire: creatures and bills come cell by cell. */
static PF_COLD void spawn_with_bills(pf_world *w, const int32_t *now, const int32_t *before) {
    for (int i = now[0]; i <= now[1]; i++)
        for (int j = now[2]; j <= now[3]; j++) {
            spawn_column(w, i, j, j, before);
            fire_muzzle(w, i, j);
        }
}

static PF_COLD void spawn_new_cells(pf_world *w, const int32_t *now, const int32_t *before) {
    for (int i = now[0]; i <= now[1]; i++)
        spawn_column(w, i, now[2], now[3], before);
}

/* A cell spawns when it enters the window: the reference stamps cells, we remember the window. */
PF_INLINE void spawn_pass(pf_world *w) {
    int32_t now[4] = {(int)w->camera_x / 16 - 1, (int)(w->camera_x + PF_SCREEN) / 16 + 1,
                      (int)w->camera_y / 16 - 1, (int)(w->camera_y + PF_SCREEN) / 16 + 1};
    const int32_t *before = w->window;
    bool same = now[0] == before[0] && now[1] == before[1] && now[2] == before[2]
                && now[3] == before[3];
    if (PF_UNLIKELY(w->level->n_muzzles && w->tick % MUZZLE_PERIOD == 0))
        spawn_with_bills(w, now, before);
    else if (!same)
        spawn_new_cells(w, now, before);
    for (int k = 0; k < 4; k++)
        w->window[k] = now[k];
}

static PF_COLD void commit(pf_world *w) {
    pf_sprite *sprites = pf_sprites(w);
    int n = w->n_sprites, last = n + w->n_added - 1;
    for (int a = n, b = last; a < b; a++, b--) {
        pf_sprite kept = sprites[a];
        sprites[a] = sprites[b];
        sprites[b] = kept;
    }
    n = 0;
    for (int k = 0; k <= last; k++)
        if (sprites[k].alive)
            sprites[n++] = sprites[k];
    w->n_sprites = n;
    w->n_added = w->n_removed = 0;
}

static PF_COLD void apply_kill_events(pf_world *w) {
    const pf_kill *kills = pf_kills(w);
    for (int k = 0; k < w->n_kills; k++)
        for (int e = 0; e < w->n_events; e++) {
            const pf_event *event = pf_events(w) + e;
            if (event->kind == kills[k].kind && (!kills[k].param || event->param == kills[k].param)) {
                lose(w);
                break;
            }
        }
}

PF_INLINE void update_and_touch_all(pf_world *w, unsigned action) {
    pf_sprite *sprites = pf_sprites(w);
    int n = w->n_sprites;
    for (int k = n - 1; k >= 0; k--)
        if (sprites[k].alive) {
            sprites[k].queued = 0;
            update(w, &sprites[k]);
        }
    update_mario(w, action);
    for (int k = n - 1; k >= 0; k--)
        if (sprites[k].alive
            && PF_UNLIKELY(overlaps(&sprites[k].body, &w->mario.body, grab_width[sprites[k].kind])))
            touch(w, &sprites[k]);
}

static void tick(pf_world *w, unsigned action) {
    if (PF_UNLIKELY(w->status != PF_RUNNING))
        return;
    if (PF_UNLIKELY(w->pause > 0)) {
        w->pause--;
        return;
    }
    if (w->timer > 0) {
        w->timer -= w->physics.tick_cost;
        if (w->timer <= 0) {
            w->timer = 0;
            w->status = PF_TIME_OUT;
            w->mario.alive = 0;
            return;
        }
    }
    w->tick++;
    w->camera_x = follow(w->mario.body.x, 16 * w->level->width);
    w->camera_y = follow(w->mario.body.y, 16 * w->level->height);
    w->n_events = 0;
    w->shells_queued = w->fireballs_queued = 0;
    cull(w);
    spawn_pass(w);
    update_and_touch_all(w, action);
    if (PF_UNLIKELY(w->shells_queued))
        projectile_passes(w, PF_SHELL, shell_pass);
    if (PF_UNLIKELY(w->fireballs_queued))
        projectile_passes(w, PF_FIREBALL, fireball_pass);
    if (PF_UNLIKELY(w->n_added | w->n_removed))
        commit(w);
    if (PF_UNLIKELY(w->n_kills))
        apply_kill_events(w);
}

static void begin(pf_world *w, int mode) {
    w->mario = (pf_mario){
        .body = {(float)(16 * w->level->start_x + 8), (float)(16 * w->level->start_y + 15), 0, 0, 1,
                 0, 4, 24},
        .jump_start_x = -100,
        .large = mode > 0,
        .fire = mode > 1,
        .alive = 1,
        .listed = 1,
    };
    w->window[0] = w->window[2] = 0;
    w->window[1] = w->window[3] = -1;
}

/* ---- how it is seen ------------------------------------------------------------------------- */

#define GENERAL_BLOCKS [6] = 22, [7] = 22, [50] = 22, [51] = 22, [8] = 24, [11] = 24

static const uint8_t scene_0[64] = {
    0,  17, 18, 19, 20, 21, 22, 22, 24, 25, 26, 24, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37,
    38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59,
    60, 61, 62, 63, 0,  0,  22, 22, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79};
static const uint8_t scene_1[64] = {
    GENERAL_BLOCKS, [1] = 17,  [2] = 17,  [14] = 17, [3] = 19,  [4] = 19,  [5] = 19, [18] = 34,
    [19] = 34,      [20] = 34, [21] = 34, [15] = 31, [44] = 59, [45] = 59, [46] = 59};
static const uint8_t scene_2[64] = {
    0,   100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100,
    100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100,
    100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 0,
    0,   0,   100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
static const uint8_t enemies_1[PF_KINDS] = {
    [2] = 2, [3] = 2, [4] = 2, [5] = 2, [6] = 2, [7] = 2, [8] = 8, [9] = 8, [10] = 2, [11] = 8,
    [12] = 12, [13] = 12, [14] = 2, [15] = 12, [16] = 16};
static const uint8_t enemies_2[PF_KINDS] = {
    [2] = 1, [3] = 1, [4] = 1, [5] = 1, [6] = 1, [7] = 1, [8] = 1, [9] = 1, [10] = 1, [11] = 1,
    [14] = 1};

const pf_rules pf_rules_framework = {
    .name = "framework",
    .begin = begin,
    .tick = tick,
    .scene_codes = {scene_0, scene_1, scene_2},
    .enemy_codes = {enemies_1, enemies_1, enemies_2}, /* detail 0 is detail 1 in the reference */
};
