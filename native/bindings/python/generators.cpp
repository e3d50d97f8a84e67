// Binds the level generators to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

// Not part of the engine's interface: the stream is bound for its own tests.
extern "C" {
#include "generators/java_random.h"
}

using namespace nb::literals;

namespace {

// Ranges of the options by their names: default, least, most.
nb::dict generator_options(const std::string &name) {
    nb::dict result;
    for (int32_t k = 0; k < ludus_generator_count(); k++) {
        if (name != ludus_generator_name(k))
            continue;
        std::vector<ludus_option_range> ranges(ludus_generator_options(k, nullptr, 0));
        ludus_generator_options(k, ranges.data(), ranges.size());
        for (const ludus_option_range &r : ranges)
            result[r.name] = nb::make_tuple(r.value, r.least, r.most);
    }
    return result;
}

// A number of up to 64 bits; the largest are taken bit for bit.
int64_t bits_of(nb::handle value) {
    int64_t number;
    return nb::try_cast(value, number) ? number : int64_t(nb::cast<uint64_t>(value));
}

nb::dict counts_of(const ludus_counts &counts) {
    nb::dict result;
    result["dead_ends"] = counts.dead_ends;
    result["cannons"] = counts.cannons;
    result["platforms"] = counts.platforms;
    result["tubes"] = counts.tubes;
    result["blocks"] = counts.blocks;
    result["coins"] = counts.coins;
    result["gaps"] = counts.gaps;
    result["hidden"] = counts.hidden;
    result["creatures"] = counts.creatures;
    return result;
}

// Map, exit, creatures, block data, counts; None for a level that is a text and nothing else.
nb::object reference_of(const ludus_generated &g) {
    if (!g.map)
        return nb::none();
    nb::list creatures, data;
    for (size_t k = 0; k < g.n_creatures; k++) {
        const ludus_creature &c = g.creatures[k];
        creatures.append(nb::make_tuple(c.column, c.row, c.kind, c.winged != 0));
    }
    for (size_t k = 0; k < g.n_data; k++)
        data.append(nb::make_tuple(g.data[k].column, g.data[k].row, g.data[k].value));
    nb::bytes map(reinterpret_cast<const char *>(g.map), size_t(g.width) * size_t(g.height));
    return nb::make_tuple(map, std::pair(g.exit_x, g.exit_y), creatures, data, counts_of(g.counts));
}

nb::tuple generate(const char *name, nb::list given) {
    std::vector<ludus_option> options;
    options.reserve(given.size());
    for (nb::handle option : given)
        options.push_back({nb::cast<const char *>(option[0]), bits_of(option[1])});
    ludus_generated *made;
    check(ludus_generate(name, options.data(), options.size(), &made));
    Handle<ludus_generated> generated(made);
    return nb::make_tuple(nb::str(made->text, made->text_length), made->rules, reference_of(*made));
}

} // namespace

void bind_generators(nb::module_ &m) {
    m.def("generator_options", &generator_options, "name"_a,
          "Return default, least and most of each option of a generator.");
    m.def("generate", &generate, "name"_a, "options"_a,
          "Generate a level: its text, its rules, and the data of its own format or None.");
    Locked<java_random>(m, "JavaRandom", "The stream of java.util.Random.")
        .def("__init__", [](java_random *r, int64_t seed) { *r = java_seeded(seed); }, "seed"_a)
        .def("next_int", &java_int, "Return any 32-bit number.")
        .def("next_below", [](java_random &r, int32_t n) {
            if (n < 1)
                throw nb::value_error("give a positive bound");
            return java_below(&r, n);
        }, "bound"_a, "Return a number below a positive bound.")
        .def("next_bool", &java_bool, "Return a fair coin's side.")
        .def("next_double", &java_double, "Return a number from 0 up to 1.")
        .def("next_gaussian", &java_gaussian, "Return a normally distributed number.");
}
