/* Part of the rule set "framework": what happens when bodies meet. */

enum { GRAB_WIDTH = 16, WALKER_GRAB_WIDTH = 12, FLOWER_GRAB_WIDTH = 8 };


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
