/* The rule set "2010": the engine of the Mario AI benchmark of 2010 to 2012, and nothing else. */
#define GROUND_INSIDE FEATURE_ALL
#include "platformer/rules/2010/2010.h"
#include "platformer/rules/2010/seeing.h"
#include "platformer/rules/2010/sine.h"
#include "platformer/rules/competition/competition.inc"
#include "platformer/rules/shared/kill_events.inc"

static const bool cells_lag = false;

PF_INLINE bool is_creature(int kind) {
    return is_walker(kind) || kind == PF_ENEMY_FLOWER || kind == PF_WAVE_GOOMBA;
}
PF_INLINE bool keeps_off_cliffs(int kind) { return kind == PF_RED_KOOPA; }
PF_INLINE int screen_width(const pf_world *w) { return w->physics.settings.screen_width; }
PF_INLINE int screen_height(const pf_world *w) { return w->physics.settings.screen_height; }
PF_INLINE uint8_t *killed_flag(const pf_world *w, int key) { return pf_2010_templates(w) + key; }
PF_INLINE bool reacts(const pf_world *w) { return w->mario.alive; }

#include "platformer/rules/2010/life.inc"
#include "platformer/rules/2010/contents.inc"
#include "platformer/rules/2010/mario.inc"
#include "platformer/rules/2010/tick.inc"

static bool carries(const pf_world *w) { return pf_competition_of(w)->carrying; }
static bool slides(const pf_world *w) { return pf_competition_of(w)->sliding; }
static bool climbs(const pf_world *w) { return pf_2010_of(w)->on_ladder; }

static void see_extra(const pf_world *w, void *out) {
    int32_t vector[PF_2010_STATE_FIELDS];
    pf_2010_describe(w, vector);
    memcpy(out, vector, sizeof vector);
}

extern const pf_rules pf_rules_2010;
const pf_rules pf_rules_2010 = {
    .name = "2010",
    .version = 1,
    .n_kinds = PF_ALL_KINDS,
    .maps = true,
    .solid_interior = true,
    .ladders = true,
    .n_actions = PF_2010_ACTIONS,
    .buttons = "1 LEFT, 2 RIGHT, 4 DOWN, 8 JUMP, 16 SPEED, 32 UP",
    .used_block = USED_BLOCK,
    .takes_physics = true,
    .wide_physics = true,
    .exact_models = true,
    .world_tail_size = world_tail_size,
    .begin = begin,
    .tick = tick,
    .features = features,
    .digest_tail = pf_2010_digest,
    .tail_fits = pf_2010_fits,
    .scene_codes = {pf_2010_scene_0, pf_2010_scene_1, pf_2010_scene_2},
    .enemy_codes = {pf_2010_entities_0, pf_2010_entities_1, pf_2010_entities_2},
    .listed_kinds = pf_2010_listed_kinds,
    .air_outside = true,
    .seen_in_cells = true,
    .carries = carries,
    .slides = slides,
    .climbs = climbs,
    .observe = pf_2010_observe,
    .extra_size = PF_2010_STATE_FIELDS * (int)sizeof(int32_t),
    .see_extra = see_extra,
    .trace_columns = pf_2010_columns,
    .write_trace = pf_2010_trace,
};
