// Binds games played for practice, and what a learner sees, to Python.
#include "bindings/python/buffers.h"
#include "bindings/python/crew.h"
#include "bindings/python/worlds.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <vector>

extern "C" {
#include "training/practice.h"
}

using namespace nb::literals;

namespace {

struct Practice {
    practice core{};
    std::vector<practice_game> games;
    std::vector<pf_world *> starts;
    std::vector<nb::object> start_objects; // keep levels and start worlds alive
    Kept buffers;
    std::unique_ptr<Crew> crew;
    int threads = 1, slots = 0;

    Practice() = default;
    Practice(const Practice &) = delete;
    ~Practice() {
        crew.reset();
        for (practice_game &game : games) {
            pf_free(game.world);
            std::free(game.tape);
        }
    }
};

void bind_buffers(Practice &self, nb::handle arrays, int groups) {
    practice &core = self.core;
    size_t n = self.games.size(), all = n * size_t(self.slots), seen = n * size_t(self.slots + 1);
    core.odds = bound<double>(self.buffers, arrays, "odds", size_t(groups) * self.starts.size());
    core.buttons = bound<uint8_t>(self.buffers, arrays, "buttons", all);
    core.rewards = bound<float>(self.buffers, arrays, "rewards", all);
    core.endings = bound<uint8_t>(self.buffers, arrays, "endings", all);
    core.reached = bound<float>(self.buffers, arrays, "reached", all);
    core.played = bound<int32_t>(self.buffers, arrays, "played", all);
    core.fields = bound_if_there<int8_t>(self.buffers, arrays, "fields", seen * SIGHT_FIELDS);
    core.pictures = bound_if_there<uint8_t>(self.buffers, arrays, "pictures", seen * 2 * SIGHT_PICTURE);
    if (!core.fields == !core.pictures)
        throw nb::type_error("give a buffer for fields or one for pictures");
    core.sight = core.fields ? SEES_FIELDS : SEES_PICTURES;
}

void set_terms(practice &core, nb::handle terms, nb::handle reward) {
    auto [skip, no_ops, patience, sticky] = nb::cast<std::tuple<int, int, int, double>>(terms);
    auto [progress, win, loss, decision] =
        nb::cast<std::tuple<float, float, float, float>>(reward);
    core.terms = {skip, no_ops, patience, sticky};
    core.reward = {progress, win, loss, decision};
}

void make_practice(Practice *place, std::vector<nb::object> starts, std::vector<uint64_t> seeds,
                   int groups, int slots, nb::handle buffers, nb::handle terms, nb::handle reward,
                   int threads) {
    new (place) Practice();
    Practice &self = *place;
    for (nb::object &start : starts)
        self.starts.push_back(nb::cast<const World &>(start).get());
    self.start_objects = std::move(starts);
    self.games.resize(seeds.size());
    for (size_t k = 0; k < seeds.size(); k++) {
        self.games[k].random = seeds[k];
        self.games[k].group = int32_t(k * size_t(groups) / seeds.size());
    }
    self.threads = threads;
    self.slots = slots;
    self.core.n = int32_t(seeds.size());
    self.core.n_levels = int32_t(self.starts.size());
    self.core.games = self.games.data();
    self.core.starts = self.starts.data();
    set_terms(self.core, terms, reward);
    bind_buffers(self, buffers, groups);
}

bool spread(Practice &self, const Crew::Job &job) {
    int n = self.core.n;
    nb::gil_scoped_release released;
    if (self.threads < 2)
        return job(0, n);
    if (!self.crew)
        self.crew = std::make_unique<Crew>(self.threads - 1);
    int chunk = n / (8 * self.threads);
    return self.crew->run(job, n, chunk > 0 ? chunk : 1);
}

void begin(Practice &self) {
    for (int k = 0; k < self.core.n; k++)
        if (!practice_begin(&self.core, k))
            throw std::bad_alloc();
}

void step(Practice &self, int slot) {
    if (slot < 0 || slot >= self.slots)
        throw nb::index_error("no such slot");
    const uint8_t *buttons = self.core.buttons + size_t(slot) * size_t(self.core.n);
    for (int k = 0; k < self.core.n; k++) {
        checked_action(buttons[k]);
        if (!self.games[size_t(k)].world)
            raise_ludus("EpisodeOver", "the games have not begun: call begin() first");
    }
    practice *core = &self.core;
    if (!spread(self, [=](int a, int b) { return practice_step(core, slot, a, b); }))
        throw std::bad_alloc();
}

// Random state, level, seed and decisions of a game.
using Place = std::tuple<uint64_t, int, uint64_t, nb::bytes>;

std::vector<Place> places(const Practice &self) {
    std::vector<Place> all;
    for (const practice_game &game : self.games)
        all.emplace_back(game.random, game.level, game.seed,
                         nb::bytes(reinterpret_cast<const char *>(game.tape), size_t(game.taped)));
    return all;
}

void restore(Practice &self, const std::vector<Place> &places) {
    if (places.size() != self.games.size())
        throw nb::value_error("there are more or fewer places than games");
    for (size_t k = 0; k < places.size(); k++) {
        const auto &[random, level, seed, tape] = places[k];
        if (level < 0 || level >= self.core.n_levels)
            throw nb::value_error("a place is on no level");
        practice_game &game = self.games[k];
        game.random = random;
        game.level = level;
        game.seed = seed;
        const auto *buttons = reinterpret_cast<const uint8_t *>(tape.c_str());
        if (!practice_restore(&self.core, int(k), buttons, int(tape.size())))
            throw std::bad_alloc();
    }
}

nb::object fields_of(const View &view) {
    const size_t shape[] = {SIGHT_FIELDS};
    auto *data = new int8_t[SIGHT_FIELDS];
    sight_fields(view.get(), data);
    return fresh_array(data, 1, shape);
}

nb::object picture_of(const View &view) {
    const size_t shape[] = {SIGHT_SIDE, SIGHT_SIDE};
    auto *data = new uint8_t[SIGHT_PICTURE];
    sight_picture(view.get(), data);
    return fresh_array(data, 2, shape);
}

} // namespace

void bind_training(nb::module_ &m) {
    m.attr("SIGHT_FIELDS") = int(SIGHT_FIELDS);
    m.attr("SIGHT_SIDE") = int(SIGHT_SIDE);
    m.def("sight_fields", &fields_of, "world"_a, "Return what a learner sees as one row of numbers.");
    m.def("sight_picture", &picture_of, "world"_a, "Return what a learner sees as a grey picture.");
    nb::class_<Practice>(m, "Practice", "Games played for practice, over buffers bound once.")
        .def("__init__", &make_practice, "starts"_a, "seeds"_a, "groups"_a, "slots"_a, "buffers"_a,
             "terms"_a, "reward"_a, "threads"_a)
        .def("begin", &begin, "Begin every game anew and show it in slot 0.")
        .def("step", &step, "slot"_a, "Play the decisions of a slot.")
        .def("places", &places, "Return where every game stands: random state, level, seed, decisions.")
        .def("restore", &restore, "places"_a, "Bring every game to its place and show it in slot 0.");
}
