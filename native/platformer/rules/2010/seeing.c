/* What an agent of the 2010 benchmark sees. */
#include "platformer/rules/2010/seeing.h"
#include "platformer/rules/2010/2010.h"

#include <string.h>

enum { DEFAULT_SIZE = 19, DEFAULT_EGO = 9 };

/* Agents are not told of the corpse of a creature that will not come back. */
static bool is_hidden(const pf_world *w, const pf_sprite *s) {
    return s->key >= 0 && pf_2010_templates(w)[s->key];
}

/* The benchmark centres Mario in a field of another size, but takes the width for his row. */
pf_2010_field pf_2010_field_of(const pf_world *w) {
    const pf_settings *s = &w->physics.settings;
    pf_2010_field f = {s->field_width, s->field_height, s->ego_row, s->ego_column, 0, 0};
    if (f.ego_row == DEFAULT_EGO && f.width != DEFAULT_SIZE)
        f.ego_row = f.width / 2;
    if (f.ego_column == DEFAULT_EGO && f.height != DEFAULT_SIZE)
        f.ego_column = f.height / 2;
    f.left = pf_competition_of(w)->map_x - f.ego_column;
    f.top = pf_competition_of(w)->map_y - f.ego_row;
    return f;
}

/* ---- tiles ------------------------------------------------------------------------------------ */

void pf_2010_see_tiles(const pf_world *w, const pf_2010_field *f, int detail, int8_t *codes) {
    const pf_level *level = w->level;
    const uint8_t *code_of = w->rules->scene_codes[detail];
    for (int row = 0; row < f->height; row++)
        for (int column = 0; column < f->width; column++) {
            int i = f->left + column, j = f->top + row;
            bool inside = i >= 0 && i < level->width && j >= 0 && j < level->height;
            int byte = inside ? pf_tiles(w)[(size_t)i * (size_t)level->height + (size_t)j] : 0;
            *codes++ = (int8_t)code_of[byte];
        }
}

/* ---- entities --------------------------------------------------------------------------------- */

enum { AT_REST = 5, NO_THREAT = 7 };

static float size_of(float value) { return value < 0 ? -value : value; }

static bool is_moving(const pf_sprite *s) {
    return size_of(s->body.x - s->x_before) > 0.001f || size_of(s->body.y - s->y_before) > 0.001f;
}

/* Only the finest detail tells whether a shell moves. */
static void classify(pf_2010_entity *e, const pf_rules *rules, int detail) {
    static const uint8_t *const threats[] = {pf_2010_threats_0, pf_2010_threats_1, pf_2010_threats_2};
    int kind = e->sprite->kind;
    e->code = rules->enemy_codes[detail][kind];
    e->threat = threats[detail][kind];
    if (kind != PF_SHELL || detail > 0)
        return;
    e->moving = is_moving(e->sprite);
    e->threat = e->moving ? e->threat : AT_REST;
}

bool pf_2010_next_entity(const pf_world *w, const pf_2010_field *f, int detail, int *at, pf_2010_entity *e) {
    for (; *at >= 0; --*at) {
        const pf_sprite *s = pf_sprites(w) + *at;
        int row = s->map_y - f->top, column = s->map_x - f->left;
        if (is_hidden(w, s) || s->map_x < 0 || s->map_y < 0 || row < 0 || row >= f->height || column < 0
            || column >= f->width)
            continue;
        *e = (pf_2010_entity){.sprite = s, .row = row, .column = column};
        classify(e, w->rules, detail);
        --*at;
        return true;
    }
    return false;
}

/* A cell shows the worst entity in it, the first of equals. */
void pf_2010_see_entities(const pf_world *w, const pf_2010_field *f, int detail, int8_t *codes) {
    uint8_t threats[PF_2010_MOST_FIELD * PF_2010_MOST_FIELD];
    size_t n = (size_t)f->width * (size_t)f->height;
    pf_2010_entity e;
    int at = w->n_sprites - 1;
    memset(codes, 0, n);
    memset(threats, NO_THREAT, n);
    while (pf_2010_next_entity(w, f, detail, &at, &e)) {
        size_t cell = (size_t)e.row * (size_t)f->width + (size_t)e.column;
        if (e.threat < threats[cell]) {
            threats[cell] = (uint8_t)e.threat;
            codes[cell] = (int8_t)e.code;
        }
    }
}

static pf_2010_field field_for(const pf_world *w, const pf_view *view) {
    pf_2010_field f = pf_2010_field_of(w);
    if (f.width == view->columns && f.height == view->rows)
        return f;
    f = (pf_2010_field){view->columns, view->rows, view->rows / 2, view->columns / 2, 0, 0};
    f.left = pf_competition_of(w)->map_x - f.ego_column;
    f.top = pf_competition_of(w)->map_y - f.ego_row;
    return f;
}

void pf_2010_observe(const pf_world *w, enum pf_grid grid, const pf_view *view, uint8_t *out) {
    int8_t tiles[PF_2010_MOST_FIELD * PF_2010_MOST_FIELD], entities[PF_2010_MOST_FIELD * PF_2010_MOST_FIELD];
    pf_2010_field f = field_for(w, view);
    if (grid != PF_ENEMIES)
        pf_2010_see_tiles(w, &f, view->scene_detail, tiles);
    if (grid != PF_SCENE)
        pf_2010_see_entities(w, &f, view->enemy_detail, entities);
    for (int column = 0; column < f.width; column++)
        for (int row = 0; row < f.height; row++) {
            int cell = row * f.width + column;
            bool entity = grid == PF_ENEMIES || (grid == PF_MERGED && entities[cell]);
            *out++ = (uint8_t)(entity ? entities[cell] : tiles[cell]);
        }
}

static bool is_listed(const pf_world *w, const pf_sprite *s) {
    return !is_hidden(w, s) && pf_2010_listed_kinds[s->kind];
}

bool pf_2010_next_enemy(const pf_world *w, int *at, float *enemy) {
    while (*at >= 0 && !is_listed(w, pf_sprites(w) + *at))
        --*at;
    if (*at < 0)
        return false;
    const pf_sprite *s = pf_sprites(w) + (*at)--;
    enemy[0] = pf_2010_kinds[s->kind];
    enemy[1] = s->body.x - w->mario.body.x;
    enemy[2] = s->body.y - w->mario.body.y;
    return true;
}

void pf_2010_describe(const pf_world *w, int32_t *out) {
    const pf_2010 *t = pf_2010_of(w);
    const pf_mario *m = &w->mario;
    const int32_t fields[PF_2010_STATE_FIELDS] = {
        w->status == PF_RUNNING ? 2 : w->status == PF_WIN,
        pf_mode(m), m->body.on_ground, m->may_jump, m->can_shoot, t->common.carrying,
        t->kills, t->kills_by_fire, t->kills_by_stomp, t->kills_by_shell,
        w->timer / TICKS_A_SECOND,
    };
    memcpy(out, fields, sizeof fields);
}
