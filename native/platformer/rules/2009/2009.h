/* What the rule set "2009" keeps in a world. */
#ifndef LUDUS_PLATFORMER_2009_H
#define LUDUS_PLATFORMER_2009_H

#include "platformer/rules/competition/competition.h"

/* Kills of walkers and piranhas by their cause, then of bills and shells. */
enum {
    KILLS_STOMP,
    KILLS_SHELL,
    KILLS_FIRE,
    KILLS_BUMP,
    KILLS_BILL_STOMP,
    KILLS_BILL_SHELL,
    KILLS_SHELL_FIRE,
    KILLS_SHELL_DIE,
    KILL_CAUSES
};

/* The flags of the templates follow. */
typedef struct {
    pf_competition common;
    int32_t kills[KILL_CAUSES];
    int32_t kills_by_kind[PF_KINDS]; /* of walkers and piranhas, whatever the cause */
} pf_2009;

static inline pf_2009 *pf_2009_of(const pf_world *w) { return pf_tail(w); }
static inline uint8_t *pf_2009_templates(const pf_world *w) { return (uint8_t *)(pf_2009_of(w) + 1); }

extern const uint8_t pf_2009_scene_0[PF_TILES], pf_2009_scene_1[PF_TILES], pf_2009_scene_2[PF_TILES];
extern const uint8_t pf_2009_kinds[PF_KINDS], pf_2009_enemies_1[PF_KINDS], pf_2009_enemies_2[PF_KINDS];
extern const uint8_t pf_2009_listed_kinds[PF_KINDS];

enum { PF_2009_BITS = 62 }; /* two bytes for each of 31 characters */
/* The packed bitmap of the scene at detail 1: 22 x 22 cells row by row, the lowest bit first. */
void pf_2009_level_bits(const pf_world *world, uint8_t *bytes);

extern const char pf_2009_columns[];
void pf_2009_trace(const pf_world *world, pf_text *to);

#endif
