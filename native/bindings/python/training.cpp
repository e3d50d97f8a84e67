// Binds games played for practice, and what a learner sees, to Python.
#include "bindings/python/practice.h"
#include "bindings/python/worlds.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace {

enum { PICTURE = LUDUS_SIGHT_SIDE * LUDUS_SIGHT_SIDE };

constexpr const char *WHAT = Practice::WHAT;

void bind_buffers(ludus_practice_options &o, Buffers &buffers, nb::handle arrays) {
    size_t n = size_t(o.n_games), all = n * size_t(o.slots), seen = n * size_t(o.slots + 1);
    o.odds = bind_buffer<double>(buffers, arrays, "odds", size_t(o.groups) * o.n_starts);
    o.buttons = bind_buffer<uint8_t>(buffers, arrays, "buttons", all);
    o.rewards = bind_buffer<float>(buffers, arrays, "rewards", all);
    o.endings = bind_buffer<uint8_t>(buffers, arrays, "endings", all);
    o.reached = bind_buffer<float>(buffers, arrays, "reached", all);
    o.played = bind_buffer<int32_t>(buffers, arrays, "played", all);
    o.fields = bind_optional<int8_t>(buffers, arrays, "fields", seen * LUDUS_SIGHT_FIELDS);
    if (!o.fields) {
        o.fields = bind_optional<int8_t>(buffers, arrays, "wide", seen * LUDUS_WIDE_FIELDS);
        o.wide = o.fields != nullptr;
    }
    o.retried = bind_buffer<uint8_t>(buffers, arrays, "retried", all);
    o.pictures = bind_optional<uint8_t>(buffers, arrays, "pictures", seen * 2 * PICTURE);
}

void make_practice(Practice *self, std::vector<nb::object> starts, std::vector<uint64_t> seeds, int groups,
                   int slots, nb::handle arrays, nb::handle terms, nb::handle reward, int threads) {
    Copies copies(starts);
    ludus_practice_options o{};
    o.size = sizeof o;
    o.n_games = int32_t(seeds.size());
    o.groups = groups;
    o.slots = slots;
    o.threads = threads;
    o.starts = copies.all.data();
    o.n_starts = copies.all.size();
    o.seeds = seeds.data();
    std::tie(o.skip, o.no_ops, o.patience, o.sticky, o.retry) =
        nb::cast<std::tuple<int, int, int, double, double>>(terms);
    std::tie(o.progress, o.win, o.loss, o.decision) =
        nb::cast<std::tuple<float, float, float, float>>(reward);
    Buffers buffers;
    bind_buffers(o, buffers, arrays);
    ludus_practice *practice;
    check(ludus_practice_new(&o, &practice));
    new (self) Practice{Handle<ludus_practice>(practice), std::move(buffers), o.n_games, slots,
                        const_cast<uint8_t *>(o.buttons)};
}

void begin(Practice &self) {
    Work work(self.busy, WHAT);
    check(run_unlocked([&] { return ludus_practice_begin(self.get()); }));
}

void step(Practice &self, int slot) {
    Work work(self.busy, WHAT);
    check(run_unlocked([&] { return ludus_practice_step(self.get(), slot); }));
}

// Random state, level, seed and decisions of a game.
using Place = std::tuple<uint64_t, int, uint64_t, nb::bytes>;

std::vector<Place> list_places(const Practice &self) {
    Work work(self.busy, WHAT);
    std::vector<Place> all;
    for (int32_t k = 0; k < self.n; k++) {
        ludus_practice_place place;
        check(ludus_practice_get(self.get(), k, &place));
        all.emplace_back(place.random, place.level, place.seed,
                         nb::bytes(reinterpret_cast<const char *>(place.decisions), place.n_decisions));
    }
    return all;
}

// Decisions before the fork, -1 for none, and its seed.
using Fork = std::tuple<int, uint64_t>;

std::vector<Fork> list_forks(const Practice &self) {
    Work work(self.busy, WHAT);
    std::vector<Fork> all;
    for (int32_t k = 0; k < self.n; k++) {
        ludus_practice_fork fork;
        check(ludus_practice_get_fork(self.get(), k, &fork));
        all.emplace_back(fork.at, fork.seed);
    }
    return all;
}

void restore(Practice &self, const std::vector<Place> &places, const std::vector<Fork> &forks) {
    Work work(self.busy, WHAT);
    if (places.size() != size_t(self.n) || forks.size() != size_t(self.n))
        throw nb::value_error("there are more or fewer places than games");
    for (int32_t k = 0; k < self.n; k++) {
        const auto &[random, level, seed, decisions] = places[size_t(k)];
        ludus_practice_place place{random, seed, level,
                                   reinterpret_cast<const uint8_t *>(decisions.c_str()), decisions.size()};
        const auto &[at, fork_seed] = forks[size_t(k)];
        ludus_practice_fork fork{fork_seed, at};
        check(ludus_practice_put_forked(self.get(), k, &place, &fork));
    }
}

nb::object fields_of(const View &view) {
    return new_array<int8_t>({LUDUS_SIGHT_FIELDS}, [&](int8_t *out) {
        ludus_world_sight(view.get(), out, LUDUS_SIGHT_FIELDS);
    });
}

nb::object wide_fields_of(const View &view) {
    return new_array<int8_t>({LUDUS_WIDE_FIELDS}, [&](int8_t *out) {
        ludus_world_wide_sight(view.get(), out, LUDUS_WIDE_FIELDS);
    });
}

nb::object picture_of(const View &view) {
    return new_array<uint8_t>({LUDUS_SIGHT_SIDE, LUDUS_SIGHT_SIDE}, [&](uint8_t *out) {
        ludus_world_sight_picture(view.get(), out, PICTURE);
    });
}

} // namespace

void bind_training(nb::module_ &m) {
    m.attr("SIGHT_FIELDS") = int(LUDUS_SIGHT_FIELDS);
    m.attr("WIDE_FIELDS") = int(LUDUS_WIDE_FIELDS);
    m.attr("SIGHT_SIDE") = int(LUDUS_SIGHT_SIDE);
    m.attr("SCREEN_SIDE") = int(LUDUS_SCREEN_SIDE);
    m.attr("PICTURES") = int(LUDUS_PICTURES);
    m.def("sight_fields", &fields_of, "world"_a, "Return what a learner sees as one row of numbers.");
    m.def("wide_fields", &wide_fields_of, "world"_a,
          "Return what a learner sees as one row of numbers, with what lies beyond.");
    m.def("sight_picture", &picture_of, "world"_a, "Return what a learner sees as a grey picture.");
    nb::class_<Practice>(m, "Practice", "Games played for practice, over buffers bound once.")
        .def("__init__", &make_practice, "starts"_a, "seeds"_a, "groups"_a, "slots"_a, "buffers"_a,
             "terms"_a, "reward"_a, "threads"_a)
        .def("begin", &begin, "Begin every game anew and show it in slot 0.")
        .def("step", &step, "slot"_a, "Play the decisions of a slot.")
        .def("places", &list_places, "Return where every game stands: random state, level, seed, decisions.")
        .def("forks", &list_forks, "Return where retries left their games, -1 for none, and their seeds.")
        .def("restore", &restore, "places"_a, "forks"_a,
             "Bring every game to its place and show it in slot 0.");
    bind_learning(m);
}
