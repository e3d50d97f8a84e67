/* Random levels played at random: what no level made by hand would try.
 *
 *     soup TICKS SEED [RULES]       plays at least so many ticks and stops at the first broken promise
 *     soup digest SOUPS TICKS SEED  writes a line for each soup: a digest over all its ticks
 *
 * Without a name of rules every soup draws its own.
 * A soup is one random level with some worlds on it. Soup k of a run draws from seed SEED + k, so that
 * `soup 1 SEED+k` with the same rules plays it again alone.
 */
#include "platformer/batch.h"
#include "drawing/draw.h"
#include "platformer/heap.h"
#include "platformer/rules/rules.h"
#include "platformer/trace.h"

#define SOUP "soup"
#include "random_soup.h"
#include "map_soup.h"
#include "saved_soup.h"

#include <string.h>

enum { MAX_WIDTH = 220, MAX_HEIGHT = 40, MAX_LEVELS = 3 };

static struct {
    long ticks, worlds, most_sprites;
    const pf_rules *rules; /* NULL: any */
} run;

static float real_between(float least, float most) {
    return least + (most - least) * ((float)below(65537) / 65536.0f);
}

/* ---- levels --------------------------------------------------------------------------------- */

static const char *const palettes[] = {
    "MFyYgGEkKrRX#%|*BbQ!?@12DSCULotT<>[]- ~",
    "gGkKrRyYE",
    "B*bXXX-",
    "?@Q!12SCULDo",
    "tTTT<>[]",
    "XX#%%|",
    "KKKKrRXS",
    "B",
    "o",
    "llhijHIJnpzNPZ()_==vv..::", /* the elements of the rule set "ludus", else air */
    "=v.:-",
};
enum { PALETTES = sizeof palettes / sizeof *palettes };

static char cell_of(const char *palette) { return palette[below((int)strlen(palette))]; }

/* Floors of one to three rows with some gaps, so that there is something to walk on. */
static void lay_floor(char *cells, int width, int height) {
    int gaps = between(2, 40), rows = between(1, 3);
    for (int column = 0; column < width; column++) {
        if (one_in(gaps))
            continue;
        for (int row = height - rows < 0 ? 0 : height - rows; row < height; row++)
            cells[row * width + column] = 'X';
    }
}

/* Cannons in the first or last column: columns beyond the level repeat it and fire too. */
static void arm_edge(char *cells, int width, int height) {
    int column = one_in(4) ? 0 : width - 1;
    for (int row = 0; row < height; row++)
        cells[row * width + column] = 'B';
}

static void fill(char *cells, int width, int height) {
    static const int densities[] = {1, 2, 5, 10, 20, 40, 80};
    int most = width * height > 2000 && !one_in(8) ? 5 : 7;
    int density = densities[below(most)], other = between(0, 50);
    const char *first = palettes[below(PALETTES)], *second = palettes[below(PALETTES)];
    for (int k = 0; k < width * height; k++) {
        const char *palette = below(100) < other ? second : first;
        cells[k] = below(100) < density ? cell_of(palette) : '-';
    }
    if (!one_in(4))
        lay_floor(cells, width, height);
    if (one_in(8))
        arm_edge(cells, width, height);
    if (one_in(2))
        cells[below(width * height)] = 'M';
    if (one_in(4))
        cells[below(width * height)] = 'F';
}

static const pf_rules *random_rules(void) {
    int n = 0;
    while (pf_rule_sets[n])
        n++;
    return run.rules ? run.rules : pf_rule_sets[below(n)];
}

static pf_level *random_level(void) {
    const pf_rules *rules = random_rules();
    if (rules->maps)
        return random_map_level(rules, MAX_WIDTH, MAX_HEIGHT);
    int width = one_in(4) ? between(1, 20) : between(1, MAX_WIDTH);
    int height = one_in(2) ? 16 : between(1, MAX_HEIGHT);
    char *cells = memory((size_t)width * (size_t)height);
    fill(cells, width, height);
    pf_cells all = {.characters = cells, .width = width, .height = height};
    pf_level *level = pf_level_new(&all, rules);
    require(level, "a level can be made");
    free(cells);
    return level;
}

/* ---- worlds --------------------------------------------------------------------------------- */

/* What the options of 2010 can be; its screens may be small and its fields large. */
static pf_settings random_settings(const pf_settings *usual) {
    if (one_in(2))
        return *usual;
    return (pf_settings){.difficulty = below(12),
                         .green_kills = below(2),
                         .start_x = between(0, 400),
                         .start_y = between(0, 300),
                         .screen_width = one_in(2) ? 320 : between(16, 2048),
                         .screen_height = one_in(2) ? 240 : between(16, 2048),
                         .stopped = one_in(64),
                         .field_width = between(1, 128),
                         .field_height = between(1, 128),
                         .ego_row = between(-200, 200),
                         .ego_column = between(-200, 200),
                         .tile_detail = below(3),
                         .entity_detail = below(3)};
}

/* Within the ranges that the Physics of the Python interface documents, or those of 2010. */
static pf_physics random_physics(const pf_rules *rules) {
    pf_physics p;
    pf_physics_default(&p);
    p.settings = random_settings(&p.settings);
    if (one_in(2) || !rules->takes_physics)
        return p;
    bool wide = rules->wide_physics && one_in(2);
    float gravity = real_between(0.1f, wide ? 10 : 4), creatures = real_between(0, wide ? 10 : 4);
    float wind = real_between(-0.1f, 0.1f), ice = real_between(0, 0.1f - (wind < 0 ? -wind : wind));
    if (wide) {
        wind = real_between(-1, 1);
        ice = real_between(-1, 1);
    }
    p.mario_gravity = 3.0f * gravity;
    p.walker_gravity = p.shell_gravity = 2.0f * creatures;
    p.winged_gravity = 0.6f * creatures;
    p.inertia_right = (0.89f + wind) + ice;
    p.inertia_left = (0.89f - wind) + ice;
    p.jump_ticks = (int)(real_between(0, wide ? 100 : 30) / gravity);
    p.stomp_ticks = p.jump_ticks + 1;
    p.tick_cost = between(1, 1000);
    p.frozen = one_in(8);
    p.invulnerable = one_in(2);
    p.restores_power = one_in(8);
    return p;
}

static pf_world *random_world(const pf_level *level) {
    pf_physics physics = random_physics(level->rules);
    pf_kill kills[4];
    int n_kills = level->rules->takes_physics && one_in(8) ? between(1, 4) : 0;
    int timer = one_in(3) ? 1000 * between(1, 200) : 0;
    for (int k = 0; k < n_kills; k++)
        kills[k] = (pf_kill){(uint8_t)between(PF_BUMP, PF_WON), (uint8_t)(one_in(2) ? 0 : below(32))};
    pf_world *world = pf_world_new(level, &physics, kills, n_kills, below(3), timer);
    require(world, "a world can be made");
    run.worlds++;
    return world;
}

static void check_world(const pf_world *w) {
    require(!w->overflow, "no tick outgrows the room that was made for it");
    require(w->n_added == 0 && w->n_removed == 0, "a tick commits what it added and removed");
    require(w->n_sprites <= w->sprite_capacity, "the sprites fit");
    require(w->n_events <= w->event_capacity, "the events fit");
    require(w->status >= PF_RUNNING && w->status <= PF_TIME_OUT, "there are four outcomes");
    run.most_sprites = w->n_sprites > run.most_sprites ? w->n_sprites : run.most_sprites;
}

static void check_sprites(const pf_world *w) {
    for (int k = 0; k < w->n_sprites; k++) {
        const pf_sprite *s = pf_sprites(w) + k;
        require(s->alive == 1, "dead sprites leave the list");
        require(s->kind >= PF_GOOMBA && s->kind < PF_ALL_KINDS, "every sprite is of some kind");
        require(s->key >= -1 && s->key < w->level->n_templates, "a key names a template");
        require(s->body.x == s->body.x && s->body.y == s->body.y, "places are numbers");
    }
}

static void step(pf_world **world, unsigned action) {
    require(pf_make_room(world), "there is memory for more sprites");
    require(pf_has_room(*world), "room that was made is there");
    pf_step(*world, action);
    run.ticks++;
    check_world(*world);
}

/* ---- players -------------------------------------------------------------------------------- */

/* Holds a random action for a random time; some players want to go right. */
typedef struct {
    unsigned action;
    int held, patience, eager;
} player;

static player random_player(void) { return (player){0, 0, between(1, 60), one_in(2) ? 0 : 70}; }

static unsigned next_action(player *p, const pf_world *world) {
    if (p->held-- <= 0) {
        p->held = below(p->patience);
        p->action = (unsigned)below(world->rules->n_actions);
        if (below(100) < p->eager)
            p->action = (p->action & ~(unsigned)(PF_LEFT | PF_DOWN)) | PF_RIGHT;
    }
    return p->action;
}

/* ---- what must hold ------------------------------------------------------------------------- */

enum { MOST_ACTIONS = 64 };

static pf_world *roomy_copy(const pf_world *world) {
    int capacity = world->sprite_capacity + below(100);
    pf_world *copy = memory(pf_world_size(world->level, world->n_kills, capacity));
    pf_copy(copy, world, capacity);
    return copy;
}

static void play_twin(pf_world **twin, player p, int n) {
    for (int k = 0; k < n && (*twin)->status == PF_RUNNING; k++)
        step(twin, next_action(&p, *twin));
}

/* A clone plays as its parent does and does not disturb it; chance is rewound between the two. */
static void try_clone(pf_world **world) {
    uint64_t before = pf_hash(*world);
    pf_world *twin = one_in(2) ? pf_world_clone(*world) : roomy_copy(*world);
    require(twin && pf_hash(twin) == before, "a clone equals its parent");
    player p = random_player();
    int n = between(1, MOST_ACTIONS);
    uint64_t chance = luck.state;
    play_twin(&twin, p, n);
    require(pf_hash(*world) == before, "a clone leaves its parent alone");
    luck.state = chance;
    play_twin(world, p, n);
    require(pf_hash(twin) == pf_hash(*world), "equal worlds play alike");
    play_twin(&twin, random_player(), n);
    require(pf_world_restore(&twin, *world), "a world can be restored");
    require(pf_hash(twin) == pf_hash(*world), "a restored world equals its source");
    pf_free(twin);
}

static void try_forward_model(const pf_world *world) {
    uint64_t before = pf_hash(world);
    pf_world *model = pf_world_clone(world);
    require(model, "a model can be made");
    pf_forward_model(model);
    player p = random_player();
    for (int n = between(1, MOST_ACTIONS), k = 0; k < n; k++) { /* a finished model may go on */
        step(&model, next_action(&p, model));
        if (one_in(16))
            pf_reference_clone(model);
    }
    check_sprites(model);
    require(pf_hash(world) == before, "a model leaves its world alone");
    pf_free(model);
}

static pf_view random_view(void) {
    return (pf_view){one_in(2) ? 16 : between(1, 48), one_in(2) ? 16 : between(1, 48),
                     (uint8_t)below(3), (uint8_t)below(3), (uint8_t)below(2)};
}

/* Every buffer has the exact size, so that the sanitizer sees a byte too many. */
static void write_row(const pf_world *world) {
    pf_text counted = {NULL, 0, 0};
    world->rules->write_trace(world, &counted);
    pf_text text = {memory(counted.length), counted.length, 0};
    world->rules->write_trace(world, &text);
    require(text.length == counted.length, "a row has one length");
    free(text.characters);
}

/* The scenery of a level makes a grid faster, never other than it is. */
static void check_scenery(const pf_world *world, enum pf_grid grid, const pf_view *view, const uint8_t *cells) {
    size_t size = pf_scenery_size(world->level, view), n = (size_t)view->columns * (size_t)view->rows;
    pf_scenery *scenery = size ? memory(size) : NULL;
    uint8_t *again = memory(n);
    if (scenery)
        pf_scenery_build(scenery, world->level, grid, view);
    pf_observe_scenery(world, grid, view, scenery, again);
    require(!memcmp(cells, again, n), "a grid is the same with its scenery");
    free(scenery);
    free(again);
}

static void look(const pf_world *world) {
    uint64_t before = pf_hash(world);
    pf_view view = random_view();
    enum pf_grid which = (enum pf_grid)below(3);
    uint8_t *grid = memory((size_t)view.columns * (size_t)view.rows);
    float *positions = memory(3 * (size_t)world->n_sprites * sizeof(float)), state[PF_STATE_FIELDS];
    pf_observe(world, which, &view, grid);
    check_scenery(world, which, &view, grid);
    for (int k = 0; k < view.columns * view.rows; k++)
        require(grid[k] <= 100 || world->rules->maps, "grids hold known codes");
    int n = pf_enemy_positions(world, below(2), 0, positions, (size_t)world->n_sprites);
    require(n >= 0 && n <= world->n_sprites, "enemies are sprites");
    pf_state(world, state);
    (void)pf_completion(world);
    write_row(world);
    require(pf_hash(world) == before, "looking changes nothing");
    free(grid);
    free(positions);
}

static void play_world(const pf_level *level) {
    pf_world *world = random_world(level);
    player p = random_player();
    check_world(world);
    for (int n = between(50, 3000); n > 0 && world->status == PF_RUNNING; n--) {
        step(&world, next_action(&p, world));
        switch (below(512)) {
        case 0: try_clone(&world); break;
        case 1: try_forward_model(world); break;
        case 2: case 3: case 4: case 5: look(world); break;
        case 6: check_sprites(world); break;
        case 7: try_saved(world); break;
        case 8: try_forged(world); break;
        default: break;
        }
    }
    try_forward_model(world);
    try_saved(world);
    look(world);
    pf_free(world);
}

/* ---- batches -------------------------------------------------------------------------------- */

enum { MOST_ENVS = 8 };

typedef struct {
    uint8_t actions[MOST_ENVS], terminated[MOST_ENVS], truncated[MOST_ENVS];
    double rewards[MOST_ENVS];
    float places[2 * MOST_ENVS];
    int32_t infos[PF_INFO_FIELDS * MOST_ENVS];
} desk;

static pf_observation new_observation(int n_envs, const pf_view *view, size_t extra) {
    size_t n = (size_t)n_envs, cells = n * (size_t)view->columns * (size_t)view->rows;
    return (pf_observation){.scene = memory(cells),
                            .enemies = memory(cells),
                            .merged = one_in(2) ? memory(cells) : NULL,
                            .state = memory(n * PF_STATE_FIELDS * sizeof(float)),
                            .extra = extra && one_in(2) ? memory(n * extra) : NULL};
}

static void free_observation(const pf_observation *seen) {
    free(seen->scene);
    free(seen->enemies);
    free(seen->merged);
    free(seen->state);
    free(seen->extra);
}

/* The most that one of the levels' rules shows besides. */
static size_t most_extra(pf_level *const *levels, int n) {
    size_t most = 0;
    for (int k = 0; k < n; k++) {
        size_t extra = (size_t)levels[k]->rules->extra_size;
        most = extra > most ? extra : most;
    }
    return most;
}

static void step_batch(pf_batch *batch, uint8_t *actions, int n_envs) {
    for (int steps = between(1, 300); steps > 0; steps--) {
        for (int k = 0; k < n_envs; k++) {
            actions[k] = (uint8_t)below(batch->envs[k].world->rules->n_actions);
            if (batch->autoreset == PF_RESET_NEVER && batch->envs[k].over)
                require(pf_batch_reset(batch, k, -1), "an environment can be reset");
        }
        require(pf_batch_step(batch, 0, n_envs), "a batch can step");
        run.ticks += n_envs;
    }
}

/* What a batch shows is what its worlds show. */
static void check_seen(const pf_batch *batch, int n_envs) {
    size_t n = (size_t)batch->view.columns * (size_t)batch->view.rows;
    uint8_t *cells = memory(n);
    for (int k = 0; k < n_envs; k++) {
        pf_observe(batch->envs[k].world, PF_SCENE, &batch->view, cells);
        require(!memcmp(cells, batch->seen.scene + (size_t)k * n, n), "a scene is that of its world");
        pf_observe(batch->envs[k].world, PF_MERGED, &batch->view, cells);
        require(!batch->seen.merged || !memcmp(cells, batch->seen.merged + (size_t)k * n, n),
                "a merged grid is that of its world");
    }
    free(cells);
}

static void play_batch(pf_level *const *levels, int n_levels) {
    static const int32_t pool[MAX_LEVELS] = {0, 1, 2};
    pf_world *starts[MAX_LEVELS];
    pf_env envs[MOST_ENVS];
    desk on;
    int n_envs = between(1, MOST_ENVS);
    for (int k = 0; k < n_levels; k++)
        starts[k] = random_world(levels[k]);
    pf_batch batch = {.frame_skip = between(1, 5),
                      .max_steps = one_in(2) ? 0 : between(1, 200),
                      .latency = below(2),
                      .autoreset = (enum pf_autoreset)below(3),
                      .reward = {1, 2, 3, 4, 5, 6, 7},
                      .view = random_view(),
                      .envs = envs,
                      .starts = starts,
                      .actions = on.actions,
                      .rewards = on.rewards,
                      .terminated = on.terminated,
                      .truncated = on.truncated,
                      .places = on.places,
                      .infos = on.infos};
    size_t extra = most_extra(levels, n_levels);
    pf_scenery **scenes = pf_sceneries_new(starts, (size_t)n_levels, PF_SCENE, &batch.view);
    pf_scenery **merged = pf_sceneries_new(starts, (size_t)n_levels, PF_MERGED, &batch.view);
    batch.scenes = scenes;
    batch.merged_scenes = merged;
    batch.seen = new_observation(n_envs, &batch.view, extra);
    batch.seen_last = new_observation(n_envs, &batch.view, extra);
    for (int k = 0; k < n_envs; k++) {
        envs[k] = (pf_env){.pool = pool, .n_pool = n_levels};
        pf_env_seed(&envs[k], draw());
        require(pf_batch_reset(&batch, k, one_in(2) ? -1 : below(n_levels)), "a batch can begin");
    }
    step_batch(&batch, on.actions, n_envs);
    check_seen(&batch, n_envs);
    pf_sceneries_free(scenes, (size_t)n_levels);
    pf_sceneries_free(merged, (size_t)n_levels);
    for (int k = 0; k < n_envs; k++)
        pf_free(envs[k].world);
    for (int k = 0; k < n_levels; k++)
        pf_free(starts[k]);
    free_observation(&batch.seen);
    free_observation(&batch.seen_last);
}

/* ---- pictures ------------------------------------------------------------------------------- */

static uint8_t *noise(size_t size) {
    uint8_t *bytes = memory(size);
    for (size_t k = 0; k < size; k++)
        bytes[k] = one_in(3) ? 255 : (uint8_t)below(256);
    return bytes;
}

/* A picture of noise from anywhere: frames that do not exist, places far outside. */
static void draw_picture(const pf_level *level) {
    int width = between(1, 300), height = between(1, 300), n_sprites = below(20);
    pf_frames tiles = {NULL, between(1, 4)}, figures = {NULL, between(1, 4)};
    uint8_t *tile_frames = noise((size_t)(tiles.count * PF_TILE_PIXELS * PF_TILE_PIXELS * 4));
    uint8_t *figure_frames = noise((size_t)(figures.count * PF_SPRITE_WIDTH * PF_SPRITE_HEIGHT * 4));
    uint8_t *background = noise((size_t)height * 3), *frame_of = noise(256);
    uint8_t *rgb = memory((size_t)(width * height * 3));
    pf_drawn *sprites = memory((size_t)n_sprites * sizeof *sprites);
    pf_tile_grid grid = {pf_level_tiles(level), level->width, level->height, frame_of};
    tiles.frames = tile_frames;
    figures.frames = figure_frames;
    for (int k = 0; k < 64; k++)
        frame_of[k] = (uint8_t)below(tiles.count + 1);
    for (int k = 0; k < n_sprites; k++)
        sprites[k] = (pf_drawn){(int16_t)between(-1, figures.count), (int16_t)between(-40, width + 40),
                                (int16_t)between(-40, height + 40), (int16_t)below(4)};
    if (n_sprites)
        sprites[0] = (pf_drawn){0, (int16_t)between(-32768, 32767), (int16_t)between(-32768, 32767), 0};
    pf_draw_frame(rgb, width, height, between(-300, 16 * level->width + 300),
                  between(-300, 16 * level->height + 300), background, &grid, &tiles, &figures,
                  sprites, n_sprites);
    free(tile_frames);
    free(figure_frames);
    free(background);
    free(frame_of);
    free(rgb);
    free(sprites);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static void play_soup(uint64_t seed) {
    begin_soup(seed);
    pf_level *levels[MAX_LEVELS];
    int n_levels = one_in(16) ? between(1, MAX_LEVELS) : 1;
    for (int k = 0; k < n_levels; k++)
        levels[k] = random_level();
    for (int n = between(1, 8); n > 0; n--)
        play_world(levels[0]);
    if (one_in(4) || n_levels > 1)
        play_batch(levels, n_levels);
    if (one_in(16))
        draw_picture(levels[0]);
    for (int k = 0; k < n_levels; k++)
        pf_free(levels[k]);
}

static int play(long ticks, uint64_t seed) {
    uint64_t soup = 0;
    for (; run.ticks < ticks; soup++)
        play_soup(seed + soup);
    printf("ticks %ld, soups %" PRIu64 ", worlds %ld, most sprites %ld, forged states refused %ld, accepted %ld\n",
           run.ticks, soup, run.worlds, run.most_sprites, forgeries.refused, forgeries.accepted);
    return 0;
}

static uint64_t stir(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
    return digest ^ (digest >> 32);
}

static uint64_t stir_bytes(uint64_t digest, const void *bytes, size_t n) {
    for (size_t k = 0; k < n; k++)
        digest = stir(digest, ((const uint8_t *)bytes)[k]);
    return digest;
}

static uint64_t stir_sight(uint64_t digest, const pf_world *world) {
    uint8_t grid[16 * 16];
    float state[PF_STATE_FIELDS], completion = pf_completion(world);
    pf_view view = {16, 16, (uint8_t)below(3), (uint8_t)below(3), (uint8_t)below(2)};
    pf_observe(world, (enum pf_grid)below(3), &view, grid);
    pf_state(world, state);
    digest = stir_bytes(digest, grid, sizeof grid);
    digest = stir_bytes(digest, state, sizeof state);
    return completion == completion ? stir_bytes(digest, &completion, sizeof completion) : digest;
}

static uint64_t digest_soup(uint64_t seed, long ticks) {
    begin_soup(seed);
    pf_level *level = random_level();
    uint64_t digest = stir_bytes(0, pf_level_tiles(level), (size_t)(level->width * level->height));
    while (ticks > 0) {
        pf_world *world = random_world(level);
        player p = random_player();
        for (; ticks > 0 && world->status == PF_RUNNING; ticks--) {
            step(&world, next_action(&p, world));
            digest = stir(digest, pf_hash(world));
            if (one_in(16))
                digest = stir_sight(digest, world);
        }
        ticks--; /* even where every world ends at once */
        pf_free(world);
    }
    pf_free(level);
    return digest;
}

static int write_digests(int soups, long ticks, uint64_t seed) {
    for (int k = 0; k < soups; k++)
        printf("%d %016" PRIx64 "\n", k, digest_soup(seed + (uint64_t)k, ticks));
    return 0;
}

int main(int n, char **words) {
    if (n == 4 && strcmp(words[1], "digest")) {
        run.rules = pf_find_rules(words[3]);
        require(run.rules, "there are such rules");
    }
    if (n == 3 || run.rules)
        return play(strtol(words[1], NULL, 10), strtoull(words[2], NULL, 10));
    if (n == 5 && !strcmp(words[1], "digest"))
        return write_digests(atoi(words[2]), strtol(words[3], NULL, 10), strtoull(words[4], NULL, 10));
    fprintf(stderr, "use: soup TICKS SEED [RULES], or soup digest SOUPS TICKS SEED\n");
    return 2;
}
