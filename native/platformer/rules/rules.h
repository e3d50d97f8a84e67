/* A rule set: what one engine of the family does in a tick, and how its levels and worlds are seen.
 *
 * A rule set lives in a folder of its own here and is listed in rules.c. Everything that only it knows is
 * in two tails that it sizes: one behind the level, filled when the text is read, and one in each world,
 * zero before begin(). Hooks that a rule set has no use for are NULL.
 *
 * The version is the identity of its behaviour: whoever changes what a tick does gives it the next number.
 */
#ifndef LUDUS_PLATFORMER_RULES_H
#define LUDUS_PLATFORMER_RULES_H

#include "common/digest.h"
#include "platformer/platformer.h"

struct pf_rules {
    const char *name;
    int32_t version;
    int32_t n_kinds; /* its sprites are of kinds below this */
    bool maps;     /* its levels are maps of bytes: every pf_cells that it is given has one */
    int32_t n_actions;   /* actions are numbers below this */
    const char *buttons; /* what their bits mean, in one line */
    bool solid_interior, ladders; /* of maps: whether byte 145 is solid, bytes 61 and 93 can be climbed */
    bool elements; /* its tails begin as rules/ludus/elements.h says: ladders, keys, platforms */

    /* The tile of a character that the common reader takes for air. */
    int (*read_tile)(const pf_cells *cells, int column, int row);
    size_t (*level_tail_size)(const pf_cells *cells);
    void (*read_level_tail)(void *tail, const pf_cells *cells);
    size_t (*world_tail_size)(const pf_cells *cells);

    void (*begin)(pf_world *world, int mode);
    void (*tick)(pf_world *world, unsigned action);
    void (*digest_tail)(const pf_world *world, digest *to);
    /* Whether a saved state may hold this tail, at any address, and this tile where the level has that. */
    bool (*tail_fits)(const pf_level *level, const void *tail);
    bool (*tile_fits)(int before, int now);
    const uint8_t *features; /* PF_TILES: bits of shared/features.h */
    bool (*tile_turns)(int tile); /* whether this tile can become another one besides what its features say */
    uint8_t used_block; /* what a block that was bumped becomes */
    bool takes_physics; /* physics options and kill events change how it plays */
    bool wide_physics;  /* physics have the ranges and the wings of 2010 */
    bool exact_models;  /* forward models are exact copies, without the rounding of the framework's clones */

    const uint8_t *scene_codes[3]; /* by detail, PF_TILES each */
    const uint8_t *enemy_codes[3]; /* by detail, PF_KINDS each */
    const uint8_t *listed_kinds;   /* PF_KINDS: the number of a kind in the list of positions, 0 if it is not in it */
    bool air_outside;   /* cells outside the level are seen as air, instead of as the nearest in it */
    bool seen_in_cells; /* sprites are seen in the cell that they noted (map_x, map_y) */
    uint8_t keeps_code; /* a code in a merged grid that no sprite hides, or 0 */
    /* Puts what moves but is no sprite into a scene whose first cell is (column, row) of the level. */
    void (*see_scene)(const pf_world *world, const pf_view *view, int column, int row, uint8_t *out);
    /* Fills a grid in a way of its own; NULL for the common one. */
    void (*observe)(const pf_world *world, enum pf_grid grid, const pf_view *view, uint8_t *out);
    /* What its agents are shown besides, always of this size. */
    int32_t extra_size;
    void (*see_extra)(const pf_world *world, void *out);
    int (*count_keys)(const pf_world *world);
    bool (*carries)(const pf_world *world);
    bool (*slides)(const pf_world *world); /* down a wall, off which he can jump */
    bool (*climbs)(const pf_world *world);

    /* A row of a recording, and the names of its columns, separated by commas: trace.h. */
    const char *trace_columns;
    void (*write_trace)(const pf_world *world, pf_text *to);
};

/* All rule sets, NULL behind the last. */
extern const pf_rules *const pf_rule_sets[];

/* The rule set of this name, or NULL. */
const pf_rules *pf_find_rules(const char *name);

/* Whether a tile can become another one. */
bool pf_tile_turns(const pf_rules *rules, int tile);

#endif
