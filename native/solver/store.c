/* Kept worlds, seen states and the queue. */
#include "solver/store.h"

#include "platformer/heap.h"
#include "platformer/rules/rules.h"
#include "solver/ground.h"

#include <stdlib.h>
#include <string.h>

/* ---- the world at work ------------------------------------------------------------------------ */

static size_t count_tiles(const pf_world *w) {
    return (size_t)w->level->width * (size_t)w->level->height;
}

/* Coins stop nobody: without kill events the search does not have to tell them apart. */
static void drop_coins(sv_work *work) {
    size_t n = count_tiles(work->root);
    for (size_t k = 0; k < n; k++)
        if (sv_tile(work->root->level, work->base[k]) == PF_COIN_TILE)
            work->base[k] = 0;
    memcpy(pf_tiles(work->world), work->base, n);
}

bool sv_work_begin(sv_work *work, const pf_world *root) {
    size_t n = count_tiles(root);
    *work = (sv_work){.root = root, .world = pf_world_clone(root), .base = malloc(n)};
    if (!work->world || !work->base)
        return false;
    memcpy(work->base, pf_tiles(root), n);
    if (!root->n_kills)
        drop_coins(work);
    return true;
}

void sv_work_end(sv_work *work) {
    pf_free(work->world);
    free(work->base);
    free(work->changes);
}

static bool note_change(sv_work *work, size_t place) {
    if (work->n_changes == work->capacity) {
        int capacity = work->capacity ? 2 * work->capacity : 64;
        sv_change *changes = realloc(work->changes, (size_t)capacity * sizeof *changes);
        if (!changes)
            return false;
        work->changes = changes;
        work->capacity = capacity;
    }
    work->changes[work->n_changes++] = (sv_change)(place << 8 | pf_tiles(work->world)[place]);
    return true;
}

static bool find_changes(sv_work *work) {
    const uint8_t *tiles = pf_tiles(work->world), *base = work->base;
    size_t n = count_tiles(work->root), k = 0;
    work->n_changes = 0;
    while (k < n) {
        if (k + 8 <= n && !memcmp(tiles + k, base + k, 8)) {
            k += 8;
            continue;
        }
        if (tiles[k] != base[k] && !note_change(work, k))
            return false;
        k++;
    }
    return true;
}

/* Every change of a tile comes with one of these events, but in the engines of 2009 and 2010. */
static bool changes_tiles(const pf_world *w) {
    if (w->rules->maps)
        return true;
    for (int k = 0; k < w->n_events; k++) {
        int kind = pf_events(w)[k].kind;
        if (kind == PF_BUMP || kind == PF_COLLECT)
            return true;
    }
    return false;
}

/* Rules that play maps have JUMP before SPEED, and UP behind both. */
unsigned sv_action(const pf_rules *rules, unsigned buttons) {
    enum { JUMP = 8, SPEED = 16, UP = 32 };
    if (!rules->maps)
        return buttons;
    return (buttons & (PF_LEFT | PF_RIGHT | PF_DOWN)) | (buttons & PF_JUMP ? JUMP : 0)
           | (buttons & PF_SPEED ? SPEED : 0) | (buttons & SV_UP ? UP : 0);
}

bool sv_work_step(sv_work *work, unsigned buttons) {
    if (!pf_has_room(work->world) && !pf_make_room(&work->world))
        return false;
    pf_world *w = work->world;
    w->rules->tick(w, sv_action(w->rules, buttons));
    return !changes_tiles(w) || find_changes(work);
}

/* ---- kept worlds ------------------------------------------------------------------------------ */

enum { SLAB = 1 << 20, STATE_AT = offsetof(pf_world, status), STATE_END = offsetof(pf_world, log) };
enum { UNITS_PER_SLAB = SLAB / SV_UNIT, STATE = STATE_END - STATE_AT };

_Static_assert(offsetof(pf_world, log) + sizeof(pf_log) <= sizeof(pf_world), "the log comes last");

void sv_arena_begin(sv_arena *arena, size_t limit) {
    *arena = (sv_arena){.limit = limit, .used = SLAB};
}

void sv_arena_end(sv_arena *arena) {
    for (int k = 0; k < arena->n_slabs; k++)
        free(arena->slabs[k]);
    free(arena->slabs);
}

/* Pieces are numbered by their unit, from 1 on: 0 is none. */
static char *piece_at(const sv_arena *arena, uint32_t piece) {
    uint32_t unit = piece - 1;
    return arena->slabs[unit / UNITS_PER_SLAB] + (size_t)(unit % UNITS_PER_SLAB) * SV_UNIT;
}

static bool add_slab(sv_arena *arena) {
    if ((size_t)(arena->n_slabs + 1) * SLAB > arena->limit)
        return false;
    char **slabs = realloc(arena->slabs, (size_t)(arena->n_slabs + 1) * sizeof *slabs);
    if (!slabs)
        return false;
    arena->slabs = slabs;
    slabs[arena->n_slabs] = malloc(SLAB);
    if (!slabs[arena->n_slabs])
        return false;
    arena->n_slabs++;
    arena->used = 0;
    return true;
}

static uint32_t take(sv_arena *arena, size_t size) {
    size_t units = (size + SV_UNIT - 1) / SV_UNIT;
    if (units >= SV_SIZES)
        return 0;
    uint32_t piece = arena->free[units];
    if (piece) {
        memcpy(&arena->free[units], piece_at(arena, piece), sizeof piece);
        return piece;
    }
    if (arena->used + units * SV_UNIT > SLAB && !add_slab(arena))
        return 0;
    piece = (uint32_t)((size_t)(arena->n_slabs - 1) * UNITS_PER_SLAB + arena->used / SV_UNIT) + 1;
    arena->used += units * SV_UNIT;
    return piece;
}

static size_t size_of(const sv_kept *kept) {
    return sizeof *kept + STATE + (size_t)kept->tail_size
           + (size_t)kept->n_sprites * sizeof(pf_sprite) + (size_t)kept->n_changes * sizeof(sv_change);
}

void sv_forget(sv_arena *arena, uint32_t piece) {
    char *memory = piece_at(arena, piece);
    size_t units = (size_of((const sv_kept *)(const void *)memory) + SV_UNIT - 1) / SV_UNIT;
    memcpy(memory, &arena->free[units], sizeof piece);
    arena->free[units] = piece;
}

uint32_t sv_keep(sv_arena *arena, const sv_work *work) {
    const pf_world *w = work->world;
    sv_kept kept = {w->level->world_tail_size, w->n_sprites, work->n_changes};
    uint32_t piece = take(arena, size_of(&kept));
    if (!piece)
        return 0;
    char *to = piece_at(arena, piece);
    size_t sprites = (size_t)kept.n_sprites * sizeof(pf_sprite);
    memcpy(to, &kept, sizeof kept);
    memcpy(to += sizeof kept, (const char *)w + STATE_AT, STATE);
    memcpy(to += STATE, pf_tail(w), (size_t)kept.tail_size);
    memcpy(to += kept.tail_size, pf_sprites(w), sprites);
    if (kept.n_changes)
        memcpy(to + sprites, work->changes, (size_t)kept.n_changes * sizeof(sv_change));
    return piece;
}

static void undo_changes(sv_work *work) {
    uint8_t *tiles = pf_tiles(work->world);
    for (int k = 0; k < work->n_changes; k++)
        tiles[work->changes[k] >> 8] = work->base[work->changes[k] >> 8];
    work->n_changes = 0;
}

static bool redo_changes(sv_work *work, const char *changes, int n) {
    uint8_t *tiles = pf_tiles(work->world);
    for (int k = 0; k < n; k++) {
        sv_change change;
        memcpy(&change, changes + (size_t)k * sizeof change, sizeof change);
        tiles[change >> 8] = (uint8_t)change;
        if (!note_change(work, change >> 8))
            return false;
    }
    return true;
}

static bool widen(sv_work *work, int sprite_capacity) {
    const pf_world *w = work->world;
    pf_world *wider = malloc(pf_world_size(w->level, w->n_kills, sprite_capacity));
    if (!wider)
        return false;
    pf_copy(wider, w, sprite_capacity);
    pf_free(work->world);
    work->world = wider;
    return true;
}

bool sv_recall(sv_arena *arena, sv_work *work, uint32_t piece) {
    const char *from = piece_at(arena, piece);
    sv_kept kept;
    memcpy(&kept, from, sizeof kept);
    undo_changes(work);
    if (work->world->sprite_capacity < kept.n_sprites && !widen(work, 2 * kept.n_sprites))
        return false;
    pf_world *w = work->world;
    size_t sprites = (size_t)kept.n_sprites * sizeof(pf_sprite);
    memcpy((char *)w + STATE_AT, from += sizeof kept, STATE);
    memcpy(pf_tail(w), from += STATE, (size_t)kept.tail_size);
    memcpy(pf_sprites(w), from += kept.tail_size, sprites);
    w->n_events = 0;
    w->overflow = 0;
    return redo_changes(work, from + sprites, kept.n_changes);
}

/* ---- seen states ---------------------------------------------------------------------------- */

bool sv_seen_begin(sv_seen *seen) {
    *seen = (sv_seen){.capacity = 1 << 14};
    seen->keys = calloc(seen->capacity, sizeof *seen->keys);
    return seen->keys;
}

void sv_seen_end(sv_seen *seen) { free(seen->keys); }

static uint64_t *slot_of(const sv_seen *seen, uint64_t key) {
    size_t mask = seen->capacity - 1, k = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (seen->keys[k] && seen->keys[k] != key)
        k = (k + 1) & mask;
    return &seen->keys[k];
}

static bool grow(sv_seen *seen) {
    sv_seen larger = {.n = seen->n, .capacity = 4 * seen->capacity};
    larger.keys = calloc(larger.capacity, sizeof *larger.keys);
    if (!larger.keys)
        return false;
    for (size_t k = 0; k < seen->capacity; k++)
        if (seen->keys[k])
            *slot_of(&larger, seen->keys[k]) = seen->keys[k];
    free(seen->keys);
    *seen = larger;
    return true;
}

int sv_seen_add(sv_seen *seen, uint64_t key) {
    key += !key; /* 0 marks an empty slot */
    uint64_t *slot = slot_of(seen, key);
    if (*slot)
        return 0;
    *slot = key;
    seen->n++;
    return 2 * seen->n < seen->capacity || grow(seen) ? 1 : -1;
}

/* ---- queue ---------------------------------------------------------------------------------- */

static bool comes_before(sv_entry a, sv_entry b) {
    return a.cost < b.cost || (a.cost == b.cost && a.node > b.node);
}

bool sv_queue_push(sv_queue *queue, int32_t cost, uint32_t node) {
    if (queue->n == queue->capacity) {
        size_t capacity = queue->capacity ? 2 * queue->capacity : 4096;
        sv_entry *entries = realloc(queue->entries, capacity * sizeof *entries);
        if (!entries)
            return false;
        queue->entries = entries;
        queue->capacity = capacity;
    }
    sv_entry *heap = queue->entries, entry = {cost, node};
    size_t k = queue->n++;
    for (; k > 0 && comes_before(entry, heap[(k - 1) / 4]); k = (k - 1) / 4)
        heap[k] = heap[(k - 1) / 4];
    heap[k] = entry;
    return true;
}

static size_t first_child(const sv_queue *queue, size_t k) {
    size_t best = 4 * k + 1;
    for (size_t child = best + 1; child <= 4 * k + 4 && child < queue->n; child++)
        if (comes_before(queue->entries[child], queue->entries[best]))
            best = child;
    return best;
}

uint32_t sv_queue_pop(sv_queue *queue) {
    sv_entry *heap = queue->entries, top = heap[0], last = heap[--queue->n];
    size_t k = 0;
    while (4 * k + 1 < queue->n) {
        size_t child = first_child(queue, k);
        if (!comes_before(heap[child], last))
            break;
        heap[k] = heap[child];
        k = child;
    }
    heap[k] = last;
    return top.node;
}
