#include "agent/host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- loading */

static bool fail(agent_host *host, const char *reason, const char *about)
{
    snprintf(host->fault, sizeof host->fault, reason, about);
    return false;
}

static void *find(agent_host *host, const char *name)
{
    return dlsym(host->library, name);
}

static bool find_needed(agent_host *host, const char *name, void *function)
{
    void *found = find(host, name);
    memcpy(function, &found, sizeof found);
    return found || fail(host, "exports no function %s()", name);
}

static bool check_version(agent_host *host)
{
    uint32_t (*version)(void);
    if (!find_needed(host, "ludus_agent_version", &version))
        return false;
    return version() == LUDUS_AGENT_VERSION || fail(host, "was compiled with another version of %s", "ludus/agent.h");
}

static void find_optional(agent_host *host)
{
    const char *(*name)(void);
    uint32_t (*wants)(void);
    *(void **)&name = find(host, "ludus_agent_name");
    *(void **)&wants = find(host, "ludus_agent_wants");
    *(void **)&host->learn = find(host, "ludus_agent_learn");
    host->name = name ? name() : NULL;
    host->wants = wants ? wants() : LUDUS_SHOWS_ALL;
}

static bool make_agent(agent_host *host)
{
    void *(*create)(void);
    if (!check_version(host) || !find_needed(host, "ludus_agent_create", &create) ||
        !find_needed(host, "ludus_agent_destroy", &host->destroy) ||
        !find_needed(host, "ludus_agent_reset", &host->reset) || !find_needed(host, "ludus_agent_act", &host->act))
        return false;
    find_optional(host);
    host->agent = create();
    return host->agent || fail(host, "%s() returned no agent", "ludus_agent_create");
}

bool agent_host_open(agent_host *host, const char *path)
{
    memset(host, 0, sizeof *host);
    host->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!host->library)
        return fail(host, "cannot be loaded: %s", dlerror());
    if (make_agent(host))
        return true;
    dlclose(host->library);
    host->library = NULL;
    return false;
}

void agent_host_close(agent_host *host)
{
    if (host->agent)
        host->destroy(host->agent);
    if (host->library)
        dlclose(host->library);
    host->agent = host->library = NULL;
}

/* ---- the forward model */

static const ludus_world *world_of(const ludus_agent_model *model) { return (const ludus_world *)model; }

static void describe_mario(const ludus_world *world, ludus_agent_mario *mario)
{
    ludus_pose pose;
    ludus_world_mario(world, (ludus_mario *)mario); /* its first fields are the same */
    ludus_world_pose(world, &pose);
    mario->sliding = pose.sliding, mario->climbing = pose.climbing, mario->carrying = pose.carrying;
}
_Static_assert(offsetof(ludus_agent_mario, sliding) == sizeof(ludus_mario), "Mario's fields are the engine's");
_Static_assert(offsetof(ludus_agent_mario, listed) == offsetof(ludus_mario, listed), "and in its order");

static ludus_agent_model *clone_model(const ludus_agent_model *model)
{
    ludus_world *clone = NULL;
    return ludus_model_clone(world_of(model), &clone) < 0 ? NULL : (ludus_agent_model *)clone;
}

static int32_t advance_model(ludus_agent_model *model, int32_t buttons)
{
    return ludus_model_advance((ludus_world *)model, buttons);
}

static void describe_model(const ludus_agent_model *model, ludus_agent_facts *facts)
{
    ludus_world_facts known;
    ludus_world_describe(world_of(model), &known);
    *facts = (ludus_agent_facts){known.status, known.tick, known.timer, known.coins, known.completion, {0}};
    describe_mario(world_of(model), &facts->mario);
}

static enum ludus_grid grid_of(enum ludus_agent_part part)
{
    return part == LUDUS_SHOWS_SCENE ? LUDUS_SCENE : part == LUDUS_SHOWS_ENEMIES ? LUDUS_ENEMIES : LUDUS_MERGED;
}

static int32_t observe(const ludus_world *world, enum ludus_agent_part part, int32_t columns, int32_t rows,
                       uint8_t *cells)
{
    ludus_view view = {columns, rows, 1, 0, 0};
    return ludus_world_observe(world, grid_of(part), &view, cells, (size_t)columns * (size_t)rows);
}

static int32_t observe_model(const ludus_agent_model *model, enum ludus_agent_part part, int32_t columns, int32_t rows,
                             uint8_t *cells)
{
    return columns < 1 || rows < 1 ? LUDUS_BAD_OPTION : observe(world_of(model), part, columns, rows, cells);
}

static size_t list_places(const ludus_agent_model *model, ludus_agent_place *places, size_t capacity)
{
    return ludus_world_enemies(world_of(model), 0, (float *)places, capacity);
}

static void free_model(ludus_agent_model *model) { ludus_world_free((ludus_world *)model); }

static const ludus_agent_engine ENGINE = {
    sizeof(ludus_agent_engine), clone_model, advance_model, describe_model, observe_model, list_places, free_model,
};

/* ---- observations */

enum { SIDE = 16 };

typedef struct {
    ludus_agent_observation seen;
    uint8_t scene[SIDE * SIDE], enemies[SIDE * SIDE], merged[SIDE * SIDE];
    ludus_agent_place places[HOST_PLACES];
} Shown;

static void offer_model(ludus_agent_observation *seen, uint32_t wants, const ludus_world *model)
{
    if (!model || !(wants & LUDUS_SHOWS_MODEL))
        return;
    seen->shown |= LUDUS_SHOWS_MODEL;
    seen->model = (const ludus_agent_model *)model;
    seen->engine = &ENGINE;
}

static void show_grid(Shown *shown, const ludus_world *world, uint32_t wants, enum ludus_agent_part part,
                      ludus_agent_grid *grid, uint8_t *cells)
{
    if (!(wants & part) || observe(world, part, SIDE, SIDE, cells) < 0)
        return;
    shown->seen.shown |= part;
    *grid = (ludus_agent_grid){SIDE, SIDE, cells};
}

static void show_world(Shown *shown, const ludus_world *world, uint32_t wants)
{
    ludus_agent_observation *seen = &shown->seen;
    ludus_world_facts facts;
    ludus_world_describe(world, &facts);
    memset(seen, 0, sizeof *seen);
    seen->size = sizeof *seen;
    seen->shown = wants & (LUDUS_SHOWS_TIMER | LUDUS_SHOWS_COINS | LUDUS_SHOWS_MARIO | LUDUS_SHOWS_PLACES);
    seen->tick = facts.tick, seen->timer = facts.timer, seen->coins = facts.coins;
    if (wants & LUDUS_SHOWS_MARIO)
        describe_mario(world, &seen->mario);
    show_grid(shown, world, wants, LUDUS_SHOWS_SCENE, &seen->scene, shown->scene);
    show_grid(shown, world, wants, LUDUS_SHOWS_ENEMIES, &seen->enemies, shown->enemies);
    show_grid(shown, world, wants, LUDUS_SHOWS_MERGED, &seen->merged, shown->merged);
    if (wants & LUDUS_SHOWS_PLACES) {
        size_t n = ludus_world_enemies(world, 0, (float *)shown->places, HOST_PLACES);
        seen->n_places = n < HOST_PLACES ? n : HOST_PLACES;
        seen->places = shown->places;
    }
}

int32_t agent_host_act(agent_host *host, const ludus_world *world, const ludus_world *model)
{
    Shown shown;
    show_world(&shown, world, host->wants);
    offer_model(&shown.seen, host->wants, model);
    return host->act(host->agent, &shown.seen);
}

/* ---- observations as frames */

enum { ACT = 3, FRAME_HEAD = 5 };

static uint8_t *put(uint8_t *next, const void *value, size_t size)
{
    memcpy(next, value, size);
    return next + size;
}

static uint8_t *put_grid(uint8_t *next, const ludus_agent_grid *grid)
{
    uint16_t sides[2] = {(uint16_t)grid->columns, (uint16_t)grid->rows};
    next = put(next, sides, sizeof sides);
    return put(next, grid->cells, (size_t)grid->columns * (size_t)grid->rows);
}

static uint8_t *put_places(uint8_t *next, const ludus_agent_observation *seen)
{
    uint32_t count = (uint32_t)seen->n_places;
    next = put(next, &count, sizeof count);
    return put(next, seen->places, count * sizeof *seen->places);
}

static uint8_t *put_parts(uint8_t *next, const ludus_agent_observation *seen)
{
    next = put(next, &seen->shown, sizeof seen->shown);
    next = put(next, &seen->tick, sizeof seen->tick);
    if (seen->shown & LUDUS_SHOWS_TIMER)
        next = put(next, &seen->timer, sizeof seen->timer);
    if (seen->shown & LUDUS_SHOWS_COINS)
        next = put(next, &seen->coins, sizeof seen->coins);
    if (seen->shown & LUDUS_SHOWS_MARIO)
        next = put(next, &seen->mario, sizeof seen->mario);
    if (seen->shown & LUDUS_SHOWS_SCENE)
        next = put_grid(next, &seen->scene);
    if (seen->shown & LUDUS_SHOWS_ENEMIES)
        next = put_grid(next, &seen->enemies);
    if (seen->shown & LUDUS_SHOWS_MERGED)
        next = put_grid(next, &seen->merged);
    return seen->shown & LUDUS_SHOWS_PLACES ? put_places(next, seen) : next;
}
_Static_assert(HOST_FRAME > 256 + 3 * (4 + SIDE * SIDE) + HOST_PLACES * sizeof(ludus_agent_place), "frames fit");

size_t agent_host_pack(const ludus_world *world, uint32_t wants, uint8_t *frame)
{
    Shown shown;
    show_world(&shown, world, wants);
    if (shown.seen.n_places == HOST_PLACES)
        return 0;
    const uint8_t *end = put_parts(frame + FRAME_HEAD, &shown.seen);
    uint32_t length = (uint32_t)(end - frame) - sizeof length;
    put(frame, &length, sizeof length);
    frame[sizeof length] = ACT;
    return (size_t)(end - frame);
}

/* ---- observations of bytes */

typedef struct {
    const uint8_t *next;
    size_t left;
    bool whole;
} Reader;

static void take(Reader *reader, void *value, size_t size)
{
    if (reader->left < size) {
        reader->whole = false;
        return;
    }
    memcpy(value, reader->next, size);
    reader->next += size, reader->left -= size;
}

static void take_grid(Reader *reader, ludus_agent_grid *grid)
{
    uint16_t sides[2] = {0, 0};
    take(reader, sides, sizeof sides);
    size_t cells = (size_t)sides[0] * sides[1];
    if (reader->left < cells) {
        reader->whole = false;
        return;
    }
    *grid = (ludus_agent_grid){sides[0], sides[1], reader->next};
    reader->next += cells, reader->left -= cells;
}

static void take_places(Reader *reader, ludus_agent_observation *seen, ludus_agent_place *places)
{
    uint32_t count = 0;
    take(reader, &count, sizeof count);
    if (count > reader->left / sizeof *places) {
        reader->whole = false;
        return;
    }
    seen->places = places;
    seen->n_places = count < HOST_PLACES ? count : HOST_PLACES;
    take(reader, places, seen->n_places * sizeof *places);
}

static bool read_bytes(Reader *reader, ludus_agent_observation *seen, ludus_agent_place *places)
{
    take(reader, &seen->shown, sizeof seen->shown);
    take(reader, &seen->tick, sizeof seen->tick);
    if (seen->shown & LUDUS_SHOWS_TIMER)
        take(reader, &seen->timer, sizeof seen->timer);
    if (seen->shown & LUDUS_SHOWS_COINS)
        take(reader, &seen->coins, sizeof seen->coins);
    if (seen->shown & LUDUS_SHOWS_REWARD)
        take(reader, &seen->reward, sizeof seen->reward);
    if (seen->shown & LUDUS_SHOWS_MARIO)
        take(reader, &seen->mario, sizeof seen->mario);
    if (seen->shown & LUDUS_SHOWS_SCENE)
        take_grid(reader, &seen->scene);
    if (seen->shown & LUDUS_SHOWS_ENEMIES)
        take_grid(reader, &seen->enemies);
    if (seen->shown & LUDUS_SHOWS_MERGED)
        take_grid(reader, &seen->merged);
    if (seen->shown & LUDUS_SHOWS_PLACES)
        take_places(reader, seen, places);
    return reader->whole;
}

bool agent_host_act_on_bytes(agent_host *host, const uint8_t *bytes, size_t size, const ludus_world *model,
                             int32_t *action)
{
    ludus_agent_place places[HOST_PLACES];
    ludus_agent_observation seen = {.size = sizeof seen};
    Reader reader = {bytes, size, true};
    if (!read_bytes(&reader, &seen, places))
        return fail(host, "an observation %s", "breaks off");
    offer_model(&seen, host->wants, model);
    *action = host->act(host->agent, &seen);
    return true;
}
