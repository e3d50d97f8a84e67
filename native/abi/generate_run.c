/* Running the level generators and describing what they made. */
#include "abi/generate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t aligned(size_t n) { return (n + 7) & ~(size_t)7; }

static parcel *new_parcel(size_t room) {
    parcel *p = malloc(sizeof *p + room);
    if (p)
        *p = (parcel){.used = 0};
    return p;
}

static void *take(parcel *p, size_t bytes) {
    void *taken = p->memory + p->used;
    p->used += aligned(bytes);
    return taken;
}

static void set_text(parcel *p, char *text, size_t size) {
    text[size - 1] = '\0'; /* instead of the last line feed */
    p->facts.text = text;
    p->facts.text_length = size - 1;
}

static bool is_winged(uint8_t letter) {
    bool has_none = letter == GEN_PIRANHA || letter == GEN_PRINCESS;
    return letter == GEN_WAVE_GOOMBA || (!has_none && isupper(letter));
}

static int kind_2009(uint8_t letter) {
    static const char order[] = "rkgyt";
    const char *at = strchr(order, tolower(letter));
    return at ? (int)(at - order) : -1;
}

static int kind_2010(uint8_t letter) {
    switch (letter) {
    case 'g': return 80;
    case 'k': return 81;
    case 'r': return 82;
    case 'y': return 93;
    case 'G': return 95;
    case 'K': return 96;
    case 'R': return 97;
    case 'Y': return 99;
    case GEN_WAVE_GOOMBA: return 98;
    case GEN_PIRANHA: return 91;
    default: return 49; /* the princess */
    }
}

static size_t count_filled(const void *bytes, size_t n) {
    const uint8_t *cells = bytes;
    uint32_t filled = 0;
    for (size_t k = 0; k < n; k++)
        filled += cells[k] != 0;
    return filled;
}

static void list_creatures(parcel *p, const gen_level *level, int (*kind_of)(uint8_t)) {
    size_t n = 0;
    ludus_creature *all = take(p, p->facts.n_creatures * sizeof *all);
    for (size_t k = 0; n < p->facts.n_creatures; k++) {
        uint8_t letter = level->creatures[k];
        if (letter)
            all[n++] = (ludus_creature){(int32_t)(k / (size_t)level->height), (int32_t)(k % (size_t)level->height),
                                        kind_of(letter), is_winged(letter)};
    }
    p->facts.creatures = all;
}

static void list_data(parcel *p, const gen_level *level) {
    size_t n = 0;
    ludus_block_data *all = take(p, p->facts.n_data * sizeof *all);
    for (size_t k = 0; n < p->facts.n_data; k++)
        if (level->data[k])
            all[n++] = (ludus_block_data){(int32_t)(k / (size_t)level->height),
                                          (int32_t)(k % (size_t)level->height), level->data[k]};
    p->facts.data = all;
}

static void copy_counts(ludus_counts *to, const gen_counts *from) {
    *to = (ludus_counts){from->dead_ends, from->cannons, from->platforms, from->tubes,    from->blocks,
                         from->coins,     from->gaps,    from->hidden,    from->creatures};
}

/* A level of map bytes as both the text that comes closest and its own data. */
static parcel *describe(const gen_level *level, int (*kind_of)(uint8_t)) {
    size_t cells = (size_t)level->width * (size_t)level->height, text = gen_text_size(level);
    size_t creatures = count_filled(level->creatures, cells), data = count_filled(level->data, cells);
    parcel *p = new_parcel(aligned(text) + aligned(cells) + aligned(creatures * sizeof(ludus_creature))
                           + aligned(data * sizeof(ludus_block_data)));
    if (!p)
        return NULL;
    p->facts.n_creatures = creatures;
    p->facts.n_data = data;
    char *rows = take(p, text);
    gen_bytes_to_text(level, rows);
    set_text(p, rows, text);
    uint8_t *map = take(p, cells);
    memcpy(map, level->map, cells);
    p->facts.map = map;
    p->facts.exit_x = level->exit_x;
    p->facts.exit_y = level->exit_y;
    list_creatures(p, level, kind_of);
    list_data(p, level);
    copy_counts(&p->facts.counts, &level->counts);
    return p;
}

/* ---- running them --------------------------------------------------------------------------- */

/* A level's memory: map, creatures, data. */
static bool begin_level(gen_level *level, int width, int height) {
    size_t cells = (size_t)width * (size_t)height;
    *level = (gen_level){.width = width, .height = height, .map = calloc(3, cells)};
    if (!level->map)
        return false;
    level->creatures = level->map + cells;
    level->data = (int8_t *)(level->map + 2 * cells);
    return true;
}

static void name_rules(parcel *p, const char *rules, int32_t type, int32_t difficulty) {
    p->facts.map_rules = rules;
    p->facts.type = type;
    p->facts.difficulty = difficulty;
}

parcel *abi_run_notch_2009(const void *options) {
    enum { HEIGHT = 15 };
    const notch_options *o = options;
    gen_level level;
    if (!begin_level(&level, o->width, HEIGHT))
        return NULL;
    gen_notch_2009(&level, &o->core);
    parcel *p = describe(&level, kind_2009);
    if (p)
        name_rules(p, "2009", o->core.type, o->core.difficulty);
    free(level.map);
    return p;
}

parcel *abi_run_notch_framework(const void *options) {
    const notch_options *o = options;
    gen_level level;
    if (!begin_level(&level, o->width, o->height))
        return NULL;
    level.creatures = level.map; /* a level of characters */
    level.data = NULL;
    gen_notch_framework(&level, &o->core);
    parcel *p = new_parcel(aligned(gen_text_size(&level)));
    if (p) {
        char *text = take(p, gen_text_size(&level));
        gen_characters_to_text(&level, text);
        set_text(p, text, gen_text_size(&level));
    }
    free(level.map);
    return p;
}

parcel *abi_run_tunable_2010(const void *options) {
    const tunable_options *o = options;
    gen_level level;
    if (!begin_level(&level, o->width, o->height))
        return NULL;
    gen_tunable_2010(&level, &o->core);
    parcel *p = describe(&level, kind_2010);
    if (p)
        name_rules(p, "2010", o->core.type, o->core.difficulty);
    free(level.map);
    return p;
}

parcel *abi_run_ludus(const void *options) {
    const lg_options *o = options;
    lg_workspace *workspace = malloc(sizeof *workspace);
    parcel *p = workspace ? new_parcel(aligned(lg_text_size(o))) : NULL;
    if (p) {
        char *text = take(p, lg_text_size(o));
        bool elements = lg_generate(o, workspace, text);
        set_text(p, text, lg_text_size(o));
        p->facts.rules = elements ? "ludus" : NULL;
    }
    free(workspace);
    return p;
}
