/* What a search remembers: worlds in short, nodes, the states it has seen, and the queue. */
#ifndef LUDUS_SOLVER_STORE_H
#define LUDUS_SOLVER_STORE_H

#include "platformer/platformer.h"

/* ---- one world at work, and many that are kept -------------------------------------------------- */

/* A kept world: its state, its rule set's tail, sprites and the tiles that differ from the root's. */
typedef struct {
    int32_t tail_size, n_sprites, n_changes;
} sv_kept;

/* A tile that differs: its place times 256 plus its code. */
typedef uint32_t sv_change;
enum { SV_MOST_TILES = 1 << 24 };

typedef struct {
    const pf_world *root;
    pf_world *world;     /* the one at work */
    uint8_t *base;       /* the root's tiles, without coins if they do not matter */
    sv_change *changes;  /* of the world at work */
    int n_changes, capacity;
} sv_work;

bool sv_work_begin(sv_work *work, const pf_world *root);
void sv_work_end(sv_work *work);

/* Searches hold PF_* buttons whatever the rules, and this one where there are ladders to climb. */
enum { SV_UP = 64 };
/* The action of these buttons under a rule set. */
unsigned sv_action(const pf_rules *rules, unsigned buttons);

/* Plays one tick; false if memory ran out. */
bool sv_work_step(sv_work *work, unsigned buttons);

/* Memory in pieces that are given back and used again; a limit keeps it from taking all there is. */
enum { SV_UNIT = 64, SV_SIZES = 256 };
typedef struct {
    char **slabs;
    int n_slabs;
    size_t used, limit; /* bytes: of the last slab, of all */
    uint32_t free[SV_SIZES]; /* by size in units: the first piece, each holds the next */
} sv_arena;

void sv_arena_begin(sv_arena *arena, size_t limit);
void sv_arena_end(sv_arena *arena);

/* Keeps the world at work; 0 if there is no room. */
uint32_t sv_keep(sv_arena *arena, const sv_work *work);
/* Makes the world at work the kept one. */
bool sv_recall(sv_arena *arena, sv_work *work, uint32_t kept);
void sv_forget(sv_arena *arena, uint32_t kept);

/* ---- seen states ---------------------------------------------------------------------------- */

typedef struct {
    uint64_t *keys;
    size_t n, capacity; /* a power of two */
} sv_seen;

bool sv_seen_begin(sv_seen *seen);
void sv_seen_end(sv_seen *seen);
/* 1 if the state is new, 0 if not, -1 if memory ran out. */
int sv_seen_add(sv_seen *seen, uint64_t key);

/* ---- queue ---------------------------------------------------------------------------------- */

typedef struct {
    int32_t cost;
    uint32_t node;
} sv_entry;

typedef struct {
    sv_entry *entries;
    size_t n, capacity;
} sv_queue;

bool sv_queue_push(sv_queue *queue, int32_t cost, uint32_t node);
/* The node of the least cost, of equal ones the latest. */
uint32_t sv_queue_pop(sv_queue *queue);

#endif
