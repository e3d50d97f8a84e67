/* How fast the engine is without Python: processor time, medians of repeats.
 *
 *     engine LEVEL...            the levels are text files; clones are taken on the first one
 *     engine map RULES LEVEL...  the levels are maps of bytes, which these rules play
 *
 * A map is a text: width, height, column and row of the exit, the number of creatures; column, row and kind
 * of each creature; then a byte for each cell in hexadecimal digits, column by column.
 * Writes a line for each measure: its name and the seconds that one piece of work takes.
 */
#include "platformer/heap.h"
#include "platformer/rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 9, TICKS = 400000, CLONES = 100000, CLOCK_SECONDS = 20, MAX_LEVELS = 1024 };

static pf_world *starts[MAX_LEVELS];
static int n_levels;
static struct {
    unsigned speed, jump;
} buttons = {PF_SPEED, PF_JUMP};
static long sink; /* keeps the work from being optimised away */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const char *what, const char *which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(1);
}

static pf_world *needed(pf_world *world) {
    if (!world)
        fail("out of memory", "world");
    return world;
}

/* ---- levels --------------------------------------------------------------------------------- */

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot read", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (!text || fread(text, 1, size, file) != size)
        fail("cannot read", path);
    fclose(file);
    return text;
}

static pf_world *begin(pf_level *level, const char *path) {
    pf_physics physics;
    pf_physics_default(&physics);
    if (!level)
        fail("cannot read", path);
    return needed(pf_world_new(level, &physics, NULL, 0, 0, 1000 * CLOCK_SECONDS));
}

/* The rows of a text of equal rows, without their line feeds. */
static pf_world *read_start(const char *path) {
    char *text = read_file(path);
    size_t width = strcspn(text, "\n"), height = 0;
    for (const char *row = text; *row; row += width + (row[width] == '\n'), height++)
        memmove(text + height * width, row, width);
    pf_cells cells = {.characters = text, .width = (int)width, .height = (int)height};
    pf_level *level = pf_level_new(&cells, pf_find_rules("framework"));
    free(text);
    return begin(level, path);
}

static pf_world *read_map(const char *path, const pf_rules *rules) {
    pf_map map = {0};
    pf_cells cells = {.map = &map};
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%d %d %d %d %d", &cells.width, &cells.height, &map.exit_x, &map.exit_y,
                        &map.n_templates) != 5)
        fail("cannot read", path);
    size_t n = (size_t)cells.width * (size_t)cells.height;
    pf_template *templates = calloc((size_t)map.n_templates + 1, sizeof *templates);
    uint8_t *bytes = calloc(n, 1);
    for (int k = 0; k < map.n_templates; k++)
        if (fscanf(file, "%d %d %d", &templates[k].column, &templates[k].row, &templates[k].kind) != 3)
            fail("cannot read the creatures of", path);
    for (size_t k = 0; k < n; k++)
        if (fscanf(file, "%2hhx", &bytes[k]) != 1)
            fail("cannot read the bytes of", path);
    fclose(file);
    map.bytes = bytes;
    map.templates = templates;
    return begin(pf_level_new(&cells, rules), path);
}

/* ---- players -------------------------------------------------------------------------------- */

static unsigned stand(const pf_world *world) {
    (void)world;
    return 0;
}

static unsigned run_and_jump(const pf_world *world) {
    const pf_mario *m = &world->mario;
    return PF_RIGHT | buttons.speed | (m->may_jump || !m->body.on_ground ? buttons.jump : 0);
}

typedef unsigned (*player)(const pf_world *);

static inline void step(pf_world **world, unsigned action) {
    if (!pf_make_room(world))
        fail("out of memory", "sprites");
    pf_step(*world, action);
}

/* ---- measures ------------------------------------------------------------------------------- */

/* Seconds a tick on all levels in turn; a game that ended goes on with the next level's start. */
static double measure_ticks(player play) {
    pf_world *world = needed(pf_world_clone(starts[0]));
    int level = 0;
    double before = now();
    for (int k = 0; k < TICKS; k++) {
        step(&world, play(world));
        if (world->status != PF_RUNNING) {
            level = (level + 1) % n_levels;
            pf_world *fresh = needed(pf_world_clone(starts[level]));
            pf_free(world);
            world = fresh;
        }
    }
    double seconds = now() - before;
    sink += world->tick;
    pf_free(world);
    return seconds / TICKS;
}

static double measure_idle(void) { return measure_ticks(stand); }
static double measure_run(void) { return measure_ticks(run_and_jump); }

/* A game on the first level that has been going on for a while. */
static pf_world *begun_game(void) {
    pf_world *world = needed(pf_world_clone(starts[0]));
    for (int k = 0; k < 60 && world->status == PF_RUNNING; k++)
        step(&world, run_and_jump(world));
    return world->status == PF_RUNNING ? world : needed(pf_world_clone(starts[0]));
}

static double measure_clone(void) {
    pf_world *world = begun_game();
    double before = now();
    for (int k = 0; k < CLONES; k++) {
        pf_world *clone = needed(pf_world_clone(world));
        sink += clone->tick;
        pf_free(clone);
    }
    double seconds = now() - before;
    pf_free(world);
    return seconds / CLONES;
}

static double measure_copy(void) {
    pf_world *world = begun_game(), *to = needed(pf_world_clone(world));
    double before = now();
    for (int k = 0; k < CLONES; k++) {
        pf_copy(to, world, to->sprite_capacity);
        sink += to->tick;
    }
    double seconds = now() - before;
    pf_free(world);
    pf_free(to);
    return seconds / CLONES;
}

static double measure_node(void) {
    pf_world *world = begun_game();
    double before = now();
    for (int k = 0; k < CLONES; k++) {
        pf_world *clone = needed(pf_world_clone(world));
        pf_forward_model(clone);
        step(&clone, PF_RIGHT | PF_SPEED);
        step(&clone, PF_RIGHT | PF_SPEED);
        sink += clone->tick;
        pf_free(clone);
    }
    double seconds = now() - before;
    pf_free(world);
    return seconds / CLONES;
}

static int by_size(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static void report(const char *name, double (*measure)(void)) {
    double seconds[REPEATS];
    measure(); /* warms the caches */
    for (int k = 0; k < REPEATS; k++)
        seconds[k] = measure();
    qsort(seconds, REPEATS, sizeof *seconds, by_size);
    printf("%s %.6e\n", name, seconds[REPEATS / 2]);
}

/* Only how fast it plays: the rest does not depend on the rules. */
static int measure_maps(int n, char **words) {
    const pf_rules *rules = pf_find_rules(words[2]);
    if (!rules || !rules->maps)
        fail("no rules with maps", words[2]);
    buttons.speed = PF_JUMP; /* the other way round */
    buttons.jump = PF_SPEED;
    n_levels = n - 3 < MAX_LEVELS ? n - 3 : MAX_LEVELS;
    for (int k = 0; k < n_levels; k++)
        starts[k] = read_map(words[k + 3], rules);
    report("idle", measure_idle);
    report("run_and_jump", measure_run);
    return sink == 0;
}

int main(int n, char **words) {
    if (n > 3 && !strcmp(words[1], "map"))
        return measure_maps(n, words);
    n_levels = n - 1 < MAX_LEVELS ? n - 1 : MAX_LEVELS;
    if (n_levels < 1)
        fail("use", "engine LEVEL...");
    for (int k = 0; k < n_levels; k++)
        starts[k] = read_start(words[k + 1]);
    report("idle", measure_idle);
    report("run_and_jump", measure_run);
    report("clone", measure_clone);
    report("copy", measure_copy);
    report("node", measure_node);
    return sink == 0;
}
