// Binds the worm's tasks, worlds and batches to Python.
#include "bindings/python/buffers.h"
#include "bindings/python/crew.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

extern "C" {
#include "worm/batch.h"
#include "worm/worm.h"
}

namespace nb = nanobind;
using namespace nb::literals;

// A name of its own: types of equal names in two modules are one to nanobind.
namespace worm {

[[noreturn]] void raise_ludus(const char *name, const std::string &message) {
    nb::object type = nb::module_::import_("ludus.errors").attr(name);
    PyErr_SetString(type.ptr(), message.c_str());
    throw nb::python_error();
}

struct Freed {
    void operator()(void *memory) const { std::free(memory); }
};
template <typename T> using Memory = std::unique_ptr<T, Freed>;

template <typename T> Memory<T> memory(size_t bytes) {
    enum { ALIGNMENT = 64 };
    void *found = std::aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!found)
        throw std::bad_alloc();
    return Memory<T>(static_cast<T *>(found));
}

template <typename T> nb::object fresh_array(std::vector<T> values, std::vector<size_t> shape) {
    T *data = new T[values.size() + 1];
    std::copy(values.begin(), values.end(), data);
    nb::capsule owner(data, [](void *p) noexcept { delete[] static_cast<T *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
}

// ---- tasks -------------------------------------------------------------------------------------

struct Task {
    Memory<wm_task> memory;
    const wm_task *get() const { return memory.get(); }
};

wm_spots spots_of(nb::handle terms, const char *name) {
    wm_spots spots{};
    for (nb::handle spot : terms[name]) {
        if (spots.n == WM_MAX_SPOTS)
            raise_ludus("OptionError", std::string(name) + " holds more spots than "
                                           + std::to_string(int(WM_MAX_SPOTS)));
        auto [x, y, amount] = nb::cast<std::tuple<double, double, double>>(spot);
        spots.spot[spots.n++] = {x, y, amount};
    }
    return spots;
}

void make_task(Task *self, nb::handle terms) {
    wm_terms plain{};
#define READ(name) plain.name = nb::cast<double>(terms[#name]);
    WM_TERMS(READ)
#undef READ
    plain.hot = spots_of(terms, "hot_spots");
    plain.cold = spots_of(terms, "cold_spots");
    plain.high = spots_of(terms, "high_spots");
    plain.low = spots_of(terms, "low_spots");
    plain.hotspots = spots_of(terms, "hotspots");
    Task task{memory<wm_task>(wm_task_size(&plain))};
    wm_task_build(task.memory.get(), &plain);
    new (self) Task(std::move(task));
}

std::vector<std::string> term_names() {
    std::vector<std::string> names;
#define NAME(name) names.push_back(#name);
    WM_TERMS(NAME)
#undef NAME
    return names;
}

// ---- worlds ------------------------------------------------------------------------------------

struct World {
    Memory<wm_world> memory;
    nb::object task;
    std::vector<double> path; // x, y at the start and after every step

    wm_world *get() const { return memory.get(); }
    void note() {
        path.push_back(get()->x);
        path.push_back(get()->y);
    }
};

Memory<wm_world> copied(const wm_world *world) {
    size_t bytes = size_t(world->task->world_size);
    Memory<wm_world> copy = memory<wm_world>(bytes);
    std::memcpy(static_cast<void *>(copy.get()), world, bytes);
    return copy;
}

void make_world(World *self, nb::object task, uint64_t seed) {
    const wm_task *native = nb::cast<const Task &>(task).get();
    World world{memory<wm_world>(size_t(native->world_size)), task, {}};
    wm_begin(world.get(), native, seed);
    world.note();
    new (self) World(std::move(world));
}

World clone(const World &world) { return {copied(world.get()), world.task, world.path}; }

int checked(long action) {
    if (action < 0 || action >= WM_ACTIONS)
        raise_ludus("ActionError", "action " + std::to_string(action)
                                       + " is out of range: give 0 forward, 1 left, 2 right, 3 stay");
    return int(action);
}

void check_running(const World &world) {
    if (world.get()->ended)
        raise_ludus("EpisodeOver", "the episode ended at step " + std::to_string(world.get()->step)
                                       + ": begin a new world");
}

double step(World &world, long action) {
    int way = checked(action);
    check_running(world);
    double reward = wm_step(world.get(), wm_action(way));
    world.note();
    return reward;
}

double steer(World &world, double speed, double turn) {
    if (!world.get()->task->terms.continuous)
        raise_ludus("ActionError", "a grid's worm is not steered: give 0 forward, 1 left, 2 right, 3 stay");
    if (!std::isfinite(speed) || !std::isfinite(turn))
        raise_ludus("ActionError", "speed " + std::to_string(speed) + " and turn " + std::to_string(turn)
                                       + " must be finite numbers");
    check_running(world);
    double reward = wm_steer(world.get(), speed, turn);
    world.note();
    return reward;
}

// Plays actions until they or the episode end; returns how many were played.
size_t run(World &world, nb::bytes actions) {
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(actions.c_str());
    for (size_t k = 0; k < actions.size(); k++)
        checked(bytes[k]);
    size_t k = 0;
    for (; k < actions.size() && !world.get()->ended; k++) {
        wm_step(world.get(), wm_action(bytes[k]));
        world.note();
    }
    return k;
}

nb::object features(const World &world) {
    std::vector<float> values(size_t(world.get()->task->n_features));
    wm_features(world.get(), values.data());
    return fresh_array(std::move(values), {size_t(world.get()->task->n_features)});
}

nb::object foods(const World &world) {
    size_t n = size_t(world.get()->n_foods);
    std::vector<double> places(2 * n);
    for (size_t k = 0; k < n; k++)
        wm_food(world.get(), int(k), &places[2 * k], &places[2 * k + 1]);
    return fresh_array(std::move(places), {n, 2});
}

nb::object predators(const World &world) {
    size_t n = size_t(world.get()->task->terms.predators);
    std::vector<double> places;
    for (size_t k = 0; k < n; k++) {
        places.push_back(wm_predators(world.get())[k].x);
        places.push_back(wm_predators(world.get())[k].y);
    }
    return fresh_array(std::move(places), {n, 2});
}

nb::object path(const World &world) { return fresh_array(world.path, {world.path.size() / 2, 2}); }

std::vector<double> figures(const World &world) {
    std::vector<double> values(WM_FIGURES);
    wm_figures(world.get(), values.data());
    return values;
}

using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// A value at many places at once: fields for pictures.
template <typename Value> nb::object field(const Numbers &xs, const Numbers &ys, Value value) {
    if (xs.size() != ys.size())
        raise_ludus("OptionError", std::to_string(xs.size()) + " x and " + std::to_string(ys.size())
                                       + " y were given: give as many of each");
    std::vector<double> values(xs.size());
    for (size_t k = 0; k < values.size(); k++)
        values[k] = value(xs.data()[k], ys.data()[k]);
    size_t n = values.size();
    return fresh_array(std::move(values), {n});
}

// Refuses places that are not in the dish: the engine's tables end at its walls.
void check_places(const World &world, const Numbers &places) {
    const wm_task *task = world.get()->task;
    double last = task->terms.continuous ? task->terms.size : task->side - 1;
    for (size_t k = 0; k < places.size(); k++) {
        double value = places.data()[k];
        if (!(value >= 0 && value <= last) || (!task->terms.continuous && value != std::floor(value)))
            raise_ludus("OptionError", std::to_string(value) + " is no place in the dish: give 0 to "
                                           + std::to_string(int(last)));
    }
}

void put_foods(World &world, const Numbers &places) {
    check_places(world, places);
    int n = int(places.size() / 2);
    if (n > int(world.get()->task->terms.foods))
        raise_ludus("OptionError", std::to_string(n) + " foods are more than the task's "
                                       + std::to_string(int(world.get()->task->terms.foods)));
    wm_put_foods(world.get(), places.data(), n);
}

void put_predators(World &world, const Numbers &places) {
    check_places(world, places);
    int n = int(places.size() / 2), wanted = int(world.get()->task->terms.predators);
    if (n != wanted)
        raise_ludus("OptionError", std::to_string(n) + " predators were given: the task has "
                                       + std::to_string(wanted));
    wm_put_predators(world.get(), places.data(), n);
}

void put_memory(World &world, const Numbers &values, const Numbers &moves, std::vector<int32_t> actions) {
    const wm_task *task = world.get()->task;
    size_t n = actions.size();
    if (!task->memory_size || values.size() != n * size_t(task->n_channels) || moves.size() != 2 * n)
        raise_ludus("OptionError", std::to_string(values.size()) + " values do not fit "
                                       + std::to_string(n) + " samples of "
                                       + std::to_string(task->n_channels) + " channels");
    wm_put_memory(world.get(), values.data(), moves.data(), actions.data(), int(n));
}

// ---- batches -----------------------------------------------------------------------------------

struct Batch {
    wm_batch core{};
    nb::object task;
    Memory<char> worlds;
    Kept kept;
    std::unique_ptr<Crew> crew;
    int n = 0, threads = 1;
    bool begun = false;
};

void make_batch(Batch *self, nb::object task, int n, nb::handle buffers, int autoreset, int threads) {
    new (self) Batch();
    Batch &batch = *self;
    const wm_task *native = nb::cast<const Task &>(task).get();
    batch.task = task;
    batch.n = n;
    batch.threads = threads;
    batch.worlds = memory<char>(size_t(n) * size_t(native->world_size));
    wm_batch &core = batch.core;
    core.task = native;
    core.worlds = batch.worlds.get();
    core.autoreset = static_cast<wm_autoreset>(autoreset);
    size_t all = size_t(n), each = size_t(native->n_features);
    core.actions = bound<int32_t>(batch.kept, buffers, "actions", all);
    core.steering = bound_if_there<float>(batch.kept, buffers, "steering", 2 * all);
    core.features = bound<float>(batch.kept, buffers, "features", all * each);
    core.final_features = bound_if_there<float>(batch.kept, buffers, "final_features", all * each);
    core.rewards = bound<float>(batch.kept, buffers, "rewards", all);
    core.ended = bound<uint8_t>(batch.kept, buffers, "ended", all);
    core.seeds = bound<uint64_t>(batch.kept, buffers, "seeds", all);
    core.last = bound<double>(batch.kept, buffers, "last", all * WM_FIGURES);
    core.finished = bound<int64_t>(batch.kept, buffers, "finished", all);
}

// Begins an episode wherever there is a seed; -1 stands for none, -2 for the seed after the last.
void begin(Batch &batch, const nb::ndarray<const int64_t, nb::c_contig, nb::device::cpu> &seeds) {
    for (int k = 0; k < batch.n; k++) {
        int64_t seed = seeds.data()[k];
        if (seed != -1)
            wm_batch_begin(&batch.core, k, seed >= 0 ? uint64_t(seed) : wm_next_seed(batch.core.seeds[k]));
    }
    batch.begun = true;
}

void check_actions(const Batch &batch) {
    const int32_t *actions = batch.core.actions;
    uint32_t worst = 0;
    for (int k = 0; k < batch.n; k++)
        worst |= uint32_t(actions[k]);
    if (worst >= WM_ACTIONS)
        for (int k = 0; k < batch.n; k++)
            checked(actions[k]);
}

void step_batch(Batch &batch, bool steered) {
    if (!batch.begun)
        raise_ludus("EpisodeOver", "the worlds have not begun: call begin() first");
    batch.core.steered = steered;
    if (!steered)
        check_actions(batch);
    nb::gil_scoped_release released;
    if (batch.threads < 2) {
        wm_batch_step(&batch.core, 0, batch.n);
        return;
    }
    if (!batch.crew)
        batch.crew = std::make_unique<Crew>(batch.threads - 1);
    int chunk = batch.n / (4 * batch.threads);
    auto job = [&batch](int first, int last) {
        wm_batch_step(&batch.core, first, last);
        return true;
    };
    batch.crew->run(job, batch.n, chunk > 0 ? chunk : 1);
}

World world_of(const Batch &batch, int k) {
    if (k < 0 || k >= batch.n)
        throw nb::index_error("no such world");
    if (!batch.begun)
        raise_ludus("EpisodeOver", "the worlds have not begun: call begin() first");
    World world{copied(wm_batch_world(&batch.core, k)), batch.task, {}};
    world.note();
    return world;
}

nb::object figures_of(const Batch &batch) {
    std::vector<double> values(size_t(batch.n) * WM_FIGURES);
    for (int k = 0; k < batch.n; k++)
        wm_figures(wm_batch_world(&batch.core, k), &values[size_t(k) * WM_FIGURES]);
    return fresh_array(std::move(values), {size_t(batch.n), WM_FIGURES});
}

nb::object places_of(const Batch &batch) {
    std::vector<double> values;
    for (int k = 0; k < batch.n; k++) {
        values.push_back(wm_batch_world(&batch.core, k)->x);
        values.push_back(wm_batch_world(&batch.core, k)->y);
    }
    return fresh_array(std::move(values), {size_t(batch.n), 2});
}

nb::dict build_info() {
    nb::dict info;
    info["compiler"] = LUDUS_ENGINE_COMPILER;
    info["flags"] = LUDUS_ENGINE_FLAGS;
    info["source_hash"] = LUDUS_ENGINE_DIGEST;
    return info;
}

void bind_worlds(nb::module_ &m) {
    nb::class_<World>(m, "World", "One worm in its world.")
        .def("__init__", &make_world, "task"_a, "seed"_a)
        .def("clone", &clone, "Return an exact, independent copy.")
        .def("step", &step, "action"_a, "Play one action and return the reward.")
        .def("run", &run, "actions"_a, "Play actions, a byte each, until they or the episode end.")
        .def("steer", &steer, "speed"_a, "turn"_a, "Crawl on a dish and return the reward.")
        .def("features", &features, "Return what the worm senses.")
        .def("foods", &foods, "Return where the food is.")
        .def("predators", &predators, "Return where the predators are.")
        .def("path", &path, "Return where the worm was, from the start or from where it was copied.")
        .def("figures", &figures, "Return the episode's figures, in the order of FIGURES.")
        .def("evaluate", [](const World &w) { return wm_evaluate_now(w.get()); },
             "Return what the state as it stands is worth.")
        .def("hash", [](const World &w) { return wm_hash(w.get()); }, "Return a 64-bit digest of the state.")
        .def_prop_ro("seed", [](const World &w) { return w.get()->seed; }, "The episode's seed.")
        .def_prop_ro("steps", [](const World &w) { return w.get()->step; }, "Steps played.")
        .def_prop_ro("ended", [](const World &w) { return w.get()->ended; }, "0, or how it has ended.")
        .def_prop_ro("place", [](const World &w) { return std::pair(w.get()->x, w.get()->y); }, "Where the worm is.")
        .def_prop_ro("direction", [](const World &w) { return std::pair(w.get()->cosine, w.get()->sine); },
                     "The unit vector of the heading.")
        .def_prop_ro("pulls", [](const World &w) {
                const wm_pull food = wm_food_at(w.get(), w.get()->x, w.get()->y);
                const wm_pull fear = wm_predators_at(w.get(), w.get()->x, w.get()->y);
                return std::vector<double>{food.sum, food.x, food.y, fear.sum, fear.x, fear.y};
            }, "Sum and vector of the food's and the predators' scents at the worm.")
        .def("food_field", [](const World &w, const Numbers &x, const Numbers &y) {
                return field(x, y, [&w](double a, double b) { return wm_food_at(w.get(), a, b).sum; });
            }, "x"_a, "y"_a, "Return the food's summed scent at these places.")
        .def("predator_field", [](const World &w, const Numbers &x, const Numbers &y) {
                return field(x, y, [&w](double a, double b) { return wm_predators_at(w.get(), a, b).sum; });
            }, "x"_a, "y"_a, "Return the predators' summed scent at these places.")
        .def("put_worm", [](World &w, double x, double y, double heading) { wm_put_worm(w.get(), x, y, heading); },
             "x"_a, "y"_a, "heading"_a)
        .def("put_foods", &put_foods, "places"_a)
        .def("put_predators", &put_predators, "places"_a)
        .def("put_trail", [](World &w, const Numbers &places) {
                check_places(w, places);
                wm_put_trail(w.get(), places.data(), int(places.size() / 2));
            }, "places"_a)
        .def("put_flags", [](World &w, bool wall_hit, bool fresh, int still) {
                wm_put_flags(w.get(), wall_hit, fresh, still);
            }, "wall_hit"_a, "fresh"_a, "still"_a)
        .def("put_memory", &put_memory, "values"_a, "moves"_a, "actions"_a)
        .def("settle", [](World &w) { wm_settle(w.get()); }, "Take stock after things were put elsewhere.");
}

} // namespace worm

NB_MODULE(_native, m) {
    using namespace worm;
    m.doc() = "The worm's engine.";
    nb::set_leak_warnings(false); // tasks kept by a cache live until the interpreter ends
    nb::class_<Task>(m, "Task", "A task as the engine holds it.")
        .def("__init__", &make_task, "terms"_a)
        .def_prop_ro("n_features", [](const Task &t) { return t.get()->n_features; })
        .def_prop_ro("n_channels", [](const Task &t) { return t.get()->n_channels; })
        .def("temperature", [](const Task &t, const Numbers &x, const Numbers &y) {
                return field(x, y, [&t](double a, double b) { return wm_temperature_at(t.get(), a, b); });
            }, "x"_a, "y"_a, "Return the temperature at these places.")
        .def("oxygen", [](const Task &t, const Numbers &x, const Numbers &y) {
                return field(x, y, [&t](double a, double b) { return wm_oxygen_at(t.get(), a, b); });
            }, "x"_a, "y"_a, "Return the oxygen at these places.")
        .def("temperature_zone", [](const Task &t, double value) { return wm_temperature_zone(t.get(), value); })
        .def("oxygen_zone", [](const Task &t, double value) { return wm_oxygen_zone(t.get(), value); });
    bind_worlds(m);
    nb::class_<Batch>(m, "Batch", "Worlds stepped by one call, over buffers bound once.")
        .def("__init__", &make_batch, "task"_a, "n"_a, "buffers"_a, "autoreset"_a, "threads"_a)
        .def("begin", &begin, "seeds"_a, "Begin an episode wherever there is a seed.")
        .def("step", &step_batch, "steered"_a, "Step every world with the bound actions.")
        .def("world", &world_of, "k"_a, "Return a copy of world k.")
        .def("figures", &figures_of, "Return the figures of every world as it is.")
        .def("places", &places_of, "Return where every worm is.");
    m.def("term_names", &term_names, "Return the names of a task's constants.");
    m.def("rule_sets", [] { nb::dict versions; versions[WM_RULES] = int(WM_VERSION); return versions; },
          "Return the version of each rule set by its name.");
    m.def("digest_version", [] { return int(WM_DIGEST_VERSION); }, "Return the version of the state digest.");
    m.def("build_info", &build_info, "Return how the engine was built.");
    m.attr("MAX_SIZE") = int(WM_MAX_SIZE);
    m.attr("MAX_FOODS") = int(WM_MAX_FOODS);
    m.attr("MAX_PREDATORS") = int(WM_MAX_PREDATORS);
    m.attr("MAX_SPOTS") = int(WM_MAX_SPOTS);
    m.attr("MAX_MEMORY") = int(WM_MAX_MEMORY);
}
