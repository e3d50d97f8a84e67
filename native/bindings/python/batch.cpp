// Binds the batch of environments to Python and spreads its steps over threads.
#include "bindings/python/buffers.h"
#include "bindings/python/crew.h"
#include "bindings/python/worlds.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <vector>

using namespace nb::literals;

namespace {

struct Batch {
    pf_batch core{};
    std::vector<pf_env> envs;
    std::vector<pf_world *> starts;
    std::vector<nb::object> start_objects; // keep levels and start worlds alive
    std::vector<std::vector<int32_t>> pools;
    Kept buffers;
    std::unique_ptr<Crew> crew;
    int threads = 1;

    Batch() = default;
    Batch(const Batch &) = delete;
    ~Batch() {
        crew.reset();
        for (pf_env &env : envs)
            pf_free(env.world);
    }
};

pf_observation observation(Batch &batch, nb::handle arrays, const std::string &prefix) {
    size_t n = batch.envs.size();
    size_t cells = n * size_t(batch.core.view.columns) * size_t(batch.core.view.rows);
    return {bound_if_there<uint8_t>(batch.buffers, arrays, (prefix + "scene").c_str(), cells),
            bound_if_there<uint8_t>(batch.buffers, arrays, (prefix + "enemies").c_str(), cells),
            bound_if_there<uint8_t>(batch.buffers, arrays, (prefix + "merged").c_str(), cells),
            bound_if_there<float>(batch.buffers, arrays, (prefix + "state").c_str(), n * PF_STATE_FIELDS)};
}

void bind_buffers(Batch &batch, nb::handle arrays) {
    size_t n = batch.envs.size();
    pf_batch &core = batch.core;
    core.actions = bound<uint8_t>(batch.buffers, arrays, "actions", n);
    core.rewards = bound<double>(batch.buffers, arrays, "rewards", n);
    core.terminated = reinterpret_cast<uint8_t *>(bound<bool>(batch.buffers, arrays, "terminated", n));
    core.truncated = reinterpret_cast<uint8_t *>(bound<bool>(batch.buffers, arrays, "truncated", n));
    core.places = bound<float>(batch.buffers, arrays, "places", 2 * n);
    core.infos = bound<int32_t>(batch.buffers, arrays, "infos", n * PF_INFO_FIELDS);
    core.seen = observation(batch, arrays, "");
    core.seen_last = observation(batch, arrays, "last_");
}

void set_view(pf_view &view, nb::handle options) {
    auto [columns, rows, scene, enemies, on_screen] =
        nb::cast<std::tuple<int, int, int, int, bool>>(options);
    view = {columns, rows, uint8_t(scene), uint8_t(enemies), on_screen};
}

void set_reward(pf_reward &reward, nb::handle weights) {
    auto [progress, win, loss, coin, kill, power, tick] =
        nb::cast<std::tuple<double, double, double, double, double, double, double>>(weights);
    reward = {progress, win, loss, coin, kill, power, tick};
}

void make_batch(Batch *self, std::vector<nb::object> starts, std::vector<std::vector<int32_t>> pools,
                nb::handle buffers, nb::handle view, nb::handle reward, int frame_skip, int max_steps,
                int autoreset, int threads) {
    new (self) Batch();
    Batch &batch = *self;
    for (nb::object &start : starts)
        batch.starts.push_back(nb::cast<const World &>(start).get());
    batch.start_objects = std::move(starts);
    batch.pools = std::move(pools);
    batch.envs.resize(batch.pools.size());
    for (size_t k = 0; k < batch.envs.size(); k++)
        batch.envs[k] = {nullptr, batch.pools[k].data(), int32_t(batch.pools[k].size()), 0, 0, 0, 0};
    batch.core.envs = batch.envs.data();
    batch.core.starts = batch.starts.data();
    batch.core.frame_skip = frame_skip;
    batch.core.max_steps = max_steps;
    batch.core.autoreset = static_cast<pf_autoreset>(autoreset);
    set_view(batch.core.view, view);
    set_reward(batch.core.reward, reward);
    bind_buffers(batch, buffers);
    batch.threads = threads;
}

pf_env &env_at(Batch &batch, int k) {
    if (k < 0 || size_t(k) >= batch.envs.size())
        throw nb::index_error("no such environment");
    return batch.envs[size_t(k)];
}

void reset(Batch &batch, int k, int level) {
    env_at(batch, k);
    if (level >= int(batch.starts.size()))
        throw nb::index_error("no such level");
    if (!pf_batch_reset(&batch.core, k, level))
        throw std::bad_alloc();
}

void check_before_step(const Batch &batch) {
    for (size_t k = 0; k < batch.envs.size(); k++) {
        checked_action(batch.core.actions[k]);
        if (!batch.envs[k].world)
            raise_ludus("EpisodeOver", "the environments have not begun: call reset() first");
        if (batch.envs[k].over && batch.core.autoreset == PF_RESET_NEVER)
            raise_ludus("EpisodeOver", "environment " + std::to_string(k)
                                           + " is finished: call reset() before the next step");
    }
}

void step(Batch &batch) {
    check_before_step(batch);
    int n = int(batch.envs.size());
    bool good;
    {
        nb::gil_scoped_release released;
        if (batch.threads < 2) {
            good = pf_batch_step(&batch.core, 0, n);
        } else {
            if (!batch.crew)
                batch.crew = std::make_unique<Crew>(batch.threads - 1);
            int chunk = n / (4 * batch.threads);
            pf_batch *core = &batch.core;
            good = batch.crew->run(
                [core](int first, int last) { return pf_batch_step(core, first, last); }, n,
                chunk > 0 ? chunk : 1);
        }
    }
    if (!good)
        throw std::bad_alloc();
}

World *world_of(Batch &batch, int k) {
    pf_env &env = env_at(batch, k);
    if (!env.world)
        raise_ludus("EpisodeOver", "the environments have not begun: call reset() first");
    const World &start = nb::cast<const World &>(batch.start_objects[size_t(env.level)]);
    auto world = std::make_unique<World>();
    static_cast<View &>(*world) = View{cloned(env.world), start.level, start.physics};
    return world.release();
}

} // namespace

void bind_batch(nb::module_ &m) {
    nb::class_<Batch>(m, "Batch", "Environments stepped by one call, over buffers bound once.")
        .def("__init__", &make_batch, "starts"_a, "pools"_a, "buffers"_a, "view"_a, "reward"_a,
             "frame_skip"_a, "max_steps"_a, "autoreset"_a, "threads"_a)
        .def("seed", [](Batch &b, int k, uint64_t seed) { pf_env_seed(&env_at(b, k), seed); }, "env"_a,
             "seed"_a, "Seed the environment's choice of levels.")
        .def("reset", &reset, "env"_a, "level"_a = -1, "Begin an episode, on a drawn level or on this one.")
        .def("step", &step, "Step every environment with the bound actions.")
        .def("world", &world_of, "env"_a, "Return a copy of the environment's world.")
        .def("over", [](Batch &b, int k) { return env_at(b, k).over != 0; }, "env"_a,
             "Whether the environment's episode has ended.");
}
