/* Measures what a call of an agent in a shared library costs beyond a bare call of its function:
 * the host fills the structure from a world. Prints nanoseconds: bare, then with the host. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "agent/host.h"

enum { CALLS = 1000000, REPEATS = 7 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static double least(double one, double other) { return one < other ? one : other; }

int main(int count, char **arguments)
{
    const char *text = "M-----------F\nXXXXXXXXXXXXX";
    ludus_level *level;
    ludus_world *world;
    agent_host host;
    if (count != 2 || !agent_host_open(&host, arguments[1]) ||
        ludus_level_from_text(text, strlen(text), NULL, &level) || ludus_world_begin(level, NULL, &world))
        return 1;
    ludus_agent_scenario scenario = {.size = sizeof scenario, .buttons = {1, 2, 4, 8, 16, 0}};
    ludus_agent_observation seen = {.size = sizeof seen};
    host.reset(host.agent, &scenario);
    double bare = 1e18, hosted = 1e18;
    volatile int32_t pressed = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double began = now();
        for (int call = 0; call < CALLS; call++)
            pressed += host.act(host.agent, &seen);
        double between = now();
        for (int call = 0; call < CALLS; call++)
            pressed += agent_host_act(&host, world, NULL);
        bare = least(bare, (between - began) / CALLS);
        hosted = least(hosted, (now() - between) / CALLS);
    }
    printf("%.2f %.2f\n", bare, hosted);
    agent_host_close(&host);
    return 0;
}
