// Binds the host of agents that are shared libraries to Python.
#include "bindings/python/worlds.h"

#include <cstring>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "agent/host.h"

using namespace nb::literals;

namespace {

// A library with its agent.
struct AgentLibrary {
    agent_host host{};

    explicit AgentLibrary(const std::string &path) {
        if (!agent_host_open(&host, path.c_str()))
            raise_ludus("AgentError", host.fault);
    }
    ~AgentLibrary() { agent_host_close(&host); }
    AgentLibrary(const AgentLibrary &) = delete;
    AgentLibrary &operator=(const AgentLibrary &) = delete;
};

void open_library(AgentLibrary *self, const std::string &path) { new (self) AgentLibrary(path); }

const ludus_world *world_or_null(nb::handle model) {
    return model.is_none() ? nullptr : nb::cast<const View &>(model).get();
}

int32_t check_action(int32_t action) {
    if (action < 0)
        raise_ludus("AgentFault", "gave up: ludus_agent_act() returned " + std::to_string(action));
    return action;
}

int32_t act(AgentLibrary &self, nb::handle world, nb::handle model) {
    return check_action(agent_host_act(&self.host, nb::cast<const View &>(world).get(), world_or_null(model)));
}

int32_t act_on_bytes(AgentLibrary &self, nb::bytes seen, nb::handle model) {
    int32_t action = 0;
    auto bytes = static_cast<const uint8_t *>(seen.data());
    if (!agent_host_act_on_bytes(&self.host, bytes, seen.size(), world_or_null(model), &action))
        raise_ludus("AgentFault", self.host.fault);
    return check_action(action);
}

// What Python knows of a scenario, with the buttons in the order of the structure.
void reset(AgentLibrary &self, const std::string &name, const std::string &rules, std::optional<std::string> level,
           uint64_t seed, int32_t mode, int32_t time_limit, int32_t play, int32_t plays, nb::bytes buttons) {
    ludus_agent_scenario scenario{};
    scenario.size = sizeof scenario;
    scenario.name = name.c_str();
    scenario.rules = rules.c_str();
    scenario.level = level ? level->c_str() : nullptr;
    scenario.seed = seed;
    scenario.mode = mode;
    scenario.time_limit = time_limit;
    scenario.play = play;
    scenario.plays = plays;
    memcpy(&scenario.buttons, buttons.data(), std::min(buttons.size(), sizeof scenario.buttons));
    self.host.reset(self.host.agent, &scenario);
}

void learn(AgentLibrary &self, int32_t play, double score, const std::string &json) {
    ludus_agent_outcome outcome{sizeof outcome, play, score, json.c_str()};
    if (self.host.learn)
        self.host.learn(self.host.agent, &outcome);
}

} // namespace

void bind_agents(nb::module_ &m) {
    Locked<AgentLibrary>(m, "AgentLibrary", "A shared library with an agent, loaded into this process.")
        .def("__init__", &open_library, "path"_a)
        .def_prop_ro("name", [](const AgentLibrary &self) { return std::string(self.host.name ? self.host.name : ""); })
        .def_prop_ro("wants", [](const AgentLibrary &self) { return self.host.wants; })
        .def_prop_ro("learns", [](const AgentLibrary &self) { return self.host.learn != nullptr; })
        .def("reset", &reset, "name"_a, "rules"_a, "level"_a.none(), "seed"_a, "mode"_a, "time_limit"_a, "play"_a,
             "plays"_a, "buttons"_a, "Begin an episode.")
        .def("act", &act, "world"_a, "model"_a.none(), "Return the action for what a world shows.")
        .def("act_on_bytes", &act_on_bytes, "seen"_a, "model"_a.none(), "Return the action for an observation.")
        .def("learn", &learn, "play"_a, "score"_a, "json"_a, "Tell what came of a training play.");
}
