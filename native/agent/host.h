/* Plays agents that are shared libraries: what ludus/agent.h promises them. */
#pragma once

#include <stdbool.h>

#include "abi/ludus.h"
#include "agent/ludus/agent.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HOST_PLACES = 256, HOST_FAULT = 200 };

/* A loaded library with one agent. */
typedef struct {
    void *library, *agent;
    uint32_t wants;
    const char *name;
    void (*reset)(void *agent, const ludus_agent_scenario *scenario);
    int32_t (*act)(void *agent, const ludus_agent_observation *observation);
    void (*destroy)(void *agent);
    void (*learn)(void *agent, const ludus_agent_outcome *outcome);
    char fault[HOST_FAULT]; /* why the last call failed */
} agent_host;

/* Loads a library and makes its agent; false with a fault if it is none. */
bool agent_host_open(agent_host *host, const char *path);
void agent_host_close(agent_host *host);

/* Asks for an action. The observation is what the world shows in the usual fields, and the model, if it is not NULL,
 * a forward model of it. */
int32_t agent_host_act(agent_host *host, const ludus_world *world, const ludus_world *model);
/* The same for an observation of bytes, as docs/agent-protocol.md describes them; false if they are none. */
bool agent_host_act_on_bytes(agent_host *host, const uint8_t *bytes, size_t size, const ludus_world *model,
                             int32_t *action);

/* Writes what a world shows of the wanted parts as a frame of the agent protocol. Returns its length, or 0 if there are
 * more creatures than it can hold. */
enum { HOST_FRAME = 8192 };
size_t agent_host_pack(const ludus_world *world, uint32_t wants, uint8_t *frame);

#ifdef __cplusplus
}
#endif
