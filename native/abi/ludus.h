/* Ludus in C: the one public interface to its engines, for every language above it.
 *
 *     ludus_level *level;
 *     ludus_world *world;
 *     if (ludus_level_from_text(text, strlen(text), "framework", &level)
 *         || ludus_world_begin(level, NULL, &world))
 *         return fail(ludus_last_error());
 *     while (ludus_world_status(world) == LUDUS_RUNNING)
 *         ludus_world_step(world, LUDUS_RIGHT | LUDUS_SPEED);
 *     ludus_world_free(world);
 *     ludus_level_free(level);
 *
 * Handles are opaque; *_free gives one back and allows NULL. Levels, tasks and worlds hold on to what they
 * need, so that handles can be freed in any order. Functions that can fail return LUDUS_OK or more, or a
 * negative ludus_error; then nothing has changed, and ludus_last_error() says why in one line. Out-handles
 * are set on success only. Functions that fill an array take its capacity in items, fill what fits and
 * return how many items there are.
 *
 * No function keeps state outside its handles. A handle may be used by one thread at a time, a level or a
 * task by any number. Nothing calls back.
 *
 * Structures that are handed in and begin with `size` may grow at their end: set it to sizeof.
 */
#ifndef LUDUS_H
#define LUDUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a program that was compiled with an older header would no longer work. */
#define LUDUS_ABI_VERSION 1
/* The LUDUS_ABI_VERSION that the library was built with. */
int32_t ludus_abi_version(void);

enum ludus_error {
    LUDUS_OK = 0,
    LUDUS_NO_MEMORY = -1,
    LUDUS_BAD_OPTION = -2,
    LUDUS_BAD_ACTION = -3,
    LUDUS_EPISODE_OVER = -4, /* or not begun */
    LUDUS_CAPACITY = -5,     /* a tick outgrew its world: the world is not to be trusted any more */
    LUDUS_BAD_INDEX = -6,
    LUDUS_BAD_LEVEL = -7     /* a text that is no level */
};
/* Why the last call of this thread that failed has failed. */
const char *ludus_last_error(void);

/* ---- rule sets ------------------------------------------------------------------------------ */

/* Rule sets of the platformer by number; NULL and 0 beyond the last. */
int32_t ludus_rule_set_count(void);
const char *ludus_rule_set_name(int32_t number);
int32_t ludus_rule_set_version(int32_t number);
/* How ludus_world_hash writes a state: docs/state-digest.md. */
int32_t ludus_digest_version(void);

/* ---- levels --------------------------------------------------------------------------------- */

enum { LUDUS_MAX_WIDTH = 131072, LUDUS_MAX_HEIGHT = 1024 };

typedef struct ludus_level ludus_level;

/* Reads rows of equal length, ended by LF or CRLF; empty rows at the end are dropped. Characters without
 * a meaning under the rules are empty cells. NULL stands for the rules "framework". For the rules "2009" and
 * "2010" the characters become the map bytes that come closest. */
int32_t ludus_level_from_text(const char *text, size_t length, const char *rules, ludus_level **level);
/* The same from width * height characters, row by row. */
int32_t ludus_level_from_cells(const char *cells, int32_t width, int32_t height, const char *rules,
                               ludus_level **level);
void ludus_level_free(ludus_level *level);

typedef struct {
    int32_t width, height, start_x, start_y, exit_x, exit_y, total_coins;
} ludus_level_facts;
void ludus_level_describe(const ludus_level *level, ludus_level_facts *facts);
const char *ludus_level_rules(const ludus_level *level);

/* Tile codes, column by column, from the top down. */
size_t ludus_level_tiles(const ludus_level *level, uint8_t *tiles, size_t capacity);

/* Where a creature comes from. */
typedef struct {
    int32_t column, row, kind;
} ludus_template;
size_t ludus_level_templates(const ludus_level *level, ludus_template *templates, size_t capacity);

/* A moving platform: its left upper pixel and its width. */
typedef struct {
    int32_t x, y, width;
} ludus_platform;
/* The platforms where they start. */
size_t ludus_level_platforms(const ludus_level *level, ludus_platform *platforms, size_t capacity);

/* ---- generators ----------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int64_t value; /* a switch is 0 or 1; a 64-bit seed is taken bit for bit */
} ludus_option;

/* What an option is if it is left out, and its range. */
typedef struct {
    const char *name;
    int64_t value, least, most;
} ludus_option_range;

/* Generators by number; NULL beyond the last. */
int32_t ludus_generator_count(void);
const char *ludus_generator_name(int32_t number);
/* Its options: how many, and up to `capacity` of them. */
size_t ludus_generator_options(int32_t number, ludus_option_range *options, size_t capacity);

typedef struct {
    int32_t column, row, kind, winged; /* a kind of the level's own format */
} ludus_creature;
typedef struct {
    int32_t column, row, value;
} ludus_block_data;
/* What the tunable generator counts while it builds. */
typedef struct {
    int32_t dead_ends, cannons, platforms, tubes, blocks, coins, gaps, hidden, creatures;
} ludus_counts;

/* A generated level. Levels of the 2009 and 2010 formats also have those formats' own data. */
typedef struct {
    const char *text; /* rows with LF between them, 0 at the end */
    size_t text_length;
    const char *rules; /* that the text is for */
    int32_t width, height, exit_x, exit_y;
    const uint8_t *map; /* a byte for each cell, column by column, or NULL */
    const ludus_creature *creatures;
    size_t n_creatures;
    const ludus_block_data *data;
    size_t n_data;
    ludus_counts counts;
    const char *map_rules; /* that play the map, or NULL */
    int32_t type, difficulty;
} ludus_generated;

/* A level of map bytes, as the benchmarks of 2009 and 2010 hold it. */
typedef struct {
    uint32_t size;
    int32_t width, height, exit_x, exit_y;
    const uint8_t *map; /* a byte for each cell, column by column, from the top down */
    const ludus_creature *creatures; /* by column, then row, with kinds of the rules' own format */
    size_t n_creatures;
    const ludus_block_data *data; /* what is not 0, -128 to 127 */
    size_t n_data;
    int32_t type, difficulty; /* type: 0 overground, 1 underground, 2 castle */
    ludus_counts counts;
} ludus_map;
/* Reads a level for the rules "2009" or "2010". */
int32_t ludus_level_from_map(const ludus_map *map, const char *rules, ludus_level **level);
/* The text that comes closest, rows with LF at their ends: how many characters; they are written if they
 * fit. */
int32_t ludus_map_text(const ludus_map *map, const char *rules, char *text, size_t capacity, size_t *length);

/* Generates a level. Options that are left out have their defaults. The generator "tunable-2010" is given
 * creatures as options "creature_0" to "creature_8" with how many there may be of the kind, in the order
 * in which they are to be listed. */
int32_t ludus_generate(const char *generator, const ludus_option *options, size_t n_options,
                       ludus_generated **generated);
void ludus_generated_free(ludus_generated *generated);
/* Generates a level and reads it: its map if it has one, or else its text. */
int32_t ludus_level_from_generator(const char *generator, const ludus_option *options, size_t n_options,
                                   ludus_level **level);

/* ---- worlds --------------------------------------------------------------------------------- */

/* Actions are sums of buttons, 0 to 31. Under the rules "2009" JUMP is 8 and SPEED is 16. */
enum { LUDUS_LEFT = 1, LUDUS_RIGHT = 2, LUDUS_DOWN = 4, LUDUS_SPEED = 8, LUDUS_JUMP = 16 };
enum ludus_status { LUDUS_RUNNING, LUDUS_WIN, LUDUS_LOSE, LUDUS_TIME_OUT };

/* How bodies move and how fast the clock runs. Under the rules "2010" gravity may be 0.1 to 10, creature_gravity 0 to
 * 10, jump_power 0 to 100, ice and wind -1 to 1; the clock is the benchmark's. */
typedef struct {
    float gravity;          /* factor on Mario's fall, 0.1 to 4 */
    float creature_gravity; /* the same of creatures and shells, 0 to 4 */
    float jump_power;       /* ticks of thrust at gravity 1, 0 to 30 */
    float ice;              /* added to the share of speed that is kept, 0 to 0.1 */
    float wind;             /* the same to the right, taken from it to the left, -0.1 to 0.1 */
    int32_t tick_ms;        /* clock units that a tick costs, 1 to 1000 */
    uint8_t frozen_creatures, invulnerable;
} ludus_physics;
/* The reference's. */
void ludus_physics_default(ludus_physics *physics);

/* An event that costs Mario the game: a kind 1 to 12 and a parameter, 0 for any. */
typedef struct {
    int32_t kind, param;
} ludus_kill_event;

/* What a world can be set to besides its physics. Only the first is asked by other rules than "2010". */
typedef struct {
    uint32_t size;
    int32_t power_restoration; /* SPEED gives Mario fire */
    int32_t difficulty;        /* above 4 some power-up blocks hold green mushrooms; -1: the level's */
    int32_t green_mushrooms;   /* not 0: they kill instead of hurting */
    int32_t start_x, start_y;  /* pixels, 0 to 32767 */
    int32_t screen_width, screen_height; /* 16 to 2048: what is far outside of it is gone */
    int32_t stopped;           /* nothing moves */
    int32_t field_width, field_height, ego_row, ego_column; /* of the receptive field, 1 to 128 */
    int32_t tile_detail, entity_detail; /* 0 finest, 2 coarsest */
} ludus_settings;
/* Those of the benchmark of 2010 with no options. */
void ludus_settings_default(ludus_settings *settings);

typedef struct {
    uint32_t size;
    int32_t mode;                 /* 0 small, 1 large, 2 fire */
    int32_t time_limit;           /* clock seconds, 0 for none */
    const char *rules;            /* must be those the level was read for; NULL for any */
    const ludus_physics *physics; /* NULL for the reference's */
    const ludus_kill_event *kill_events;
    size_t n_kill_events;
    const ludus_settings *settings; /* NULL for the defaults */
} ludus_world_options;

typedef struct ludus_world ludus_world;

/* A world at its start, after the reference's warm-up tick; NULL options are all zero. */
int32_t ludus_world_begin(const ludus_level *level, const ludus_world_options *options, ludus_world **world);
/* An exact, independent copy. */
int32_t ludus_world_clone(const ludus_world *world, ludus_world **clone);
/* Makes a world equal to another one of the same level and kill events. */
int32_t ludus_world_restore(ludus_world *world, const ludus_world *from);
/* A world's state as bytes: how many there are; they are written if they fit. The bytes hold no address and
 * may be kept, sent, and given to another world of the same level, rules, physics and kill events. */
size_t ludus_world_save(const ludus_world *world, void *bytes, size_t capacity);
/* Puts a world into a state that ludus_world_save wrote. Bytes from anywhere are safe to give. */
int32_t ludus_world_load(ludus_world *world, const void *bytes, size_t size);
/* The events that cost Mario the game. */
size_t ludus_world_kill_events(const ludus_world *world, ludus_kill_event *events, size_t capacity);
void ludus_world_free(ludus_world *world);

/* One tick of a game that is running; returns the status. */
int32_t ludus_world_step(ludus_world *world, int64_t action);
/* Plays actions until they or the game end; all are checked before the first is played. */
int32_t ludus_world_run(ludus_world *world, const uint8_t *actions, size_t n, size_t *played);

/* A world to look ahead with, made by the reference's clone rule: Mario's place is rounded, the events are
 * gone, the counters are zero. It is advanced instead of stepped, and cloned by the same rule. */
int32_t ludus_world_forward_model(const ludus_world *world, ludus_world **model);
int32_t ludus_model_clone(const ludus_world *model, ludus_world **clone);
/* One tick; returns the status. A finished model stays as it is. */
int32_t ludus_model_advance(ludus_world *model, int64_t action);

/* ---- looking at worlds ---------------------------------------------------------------------- */

int32_t ludus_world_status(const ludus_world *world);
const char *ludus_world_rules(const ludus_world *world);
/* A 64-bit digest of the whole state. */
uint64_t ludus_world_hash(const ludus_world *world);

typedef struct {
    int32_t status, tick, timer, pause, coins, lives, fireballs;
    float camera_x, camera_y;
    float completion;                   /* Mario's x over the exit's */
    int32_t screen_column, screen_row;  /* Mario's tile on the screen */
    int32_t keys[3];                    /* that Mario holds, by colour */
} ludus_world_facts;
void ludus_world_describe(const ludus_world *world, ludus_world_facts *facts);

typedef struct {
    float x, y, vx, vy, jump_start_x;
    int32_t mode, on_ground, was_on_ground, may_jump, ducking, can_shoot, jump_time, invulnerable;
    int32_t facing, height, alive, listed;
} ludus_mario;
void ludus_world_mario(const ludus_world *world, ludus_mario *mario);

typedef struct {
    int32_t kind;
    float x, y, vx, vy;
    int32_t facing, on_ground, winged, aux;
} ludus_sprite;
/* What Mario does under the rules of 2009 and 2010; all 0 under others. */
typedef struct {
    int32_t sliding, climbing, carrying;
} ludus_pose;
void ludus_world_pose(const ludus_world *world, ludus_pose *pose);

/* What has become of a sprite under those rules; all 0 under others. */
typedef struct {
    int32_t dead_time; /* ticks that its corpse stays */
    int32_t flying;    /* a corpse that falls */
    int32_t carried;   /* a shell that Mario has picked up */
} ludus_fate;
/* Of all sprites but Mario, in engine order. */
size_t ludus_world_fates(const ludus_world *world, ludus_fate *fates, size_t capacity);

/* All sprites but Mario, in engine order. */
size_t ludus_world_sprites(const ludus_world *world, ludus_sprite *sprites, size_t capacity);

typedef struct {
    int32_t kind, param, mode, tick;
    float x, y;
} ludus_event;
/* The events of the last tick that was executed. */
size_t ludus_world_events(const ludus_world *world, ludus_event *events, size_t capacity);

size_t ludus_world_tiles(const ludus_world *world, uint8_t *tiles, size_t capacity);
size_t ludus_world_platforms(const ludus_world *world, ludus_platform *platforms, size_t capacity);

enum { LUDUS_KINDS = 32 }; /* more than there are kinds of sprites */

/* The figures of the episode so far. */
typedef struct {
    int32_t status, timer, mode, kills, kills_by_fire, kills_by_stomp, kills_by_shell, kills_by_fall, hurts;
    int32_t bumped_blocks, bumped_bricks, broken_bricks, jumps, max_jump_air_time, lives, coins;
    int32_t mushrooms, flowers, total_coins, ticks;
    float completion, max_x_jump;
    int32_t kills_by_kind[LUDUS_KINDS];
} ludus_result;
void ludus_world_result(const ludus_world *world, ludus_result *result);

enum { LUDUS_KILL_CAUSES = 8 };

/* What the competition of 2009 measures of a play. */
typedef struct {
    int32_t status; /* 2 running, 1 win, 0 dead */
    float distance; /* Mario's x */
    int32_t cells;  /* the column that he was in before his last move */
    int32_t time_left, time_spent; /* seconds of 15 ticks */
    int32_t ticks, mode, coins, lives, collisions, hidden_blocks;
    /* walkers and piranhas by stomp, shell, fire and bump; bills by stomp and shell; shells at rest by fire;
     * shells that broke at another one or in Mario's hands */
    int32_t kills[LUDUS_KILL_CAUSES];
    int32_t kills_by_kind[LUDUS_KINDS]; /* walkers and piranhas */
} ludus_evaluation_2009;
/* Fails under other rules than "2009". */
int32_t ludus_world_evaluate_2009(const ludus_world *world, ludus_evaluation_2009 *evaluation);

enum { LUDUS_DEATHS = 4 };

/* What the benchmark of 2010 measures of a play. */
typedef struct {
    int32_t status, mode;
    int32_t distance, cells;       /* Mario's x and column; one beyond the exit after a win */
    int32_t time_left, time_spent; /* seconds of 15 ticks */
    int32_t ticks, coins, hidden_blocks, mushrooms, green_mushrooms, flowers;
    int32_t kills, kills_by_stomp, kills_by_fire, kills_by_shell, collisions;
    /* of the level, as its generator counted; of the game, what blocks have offered */
    int32_t total_coins, total_hidden_blocks, total_creatures, total_mushrooms, total_flowers;
    int32_t length, reward; /* the intermediate reward so far */
    /* Why Mario died, once for each time in his last tick: 1 time, 2 gap, 3 kill event, from 16 on a kind. */
    int32_t deaths[LUDUS_DEATHS];
    int32_t n_deaths;
    int32_t kills_by_kind[LUDUS_KINDS]; /* those that count, by stomp, fire and shell */
} ludus_evaluation_2010;
/* Fails under other rules than "2010". */
int32_t ludus_world_evaluate_2010(const ludus_world *world, ludus_evaluation_2010 *evaluation);

/* A row of a recording: the values of the columns, separated by commas. */
size_t ludus_world_trace(const ludus_world *world, char *row, size_t capacity);
/* The names of the columns. */
const char *ludus_world_trace_columns(const ludus_world *world);

enum ludus_grid { LUDUS_SCENE, LUDUS_ENEMIES, LUDUS_MERGED };
enum { LUDUS_MAX_FIELD = 128 };

/* A receptive field. */
typedef struct {
    int32_t columns, rows;              /* 1 to 128 */
    int32_t scene_detail, enemy_detail; /* 0 finest, 2 coarsest */
    int32_t on_screen;                  /* centred on the screen instead of Mario */
} ludus_view;
/* Fills cells[column * rows + row]; the capacity must be at least columns * rows. */
int32_t ludus_world_observe(const ludus_world *world, enum ludus_grid grid, const ludus_view *view,
                            uint8_t *cells, size_t capacity);

/* Kind, x, y of each enemy in engine order; the capacity counts enemies. */
size_t ludus_world_enemies(const ludus_world *world, int32_t relative, float *enemies, size_t capacity);

/* What agents of the benchmark of 2010 are told: rows of a receptive field, entities, creatures, Mario. All
 * functions fail, or find nothing, under other rules than "2010". */
typedef struct {
    int32_t width, height, ego_row, ego_column; /* Mario's cell */
} ludus_field_2010;
int32_t ludus_world_field_2010(const ludus_world *world, ludus_field_2010 *field);

/* Fills width * height signed codes, row by row, of tiles or of the worst entity in each cell. */
int32_t ludus_world_grid_2010(const ludus_world *world, int32_t entities, int32_t detail, int8_t *cells,
                              size_t capacity);

typedef struct {
    int32_t code, threat;  /* threat: 0 worst, 6 none */
    int32_t moving;        /* a shell on its way, told at detail 0 alone */
    int32_t column, row;   /* from Mario's cell */
    float dx, dy, height;  /* dx, dy: Mario's place without the entity's; height: its y */
    float speed_x, speed_y;
} ludus_entity_2010;
/* The entities in the field, in engine order. */
size_t ludus_world_entities_2010(const ludus_world *world, int32_t detail, ludus_entity_2010 *entities,
                                 size_t capacity);
/* Kind, x and y from Mario of every creature and shell, wherever it is; the capacity counts creatures. */
size_t ludus_world_creatures_2010(const ludus_world *world, float *creatures, size_t capacity);

typedef struct {
    float speed_x, speed_y, height;
    int32_t in_tile_x, in_tile_y; /* pixels in his cell */
    int32_t may_shoot, time_spent, time_left; /* seconds of 15 ticks */
} ludus_summary_2010;
int32_t ludus_world_summary_2010(const ludus_world *world, ludus_summary_2010 *summary);

/* What agents of the rules "2009" and "2010" are shown besides: bytes of it, 0 under other rules. Of 2009 the
 * packed bitmap of the level: 31 numbers of 16 bits, the low byte first. Of 2010 the state vector: 11 numbers of
 * 32 bits in the machine's byte order. */
size_t ludus_extra_size(const ludus_world *world);
size_t ludus_world_extra(const ludus_world *world, void *extra, size_t capacity);

enum { LUDUS_STATE_FIELDS = 21 };
/* Mario's state as numbers, LUDUS_STATE_FIELDS of them. */
size_t ludus_world_state(const ludus_world *world, float *state, size_t capacity);

/* ---- batches -------------------------------------------------------------------------------- */

enum { LUDUS_INFO_FIELDS = 8, LUDUS_COURSE_FIELDS = 10, LUDUS_PICTURES = 4, LUDUS_MAX_THREADS = 256 };
enum ludus_autoreset { LUDUS_RESET_NEXT_STEP, LUDUS_RESET_SAME_STEP, LUDUS_RESET_NEVER };

/* What a step is worth: each weight times what changed in it. */
typedef struct {
    double progress, win, loss, coin, kill, power, tick;
} ludus_reward;

/* Observations of all environments, one after the other; NULL parts are not wanted. */
typedef struct {
    uint8_t *scene, *enemies, *merged; /* n_envs * columns * rows each */
    float *state;                      /* n_envs * LUDUS_STATE_FIELDS */
} ludus_observation;

typedef struct {
    uint32_t size;
    int32_t n_envs;
    const ludus_world *const *starts; /* worlds at the start of the levels; they are copied */
    size_t n_starts;
    const int32_t *pools;      /* the levels that each environment draws from, one list after the other */
    const int32_t *pool_sizes; /* n_envs: how long each list is */
    ludus_view view;
    ludus_reward reward;
    int32_t frame_skip, max_steps; /* max_steps 0: no limit */
    int32_t autoreset, threads;
    /* Memory of the caller's that the batch reads and writes as long as it lives. */
    const uint8_t *actions;          /* n_envs */
    double *rewards;                 /* n_envs */
    uint8_t *terminated, *truncated; /* n_envs */
    float *places;                   /* x, y each */
    int32_t *infos; /* status, tick, timer, mode, coins, lives, kills, level each */
    ludus_observation seen, seen_last; /* seen_last: of episodes that ended, with LUDUS_RESET_SAME_STEP */
    /* n_envs * ludus_extra_size each, or NULL; all levels must be for the same rules then. */
    uint8_t *extra, *extra_last;
    int32_t latency; /* 1: a step plays the action of the step before, at first none */
    /* Courses, as the arena plays them, if lives is not 0: a course is n_stages levels, played one after the
     * other. Pools are then of courses, and starts by course, level and mode, of which there are n_modes. */
    int32_t lives, n_stages, n_modes, no_ops;
    double sticky;    /* the probability that a tick repeats the buttons of the tick before */
    int32_t *courses; /* stage, lives, coins, furthest x, steps, ticks, deaths, levels completed, seconds left,
                         whether the step completed a level; each */
    /* What learners see, or NULL: n_envs * LUDUS_SIGHT_FIELDS each, and the last LUDUS_PICTURES pictures of
     * LUDUS_SCREEN_SIDE * LUDUS_SCREEN_SIDE grey pixels. */
    int8_t *fields, *fields_last;
    uint8_t *pixels, *pixels_last;
    uint8_t *won; /* n_envs, or NULL: whether the status in infos is that of a win */
} ludus_batch_options;

typedef struct ludus_batch ludus_batch;

int32_t ludus_batch_new(const ludus_batch_options *options, ludus_batch **batch);
void ludus_batch_free(ludus_batch *batch);
/* Seeds an environment's choice of levels. */
int32_t ludus_batch_seed(ludus_batch *batch, int32_t env, uint64_t seed);
/* Begins an episode on a drawn level, or on this one if it is not negative. */
int32_t ludus_batch_reset(ludus_batch *batch, int32_t env, int32_t level);
/* Steps every environment with the bound actions. */
int32_t ludus_batch_step(ludus_batch *batch);
/* Whether the environment's episode has ended: 0 or 1. */
int32_t ludus_batch_over(const ludus_batch *batch, int32_t env);
/* The number of the start that an environment's world began with. */
int32_t ludus_batch_level(const ludus_batch *batch, int32_t env);
/* The seed that the chance of the environment's course began with. */
int32_t ludus_batch_course_seed(const ludus_batch *batch, int32_t env, uint64_t *seed);
/* The state of all environments as bytes, as ludus_world_save and ludus_world_load have it: for a batch with
 * the same levels and pools. Loading shows what is seen then in the bound memory. */
size_t ludus_batch_save(const ludus_batch *batch, void *bytes, size_t capacity);
int32_t ludus_batch_load(ludus_batch *batch, const void *bytes, size_t size);
/* A copy of the environment's world. */
int32_t ludus_batch_world(const ludus_batch *batch, int32_t env, ludus_world **world);

/* ---- pictures ------------------------------------------------------------------------------- */

/* Bits of ludus_drawn.flip. */
enum { LUDUS_MIRRORED = 1, LUDUS_BEHIND_TILES = 2 };

/* One sprite to draw. Frames look to the right; x is the middle of the feet, y their pixel row. */
typedef struct {
    int16_t frame, x, y, flip;
} ludus_drawn;

typedef struct {
    uint32_t size;
    int32_t width, height, camera_x, camera_y;
    const uint8_t *background; /* an RGB colour for each row of the picture */
    const uint8_t *tiles;      /* codes, column by column, from the top down */
    int32_t columns, rows;
    const uint8_t *frame_of;    /* 256: the frame of a tile code, 255 for none */
    const uint8_t *tile_frames; /* 16 x 16 RGBA each */
    int32_t n_tile_frames;
    const uint8_t *sprite_frames; /* 16 x 32 RGBA each, the feet in the bottom row */
    int32_t n_sprite_frames;
    const ludus_drawn *sprites;
    size_t n_sprites;
} ludus_scene_picture;
/* Fills width * height RGB pixels with what the camera sees; the capacity is in bytes. */
int32_t ludus_draw(const ludus_scene_picture *picture, uint8_t *rgb, size_t capacity);

/* ---- solving -------------------------------------------------------------------------------- */

enum ludus_outcome { LUDUS_SOLVED, LUDUS_IMPOSSIBLE, LUDUS_UNKNOWN };

typedef struct {
    int32_t outcome;
    int64_t nodes;          /* futures looked at */
    const uint8_t *actions; /* if solved: one for each tick */
    size_t n_actions;
} ludus_solution;
/* Looks for a way to win from here within so many futures. */
int32_t ludus_solve(const ludus_world *world, int64_t budget, ludus_solution *solution);
/* Frees the actions. */
void ludus_solution_free(ludus_solution *solution);

/* ---- plans ---------------------------------------------------------------------------------- */

enum { LUDUS_PLAN_FAULTS = 7, LUDUS_PLAN_DECISIONS = 256 };
/* Knows how far it is to the exit from everywhere in a level. */
typedef struct ludus_planner ludus_planner;
int32_t ludus_planner_begin(const ludus_world *world, ludus_planner **planner);
void ludus_planner_free(ludus_planner *planner);
/* Ticks to the exit if no creature stood in the way; -1 for a world of another level. */
double ludus_planner_ticks(const ludus_planner *planner, const ludus_world *world);

/* How to plan where a change of buttons may take effect some ticks late. */
typedef struct {
    uint32_t size;
    int32_t skip;      /* ticks for which a decision is held: 1 to 16 */
    int32_t pressed;   /* the buttons of the decision before */
    int32_t nodes;     /* decisions that a search plays: 1 to 100,000 */
    int32_t budget;    /* decisions that all searches together play */
    int32_t rest;      /* decisions after which Mario must still stand where no plan gets on: 0 to 64 */
    int32_t faults;    /* changes of buttons that a search also follows if they come late: 0 to LUDUS_PLAN_FAULTS */
    int32_t late;      /* ticks by which they do: 0 to skip */
    int32_t follow;    /* decisions for which a fault is followed: 0 to 64 */
    float fault;       /* the probability of each */
    float sticky;      /* the probability that a tick repeats the buttons before: 0 up to 1 */
    float horizon;     /* ticks that a plan has to gain */
    float greed;       /* what progress counts for; 1 finds the fastest plan, more finds a plan sooner */
    float wound, stall, wait, death; /* ticks that these count as; each number of ticks is 0 to 1,000,000 */
} ludus_plan_options;

enum ludus_plan_verdict { LUDUS_PLAN_NONE, LUDUS_PLAN_LIVES, LUDUS_PLAN_RESTS, LUDUS_PLAN_ARRIVES };
typedef struct {
    int32_t verdict, nodes;
    float cost; /* ticks to the exit, over all that chance may do to the first decision */
    size_t n_decisions;
    uint8_t decisions[LUDUS_PLAN_DECISIONS];
} ludus_plan;
/* Weighs every decision over how late it may come, and tells the best and how it may go on. */
int32_t ludus_planner_plan(const ludus_planner *planner, const ludus_world *world, const ludus_plan_options *options,
                           ludus_plan *plan);

/* ---- practice ------------------------------------------------------------------------------- */

enum { LUDUS_SIGHT_FIELDS = 594, LUDUS_WIDE_FIELDS = 638, LUDUS_SIGHT_SIDE = 64, LUDUS_SCREEN_SIDE = 84 };
/* What a learner sees as LUDUS_SIGHT_FIELDS small numbers, or as LUDUS_SIGHT_SIDE squared grey pixels. */
size_t ludus_world_sight(const ludus_world *world, int8_t *fields, size_t capacity);
/* The same numbers and what lies beyond: the ground in each column, moving platforms. */
size_t ludus_world_wide_sight(const ludus_world *world, int8_t *fields, size_t capacity);
size_t ludus_world_sight_picture(const ludus_world *world, uint8_t *pixels, size_t capacity);

/* Games played for practice under the arena's protocol. A slot is one moment of a rollout: step(t) reads
 * the buttons of slot t, writes its rewards and endings, and what is seen next into slot t + 1. */
typedef struct {
    uint32_t size;
    int32_t n_games, groups, slots, threads;
    const ludus_world *const *starts; /* worlds at the start of the levels; they are copied */
    size_t n_starts;
    const uint64_t *seeds;             /* n_games: what levels and seeds are drawn from */
    int32_t skip, no_ops, patience;    /* ticks a decision is held; most idle ticks before; decisions without progress */
    double sticky;                     /* probability that a tick repeats the buttons before */
    float progress, win, loss, decision; /* what is paid: per tile further than ever, at the end, each time */
    /* Memory of the caller's. */
    const double *odds;     /* by group: cumulated chances of the levels */
    const uint8_t *buttons; /* by slot and game */
    float *rewards;
    uint8_t *endings;
    float *reached;    /* furthest x of the game that was played */
    int32_t *played;   /* its level */
    int8_t *fields;    /* slots + 1 times n_games times LUDUS_SIGHT_FIELDS, or NULL */
    uint8_t *pictures; /* or: the picture before and the one now */
    double retry;      /* probability that a lost game is tried again from shortly before its end */
    uint8_t *retried;  /* whether the game that was played was such a retry, or NULL */
    int32_t wide;      /* whether fields has LUDUS_WIDE_FIELDS for each game */
} ludus_practice_options;

typedef struct ludus_practice ludus_practice;

int32_t ludus_practice_new(const ludus_practice_options *options, ludus_practice **practice);
void ludus_practice_free(ludus_practice *practice);
/* Begins every game anew and shows it in slot 0. */
int32_t ludus_practice_begin(ludus_practice *practice);
/* Plays the decisions of a slot. */
int32_t ludus_practice_step(ludus_practice *practice, int32_t slot);

/* Where a game stands: it can be brought there again. */
typedef struct {
    uint64_t random, seed;
    int32_t level;
    const uint8_t *decisions; /* valid until the practice goes on */
    size_t n_decisions;
} ludus_practice_place;
int32_t ludus_practice_get(const ludus_practice *practice, int32_t game, ludus_practice_place *place);
/* Brings a game to its place and shows it in slot 0. */
int32_t ludus_practice_put(ludus_practice *practice, int32_t game, const ludus_practice_place *place);

/* Where a retry left the game it tries again, and the seed of its chance from there on. */
typedef struct {
    uint64_t seed;
    int32_t at; /* decisions before it; -1 for a game that is no retry */
} ludus_practice_fork;
int32_t ludus_practice_get_fork(const ludus_practice *practice, int32_t game, ludus_practice_fork *fork);
/* Does what put does, for a game with a fork; NULL for none. */
int32_t ludus_practice_put_forked(ludus_practice *practice, int32_t game, const ludus_practice_place *place,
                                  const ludus_practice_fork *fork);

/* ---- the worm ------------------------------------------------------------------------------- */

const char *ludus_worm_rules_name(void);
int32_t ludus_worm_rules_version(void);
int32_t ludus_worm_digest_version(void);

enum {
    LUDUS_WORM_MAX_SIZE = 128,
    LUDUS_WORM_MAX_FOODS = 64,
    LUDUS_WORM_MAX_PREDATORS = 32,
    LUDUS_WORM_MAX_SPOTS = 16,
    LUDUS_WORM_MAX_MEMORY = 64,
    LUDUS_WORM_FIGURES = 18
};
enum ludus_worm_action { LUDUS_WORM_FORWARD, LUDUS_WORM_LEFT, LUDUS_WORM_RIGHT, LUDUS_WORM_STAY };

/* The constants of a task by number; NULL beyond the last. */
int32_t ludus_worm_term_count(void);
const char *ludus_worm_term_name(int32_t number);

typedef struct {
    double x, y, amount;
} ludus_spot;
typedef struct {
    const ludus_spot *spots;
    size_t n;
} ludus_spots;

typedef struct {
    uint32_t size;
    const double *terms; /* in the order of ludus_worm_term_name */
    size_t n_terms;
    ludus_spots hot, cold, high, low, hotspots;
} ludus_worm_task_options;

typedef struct ludus_worm_task ludus_worm_task;
typedef struct ludus_worm ludus_worm;

int32_t ludus_worm_task_new(const ludus_worm_task_options *options, ludus_worm_task **task);
void ludus_worm_task_free(ludus_worm_task *task);
int32_t ludus_worm_features_count(const ludus_worm_task *task);
int32_t ludus_worm_channels_count(const ludus_worm_task *task);
double ludus_worm_temperature(const ludus_worm_task *task, double x, double y);
double ludus_worm_oxygen(const ludus_worm_task *task, double x, double y);
/* Zones: 0 comfort, 1 discomfort, 2 danger, 3 lethal. */
int32_t ludus_worm_temperature_zone(const ludus_worm_task *task, double temperature);
int32_t ludus_worm_oxygen_zone(const ludus_worm_task *task, double oxygen);

/* One worm in its world, at its start. */
int32_t ludus_worm_begin(const ludus_worm_task *task, uint64_t seed, ludus_worm **worm);
int32_t ludus_worm_clone(const ludus_worm *worm, ludus_worm **clone);
/* A world's state as bytes, as ludus_world_save and ludus_world_load have it: for a world of the same task. */
size_t ludus_worm_save(const ludus_worm *worm, void *bytes, size_t capacity);
int32_t ludus_worm_load(ludus_worm *worm, const void *bytes, size_t size);
void ludus_worm_free(ludus_worm *worm);

/* One step; the reward is what it paid. */
int32_t ludus_worm_step(ludus_worm *worm, int64_t action, double *reward);
/* One step on a dish: speed from 0 to 1, turn from -1 (right) to 1 (left). */
int32_t ludus_worm_steer(ludus_worm *worm, double speed, double turn, double *reward);
/* Plays actions until they or the episode end; `path` is NULL or has room for x, y after each. */
int32_t ludus_worm_run(ludus_worm *worm, const uint8_t *actions, size_t n, double *path, size_t *played);

typedef struct {
    uint64_t seed;
    int32_t steps, ended;
    double x, y, cosine, sine; /* of the place and the heading */
} ludus_worm_facts;
void ludus_worm_describe(const ludus_worm *worm, ludus_worm_facts *facts);
/* Sum, x, y of the scents of food and of predators at the worm. */
void ludus_worm_pulls(const ludus_worm *worm, double food[3], double predators[3]);
uint64_t ludus_worm_hash(const ludus_worm *worm);
/* What the worm senses; what the state as it stands is worth; the episode's figures. */
size_t ludus_worm_features(const ludus_worm *worm, float *features, size_t capacity);
double ludus_worm_evaluate(const ludus_worm *worm);
size_t ludus_worm_figures(const ludus_worm *worm, double *figures, size_t capacity);
/* x, y of foods and predators; the capacity counts places. */
size_t ludus_worm_foods(const ludus_worm *worm, double *places, size_t capacity);
size_t ludus_worm_predators(const ludus_worm *worm, double *places, size_t capacity);
/* The summed scents of food and of predators at a place. */
double ludus_worm_food_scent(const ludus_worm *worm, double x, double y);
double ludus_worm_predator_scent(const ludus_worm *worm, double x, double y);

/* Setting up a situation; ludus_worm_settle takes stock afterwards. Places are x, y each. */
void ludus_worm_put_worm(ludus_worm *worm, double x, double y, double heading);
int32_t ludus_worm_put_foods(ludus_worm *worm, const double *places, size_t n);
int32_t ludus_worm_put_predators(ludus_worm *worm, const double *places, size_t n);
int32_t ludus_worm_put_trail(ludus_worm *worm, const double *places, size_t n);
void ludus_worm_put_flags(ludus_worm *worm, int32_t wall_hit, int32_t new_cell, int32_t still);
/* n samples, the oldest first: channels values each, moves of two, an action. */
int32_t ludus_worm_put_memory(ludus_worm *worm, const double *values, const double *moves,
                              const int32_t *actions, size_t n);
void ludus_worm_settle(ludus_worm *worm);

enum ludus_worm_autoreset { LUDUS_WORM_RESET_NEVER, LUDUS_WORM_RESET_SAME_STEP, LUDUS_WORM_RESET_NEXT_STEP };

typedef struct {
    uint32_t size;
    int32_t n, autoreset, threads;
    /* Memory of the caller's that the batch reads and writes as long as it lives. */
    const int32_t *actions; /* n */
    const float *steering;  /* speed, turn each, or NULL */
    float *features;        /* n * features of the task */
    float *final_features;  /* the same, or NULL: of episodes that ended, with ..._RESET_SAME_STEP */
    float *rewards;
    uint8_t *ended;
    uint64_t *seeds;
    double *last;      /* LUDUS_WORM_FIGURES each: of the last episode that has ended */
    int64_t *finished; /* episodes that have ended */
} ludus_worm_batch_options;

typedef struct ludus_worm_batch ludus_worm_batch;

int32_t ludus_worm_batch_new(const ludus_worm_task *task, const ludus_worm_batch_options *options,
                             ludus_worm_batch **batch);
void ludus_worm_batch_free(ludus_worm_batch *batch);
/* Begins an episode wherever there is a seed: -1 stands for none, -2 for the seed after the last. */
int32_t ludus_worm_batch_begin(ludus_worm_batch *batch, const int64_t *seeds, size_t n);
/* Steps every world with the bound actions, or with the bound steering. */
int32_t ludus_worm_batch_step(ludus_worm_batch *batch, int32_t steered);
/* The state of all worlds as bytes, for a batch of as many worlds of the same task. */
size_t ludus_worm_batch_save(const ludus_worm_batch *batch, void *bytes, size_t capacity);
int32_t ludus_worm_batch_load(ludus_worm_batch *batch, const void *bytes, size_t size);
/* A copy of world k. */
int32_t ludus_worm_batch_world(const ludus_worm_batch *batch, int32_t k, ludus_worm **worm);
/* LUDUS_WORM_FIGURES of every world as it is, and x, y of every worm; the capacities count worlds. */
size_t ludus_worm_batch_figures(const ludus_worm_batch *batch, double *figures, size_t capacity);
size_t ludus_worm_batch_places(const ludus_worm_batch *batch, double *places, size_t capacity);

/* ---- several worms on one dish -------------------------------------------------------------- */

enum {
    LUDUS_COLONY_MAX_WORMS = 10,
    LUDUS_COLONY_MAX_SOURCES = 128,
    LUDUS_COLONY_SCENTS = 2
};
/* Beside the worm's four: a cell back without a turn, and round and a cell on. */
enum ludus_colony_action { LUDUS_COLONY_REVERSE = 4, LUDUS_COLONY_OMEGA = 5 };

/* The constants of a colony by number; NULL beyond the last. */
int32_t ludus_colony_term_count(void);
const char *ludus_colony_term_name(int32_t number);

typedef struct {
    uint32_t size;
    const double *terms; /* in the order of ludus_colony_term_name */
    size_t n_terms;
} ludus_colony_options;

typedef struct ludus_colony ludus_colony;

/* A colony at its start, on the dish of a task that is a grid. */
int32_t ludus_colony_begin(const ludus_worm_task *task, const ludus_colony_options *options, uint64_t seed,
                           ludus_colony **colony);
int32_t ludus_colony_clone(const ludus_colony *colony, ludus_colony **clone);
void ludus_colony_free(ludus_colony *colony);
size_t ludus_colony_save(const ludus_colony *colony, void *bytes, size_t capacity);
int32_t ludus_colony_load(ludus_colony *colony, const void *bytes, size_t size);
/* One step with an action for each worm; those of worms whose episode has ended do not count. */
int32_t ludus_colony_step(ludus_colony *colony, const int32_t *actions, size_t n, double *rewards);
/* Worms, steps, and how many worms' episodes have not ended. */
typedef struct {
    int32_t worms, steps, alive, features;
} ludus_colony_facts;
void ludus_colony_describe(const ludus_colony *colony, ludus_colony_facts *facts);
/* What all worms sense, one after the other; the capacity counts numbers. */
size_t ludus_colony_features(const ludus_colony *colony, float *features, size_t capacity);
/* A copy of worm k in a world of its own, with the food and the predators of the dish. */
int32_t ludus_colony_worm(const ludus_colony *colony, int32_t k, ludus_worm **worm);
/* The sources of a scent, 0 alarm or 1 food: x, y and what is left of each; the capacity counts sources. */
size_t ludus_colony_sources(const ludus_colony *colony, int32_t scent, double *sources, size_t capacity);
/* How strongly a cell smells of it, 0 to 1; 0 beyond the dish. */
double ludus_colony_scent(const ludus_colony *colony, int32_t scent, int32_t x, int32_t y);
uint64_t ludus_colony_hash(const ludus_colony *colony);

typedef struct {
    uint32_t size;
    int32_t n, threads, autoreset; /* autoreset: 0, or 1 for colonies that begin anew in the step that ends them */
    /* Memory of the caller's, for every worm of every colony. */
    const int32_t *actions;
    float *features;
    float *rewards;
    uint8_t *ended;
    uint64_t *seeds; /* one for each colony */
    double *last;    /* LUDUS_WORM_FIGURES of every worm: of the last episode that has ended */
    int64_t *finished; /* episodes that have ended, one for each colony */
} ludus_colony_batch_options;

typedef struct ludus_colony_batch ludus_colony_batch;

int32_t ludus_colony_batch_new(const ludus_worm_task *task, const ludus_colony_options *colony,
                               const ludus_colony_batch_options *options, ludus_colony_batch **batch);
void ludus_colony_batch_free(ludus_colony_batch *batch);
/* Begins an episode in every colony. */
int32_t ludus_colony_batch_begin(ludus_colony_batch *batch, const uint64_t *seeds, size_t n);
int32_t ludus_colony_batch_step(ludus_colony_batch *batch);
/* The state of all colonies as bytes, for a batch of as many colonies of the same task. */
size_t ludus_colony_batch_save(const ludus_colony_batch *batch, void *bytes, size_t capacity);
int32_t ludus_colony_batch_load(ludus_colony_batch *batch, const void *bytes, size_t size);
/* A copy of colony k. */
int32_t ludus_colony_batch_colony(const ludus_colony_batch *batch, int32_t k, ludus_colony **colony);

/* ---- Diplomacy ------------------------------------------------------------------------------ */

const char *ludus_diplomacy_rules_name(void);
int32_t ludus_diplomacy_rules_version(void);
int32_t ludus_diplomacy_digest_version(void);

enum {
    LUDUS_DIPLOMACY_POWERS = 7,
    LUDUS_DIPLOMACY_PROVINCES = 75,
    LUDUS_DIPLOMACY_LOCATIONS = 81,
    LUDUS_DIPLOMACY_CENTRES = 34,
    LUDUS_DIPLOMACY_FLEET = 128, /* a unit is its location, and this if it is no army */
    LUDUS_DIPLOMACY_TEXT = 32    /* characters that the text of an order takes, its end included */
};
enum ludus_diplomacy_season { LUDUS_DIPLOMACY_SPRING, LUDUS_DIPLOMACY_FALL, LUDUS_DIPLOMACY_WINTER };
enum ludus_diplomacy_kind {
    LUDUS_DIPLOMACY_MOVEMENT,
    LUDUS_DIPLOMACY_RETREATS,
    LUDUS_DIPLOMACY_ADJUSTMENTS,
    LUDUS_DIPLOMACY_OVER
};
/* Rules of old games, which new games do without. */
enum ludus_diplomacy_options {
    LUDUS_DIPLOMACY_HOME_DISORDER = 1, /* civil disorder measures the way to the homes, fleets go by sea */
    LUDUS_DIPLOMACY_GROWTH_TO_WIN = 2  /* only who has more centres than a year ago wins */
};
/* What came between a unit and its order. */
enum ludus_diplomacy_code {
    LUDUS_DIPLOMACY_DONE,
    LUDUS_DIPLOMACY_BOUNCE,
    LUDUS_DIPLOMACY_NO_CONVOY,
    LUDUS_DIPLOMACY_VOID,
    LUDUS_DIPLOMACY_CUT,
    LUDUS_DIPLOMACY_DISLODGED,
    LUDUS_DIPLOMACY_DISRUPTED,
    LUDUS_DIPLOMACY_DISBANDED
};

/* The map: locations are provinces and their coasts, numbered in the order of their names; NULL, -1 or 0
 * for numbers that are none. */
const char *ludus_diplomacy_power(int32_t power);
const char *ludus_diplomacy_location(int32_t location);
int32_t ludus_diplomacy_province(int32_t location); /* from 0 to 74 */
/* 0 land, 1 coast, 2 sea; and 4 more for a supply centre. */
int32_t ludus_diplomacy_province_kind(int32_t province);
/* Where a unit can go, in the order in which retreats are listed; 0 if it cannot stand there. */
size_t ludus_diplomacy_moves(int32_t unit, int32_t *locations, size_t capacity);
size_t ludus_diplomacy_homes(int32_t power, int32_t *provinces, size_t capacity);

/* Orders are numbers that sort as their texts do. Texts: "A PAR - BUR", "F SPA/SC S A MAR - GAS", "WAIVE".
 * Reading gives -1 for what is none; writing fills LUDUS_DIPLOMACY_TEXT characters and returns the length. */
int64_t ludus_diplomacy_read_order(const char *text);
int32_t ludus_diplomacy_write_order(uint32_t order, char *text);
int32_t ludus_diplomacy_read_unit(const char *text);
int32_t ludus_diplomacy_write_unit(int32_t unit, char *text);

typedef struct ludus_diplomacy ludus_diplomacy;

/* A board at the usual start, in the spring of a year. */
int32_t ludus_diplomacy_begin(int32_t year, int32_t options, ludus_diplomacy **board);
int32_t ludus_diplomacy_clone(const ludus_diplomacy *board, ludus_diplomacy **clone);
void ludus_diplomacy_copy(ludus_diplomacy *to, const ludus_diplomacy *from);
size_t ludus_diplomacy_save(const ludus_diplomacy *board, void *bytes, size_t capacity);
int32_t ludus_diplomacy_load(ludus_diplomacy *board, const void *bytes, size_t size);
void ludus_diplomacy_free(ludus_diplomacy *board);

/* Setting up a position: an empty board, then its parts one after the other. */
int32_t ludus_diplomacy_clear(ludus_diplomacy *board, int32_t year, int32_t season, int32_t kind,
                              int32_t options, int32_t victors);
enum ludus_diplomacy_part {
    LUDUS_DIPLOMACY_UNIT,
    LUDUS_DIPLOMACY_DISLODGED_UNIT,
    LUDUS_DIPLOMACY_PLACE,     /* a location where the unit that was dislodged last may go */
    LUDUS_DIPLOMACY_DESTROYED, /* a unit, in the last movement, that was not reported yet */
    LUDUS_DIPLOMACY_CENTRE,    /* a province, and so is: */
    LUDUS_DIPLOMACY_INFLUENCE
};
int32_t ludus_diplomacy_add(ludus_diplomacy *board, int32_t part, int32_t power, int32_t value);

typedef struct {
    int32_t year, season, kind, options, victors; /* victors: a bit for each power */
    int32_t n_units, n_dislodged, n_destroyed;
    int32_t n_centres[LUDUS_DIPLOMACY_POWERS], n_influence[LUDUS_DIPLOMACY_POWERS];
    int32_t builds[LUDUS_DIPLOMACY_POWERS]; /* less than 0: to be disbanded */
    uint8_t centres[LUDUS_DIPLOMACY_CENTRES], influence[LUDUS_DIPLOMACY_PROVINCES]; /* power by power */
    uint8_t owners[LUDUS_DIPLOMACY_PROVINCES], units[LUDUS_DIPLOMACY_PROVINCES];
    uint8_t destroyed_owners[LUDUS_DIPLOMACY_PROVINCES], destroyed[LUDUS_DIPLOMACY_PROVINCES];
    uint8_t dislodged_owners[LUDUS_DIPLOMACY_PROVINCES], dislodged[LUDUS_DIPLOMACY_PROVINCES];
    uint16_t places[LUDUS_DIPLOMACY_PROVINCES]; /* of the dislodged: bit k for the k-th of its moves */
} ludus_diplomacy_facts;
void ludus_diplomacy_describe(const ludus_diplomacy *board, ludus_diplomacy_facts *facts);
uint64_t ludus_diplomacy_hash(const ludus_diplomacy *board);
/* The home centres where a power may build now. */
size_t ludus_diplomacy_open_homes(const ludus_diplomacy *board, int32_t power, int32_t *provinces,
                                  size_t capacity);

/* Legal orders by province: groups in the order of the provinces, sorted within each. */
typedef struct {
    int32_t n_groups;
    uint8_t provinces[LUDUS_DIPLOMACY_PROVINCES], owners[LUDUS_DIPLOMACY_PROVINCES];
    int32_t ends[LUDUS_DIPLOMACY_PROVINCES]; /* where the next group begins */
} ludus_diplomacy_groups;
size_t ludus_diplomacy_orders(const ludus_diplomacy *board, ludus_diplomacy_groups *groups, uint32_t *orders,
                              size_t capacity);
/* Whether a power may give an order. Besides those: a move by sea that does not say so, and the support of
 * one by the only fleet that could carry it. */
int32_t ludus_diplomacy_is_legal(const ludus_diplomacy *board, int32_t power, uint32_t order);

typedef struct {
    int32_t unit, n;
    uint8_t codes[4];
} ludus_diplomacy_result;
enum { LUDUS_DIPLOMACY_RESULTS = 225 };
/* Adjudicates the powers' orders, counts[power] of each one behind the other, and goes on to the next phase.
 * Returns how many results there are; at most LUDUS_DIPLOMACY_RESULTS, and `results` may be NULL. */
int32_t ludus_diplomacy_step(ludus_diplomacy *board, const uint32_t *orders, const int32_t *counts,
                             ludus_diplomacy_result *results);
/* Draws legal orders for all powers at random into 75 places; returns how many. */
int32_t ludus_diplomacy_draw(const ludus_diplomacy *board, uint64_t *random, uint32_t *orders);
/* The orders that a bot would give for a power, into 75 places; returns how many. Bots that look ahead play on for
 * so many winters, 1 to LUDUS_DIPLOMACY_WINTERS; others take no notice. Times are for one winter. */
enum { LUDUS_DIPLOMACY_WINTERS = 100 };
enum ludus_diplomacy_bot {
    LUDUS_DIPLOMACY_DUMB,
    LUDUS_DIPLOMACY_DUMB_AGGRESSIVE,
    LUDUS_DIPLOMACY_SEARCH, /* looks ahead: about 1 ms */
    LUDUS_DIPLOMACY_REGRET  /* about 20 ms */
};
int32_t ludus_diplomacy_choose(const ludus_diplomacy *board, int32_t bot, int32_t power, int32_t winters,
                               uint64_t *random, uint32_t *orders);
/* Plays random orders until a year has passed; returns the phases. */
int32_t ludus_diplomacy_play(ludus_diplomacy *board, uint64_t *random, int32_t last_year);

enum { LUDUS_DIPLOMACY_PLANES = 3, LUDUS_DIPLOMACY_TIMES = 3 };
/* Many games from 1901 on. Of every game, for each province: the number of the order given there, from 1, or 0
 * for none; how many there are to choose from; whose they are (7 nobody's). For each location: who stands
 * there, who was dislodged there (0, 1 to 7 an army, 8 to 14 a fleet), whose centre it is (0 none, 1 nobody's,
 * 2 to 8). Year, season and kind of the phase; what each power has gained, and 18 for a win; whether the game
 * has ended (1 terminated, 2 out of time). A game that has ended begins anew in the same step. */
typedef struct {
    uint32_t size;
    int32_t n, last_year, threads;
    const int32_t *actions; /* 75 of each game, and so: */
    int32_t *counts;
    uint8_t *owners;
    uint8_t *planes; /* 81 times LUDUS_DIPLOMACY_PLANES */
    int32_t *times;  /* LUDUS_DIPLOMACY_TIMES */
    float *rewards;  /* 7 */
    uint8_t *ended;
} ludus_diplomacy_batch_options;

typedef struct ludus_diplomacy_batch ludus_diplomacy_batch;

int32_t ludus_diplomacy_batch_new(const ludus_diplomacy_batch_options *options, ludus_diplomacy_batch **batch);
void ludus_diplomacy_batch_free(ludus_diplomacy_batch *batch);
/* Begins every game anew. */
void ludus_diplomacy_batch_begin(ludus_diplomacy_batch *batch);
/* Adjudicates a phase of every game with the bound actions. */
int32_t ludus_diplomacy_batch_step(ludus_diplomacy_batch *batch);
/* A copy of game k. */
int32_t ludus_diplomacy_batch_board(const ludus_diplomacy_batch *batch, int32_t k, ludus_diplomacy **board);

#ifdef __cplusplus
}
#endif

#endif
