/* States as bytes: a head, then records of fixed layout one after the other.
 *
 *     head | state | the rule set's tail | kill events | changed tiles | sprites | events
 *
 * The state is pf_world from its physics to its log. Tiles are kept in blocks, and only blocks that differ
 * from the level's. Numbers are in the machine's own byte order; the head's first number shows it.
 */
#include "platformer/saved_state.h"
#include "common/seal.h"
#include "platformer/rules/rules.h"
#include "platformer/saved_checks.h"

enum { BLOCK = 8 };

typedef struct {
    seal seal;
    int32_t n_changes, n_kills;
} head_t;

typedef struct {
    int32_t block;
    uint8_t tiles[BLOCK];
} change_t;

enum { MAGIC = 0x5350554c, /* LUPS */
       STATE_AT = offsetof(pf_world, physics),
       STATE_SIZE = offsetof(pf_world, log) + sizeof(pf_log) - STATE_AT };

_Static_assert(sizeof(head_t) == 48 && sizeof(change_t) == 12 && sizeof(pf_sprite) == 52
                   && sizeof(pf_event) == 16 && sizeof(pf_kill) == 2,
               "records have no gaps, so that states are the same everywhere");

/* Where each part of a state begins; every part but the changes ends where the next begins. */
typedef struct {
    size_t tail, kills, changes, sprites, events, end;
} parts_t;

static parts_t parts_of(const pf_level *level, const head_t *head, int n_sprites, int n_events) {
    parts_t p;
    p.tail = sizeof(head_t) + STATE_SIZE;
    p.kills = p.tail + (size_t)level->world_tail_size;
    p.changes = p.kills + (size_t)head->n_kills * sizeof(pf_kill);
    p.sprites = p.changes + (size_t)head->n_changes * sizeof(change_t);
    p.events = p.sprites + (size_t)n_sprites * sizeof(pf_sprite);
    p.end = p.events + (size_t)n_events * sizeof(pf_event);
    return p;
}

static seal seal_of(const pf_world *w) {
    return (seal){.magic = MAGIC,
                  .version = PF_STATE_VERSION,
                  .rules = seal_rules(w->rules->name, w->rules->version),
                  .subject = w->level->identity};
}

static int count_tiles(const pf_level *level) { return level->width * level->height; }
static int count_blocks(const pf_level *level) { return (count_tiles(level) + BLOCK - 1) / BLOCK; }

/* Tiles in a block: all but the last are full. */
static size_t tiles_in(const pf_level *level, int block) {
    int left = count_tiles(level) - block * BLOCK;
    return left < BLOCK ? (size_t)left : BLOCK;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* A comparison of a known size is one instruction. */
static bool has_changed(const pf_level *level, const uint8_t *now, const uint8_t *before, int block) {
    size_t at = (size_t)block * BLOCK;
    if (block < count_tiles(level) / BLOCK)
        return memcmp(now + at, before + at, BLOCK);
    return memcmp(now + at, before + at, tiles_in(level, block));
}

/* The first block from `block` on that differs from the level's, or their number. Long stretches are
 * compared at once: most of a level never changes. */
static int next_change(const pf_world *w, int block) {
    enum { STRETCH = 32 };
    const uint8_t *now = pf_tiles(w), *before = pf_level_tiles(w->level);
    int n = count_blocks(w->level);
    while (block + STRETCH < n
           && !memcmp(now + (size_t)block * BLOCK, before + (size_t)block * BLOCK, STRETCH * BLOCK))
        block += STRETCH;
    while (block < n && !has_changed(w->level, now, before, block))
        block++;
    return block;
}

/* Writes the blocks that differ from the level's as long as they fit; returns how many there are. */
static int write_changes(const pf_world *w, uint8_t *bytes, size_t capacity) {
    int n = 0, blocks = count_blocks(w->level);
    for (int block = next_change(w, 0); block < blocks; block = next_change(w, block + 1), n++) {
        change_t change = {block, {0}};
        memcpy(change.tiles, pf_tiles(w) + (size_t)block * BLOCK, tiles_in(w->level, block));
        if ((size_t)(n + 1) * sizeof change <= capacity)
            memcpy(bytes + (size_t)n * sizeof change, &change, sizeof change);
    }
    return n;
}

/* A part may be empty, and then have no address. */
static void copy(void *to, const void *from, size_t size) {
    if (size)
        memcpy(to, from, size);
}

size_t pf_save(const pf_world *w, uint8_t *bytes, size_t capacity) {
    head_t head = {.n_kills = w->n_kills};
    size_t first = parts_of(w->level, &head, 0, 0).changes;
    bool fits = first < capacity;
    head.n_changes = write_changes(w, fits ? bytes + first : bytes, fits ? capacity - first : 0);
    parts_t p = parts_of(w->level, &head, w->n_sprites, w->n_events);
    if (p.end > capacity)
        return p.end;
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, (const char *)w + STATE_AT, STATE_SIZE);
    copy(bytes + p.tail, pf_tail(w), p.kills - p.tail);
    copy(bytes + p.kills, pf_kills(w), p.changes - p.kills);
    copy(bytes + p.sprites, pf_sprites(w), p.events - p.sprites);
    copy(bytes + p.events, pf_events(w), p.end - p.events);
    seal_write(bytes, p.end, seal_of(w));
    return p.end;
}

/* ---- checking ------------------------------------------------------------------------------- */

static head_t read_head(const uint8_t *bytes) {
    head_t head;
    memcpy(&head, bytes, sizeof head);
    return head;
}

/* The state as a world without tiles, sprites and events; its place in memory means nothing. */
static pf_world read_state(const pf_world *like, const uint8_t *bytes) {
    pf_world w = {0};
    w.level = like->level;
    w.rules = like->rules;
    memcpy((char *)&w + STATE_AT, bytes + sizeof(head_t), STATE_SIZE);
    return w;
}

static bool sizes_fit(const pf_world *w, const head_t *head, const pf_world *state, size_t size) {
    return head->n_changes >= 0 && head->n_changes <= count_blocks(w->level)
           && state->n_sprites >= 0 && state->n_sprites <= PF_MOST_SPRITES
           && state->n_events >= 0 && state->n_events <= PF_MOST_EVENTS
           && parts_of(w->level, head, state->n_sprites, state->n_events).end == size;
}

static bool tiles_fit(const pf_world *w, const change_t *change) {
    const uint8_t *before = pf_level_tiles(w->level) + (size_t)change->block * BLOCK;
    for (size_t k = 0; k < tiles_in(w->level, change->block); k++)
        if (!pf_tile_fits(w->rules, before[k], change->tiles[k]))
            return false;
    return true;
}

static bool changes_fit(const pf_world *w, const uint8_t *bytes, int n) {
    change_t change;
    for (int k = 0, least = 0; k < n; k++, least = change.block + 1) {
        memcpy(&change, bytes + (size_t)k * sizeof change, sizeof change);
        if (change.block < least || change.block >= count_blocks(w->level) || !tiles_fit(w, &change))
            return false;
    }
    return true;
}

static bool sprites_fit(const pf_world *w, const uint8_t *bytes, int n) {
    pf_sprite sprite;
    for (int k = 0; k < n; k++) {
        memcpy(&sprite, bytes + (size_t)k * sizeof sprite, sizeof sprite);
        if (!pf_sprite_fits(w->level, &sprite))
            return false;
    }
    return true;
}

static bool events_fit(const uint8_t *bytes, int n) {
    pf_event event;
    for (int k = 0; k < n; k++) {
        memcpy(&event, bytes + (size_t)k * sizeof event, sizeof event);
        if (!pf_event_fits(&event))
            return false;
    }
    return true;
}

const char *pf_check_saved(const pf_world *w, const uint8_t *bytes, size_t size) {
    const char *reason = seal_check(bytes, size, seal_of(w));
    if (reason)
        return reason;
    if (size < sizeof(head_t) + STATE_SIZE)
        return "it is too short";
    head_t head = read_head(bytes);
    pf_world state = read_state(w, bytes);
    if (memcmp(&state.physics, &w->physics, sizeof w->physics))
        return "it was played with other physics";
    if (head.n_kills != w->n_kills)
        return "it was played with other kill events";
    if (!sizes_fit(w, &head, &state, size))
        return "its parts do not add up to its size";
    parts_t p = parts_of(w->level, &head, state.n_sprites, state.n_events);
    if (w->n_kills && memcmp(bytes + p.kills, pf_kills(w), p.changes - p.kills))
        return "it was played with other kill events";
    bool fits = pf_state_fits(&state) && changes_fit(w, bytes + p.changes, head.n_changes)
                && sprites_fit(w, bytes + p.sprites, state.n_sprites)
                && events_fit(bytes + p.events, state.n_events)
                && (!w->rules->tail_fits || w->rules->tail_fits(w->level, bytes + p.tail));
    return fits ? NULL : "it holds what no game leads to";
}

/* ---- reading -------------------------------------------------------------------------------- */

int pf_saved_capacity(const pf_world *w, const uint8_t *bytes) {
    pf_world state = read_state(w, bytes);
    int for_events = state.n_events / 4 + 1;
    return state.n_sprites > for_events ? state.n_sprites : for_events;
}

static void read_tiles(pf_world *w, const uint8_t *bytes, int n) {
    change_t change;
    memcpy(pf_tiles(w), pf_level_tiles(w->level), (size_t)count_tiles(w->level));
    w->changed_from = 0;
    w->changed_to = n ? w->level->width : 0;
    for (int k = 0; k < n; k++) {
        memcpy(&change, bytes + (size_t)k * sizeof change, sizeof change);
        memcpy(pf_tiles(w) + (size_t)change.block * BLOCK, change.tiles, tiles_in(w->level, change.block));
    }
}

void pf_load(pf_world *w, const uint8_t *bytes) {
    head_t head = read_head(bytes);
    memcpy((char *)w + STATE_AT, bytes + sizeof(head_t), STATE_SIZE);
    parts_t p = parts_of(w->level, &head, w->n_sprites, w->n_events);
    copy(pf_tail(w), bytes + p.tail, p.kills - p.tail);
    read_tiles(w, bytes + p.changes, head.n_changes);
    copy(pf_sprites(w), bytes + p.sprites, p.events - p.sprites);
    copy(pf_events(w), bytes + p.events, p.end - p.events);
}
