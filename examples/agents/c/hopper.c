/* Plays three futures ahead, and takes the one that gets furthest: an agent in C.
 *
 *     cc -O2 -shared -fPIC -I"$(python -m ludus.agents.foreign.c_files)" hopper.c -o hopper.so
 *     ludus run platformer/sprint ./hopper.so
 */
#include <ludus/agent.h>

enum { HORIZON = 24, WIN = 1, LOSE = 2, PLANS = 3 };

typedef struct {
    ludus_agent_buttons buttons;
} hopper;

static hopper the_hopper; /* a process has one */

LUDUS_AGENT uint32_t ludus_agent_version(void) { return LUDUS_AGENT_VERSION; }

LUDUS_AGENT const char *ludus_agent_name(void) { return "hopper-c"; }

LUDUS_AGENT uint32_t ludus_agent_wants(void) { return LUDUS_SHOWS_MARIO | LUDUS_SHOWS_MODEL; }

LUDUS_AGENT void *ludus_agent_create(void) { return &the_hopper; }

LUDUS_AGENT void ludus_agent_destroy(void *agent) { (void)agent; }

LUDUS_AGENT void ludus_agent_reset(void *agent, const ludus_agent_scenario *scenario)
{
    ((hopper *)agent)->buttons = scenario->buttons;
}

/* What holding buttons is worth: how far Mario gets, or little if he dies. */
static float look_ahead(const ludus_agent_observation *seen, int32_t first, int32_t then)
{
    ludus_agent_model *model = seen->engine->clone(seen->model);
    if (!model)
        return 0;
    int32_t status = 0;
    for (int tick = 0; tick < HORIZON && !status; tick++)
        status = seen->engine->advance(model, tick < HORIZON / 3 ? first : then);
    ludus_agent_facts facts;
    seen->engine->describe(model, &facts);
    seen->engine->free(model);
    return facts.mario.x - (status == LOSE ? 1000 : 0) + (status == WIN ? 1000 : 0);
}

LUDUS_AGENT int32_t ludus_agent_act(void *agent, const ludus_agent_observation *seen)
{
    const ludus_agent_buttons *buttons = &((hopper *)agent)->buttons;
    int32_t run = buttons->right | buttons->speed, leap = run | buttons->jump;
    if (!seen->model) /* the benchmark allows none */
        return seen->mario.may_jump || !seen->mario.on_ground ? leap : run;
    const int32_t plans[PLANS][2] = {{run, run}, {leap, leap}, {leap, run}};
    int best = 0;
    float best_worth = look_ahead(seen, plans[0][0], plans[0][1]);
    for (int k = 1; k < PLANS; k++) {
        float worth = look_ahead(seen, plans[k][0], plans[k][1]);
        if (worth > best_worth)
            best = k, best_worth = worth;
    }
    return plans[best][0];
}
