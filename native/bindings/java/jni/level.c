/* The native methods of ludus.Level: levels, and the images of worlds on them. */
#include "bindings/java/jni/images.h"
#include "platformer/rules/rules.h"

#include <jni.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 64, FIELD = 22, CELLS = FIELD * FIELD, MOST_DETAIL = 2, UNDEFINED = (uint8_t)-42 };
enum { PHYSICS_NUMBERS = 9, MAP_NUMBERS = 6, CREATURE_NUMBERS = 4, DATA_NUMBERS = 3 };

static void throw_new(JNIEnv *env, const char *class, const char *message) {
    jclass found = (*env)->FindClass(env, class);
    if (found)
        (*env)->ThrowNew(env, found, message);
}

static void throw_last(JNIEnv *env) { throw_new(env, "java/lang/IllegalArgumentException", ludus_last_error()); }
static void throw_no_memory(JNIEnv *env) { throw_new(env, "java/lang/OutOfMemoryError", "no memory for a world"); }

/* ---- levels --------------------------------------------------------------------------------- */

static void read_name(JNIEnv *env, jbyteArray rules, char name[LONGEST_NAME + 1]) {
    jsize length = (*env)->GetArrayLength(env, rules);
    length = length < LONGEST_NAME ? length : LONGEST_NAME;
    memset(name, 0, LONGEST_NAME + 1);
    (*env)->GetByteArrayRegion(env, rules, 0, length, (jbyte *)name);
}

/* In the order of ludus.Level.open: five factors, clock units a tick, three switches. */
static void read_physics(const float numbers[PHYSICS_NUMBERS], ludus_physics *physics, ludus_settings *settings) {
    *physics = (ludus_physics){numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], (int32_t)numbers[5],
                               numbers[6] != 0, numbers[7] != 0};
    settings->power_restoration = numbers[8] != 0;
}

/* Begins a world with the kill events of an array of kinds and parameters, which may be none. */
static int32_t begin_killing(JNIEnv *env, const ludus_level *level, ludus_world_options *options, jintArray kills,
                             ludus_world **world) {
    _Static_assert(sizeof(ludus_kill_event) == 2 * sizeof(jint), "a kill event is two numbers");
    jint *numbers = kills ? (*env)->GetIntArrayElements(env, kills, NULL) : NULL;
    if (kills && !numbers)
        return abi_no_memory();
    options->kill_events = (const ludus_kill_event *)numbers;
    options->n_kill_events = kills ? (size_t)(*env)->GetArrayLength(env, kills) / 2 : 0;
    int32_t error = ludus_world_begin(level, options, world);
    if (numbers)
        (*env)->ReleaseIntArrayElements(env, kills, numbers, JNI_ABORT);
    return error;
}

/* A world on a level, as a handle for Java, or 0 after an error. The level is given up. */
static jlong begin_world(JNIEnv *env, ludus_level *level, jfloatArray physics_numbers, jintArray kills) {
    ludus_physics physics;
    ludus_settings settings;
    ludus_settings_default(&settings);
    ludus_world_options options = {.size = sizeof options, .settings = &settings};
    if (physics_numbers) {
        float numbers[PHYSICS_NUMBERS];
        (*env)->GetFloatArrayRegion(env, physics_numbers, 0, PHYSICS_NUMBERS, numbers);
        read_physics(numbers, &physics, &settings);
        options.physics = &physics;
    }
    ludus_world *world = NULL;
    if (begin_killing(env, level, &options, kills, &world))
        throw_last(env);
    ludus_level_free(level);
    return (jlong)(intptr_t)world;
}

JNIEXPORT jlong JNICALL Java_ludus_Level_openText(JNIEnv *env, jclass class, jbyteArray text, jbyteArray rules,
                                                  jfloatArray physics, jintArray kills) {
    (void)class;
    char name[LONGEST_NAME + 1];
    read_name(env, rules, name);
    jbyte *bytes = (*env)->GetByteArrayElements(env, text, NULL);
    if (!bytes)
        return 0;
    ludus_level *level = NULL;
    int32_t error = ludus_level_from_text((const char *)bytes, (size_t)(*env)->GetArrayLength(env, text), name, &level);
    (*env)->ReleaseByteArrayElements(env, text, bytes, JNI_ABORT);
    if (error) {
        throw_last(env);
        return 0;
    }
    return begin_world(env, level, physics, kills);
}

typedef struct {
    jbyte *bytes;
    jint *creatures, *data;
} map_arrays;

static int32_t read_map(const jint numbers[MAP_NUMBERS], const map_arrays *arrays, size_t n_creatures, size_t n_data,
                        const char *rules, ludus_level **level) {
    _Static_assert(sizeof(ludus_creature) == CREATURE_NUMBERS * sizeof(jint), "a creature is four numbers");
    _Static_assert(sizeof(ludus_block_data) == DATA_NUMBERS * sizeof(jint), "block data are three numbers");
    ludus_map map = {.size = sizeof map,
                     .width = numbers[0],
                     .height = numbers[1],
                     .exit_x = numbers[2],
                     .exit_y = numbers[3],
                     .type = numbers[4],
                     .difficulty = numbers[5],
                     .map = (const uint8_t *)arrays->bytes,
                     .creatures = (const ludus_creature *)arrays->creatures,
                     .n_creatures = n_creatures,
                     .data = (const ludus_block_data *)arrays->data,
                     .n_data = n_data};
    return ludus_level_from_map(&map, rules, level);
}

JNIEXPORT jlong JNICALL Java_ludus_Level_openMap(JNIEnv *env, jclass class, jbyteArray rules, jintArray numbers,
                                                 jbyteArray map, jintArray creatures, jintArray data) {
    (void)class;
    char name[LONGEST_NAME + 1];
    jint values[MAP_NUMBERS];
    read_name(env, rules, name);
    (*env)->GetIntArrayRegion(env, numbers, 0, MAP_NUMBERS, values);
    if ((*env)->ExceptionCheck(env))
        return 0;
    if ((int64_t)values[0] * values[1] != (*env)->GetArrayLength(env, map)) {
        throw_new(env, "java/lang/IllegalArgumentException", "a map needs one byte for each cell");
        return 0;
    }
    map_arrays arrays = {(*env)->GetByteArrayElements(env, map, NULL), (*env)->GetIntArrayElements(env, creatures, NULL),
                         (*env)->GetIntArrayElements(env, data, NULL)};
    size_t n_creatures = (size_t)(*env)->GetArrayLength(env, creatures) / CREATURE_NUMBERS;
    size_t n_data = (size_t)(*env)->GetArrayLength(env, data) / DATA_NUMBERS;
    ludus_level *level = NULL;
    bool all = arrays.bytes && arrays.creatures && arrays.data;
    int32_t error = all ? read_map(values, &arrays, n_creatures, n_data, name, &level) : abi_no_memory();
    if (arrays.bytes)
        (*env)->ReleaseByteArrayElements(env, map, arrays.bytes, JNI_ABORT);
    if (arrays.creatures)
        (*env)->ReleaseIntArrayElements(env, creatures, arrays.creatures, JNI_ABORT);
    if (arrays.data)
        (*env)->ReleaseIntArrayElements(env, data, arrays.data, JNI_ABORT);
    if (error) {
        throw_last(env);
        return 0;
    }
    return begin_world(env, level, NULL, NULL);
}

JNIEXPORT void JNICALL Java_ludus_Level_close(JNIEnv *env, jclass class, jlong handle) {
    (void)env, (void)class;
    ludus_world_free((ludus_world *)(intptr_t)handle);
}

/* ---- images --------------------------------------------------------------------------------- */

/* The image of a world in a new array with some words to spare, or NULL after an error. */
static jlongArray new_image(JNIEnv *env, const pf_world *world, int spare) {
    jlongArray array = (*env)->NewLongArray(env, (jsize)image_words(world) + spare);
    pf_world *image = array ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
    if (!image)
        return NULL;
    write_image(image, world);
    (*env)->ReleasePrimitiveArrayCritical(env, array, image, 0);
    return array;
}

enum { SPARE = 64 };

JNIEXPORT jlongArray JNICALL Java_ludus_Level_restore(JNIEnv *env, jclass class, jlong handle, jbyteArray saved,
                                                      jint offset) {
    (void)class;
    ludus_world *world = (ludus_world *)(intptr_t)handle;
    jsize length = (*env)->GetArrayLength(env, saved);
    if (offset < 0 || offset > length) {
        throw_new(env, "java/lang/IllegalArgumentException", "the state begins outside of its bytes");
        return NULL;
    }
    jbyte *bytes = (*env)->GetByteArrayElements(env, saved, NULL);
    if (!bytes)
        return NULL;
    int32_t error = ludus_world_load(world, bytes + offset, (size_t)(length - offset));
    (*env)->ReleaseByteArrayElements(env, saved, bytes, JNI_ABORT);
    if (error) {
        throw_last(env);
        return NULL;
    }
    return new_image(env, world->core, SPARE);
}

/* Other libraries of this process have this core, too: same code, but levels and rules of their own. */
JNIEXPORT jlongArray JNICALL Java_ludus_Level_look(JNIEnv *env, jclass class, jlong handle, jlong address) {
    (void)class;
    const pf_world *like = ((const ludus_world *)(intptr_t)handle)->core;
    const pf_world *seen = ((const ludus_world *)(intptr_t)address)->core;
    if (seen->level->width != like->level->width || seen->level->height != like->level->height ||
        strcmp(seen->rules->name, like->rules->name)) {
        throw_new(env, "java/lang/IllegalArgumentException", "the world is of another level");
        return NULL;
    }
    jlongArray array = (*env)->NewLongArray(env, (jsize)image_words(seen) + SPARE);
    pf_world *image = array ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
    if (!image)
        return NULL;
    write_image(image, seen);
    image->level = like->level;
    image->rules = like->rules;
    (*env)->ReleasePrimitiveArrayCritical(env, array, image, 0);
    return array;
}

JNIEXPORT jlongArray JNICALL Java_ludus_Level_begin(JNIEnv *env, jclass class, jlong handle, jint mode,
                                                    jint time_limit) {
    (void)class;
    const ludus_world *world = (const ludus_world *)(intptr_t)handle;
    if (mode < 0 || mode > 2 || time_limit < 0 || time_limit > 2000000) {
        throw_new(env, "java/lang/IllegalArgumentException",
                  "give a mode 0 small, 1 large or 2 fire, and a time limit in seconds, 0 for none");
        return NULL;
    }
    const pf_world *like = world->core;
    pf_world *begun = pf_world_new(like->level, &like->physics, pf_kills(like), like->n_kills, mode, 1000 * time_limit);
    if (!begun) {
        throw_no_memory(env);
        return NULL;
    }
    jlongArray image = new_image(env, begun, SPARE);
    pf_free(begun);
    return image;
}

/* Runs a block with the image in a Java array, which stays in its place meanwhile. */
#define WITH_IMAGE(array, image)                                                                               \
    for (pf_world *image = (*env)->GetPrimitiveArrayCritical(env, array, NULL), *held = image; held;            \
         (*env)->ReleasePrimitiveArrayCritical(env, array, image, 0), held = NULL)

JNIEXPORT void JNICALL Java_ludus_Level_becomeModel(JNIEnv *env, jobject self, jlongArray array, jboolean counters) {
    (void)self;
    WITH_IMAGE(array, image) {
        if (counters)
            pf_reference_clone(image);
        else
            pf_forward_model(image);
    }
}

/* Plays a tick. Returns the status, or minus the words that the image takes now if the array is too short. */
JNIEXPORT jint JNICALL Java_ludus_Level_play(JNIEnv *env, jobject self, jlongArray array, jint action) {
    (void)self;
    size_t room = (size_t)(*env)->GetArrayLength(env, array);
    pf_world *image = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    if (!image)
        return 0;
    bool known = action >= 0 && action < image->rules->n_actions;
    pf_world *world = known ? unfold_image(image) : NULL;
    size_t words = 0;
    if (world) {
        pf_step(world, (unsigned)action);
        words = image_words(world);
        if (words <= room)
            write_image(image, world);
    }
    (*env)->ReleasePrimitiveArrayCritical(env, array, image, 0);
    if (!known)
        throw_new(env, "java/lang/IllegalArgumentException", "the buttons are none of these rules");
    else if (!world)
        throw_no_memory(env);
    else
        return words <= room ? world->status : -(jint)words;
    return 0;
}

/* The world that was played last in this thread, as a new image. */
JNIEXPORT jlongArray JNICALL Java_ludus_Level_takePlayed(JNIEnv *env, jobject self) {
    (void)self;
    return new_image(env, unfolded_world(), SPARE);
}

/* ---- what is seen --------------------------------------------------------------------------- */

/* In the order of the constants of ludus.Level. */
enum number {
    STATUS, TIMER, TICK, MODE, ON_GROUND, MAY_JUMP, JUMP_TIME, CARRYING, COINS, LIVES, KILLS_BY_FALL, KILLS_BY_FIRE,
    KILLS_BY_SHELL, KILLS_BY_STOMP, MUSHROOMS, FLOWERS, BROKEN_BRICKS, SCREEN_COLUMN, SCREEN_ROW, LEVEL_WIDTH,
    LEVEL_HEIGHT
};

static jint count_of(const pf_log *log, enum number number) {
    switch (number) {
    case KILLS_BY_FALL: return log->of_kind[PF_FALL_KILL];
    case KILLS_BY_FIRE: return log->of_kind[PF_FIRE_KILL];
    case KILLS_BY_SHELL: return log->of_kind[PF_SHELL_KILL];
    case KILLS_BY_STOMP: return log->of_kind[PF_STOMP_KILL];
    case MUSHROOMS: return log->mushrooms;
    case FLOWERS: return log->flowers;
    case BROKEN_BRICKS: return log->destroyed_bricks;
    default: return 0;
    }
}

static jint number_of(const pf_world *w, enum number number) {
    const pf_mario *m = &w->mario;
    switch (number) {
    case STATUS: return w->status;
    case TIMER: return w->timer;
    case TICK: return w->tick;
    case MODE: return pf_mode(m);
    case ON_GROUND: return m->body.on_ground;
    case MAY_JUMP: return m->may_jump;
    case JUMP_TIME: return m->jump_time;
    case CARRYING: return w->rules->carries && w->rules->carries(w);
    case COINS: return w->coins;
    case LIVES: return w->lives;
    case SCREEN_COLUMN: return (int)((m->body.x - w->camera_x) / 16);
    case SCREEN_ROW: return (int)(m->body.y / 16);
    case LEVEL_WIDTH: return w->level->width;
    case LEVEL_HEIGHT: return w->level->height;
    default: return count_of(&w->log, number);
    }
}

JNIEXPORT jint JNICALL Java_ludus_Level_number(JNIEnv *env, jobject self, jlongArray array, jint number) {
    (void)self;
    jint value = 0;
    WITH_IMAGE(array, image) { value = number_of(image, (enum number)number); }
    return value;
}

/* Fills x, y, vx, vy and completion. */
JNIEXPORT void JNICALL Java_ludus_Level_motion(JNIEnv *env, jobject self, jlongArray array, jfloatArray motion) {
    (void)self;
    jfloat values[5];
    WITH_IMAGE(array, image) {
        const pf_body *b = &image->mario.body;
        memcpy(values, (jfloat[]){b->x, b->y, b->vx, b->vy, pf_completion(image)}, sizeof values);
    }
    (*env)->SetFloatArrayRegion(env, motion, 0, 5, values);
}

JNIEXPORT jfloatArray JNICALL Java_ludus_Level_enemies(JNIEnv *env, jobject self, jlongArray array) {
    (void)self;
    jsize n = 0;
    WITH_IMAGE(array, image) { n = (jsize)pf_enemy_positions(image, false, 0, NULL, 0); }
    jfloatArray positions = (*env)->NewFloatArray(env, 3 * n);
    float *all = positions ? malloc(sizeof(float) * 3 * ((size_t)n + 1)) : NULL;
    if (!all)
        return positions;
    WITH_IMAGE(array, image) { pf_enemy_positions(image, false, 0, all, (size_t)n); }
    (*env)->SetFloatArrayRegion(env, positions, 0, 3 * n, all);
    free(all);
    return positions;
}

/* A detail that nobody knows shows -42 for whatever is there. */
static void fill_unknown(uint8_t codes[PF_TILES]) {
    memset(codes, UNDEFINED, PF_TILES);
    codes[0] = 0; /* no tile, and no kind of a sprite */
}

static void observe(pf_world *image, enum pf_grid grid, pf_view view, int scene_detail, int enemy_detail,
                    uint8_t *cells) {
    const pf_rules *known = image->rules;
    pf_rules rules = *known;
    uint8_t unknown[PF_TILES];
    bool odd_scene = scene_detail < 0 || scene_detail > MOST_DETAIL;
    bool odd_enemies = enemy_detail < 0 || enemy_detail > MOST_DETAIL;
    fill_unknown(unknown);
    if (odd_scene)
        rules.scene_codes[0] = unknown;
    if (odd_enemies)
        rules.enemy_codes[0] = unknown;
    view.scene_detail = (uint8_t)(odd_scene ? 0 : scene_detail);
    view.enemy_detail = (uint8_t)(odd_enemies ? 0 : enemy_detail);
    image->rules = odd_scene || odd_enemies ? &rules : known;
    pf_observe(image, grid, &view, cells);
    image->rules = known;
}

JNIEXPORT void JNICALL Java_ludus_Level_observe(JNIEnv *env, jobject self, jlongArray array, jint grid,
                                                jint scene_detail, jint enemy_detail, jboolean on_screen, jint size,
                                                jbyteArray cells) {
    (void)self;
    uint8_t seen[CELLS];
    if (size < 1 || size > FIELD || grid < PF_SCENE || grid > PF_MERGED) {
        throw_new(env, "java/lang/IllegalArgumentException", "a field has 1 to 22 columns");
        return;
    }
    WITH_IMAGE(array, image) {
        observe(image, (enum pf_grid)grid, (pf_view){size, size, 0, 0, on_screen}, scene_detail, enemy_detail, seen);
    }
    (*env)->SetByteArrayRegion(env, cells, 0, size * size, (const jbyte *)seen);
}

/* The packed bitmap of the level, of the rules of 2009. */
JNIEXPORT jbyteArray JNICALL Java_ludus_Level_bitmap(JNIEnv *env, jobject self, jlongArray array) {
    (void)self;
    uint8_t extra[256];
    jsize size = 0;
    WITH_IMAGE(array, image) {
        size = image->rules->extra_size <= (int)sizeof extra ? image->rules->extra_size : 0;
        if (size)
            image->rules->see_extra(image, extra);
    }
    jbyteArray bitmap = (*env)->NewByteArray(env, size);
    if (bitmap)
        (*env)->SetByteArrayRegion(env, bitmap, 0, size, (const jbyte *)extra);
    return bitmap;
}
