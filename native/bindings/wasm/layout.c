/* What the page's script assumes of the structures in ludus.h: fields of four bytes, one after the other. It
 * stops the build if they change; then src/ludus/web/static/engine/layout.js has to follow. */
#include "abi/ludus.h"

#define WORDS(structure, words) _Static_assert(sizeof(structure) == 4 * (words), #structure)

WORDS(ludus_level_facts, 7);
WORDS(ludus_template, 3);
WORDS(ludus_platform, 3);
WORDS(ludus_creature, 4);
WORDS(ludus_block_data, 3);
WORDS(ludus_generated, 24);
WORDS(ludus_map, 21);
WORDS(ludus_physics, 7);
WORDS(ludus_settings, 15);
WORDS(ludus_world_options, 8);
WORDS(ludus_world_facts, 15);
WORDS(ludus_mario, 17);
WORDS(ludus_pose, 3);
WORDS(ludus_fate, 3);
WORDS(ludus_sprite, 9);
WORDS(ludus_event, 6);
WORDS(ludus_result, 22 + LUDUS_KINDS);
WORDS(ludus_view, 5);
WORDS(ludus_scene_picture, 16);
WORDS(ludus_worm_task_options, 13);
_Static_assert(sizeof(ludus_option) == 16 && sizeof(ludus_option_range) == 32, "numbers of 64 bits are aligned");
_Static_assert(sizeof(ludus_drawn) == 8 && sizeof(ludus_spot) == 24 && sizeof(ludus_solution) == 24, "as above");
_Static_assert(sizeof(ludus_worm_facts) == 48, "as above");

/* Which compiler built the module, for the test that builds it again. */
__attribute__((visibility("default"), used)) const char ludus_compiler[] = "ludus-compiler: " __VERSION__;
