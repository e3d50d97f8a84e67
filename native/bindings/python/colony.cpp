// Binds colonies, several worms on one dish, to Python.
#include "bindings/python/worm.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace worm {

static std::vector<std::string> colony_term_names() {
    std::vector<std::string> names;
    for (int32_t k = 0; k < ludus_colony_term_count(); k++)
        names.push_back(ludus_colony_term_name(k));
    return names;
}

static std::vector<double> list_terms(nb::handle terms) {
    std::vector<double> values;
    for (const std::string &name : colony_term_names())
        values.push_back(nb::cast<double>(terms[name.c_str()]));
    return values;
}

static ludus_colony_options as_options(const std::vector<double> &values) {
    return {sizeof(ludus_colony_options), values.data(), values.size()};
}

struct Colony {
    Handle<ludus_colony> colony;
    nb::object task;

    ludus_colony *get() const { return colony.get(); }
    ludus_colony_facts facts() const {
        ludus_colony_facts facts;
        ludus_colony_describe(get(), &facts);
        return facts;
    }
};

static void make_colony(Colony *self, nb::object task, nb::handle terms, uint64_t seed) {
    std::vector<double> values = list_terms(terms);
    ludus_colony_options options = as_options(values);
    ludus_colony *colony;
    check(ludus_colony_begin(nb::cast<const Task &>(task).get(), &options, seed, &colony));
    new (self) Colony{Handle<ludus_colony>(colony), task};
}

static Colony clone_colony(const Colony &colony) {
    ludus_colony *copy;
    check(ludus_colony_clone(colony.get(), &copy));
    return {Handle<ludus_colony>(copy), colony.task};
}

static nb::bytes clone_colony_state(const Colony &colony) {
    return save(ludus_colony_save, (const ludus_colony *)colony.get());
}

static void restore_colony_state(Colony &colony, nb::bytes state) {
    check(ludus_colony_load(colony.get(), state.data(), state.size()));
}

static std::vector<double> step_colony(Colony &colony, const std::vector<int32_t> &actions) {
    std::vector<double> rewards(size_t(colony.facts().worms));
    check(ludus_colony_step(colony.get(), actions.data(), actions.size(), rewards.data()));
    return rewards;
}

static nb::object colony_features(const Colony &colony) {
    ludus_colony_facts facts = colony.facts();
    size_t all = size_t(facts.worms) * size_t(facts.features);
    return new_array<float>({size_t(facts.worms), size_t(facts.features)},
                            [&](float *out) { ludus_colony_features(colony.get(), out, all); });
}

static World copy_worm(const Colony &colony, int k) {
    ludus_worm *worm;
    check(ludus_colony_worm(colony.get(), k, &worm));
    return wrap_world(worm, colony.task);
}

static nb::object list_sources(const Colony &colony, int scent) {
    size_t n = ludus_colony_sources(colony.get(), scent, nullptr, 0);
    return new_array<double>({n, 3}, [&](double *out) { ludus_colony_sources(colony.get(), scent, out, n); });
}

// ---- batches -----------------------------------------------------------------------------------

struct ColonyBatch {
    Handle<ludus_colony_batch> batch;
    nb::object task;
    Buffers buffers;
    mutable Busy busy{false};

    ludus_colony_batch *get() const { return batch.get(); }
};

constexpr const char *COLONIES = "the batch of colonies";

static void make_colonies(ColonyBatch *self, nb::object task, nb::handle terms, int n, nb::handle arrays,
                          bool autoreset, int threads) {
    std::vector<double> values = list_terms(terms);
    ludus_colony_options options = as_options(values);
    ludus_colony *first;
    check(ludus_colony_begin(nb::cast<const Task &>(task).get(), &options, 0, &first));
    ludus_colony_facts facts = Colony{Handle<ludus_colony>(first), task}.facts();
    size_t colonies = n < 0 ? 0 : size_t(n), all = colonies * size_t(facts.worms);
    Buffers buffers;
    ludus_colony_batch_options o{};
    o.size = sizeof o;
    o.n = n;
    o.threads = threads;
    o.autoreset = autoreset;
    o.actions = bind_buffer<int32_t>(buffers, arrays, "actions", all);
    o.features = bind_buffer<float>(buffers, arrays, "features", all * size_t(facts.features));
    o.rewards = bind_buffer<float>(buffers, arrays, "rewards", all);
    o.ended = bind_buffer<uint8_t>(buffers, arrays, "ended", all);
    o.seeds = bind_buffer<uint64_t>(buffers, arrays, "seeds", colonies);
    o.last = bind_buffer<double>(buffers, arrays, "last", all * LUDUS_WORM_FIGURES);
    o.finished = bind_buffer<int64_t>(buffers, arrays, "finished", colonies);
    ludus_colony_batch *batch;
    check(ludus_colony_batch_new(nb::cast<const Task &>(task).get(), &options, &o, &batch));
    new (self) ColonyBatch{Handle<ludus_colony_batch>(batch), task, std::move(buffers)};
}

static void begin_colonies(ColonyBatch &batch, const nb::ndarray<const uint64_t, nb::c_contig, nb::device::cpu> &seeds) {
    Work work(batch.busy, COLONIES);
    check(ludus_colony_batch_begin(batch.get(), seeds.data(), seeds.size()));
}

static void step_colonies(ColonyBatch &batch) {
    Work work(batch.busy, COLONIES);
    check(run_unlocked([&] { return ludus_colony_batch_step(batch.get()); }));
}

static nb::bytes clone_colonies_state(const ColonyBatch &batch) {
    Work work(batch.busy, COLONIES);
    return save(ludus_colony_batch_save, (const ludus_colony_batch *)batch.get());
}

static void restore_colonies_state(ColonyBatch &batch, nb::bytes state) {
    Work work(batch.busy, COLONIES);
    check(ludus_colony_batch_load(batch.get(), state.data(), state.size()));
}

static Colony copy_colony(const ColonyBatch &batch, int k) {
    Work work(batch.busy, COLONIES);
    ludus_colony *colony;
    check(ludus_colony_batch_colony(batch.get(), k, &colony));
    return {Handle<ludus_colony>(colony), batch.task};
}

void bind_colonies(nb::module_ &m) {
    Locked<Colony>(m, "Colony", "Several worms on one dish.")
        .def("__init__", &make_colony, "task"_a, "terms"_a, "seed"_a)
        .def("clone", &clone_colony, "Return an exact, independent copy.")
        .def("clone_state", &clone_colony_state, "Return the whole state as bytes, for restore_state.")
        .def("restore_state", &restore_colony_state, "state"_a, "Go on from a state of the same colony.")
        .def("step", &step_colony, "actions"_a, "Play an action of every worm and return their rewards.")
        .def("features", &colony_features, "Return what every worm senses, one row each.")
        .def("worm", &copy_worm, "k"_a, "Return a copy of worm k in a world of its own.")
        .def("sources", &list_sources, "scent"_a, "Return x, y and what is left of the sources of a scent.")
        .def("scent", [](const Colony &c, int scent, int x, int y) { return ludus_colony_scent(c.get(), scent, x, y); },
             "scent"_a, "x"_a, "y"_a, "Return how strongly a cell smells of a scent.")
        .def("hash", [](const Colony &c) { return ludus_colony_hash(c.get()); }, "Return a 64-bit digest of the state.")
        .def_prop_ro("steps", [](const Colony &c) { return c.facts().steps; }, "Steps played.")
        .def_prop_ro("alive", [](const Colony &c) { return c.facts().alive; }, "Worms whose episode has not ended.")
        .def_prop_ro("n_features", [](const Colony &c) { return c.facts().features; }, "What a worm senses.");
    nb::class_<ColonyBatch>(m, "ColonyBatch", "Colonies stepped by one call, over buffers bound once.")
        .def("__init__", &make_colonies, "task"_a, "terms"_a, "n"_a, "buffers"_a, "autoreset"_a, "threads"_a)
        .def("begin", &begin_colonies, "seeds"_a, "Begin an episode in every colony.")
        .def("step", &step_colonies, "Step every colony with the bound actions.")
        .def("clone_state", &clone_colonies_state, "Return the state of all colonies as bytes, for restore_state.")
        .def("restore_state", &restore_colonies_state, "state"_a, "Go on from a state of as many such colonies.")
        .def("colony", &copy_colony, "k"_a, "Return a copy of colony k.");
    m.def("colony_term_names", &colony_term_names, "Return the names of a colony's constants.");
    m.attr("MAX_WORMS") = int(LUDUS_COLONY_MAX_WORMS);
    m.attr("MAX_SOURCES") = int(LUDUS_COLONY_MAX_SOURCES);
}

} // namespace worm
