/* Rows of recordings under the rules "2009". */
#include "platformer/rules/2009/2009.h"
#include "platformer/trace.h"

const char pf_2009_columns[] =
    "tick,timeLeft,startTime,status,paused,mx,my,mxa,mya,mode,onG,wasG,mayJ,duck,slide,canShoot,jumpT,xjs,yjs,"
    "inv,face,h,death,win,carried,mapX,mapY,camx,coins,lives,fb,kills,mapH,s0,s1,s2,e0,e1,e2,mrg,fpos,bm,"
    "sprites";

enum { SIDE = 22, CELLS = SIDE * SIDE, DETAILS = 3 };

static int status_of(const pf_world *w) {
    return w->status == PF_RUNNING ? 2 : w->status == PF_WIN;
}

static void write_mario(pf_text *t, const pf_world *w) {
    const pf_mario *m = &w->mario;
    const pf_body *b = &m->body;
    const pf_competition *c = pf_competition_of(w);
    const int flags[] = {pf_mode(m), b->on_ground, m->was_on_ground, m->may_jump,
                         m->ducking, c->sliding,   m->can_shoot,     m->jump_time};
    const int rest[] = {m->invulnerable, b->facing,           b->height, c->death_time,
                        c->win_time,     pf_carried_place(w), c->map_x,  c->map_y};
    pf_write_float(t, b->x, ',');
    pf_write_float(t, b->y, ',');
    pf_write_float(t, b->vx, ',');
    pf_write_float(t, b->vy, ',');
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        pf_write_int(t, flags[k], ',');
    pf_write_float(t, c->jump_speed_x, ',');
    pf_write_float(t, c->jump_speed_y, ',');
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        pf_write_int(t, rest[k], ',');
}

/* By cause, then by the reference's numbers of kinds. */
static void write_kills(pf_text *t, const pf_2009 *state) {
    enum { FIRST = 2, LAST = 12 };
    int32_t by_number[PF_TILES] = {0};
    for (int kind = 0; kind < PF_KINDS; kind++)
        by_number[pf_2009_kinds[kind]] += state->kills_by_kind[kind];
    for (int cause = 0; cause < KILL_CAUSES; cause++)
        pf_write_int(t, state->kills[cause], cause + 1 < KILL_CAUSES ? '/' : '|');
    for (int number = FIRST; number <= LAST; number++)
        pf_write_int(t, by_number[number], number < LAST ? '/' : ',');
}

/* ---- what players see -------------------------------------------------------------------------- */

/* A grid row by row, as the reference has it. */
static void see(const pf_world *w, enum pf_grid grid, int scene_detail, int enemy_detail, uint8_t *rows) {
    uint8_t columns[CELLS];
    pf_view view = {SIDE, SIDE, (uint8_t)scene_detail, (uint8_t)enemy_detail, 0};
    pf_observe(w, grid, &view, columns);
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++)
            rows[row * SIDE + column] = columns[column * SIDE + row];
}

static void write_folded(pf_text *t, uint32_t hash) { pf_write_hex(t, (hash ^ hash >> 16) & 0xffff, 4, ','); }

static void write_grids(pf_text *t, const pf_world *w) {
    uint8_t grid[CELLS];
    for (int detail = 0; detail < DETAILS; detail++) {
        see(w, PF_SCENE, detail, 0, grid);
        write_folded(t, pf_fnv(PF_FNV_START, grid, CELLS));
    }
    for (int detail = 0; detail < DETAILS; detail++) {
        see(w, PF_ENEMIES, 0, detail, grid);
        write_folded(t, pf_fnv(PF_FNV_START, grid, CELLS));
    }
    uint32_t hash = PF_FNV_START;
    for (int scene = 0; scene < DETAILS; scene++)
        for (int enemies = 0; enemies < DETAILS; enemies++) {
            see(w, PF_MERGED, scene, enemies, grid);
            hash = pf_fnv(hash, grid, CELLS);
        }
    write_folded(t, hash);
}

static uint32_t hash_enemies(const pf_world *w) {
    enum { AT_ONCE = 64 };
    float enemies[3 * AT_ONCE];
    uint32_t hash = PF_FNV_START;
    int n = pf_enemy_positions(w, false, 0, NULL, 0);
    for (int first = 0; first < n; first += AT_ONCE) {
        int here = n - first < AT_ONCE ? n - first : AT_ONCE;
        pf_enemy_positions(w, false, first, enemies, (size_t)here);
        for (int k = 0; k < 3 * here; k++)
            hash = pf_fnv_float(hash, enemies[k]);
    }
    return hash;
}

void pf_2009_level_bits(const pf_world *w, uint8_t *bytes) {
    uint8_t grid[CELLS];
    int first = (int)w->mario.body.x / PF_TILE - SIDE / 2;
    see(w, PF_SCENE, 1, 0, grid);
    memset(bytes, 0, PF_2009_BITS);
    for (int k = 0; k < CELLS; k++)
        if (grid[k] && first + k % SIDE <= w->level->exit_x)
            bytes[k / 8] |= (uint8_t)(1 << k % 8);
}

/* ---- the row ----------------------------------------------------------------------------------- */

static void write_sprites(pf_text *t, const pf_world *w) {
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        const pf_sprite *s = pf_sprites(w) + k;
        int marks = s->marks & (MARK_DEAD | MARK_CARRIED | MARK_FLYING);
        pf_write_sprite(t, pf_2009_kinds[s->kind], &s->body);
        pf_write_int(t, s->body.on_ground | s->winged << 1 | marks << 2, ':');
        pf_write_int(t, s->dead_time, ':');
        pf_write_int(t, s->aux, ';');
    }
    pf_write_char(t, 'M');
}

void pf_2009_trace(const pf_world *w, pf_text *t) {
    const int times[] = {w->tick, w->timer, pf_competition_of(w)->clock, status_of(w), w->pause};
    size_t n_tiles = (size_t)w->level->width * (size_t)w->level->height;
    uint8_t bits[PF_2009_BITS];
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        pf_write_int(t, times[k], ',');
    write_mario(t, w);
    pf_write_float(t, w->camera_x, ',');
    pf_write_int(t, w->coins, ',');
    pf_write_int(t, w->lives, ',');
    pf_write_int(t, w->fireballs, ',');
    write_kills(t, pf_2009_of(w));
    pf_write_hex(t, pf_fnv(PF_FNV_START, pf_tiles(w), n_tiles), 8, ',');
    write_grids(t, w);
    write_folded(t, hash_enemies(w));
    pf_2009_level_bits(w, bits);
    write_folded(t, pf_fnv(PF_FNV_START, bits, sizeof bits));
    write_sprites(t, w);
}
