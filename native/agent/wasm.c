#include "agent/wasm.h"

#include <stdlib.h>
#include <string.h>

#include "judge/engine_costs.h"

enum { OUT_OF_FUEL = 11, PAGE = 65536, NOW = 1, FIRST_CLONE = 2, ALIGNMENT = 8 };

/* ---- the structures of ludus/agent.h, as a module of 32 bits has them */

typedef struct {
    uint32_t size, name, rules, level;
    uint64_t seed;
    int32_t mode, time_limit, play, plays;
    ludus_agent_buttons buttons;
} Scenario;

typedef struct {
    int32_t columns, rows;
    uint32_t cells;
} Grid;

typedef struct {
    uint32_t size, shown;
    int32_t tick, timer, coins, reward;
    ludus_agent_mario mario;
    Grid scene, enemies, merged;
    uint32_t places, n_places, model, engine;
} Observation;

typedef struct {
    uint32_t size;
    int32_t play;
    double score;
    uint32_t json;
} Outcome;

typedef struct {
    uint32_t size, functions[WASM_ENGINE_FUNCTIONS];
} Engine;

_Static_assert(sizeof(Scenario) == 48 && sizeof(Observation) == 156, "the layout is a part of the interface");
_Static_assert(sizeof(Outcome) == 24 && sizeof(ludus_agent_facts) == 100, "and so is this");

/* ---- fuel */

/* Takes fuel for what the host does; false if there is too little, and then all of it is gone. */
static bool spend(wasm_agent *agent, enum wasm_use use, uint64_t cost)
{
    uint64_t spent = cost < agent->fuel ? cost : agent->fuel;
    agent->entered[use]++;
    agent->used[use] += spent;
    agent->fuel -= spent;
    return spent == cost;
}

static uint64_t cost_of_grid(const ludus_agent_grid *grid)
{
    return grid->cells ? COST_OF_LOOK + (uint64_t)grid->columns * (uint64_t)grid->rows / CELLS_FOR_A_UNIT : 0;
}

/* What the parts of an observation would cost an agent that asks for them one by one. */
static uint64_t cost_of_observation(const ludus_agent_observation *seen)
{
    uint64_t cost = cost_of_grid(&seen->scene) + cost_of_grid(&seen->enemies) + cost_of_grid(&seen->merged);
    cost += seen->shown & LUDUS_SHOWS_MARIO ? COST_OF_RECORD : 0;
    cost += seen->shown & LUDUS_SHOWS_PLACES ? COST_OF_LOOK + 3 * seen->n_places / CELLS_FOR_A_UNIT : 0;
    return cost + (seen->model ? COST_OF_COPY : 0);
}

static uint64_t sum_used(const wasm_agent *agent)
{
    uint64_t sum = 0;
    for (int use = WASM_CLONE; use < WASM_USES; use++)
        sum += agent->used[use];
    return sum;
}

/* ---- calls into the module */

static bool call(wasm_agent *agent, enum wasm_use use, uint32_t structure, int32_t *result)
{
    wasm_value values[2] = {{.u32 = agent->agent}, {.u32 = structure}};
    uint64_t before = agent->fuel, by_host = sum_used(agent);
    agent->runtime.set_fuel(agent->context, before);
    agent->error = agent->runtime.call(agent->context, &agent->calls[use], values, 2, &agent->trap);
    agent->runtime.get_fuel(agent->context, &agent->fuel);
    agent->entered[use]++;
    agent->used[use] += before - agent->fuel - (sum_used(agent) - by_host);
    *result = values[0].i32;
    return !agent->error && !agent->trap;
}

/* Makes sure that the host's part of the memory is large enough; false with an error if it cannot grow. */
static bool reserve(wasm_agent *agent, size_t size)
{
    if (size <= agent->capacity)
        return true;
    uint64_t pages = (size + PAGE - 1) / PAGE, before = 0;
    agent->error = agent->runtime.grow_memory(agent->context, &agent->memory, pages, &before);
    if (agent->error)
        return false;
    agent->area = (uint32_t)(before * PAGE);
    agent->capacity = (uint32_t)(pages * PAGE);
    return true;
}

static uint8_t *memory_of(const wasm_agent *agent)
{
    return agent->runtime.find_memory(agent->context, &agent->memory);
}

static size_t align(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Copies data behind what was put there before, and returns its address. */
static uint32_t put(const wasm_agent *agent, size_t *filled, const void *data, size_t size)
{
    uint32_t address = agent->area + (uint32_t)*filled;
    if (size)
        memcpy(memory_of(agent) + address, data, size);
    *filled += align(size);
    return address;
}

static size_t size_of_text(const char *text) { return text ? align(strlen(text) + 1) : 0; }

static uint32_t put_text(const wasm_agent *agent, size_t *filled, const char *text)
{
    return text ? put(agent, filled, text, strlen(text) + 1) : 0;
}

static void reset(void *environment, const ludus_agent_scenario *scenario)
{
    wasm_agent *agent = environment;
    const size_t size = align(sizeof(Scenario)) + size_of_text(scenario->name) + size_of_text(scenario->rules) +
                        size_of_text(scenario->level);
    size_t filled = align(sizeof(Scenario)), start = 0;
    agent->logged_so_far = 0;
    if (!reserve(agent, size))
        return;
    Scenario written = {
        .size = sizeof written,
        .name = put_text(agent, &filled, scenario->name),
        .rules = put_text(agent, &filled, scenario->rules),
        .level = put_text(agent, &filled, scenario->level),
        .seed = scenario->seed,
        .mode = scenario->mode,
        .time_limit = scenario->time_limit,
        .play = scenario->play,
        .plays = scenario->plays,
        .buttons = scenario->buttons,
    };
    int32_t nothing;
    call(agent, WASM_RESET, put(agent, &start, &written, sizeof written), &nothing);
}

static size_t count_cells(const ludus_agent_grid *grid)
{
    return grid->cells ? (size_t)grid->columns * (size_t)grid->rows : 0;
}

static Grid put_grid(const wasm_agent *agent, size_t *filled, const ludus_agent_grid *grid)
{
    if (!grid->cells)
        return (Grid){0, 0, 0};
    return (Grid){grid->columns, grid->rows, put(agent, filled, grid->cells, count_cells(grid))};
}

static uint32_t put_engine(const wasm_agent *agent, size_t *filled)
{
    Engine engine = {.size = sizeof engine};
    memcpy(engine.functions, agent->table, sizeof engine.functions);
    return agent->table[0] ? put(agent, filled, &engine, sizeof engine) : 0;
}

static uint32_t put_observation(wasm_agent *agent, const ludus_agent_observation *seen)
{
    size_t filled = align(sizeof(Observation)), start = 0, places = seen->n_places * sizeof *seen->places;
    Observation written = {
        .size = sizeof written,
        .shown = seen->shown,
        .tick = seen->tick,
        .timer = seen->timer,
        .coins = seen->coins,
        .reward = seen->reward,
        .mario = seen->mario,
        .scene = put_grid(agent, &filled, &seen->scene),
        .enemies = put_grid(agent, &filled, &seen->enemies),
        .merged = put_grid(agent, &filled, &seen->merged),
        .places = seen->places ? put(agent, &filled, seen->places, places) : 0,
        .n_places = (uint32_t)seen->n_places,
        .model = seen->model ? NOW : 0,
        .engine = seen->model ? put_engine(agent, &filled) : 0,
    };
    return put(agent, &start, &written, sizeof written);
}

static int32_t act(void *environment, const ludus_agent_observation *seen)
{
    wasm_agent *agent = environment;
    const size_t size = align(sizeof(Observation)) + align(sizeof(Engine)) + align(count_cells(&seen->scene)) +
                        align(count_cells(&seen->enemies)) + align(count_cells(&seen->merged)) +
                        align(seen->n_places * sizeof *seen->places);
    int32_t action = 0;
    if (!reserve(agent, size))
        return 0;
    if (!spend(agent, WASM_OBSERVATION, cost_of_observation(seen))) {
        agent->trap = agent->runtime.make_trap_of_code(OUT_OF_FUEL);
        return 0;
    }
    agent->engine = seen->engine;
    agent->now = seen->model;
    bool acted = call(agent, WASM_ACT, put_observation(agent, seen), &action);
    agent->now = NULL;
    return acted ? action : 0;
}

static void learn(void *environment, const ludus_agent_outcome *outcome)
{
    wasm_agent *agent = environment;
    size_t filled = align(sizeof(Outcome)), start = 0;
    if (!reserve(agent, filled + size_of_text(outcome->json)))
        return;
    Outcome written = {sizeof written, outcome->play, outcome->score, put_text(agent, &filled, outcome->json)};
    int32_t nothing;
    call(agent, WASM_LEARN, put(agent, &start, &written, sizeof written), &nothing);
}

static void destroy(void *environment) { wasm_agent_forget(environment); }

void wasm_agent_connect(agent_host *host, wasm_agent *agent, bool learns)
{
    host->agent = agent;
    host->reset = reset;
    host->act = act;
    host->learn = learns ? learn : NULL;
    host->destroy = destroy;
}

void wasm_agent_forget(wasm_agent *agent)
{
    for (uint32_t k = 0; k < agent->n_models; k++)
        if (agent->models[k])
            agent->engine->free(agent->models[k]);
    free(agent->models);
    free(agent->logged);
    agent->models = NULL, agent->logged = NULL;
    agent->n_models = agent->first_free = 0;
    agent->n_logged = agent->capacity = 0;
}

/* ---- calls from the module */

/* Charges a call; NULL, or the trap that ends the agent's work. */
static void *enter(wasm_agent *agent, void *caller, enum wasm_use use, uint64_t cost)
{
    void *context = agent->runtime.find_context(caller);
    agent->runtime.get_fuel(context, &agent->fuel);
    bool enough = spend(agent, use, cost);
    agent->runtime.set_fuel(context, agent->fuel);
    return enough ? NULL : agent->runtime.make_trap_of_code(OUT_OF_FUEL);
}

static void *complain(const wasm_agent *agent, const char *message)
{
    return agent->runtime.make_trap(message, strlen(message));
}

static const char NO_MODEL[] = "was given a model that does not exist";
static const char NO_MEMORY[] = "was given a pointer out of its memory";

/* The model of a number: the game now, or a clone. */
static const ludus_agent_model *find_model(const wasm_agent *agent, uint32_t number)
{
    if (number == NOW)
        return agent->now;
    uint32_t place = number - FIRST_CLONE;
    return number < FIRST_CLONE || place >= agent->n_models ? NULL : agent->models[place];
}

static ludus_agent_model *find_clone(const wasm_agent *agent, uint32_t number)
{
    return number == NOW ? NULL : (ludus_agent_model *)find_model(agent, number);
}

/* A part of the memory that the module names; NULL if there is none. */
static uint8_t *find_bytes(const wasm_agent *agent, uint32_t address, uint64_t size)
{
    uint64_t all = agent->has_memory ? agent->runtime.measure_memory(agent->context, &agent->memory) : 0;
    return address && size <= all && address <= all - size ? memory_of(agent) + address : NULL;
}

static bool grow_models(wasm_agent *agent)
{
    uint32_t wanted = agent->n_models ? 2 * agent->n_models : 64;
    if (wanted > WASM_MOST_MODELS)
        return false;
    ludus_agent_model **models = realloc(agent->models, wanted * sizeof *models);
    if (!models)
        return false;
    memset(models + agent->n_models, 0, (wanted - agent->n_models) * sizeof *models);
    agent->models = models;
    agent->n_models = wanted;
    return true;
}

/* The number of a free place, which is then no longer the first; 0 if there is none. */
static uint32_t add_model(wasm_agent *agent, const ludus_agent_model *model)
{
    while (agent->first_free < agent->n_models && agent->models[agent->first_free])
        agent->first_free++;
    if (agent->first_free == agent->n_models && !grow_models(agent))
        return 0;
    ludus_agent_model *clone = agent->engine->clone(model);
    agent->models[agent->first_free] = clone;
    return clone ? FIRST_CLONE + agent->first_free : 0;
}

static void *clone_model(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    const ludus_agent_model *model = find_model(agent, values[0].u32);
    void *trap = enter(agent, caller, WASM_CLONE, COST_OF_COPY);
    if (trap || !model)
        return trap ? trap : complain(agent, NO_MODEL);
    values[0].u32 = add_model(agent, model);
    return NULL;
}

static void *advance_model(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    ludus_agent_model *model = find_clone(agent, values[0].u32);
    void *trap = enter(agent, caller, WASM_ADVANCE, COST_OF_TICK);
    if (trap || !model)
        return trap ? trap : complain(agent, NO_MODEL);
    values[0].i32 = agent->engine->advance(model, values[1].i32);
    return NULL;
}

static void *describe_model(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    const ludus_agent_model *model = find_model(agent, values[0].u32);
    ludus_agent_facts facts;
    void *trap = enter(agent, caller, WASM_DESCRIBE, COST_OF_RECORD);
    uint8_t *bytes = find_bytes(agent, values[1].u32, sizeof facts);
    if (trap || !model || !bytes)
        return trap ? trap : complain(agent, model ? NO_MEMORY : NO_MODEL);
    agent->engine->describe(model, &facts);
    memcpy(bytes, &facts, sizeof facts);
    return NULL;
}

static void *observe_model(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    const ludus_agent_model *model = find_model(agent, values[0].u32);
    int32_t columns = values[2].i32, rows = values[3].i32;
    uint64_t cells = columns < 1 || rows < 1 ? 0 : (uint64_t)columns * (uint64_t)rows;
    void *trap = enter(agent, caller, WASM_GRID, COST_OF_LOOK + cells / CELLS_FOR_A_UNIT);
    uint8_t *bytes = find_bytes(agent, values[4].u32, cells);
    if (trap || !model || !bytes)
        return trap ? trap : complain(agent, model ? NO_MEMORY : NO_MODEL);
    values[0].i32 = agent->engine->grid(model, (enum ludus_agent_part)values[1].i32, columns, rows, bytes);
    return NULL;
}

static void *list_places(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    const ludus_agent_model *model = find_model(agent, values[0].u32);
    ludus_agent_place places[HOST_PLACES];
    uint32_t capacity = values[2].u32 < HOST_PLACES ? values[2].u32 : HOST_PLACES;
    void *trap = enter(agent, caller, WASM_PLACES, COST_OF_LOOK + 3 * capacity / CELLS_FOR_A_UNIT);
    uint8_t *bytes = capacity ? find_bytes(agent, values[1].u32, capacity * sizeof *places) : (uint8_t *)places;
    if (trap || !model || !bytes)
        return trap ? trap : complain(agent, model ? NO_MEMORY : NO_MODEL);
    size_t found = agent->engine->places(model, places, capacity);
    memmove(bytes, places, (found < capacity ? found : capacity) * sizeof *places);
    values[0].u32 = (uint32_t)found;
    return NULL;
}

static void *free_model(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    uint32_t number = values[0].u32;
    ludus_agent_model *model = find_clone(agent, number);
    void *trap = enter(agent, caller, WASM_FREE, 0);
    if (trap || (!model && number))
        return trap ? trap : complain(agent, NO_MODEL);
    if (!model)
        return NULL; /* as free(NULL) in C */
    uint32_t place = number - FIRST_CLONE;
    agent->engine->free(model);
    agent->models[place] = NULL;
    agent->first_free = place < agent->first_free ? place : agent->first_free;
    return NULL;
}

static void *log_text(void *environment, void *caller, wasm_value *values, size_t count)
{
    (void)count;
    wasm_agent *agent = environment;
    size_t size = values[1].u32;
    void *trap = enter(agent, caller, WASM_LOG, COST_OF_RECORD + size);
    const uint8_t *bytes = find_bytes(agent, values[0].u32, size);
    if (trap || !bytes)
        return trap ? trap : complain(agent, NO_MEMORY);
    size_t left = agent->logged_so_far < WASM_MOST_LOGGED ? WASM_MOST_LOGGED - agent->logged_so_far : 0;
    size = size < left ? size : left;
    char *logged = left ? realloc(agent->logged, agent->n_logged + size + 1) : NULL;
    if (!logged)
        return NULL;
    memcpy(logged + agent->n_logged, bytes, size);
    agent->logged = logged;
    agent->n_logged += size;
    agent->logged[agent->n_logged++] = '\n';
    agent->logged_so_far += size + 1;
    return NULL;
}

const wasm_import WASM_IMPORTED[WASM_IMPORTS] = {
    clone_model, advance_model, describe_model, observe_model, list_places, free_model, log_text,
};
