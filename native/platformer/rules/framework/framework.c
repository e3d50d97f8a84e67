/* The rule set "framework": one tick of the Mario-AI-Framework engine, quirks included.
 *
 * The sprite list of the reference puts newcomers in front and has Mario last. Here it is an array
 * read from its end: sprites[n_sprites - 1] is first in engine order, Mario stands outside of it and
 * comes last. Sprites born in a tick wait behind the list until the commit.
 */
#include "platformer/rules/shared/motion.inc"

/* rules_ludus.c compiles this file once more with the elements of the rule set "ludus". */
#ifndef PF_ELEMENTS
#define PF_ELEMENTS 0
#endif

#include "platformer/rules/framework/life.inc"
#include "platformer/rules/framework/mario.inc"
#include "platformer/rules/framework/creatures.inc"
#include "platformer/rules/framework/contacts.inc"
#include "platformer/rules/framework/codes.inc"

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
    bool same_rows = now[2] == before[2] && now[3] == before[3];
    for (int i = now[0]; i <= now[1]; i++)
        if (!(same_rows && i >= before[0] && i <= before[1]))
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

#if PF_ELEMENTS
const pf_rules pf_rules_ludus = {
    .name = "ludus",
#else
const pf_rules pf_rules_framework = {
    .name = "framework",
#endif
    .begin = begin,
    .tick = tick,
    .scene_codes = {scene_0, scene_1, scene_2},
    .enemy_codes = {enemies_1, enemies_1, enemies_2}, /* detail 0 is detail 1 in the reference */
};
