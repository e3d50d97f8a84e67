/* The rule set "framework": the engine of the Mario-AI-Framework, and nothing else. */
#include "platformer/rules/framework/framework.inc"

static const uint8_t features[PF_TILES] = {FRAMEWORK_FEATURES};

PF_INLINE void mario_carried(pf_world *w) { (void)w; }
PF_INLINE bool mario_held(pf_world *w, unsigned action) {
    (void)w, (void)action;
    return false;
}
PF_INLINE void mario_stopped(pf_world *w, int i, int j) { (void)w, (void)i, (void)j; }
PF_INLINE void mario_moved(pf_world *w, float y_before) { (void)w, (void)y_before; }

static const uint8_t scene_0[PF_TILES] = {FRAMEWORK_SCENE_0};
static const uint8_t scene_1[PF_TILES] = {FRAMEWORK_SCENE_1};
static const uint8_t scene_2[PF_TILES] = {FRAMEWORK_SCENE_2};

extern const pf_rules pf_rules_framework;
const pf_rules pf_rules_framework = {
    .name = "framework",
    .version = 1,
    .n_kinds = PF_KINDS,
    .begin = begin,
    .tick = tick,
    .features = features,
    .scene_codes = {scene_0, scene_1, scene_2},
    FRAMEWORK_RULES,
};
