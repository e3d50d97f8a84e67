/* Part of the rule set "framework": how creatures, items and projectiles move. */

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
    b->vy = s->winged ? b->vy * WINGED_DAMPING : damped(b->vy);
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
    b->vy = damped(b->vy);
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
    b->vy = damped(b->vy);
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
