// Binds what a task shows of a world to Python: one piece of bytes, which leads back to no world.
#include "bindings/python/worlds.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace {

constexpr size_t USUAL_BYTES = 2048;

struct Field {
    ludus_grid grid;
    ludus_view view;

    size_t cells() const { return size_t(view.columns) * size_t(view.rows); }
};

struct SensesPacker {
    std::vector<Field> fields;
    bool state, positions;
};

// What bytes begin with if Mario's state is shown; every part has four bytes.
struct State {
    int32_t timer, coins;
    ludus_mario mario;
    ludus_pose pose;
    float numbers[LUDUS_STATE_FIELDS];
};
static_assert(sizeof(State) == 4 * (2 + 17 + 3 + LUDUS_STATE_FIELDS));

using FieldValues = std::tuple<int, int, int, int, int>; // grid, columns, rows, details

void make_packer(SensesPacker *self, const std::vector<FieldValues> &fields, bool state, bool positions) {
    std::vector<Field> read;
    for (auto [grid, columns, rows, scene_detail, enemy_detail] : fields)
        read.push_back({ludus_grid(grid), {columns, rows, scene_detail, enemy_detail, false}});
    new (self) SensesPacker{read, state, positions};
}

void put(std::string &bytes, const void *part, size_t size) { bytes.append(static_cast<const char *>(part), size); }

void put_state(std::string &bytes, const ludus_world *world, const ludus_world_facts &facts) {
    State state{};
    state.timer = facts.timer;
    state.coins = facts.coins;
    ludus_world_mario(world, &state.mario);
    ludus_world_pose(world, &state.pose);
    ludus_world_state(world, state.numbers, LUDUS_STATE_FIELDS);
    put(bytes, &state, sizeof state);
}

void put_field(std::string &bytes, const ludus_world *world, const Field &field) {
    uint8_t cells[LUDUS_MAX_FIELD * LUDUS_MAX_FIELD];
    check(ludus_world_observe(world, field.grid, &field.view, cells, sizeof cells));
    put(bytes, cells, field.cells());
}

void put_positions(std::string &bytes, const ludus_world *world) {
    std::vector<float> places(3 * ludus_world_enemies(world, false, nullptr, 0));
    ludus_world_enemies(world, false, places.data(), places.size() / 3);
    put(bytes, places.data(), places.size() * sizeof(float));
}

int32_t reward_2010(nb::handle shown) {
    nb::ft_object_guard guard(shown);
    ludus_evaluation_2010 evaluation;
    check(ludus_world_evaluate_2010(nb::cast<const View &>(shown).get(), &evaluation));
    return evaluation.reward;
}

nb::bytes pack(const SensesPacker &self, nb::handle shown) {
    nb::ft_object_guard guard(shown);
    const ludus_world *world = nb::cast<const View &>(shown).get();
    ludus_world_facts facts;
    ludus_world_describe(world, &facts);
    std::string bytes;
    bytes.reserve(USUAL_BYTES);
    put(bytes, &facts.tick, sizeof facts.tick);
    if (self.state)
        put_state(bytes, world, facts);
    for (const Field &field : self.fields)
        put_field(bytes, world, field);
    if (self.positions)
        put_positions(bytes, world);
    return nb::bytes(bytes.data(), bytes.size());
}

} // namespace

void bind_senses(nb::module_ &m) {
    m.def("reward_2010", &reward_2010, "world"_a, "Return what all that happened has paid so far.");
    nb::class_<SensesPacker>(m, "SensesPacker", "Packs what a task shows of a world into bytes.")
        .def("__init__", &make_packer, "fields"_a, "state"_a, "positions"_a)
        .def("pack", &pack, "world"_a, "Return tick, state, the cells of each field, and places, as bytes.");
}
