/* The rule set "ludus": the framework's rules and the elements that the paper names as the way ahead:
 * ladders, keys and locks, switches and doors, moving platforms. */
#include "platformer/rules/framework/framework.inc"
#include "platformer/rules/ludus/elements.h"
#include "platformer/rules/ludus/elements.inc"
#include "platformer/rules/ludus/reading.inc"

#define COLOURS(t, code) [t] = (code), [(t) + 1] = (code), [(t) + 2] = (code)
#define EXACT_COLOURS(t) [t] = (t) + 16, [(t) + 1] = (t) + 17, [(t) + 2] = (t) + 18

static const uint8_t features[PF_TILES] = {
    FRAMEWORK_FEATURES, [PF_LADDER_TOP] = FEATURE_LOWER, COLOURS(PF_LOCK, FEATURE_ALL),
    COLOURS(PF_DOOR_CLOSED, FEATURE_ALL)};

PF_INLINE void mario_carried(pf_world *w) { ride(w); }
PF_INLINE bool mario_held(pf_world *w, unsigned action) { return climb(w, action); }
PF_INLINE void mario_stopped(pf_world *w, int i, int j) { run_into(w, i, j); }
PF_INLINE void mario_moved(pf_world *w, float y_before) {
    land_on_platforms(w, y_before);
    touch_elements(w);
}

static void digest_tail(const pf_world *w, digest *d) {
    const pf_elements *e = elements(w);
    digest_i32(d, e->riding);
    digest_i32(d, e->switch_touched);
    for (int colour = 0; colour < PF_COLOURS; colour++)
        digest_u8(d, e->keys[colour]);
    digest_u8(d, e->climbing);
}

static bool tail_fits(const pf_level *level, const void *tail) {
    pf_elements e;
    memcpy(&e, tail, sizeof e);
    return e.riding >= 0 && e.riding <= pf_count_platforms(level) && e.switch_touched >= 0 && e.climbing <= 1;
}

static bool tile_turns(int tile) { return tile >= PF_KEY; }

/* Keys and locks go away. Doors and switches go to and fro between two tiles of one colour. */
static bool tile_fits(int before, int now) {
    if (before >= PF_KEY && before < PF_SWITCH)
        return now == 0;
    bool is_switch = before >= PF_SWITCH && before < PF_DOOR_CLOSED;
    bool is_door = before >= PF_DOOR_CLOSED && before < PF_DOOR_OPEN + PF_COLOURS;
    int first = is_switch ? PF_SWITCH : PF_DOOR_CLOSED, colour = (before - first) % PF_COLOURS;
    return (is_switch || is_door) && (now == first + colour || now == first + colour + PF_COLOURS);
}

/* ---- what players see ------------------------------------------------------------------------ */

static const uint8_t scene_0[PF_TILES] = {
    FRAMEWORK_SCENE_0, [PF_LADDER] = 80, [PF_LADDER_TOP] = 81, EXACT_COLOURS(PF_KEY),
    EXACT_COLOURS(PF_LOCK), EXACT_COLOURS(PF_SWITCH), EXACT_COLOURS(PF_SWITCH_PRESSED),
    EXACT_COLOURS(PF_DOOR_CLOSED), EXACT_COLOURS(PF_DOOR_OPEN)};
static const uint8_t scene_1[PF_TILES] = {
    FRAMEWORK_SCENE_1, [PF_LADDER] = 80, [PF_LADDER_TOP] = 80, COLOURS(PF_KEY, 82), COLOURS(PF_LOCK, 85),
    COLOURS(PF_SWITCH, 88), COLOURS(PF_SWITCH_PRESSED, 88), COLOURS(PF_DOOR_CLOSED, 94)};
static const uint8_t scene_2[PF_TILES] = {
    FRAMEWORK_SCENE_2, OBJECT(PF_LADDER), OBJECT(PF_LADDER_TOP), COLOURS(PF_KEY, 100),
    COLOURS(PF_LOCK, 100), COLOURS(PF_SWITCH, 100), COLOURS(PF_SWITCH_PRESSED, 100),
    COLOURS(PF_DOOR_CLOSED, 100)};

/* Moving platforms, shown where their tiles mostly are. */
static void see_platforms(const pf_world *w, const pf_view *view, int column, int row, uint8_t *out) {
    enum { PLATFORM_MIDDLE = 46 };
    uint8_t code = w->rules->scene_codes[view->scene_detail][PLATFORM_MIDDLE];
    for (int k = 0; k < pf_count_platforms(w->level); k++) {
        const pf_platform *p = pf_platforms(w->level) + k;
        int x, y;
        pf_platform_at(p, w->tick, &x, &y);
        int r = (y + 8) / PF_TILE - row;
        for (int right = x + p->width; x < right; x += PF_TILE) {
            int c = (x + 8) / PF_TILE - column;
            if (c >= 0 && c < view->columns && r >= 0 && r < view->rows)
                out[(size_t)c * (size_t)view->rows + (size_t)r] = code;
        }
    }
}

static int count_keys(const pf_world *w) {
    const uint8_t *keys = elements(w)->keys;
    return keys[0] + keys[1] + keys[2];
}

extern const pf_rules pf_rules_ludus;
const pf_rules pf_rules_ludus = {
    .name = "ludus",
    .version = 1,
    .n_kinds = PF_KINDS,
    .elements = true,
    .read_tile = read_tile,
    .level_tail_size = level_tail_size,
    .read_level_tail = read_level_tail,
    .world_tail_size = world_tail_size,
    .begin = begin,
    .tick = tick,
    .digest_tail = digest_tail,
    .tail_fits = tail_fits,
    .tile_fits = tile_fits,
    .features = features,
    .tile_turns = tile_turns,
    .scene_codes = {scene_0, scene_1, scene_2},
    FRAMEWORK_RULES,
    .see_scene = see_platforms,
    .count_keys = count_keys,
};
