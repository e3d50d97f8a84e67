/* Levels of map bytes: checks, levels and texts. */
#include "abi/internal.h"
#include "generators/generators.h"
#include "platformer/level_map.h"
#include "platformer/rules/rules.h"

#include <stdlib.h>
#include <string.h>

/* ---- kinds ---------------------------------------------------------------------------------- */

/* A creature by the numbers of both formats, its letter in a generated level and its kind here. */
typedef struct {
    int kind_2009, winged, kind_2010;
    uint8_t letter;
    int kind;
} creature_kind;

static const creature_kind CREATURE_KINDS[] = {
    {0, 0, 82, 'r', PF_RED_KOOPA},          {0, 1, 97, 'R', PF_RED_KOOPA_WINGED},
    {1, 0, 81, 'k', PF_GREEN_KOOPA},        {1, 1, 96, 'K', PF_GREEN_KOOPA_WINGED},
    {2, 0, 80, 'g', PF_GOOMBA},             {2, 1, 95, 'G', PF_GOOMBA_WINGED},
    {3, 0, 93, 'y', PF_SPIKY},              {3, 1, 99, 'Y', PF_SPIKY_WINGED},
    {4, 0, 91, GEN_PIRANHA, PF_ENEMY_FLOWER}, {4, 1, 91, GEN_PIRANHA, PF_ENEMY_FLOWER},
    {-1, 1, 98, GEN_WAVE_GOOMBA, PF_WAVE_GOOMBA}, {-1, 0, 49, GEN_PRINCESS, PF_PRINCESS},
};

enum { START_COLUMN = 2 };

static bool is_of_2009(const pf_rules *rules) { return !strcmp(rules->name, "2009"); }

static int start_row(const pf_rules *rules) { return is_of_2009(rules) ? 0 : 2; }

static const creature_kind *find_kind(const pf_rules *rules, const ludus_creature *c) {
    for (size_t k = 0; k < sizeof CREATURE_KINDS / sizeof *CREATURE_KINDS; k++) {
        const creature_kind *known = &CREATURE_KINDS[k];
        if (is_of_2009(rules) ? known->kind_2009 == c->kind && known->winged == (c->winged != 0)
                              : known->kind_2010 == c->kind)
            return known;
    }
    return NULL;
}

/* ---- checks --------------------------------------------------------------------------------- */

static bool is_inside(const ludus_map *map, int column, int row) {
    return column >= 0 && column < map->width && row >= 0 && row < map->height;
}

static bool comes_after(const ludus_creature *one, const ludus_creature *other) {
    return one->column > other->column || (one->column == other->column && one->row > other->row);
}

static int32_t check_creatures(const ludus_map *map, const pf_rules *rules) {
    for (size_t k = 0; k < map->n_creatures; k++) {
        const ludus_creature *c = &map->creatures[k];
        if (!is_inside(map, c->column, c->row))
            return abi_fail(LUDUS_BAD_LEVEL, "the creature at (%d, %d) is outside the level: give columns 0 to "
                            "%d and rows 0 to %d", (int)c->column, (int)c->row, (int)map->width - 1,
                            (int)map->height - 1);
        if (c->kind < 0 || !find_kind(rules, c))
            return abi_fail(LUDUS_BAD_LEVEL, "creature %d at (%d, %d) is unknown under the rules '%s'",
                            (int)c->kind, (int)c->column, (int)c->row, rules->name);
        if (k && !comes_after(c, c - 1))
            return abi_fail(LUDUS_BAD_LEVEL, "the creature at (%d, %d) is out of order: give one for each cell, "
                            "by column, then row", (int)c->column, (int)c->row);
    }
    return LUDUS_OK;
}

static int32_t check_data(const ludus_map *map) {
    for (size_t k = 0; k < map->n_data; k++) {
        const ludus_block_data *d = &map->data[k];
        if (!is_inside(map, d->column, d->row) || d->value < INT8_MIN || d->value > INT8_MAX)
            return abi_fail(LUDUS_BAD_LEVEL, "block data %d at (%d, %d) are out of range: give -128 to 127 in "
                            "a cell of the level", (int)d->value, (int)d->column, (int)d->row);
    }
    return LUDUS_OK;
}

static int32_t check_map(const ludus_map *map, const pf_rules *rules) {
    if (!rules->maps)
        return abi_fail(LUDUS_BAD_LEVEL, "rules '%s' do not play maps of bytes: try '2009' or '2010'",
                        rules->name);
    int32_t error = abi_check_size(map->width, map->height);
    if (error)
        return error;
    if (!is_inside(map, map->exit_x, map->exit_y))
        return abi_fail(LUDUS_BAD_LEVEL, "the exit (%d, %d) is outside the level: give columns 0 to %d and rows 0 "
                        "to %d", (int)map->exit_x, (int)map->exit_y, (int)map->width - 1, (int)map->height - 1);
    if (map->type < GEN_OVERGROUND || map->type > GEN_CASTLE)
        return abi_fail(LUDUS_BAD_LEVEL, "type %d is unknown: give 0 overground, 1 underground or 2 castle",
                        (int)map->type);
    return (error = check_creatures(map, rules)) ? error : check_data(map);
}

static int32_t read_map(ludus_map *to, const ludus_map *given, const char *name, const pf_rules **rules) {
    int32_t error = abi_read_options(to, sizeof *to, given);
    if (error || (error = abi_find_rules(name, rules)))
        return error;
    return check_map(to, *rules);
}

/* ---- levels --------------------------------------------------------------------------------- */

static size_t count_cells(const ludus_map *map) { return (size_t)map->width * (size_t)map->height; }

static size_t cell_of(const ludus_map *map, int column, int row) {
    return (size_t)column * (size_t)map->height + (size_t)row;
}

static void put_data(const ludus_map *map, int8_t *cells) {
    for (size_t k = 0; k < map->n_data; k++)
        cells[cell_of(map, map->data[k].column, map->data[k].row)] = (int8_t)map->data[k].value;
}

static void put_templates(const ludus_map *map, const pf_rules *rules, pf_template *templates) {
    for (size_t k = 0; k < map->n_creatures; k++) {
        const ludus_creature *c = &map->creatures[k];
        templates[k] = (pf_template){c->column, c->row, find_kind(rules, c)->kind};
    }
}

int32_t ludus_level_from_map(const ludus_map *given, const char *rules_name, ludus_level **level) {
    ludus_map map;
    const pf_rules *rules;
    int32_t error = read_map(&map, given, rules_name, &rules);
    if (error)
        return error;
    int8_t *data = calloc(count_cells(&map), 1);
    pf_template *templates = malloc((map.n_creatures + 1) * sizeof *templates);
    if (data && templates) {
        put_data(&map, data);
        put_templates(&map, rules, templates);
        pf_map core = {map.map, data, templates, (int32_t)map.n_creatures, .start_x = START_COLUMN,
                       .start_y = start_row(rules), .exit_x = map.exit_x, .exit_y = map.exit_y,
                       .type = map.type, .difficulty = map.difficulty, .counted_coins = map.counts.coins,
                       .counted_hidden = map.counts.hidden, .counted_creatures = map.counts.creatures};
        pf_cells cells = {.width = map.width, .height = map.height, .map = &core};
        error = abi_build_level(&cells, rules, level);
    } else {
        error = abi_no_memory();
    }
    free(templates);
    free(data);
    return error;
}

/* ---- levels of characters ------------------------------------------------------------------- */

/* The templates of a level, and in 2010 the princess at its exit; room for one more than there are. */
static int32_t copy_templates(const pf_level *level, bool princess, pf_template *templates) {
    int32_t n = 0;
    bool missing = princess;
    for (int32_t k = 0; k < level->n_templates; k++) {
        const pf_template *t = pf_templates(level) + k;
        bool later = t->column > level->exit_x || (t->column == level->exit_x && t->row >= level->exit_y);
        if (missing && later) {
            templates[n++] = (pf_template){level->exit_x, level->exit_y, PF_PRINCESS};
            missing = false;
        }
        if (!princess || t->column != level->exit_x || t->row != level->exit_y)
            templates[n++] = *t;
    }
    if (missing)
        templates[n++] = (pf_template){level->exit_x, level->exit_y, PF_PRINCESS};
    return n;
}

static int32_t build_from_tiles(const pf_level *level, const pf_rules *rules, ludus_level **built) {
    bool princess = !is_of_2009(rules) && level->exit_y >= 0;
    uint8_t *bytes = malloc((size_t)level->width * (size_t)level->height);
    pf_template *templates = malloc(((size_t)level->n_templates + 1) * sizeof *templates);
    int32_t error = LUDUS_OK;
    if (bytes && templates) {
        pf_tiles_to_bytes(level, bytes);
        if (princess)
            bytes[(size_t)level->exit_x * (size_t)level->height + (size_t)level->exit_y] = MAP_EXIT;
        pf_map core = {bytes, NULL, templates, copy_templates(level, princess, templates), .start_x = START_COLUMN,
                       .start_y = start_row(rules), .exit_x = level->exit_x,
                       .exit_y = level->exit_y >= 0 ? level->exit_y : level->height - 1};
        pf_cells cells = {.width = level->width, .height = level->height, .map = &core};
        error = abi_build_level(&cells, rules, built);
    } else {
        error = abi_no_memory();
    }
    free(templates);
    free(bytes);
    return error;
}

int32_t abi_build_map(const pf_cells *cells, const pf_rules *rules, ludus_level **level) {
    pf_level *read = pf_level_new(cells, pf_find_rules("ludus"));
    if (!read)
        return abi_no_memory();
    int32_t error = build_from_tiles(read, rules, level);
    pf_free(read);
    return error;
}

/* ---- texts ---------------------------------------------------------------------------------- */

int32_t ludus_map_text(const ludus_map *given, const char *rules_name, char *text, size_t capacity,
                       size_t *length) {
    ludus_map map;
    const pf_rules *rules;
    int32_t error = read_map(&map, given, rules_name, &rules);
    if (error)
        return error;
    gen_level level = {.width = map.width, .height = map.height, .map = (uint8_t *)(uintptr_t)map.map,
                       .exit_x = map.exit_x, .exit_y = map.exit_y};
    *length = gen_text_size(&level);
    if (*length > capacity)
        return LUDUS_OK;
    if (!(level.creatures = calloc(count_cells(&map), 1)))
        return abi_no_memory();
    for (size_t k = 0; k < map.n_creatures; k++)
        level.creatures[cell_of(&map, map.creatures[k].column, map.creatures[k].row)] =
            find_kind(rules, &map.creatures[k])->letter;
    gen_bytes_to_text(&level, text);
    free(level.creatures);
    return LUDUS_OK;
}
