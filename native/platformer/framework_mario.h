/* Part of the rule set "framework": blocks that are hit, and Mario's way through a tick. */

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

#if PF_ELEMENTS
static void mario_move_y(pf_world *w, float dy);
#include "elements.h"
#else
enum { NO_ELEMENTS };
#define run_into(w, i, j) ((void)NO_ELEMENTS)
#define ride(w) ((void)NO_ELEMENTS)
#define climb(w, action) false
#define land_on_platforms(w, y) ((void)(y))
#define touch_elements(w) ((void)NO_ELEMENTS)
#endif

PF_INLINE void mario_probed(pf_world *w, int i, int j, bool blocked, float direction) {
    if (PF_UNLIKELY(features[block(w, i, j)] & FEATURE_PICKABLE)) {
        emit(w, PF_COLLECT, PF_COIN_TILE);
        collect_coin(w);
        set_block(w, i, j, 0);
    }
    if (blocked && direction < 0)
        bump(w, i, j, w->mario.large);
    if (PF_ELEMENTS && blocked)
        run_into(w, i, j);
}

static void shell_probed(pf_world *w, int i, int j) { bump(w, i, j, true); }

/* ---- his update -------------------------------------------------------------------------------- */

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
    ride(w);
    bool climbing = climb(w, action);
    if (!climbing)
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
    float y_before = b->y;
    mario_move_y(w, b->vy);
    land_on_platforms(w, y_before);
    touch_elements(w);
    if (!m->was_on_ground && b->on_ground && m->jump_start_x >= 0) {
        emit(w, PF_LANDED, 0);
        m->jump_start_x = -100;
    }
    keep_inside(w);
    b->vy = damped(b->vy);
    b->vx *= b->facing > 0 ? w->physics.inertia_right : w->physics.inertia_left;
    if (climbing)
        b->vy = 0;
    else if (!b->on_ground)
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
