// Binds brains that learn in native code to Python.
#include "bindings/python/worm.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

extern "C" {
#include "training/worm_ppo.h"

const wm_batch *abi_only_world(const ludus_worm_batch *batch);
}

using namespace nb::literals;

namespace worm {

namespace {

template <typename T> using Array = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

struct FreePpo {
    void operator()(worm_ppo *p) const { worm_ppo_free(p); }
};

struct Ppo {
    std::unique_ptr<worm_ppo, FreePpo> core;
    mutable Busy busy{false};
};

constexpr const char *WHAT = "the learner";

void make_ppo(Ppo *self, int features, const std::vector<int32_t> &widths, int actions, int horizon) {
    bool fits = features > 0 && actions > 0 && actions <= PPO_MOST_ACTIONS && horizon > 0;
    for (int32_t width : widths)
        fits = fits && width > 0 && width <= 1 << 14;
    if (!fits || widths.size() >= NETWORK_LAYERS)
        throw nb::value_error("no brain has such layers");
    worm_ppo *core = worm_ppo_new(features, widths.data(), int(widths.size()), actions, horizon);
    if (!core)
        throw std::bad_alloc();
    new (self) Ppo{std::unique_ptr<worm_ppo, FreePpo>(core)};
}

template <typename T> T *data_of(const Array<T> &array, size_t size, const char *name) {
    if (array.size() != size)
        throw nb::value_error((std::string(name) + " has the wrong size").c_str());
    return array.data();
}

// The arrays of a segment: features, actions, rewards, likelihoods, values.
worm_segment segment_of(const worm_ppo *p, nb::handle arrays) {
    size_t n = size_t(p->horizon);
    auto [features, actions, rewards, likelihoods, values] =
        nb::cast<std::tuple<Array<float>, Array<int32_t>, Array<float>, Array<float>, Array<float>>>(
            arrays);
    return {data_of(features, (n + 1) * size_t(p->features), "features"),
            data_of(actions, n, "actions"),
            data_of(rewards, n, "rewards"),
            data_of(likelihoods, n, "likelihoods"),
            data_of(values, n + 1, "values"),
            0,
            false};
}

std::pair<int, bool> play(const Ppo &self, const Batch &batch, const Array<const float> &weights,
                          const std::optional<Array<const float>> &luck, nb::handle segment,
                          bool judged) {
    Work work(self.busy, WHAT);
    Work worlds(batch.busy, Batch::WHAT);
    worm_ppo *p = self.core.get();
    const wm_batch *world = abi_only_world(batch.get());
    if (!world || world->task->n_features != p->features || p->actions != WM_ACTIONS || *world->ended)
        throw nb::value_error(
            "the learner is for one world with an episode under way and its number of features");
    const float *noise =
        luck ? data_of(*luck, size_t(p->horizon) * size_t(p->actions), "luck") : nullptr;
    const float *network = data_of(weights, p->size, "weights");
    worm_segment played = segment_of(p, segment);
    if (!judged)
        played.values = nullptr;
    nb::gil_scoped_release released;
    worm_ppo_play(p, world, network, noise, p->horizon, &played);
    return {played.length, played.ended};
}

void learn(const Ppo &self, nb::handle segment, int length, bool ended, nb::handle state, float count,
           nb::handle terms, const Array<const int32_t> &orders, int minibatches) {
    Work work(self.busy, WHAT);
    worm_ppo *p = self.core.get();
    worm_segment played = segment_of(p, segment);
    played.length = length;
    played.ended = ended;
    auto [weights, first, second] =
        nb::cast<std::tuple<Array<float>, Array<float>, Array<float>>>(state);
    ppo_state learned{data_of(weights, p->size, "weights"), data_of(first, p->size, "first moments"),
                      data_of(second, p->size, "second moments"), count};
    auto [rate, entropy, clip, value, longest, discount, trace] =
        nb::cast<std::tuple<float, float, float, float, float, float, float>>(terms);
    bool fits = length > 0 && length <= p->horizon && minibatches > 0 && orders.ndim() == 2
                && orders.shape(1) == size_t(length);
    for (size_t k = 0; fits && k < orders.size(); k++)
        fits = orders.data()[k] >= 0 && orders.data()[k] < length;
    for (int k = 0; fits && k < length; k++)
        fits = played.actions[k] >= 0 && played.actions[k] < p->actions;
    if (!fits)
        throw nb::value_error("there are no such steps");
    worm_lesson lesson{{rate, entropy, clip, value, longest},
                       discount,
                       trace,
                       orders.data(),
                       int(orders.shape(0)),
                       minibatches};
    nb::gil_scoped_release released;
    worm_ppo_learn(p, &played, &lesson, &learned);
}

} // namespace

void bind_learning(nb::module_ &m) {
    nb::class_<Ppo>(m, "Ppo", "An actor and a critic that learn by proximal policy optimisation.")
        .def("__init__", &make_ppo, "features"_a, "widths"_a, "actions"_a, "horizon"_a)
        .def("play", &play, "batch"_a, "weights"_a, "luck"_a.none(), "segment"_a, "judged"_a,
             "Play a segment in the only world of a batch; return its length and whether the episode "
             "ended.")
        .def("learn", &learn, "segment"_a, "length"_a, "ended"_a, "state"_a, "count"_a, "terms"_a,
             "orders"_a, "minibatches"_a, "Learn from a segment; the state is changed in place.")
        .def_prop_ro(
            "size", [](const Ppo &self) { return self.core->size; },
            "How many numbers its weights have.");
}

} // namespace worm
