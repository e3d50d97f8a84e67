// Binds the host of agents that are shared libraries or modules of WebAssembly to Python.
#include "bindings/python/worlds.h"

#include <algorithm>
#include <cstring>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "agent/host.h"
#include "agent/wasm.h"

using namespace nb::literals;

namespace {

// A library with its agent.
struct AgentLibrary {
    agent_host host{};

    explicit AgentLibrary(const std::string &path) {
        if (!agent_host_open(&host, path.c_str()))
            raise_ludus("AgentError", host.fault);
    }
    AgentLibrary() = default;
    virtual ~AgentLibrary() { agent_host_close(&host); }
    // Raises an error if the last call failed.
    virtual void check() const {}
    AgentLibrary(const AgentLibrary &) = delete;
    AgentLibrary &operator=(const AgentLibrary &) = delete;
};

void open_library(AgentLibrary *self, const std::string &path) { new (self) AgentLibrary(path); }

const ludus_world *world_or_null(nb::handle model) {
    return model.is_none() ? nullptr : nb::cast<const View &>(model).get();
}

int32_t check_action(const AgentLibrary &self, int32_t action) {
    self.check();
    if (action < 0)
        raise_ludus("AgentFault", "gave up: ludus_agent_act() returned " + std::to_string(action));
    return action;
}

int32_t act(AgentLibrary &self, nb::handle world, nb::handle model) {
    return check_action(self, agent_host_act(&self.host, nb::cast<const View &>(world).get(), world_or_null(model)));
}

int32_t act_on_bytes(AgentLibrary &self, nb::bytes seen, nb::handle model) {
    int32_t action = 0;
    auto bytes = static_cast<const uint8_t *>(seen.data());
    if (!agent_host_act_on_bytes(&self.host, bytes, seen.size(), world_or_null(model), &action))
        raise_ludus("AgentFault", self.host.fault);
    return check_action(self, action);
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
    self.check();
}

void learn(AgentLibrary &self, int32_t play, double score, const std::string &json) {
    ludus_agent_outcome outcome{sizeof outcome, play, score, json.c_str()};
    if (self.host.learn)
        self.host.learn(self.host.agent, &outcome);
    self.check();
}

// An instance of a module in WebAssembly with its agent. Wasmtime's Python package makes the instance, and the objects
// that it made have to live as long as this one.
struct WasmLibrary : AgentLibrary {
    wasm_agent wasm{};

    ~WasmLibrary() override {
        agent_host_close(&host);
        wasm_agent_forget(&wasm);
    }
    void check() const override {
        if (wasm.trap || wasm.error)
            raise_ludus("AgentFault", "failed");
    }
};

wasm_item read_item(nb::bytes bytes) {
    wasm_item item{};
    if (bytes.size() > sizeof item)
        throw nb::value_error("a larger item than Wasmtime has");
    memcpy(&item, bytes.data(), bytes.size());
    return item;
}

void begin_instance(WasmLibrary *self, const std::vector<uintptr_t> &runtime, uintptr_t context) {
    if (runtime.size() * sizeof(uintptr_t) != sizeof(wasm_runtime))
        throw nb::value_error("as many addresses are needed as there are functions");
    new (self) WasmLibrary();
    memcpy(&self->wasm.runtime, runtime.data(), sizeof(wasm_runtime));
    self->wasm.context = reinterpret_cast<void *>(context);
}

void set_memory(WasmLibrary &self, nb::bytes memory) {
    self.wasm.memory = read_item(memory);
    self.wasm.has_memory = true;
}

void connect(WasmLibrary &self, uint32_t agent, uint32_t wants, nb::bytes reset, nb::bytes act,
             std::optional<nb::bytes> learn, const std::vector<uint32_t> &table) {
    self.wasm.agent = agent;
    self.wasm.calls[WASM_RESET] = read_item(reset);
    self.wasm.calls[WASM_ACT] = read_item(act);
    if (learn)
        self.wasm.calls[WASM_LEARN] = read_item(*learn);
    std::copy_n(table.begin(), std::min(table.size(), std::size(self.wasm.table)), self.wasm.table);
    self.host.wants = wants;
    wasm_agent_connect(&self.host, &self.wasm, learn.has_value());
}

std::vector<uintptr_t> list_imports() {
    std::vector<uintptr_t> addresses;
    for (wasm_import function : WASM_IMPORTED)
        addresses.push_back(reinterpret_cast<uintptr_t>(function));
    return addresses;
}

// Why the last call failed, as the addresses of a trap and an error; the caller deletes them.
nb::tuple take_failure(WasmLibrary &self) {
    auto failure = nb::make_tuple(reinterpret_cast<uintptr_t>(self.wasm.trap),
                                  reinterpret_cast<uintptr_t>(self.wasm.error));
    self.wasm.trap = self.wasm.error = nullptr;
    return failure;
}

nb::bytes take_log(WasmLibrary &self) {
    nb::bytes logged(self.wasm.logged ? self.wasm.logged : "", self.wasm.n_logged);
    self.wasm.n_logged = 0;
    return logged;
}

nb::list list_uses(const WasmLibrary &self) {
    nb::list uses;
    for (int use = 0; use < WASM_USES; use++)
        uses.append(nb::make_tuple(self.wasm.entered[use], self.wasm.used[use]));
    return uses;
}

// A frame of the agent protocol that shows a world; empty if it cannot hold all creatures.
nb::bytes pack_frame(nb::handle world, uint32_t parts) {
    uint8_t frame[HOST_FRAME];
    size_t size = agent_host_pack(nb::cast<const View &>(world).get(), parts, frame);
    return nb::bytes(reinterpret_cast<const char *>(frame), size);
}

} // namespace

void bind_agents(nb::module_ &m) {
    m.def("pack_frame", &pack_frame, "world"_a, "parts"_a, "Return a world as a frame of the agent protocol.");
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

    Locked<WasmLibrary, AgentLibrary>(m, "WasmLibrary", "An instance of a module in WebAssembly with its agent.")
        .def("__init__", &begin_instance, "runtime"_a, "context"_a)
        .def_prop_ro("address", [](const WasmLibrary &self) { return reinterpret_cast<uintptr_t>(&self.wasm); })
        .def_prop_ro("fuel", [](const WasmLibrary &self) { return self.wasm.fuel; })
        .def_prop_ro("logs", [](const WasmLibrary &self) { return self.wasm.n_logged > 0; })
        .def("fill", [](WasmLibrary &self, uint64_t fuel) { self.wasm.fuel = fuel; }, "fuel"_a, "Set the fuel left.")
        .def("set_memory", &set_memory, "memory"_a, "Say which memory is the instance's.")
        .def("connect", &connect, "agent"_a, "wants"_a, "reset"_a, "act"_a, "learn"_a.none(), "table"_a,
             "Say which agent is called, and by which functions.")
        .def("take_failure", &take_failure, "Return the trap and the error of the last call by their addresses.")
        .def("take_log", &take_log, "Return what was logged since the last time.")
        .def("uses", &list_uses, "Return how often each use of fuel was entered, and its fuel.");
    m.def("list_wasm_imports", &list_imports, "Return the addresses of the functions that a module can import.");
}
