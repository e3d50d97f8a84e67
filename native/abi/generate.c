/* Level generators by name, with options by name; generate_run.c runs them. */
#include "abi/generate.h"

#include <stdlib.h>
#include <string.h>

/* ---- options -------------------------------------------------------------------------------- */

/* The kind of a number in a structure of options. */
enum width { IN_BOOL, IN_I32, IN_I64, IN_U64, ELSEWHERE };

typedef struct {
    ludus_option_range range;
    enum width width;
    size_t at;
} field;

#define NUMBER(type, member, value, least, most) \
    {{#member, value, least, most}, IN_I32, offsetof(type, member)}
#define SWITCH(type, member, value) {{#member, value, 0, 1}, IN_BOOL, offsetof(type, member)}

static void put(void *options, const field *f, int64_t value) {
    char *to = (char *)options + f->at;
    bool yes = value != 0;
    int32_t narrow = (int32_t)value;
    uint64_t bits = (uint64_t)value;
    switch (f->width) {
    case IN_BOOL: memcpy(to, &yes, sizeof yes); break;
    case IN_I32: memcpy(to, &narrow, sizeof narrow); break;
    case IN_I64: memcpy(to, &value, sizeof value); break;
    case IN_U64: memcpy(to, &bits, sizeof bits); break;
    case ELSEWHERE: break;
    }
}

/* ---- the four generators -------------------------------------------------------------------- */

#define NOTCH_OPTIONS(first) \
    {{"seed", first, INT64_MIN, INT64_MAX}, IN_I64, offsetof(notch_options, core.seed)}, \
    {{"difficulty", 0, 0, 100}, IN_I32, offsetof(notch_options, core.difficulty)}, \
    {{"type", 0, 0, 2}, IN_I32, offsetof(notch_options, core.type)}

static const field notch_2009_fields[] = {
    NOTCH_OPTIONS(1),
    NUMBER(notch_options, width, 320, 32, 100000),
};
static const field notch_framework_fields[] = {
    NOTCH_OPTIONS(0),
    NUMBER(notch_options, width, 150, 16, 100000),
    NUMBER(notch_options, height, 16, 8, GEN_MAX_HEIGHT),
};

#define TUNABLE(member, value, least, most) \
    {{#member, value, least, most}, IN_I32, offsetof(tunable_options, core.member)}
#define TUNABLE_SWITCH(member, value) {{#member, value, 0, 1}, IN_BOOL, offsetof(tunable_options, core.member)}
#define CREATURE(kind) {{"creature_" #kind, -1, -1, INT32_MAX}, ELSEWHERE, kind}

static const field tunable_fields[] = {
    TUNABLE(seed, 0, 0, INT32_MAX), TUNABLE(difficulty, 0, 0, 100), TUNABLE(type, 0, 0, 2),
    NUMBER(tunable_options, width, 256, 16, 100000),
    NUMBER(tunable_options, height, 15, 15, GEN_MAX_HEIGHT), TUNABLE(exit_x, 0, 0, 100000),
    TUNABLE(exit_y, 0, 0, GEN_MAX_HEIGHT), TUNABLE_SWITCH(flat, 0), TUNABLE_SWITCH(dead_ends, 0),
    TUNABLE_SWITCH(cannons, 1), TUNABLE_SWITCH(platforms, 1), TUNABLE_SWITCH(tubes, 1),
    TUNABLE_SWITCH(coins, 1), TUNABLE_SWITCH(blocks, 1), TUNABLE_SWITCH(gaps, 1),
    TUNABLE_SWITCH(hidden_blocks, 0), TUNABLE_SWITCH(ladders, 0),
    TUNABLE(creatures, GEN_CREATURES_OFF, GEN_CREATURES_OFF, GEN_CREATURES_ANY), CREATURE(0), CREATURE(1),
    CREATURE(2), CREATURE(3), CREATURE(4), CREATURE(5), CREATURE(6), CREATURE(7), CREATURE(8),
};

#define LG(member, value, least, most) NUMBER(lg_options, member, value, least, most)
#define SHARE(member, value) NUMBER(lg_options, member, value, 0, 100)
#define WEIGHT(name, walker, value) {{name, value, 0, 100}, IN_I32, offsetof(lg_options, weights[walker])}
#define COUNT(name, walker) {{name, -1, -1, 4096}, IN_I32, offsetof(lg_options, counts[walker])}

/* The reach is that of the reference's physics in a level of 16 rows. */
static const field ludus_fields[] = {
    {{"seed", 0, INT64_MIN, INT64_MAX}, IN_U64, offsetof(lg_options, seed)},
    LG(difficulty, 2, 0, 20),
    LG(length, 200, LG_LEAST_LENGTH, LG_MOST_LENGTH),
    LG(height, 16, LG_LEAST_HEIGHT, LG_MOST_HEIGHT),
    LG(start_column, 3, 0, LG_MOST_LENGTH),
    LG(exit_column, -1, -1, LG_MOST_LENGTH),
    LG(exit_row, -1, -1, LG_MOST_HEIGHT - 2),
    SWITCH(lg_options, ceiling, 0),
    SWITCH(lg_options, flat, 0),
    SWITCH(lg_options, impossible, 0),
    SHARE(relief, 60),
    SHARE(gaps, 20),
    LG(gap_width, 10, 2, 32),
    SHARE(stairs, 20),
    SHARE(tubes, 20),
    SHARE(piranhas, 35),
    SHARE(cannons, 20),
    SHARE(hills, 20),
    SHARE(platforms, 20),
    SHARE(dead_ends, 5),
    LG(dead_end_depth, 16, 10, 64),
    SHARE(ladders, 0),
    SHARE(moving_platforms, 0),
    SHARE(switches, 0),
    SHARE(keys, 0),
    SHARE(puzzles, 0),
    SHARE(blocks, 55),
    SHARE(power_ups, 10),
    SHARE(coin_blocks, 44),
    SHARE(one_ups, 1),
    SHARE(hidden_blocks, 8),
    SHARE(coins, 50),
    SHARE(creatures, 50),
    SHARE(winged, 8),
    WEIGHT("goombas", LG_GOOMBA, 10),
    WEIGHT("green_koopas", LG_GREEN_KOOPA, 5),
    WEIGHT("red_koopas", LG_RED_KOOPA, 5),
    WEIGHT("spikies", LG_SPIKY, 3),
    COUNT("goomba_count", LG_GOOMBA),
    COUNT("green_koopa_count", LG_GREEN_KOOPA),
    COUNT("red_koopa_count", LG_RED_KOOPA),
    COUNT("spiky_count", LG_SPIKY),
    LG(reach_up, 4, 0, 10000),
    LG(reach_across, 9, 0, 10000),
    LG(reach_far, 23, 0, 10000),
};

/* ---- what options must be together ---------------------------------------------------------- */

static int32_t check_ludus(const void *options) {
    enum { RUN = 26, BEHIND = 8 };
    const lg_options *o = options;
    int first = o->start_column + RUN, last = o->length - 1;
    int furthest = o->exit_column < 0 ? last - BEHIND : last;
    if (first > furthest)
        return abi_fail(LUDUS_BAD_OPTION, "start_column %d is out of range: give 0 to %d in %d columns",
                        (int)o->start_column, furthest - RUN, (int)o->length);
    if (o->exit_column >= 0 && (o->exit_column < first || o->exit_column > last))
        return abi_fail(LUDUS_BAD_OPTION, "exit_column %d is out of range: give %d to %d", (int)o->exit_column,
                        first, last);
    if (o->exit_row >= 0 && (o->exit_row < 2 || o->exit_row > o->height - 2))
        return abi_fail(LUDUS_BAD_OPTION, "exit_row %d is out of range: give 2 to %d", (int)o->exit_row,
                        (int)o->height - 2);
    if (o->power_ups + o->coin_blocks + o->one_ups > 100)
        return abi_fail(LUDUS_BAD_OPTION, "power_ups %d, coin_blocks %d and one_ups %d are more than all blocks: "
                        "let them be at most 100 together", (int)o->power_ups, (int)o->coin_blocks,
                        (int)o->one_ups);
    return LUDUS_OK;
}

static int32_t check_tunable(const void *options) {
    const tunable_options *o = options;
    if (o->core.exit_x < o->width && o->core.exit_y < o->height)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "the exit (%d, %d) is out of range: give columns 0 to %d and rows 0 to %d",
                    (int)o->core.exit_x, (int)o->core.exit_y, (int)o->width - 1, (int)o->height - 1);
}

typedef union {
    notch_options notch;
    tunable_options tunable;
    lg_options ludus;
} any_options;

typedef struct {
    const char *name;
    const field *fields;
    size_t n;
    int32_t (*check)(const void *options);
    parcel *(*run)(const void *options);
} generator;

#define FIELDS(fields) fields, sizeof fields / sizeof *fields

static const generator generators[] = {
    {"ludus", FIELDS(ludus_fields), check_ludus, abi_run_ludus},
    {"notch-2009", FIELDS(notch_2009_fields), NULL, abi_run_notch_2009},
    {"notch-framework", FIELDS(notch_framework_fields), NULL, abi_run_notch_framework},
    {"tunable-2010", FIELDS(tunable_fields), check_tunable, abi_run_tunable_2010},
};
enum { GENERATORS = sizeof generators / sizeof *generators };

int32_t ludus_generator_count(void) { return GENERATORS; }

const char *ludus_generator_name(int32_t number) {
    return number >= 0 && number < GENERATORS ? generators[number].name : NULL;
}

size_t ludus_generator_options(int32_t number, ludus_option_range *options, size_t capacity) {
    if (number < 0 || number >= GENERATORS)
        return 0;
    for (size_t k = 0; k < generators[number].n && k < capacity; k++)
        options[k] = generators[number].fields[k].range;
    return generators[number].n;
}

static const generator *find_generator(const char *name) {
    for (int k = 0; k < GENERATORS; k++)
        if (!strcmp(generators[k].name, name))
            return &generators[k];
    return NULL;
}

/* Looks from the field after the last one on: options mostly come in order. */
static const field *find_field(const generator *g, const char *name, size_t *next) {
    for (size_t tried = 0; tried < g->n; tried++) {
        const field *f = &g->fields[(*next)++ % g->n];
        if (!strcmp(f->range.name, name))
            return f;
    }
    return NULL;
}

/* Puts a kind behind those that are listed; whoever lists none but asks for creatures gets any. */
static int32_t list_creature(gen_tunable_options *o, int kind, int64_t count) {
    if (count < 0)
        return LUDUS_OK;
    if (o->n_listed == GEN_TUNABLE_KINDS)
        return abi_fail(LUDUS_BAD_OPTION, "creature_%d is listed too often: list each kind once", kind);
    o->creatures = GEN_CREATURES_LISTED;
    o->listed[o->n_listed].kind = kind;
    o->listed[o->n_listed++].count = (int32_t)count;
    return LUDUS_OK;
}

static int32_t set_option(const generator *g, any_options *all, const ludus_option *option, size_t *next) {
    const field *f = find_field(g, option->name, next);
    if (!f)
        return abi_fail(LUDUS_BAD_OPTION, "no option '%.64s' of %s: see ludus_generator_options", option->name,
                        g->name);
    if (option->value < f->range.least || option->value > f->range.most)
        return abi_fail(LUDUS_BAD_OPTION, "%s %lld is out of range: give %lld to %lld", f->range.name,
                        (long long)option->value, (long long)f->range.least, (long long)f->range.most);
    if (f->width == ELSEWHERE)
        return list_creature(&all->tunable.core, (int)f->at, option->value);
    put(all, f, option->value);
    return LUDUS_OK;
}

static int32_t read_options(const generator *g, any_options *all, const ludus_option *options, size_t n) {
    int32_t error = LUDUS_OK;
    size_t next = 0;
    memset(all, 0, sizeof *all);
    for (size_t k = 0; k < g->n; k++)
        put(all, &g->fields[k], g->fields[k].range.value);
    for (size_t k = 0; k < n && !error; k++)
        error = set_option(g, all, &options[k], &next);
    return !error && g->check ? g->check(all) : error;
}

static void measure(ludus_generated *facts) {
    const char *end = memchr(facts->text, '\n', facts->text_length);
    facts->width = (int32_t)(end ? (size_t)(end - facts->text) : facts->text_length);
    facts->height = (int32_t)((facts->text_length + 1) / ((size_t)facts->width + 1));
}

int32_t ludus_generate(const char *name, const ludus_option *options, size_t n, ludus_generated **generated) {
    any_options all;
    const generator *g = find_generator(name);
    if (!g)
        return abi_fail(LUDUS_BAD_OPTION, "no generator '%.64s': see ludus_generator_name", name);
    int32_t error = read_options(g, &all, options, n);
    if (error)
        return error;
    parcel *p = g->run(&all);
    if (!p)
        return abi_no_memory();
    measure(&p->facts);
    if (!p->facts.rules)
        p->facts.rules = "framework";
    *generated = &p->facts;
    return LUDUS_OK;
}

void ludus_generated_free(ludus_generated *generated) { free(generated); }

static int32_t read_generated(const ludus_generated *g, ludus_level **level) {
    if (!g->map_rules)
        return ludus_level_from_text(g->text, g->text_length, g->rules, level);
    ludus_map map = {sizeof map, g->width, g->height, g->exit_x, g->exit_y, g->map, g->creatures, g->n_creatures,
                     g->data, g->n_data, g->type, g->difficulty, g->counts};
    return ludus_level_from_map(&map, g->map_rules, level);
}

int32_t ludus_level_from_generator(const char *name, const ludus_option *options, size_t n, ludus_level **level) {
    ludus_generated *g;
    int32_t error = ludus_generate(name, options, n, &g);
    if (error)
        return error;
    error = read_generated(g, level);
    ludus_generated_free(g);
    return error;
}
