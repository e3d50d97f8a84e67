// Binds what agents of 2009 and 2010 are told to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

using namespace nb::literals;

namespace {

// What a function makes of a world that nobody steps meanwhile.
template <auto look, typename... Arguments> nb::object look_at(nb::handle world, Arguments... arguments) {
    nb::ft_object_guard guard(world);
    return look(nb::cast<const View &>(world).get(), arguments...);
}

nb::object extra(const ludus_world *world) {
    std::vector<char> bytes(ludus_extra_size(world));
    ludus_world_extra(world, bytes.data(), bytes.size());
    return nb::bytes(bytes.data(), bytes.size());
}

nb::object field_2010(const ludus_world *world) {
    ludus_field_2010 field;
    check(ludus_world_field_2010(world, &field));
    return nb::make_tuple(field.width, field.height, field.ego_row, field.ego_column);
}

nb::object grid_2010(const ludus_world *world, bool entities, int detail) {
    ludus_field_2010 field;
    check(ludus_world_field_2010(world, &field));
    std::vector<int8_t> cells(size_t(field.width) * size_t(field.height));
    check(ludus_world_grid_2010(world, entities, detail, cells.data(), cells.size()));
    return new_array<int8_t>({size_t(field.height), size_t(field.width)},
                             [&](int8_t *out) { std::copy(cells.begin(), cells.end(), out); });
}

nb::object entities_2010(const ludus_world *world, int detail) {
    nb::list result;
    std::vector<ludus_entity_2010> all(ludus_world_entities_2010(world, detail, nullptr, 0));
    ludus_world_entities_2010(world, detail, all.data(), all.size());
    for (const ludus_entity_2010 &e : all)
        result.append(nb::make_tuple(e.code, e.column, e.row, e.dx, e.dy, e.height, e.speed_x, e.speed_y, e.threat,
                                     e.moving != 0));
    return result;
}

nb::object creatures_2010(const ludus_world *world) {
    size_t n = ludus_world_creatures_2010(world, nullptr, 0);
    return new_array<float>({n, 3}, [&](float *out) { ludus_world_creatures_2010(world, out, n); });
}

nb::object summary_2010(const ludus_world *world) {
    ludus_summary_2010 s;
    check(ludus_world_summary_2010(world, &s));
    return nb::make_tuple(s.speed_x, s.speed_y, s.height, s.in_tile_x, s.in_tile_y, s.may_shoot != 0, s.time_spent,
                          s.time_left);
}

} // namespace

void bind_interfaces(nb::module_ &m) {
    m.def("extra_bytes", &look_at<extra>, "world"_a, "Return what the rules' agents are shown besides, as bytes.");
    m.def("field_2010", &look_at<field_2010>, "world"_a,
          "Return width and height of the receptive field, and Mario's row and column in it.");
    m.def("grid_2010", &look_at<grid_2010, bool, int>, "world"_a, "entities"_a, "detail"_a,
          "Return the codes of tiles or entities in the field, by row and column.");
    m.def("entities_2010", &look_at<entities_2010, int>, "world"_a, "detail"_a,
          "Return the fields of each Entity2010 in the field.");
    m.def("creatures_2010", &look_at<creatures_2010>, "world"_a, "Return kind, x and y from Mario of creatures.");
    m.def("summary_2010", &look_at<summary_2010>, "world"_a, "Return the fields of a Mario2010 that worlds know.");
}
