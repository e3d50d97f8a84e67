/* Games played for practice. */
#include "training/practice.h"

#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "platformer/heap.h"

static int drawn_level(const practice *all, practice_game *game) {
    const double *odds = all->odds + (size_t)game->group * (size_t)all->n_levels;
    double share = random_share(&game->random) * odds[all->n_levels - 1];
    int low = 0,
        high = all->n_levels - 1; /* the first level whose cumulated odds are above the share */
    while (low < high) {
        int middle = (low + high) / 2;
        if (share >= odds[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool tick(practice_game *game, unsigned buttons) {
    if (!pf_make_room(&game->world))
        return false;
    pf_step(game->world, buttons);
    return !game->world->overflow;
}

static bool running(const practice_game *game) { return game->world->status == PF_RUNNING; }

static bool open_game(practice *all, practice_game *game) {
    pf_world *fresh = pf_world_clone(all->starts[game->level]);
    if (!fresh)
        return false;
    pf_free(game->world);
    game->world = fresh;
    game->taped = game->since = 0;
    game->pressed = 0;
    game->chance = game->seed;
    uint64_t bound = (uint64_t)all->terms.no_ops + 1;
    for (uint64_t left = ((random_next(&game->chance) >> 32) * bound) >> 32; left && running(game);
         left--)
        if (!tick(game, 0))
            return false;
    game->furthest = game->world->mario.body.x;
    return true;
}

static bool begin_anew(practice *all, practice_game *game) {
    game->fork.at = -1;
    game->level = drawn_level(all, game);
    game->seed = random_next(&game->random) >> 11;
    return open_game(all, game);
}

static bool hold(const practice_terms *terms, practice_game *game, uint8_t buttons) {
    for (int k = 0; k < terms->skip && running(game); k++) {
        if (random_share(&game->chance) >= terms->sticky)
            game->pressed = buttons;
        if (!tick(game, game->pressed))
            return false;
    }
    return true;
}

static bool note(practice_game *game, uint8_t buttons) {
    if (game->taped == game->tape_room) {
        int32_t room = game->tape_room ? 2 * game->tape_room : 256;
        uint8_t *tape = realloc(game->tape, (size_t)room);
        if (!tape)
            return false;
        game->tape = tape;
        game->tape_room = room;
    }
    game->tape[game->taped++] = buttons;
    return true;
}

/* Plays one decision; returns the pixels that were won, or a negative number if memory ran out. */
static float play(const practice *all, practice_game *game, uint8_t buttons) {
    if (!note(game, buttons) || !hold(&all->terms, game, buttons))
        return -1;
    float gain = game->world->mario.body.x - game->furthest;
    game->since = gain > 0 ? 0 : game->since + 1;
    if (!(gain > 0))
        return 0;
    game->furthest += gain;
    return gain;
}

/* Plays a game to where a tape ends, over the fork that lies on the way. */
static bool follow(const practice *all, practice_game *game, const uint8_t *tape, int from, int to) {
    for (int t = from; t <= to; t++) {
        if (t == game->fork.at) {
            game->chance = game->fork.seed;
            game->since = 0;
        }
        if (t < to && play(all, game, tape[t]) < 0)
            return false;
    }
    return true;
}

/* Goes back to shortly before the end of a lost game; a retry that is lost goes to its fork again. */
static bool try_again(practice *all, practice_game *game) {
    enum { LEAST_BACK = 4, MOST_BACK = 32 };
    if (game->fork.at < 0)
        game->fork.at =
            game->taped - LEAST_BACK - (int)(random_share(&game->random) * (MOST_BACK - LEAST_BACK));
    if (game->fork.at < 1)
        return begin_anew(all, game);
    game->fork.seed = random_next(&game->random) >> 11;
    return open_game(all, game) && follow(all, game, game->tape, 0, game->fork.at);
}

static bool begin_next(practice *all, practice_game *game, enum practice_ending ending) {
    double retry = all->terms.retry;
    bool again = ending != ENDED_WON && retry > 0 && random_share(&game->random) < retry;
    return again ? try_again(all, game) : begin_anew(all, game);
}

static void show(practice *all, int slot, int k, bool first) {
    size_t at = (size_t)slot * (size_t)all->n + (size_t)k;
    const pf_world *w = all->games[k].world;
    if (all->sight == SEES_FIELDS) {
        sight_fields(w, all->fields + at * SIGHT_FIELDS);
        return;
    }
    if (all->sight == SEES_WIDE_FIELDS) {
        sight_wide_fields(w, all->fields + at * SIGHT_WIDE_FIELDS);
        return;
    }
    uint8_t *before = all->pictures + at * 2 * SIGHT_PICTURE, *now = before + SIGHT_PICTURE;
    sight_picture(w, now);
    memcpy(before, first ? now : now - (size_t)all->n * 2 * SIGHT_PICTURE, SIGHT_PICTURE);
}

/* Shows in slot 0 what follows what is shown there. */
static void show_next(practice *all, int k) {
    const pf_world *w = all->games[k].world;
    if (all->sight != SEES_PICTURES) {
        show(all, 0, k, true);
        return;
    }
    uint8_t *now = all->pictures + (2 * (size_t)k + 1) * SIGHT_PICTURE;
    memcpy(now - SIGHT_PICTURE, now, SIGHT_PICTURE);
    sight_picture(w, now);
}

bool practice_begin(practice *all, int k) {
    if (!begin_anew(all, &all->games[k]))
        return false;
    show(all, 0, k, true);
    return true;
}

bool practice_restore(practice *all, int k, const uint8_t *tape, int taped) {
    practice_game *game = &all->games[k];
    if (!open_game(all, game))
        return false;
    int before = taped ? taped - 1 : 0;
    if (!follow(all, game, tape, 0, before))
        return false;
    show(all, 0, k, true);
    if (!taped)
        return true;
    if (!follow(all, game, tape, before, taped))
        return false;
    if (game->fork.at == taped)
        show(all, 0, k, true);
    else
        show_next(all, k);
    return true;
}

static enum practice_ending ending_of(const practice *all, const practice_game *game) {
    switch (game->world->status) {
    case PF_WIN: return ENDED_WON;
    case PF_LOSE: return ENDED_LOST;
    case PF_TIME_OUT: return ENDED_TIME_OUT;
    default: return game->since >= all->terms.patience ? ENDED_GIVEN_UP : STILL_ON;
    }
}

static bool step(practice *all, int slot, int k) {
    practice_game *game = &all->games[k];
    size_t at = (size_t)slot * (size_t)all->n + (size_t)k;
    float gain = play(all, game, all->buttons[at]);
    if (gain < 0)
        return false;
    enum practice_ending ending = ending_of(all, game);
    all->rewards[at] = all->reward.progress * gain / PF_TILE + all->reward.decision
                       + (ending == ENDED_WON ? all->reward.win : 0)
                       + (ending > ENDED_WON ? all->reward.loss : 0);
    all->endings[at] = (uint8_t)ending;
    all->reached[at] = game->furthest;
    all->played[at] = game->level;
    if (all->retried)
        all->retried[at] = game->fork.at >= 0;
    if (ending != STILL_ON && !begin_next(all, game, ending))
        return false;
    show(all, slot + 1, k, ending != STILL_ON);
    return true;
}

bool practice_step(practice *all, int slot, int first, int last) {
    for (int k = first; k < last; k++)
        if (!step(all, slot, k))
            return false;
    return true;
}
