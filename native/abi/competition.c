/* What the competitions measure, and rows of recordings. */
#include "abi/internal.h"
#include "platformer/rules/2009/2009.h"
#include "platformer/trace.h"

#include <string.h>

_Static_assert((int)KILL_CAUSES == (int)LUDUS_KILL_CAUSES, "the header tells how many causes there are");

static int32_t competition_status(const pf_world *w) {
    return w->status == PF_RUNNING ? 2 : w->status == PF_WIN;
}

int32_t ludus_world_evaluate_2009(const ludus_world *world, ludus_evaluation_2009 *evaluation) {
    const pf_world *w = world->core;
    if (w->rules != pf_find_rules("2009"))
        return abi_fail(LUDUS_BAD_OPTION, "a world of the rules '%s' has no figures of 2009: give one of the rules "
                        "'2009'", w->rules->name);
    const pf_2009 *state = pf_2009_of(w);
    const pf_competition *c = &state->common;
    *evaluation = (ludus_evaluation_2009){
        .status = competition_status(w),
        .distance = w->mario.body.x,
        .cells = c->map_x,
        .time_left = w->timer / TICKS_A_SECOND,
        .time_spent = c->clock / TICKS_A_SECOND,
        .ticks = c->clock - 1,
        .mode = pf_mode(&w->mario),
        .coins = w->coins,
        .lives = w->lives,
        .collisions = c->collisions,
        .hidden_blocks = c->hidden,
    };
    memcpy(evaluation->kills, state->kills, sizeof state->kills);
    memcpy(evaluation->kills_by_kind, state->kills_by_kind, sizeof state->kills_by_kind);
    return LUDUS_OK;
}

size_t ludus_world_trace(const ludus_world *world, char *row, size_t capacity) {
    pf_text text = {row, capacity, 0};
    world->core->rules->write_trace(world->core, &text);
    return text.length;
}

const char *ludus_world_trace_columns(const ludus_world *world) { return world->core->rules->trace_columns; }
