/* Rule sets and levels. */
#include "abi/internal.h"
#include "platformer/rules/ludus/elements.h"

#include <stdlib.h>
#include <string.h>

/* ---- rule sets ------------------------------------------------------------------------------ */

int32_t ludus_rule_set_count(void) {
    int32_t n = 0;
    while (pf_rule_sets[n])
        n++;
    return n;
}

static const pf_rules *rule_set(int32_t number) {
    return number >= 0 && number < ludus_rule_set_count() ? pf_rule_sets[number] : NULL;
}

const char *ludus_rule_set_name(int32_t number) {
    const pf_rules *rules = rule_set(number);
    return rules ? rules->name : NULL;
}

int32_t ludus_rule_set_version(int32_t number) {
    const pf_rules *rules = rule_set(number);
    return rules ? rules->version : 0;
}

int32_t ludus_digest_version(void) { return PF_DIGEST_VERSION; }

/* The names in quotes, with "or" before the last. */
static void list_rule_sets(char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (int k = 0; pf_rule_sets[k]; k++) {
        const char *between = k == 0 ? "'" : pf_rule_sets[k + 1] ? ", '" : " or '";
        const char *parts[] = {between, pf_rule_sets[k]->name, "'"};
        for (int part = 0; part < 3 && used + strlen(parts[part]) < room; part++) {
            strcpy(out + used, parts[part]);
            used += strlen(parts[part]);
        }
    }
}

int32_t abi_find_rules(const char *name, const pf_rules **rules) {
    *rules = pf_find_rules(name ? name : pf_rule_sets[0]->name);
    if (*rules)
        return LUDUS_OK;
    char known[128];
    list_rule_sets(known, sizeof known);
    return abi_fail(LUDUS_BAD_OPTION, "rules '%.64s' are unknown: try %s", name, known);
}

/* ---- levels --------------------------------------------------------------------------------- */

int32_t abi_check_size(int32_t width, int32_t height) {
    if (width >= 1 && height >= 1 && width <= LUDUS_MAX_WIDTH && height <= LUDUS_MAX_HEIGHT)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_LEVEL, "a level of %d x %d cells is out of range: give 1 to %d columns and "
                    "1 to %d rows", (int)width, (int)height, LUDUS_MAX_WIDTH, LUDUS_MAX_HEIGHT);
}

int32_t abi_build_level(const pf_cells *cells, const pf_rules *rules, ludus_level **level) {
    ludus_level *made = calloc(1, sizeof *made);
    if (!made || !(made->core = pf_level_new(cells, rules))) {
        free(made);
        return abi_no_memory();
    }
    atomic_init(&made->holders, 1);
    *level = made;
    return LUDUS_OK;
}

int32_t ludus_level_from_cells(const char *cells, int32_t width, int32_t height, const char *rules_name,
                               ludus_level **level) {
    const pf_rules *rules;
    int32_t error = abi_check_size(width, height);
    if (error || (error = abi_find_rules(rules_name, &rules)))
        return error;
    pf_cells all = {.characters = cells, .width = width, .height = height};
    return rules->maps ? abi_build_map(&all, rules, level) : abi_build_level(&all, rules, level);
}

typedef struct {
    size_t width, height;
} shape;

/* Puts the rows one after the other without their ends; returns whether they are of equal length. */
static bool join_rows(const char *text, size_t length, char *cells, shape *size, size_t *odd_row) {
    size_t at = 0, used = 0;
    for (size_t row = 0; at < length; row++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t next = end ? (size_t)(end - text) : length, width = next - at;
        width -= width > 0 && text[at + width - 1] == '\r';
        if (row == 0)
            size->width = width;
        *odd_row = row + 1;
        if (width != size->width)
            return false;
        memcpy(cells + used, text + at, width);
        used += width;
        size->height = row + 1;
        at = next + 1;
    }
    return true;
}

/* Length without the line ends behind the last row. */
static size_t trimmed(const char *text, size_t length) {
    while (length && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    return length;
}

int32_t ludus_level_from_text(const char *text, size_t length, const char *rules, ludus_level **level) {
    shape size = {0, 0};
    size_t odd_row = 0;
    length = trimmed(text, length);
    if (!length)
        return abi_fail(LUDUS_BAD_LEVEL, "the level is empty: give rows of characters, such as M---F over XXXXX");
    if (length > (size_t)(LUDUS_MAX_WIDTH + 2) * LUDUS_MAX_HEIGHT)
        return abi_fail(LUDUS_BAD_LEVEL, "a level of %zu characters is too large: give at most %d columns and "
                        "%d rows", length, LUDUS_MAX_WIDTH, LUDUS_MAX_HEIGHT);
    char *cells = malloc(length);
    if (!cells)
        return abi_no_memory();
    int32_t error;
    if (!join_rows(text, length, cells, &size, &odd_row))
        error = abi_fail(LUDUS_BAD_LEVEL, "row %zu differs in length from the first, which has %zu characters: "
                         "make all rows equally long", odd_row, size.width);
    else
        error = ludus_level_from_cells(cells, (int32_t)abi_least(size.width, INT32_MAX),
                                       (int32_t)abi_least(size.height, INT32_MAX), rules, level);
    free(cells);
    return error;
}

void ludus_level_free(ludus_level *level) {
    if (!level || atomic_fetch_sub(&level->holders, 1) > 1)
        return;
    pf_free(level->core);
    free(level);
}

void ludus_level_describe(const ludus_level *level, ludus_level_facts *facts) {
    const pf_level *l = level->core;
    *facts = (ludus_level_facts){l->width,  l->height, l->start_x,    l->start_y,
                                 l->exit_x, l->exit_y, l->total_coins};
}

const char *ludus_level_rules(const ludus_level *level) { return level->core->rules->name; }

size_t ludus_level_tiles(const ludus_level *level, uint8_t *tiles, size_t capacity) {
    size_t n = (size_t)level->core->width * (size_t)level->core->height;
    if (capacity)
        memcpy(tiles, pf_level_tiles(level->core), abi_least(n, capacity));
    return n;
}

size_t ludus_level_templates(const ludus_level *level, ludus_template *templates, size_t capacity) {
    size_t n = (size_t)level->core->n_templates;
    for (size_t k = 0; k < n && k < capacity; k++) {
        const pf_template *t = pf_templates(level->core) + k;
        templates[k] = (ludus_template){t->column, t->row, t->kind};
    }
    return n;
}

static size_t platforms_at(const pf_level *level, int tick, ludus_platform *platforms, size_t capacity) {
    size_t n = (size_t)pf_count_platforms(level);
    for (size_t k = 0; k < n && k < capacity; k++) {
        const pf_platform *p = pf_platforms(level) + k;
        int x, y;
        pf_platform_at(p, tick, &x, &y);
        platforms[k] = (ludus_platform){x, y, p->width};
    }
    return n;
}

size_t ludus_level_platforms(const ludus_level *level, ludus_platform *platforms, size_t capacity) {
    return platforms_at(level->core, 0, platforms, capacity);
}

size_t ludus_world_platforms(const ludus_world *world, ludus_platform *platforms, size_t capacity) {
    return platforms_at(world->core->level, world->core->tick, platforms, capacity);
}
