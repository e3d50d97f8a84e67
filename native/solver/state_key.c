/* Keys of states, from Mario, the creatures near him, changed blocks and platforms. */
#include "solver/state_key.h"

#include "solver/ground.h"

static uint64_t part(float value, int parts) { return (uint64_t)(int64_t)(value * (float)parts + 4096); }
static uint64_t cell(float value, int shift) { return (uint64_t)((int64_t)(value + 4096) >> shift); }

static uint64_t mario_key(const sv_style *style, const pf_world *w) {
    const pf_mario *m = &w->mario;
    const pf_elements *e = pf_elements_of(w);
    uint64_t flags = (uint64_t)(m->body.on_ground | m->may_jump << 1 | m->ducking << 2 | e->climbing << 3
                                | (m->invulnerable > 1) << 4 | pf_mode(m) << 5
                                | (m->fire && m->can_shoot) << 7 | (e->switch_touched != 0) << 8
                                | (w->rules->slides && w->rules->slides(w)) << 9);
    uint64_t h = digest_mix(1, cell(m->body.x, style->x_shift) << 32 | cell(m->body.y, style->y_shift));
    h = digest_mix(h, part(m->body.vx, style->speed_parts) << 32 | flags);
    if (m->body.on_ground)
        return h;
    return digest_mix(h, (uint64_t)m->jump_time << 32 | part(m->body.vy, style->speed_parts) >> 1);
}

/* Creatures close to Mario, in any order. */
static uint64_t sprites_key(const sv_style *style, const pf_world *w) {
    const pf_sprite *sprites = pf_sprites(w);
    const pf_body *m = &w->mario.body;
    float sight = (float)style->sight;
    uint64_t sum = 0;
    for (int k = 0; k < w->n_sprites; k++) {
        const pf_body *b = &sprites[k].body;
        float dx = b->x - m->x, dy = b->y - m->y;
        if (dx > sight || dx < -sight || dy > sight || dy < -sight || sprites[k].kind == PF_FIREBALL)
            continue;
        uint64_t h = digest_mix(sprites[k].kind, cell(b->x, 4) << 32 | cell(b->y, style->y_shift));
        sum += digest_mix(h, (uint64_t)(b->facing + 1 + 4 * sprites[k].winged));
    }
    return sum;
}

/* Blocks that are other than they were. */
static uint64_t changes_key(const sv_work *work) {
    uint64_t sum = 0;
    for (int k = 0; k < work->n_changes; k++) {
        sv_change change = work->changes[k];
        const pf_level *level = work->root->level;
        int tile = sv_tile(level, (int)(change & 255));
        unsigned before = sv_ground(sv_tile(level, work->base[change >> 8])), now = sv_ground(tile);
        if (before != now || tile >= PF_LADDER)
            sum += digest_mix(3, change);
    }
    return sum;
}

static bool is_near(const pf_platform *p, const pf_body *b) {
    enum { AROUND = 80 };
    int last_x = p->x + p->dx * p->way + p->width, last_y = p->y + p->dy * p->way;
    return b->x > (float)(p->x - AROUND) && b->x < (float)(last_x + AROUND)
           && b->y > (float)(p->y - AROUND) && b->y < (float)(last_y + AROUND);
}

/* Where the platforms close to Mario are. */
static uint64_t platforms_key(const pf_world *w) {
    const pf_level *level = w->level;
    uint64_t sum = 0;
    for (int k = 0; k < pf_count_platforms(level); k++) {
        const pf_platform *p = pf_platforms(level) + k;
        if (p->way && is_near(p, &w->mario.body))
            sum += digest_mix((uint64_t)k + 7, (uint64_t)((p->start + w->tick) % (2 * p->way)) >> 3);
    }
    return sum;
}

uint64_t sv_state_key(const sv_style *style, const sv_work *work) {
    uint64_t h = mario_key(style, work->world);
    h = digest_mix(h, sprites_key(style, work->world));
    return digest_mix(h, changes_key(work) + platforms_key(work->world));
}
