/* What agents of the benchmark of 2010 are told. */
#include "abi/internal.h"
#include "platformer/rules/2010/2010.h"
#include "platformer/rules/2010/seeing.h"

#include <string.h>

static bool is_of_2010(const pf_world *w) { return w->rules == pf_find_rules("2010"); }

static int32_t check_rules(const pf_world *w) {
    if (is_of_2010(w))
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "agents of the rules '%s' see otherwise: give a world of the rules '2010'",
                    w->rules->name);
}

static int32_t check_detail(int32_t detail) {
    if (detail >= 0 && detail <= 2)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "detail %d is unknown: give 0 (finest), 1 or 2 (coarsest)", (int)detail);
}

int32_t ludus_world_field_2010(const ludus_world *world, ludus_field_2010 *field) {
    int32_t error = check_rules(world->core);
    if (error)
        return error;
    pf_2010_field f = pf_2010_field_of(world->core);
    *field = (ludus_field_2010){f.width, f.height, f.ego_row, f.ego_column};
    return LUDUS_OK;
}

int32_t ludus_world_grid_2010(const ludus_world *world, int32_t entities, int32_t detail, int8_t *cells,
                              size_t capacity) {
    const pf_world *w = world->core;
    int32_t error = check_rules(w);
    if (error || (error = check_detail(detail)))
        return error;
    pf_2010_field f = pf_2010_field_of(w);
    size_t wanted = (size_t)f.width * (size_t)f.height;
    if (capacity < wanted)
        return abi_fail(LUDUS_BAD_OPTION, "%zu cells are too few: give room for %zu", capacity, wanted);
    if (entities)
        pf_2010_see_entities(w, &f, detail, cells);
    else
        pf_2010_see_tiles(w, &f, detail, cells);
    return LUDUS_OK;
}

static ludus_entity_2010 entity_of(const pf_world *w, const pf_2010_field *f, const pf_2010_entity *e) {
    const pf_body *mario = &w->mario.body, *b = &e->sprite->body;
    return (ludus_entity_2010){
        .code = e->code,
        .threat = e->threat,
        .moving = e->moving,
        .column = e->column - f->ego_column,
        .row = e->row - f->ego_row,
        .dx = mario->x - b->x,
        .dy = mario->y - b->y,
        .height = b->y,
        .speed_x = b->x - e->sprite->x_before,
        .speed_y = b->y - e->sprite->y_before,
    };
}

size_t ludus_world_entities_2010(const ludus_world *world, int32_t detail, ludus_entity_2010 *entities,
                                 size_t capacity) {
    const pf_world *w = world->core;
    size_t n = 0;
    if (!is_of_2010(w) || detail < 0 || detail > 2)
        return 0;
    pf_2010_field f = pf_2010_field_of(w);
    pf_2010_entity e;
    for (int at = w->n_sprites - 1; pf_2010_next_entity(w, &f, detail, &at, &e); n++)
        if (n < capacity)
            entities[n] = entity_of(w, &f, &e);
    return n;
}

size_t ludus_world_creatures_2010(const ludus_world *world, float *creatures, size_t capacity) {
    const pf_world *w = world->core;
    size_t n = 0;
    float creature[3];
    if (!is_of_2010(w))
        return 0;
    for (int at = w->n_sprites - 1; pf_2010_next_enemy(w, &at, creature); n++)
        if (n < capacity)
            memcpy(creatures + 3 * n, creature, sizeof creature);
    return n;
}

int32_t ludus_world_summary_2010(const ludus_world *world, ludus_summary_2010 *summary) {
    const pf_world *w = world->core;
    int32_t error = check_rules(w);
    if (error)
        return error;
    const pf_2010 *t = pf_2010_of(w);
    const pf_body *b = &w->mario.body;
    *summary = (ludus_summary_2010){
        .speed_x = b->x - t->x_before,
        .speed_y = b->on_ground ? 0 : b->y - t->y_before,
        .height = b->y,
        .in_tile_x = (int)b->x - PF_TILE * t->common.map_x,
        .in_tile_y = (int)b->y - PF_TILE * t->common.map_y,
        .may_shoot = t->may_shoot,
        .time_spent = t->common.clock / TICKS_A_SECOND,
        .time_left = w->timer / TICKS_A_SECOND,
    };
    return LUDUS_OK;
}
