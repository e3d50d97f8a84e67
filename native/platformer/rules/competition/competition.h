/* What the engines of the competitions of 2009 and 2010 keep in a world besides pf_world.
 *
 * The tail of both rule sets begins with pf_competition. Behind it each has what only it knows, and at the
 * end a byte for each template of the level: 1 once its creature was killed, after which it never comes back.
 */
#ifndef LUDUS_PLATFORMER_COMPETITION_H
#define LUDUS_PLATFORMER_COMPETITION_H

#include "platformer/rules/rules.h"

/* Action bits of both; PF_CLIMB of 2010 alone. */
enum { HOLD_LEFT = 1, HOLD_RIGHT = 2, HOLD_DOWN = 4, HOLD_JUMP = 8, HOLD_SPEED = 16, HOLD_UP = 32 };

/* Bits of pf_sprite.marks; the first three and their order are those of the recordings. */
enum {
    MARK_DEAD = 1,    /* a shell, bill or fireball that was killed */
    MARK_CARRIED = 2, /* a shell that hangs where it was put */
    MARK_FLYING = 4,  /* a corpse that falls */
    MARK_HELD = 8     /* the shell in Mario's hands */
};

enum { SCREEN_WIDTH = 320, SCREEN_HEIGHT = 240, TICKS_A_SECOND = 15 };

typedef struct {
    int32_t map_x, map_y; /* Mario's cell as the engine notes it */
    int32_t clock;        /* 1 + ticks, those in which the world stood still included */
    int32_t death_time, win_time;
    int32_t collisions, hidden; /* harmful contacts that did harm; hidden blocks that were found */
    float jump_speed_x, jump_speed_y;
    uint8_t sliding, carrying;
    uint8_t buttons; /* of the tick that is being played */
    uint8_t unused;
} pf_competition;

static inline pf_competition *pf_competition_of(const pf_world *w) { return pf_tail(w); }

/* Mario's place in engine order of the shell that he carries: -1 none, -2 one that left the list. */
int pf_carried_place(const pf_world *world);

/* Writes pf_competition and what sprites have under these rules; templates: a byte for each. */
void pf_digest_competition(const pf_world *world, const uint8_t *templates, digest *to);
/* Whether a saved state may hold these. */
bool pf_competition_fits(const pf_competition *state);
bool pf_templates_fit(const pf_level *level, const uint8_t *templates);

#endif
