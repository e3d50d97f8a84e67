// Binds the worm's tasks, worlds and batches to Python.
#include "bindings/python/worm.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace worm {

// ---- tasks -------------------------------------------------------------------------------------

std::vector<std::string> term_names() {
    std::vector<std::string> names;
    for (int32_t k = 0; k < ludus_worm_term_count(); k++)
        names.push_back(ludus_worm_term_name(k));
    return names;
}

std::vector<ludus_spot> list_spots(nb::handle terms, const char *name) {
    std::vector<ludus_spot> spots;
    for (nb::handle spot : terms[name]) {
        auto [x, y, amount] = nb::cast<std::tuple<double, double, double>>(spot);
        spots.push_back({x, y, amount});
    }
    return spots;
}

void make_task(Task *self, nb::handle terms) {
    const char *const names[] = {"hot_spots", "cold_spots", "high_spots", "low_spots", "hotspots"};
    std::vector<double> values;
    for (const std::string &name : term_names())
        values.push_back(nb::cast<double>(terms[name.c_str()]));
    std::vector<ludus_spot> spots[5];
    for (int k = 0; k < 5; k++)
        spots[k] = list_spots(terms, names[k]);
    auto as_list = [&](int k) { return ludus_spots{spots[k].data(), spots[k].size()}; };
    ludus_worm_task_options options{sizeof options, values.data(), values.size(), as_list(0),
                                    as_list(1),     as_list(2),    as_list(3),    as_list(4)};
    ludus_worm_task *task;
    check(ludus_worm_task_new(&options, &task));
    new (self) Task{Handle<ludus_worm_task>(task)};
}

// ---- worlds ------------------------------------------------------------------------------------

World wrap_world(ludus_worm *worm, nb::object task) {
    World world{Handle<ludus_worm>(worm), std::move(task), {}};
    world.note_place();
    return world;
}

void make_world(World *self, nb::object task, uint64_t seed) {
    ludus_worm *worm;
    check(ludus_worm_begin(nb::cast<const Task &>(task).get(), seed, &worm));
    new (self) World(wrap_world(worm, task));
}

World clone(const World &world) {
    ludus_worm *copy;
    check(ludus_worm_clone(world.get(), &copy));
    return {Handle<ludus_worm>(copy), world.task, world.path};
}

nb::bytes clone_state(const World &world) { return save(ludus_worm_save, (const ludus_worm *)world.get()); }

// The path begins anew where the worm is then.
void restore_state(World &world, nb::bytes state) {
    check(ludus_worm_load(world.get(), state.data(), state.size()));
    world.path.clear();
    world.note_place();
}

void put_path(World &world, const std::vector<double> &path) { world.path = path; }

double step(World &world, int64_t action) {
    double reward;
    check(ludus_worm_step(world.get(), action, &reward));
    world.note_place();
    return reward;
}

double steer(World &world, double speed, double turn) {
    double reward;
    check(ludus_worm_steer(world.get(), speed, turn, &reward));
    world.note_place();
    return reward;
}

// Plays actions until they or the episode end; returns how many were played.
size_t run(World &world, nb::bytes actions) {
    size_t played, before = world.path.size();
    std::vector<double> way(2 * actions.size());
    check(ludus_worm_run(world.get(), reinterpret_cast<const uint8_t *>(actions.c_str()), actions.size(),
                         way.data(), &played));
    world.path.resize(before + 2 * played);
    std::copy_n(way.begin(), 2 * played, world.path.begin() + ptrdiff_t(before));
    return played;
}

nb::object features(const World &world) {
    size_t n = ludus_worm_features(world.get(), nullptr, 0);
    return new_array<float>({n}, [&](float *out) { ludus_worm_features(world.get(), out, n); });
}

using Lister = size_t (*)(const ludus_worm *, double *, size_t);

nb::object list_places(const World &world, Lister list) {
    size_t n = list(world.get(), nullptr, 0);
    return new_array<double>({n, 2}, [&](double *out) { list(world.get(), out, n); });
}

nb::object foods(const World &world) { return list_places(world, ludus_worm_foods); }
nb::object predators(const World &world) { return list_places(world, ludus_worm_predators); }

nb::object path(const World &world) {
    return new_array<double>({world.path.size() / 2, 2}, [&](double *out) {
        std::copy(world.path.begin(), world.path.end(), out);
    });
}

std::vector<double> figures(const World &world) {
    std::vector<double> values(LUDUS_WORM_FIGURES);
    ludus_worm_figures(world.get(), values.data(), values.size());
    return values;
}

std::vector<double> pulls(const World &world) {
    std::vector<double> values(6);
    ludus_worm_pulls(world.get(), values.data(), values.data() + 3);
    return values;
}

using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// A value at many places at once: fields for pictures.
template <typename Of> nb::object field(const Numbers &xs, const Numbers &ys, double (*value)(const Of *, double, double), const Of *of) {
    if (xs.size() != ys.size())
        raise_ludus("OptionError", std::to_string(xs.size()) + " x and " + std::to_string(ys.size())
                                       + " y were given: give as many of each");
    return new_array<double>({xs.size()}, [&](double *out) {
        for (size_t k = 0; k < xs.size(); k++)
            out[k] = value(of, xs.data()[k], ys.data()[k]);
    });
}

template <auto Value> nb::object world_field(const World &w, const Numbers &x, const Numbers &y) {
    return field<ludus_worm>(x, y, Value, w.get());
}
template <auto Value> nb::object task_field(const Task &t, const Numbers &x, const Numbers &y) {
    return field<ludus_worm_task>(x, y, Value, t.get());
}

template <auto Put> void put_places(World &world, const Numbers &places) {
    check(Put(world.get(), places.data(), places.size() / 2));
}

void put_memory(World &world, const Numbers &values, const Numbers &moves, std::vector<int32_t> actions) {
    size_t channels = size_t(ludus_worm_channels_count(nb::cast<const Task &>(world.task).get()));
    size_t n = actions.size();
    if (values.size() != n * channels || moves.size() != 2 * n)
        raise_ludus("OptionError", std::to_string(values.size()) + " values do not fit "
                                       + std::to_string(n) + " samples of " + std::to_string(channels)
                                       + " channels");
    check(ludus_worm_put_memory(world.get(), values.data(), moves.data(), actions.data(), n));
}

// ---- batches -----------------------------------------------------------------------------------

constexpr const char *WHAT = Batch::WHAT;

void make_batch(Batch *self, nb::object task, int n, nb::handle arrays, int autoreset, int threads) {
    const ludus_worm_task *native = nb::cast<const Task &>(task).get();
    size_t all = size_t(n), each = size_t(ludus_worm_features_count(native));
    Buffers buffers;
    ludus_worm_batch_options o{};
    o.size = sizeof o;
    o.n = n;
    o.autoreset = autoreset;
    o.threads = threads;
    o.actions = bind_buffer<int32_t>(buffers, arrays, "actions", all);
    o.steering = bind_optional<float>(buffers, arrays, "steering", 2 * all);
    o.features = bind_buffer<float>(buffers, arrays, "features", all * each);
    o.final_features = bind_optional<float>(buffers, arrays, "final_features", all * each);
    o.rewards = bind_buffer<float>(buffers, arrays, "rewards", all);
    o.ended = bind_buffer<uint8_t>(buffers, arrays, "ended", all);
    o.seeds = bind_buffer<uint64_t>(buffers, arrays, "seeds", all);
    o.last = bind_buffer<double>(buffers, arrays, "last", all * LUDUS_WORM_FIGURES);
    o.finished = bind_buffer<int64_t>(buffers, arrays, "finished", all);
    ludus_worm_batch *batch;
    check(ludus_worm_batch_new(native, &o, &batch));
    new (self) Batch{Handle<ludus_worm_batch>(batch), task, std::move(buffers), all};
}

void begin(Batch &batch, const nb::ndarray<const int64_t, nb::c_contig, nb::device::cpu> &seeds) {
    Work work(batch.busy, WHAT);
    check(ludus_worm_batch_begin(batch.get(), seeds.data(), seeds.size()));
}

void step_batch(Batch &batch, bool steered) {
    Work work(batch.busy, WHAT);
    check(run_unlocked([&] { return ludus_worm_batch_step(batch.get(), steered); }));
}

nb::bytes clone_batch_state(const Batch &batch) {
    Work work(batch.busy, WHAT);
    return save(ludus_worm_batch_save, (const ludus_worm_batch *)batch.get());
}

void restore_batch_state(Batch &batch, nb::bytes state) {
    Work work(batch.busy, WHAT);
    check(ludus_worm_batch_load(batch.get(), state.data(), state.size()));
}

World copy_world(const Batch &batch, int k) {
    Work work(batch.busy, WHAT);
    ludus_worm *worm;
    check(ludus_worm_batch_world(batch.get(), k, &worm));
    return wrap_world(worm, batch.task);
}

nb::object list_figures(const Batch &batch) {
    Work work(batch.busy, WHAT);
    return new_array<double>({batch.n, LUDUS_WORM_FIGURES}, [&](double *out) {
        std::fill_n(out, batch.n * LUDUS_WORM_FIGURES, 0.0); // of worlds that have not begun
        ludus_worm_batch_figures(batch.get(), out, batch.n);
    });
}

nb::object list_batch_places(const Batch &batch) {
    Work work(batch.busy, WHAT);
    return new_array<double>({batch.n, 2}, [&](double *out) {
        std::fill_n(out, 2 * batch.n, 0.0);
        ludus_worm_batch_places(batch.get(), out, batch.n);
    });
}

nb::dict rule_sets() {
    nb::dict versions;
    versions[ludus_worm_rules_name()] = ludus_worm_rules_version();
    return versions;
}

void bind_worlds(nb::module_ &m) {
    Locked<World>(m, "World", "One worm in its world.")
        .def("__init__", &make_world, "task"_a, "seed"_a)
        .def("clone", &clone, "Return an exact, independent copy.")
        .def("clone_state", &clone_state, "Return the whole state as bytes, for restore_state.")
        .def("restore_state", &restore_state, "state"_a, "Go on from a state of a world of the same task.")
        .def("put_path", &put_path, "path"_a, "Say where the worm was: x, y one after the other.")
        .def("step", &step, "action"_a, "Play one action and return the reward.")
        .def("run", &run, "actions"_a, "Play actions, a byte each, until they or the episode end.")
        .def("steer", &steer, "speed"_a, "turn"_a, "Crawl on a dish and return the reward.")
        .def("features", &features, "Return what the worm senses.")
        .def("foods", &foods, "Return where the food is.")
        .def("predators", &predators, "Return where the predators are.")
        .def("path", &path, "Return where the worm was, from the start or from where it was copied.")
        .def("figures", &figures, "Return the episode's figures, in the order of FIGURES.")
        .def("evaluate", [](const World &w) { return ludus_worm_evaluate(w.get()); },
             "Return what the state as it stands is worth.")
        .def("hash", [](const World &w) { return ludus_worm_hash(w.get()); }, "Return a 64-bit digest of the state.")
        .def_prop_ro("seed", [](const World &w) { return w.facts().seed; }, "The episode's seed.")
        .def_prop_ro("steps", [](const World &w) { return w.facts().steps; }, "Steps played.")
        .def_prop_ro("ended", [](const World &w) { return w.facts().ended; }, "0, or how it has ended.")
        .def_prop_ro("place", [](const World &w) { return std::pair(w.facts().x, w.facts().y); }, "Where the worm is.")
        .def_prop_ro("direction", [](const World &w) { return std::pair(w.facts().cosine, w.facts().sine); },
                     "The unit vector of the heading.")
        .def_prop_ro("pulls", &pulls, "Sum and vector of the food's and the predators' scents at the worm.")
        .def("food_field", &world_field<ludus_worm_food_scent>, "x"_a, "y"_a,
             "Return the food's summed scent at these places.")
        .def("predator_field", &world_field<ludus_worm_predator_scent>, "x"_a, "y"_a,
             "Return the predators' summed scent at these places.")
        .def("put_worm", [](World &w, double x, double y, double heading) {
                ludus_worm_put_worm(w.get(), x, y, heading);
            }, "x"_a, "y"_a, "heading"_a)
        .def("put_foods", &put_places<ludus_worm_put_foods>, "places"_a)
        .def("put_predators", &put_places<ludus_worm_put_predators>, "places"_a)
        .def("put_trail", &put_places<ludus_worm_put_trail>, "places"_a)
        .def("put_flags", [](World &w, bool wall_hit, bool fresh, int still) {
                ludus_worm_put_flags(w.get(), wall_hit, fresh, still);
            }, "wall_hit"_a, "fresh"_a, "still"_a)
        .def("put_memory", &put_memory, "values"_a, "moves"_a, "actions"_a)
        .def("settle", [](World &w) { ludus_worm_settle(w.get()); }, "Take stock after things were put elsewhere.");
}

} // namespace worm

NB_MODULE(_native, m) {
    using namespace worm;
    m.doc() = "The worm's engine.";
    nb::set_leak_warnings(false); // tasks kept by a cache live until the interpreter ends
    nb::class_<Task>(m, "Task", "A task as the engine holds it.")
        .def("__init__", &make_task, "terms"_a)
        .def_prop_ro("n_features", [](const Task &t) { return ludus_worm_features_count(t.get()); })
        .def_prop_ro("n_channels", [](const Task &t) { return ludus_worm_channels_count(t.get()); })
        .def("temperature", &task_field<ludus_worm_temperature>, "x"_a, "y"_a,
             "Return the temperature at these places.")
        .def("oxygen", &task_field<ludus_worm_oxygen>, "x"_a, "y"_a, "Return the oxygen at these places.")
        .def("temperature_zone", [](const Task &t, double value) { return ludus_worm_temperature_zone(t.get(), value); })
        .def("oxygen_zone", [](const Task &t, double value) { return ludus_worm_oxygen_zone(t.get(), value); });
    bind_worlds(m);
    nb::class_<Batch>(m, "Batch", "Worlds stepped by one call, over buffers bound once.")
        .def("__init__", &make_batch, "task"_a, "n"_a, "buffers"_a, "autoreset"_a, "threads"_a)
        .def("begin", &begin, "seeds"_a, "Begin an episode wherever there is a seed.")
        .def("step", &step_batch, "steered"_a, "Step every world with the bound actions.")
        .def("clone_state", &clone_batch_state, "Return the state of all worlds as bytes.")
        .def("restore_state", &restore_batch_state, "state"_a, "Go on from a state of a batch of this task.")
        .def("world", &copy_world, "k"_a, "Return a copy of world k.")
        .def("figures", &list_figures, "Return the figures of every world as it is.")
        .def("places", &list_batch_places, "Return where every worm is.");
    bind_colonies(m);
    bind_learning(m);
    m.def("term_names", &term_names, "Return the names of a task's constants.");
    m.def("rule_sets", &rule_sets, "Return the version of each rule set by its name.");
    m.def("digest_version", &ludus_worm_digest_version, "Return the version of the state digest.");
    m.def("build_info", &describe_build, "Return how the engine was built.");
    m.attr("MAX_SIZE") = int(LUDUS_WORM_MAX_SIZE);
    m.attr("MAX_FOODS") = int(LUDUS_WORM_MAX_FOODS);
    m.attr("MAX_PREDATORS") = int(LUDUS_WORM_MAX_PREDATORS);
    m.attr("MAX_SPOTS") = int(LUDUS_WORM_MAX_SPOTS);
    m.attr("MAX_MEMORY") = int(LUDUS_WORM_MAX_MEMORY);
}
