/* An agent for Ludus as a shared library: in C, or in any language that exports C functions.
 *
 *     #include <ludus/agent.h>
 *
 *     LUDUS_AGENT uint32_t ludus_agent_version(void) { return LUDUS_AGENT_VERSION; }
 *     LUDUS_AGENT void *ludus_agent_create(void) { return calloc(1, sizeof(my_agent)); }
 *     LUDUS_AGENT void ludus_agent_destroy(void *agent) { free(agent); }
 *     LUDUS_AGENT void ludus_agent_reset(void *agent, const ludus_agent_scenario *scenario) { … }
 *     LUDUS_AGENT int32_t ludus_agent_act(void *agent, const ludus_agent_observation *seen) { … }
 *
 * The five functions are required. A library may also export ludus_agent_name, ludus_agent_wants and
 * ludus_agent_learn. It links against nothing of Ludus.
 *
 * Structures begin with their size and may grow at their end: a library that was compiled with an older header
 * reads the part that it knows. What they point to is the host's, and valid until the function returns.
 */
#ifndef LUDUS_AGENT_H
#define LUDUS_AGENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define LUDUS_AGENT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define LUDUS_AGENT __attribute__((visibility("default")))
#endif

/* Changes when a library that was compiled with an older header would no longer work. */
#define LUDUS_AGENT_VERSION 1

/* The parts of an observation, as bits. */
enum ludus_agent_part {
    LUDUS_SHOWS_TIMER = 1 << 0,
    LUDUS_SHOWS_COINS = 1 << 1,
    LUDUS_SHOWS_REWARD = 1 << 2,
    LUDUS_SHOWS_MARIO = 1 << 3,
    LUDUS_SHOWS_SCENE = 1 << 4,
    LUDUS_SHOWS_ENEMIES = 1 << 5,
    LUDUS_SHOWS_MERGED = 1 << 6,
    LUDUS_SHOWS_PLACES = 1 << 7,
    LUDUS_SHOWS_MODEL = 1 << 8, /* a forward model */
    LUDUS_SHOWS_ALL = (1 << 9) - 1
};

/* The bits of the buttons under the level's rules; an action is their sum. */
typedef struct {
    uint8_t left, right, down, speed, jump, up; /* up is 0 where there is none */
} ludus_agent_buttons;

typedef struct {
    uint32_t size;
    const char *name;   /* what tables call the level */
    const char *rules;  /* "framework", "ludus", "2009" or "2010" */
    const char *level;  /* its rows with LF between them, or NULL where the benchmark hides it */
    uint64_t seed;      /* the agent's own: all its chance comes from here */
    int32_t mode;       /* how Mario starts: 0 small, 1 large, 2 with fire */
    int32_t time_limit; /* seconds on the level's clock; 0 for no limit */
    int32_t play, plays; /* in learning tracks: the number of this play, and of the play that counts */
    ludus_agent_buttons buttons;
} ludus_agent_scenario;

/* Positions are pixels, (x, y) is the middle of his feet, y grows downwards, speeds are pixels a tick. */
typedef struct {
    float x, y, vx, vy, jump_start_x;
    int32_t mode, on_ground, was_on_ground, may_jump, ducking, can_shoot, jump_time, invulnerable;
    int32_t facing, height, alive, listed, sliding, climbing, carrying;
} ludus_agent_mario;

/* Cells around Mario, who is in the middle: cells[column * rows + row]. */
typedef struct {
    int32_t columns, rows;
    const uint8_t *cells;
} ludus_agent_grid;

typedef struct {
    float kind, x, y;
} ludus_agent_place;

typedef struct {
    int32_t status; /* 0 running, 1 win, 2 lose, 3 time out */
    int32_t tick, timer, coins;
    float completion; /* Mario's x over the exit's */
    ludus_agent_mario mario;
} ludus_agent_facts;

/* A copy of the game, in which the agent plays ahead. */
typedef struct ludus_agent_model ludus_agent_model;

/* What can be done with models. Those that the agent makes, it frees. */
typedef struct {
    uint32_t size;
    ludus_agent_model *(*clone)(const ludus_agent_model *model); /* NULL without memory */
    int32_t (*advance)(ludus_agent_model *model, int32_t buttons); /* one tick; returns the status */
    void (*describe)(const ludus_agent_model *model, ludus_agent_facts *facts);
    /* Fills columns * rows cells of LUDUS_SHOWS_SCENE, …_ENEMIES or …_MERGED; 0 if all is well. */
    int32_t (*grid)(const ludus_agent_model *model, enum ludus_agent_part grid, int32_t columns, int32_t rows,
                    uint8_t *cells);
    /* Creatures in play: how many there are; what fits is written. */
    size_t (*places)(const ludus_agent_model *model, ludus_agent_place *places, size_t capacity);
    void (*free)(ludus_agent_model *model);
} ludus_agent_engine;

typedef struct {
    uint32_t size;
    uint32_t shown; /* which parts are here; others are 0 */
    int32_t tick, timer, coins, reward;
    ludus_agent_mario mario;
    ludus_agent_grid scene, enemies, merged;
    const ludus_agent_place *places; /* creatures in play */
    size_t n_places;
    const ludus_agent_model *model; /* the game now: clone it to play ahead; NULL where that is not allowed */
    const ludus_agent_engine *engine;
} ludus_agent_observation;

typedef struct {
    uint32_t size;
    int32_t play;
    double score;
    const char *json; /* all figures of the play */
} ludus_agent_outcome;

/* The LUDUS_AGENT_VERSION that the library was compiled with. */
uint32_t ludus_agent_version(void);
/* A new agent; NULL if there can be none. */
void *ludus_agent_create(void);
void ludus_agent_destroy(void *agent);
/* An episode begins: forget the last one. */
void ludus_agent_reset(void *agent, const ludus_agent_scenario *scenario);
/* The sum of the buttons to hold for one tick; a negative number gives up. */
int32_t ludus_agent_act(void *agent, const ludus_agent_observation *observation);

/* What tables call it. */
const char *ludus_agent_name(void);
/* The parts that it reads, LUDUS_SHOWS_ALL if this is missing: less is faster. */
uint32_t ludus_agent_wants(void);
/* After each training play in learning tracks. */
void ludus_agent_learn(void *agent, const ludus_agent_outcome *outcome);

#ifdef __cplusplus
}
#endif
#endif
