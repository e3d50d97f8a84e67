// Binds the batch of environments to Python.
#include "bindings/python/buffers.h"
#include "bindings/python/worlds.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace {

struct Batch {
    Handle<ludus_batch> batch;
    std::vector<nb::object> starts; // their levels and physics are those of the worlds to come
    Buffers buffers;
    ludus_batch_options bound;     // where its buffers are
    std::vector<nb::object> names; // what an info calls x, y, infos, success and courses
    nb::dict blank_info;           // one without values: its copies need not grow
    mutable Busy busy{false};

    ludus_batch *get() const { return batch.get(); }
};

constexpr size_t PIXELS = size_t(LUDUS_PICTURES) * LUDUS_SCREEN_SIDE * LUDUS_SCREEN_SIDE;
constexpr const char *WHAT = "the batch of environments";

ludus_observation bind_observation(Buffers &buffers, nb::handle arrays, const std::string &prefix, size_t n,
                                   size_t cells) {
    auto grid = [&](const char *name) {
        return bind_optional<uint8_t>(buffers, arrays, (prefix + name).c_str(), n * cells);
    };
    return {grid("scene"), grid("enemies"), grid("merged"),
            bind_optional<float>(buffers, arrays, (prefix + "state").c_str(), n * LUDUS_STATE_FIELDS)};
}

void bind_buffers(ludus_batch_options &o, Buffers &buffers, nb::handle arrays, size_t extra) {
    size_t n = size_t(o.n_envs), cells = size_t(o.view.columns) * size_t(o.view.rows);
    o.actions = bind_buffer<uint8_t>(buffers, arrays, "actions", n);
    o.rewards = bind_buffer<double>(buffers, arrays, "rewards", n);
    o.terminated = reinterpret_cast<uint8_t *>(bind_buffer<bool>(buffers, arrays, "terminated", n));
    o.truncated = reinterpret_cast<uint8_t *>(bind_buffer<bool>(buffers, arrays, "truncated", n));
    o.won = reinterpret_cast<uint8_t *>(bind_optional<bool>(buffers, arrays, "won", n));
    o.places = bind_buffer<float>(buffers, arrays, "places", 2 * n);
    o.infos = bind_buffer<int32_t>(buffers, arrays, "infos", n * LUDUS_INFO_FIELDS);
    o.seen = bind_observation(buffers, arrays, "", n, cells);
    o.seen_last = bind_observation(buffers, arrays, "last_", n, cells);
    o.extra = bind_optional<uint8_t>(buffers, arrays, "extra", n * extra);
    o.extra_last = bind_optional<uint8_t>(buffers, arrays, "last_extra", n * extra);
    o.courses = bind_optional<int32_t>(buffers, arrays, "courses", n * LUDUS_COURSE_FIELDS);
    o.fields = bind_optional<int8_t>(buffers, arrays, "fields", n * LUDUS_SIGHT_FIELDS);
    o.fields_last = bind_optional<int8_t>(buffers, arrays, "last_fields", n * LUDUS_SIGHT_FIELDS);
    o.pixels = bind_optional<uint8_t>(buffers, arrays, "pixels", n * PIXELS);
    o.pixels_last = bind_optional<uint8_t>(buffers, arrays, "last_pixels", n * PIXELS);
}

ludus_view view_of(nb::handle options) {
    auto [columns, rows, scene, enemies, on_screen] =
        nb::cast<std::tuple<int, int, int, int, bool>>(options);
    return {columns, rows, scene, enemies, on_screen};
}

ludus_reward reward_of(nb::handle weights) {
    auto [progress, win, loss, coin, kill, power, tick] =
        nb::cast<std::tuple<double, double, double, double, double, double, double>>(weights);
    return {progress, win, loss, coin, kill, power, tick};
}

nb::dict make_blank_info(const std::vector<nb::object> &names, bool courses) {
    nb::dict blank;
    for (size_t j = 0; j < names.size() - (courses ? 0 : LUDUS_COURSE_FIELDS); j++)
        blank[names[j]] = nb::none();
    return blank;
}

void make_batch(Batch *self, std::vector<nb::object> starts, std::vector<std::vector<int32_t>> pools,
                nb::handle arrays, nb::handle view, nb::handle reward, int frame_skip, int max_steps,
                int autoreset, int threads, int latency, nb::handle course, std::vector<nb::object> names) {
    if (names.size() != 3 + LUDUS_INFO_FIELDS + LUDUS_COURSE_FIELDS)
        throw nb::value_error("names are those of x, y, infos, success and courses");
    Copies copies(starts);
    std::vector<int32_t> joined, sizes;
    for (const std::vector<int32_t> &pool : pools) {
        joined.insert(joined.end(), pool.begin(), pool.end());
        sizes.push_back(int32_t(pool.size()));
    }
    ludus_batch_options o{};
    o.size = sizeof o;
    o.n_envs = int32_t(pools.size());
    o.starts = copies.all.data();
    o.n_starts = copies.all.size();
    o.pools = joined.data();
    o.pool_sizes = sizes.data();
    o.view = view_of(view);
    o.reward = reward_of(reward);
    o.frame_skip = frame_skip;
    o.max_steps = max_steps;
    o.autoreset = autoreset;
    o.threads = threads;
    o.latency = latency;
    std::tie(o.lives, o.n_stages, o.n_modes, o.no_ops, o.sticky) =
        nb::cast<std::tuple<int, int, int, int, double>>(course);
    Buffers buffers;
    bind_buffers(o, buffers, arrays, copies.all.empty() ? 0 : ludus_extra_size(copies.all[0]));
    nb::dict blank_info = make_blank_info(names, o.courses != nullptr);
    ludus_batch *batch;
    check(ludus_batch_new(&o, &batch));
    new (self) Batch{Handle<ludus_batch>(batch), std::move(starts), std::move(buffers), o, std::move(names),
                     std::move(blank_info)};
}

void seed(Batch &batch, int k, uint64_t seed) {
    Work work(batch.busy, WHAT);
    check(ludus_batch_seed(batch.get(), k, seed));
}

void reset(Batch &batch, int k, int level) {
    Work work(batch.busy, WHAT);
    check(ludus_batch_reset(batch.get(), k, level));
}

void step(Batch &batch) {
    Work work(batch.busy, WHAT);
    check(run_unlocked([&] { return ludus_batch_step(batch.get()); }));
}

// Steps with the numbers of actions, for which a table has the buttons. False, with nothing done, where they are no
// array of such numbers, one for each environment.
bool step_numbers(Batch &batch, nb::handle numbers, nb::bytes table) {
    Work work(batch.busy, WHAT);
    const ludus_batch_options &o = batch.bound;
    nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
    if (!nb::try_cast(numbers, array, false) || array.size() != size_t(o.n_envs))
        return false;
    const int64_t *chosen = array.data();
    const auto *buttons = reinterpret_cast<const uint8_t *>(table.data());
    uint64_t largest = 0; // a negative number is a large one
    for (size_t k = 0; k < array.size(); k++)
        largest = std::max(largest, uint64_t(chosen[k]));
    if (largest >= table.size())
        return false;
    uint8_t *actions = const_cast<uint8_t *>(o.actions);
    for (size_t k = 0, n = array.size(); k < n; k++)
        actions[k] = buttons[chosen[k]];
    check(run_unlocked([&] { return ludus_batch_step(batch.get()); }));
    return true;
}

// Puts a number under a name into a dictionary, and gives up what it holds of the number.
void put(nb::dict &info, const nb::object &name, PyObject *number) {
    nb::object value = nb::steal(number);
    if (!value || PyDict_SetItem(info.ptr(), name.ptr(), value.ptr()))
        throw nb::python_error();
}

// What is known of an environment beside what it sees.
nb::dict info_of(const Batch &batch, size_t k) {
    const ludus_batch_options &o = batch.bound;
    const nb::object *name = batch.names.data();
    nb::dict info = nb::steal<nb::dict>(PyDict_Copy(batch.blank_info.ptr()));
    if (!info.is_valid())
        throw nb::python_error();
    for (size_t j = 0; j < 2; j++)
        put(info, *name++, PyFloat_FromDouble(double(o.places[2 * k + j])));
    for (size_t j = 0; j < LUDUS_INFO_FIELDS; j++)
        put(info, *name++, PyLong_FromLong(o.infos[k * LUDUS_INFO_FIELDS + j]));
    put(info, *name++, PyBool_FromLong(o.infos[k * LUDUS_INFO_FIELDS] == LUDUS_WIN));
    for (size_t j = 0; o.courses && j < LUDUS_COURSE_FIELDS; j++)
        put(info, *name++, PyLong_FromLong(o.courses[k * LUDUS_COURSE_FIELDS + j]));
    return info;
}

nb::dict info(const Batch &batch, int k) {
    Work work(batch.busy, WHAT);
    check(ludus_batch_over(batch.get(), k));
    return info_of(batch, size_t(k));
}

// A step of a batch of one is too short to be worth letting other threads run.
nb::tuple step_alone(Batch &batch, uint8_t action) {
    Work work(batch.busy, WHAT);
    const ludus_batch_options &o = batch.bound;
    if (o.n_envs != 1)
        throw nb::value_error("there are several environments: call step()");
    const_cast<uint8_t *>(o.actions)[0] = action;
    check(ludus_batch_step(batch.get()));
    return nb::make_tuple(o.rewards[0], bool(o.terminated[0]), bool(o.truncated[0]), info_of(batch, 0));
}

World copy_world(const Batch &batch, int k) {
    Work work(batch.busy, WHAT);
    ludus_world *world;
    check(ludus_batch_world(batch.get(), k, &world));
    Handle<ludus_world> handle(world);
    const World &start = nb::cast<const World &>(batch.starts[size_t(ludus_batch_level(batch.get(), k))]);
    return {{std::move(handle), start.level, start.physics, start.options}};
}

bool is_over(const Batch &batch, int k) {
    Work work(batch.busy, WHAT);
    return check(ludus_batch_over(batch.get(), k)) != 0;
}

uint64_t course_seed(const Batch &batch, int k) {
    Work work(batch.busy, WHAT);
    uint64_t seed;
    check(ludus_batch_course_seed(batch.get(), k, &seed));
    return seed;
}

nb::bytes clone_state(const Batch &batch) {
    Work work(batch.busy, WHAT);
    return save(ludus_batch_save, (const ludus_batch *)batch.get());
}

void restore_state(Batch &batch, nb::bytes state) {
    Work work(batch.busy, WHAT);
    check(ludus_batch_load(batch.get(), state.data(), state.size()));
}

} // namespace

void bind_batch(nb::module_ &m) {
    nb::class_<Batch>(m, "Batch", "Environments stepped by one call, over buffers bound once.")
        .def("__init__", &make_batch, "starts"_a, "pools"_a, "buffers"_a, "view"_a, "reward"_a,
             "frame_skip"_a, "max_steps"_a, "autoreset"_a, "threads"_a, "latency"_a, "course"_a, "names"_a)
        .def("seed", &seed, "env"_a, "seed"_a, "Seed the environment's choice of levels.")
        .def("reset", &reset, "env"_a, "level"_a = -1, "Begin an episode, on a drawn level or on this one.")
        .def("clone_state", &clone_state, "Return the state of all environments as bytes.")
        .def("restore_state", &restore_state, "state"_a, "Go on from a state of a batch with the same levels.")
        .def("step", &step, "Step every environment with the bound actions.")
        .def("step_numbers", &step_numbers, "numbers"_a, "table"_a,
             "Step with numbers of actions in a table of buttons; False if they are no array of such numbers.")
        .def("step_alone", &step_alone, "action"_a,
             "Step the only environment; return reward, terminated, truncated and info.")
        .def("info", &info, "env"_a, "Return what is known of an environment beside what it sees.")
        .def("world", &copy_world, "env"_a, "Return a copy of the environment's world.")
        .def("course_seed", &course_seed, "env"_a, "Return the seed that the chance of its course began with.")
        .def("over", &is_over, "env"_a, "Whether the environment's episode has ended.");
}
