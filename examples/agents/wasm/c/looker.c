/* Jumps at what stands in its way and at gaps, and logs each jump: an agent in C for WebAssembly.
 *
 *     clang --target=wasm32 -O2 -nostdlib -fvisibility=hidden -Wl,--no-entry,--export-dynamic \
 *         -I"$(python -m ludus.agents.foreign.c_files)" looker.c -o looker.wasm
 *     ludus judge ./looker.wasm
 */
#include <ludus/agent.h>

enum { AHEAD = 3, DEPTH = 4 };

__attribute__((import_module("ludus"), import_name("log"))) void ludus_log(const char *text, size_t size);

static ludus_agent_buttons buttons; /* a module has one agent */

LUDUS_AGENT uint32_t ludus_agent_version(void) { return LUDUS_AGENT_VERSION; }

LUDUS_AGENT const char *ludus_agent_name(void) { return "looker"; }

LUDUS_AGENT uint32_t ludus_agent_wants(void) { return LUDUS_SHOWS_MARIO | LUDUS_SHOWS_MERGED; }

LUDUS_AGENT void *ludus_agent_create(void) { return &buttons; }

LUDUS_AGENT void ludus_agent_destroy(void *agent) { (void)agent; }

LUDUS_AGENT void ludus_agent_reset(void *agent, const ludus_agent_scenario *scenario)
{
    (void)agent;
    buttons = scenario->buttons;
}

static int cell(const ludus_agent_grid *grid, int right, int down)
{
    return grid->cells[(grid->columns / 2 + right) * grid->rows + grid->rows / 2 + down];
}

static int is_gap(const ludus_agent_grid *grid, int right)
{
    for (int down = 1; down <= DEPTH; down++)
        if (cell(grid, right, down))
            return 0;
    return 1;
}

static int must_jump(const ludus_agent_grid *grid)
{
    for (int right = 1; right <= AHEAD; right++)
        if (cell(grid, right, 0) || is_gap(grid, right))
            return 1;
    return 0;
}

LUDUS_AGENT int32_t ludus_agent_act(void *agent, const ludus_agent_observation *seen)
{
    (void)agent;
    int32_t run = buttons.right | buttons.speed;
    if (!seen->mario.on_ground)
        return run | buttons.jump;
    if (!seen->mario.may_jump || !must_jump(&seen->merged))
        return run;
    ludus_log("jump", 4);
    return run | buttons.jump;
}
