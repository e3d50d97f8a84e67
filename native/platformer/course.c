/* Courses of levels. */
#include "platformer/course.h"

#include "common/random.h"
#include "platformer/heap.h"

enum { COINS_FOR_A_LIFE = 100, MOST_COINS = 99, CLOCK = 1000 };

int pf_course_start(const pf_course_terms *t, const pf_course *c, int mode) {
    return (c->number * t->n_stages + c->stage) * t->n_modes + (t->n_modes > 1 ? mode : 0);
}

static bool renew(pf_world **world, const pf_world *start) {
    pf_world *fresh = pf_world_clone(start);
    if (!fresh)
        return false;
    pf_free(*world);
    *world = fresh;
    return true;
}

/* Plays some ticks without buttons. */
static bool wait(const pf_course_terms *t, pf_course *c, pf_world **world) {
    c->pressed = 0;
    for (int left = random_below(&c->chance, t->no_ops + 1); left; left--) {
        if (!pf_make_room(world))
            return false;
        pf_step(*world, 0);
        pf_course_tick(c, *world);
        if ((*world)->status != PF_RUNNING)
            break;
    }
    return !(*world)->overflow;
}

static int least(int one, int other) { return one < other ? one : other; }

static void count_life(pf_course *c, const pf_world *w) {
    bool won = w->status == PF_WIN;
    int coins = c->all_coins + w->coins;
    c->lives += coins / COINS_FOR_A_LIFE - c->all_coins / COINS_FOR_A_LIFE + w->lives - !won;
    c->all_coins = coins;
    c->deaths += !won;
    c->levels_completed += won;
}

static void enter_next_stage(pf_course *c, const pf_world *w) {
    c->earlier_coins += least(c->stage_coins + w->coins, MOST_COINS);
    c->stage_coins = c->max_x = 0;
    c->stage++;
}

/* Counts a life that has ended; returns the mode of the next one, if there is one. */
static int end_life(const pf_course_terms *t, pf_course *c, const pf_world *w) {
    bool won = w->status == PF_WIN;
    count_life(c, w);
    c->finished = c->lives == 0 || (won ? c->stage + 1 == t->n_stages : t->n_stages == 1);
    if (won && !c->finished)
        enter_next_stage(c, w);
    else if (!c->finished)
        c->stage_coins += w->coins;
    return won ? pf_mode(&w->mario) : 0;
}

/* Begins lives until one outlasts its first ticks, or none is left. */
static bool begin_life(const pf_course_terms *t, pf_world *const *starts, pf_course *c, int mode,
                       pf_world **world) {
    for (;;) {
        if (!renew(world, starts[pf_course_start(t, c, mode)]) || !wait(t, c, world))
            return false;
        if ((*world)->status == PF_RUNNING)
            return true;
        mode = end_life(t, c, *world);
        if (c->finished)
            return true;
    }
}

bool pf_course_begin(const pf_course_terms *t, pf_world *const *starts, int number, uint64_t seed,
                     pf_course *c, pf_world **world) {
    *c = (pf_course){.seed = seed, .chance = seed, .number = number, .lives = t->lives};
    return begin_life(t, starts, c, 0, world);
}

unsigned pf_course_buttons(const pf_course_terms *t, pf_course *c, unsigned decided) {
    if (random_share(&c->chance) >= t->sticky)
        c->pressed = (int32_t)decided;
    return (unsigned)c->pressed;
}

void pf_course_tick(pf_course *c, const pf_world *w) {
    c->ticks++;
    if (w->mario.body.x > (float)c->max_x)
        c->max_x = (int32_t)w->mario.body.x;
}

bool pf_course_go_on(const pf_course_terms *t, pf_world *const *starts, pf_course *c, pf_world **world) {
    c->flag = (*world)->status == PF_WIN;
    if ((*world)->status == PF_RUNNING)
        return true;
    int mode = end_life(t, c, *world);
    return c->finished || begin_life(t, starts, c, mode, world);
}

void pf_course_facts(const pf_course *c, const pf_world *w, int steps, int32_t *facts) {
    int seconds = w->timer / CLOCK - (w->timer % CLOCK < 0);
    const int32_t all[PF_COURSE_FIELDS] = {
        c->stage,
        c->lives,
        c->earlier_coins + least(c->stage_coins + w->coins, MOST_COINS),
        c->max_x,
        steps,
        c->ticks,
        c->deaths,
        c->levels_completed,
        seconds,
        c->flag,
    };
    for (int k = 0; k < PF_COURSE_FIELDS; k++)
        facts[k] = all[k];
}
