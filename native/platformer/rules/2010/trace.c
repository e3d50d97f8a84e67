/* Rows of recordings under the rules "2010". */
#include "platformer/trace.h"
#include "platformer/rules/2010/2010.h"
#include "platformer/rules/2010/seeing.h"

const char pf_2010_columns[] =
    "x,y,xa,ya,mode,gr,wg,mj,sl,du,lz,ol,ot,car,fac,jt,inv,h,nsp,sho,fb,mx,my,st,tl,coins,kT,kF,kS,kSh,hid,coll,"
    "mush,flow,green,rew,mapH,datH,T0,T1,T2,E0,E1,E2,EL,EF,sprites";

static void write_ints(pf_text *t, const int32_t *values, size_t n) {
    for (size_t k = 0; k < n; k++)
        pf_write_int(t, values[k], ',');
}

static void write_mario(pf_text *text, const pf_world *w) {
    const pf_2010 *t = pf_2010_of(w);
    const pf_competition *c = &t->common;
    const pf_mario *m = &w->mario;
    const pf_body *b = &m->body;
    const int32_t numbers[] = {pf_mode(m),   b->on_ground,      m->was_on_ground, m->may_jump,      c->sliding,
                               m->ducking,   t->in_ladder_zone, t->on_ladder,     t->on_ladder_top, c->carrying,
                               b->facing,    m->jump_time,      m->invulnerable,  b->height,        m->can_shoot,
                               t->may_shoot, w->fireballs,      c->map_x,         c->map_y};
    pf_write_float(text, b->x, ',');
    pf_write_float(text, b->y, ',');
    pf_write_float(text, b->vx, ',');
    pf_write_float(text, b->vy, ',');
    write_ints(text, numbers, sizeof numbers / sizeof *numbers);
}

static void write_counters(pf_text *text, const pf_world *w) {
    const pf_2010 *t = pf_2010_of(w);
    const int32_t numbers[] = {w->status == PF_RUNNING ? 2 : w->status == PF_WIN,
                               w->timer,       w->coins,          t->kills,          t->kills_by_fire,
                               t->kills_by_stomp, t->kills_by_shell, t->common.hidden, t->common.collisions,
                               t->mushrooms,   t->flowers,        t->green_mushrooms, t->reward};
    write_ints(text, numbers, sizeof numbers / sizeof *numbers);
}

/* ---- hashes ------------------------------------------------------------------------------------ */

static uint32_t add_int(uint32_t hash, int32_t value) {
    uint32_t bits = (uint32_t)value;
    const uint8_t bytes[] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
    return pf_fnv(hash, bytes, sizeof bytes);
}

static uint32_t add_entity(uint32_t hash, const pf_world *w, const pf_2010_field *f, const pf_2010_entity *e) {
    const pf_body *m = &w->mario.body, *b = &e->sprite->body;
    hash = add_int(hash, e->code);
    hash = add_int(hash, e->moving);
    hash = add_int(hash, e->column - f->ego_column);
    hash = add_int(hash, e->row - f->ego_row);
    hash = pf_fnv_float(hash, m->x - b->x);
    hash = pf_fnv_float(hash, m->y - b->y);
    hash = pf_fnv_float(hash, b->y);
    hash = pf_fnv_float(hash, b->x - e->sprite->x_before);
    return pf_fnv_float(hash, b->y - e->sprite->y_before);
}

/* Mario's summary, then the entities of the field. */
static uint32_t hash_entities(const pf_world *w, const pf_2010_field *f) {
    const pf_2010 *t = pf_2010_of(w);
    const pf_body *b = &w->mario.body;
    uint32_t hash = pf_fnv_float(PF_FNV_START, b->x - t->x_before);
    hash = pf_fnv_float(hash, b->on_ground ? 0 : b->y - t->y_before);
    hash = add_int(hash, (int)b->x - PF_TILE * t->common.map_x);
    hash = add_int(hash, (int)b->y - PF_TILE * t->common.map_y);
    hash = add_int(hash, t->may_shoot);
    hash = add_int(hash, t->common.clock / TICKS_A_SECOND);
    hash = add_int(hash, w->timer / TICKS_A_SECOND);
    hash = pf_fnv_float(hash, b->y);
    pf_2010_entity e;
    for (int at = w->n_sprites - 1; pf_2010_next_entity(w, f, w->physics.settings.entity_detail, &at, &e);)
        hash = add_entity(hash, w, f, &e);
    return hash;
}

static uint32_t hash_enemies(const pf_world *w) {
    int32_t fields[PF_2010_STATE_FIELDS];
    float enemy[3];
    uint32_t hash = PF_FNV_START;
    for (int at = w->n_sprites - 1; pf_2010_next_enemy(w, &at, enemy);)
        for (int k = 0; k < 3; k++)
            hash = pf_fnv_float(hash, enemy[k]);
    pf_2010_describe(w, fields);
    for (int k = 0; k < PF_2010_STATE_FIELDS; k++)
        hash = add_int(hash, fields[k]);
    return hash;
}

static void write_hashes(pf_text *text, const pf_world *w) {
    enum { DETAILS = 3 };
    int8_t codes[PF_2010_MOST_FIELD * PF_2010_MOST_FIELD];
    pf_2010_field f = pf_2010_field_of(w);
    size_t cells = pf_2010_cells(w->level), n = (size_t)f.width * (size_t)f.height;
    pf_write_hex(text, pf_fnv(PF_FNV_START, pf_tiles(w), cells), 8, ',');
    pf_write_hex(text, pf_fnv(PF_FNV_START, (const uint8_t *)pf_2010_data(w), cells), 8, ',');
    for (int detail = 0; detail < DETAILS; detail++) {
        pf_2010_see_tiles(w, &f, detail, codes);
        pf_write_hex(text, pf_fnv(PF_FNV_START, (const uint8_t *)codes, n), 8, ',');
    }
    for (int detail = 0; detail < DETAILS; detail++) {
        pf_2010_see_entities(w, &f, detail, codes);
        pf_write_hex(text, pf_fnv(PF_FNV_START, (const uint8_t *)codes, n), 8, ',');
    }
    pf_write_hex(text, hash_entities(w, &f), 8, ',');
    pf_write_hex(text, hash_enemies(w), 8, ',');
}

/* ---- sprites ----------------------------------------------------------------------------------- */

static int flag(const pf_sprite *s, int mark, int value) { return s->marks & mark ? value : 0; }

/* What recordings call `ex`: flags, and counters above them. */
static int extras_of(const pf_sprite *s) {
    enum { COUNTER = 8 };
    int grounded = s->body.on_ground;
    switch (s->kind) {
    case PF_SHELL: return grounded + flag(s, MARK_CARRIED, 2) + flag(s, MARK_DEAD, 4);
    case PF_FIREBALL: return grounded + flag(s, MARK_DEAD, 4);
    case PF_BULLET_BILL: return flag(s, MARK_DEAD, 4);
    case PF_MUSHROOM: case PF_GREEN_MUSHROOM: return grounded + COUNTER * s->aux;
    case PF_FIRE_FLOWER: return COUNTER * s->aux;
    case PF_PRINCESS: return 0;
    default: return s->winged + 2 * grounded + flag(s, MARK_FLYING, 4) + COUNTER * s->aux;
    }
}

static void write_sprites(pf_text *text, const pf_world *w) {
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        const pf_sprite *s = pf_sprites(w) + k;
        pf_write_sprite(text, pf_2010_kinds[s->kind], &s->body);
        pf_write_int(text, s->dead_time, ':');
        pf_write_int(text, extras_of(s), ';');
    }
    pf_write_char(text, 'M');
}

void pf_2010_trace(const pf_world *w, pf_text *text) {
    write_mario(text, w);
    write_counters(text, w);
    write_hashes(text, w);
    write_sprites(text, w);
}
