// Binds policies that learn from practice games to Python.
#include "bindings/python/practice.h"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

extern "C" {
#include "training/ppo.h"

practice *abi_practice_core(ludus_practice *practice);
}

using namespace nb::literals;

namespace {

template <typename T> using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

struct FreePpo {
    void operator()(ppo *p) const { ppo_free(p); }
};

struct Ppo {
    std::unique_ptr<ppo, FreePpo> core;
    mutable Busy busy{false};
};

constexpr const char *WHAT = "the learner";

void make_ppo(Ppo *self, int fields, const std::vector<int32_t> &strides, const std::vector<int32_t> &widths,
              int games, int slots, int threads) {
    network net;
    int actions = widths.empty() ? 0 : widths.back() - 1;
    if (actions < 1 || actions > PPO_MOST_ACTIONS
        || !network_plan(&net, fields, strides.data(), int(strides.size()), widths.data(), int(widths.size())))
        throw nb::value_error("no network has such layers");
    ppo *core = ppo_new(&net, games, slots, actions, threads);
    if (!core)
        throw std::bad_alloc();
    new (self) Ppo{std::unique_ptr<ppo, FreePpo>(core)};
}

template <typename T> T *data_of(const Array<T> &array, size_t size, const char *name) {
    if (array.size() != size)
        throw nb::value_error((std::string(name) + " has the wrong size").c_str());
    return array.data();
}

practice *games_of(const Ppo &self, const Practice &practice, int first) {
    const ppo *p = self.core.get();
    ::practice *core = abi_practice_core(practice.get());
    bool fits = p->net.fields ? core->fields != nullptr : core->pictures != nullptr;
    if (!fits || first < 0 || first + p->games > practice.n || practice.slots != p->slots)
        throw nb::value_error("the learner is not for such games");
    if (!core->games[first].world)
        throw nb::value_error("the games have not begun: call begin() first");
    return core;
}

void play(const Ppo &self, const Practice &practice, int first, const Array<const uint8_t> &presses,
          const Array<const float> &weights, const Array<const float> &luck, const Array<uint8_t> &actions,
          const Array<float> &likelihoods, const Array<float> &values) {
    Work work(self.busy, WHAT);
    Work games(practice.busy, Practice::WHAT);
    ppo *p = self.core.get();
    size_t n = size_t(p->games) * size_t(p->slots);
    ::practice *core = games_of(self, practice, first);
    const uint8_t *pressed = data_of(presses, size_t(p->actions), "presses");
    const float *network = data_of(weights, p->net.size, "weights");
    const float *drawn = data_of(luck, n * size_t(p->actions), "luck");
    ppo_rollout rollout{data_of(actions, n, "actions"), data_of(likelihoods, n, "likelihoods"),
                        data_of(values, n + size_t(p->games), "values"), nullptr, nullptr};
    bool done;
    {
        nb::gil_scoped_release released;
        done = ppo_play(p, core, first, pressed, practice.buttons, network, drawn, rollout);
    }
    if (!done)
        throw std::bad_alloc();
}

// Entropy, value error and divergence, the means over all parts.
using Figures = std::tuple<double, double, double>;

Figures learn(const Ppo &self, const Practice &practice, int first, nb::handle rollout, nb::handle state, float count,
              nb::handle terms, const Array<const int32_t> &parts) {
    Work work(self.busy, WHAT);
    Work games(practice.busy, Practice::WHAT);
    ppo *p = self.core.get();
    size_t n = size_t(p->games) * size_t(p->slots), size = p->net.size;
    const ::practice *core = games_of(self, practice, first);
    auto [actions, likelihoods, advantages, returns] =
        nb::cast<std::tuple<Array<uint8_t>, Array<float>, Array<const float>, Array<const float>>>(rollout);
    auto [weights, slopes, squares] = nb::cast<std::tuple<Array<float>, Array<float>, Array<float>>>(state);
    auto [rate, entropy, clip, value, longest] = nb::cast<std::tuple<float, float, float, float, float>>(terms);
    ppo_rollout played{data_of(actions, n, "actions"), data_of(likelihoods, n, "likelihoods"), nullptr,
                       data_of(advantages, n, "advantages"), data_of(returns, n, "returns")};
    ppo_state learned{data_of(weights, size, "weights"), data_of(slopes, size, "first moments"),
                      data_of(squares, size, "second moments"), count};
    for (size_t k = 0; k < parts.size(); k++)
        if (parts.ndim() != 2 || parts.data()[k] < 0 || size_t(parts.data()[k]) >= n)
            throw nb::value_error("there is no such decision");
    double figures[PPO_FIGURES];
    bool done;
    {
        nb::gil_scoped_release released;
        done = ppo_learn(p, core, first, played, &learned, {rate, entropy, clip, value, longest}, parts.data(),
                         int(parts.shape(0)), int(parts.shape(1)), figures);
    }
    if (!done)
        throw std::bad_alloc();
    return {figures[0], figures[1], figures[2]};
}

} // namespace

void bind_learning(nb::module_ &m) {
    nb::class_<Ppo>(m, "Ppo", "A policy that learns by proximal policy optimisation.")
        .def("__init__", &make_ppo, "fields"_a, "strides"_a, "widths"_a, "games"_a, "slots"_a, "threads"_a)
        .def("play", &play, "practice"_a, "first"_a, "presses"_a, "weights"_a, "luck"_a, "actions"_a,
             "likelihoods"_a, "values"_a, "Play a rollout and write what was done.")
        .def("learn", &learn, "practice"_a, "first"_a, "rollout"_a, "state"_a, "count"_a, "terms"_a, "parts"_a,
             "Learn from parts of the last rollout; return entropy, value error and divergence.")
        .def_prop_ro("size", [](const Ppo &self) { return self.core->net.size; },
                     "How many numbers its weights have.");
}
