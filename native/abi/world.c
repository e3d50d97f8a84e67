/* Worlds: options, beginnings, copies, steps. */
#include "abi/internal.h"
#include "platformer/rules/rules.h"
#include "platformer/saved_state.h"

#include <stdlib.h>

/* ---- physics -------------------------------------------------------------------------------- */

void ludus_physics_default(ludus_physics *physics) {
    *physics = (ludus_physics){.gravity = 1, .creature_gravity = 1, .jump_power = 7, .tick_ms = 30};
}

typedef struct {
    const char *name;
    float value, least, most;
} range;

/* The framework's rules keep less than all of the speed; the benchmark of 2010 took any numbers. */
static int32_t check_keeping(const ludus_physics *p) {
    float both = p->ice + (p->wind < 0 ? -p->wind : p->wind);
    if (both <= 0.1f + 1e-6f)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "ice %g and wind %g keep more than 0.99 of the speed: let ice + |wind| be at "
                    "most 0.1", (double)p->ice, (double)p->wind);
}

static int32_t check_physics(const ludus_physics *p, bool wide) {
    const range ranges[] = {
        {"gravity", p->gravity, 0.1f, wide ? 10 : 4},
        {"creature_gravity", p->creature_gravity, 0, wide ? 10 : 4},
        {"jump_power", p->jump_power, 0, wide ? 100 : 30},
        {"ice", p->ice, wide ? -1 : 0, wide ? 1 : 0.1f},
        {"wind", p->wind, wide ? -1 : -0.1f, wide ? 1 : 0.1f},
        {"tick_ms", (float)p->tick_ms, 1, 1000},
    };
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const range *r = &ranges[k];
        if (!(r->value >= r->least && r->value <= r->most)) /* refuses NaN too */
            return abi_fail(LUDUS_BAD_OPTION, "%s %g is out of range: give %g to %g", r->name,
                            (double)r->value, (double)r->least, (double)r->most);
    }
    return wide ? LUDUS_OK : check_keeping(p);
}

/* The wings of 2010 bear three tenths of any gravity but 1. */
static float winged_gravity(float creature_gravity, bool wide) {
    float borne = wide && creature_gravity != 1 ? 0.3f * creature_gravity : creature_gravity;
    return 0.6f * borne;
}

/* Single precision, in the order of the 2010 engine, so that the neutral options change no bit. */
static pf_physics physics_of(const ludus_physics *options, bool wide) {
    pf_physics p;
    pf_physics_default(&p);
    if (!options)
        return p;
    p.mario_gravity = 3.0f * options->gravity;
    p.walker_gravity = p.shell_gravity = 2.0f * options->creature_gravity;
    p.winged_gravity = winged_gravity(options->creature_gravity, wide);
    p.inertia_right = (0.89f + options->wind) + options->ice;
    p.inertia_left = (0.89f + -options->wind) + options->ice;
    p.jump_ticks = (int)(options->jump_power / options->gravity);
    p.stomp_ticks = p.jump_ticks + 1;
    p.tick_cost = options->tick_ms;
    p.frozen = options->frozen_creatures != 0;
    p.invulnerable = options->invulnerable != 0;
    return p;
}

/* ---- settings ------------------------------------------------------------------------------- */

void ludus_settings_default(ludus_settings *settings) {
    *settings = (ludus_settings){.size = sizeof *settings, .difficulty = -1, .start_x = 32, .start_y = 32, .screen_width = 320,
                                 .screen_height = 240, .field_width = 19, .field_height = 19, .ego_row = 9,
                                 .ego_column = 9};
}

static int32_t check_settings(const ludus_settings *s) {
    enum { MOST_PIXEL = 32767, MOST_SCREEN = 2048, MOST_COUNT = 1 << 20 };
    const struct {
        const char *name;
        int32_t value, least, most;
    } ranges[] = {
        {"power_restoration", s->power_restoration, 0, 1}, {"difficulty", s->difficulty, -1, MOST_COUNT},
        {"start_x", s->start_x, 0, MOST_PIXEL},            {"start_y", s->start_y, 0, MOST_PIXEL},
        {"screen_width", s->screen_width, PF_TILE, MOST_SCREEN},
        {"screen_height", s->screen_height, PF_TILE, MOST_SCREEN},
        {"field_width", s->field_width, 1, LUDUS_MAX_FIELD}, {"field_height", s->field_height, 1, LUDUS_MAX_FIELD},
        {"ego_row", s->ego_row, -MOST_PIXEL, MOST_PIXEL},  {"ego_column", s->ego_column, -MOST_PIXEL, MOST_PIXEL},
        {"tile_detail", s->tile_detail, 0, 2},             {"entity_detail", s->entity_detail, 0, 2},
    };
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (ranges[k].value < ranges[k].least || ranges[k].value > ranges[k].most)
            return abi_fail(LUDUS_BAD_OPTION, "%s %d is out of range: give %d to %d", ranges[k].name,
                            (int)ranges[k].value, (int)ranges[k].least, (int)ranges[k].most);
    return LUDUS_OK;
}

static int32_t read_settings(const ludus_level *level, const ludus_settings *given, ludus_settings *settings) {
    ludus_settings_default(settings);
    int32_t error = given ? abi_read_options(settings, sizeof *settings, given) : LUDUS_OK;
    if (error || (error = check_settings(settings)))
        return error;
    settings->difficulty = settings->difficulty < 0 ? level->core->difficulty : settings->difficulty;
    return LUDUS_OK;
}

static void put_settings(pf_physics *p, const ludus_settings *s) {
    p->restores_power = s->power_restoration != 0;
    p->settings = (pf_settings){s->difficulty,   s->green_mushrooms != 0, s->start_x,     s->start_y,
                                s->screen_width, s->screen_height,        s->stopped != 0, s->field_width,
                                s->field_height, s->ego_row,              s->ego_column,  s->tile_detail,
                                s->entity_detail};
}

/* ---- beginnings ----------------------------------------------------------------------------- */

enum { MOST_SECONDS = 2000000, MOST_KILL_EVENTS = 65536 };

static int32_t check_kill_events(const ludus_world_options *o) {
    if (o->n_kill_events > MOST_KILL_EVENTS)
        return abi_fail(LUDUS_BAD_OPTION, "%zu kill events are too many: give at most %d", o->n_kill_events,
                        MOST_KILL_EVENTS);
    for (size_t k = 0; k < o->n_kill_events; k++) {
        int kind = o->kill_events[k].kind, param = o->kill_events[k].param;
        if (kind < PF_BUMP || kind > PF_WON || param < 0 || param > 255)
            return abi_fail(LUDUS_BAD_OPTION, "kill event (%d, %d) is unknown: give pairs of an event kind "
                            "%d to %d and a parameter, 0 for any", kind, param, PF_BUMP, PF_WON);
    }
    return LUDUS_OK;
}

static int32_t check_rules(const ludus_level *level, const char *name) {
    const pf_rules *rules = level->core->rules;
    int32_t error = name ? abi_find_rules(name, &rules) : LUDUS_OK;
    if (error || rules == level->core->rules)
        return error;
    return abi_fail(LUDUS_BAD_OPTION, "the level was not read for the rules '%s': read its text again with rules "
                    "'%s'", name, name);
}

static int32_t check_options(const ludus_level *level, const ludus_world_options *o) {
    int32_t error = check_rules(level, o->rules);
    if (error)
        return error;
    if (o->mode < 0 || o->mode > 2)
        return abi_fail(LUDUS_BAD_OPTION, "mode %d is unknown: give 0 small, 1 large or 2 fire", (int)o->mode);
    if (o->time_limit < 0 || o->time_limit > MOST_SECONDS)
        return abi_fail(LUDUS_BAD_OPTION, "time limit %d is out of range: give seconds from 0 (none) to %d",
                        (int)o->time_limit, MOST_SECONDS);
    if (o->physics && (error = check_physics(o->physics, level->core->rules->wide_physics)))
        return error;
    if (!level->core->rules->takes_physics && (o->physics || o->n_kill_events))
        return abi_fail(LUDUS_BAD_OPTION, "the rules '%s' have neither physics options nor kill events: leave "
                        "them out", level->core->rules->name);
    return check_kill_events(o);
}

int32_t abi_wrap_world(pf_world *core, const ludus_level *level, ludus_world **world) {
    ludus_world *made = core ? malloc(sizeof *made) : NULL;
    if (!made) {
        pf_free(core);
        return abi_no_memory();
    }
    made->core = core;
    made->level = (ludus_level *)(uintptr_t)level; /* its count of holders is no part of its value */
    atomic_fetch_add_explicit(&made->level->holders, 1, memory_order_relaxed);
    *world = made;
    return LUDUS_OK;
}

int32_t ludus_world_begin(const ludus_level *level, const ludus_world_options *given, ludus_world **world) {
    ludus_world_options o;
    ludus_settings settings;
    int32_t error = abi_read_options(&o, sizeof o, given);
    if (error || (error = check_options(level, &o)) || (error = read_settings(level, o.settings, &settings)))
        return error;
    pf_physics physics = physics_of(o.physics, level->core->rules->wide_physics);
    put_settings(&physics, &settings);
    pf_kill *kills = malloc((o.n_kill_events + 1) * sizeof *kills);
    if (!kills)
        return abi_no_memory();
    for (size_t k = 0; k < o.n_kill_events; k++)
        kills[k] = (pf_kill){(uint8_t)o.kill_events[k].kind, (uint8_t)o.kill_events[k].param};
    pf_world *core =
        pf_world_new(level->core, &physics, kills, (int)o.n_kill_events, o.mode, 1000 * o.time_limit);
    free(kills);
    return abi_wrap_world(core, level, world);
}

int32_t ludus_world_clone(const ludus_world *world, ludus_world **clone) {
    return abi_wrap_world(pf_world_clone(world->core), world->level, clone);
}

int32_t ludus_world_restore(ludus_world *world, const ludus_world *from) {
    if (world->level != from->level || world->core->n_kills != from->core->n_kills)
        return abi_fail(LUDUS_BAD_OPTION, "the worlds differ in level or kill events: clone instead");
    return pf_world_restore(&world->core, from->core) ? LUDUS_OK : abi_no_memory();
}

size_t ludus_world_save(const ludus_world *world, void *bytes, size_t capacity) {
    return pf_save(world->core, bytes, capacity);
}

int32_t ludus_world_load(ludus_world *world, const void *bytes, size_t size) {
    const char *reason = pf_check_saved(world->core, bytes, size);
    if (reason)
        return abi_fail(LUDUS_BAD_OPTION, "these %zu bytes are no state of this world: %s: give what a world of "
                        "the same level, physics and kill events has saved", size, reason);
    return pf_world_load(&world->core, bytes) ? LUDUS_OK : abi_no_memory();
}

size_t ludus_world_kill_events(const ludus_world *world, ludus_kill_event *events, size_t capacity) {
    size_t n = (size_t)world->core->n_kills;
    for (size_t k = 0; k < n && k < capacity; k++)
        events[k] = (ludus_kill_event){pf_kills(world->core)[k].kind, pf_kills(world->core)[k].param};
    return n;
}

void ludus_world_free(ludus_world *world) {
    if (!world)
        return;
    pf_free(world->core);
    ludus_level_free(world->level);
    free(world);
}

int32_t abi_copy_starts(abi_starts *starts, const ludus_world *const *worlds, size_t n) {
    *starts = (abi_starts){calloc(n + 1, sizeof(ludus_world *)), calloc(n + 1, sizeof(pf_world *)), 0};
    if (!starts->worlds || !starts->cores)
        return abi_no_memory();
    for (; starts->n < n; starts->n++) {
        int32_t error = ludus_world_clone(worlds[starts->n], &starts->worlds[starts->n]);
        if (error)
            return error;
        starts->cores[starts->n] = starts->worlds[starts->n]->core;
    }
    return LUDUS_OK;
}

void abi_free_starts(abi_starts *starts) {
    for (size_t k = 0; k < starts->n; k++)
        ludus_world_free(starts->worlds[k]);
    free(starts->worlds);
    free(starts->cores);
}

/* ---- steps ---------------------------------------------------------------------------------- */

int32_t abi_check_action(const pf_world *world, int64_t action) {
    const pf_rules *rules = world->rules;
    if (action >= 0 && action < rules->n_actions)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_ACTION, "action %lld is out of range: add up %s to a number from 0 to %d",
                    (long long)action, rules->buttons, (int)rules->n_actions - 1);
}

static int32_t tick(ludus_world *world, unsigned action) {
    if (!pf_has_room(world->core) && !pf_make_room(&world->core))
        return abi_no_memory();
    pf_world *w = world->core;
    pf_step(w, action);
    if (w->overflow)
        return abi_fail(LUDUS_CAPACITY, "tick %d outgrew the world's memory: report this level", (int)w->tick);
    return w->status;
}

int32_t ludus_world_step(ludus_world *world, int64_t action) {
    int32_t error = abi_check_action(world->core, action);
    if (error)
        return error;
    if (world->core->status != PF_RUNNING)
        return abi_fail(LUDUS_EPISODE_OVER, "this world is finished (status %d): begin a new one to play again", (int)world->core->status);
    return tick(world, (unsigned)action);
}

int32_t ludus_world_run(ludus_world *world, const uint8_t *actions, size_t n, size_t *played) {
    int32_t error = LUDUS_OK;
    *played = 0;
    for (size_t k = 0; k < n; k++)
        if ((error = abi_check_action(world->core, actions[k])))
            return error;
    for (; *played < n && world->core->status == PF_RUNNING; ++*played)
        if ((error = tick(world, actions[*played])) < 0)
            return error;
    return LUDUS_OK;
}

int32_t ludus_world_forward_model(const ludus_world *world, ludus_world **model) {
    int32_t error = ludus_world_clone(world, model);
    if (!error)
        pf_forward_model((*model)->core);
    return error;
}

int32_t ludus_model_clone(const ludus_world *model, ludus_world **clone) {
    int32_t error = ludus_world_clone(model, clone);
    if (!error)
        pf_reference_clone((*clone)->core);
    return error;
}

int32_t ludus_model_advance(ludus_world *model, int64_t action) {
    int32_t error = abi_check_action(model->core, action);
    return error ? error : tick(model, (unsigned)action);
}
