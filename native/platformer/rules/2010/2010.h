/* What the rule set "2010" keeps in a world. */
#ifndef LUDUS_PLATFORMER_2010_H
#define LUDUS_PLATFORMER_2010_H

#include "platformer/rules/competition/competition.h"

enum { PF_2010_ACTIONS = 64 };

/* Why Mario died; the kind of what killed him comes on top of the last. */
enum { DIED_OF_TIME = 1, DIED_IN_GAP, DIED_OF_EVENT, DIED_OF_KIND = 16, MOST_CAUSES = 4 };

/* Behind it: the block data, a byte for each cell, then the flags of the templates. */
typedef struct {
    pf_competition common;
    float x_before, y_before; /* where Mario's last update began */
    uint64_t random;
    int32_t reward;
    int32_t kills, kills_by_fire, kills_by_stomp, kills_by_shell;
    int32_t mushrooms, flowers, green_mushrooms, offered_mushrooms, offered_flowers;
    int32_t swing_from, swing_to; /* only cells in between have block data above zero */
    uint8_t in_ladder_zone, on_ladder, on_ladder_top, may_shoot;
    uint8_t n_causes, unused[7];
    uint8_t causes[MOST_CAUSES];
} pf_2010;

_Static_assert(sizeof(pf_2010) == sizeof(pf_competition) + 80 && offsetof(pf_2010, random) % 8 == 0,
               "a state has no gaps, so that saved states are the same everywhere");

static inline pf_2010 *pf_2010_of(const pf_world *w) { return pf_tail(w); }
static inline size_t pf_2010_cells(const pf_level *level) {
    return (size_t)level->width * (size_t)level->height;
}
static inline int8_t *pf_2010_data(const pf_world *w) { return (int8_t *)(pf_2010_of(w) + 1); }
static inline uint8_t *pf_2010_templates(const pf_world *w) {
    return (uint8_t *)pf_2010_data(w) + pf_2010_cells(w->level);
}

/* How a game's state goes into digests, and whether a saved state may hold it. */
void pf_2010_digest(const pf_world *world, digest *to);
bool pf_2010_fits(const pf_level *level, const void *tail);

extern const uint8_t pf_2010_scene_0[PF_TILES], pf_2010_scene_1[PF_TILES], pf_2010_scene_2[PF_TILES];
extern const uint8_t pf_2010_entities_0[PF_ALL_KINDS], pf_2010_entities_1[PF_ALL_KINDS];
extern const uint8_t pf_2010_entities_2[PF_ALL_KINDS];
extern const uint8_t pf_2010_threats_0[PF_ALL_KINDS], pf_2010_threats_1[PF_ALL_KINDS];
extern const uint8_t pf_2010_threats_2[PF_ALL_KINDS];
extern const uint8_t pf_2010_kinds[PF_ALL_KINDS], pf_2010_listed_kinds[PF_ALL_KINDS];

extern const char pf_2010_columns[];
void pf_2010_trace(const pf_world *world, pf_text *to);

#endif
