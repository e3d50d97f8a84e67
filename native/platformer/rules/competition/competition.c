/* The tail that the rule sets of the competitions share: digest and checks. */
#include "platformer/rules/competition/competition.h"

int pf_carried_place(const pf_world *w) {
    const pf_sprite *sprites = pf_sprites(w);
    if (!pf_competition_of(w)->carrying)
        return -1;
    for (int k = 0; k < w->n_sprites; k++)
        if (sprites[k].marks & MARK_HELD)
            return w->n_sprites - 1 - k;
    return -2;
}

static void write_sprites(digest *d, const pf_world *w) {
    for (int k = 0; k < w->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(w) + k;
        digest_i32(d, s->map_x);
        digest_i16(d, s->map_y);
        digest_u8(d, s->dead_time);
        digest_u8(d, s->marks);
    }
}

void pf_digest_competition(const pf_world *w, const uint8_t *templates, digest *d) {
    const pf_competition *c = pf_competition_of(w);
    digest_i32(d, c->map_x);
    digest_i32(d, c->map_y);
    digest_i32(d, c->clock);
    digest_i32(d, c->death_time);
    digest_i32(d, c->win_time);
    digest_i32(d, c->collisions);
    digest_i32(d, c->hidden);
    digest_f32(d, c->jump_speed_x);
    digest_f32(d, c->jump_speed_y);
    digest_u8(d, c->sliding);
    digest_u8(d, c->carrying);
    write_sprites(d, w);
    digest_bytes(d, templates, (size_t)w->level->n_templates);
}

static bool is_within(float value, int most) { return value >= (float)-most && value <= (float)most; }
static bool is_count(int value) { return value >= 0 && value <= 1 << 30; }

bool pf_competition_fits(const pf_competition *c) {
    enum { MOST_CELL = 1 << 20, MOST_JUMP_SPEED = 64, MOST_BUTTONS = 63 };
    bool cell_fits = c->map_x >= -MOST_CELL && c->map_x <= MOST_CELL && c->map_y >= -MOST_CELL
                     && c->map_y <= MOST_CELL;
    return cell_fits && is_count(c->clock) && is_count(c->death_time) && is_count(c->win_time)
           && is_count(c->collisions) && is_count(c->hidden)
           && is_within(c->jump_speed_x, MOST_JUMP_SPEED) && is_within(c->jump_speed_y, MOST_JUMP_SPEED)
           && c->sliding <= 1 && c->carrying <= 1 && c->buttons <= MOST_BUTTONS && c->unused == 0;
}

bool pf_templates_fit(const pf_level *level, const uint8_t *templates) {
    for (int k = 0; k < level->n_templates; k++)
        if (templates[k] > 1)
            return false;
    return true;
}
