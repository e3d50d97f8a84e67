/* Games played for practice, and what a learner sees. */
#include "training/practice.h"
#include "abi/internal.h"
#include "common/crew.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)SIGHT_FIELDS == (int)LUDUS_SIGHT_FIELDS && (int)SIGHT_WIDE_FIELDS == (int)LUDUS_WIDE_FIELDS
                   && (int)SIGHT_SIDE == (int)LUDUS_SIGHT_SIDE,
               "the header tells what a learner sees");

struct ludus_practice {
    practice core;
    int32_t slots, slot, threads;
    abi_starts starts;
    crew *crew;
};

practice *abi_practice_core(ludus_practice *p) { return &p->core; }

size_t ludus_world_sight(const ludus_world *world, int8_t *fields, size_t capacity) {
    int8_t all[SIGHT_FIELDS];
    sight_fields(world->core, all);
    if (capacity)
        memcpy(fields, all, abi_least(capacity, SIGHT_FIELDS));
    return SIGHT_FIELDS;
}

size_t ludus_world_wide_sight(const ludus_world *world, int8_t *fields, size_t capacity) {
    int8_t all[SIGHT_WIDE_FIELDS];
    sight_wide_fields(world->core, all);
    if (capacity)
        memcpy(fields, all, abi_least(capacity, SIGHT_WIDE_FIELDS));
    return SIGHT_WIDE_FIELDS;
}

size_t ludus_world_sight_picture(const ludus_world *world, uint8_t *pixels, size_t capacity) {
    uint8_t all[SIGHT_PICTURE];
    sight_picture(world->core, all);
    if (capacity)
        memcpy(pixels, all, abi_least(capacity, SIGHT_PICTURE));
    return SIGHT_PICTURE;
}

static int32_t check_options(const ludus_practice_options *o) {
    if (o->n_games < 1 || o->groups < 1 || o->groups > o->n_games || o->slots < 1 || !o->n_starts)
        return abi_fail(LUDUS_BAD_OPTION, "%d games in %d groups and %d slots on %zu levels make no practice: give "
                        "1 or more of each", (int)o->n_games, (int)o->groups, (int)o->slots, o->n_starts);
    if (!o->odds || !o->buttons || !o->rewards || !o->endings || !o->reached || !o->played)
        return abi_fail(LUDUS_BAD_OPTION, "a buffer is missing: bind odds, buttons, rewards, endings, reached and "
                        "played");
    if (!o->fields == !o->pictures)
        return abi_fail(LUDUS_BAD_OPTION, "give a buffer for fields or one for pictures");
    if (o->skip < 1 || o->no_ops < 0)
        return abi_fail(LUDUS_BAD_OPTION, "skip %d and no_ops %d are out of range: give 1, 0 or more",
                        (int)o->skip, (int)o->no_ops);
    if (!(o->retry >= 0 && o->retry <= 1))
        return abi_fail(LUDUS_BAD_OPTION, "retry %g is out of range: give 0 to 1", o->retry);
    return abi_check_threads(o->threads);
}

static void bind(ludus_practice *p, const ludus_practice_options *o, practice_game *games) {
    p->core = (practice){
        .n = o->n_games,
        .n_levels = (int32_t)o->n_starts,
        .terms = {o->skip, o->no_ops, o->patience, o->sticky, o->retry},
        .reward = {o->progress, o->win, o->loss, o->decision},
        .sight = !o->fields ? SEES_PICTURES : o->wide ? SEES_WIDE_FIELDS : SEES_FIELDS,
        .games = games,
        .starts = p->starts.cores,
        .odds = o->odds,
        .buttons = o->buttons,
        .rewards = o->rewards,
        .endings = o->endings,
        .reached = o->reached,
        .played = o->played,
        .retried = o->retried,
        .fields = o->fields,
        .pictures = o->pictures,
    };
    for (int32_t k = 0; k < o->n_games; k++) {
        games[k].random = o->seeds[k];
        games[k].group = (int32_t)((int64_t)k * o->groups / o->n_games);
    }
}

int32_t ludus_practice_new(const ludus_practice_options *given, ludus_practice **result) {
    ludus_practice_options o;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(&o)))
        return error;
    ludus_practice *p = calloc(1, sizeof *p);
    practice_game *games = calloc((size_t)o.n_games, sizeof *games);
    error = p && games ? abi_copy_starts(&p->starts, o.starts, o.n_starts) : abi_no_memory();
    if (error) {
        free(games);
        ludus_practice_free(p);
        return error;
    }
    p->slots = o.slots;
    p->threads = o.threads;
    bind(p, &o, games);
    *result = p;
    return LUDUS_OK;
}

void ludus_practice_free(ludus_practice *p) {
    if (!p)
        return;
    crew_free(p->crew);
    for (int32_t k = 0; k < p->core.n; k++) {
        pf_free(p->core.games[k].world);
        free(p->core.games[k].tape);
    }
    free(p->core.games);
    abi_free_starts(&p->starts);
    free(p);
}

int32_t ludus_practice_begin(ludus_practice *p) {
    for (int32_t k = 0; k < p->core.n; k++)
        if (!practice_begin(&p->core, k))
            return abi_no_memory();
    return LUDUS_OK;
}

static int32_t check_step(const ludus_practice *p, int32_t slot) {
    if (slot < 0 || slot >= p->slots)
        return abi_fail(LUDUS_BAD_INDEX, "there is no slot %d: there are %d", (int)slot, (int)p->slots);
    const uint8_t *buttons = p->core.buttons + (size_t)slot * (size_t)p->core.n;
    for (int32_t k = 0; k < p->core.n; k++) {
        const pf_world *world = p->core.games[k].world;
        if (!world)
            return abi_fail(LUDUS_EPISODE_OVER, "the games have not begun: call begin() first");
        if (abi_check_action(world, buttons[k]))
            return LUDUS_BAD_ACTION;
    }
    return LUDUS_OK;
}

static bool step_some(void *context, int first, int last) {
    ludus_practice *p = context;
    return practice_step(&p->core, p->slot, first, last);
}

int32_t ludus_practice_step(ludus_practice *p, int32_t slot) {
    int32_t error = check_step(p, slot);
    if (error)
        return error;
    p->slot = slot;
    return crew_spread(&p->crew, p->threads, step_some, p, p->core.n) ? LUDUS_OK : abi_no_memory();
}

static int32_t check_game(const ludus_practice *p, int32_t game) {
    if (game >= 0 && game < p->core.n)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_INDEX, "there is no game %d: there are %d", (int)game, (int)p->core.n);
}

int32_t ludus_practice_get(const ludus_practice *p, int32_t game, ludus_practice_place *place) {
    int32_t error = check_game(p, game);
    if (error)
        return error;
    const practice_game *g = &p->core.games[game];
    *place = (ludus_practice_place){g->random, g->seed, g->level, g->tape, (size_t)g->taped};
    return LUDUS_OK;
}

int32_t ludus_practice_get_fork(const ludus_practice *p, int32_t game, ludus_practice_fork *fork) {
    int32_t error = check_game(p, game);
    if (error)
        return error;
    const practice_fork *own = &p->core.games[game].fork;
    *fork = (ludus_practice_fork){own->seed, own->at};
    return LUDUS_OK;
}

int32_t ludus_practice_put(ludus_practice *p, int32_t game, const ludus_practice_place *place) {
    return ludus_practice_put_forked(p, game, place, NULL);
}

static int32_t check_fork(const ludus_practice_place *place, const ludus_practice_fork *fork) {
    if (!fork || (fork->at >= -1 && fork->at <= (int64_t)place->n_decisions))
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "a fork is at decision %d: there are %zu", (int)fork->at, place->n_decisions);
}

int32_t ludus_practice_put_forked(ludus_practice *p, int32_t game, const ludus_practice_place *place,
                                  const ludus_practice_fork *fork) {
    int32_t error = check_game(p, game);
    if (!error)
        error = check_fork(place, fork);
    if (error)
        return error;
    if (place->level < 0 || place->level >= p->core.n_levels)
        return abi_fail(LUDUS_BAD_OPTION, "a place is on level %d: there are %d", (int)place->level,
                        (int)p->core.n_levels);
    for (size_t k = 0; k < place->n_decisions; k++)
        if ((error = abi_check_action(p->core.starts[place->level], place->decisions[k])))
            return error;
    practice_game *g = &p->core.games[game];
    g->random = place->random;
    g->level = place->level;
    g->seed = place->seed;
    g->fork = fork ? (practice_fork){fork->seed, fork->at} : (practice_fork){0, -1};
    bool good = practice_restore(&p->core, game, place->decisions, (int)place->n_decisions);
    return good ? LUDUS_OK : abi_no_memory();
}
