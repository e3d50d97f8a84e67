/* The table of rule sets, and what they say about tiles. */
#include "platformer/rules/rules.h"
#include "platformer/rules/shared/features.h"

extern const pf_rules pf_rules_framework, pf_rules_ludus, pf_rules_2009, pf_rules_2010;

const pf_rules *const pf_rule_sets[] = {&pf_rules_framework, &pf_rules_ludus, &pf_rules_2009,
                                         &pf_rules_2010, NULL};

static bool is_same(const char *one, const char *other) {
    for (; *one && *one == *other; one++, other++)
        ;
    return *one == *other;
}

const pf_rules *pf_find_rules(const char *name) {
    const pf_rules *const *rules = pf_rule_sets;
    while (*rules && !is_same((*rules)->name, name))
        rules++;
    return *rules;
}

bool pf_tile_turns(const pf_rules *rules, int tile) {
    bool by_touch = rules->features[tile] & (FEATURE_BUMPABLE | FEATURE_BREAKABLE | FEATURE_PICKABLE);
    return by_touch || (rules->tile_turns && rules->tile_turns(tile));
}
