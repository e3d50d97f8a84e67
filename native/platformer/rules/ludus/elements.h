/* Ladders, keys, locks, switches, doors and moving platforms: what the rule set "ludus" has beyond the
 * framework's, for those who look at its levels and worlds. Other rule sets have none of it: the
 * functions below say so instead of failing.
 */
#ifndef LUDUS_PLATFORMER_ELEMENTS_H
#define LUDUS_PLATFORMER_ELEMENTS_H

#include "platformer/rules/rules.h"

/* Tiles; each but the ladders has COLOURS codes in a row. */
enum {
    PF_COLOURS = 3,
    PF_LADDER = 64,
    PF_LADDER_TOP = 65,
    PF_KEY = 66,
    PF_LOCK = 69,
    PF_SWITCH = 72,
    PF_SWITCH_PRESSED = 75,
    PF_DOOR_CLOSED = 78,
    PF_DOOR_OPEN = 81
};

/* A platform that moves to and fro along one axis; its place is a function of the tick alone. */
typedef struct {
    int32_t x, y, width;   /* pixels: left, top, at the near end of its way */
    int32_t dx, dy;        /* 1, 0 sideways or 0, 1 up and down */
    int32_t way, start;    /* pixels from end to end; where on it tick 0 finds the platform */
} pf_platform;

/* The tail of a level. */
typedef struct {
    int32_t n_platforms;
    pf_platform platforms[]; /* n_platforms of them */
} pf_level_elements;

/* The tail of a world. */
typedef struct {
    int32_t riding;         /* 1 + the platform that Mario stands on, or 0 */
    int32_t switch_touched; /* 1 + the switch tile that he is touching, or 0 */
    uint8_t keys[PF_COLOURS], climbing;
} pf_elements;

static inline bool pf_has_elements(const pf_level *level) { return level->rules->elements; }

static inline int pf_count_platforms(const pf_level *level) {
    return pf_has_elements(level) ? ((const pf_level_elements *)pf_level_tail(level))->n_platforms : 0;
}
static inline const pf_platform *pf_platforms(const pf_level *level) {
    return ((const pf_level_elements *)pf_level_tail(level))->platforms;
}

/* All zero in a world that has none. */
static inline const pf_elements *pf_elements_of(const pf_world *w) {
    static const pf_elements none = {0};
    return w->rules->elements ? (const pf_elements *)pf_tail(w) : &none;
}

/* Where a platform is at a tick: its left upper pixel. */
static inline void pf_platform_at(const pf_platform *p, int tick, int *x, int *y) {
    int along = p->way ? (p->start + tick) % (2 * p->way) : 0;
    along = along <= p->way ? along : 2 * p->way - along;
    *x = p->x + p->dx * along;
    *y = p->y + p->dy * along;
}

#endif
