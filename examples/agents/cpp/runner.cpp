// An agent in C++ as a shared library: it runs right, and jumps whenever it can.
//
//     c++ -O2 -shared -fPIC -I"$(python -m ludus.agents.foreign.c_files)" runner.cpp -o runner.so
//     ludus run platformer/sprint ./runner.so
#include <ludus/agent.h>

namespace {

class Runner {
  public:
    void reset(const ludus_agent_scenario &scenario) { buttons = scenario.buttons; }

    int act(const ludus_agent_observation &seen) const {
        int jump = seen.mario.may_jump || !seen.mario.on_ground ? buttons.jump : 0;
        return buttons.right | buttons.speed | jump;
    }

  private:
    ludus_agent_buttons buttons{};
};

Runner &of(void *agent) { return *static_cast<Runner *>(agent); }

} // namespace

LUDUS_AGENT uint32_t ludus_agent_version(void) { return LUDUS_AGENT_VERSION; }
LUDUS_AGENT uint32_t ludus_agent_wants(void) { return LUDUS_SHOWS_MARIO; }
LUDUS_AGENT const char *ludus_agent_name(void) { return "runner-cpp"; }
LUDUS_AGENT void *ludus_agent_create(void) { return new Runner; }
LUDUS_AGENT void ludus_agent_destroy(void *agent) { delete &of(agent); }
LUDUS_AGENT void ludus_agent_reset(void *agent, const ludus_agent_scenario *scenario) { of(agent).reset(*scenario); }
LUDUS_AGENT int32_t ludus_agent_act(void *agent, const ludus_agent_observation *seen) { return of(agent).act(*seen); }
