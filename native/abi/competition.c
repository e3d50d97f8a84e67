/* What the competitions measure, and rows of recordings. */
#include "abi/internal.h"
#include "platformer/rules/2009/2009.h"
#include "platformer/rules/2010/2010.h"
#include "platformer/trace.h"

#include <string.h>

_Static_assert((int)MOST_CAUSES == (int)LUDUS_DEATHS, "the header tells how many deaths there can be");
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

static void count_2010(const pf_world *w, ludus_evaluation_2010 *e) {
    const pf_2010 *state = pf_2010_of(w);
    const pf_level *level = w->level;
    e->coins = w->coins;
    e->hidden_blocks = state->common.hidden;
    e->mushrooms = state->mushrooms;
    e->green_mushrooms = state->green_mushrooms;
    e->flowers = state->flowers;
    e->kills = state->kills;
    e->kills_by_stomp = state->kills_by_stomp;
    e->kills_by_fire = state->kills_by_fire;
    e->kills_by_shell = state->kills_by_shell;
    e->collisions = state->common.collisions;
    e->total_coins = level->counted_coins;
    e->total_hidden_blocks = level->counted_hidden;
    e->total_creatures = level->counted_creatures;
    e->total_mushrooms = state->offered_mushrooms;
    e->total_flowers = state->offered_flowers;
    e->n_deaths = state->n_causes;
    for (int k = 0; k < state->n_causes; k++)
        e->deaths[k] = state->causes[k];
    memcpy(e->kills_by_kind, w->log.kills_by_kind, sizeof w->log.kills_by_kind);
}

int32_t ludus_world_evaluate_2010(const ludus_world *world, ludus_evaluation_2010 *evaluation) {
    const pf_world *w = world->core;
    if (w->rules != pf_find_rules("2010"))
        return abi_fail(LUDUS_BAD_OPTION, "a world of the rules '%s' has no figures of 2010: give one of the rules "
                        "'2010'", w->rules->name);
    const pf_competition *c = pf_competition_of(w);
    bool has_won = w->status == PF_WIN;
    *evaluation = (ludus_evaluation_2010){
        .status = competition_status(w),
        .mode = pf_mode(&w->mario),
        .distance = has_won ? PF_TILE * (w->level->exit_x + 1) : (int)w->mario.body.x,
        .cells = has_won ? w->level->exit_x + 1 : c->map_x,
        .time_left = w->timer / TICKS_A_SECOND,
        .time_spent = c->clock / TICKS_A_SECOND,
        .ticks = c->clock - 1,
        .length = w->level->width,
        .reward = pf_2010_of(w)->reward,
    };
    count_2010(w, evaluation);
    return LUDUS_OK;
}

size_t ludus_world_trace(const ludus_world *world, char *row, size_t capacity) {
    pf_text text = {row, capacity, 0};
    world->core->rules->write_trace(world->core, &text);
    return text.length;
}

const char *ludus_world_trace_columns(const ludus_world *world) { return world->core->rules->trace_columns; }
