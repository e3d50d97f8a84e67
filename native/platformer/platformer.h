/* The platformer: levels, worlds, rule sets.
 *
 * A level is immutable and shared. A world is one flat piece of memory: this header's pf_world, then
 * tiles, the tail of its rule set, kill events, sprites and the events of the last tick. Copying the
 * memory clones the world. Rule sets are in rules/; nothing here knows one of them.
 * Nothing here allocates: the caller asks for a size, brings the memory, and makes room for sprites
 * between ticks (pf_has_room). All files of this folder but heap.c, course.c and batch.c compile
 * freestanding.
 */
#ifndef LUDUS_PLATFORMER_H
#define LUDUS_PLATFORMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PF_TILE = 16, PF_SCREEN = 256 };

/* Action bits. */
enum { PF_LEFT = 1, PF_RIGHT = 2, PF_DOWN = 4, PF_SPEED = 8, PF_JUMP = 16, PF_ACTIONS = 32 };

enum pf_status { PF_RUNNING, PF_WIN, PF_LOSE, PF_TIME_OUT };

enum pf_kind {
    PF_NONE = 0,
    PF_GOOMBA = 2,
    PF_GOOMBA_WINGED,
    PF_RED_KOOPA,
    PF_RED_KOOPA_WINGED,
    PF_GREEN_KOOPA,
    PF_GREEN_KOOPA_WINGED,
    PF_SPIKY,
    PF_SPIKY_WINGED,
    PF_BULLET_BILL,
    PF_ENEMY_FLOWER,
    PF_MUSHROOM,
    PF_FIRE_FLOWER,
    PF_SHELL,
    PF_LIFE_MUSHROOM,
    PF_FIREBALL,
    PF_KINDS, /* of the framework; the others are of 2010 */
    PF_WAVE_GOOMBA = PF_KINDS,
    PF_PRINCESS,
    PF_GREEN_MUSHROOM,
    PF_ALL_KINDS
};

enum pf_event_kind {
    PF_BUMP = 1,
    PF_STOMP_KILL,
    PF_FIRE_KILL,
    PF_SHELL_KILL,
    PF_FALL_KILL,
    PF_JUMPED,
    PF_LANDED,
    PF_COLLECT,
    PF_HURT,
    PF_KICK,
    PF_LOST,
    PF_WON,
    PF_EVENT_KINDS
};

/* What the parameter of a bump event means, and the tile a coin event carries. */
enum { PF_BROKE_BRICK = 22, PF_BUMPED_BLOCK = 24, PF_COIN_TILE = 15 };

/* ---- levels ------------------------------------------------------------------------------- */

typedef struct {
    int32_t column, row, kind;
} pf_template;

/* Tile codes are bytes. */
enum { PF_TILES = 256 };

typedef struct pf_rules pf_rules;
typedef struct pf_text pf_text; /* trace.h */

/* A level of the benchmarks of 2009 and 2010. */
typedef struct {
    const uint8_t *bytes;         /* column by column, from the top down */
    const int8_t *block_data;     /* likewise; NULL where all are 0 */
    const pf_template *templates; /* by column, then row; wings are part of the kind */
    int32_t n_templates;
    int32_t start_x, start_y, exit_x, exit_y;
    int32_t type, difficulty;     /* type: 0 overground, 1 underground, 2 castle */
    int32_t counted_coins, counted_hidden, counted_creatures; /* by its generator */
} pf_map;

/* The characters of a level's text, row by row, or a map. */
typedef struct {
    const char *characters; /* NULL if there is a map */
    int32_t width, height;
    const pf_map *map;      /* what rule sets with `maps` read; NULL for all others */
} pf_cells;

/* The character in a cell, or 0 outside the level. */
static inline char pf_cell(const pf_cells *c, int column, int row) {
    if (column < 0 || column >= c->width || row < 0 || row >= c->height)
        return '\0';
    return c->characters[(size_t)row * (size_t)c->width + (size_t)column];
}

typedef struct {
    int32_t width, height; /* tiles */
    int32_t start_x, start_y, exit_x, exit_y;
    int32_t total_coins;
    int32_t n_templates, n_muzzles;
    int32_t max_spawns;      /* no tick spawns more from templates and muzzles */
    int32_t world_tail_size; /* bytes that the rule set keeps in a world of this level */
    int32_t templates_at, tail_at, columns_at, tiles_at; /* bytes from here; the rows follow this header */
    const pf_rules *rules;                 /* for which its text was read */
    uint64_t identity;                     /* a digest of the text */
    /* Levels of map bytes alone; zero in others. */
    int32_t block_data_at;
    int32_t type, difficulty;
    int32_t counted_coins, counted_hidden, counted_creatures;
} pf_level;

enum { PF_MAX_WIDTH = 131072, PF_MAX_HEIGHT = 1024 };

static inline const pf_template *pf_templates(const pf_level *level) {
    return (const pf_template *)(const void *)((const char *)level + level->templates_at);
}
/* what the rule set has read for itself */
static inline const void *pf_level_tail(const pf_level *level) {
    return (const char *)level + level->tail_at;
}
/* first_in[c] .. first_in[c + 1] are the templates of column c, from the top down */
static inline const int32_t *pf_first_in(const pf_level *level) {
    return (const int32_t *)((const char *)level + level->columns_at);
}
/* column by column, from the top down: tile codes, or the map bytes as they are */
static inline const uint8_t *pf_level_tiles(const pf_level *level) {
    return (const uint8_t *)level + level->tiles_at;
}

/* The rows of a column as bits, the highest row first. Rows below the level count as walls, and so do all of a
 * level that has more than PF_ROWS. */
typedef struct {
    uint32_t walls;  /* what can stop bodies that do not fall, or change by a touch */
    uint32_t floor;  /* what stops those that fall, for good, and does nothing else */
    uint32_t unsure; /* walls that are no floor */
    uint32_t unused; /* sixteen bytes are found faster than twelve */
} pf_rows;

enum { PF_ROWS = 32 };
/* by column, from the one before the first to the one behind the last, which are all walls */
static inline const pf_rows *pf_level_rows(const pf_level *level) { return (const pf_rows *)(level + 1) + 1; }

/* a byte for each cell of a level of map bytes: -n for n more coins */
static inline const int8_t *pf_block_data(const pf_level *level) {
    return (const int8_t *)level + level->block_data_at;
}

/* Bytes that pf_level_build needs for these cells. */
size_t pf_level_size(const pf_cells *cells, const pf_rules *rules);
/* Reads the cells into a level; cannot fail: unknown characters are empty. */
void pf_level_build(pf_level *level, const pf_cells *cells, const pf_rules *rules);

/* ---- worlds ------------------------------------------------------------------------------- */

typedef struct {
    float x, y, vx, vy;
    int8_t facing;
    uint8_t on_ground, half_width, height;
} pf_body;

typedef struct {
    pf_body body;
    uint8_t kind, alive, winged, queued; /* queued: hits others in this tick's shell or fireball pass */
    int32_t key;                         /* template it came from, or -1 */
    int32_t aux;                         /* flower: ticks waited; item: life; shell: 0 red, 1 green */
    float y_start;                       /* flower: where it waits below */
    /* Under the rules of the competitions alone: */
    int32_t map_x;     /* the cell in which it is seen */
    int16_t map_y;
    uint8_t dead_time; /* ticks that its corpse stays */
    uint8_t marks;     /* of rules/competition/competition.h */
    float x_before, y_before; /* where its last update began, under the rules of 2010 */
} pf_sprite;

typedef struct {
    pf_body body;
    float jump_start_x;
    int32_t jump_time, invulnerable;
    uint8_t large, fire, ducking, was_on_ground, may_jump, can_shoot, alive;
    uint8_t listed; /* 0 once a fall has taken him out of the sprite list */
} pf_mario;

typedef struct {
    uint8_t kind, param, mode, unused;
    int32_t tick;
    float x, y;
} pf_event;

/* What the published figures of an episode are made of: events added up tick call by tick call. */
typedef struct {
    int32_t calls;
    int32_t of_kind[PF_EVENT_KINDS];     /* events by their kind */
    int32_t kills_by_kind[PF_ALL_KINDS]; /* by stomp, fire and shell, by the victim's kind */
    int32_t bump_question, bump_brick, destroyed_bricks;
    int32_t mushrooms, flowers;
    int32_t max_jump_air_time, jump_tick;
    float max_x_jump, jump_x;
} pf_log;

/* What the rules of 2010 can be set to besides; other rules do not ask. */
typedef struct {
    int32_t difficulty;  /* above 4 some power-up blocks hold green mushrooms */
    int32_t green_kills; /* green mushrooms kill instead of hurting */
    int32_t start_x, start_y; /* pixels */
    int32_t screen_width, screen_height;
    int32_t stopped; /* nothing moves */
    int32_t field_width, field_height, ego_row, ego_column; /* what its agents see */
    int32_t tile_detail, entity_detail;
} pf_settings;

/* Physics as the tick uses it; pf_physics_default() gives the reference's. */
typedef struct {
    float mario_gravity;              /* added to vy in the air */
    float inertia_left, inertia_right; /* vx factor of Mario and walkers, by facing */
    float walker_gravity, winged_gravity, shell_gravity;
    int32_t jump_ticks, stomp_ticks;
    int32_t tick_cost; /* clock units (1000 a second) that a tick costs */
    uint8_t frozen, invulnerable;
    uint8_t restores_power; /* SPEED gives Mario fire */
    uint8_t unused;
    pf_settings settings;
} pf_physics;

typedef struct pf_world pf_world;

struct pf_world {
    const pf_level *level;
    const pf_rules *rules;
    int32_t sprite_capacity, event_capacity;
    int32_t tail_at, sprites_at, events_at; /* bytes from here; the tiles follow this header */
    int32_t n_kills;
    int32_t changed_from, changed_to; /* columns from .. to - 1: no other has a tile that the level has not */
    pf_physics physics; /* saved_state.c keeps what begins here */
    int32_t overflow;   /* a capacity was exceeded: the world is not to be trusted */
    int32_t status, pause, timer, tick;
    int32_t coins, lives, fireballs;
    int32_t n_sprites, n_added, n_removed, n_events;
    int32_t shells_queued, fireballs_queued;
    float camera_x, camera_y;
    int32_t window[4]; /* spawn window of the last tick: first, last column, first, last row */
    pf_mario mario;
    pf_log log;
};

typedef struct {
    uint8_t kind, param;
} pf_kill; /* an event that costs Mario the game; param 0 fits any */

static inline uint8_t *pf_tiles(const pf_world *w) { return (uint8_t *)(w + 1); }
static inline pf_sprite *pf_sprites(const pf_world *w) {
    return (pf_sprite *)((char *)(uintptr_t)w + w->sprites_at);
}
static inline pf_event *pf_events(const pf_world *w) {
    return (pf_event *)((char *)(uintptr_t)w + w->events_at);
}
/* Tiles of this column are about to change. */
static inline void pf_note_change(pf_world *w, int column) {
    bool first = w->changed_from == w->changed_to;
    w->changed_from = first || column < w->changed_from ? column : w->changed_from;
    w->changed_to = first || column >= w->changed_to ? column + 1 : w->changed_to;
}
/* they end where the sprites begin */
static inline pf_kill *pf_kills(const pf_world *w) { return (pf_kill *)(void *)pf_sprites(w) - w->n_kills; }
/* What the rule set keeps for itself: flat, without pointers, so that copying the memory copies it. */
static inline void *pf_tail(const pf_world *w) { return (char *)(uintptr_t)w + w->tail_at; }
static inline int pf_mode(const pf_mario *m) { return m->fire ? 2 : m->large; }

void pf_physics_default(pf_physics *physics);

/* The least sprite capacity with which a world of this level can begin. */
int pf_first_capacity(const pf_level *level);
size_t pf_world_size(const pf_level *level, int n_kills, int sprite_capacity);
/* Puts the world at its start: after the reference's warm-up tick, with an empty log. */
void pf_world_begin(pf_world *world, const pf_level *level, const pf_physics *physics,
                    const pf_kill *kills, int n_kills, int mode, int timer, int sprite_capacity);

/* Whether the next tick is sure to fit. If not: pf_copy into a world of pf_wanted_capacity. */
static inline bool pf_has_room(const pf_world *w) {
    return 6 * w->n_sprites + w->level->max_spawns + 8 <= w->sprite_capacity;
}
int pf_wanted_capacity(const pf_world *world);

/* One tick; needs room. A finished world stays as it is, but its last events are logged again. */
void pf_step(pf_world *world, unsigned action);

/* Makes `to` equal `from`; `to` is memory of at least pf_world_size(level, n_kills, capacity). */
void pf_copy(pf_world *to, const pf_world *from, int sprite_capacity);
/* Applies the rule set's clone rule to a copy: that of the framework rounds Mario's place and drops the events. */
void pf_reference_clone(pf_world *world);
/* As pf_reference_clone, with all counters at zero: what an agent is handed as a forward model. */
void pf_forward_model(pf_world *world);

/* How pf_hash writes a state; another way to write it gets another number. */
enum { PF_DIGEST_VERSION = 2 };
/* A 64-bit digest of all that decides how the world goes on and what its figures are. */
uint64_t pf_hash(const pf_world *world);

/* ---- what players see --------------------------------------------------------------------- */

enum pf_grid { PF_SCENE, PF_ENEMIES, PF_MERGED };

typedef struct {
    int32_t columns, rows;
    uint8_t scene_detail, enemy_detail; /* 0, 1, 2 */
    uint8_t on_screen;                  /* centred on the screen instead of Mario */
} pf_view;

/* Fills out[column * rows + row]. */
void pf_observe(const pf_world *world, enum pf_grid grid, const pf_view *view, uint8_t *out);

/* The tiles of a whole level as the grids of one view show them, with rows beyond the top and the bottom: for
 * those who look often. */
typedef struct {
    const pf_level *level;
    int32_t beyond; /* rows above, and as many below */
    uint8_t codes[]; /* column by column, from the top down */
} pf_scenery;

/* Bytes that pf_scenery_build needs; 0 for a level that has no scenery. */
size_t pf_scenery_size(const pf_level *level, const pf_view *view);
void pf_scenery_build(pf_scenery *scenery, const pf_level *level, enum pf_grid grid, const pf_view *view);

/* As pf_observe, with the scenery of this grid and view, which may be NULL or of another level: then it is of
 * no use. */
void pf_observe_scenery(const pf_world *world, enum pf_grid grid, const pf_view *view, const pf_scenery *scenery,
                        uint8_t *out);

/* kind, x, y of what the rule set lists, in engine order, without the first `skipped`; fills what fits, returns
 * how many there are in all. */
int pf_enemy_positions(const pf_world *world, bool relative, int skipped, float *out, size_t capacity);

enum { PF_STATE_FIELDS = 21 };
/* Mario's state as numbers, in the order of STATE_FIELDS in records.py. */
void pf_state(const pf_world *world, float *out);

/* Mario's x over the exit's. */
float pf_completion(const pf_world *world);

#endif
