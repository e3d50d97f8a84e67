// Binds the reference level generators to Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cctype>
#include <cstring>
#include <utility>
#include <vector>

extern "C" {
#include "generators/generators.h"
#include "generators/java_random.h"
}

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// A level and its memory.
class Canvas {
  public:
    Canvas(int width, int height, bool of_text = false) {
        if (width < 1 || height < 1 || height > GEN_MAX_HEIGHT)
            throw nb::value_error("a generated level has at least one column and 1 to 256 rows");
        size_t cells = size_t(width) * size_t(height);
        memory_.resize(3 * cells);
        level.width = width;
        level.height = height;
        level.map = memory_.data();
        level.creatures = of_text ? level.map : level.map + cells;
        level.data = of_text ? nullptr : reinterpret_cast<int8_t *>(level.map + 2 * cells);
    }

    nb::bytes map() const {
        return nb::bytes(reinterpret_cast<const char *>(level.map), memory_.size() / 3);
    }

    gen_level level{};

  private:
    std::vector<uint8_t> memory_;
};

using Writer = void (*)(const gen_level *, char *);

nb::str text_of(const Canvas &canvas, Writer write) {
    std::vector<char> text(gen_text_size(&canvas.level));
    write(&canvas.level, text.data());
    return nb::str(text.data(), text.size() - 1); // without the last line feed
}

bool is_winged(uint8_t letter) {
    bool has_none = letter == GEN_PIRANHA || letter == GEN_PRINCESS;
    return letter == GEN_WAVE_GOOMBA || (!has_none && std::isupper(letter));
}

int kind_2009(uint8_t letter) {
    const char *order = "rkgyt";
    return int(std::strchr(order, std::tolower(letter)) - order);
}

int kind_2010(uint8_t letter) {
    switch (letter) {
    case 'g': return 80;
    case 'k': return 81;
    case 'r': return 82;
    case 'y': return 93;
    case 'G': return 95;
    case 'K': return 96;
    case 'R': return 97;
    case 'Y': return 99;
    case GEN_WAVE_GOOMBA: return 98;
    case GEN_PIRANHA: return 91;
    default: return 49; // the princess
    }
}

// Calls visit(column, row, value) for every cell whose value is not zero.
template <typename T, typename Visit>
void each_filled(const gen_level &level, const T *cells, Visit visit) {
    for (int x = 0; x < level.width; x++)
        for (int y = 0; y < level.height; y++)
            if (T value = cells[size_t(x) * size_t(level.height) + size_t(y)])
                visit(x, y, value);
}

nb::list creatures_of(const gen_level &level, int (*kind_of)(uint8_t)) {
    nb::list creatures;
    each_filled(level, level.creatures, [&](int x, int y, uint8_t letter) {
        creatures.append(nb::make_tuple(x, y, kind_of(letter), is_winged(letter)));
    });
    return creatures;
}

nb::list data_of(const gen_level &level) {
    nb::list data;
    each_filled(level, level.data, [&](int x, int y, int8_t value) {
        data.append(nb::make_tuple(x, y, int(value)));
    });
    return data;
}

nb::dict counts_of(const gen_counts &counts) {
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

// Text, map, exit, creatures, block data, counts.
nb::tuple described(const Canvas &canvas, int (*kind_of)(uint8_t), nb::dict counts) {
    const gen_level &level = canvas.level;
    return nb::make_tuple(text_of(canvas, gen_bytes_to_text), canvas.map(),
                          std::pair(level.exit_x, level.exit_y), creatures_of(level, kind_of),
                          data_of(level), counts);
}

nb::tuple notch_2009(int64_t seed, int difficulty, int scenery, int width) {
    enum { HEIGHT = 15 };
    Canvas canvas(width, HEIGHT);
    gen_notch_options options{seed, difficulty, scenery};
    gen_notch_2009(&canvas.level, &options);
    return described(canvas, kind_2009, nb::dict());
}

nb::str notch_framework(int64_t seed, int difficulty, int scenery, int width, int height) {
    Canvas canvas(width, height, true);
    gen_notch_options options{seed, difficulty, scenery};
    gen_notch_framework(&canvas.level, &options);
    return text_of(canvas, gen_characters_to_text);
}

void set_creatures(gen_tunable_options &options, nb::handle creatures) {
    if (creatures.is_none())
        return;
    auto listed = nb::cast<std::vector<std::pair<int, int>>>(creatures);
    options.creatures = listed.empty() ? GEN_CREATURES_ANY : GEN_CREATURES_LISTED;
    for (auto [kind, count] : listed) {
        if (kind < 0 || kind >= GEN_TUNABLE_KINDS || options.n_listed == GEN_TUNABLE_KINDS)
            throw nb::value_error("the nine kinds of creatures are numbered from 0, each once");
        options.listed[options.n_listed].kind = kind;
        options.listed[options.n_listed++].count = count;
    }
}

struct Switch {
    const char *name;
    bool gen_tunable_options::*field;
};

const Switch SWITCHES[] = {
    {"flat", &gen_tunable_options::flat},
    {"dead_ends", &gen_tunable_options::dead_ends},
    {"cannons", &gen_tunable_options::cannons},
    {"platforms", &gen_tunable_options::platforms},
    {"tubes", &gen_tunable_options::tubes},
    {"coins", &gen_tunable_options::coins},
    {"blocks", &gen_tunable_options::blocks},
    {"gaps", &gen_tunable_options::gaps},
    {"hidden_blocks", &gen_tunable_options::hidden_blocks},
    {"ladders", &gen_tunable_options::ladders},
};

nb::tuple tunable_2010(nb::handle given, nb::handle creatures) {
    auto number = [&](const char *name) { return nb::cast<int>(given.attr(name)); };
    gen_tunable_options options{};
    options.seed = number("seed");
    options.difficulty = number("difficulty");
    options.type = number("type");
    options.exit_x = number("exit_x");
    options.exit_y = number("exit_y");
    for (const Switch &each : SWITCHES)
        options.*each.field = nb::cast<bool>(given.attr(each.name));
    set_creatures(options, creatures);
    Canvas canvas(number("width"), number("height"));
    gen_tunable_2010(&canvas.level, &options);
    return described(canvas, kind_2010, counts_of(canvas.level.counts));
}

} // namespace

void bind_generator_ludus(nb::module_ &m);

void bind_generators(nb::module_ &m) {
    bind_generator_ludus(m);
    m.def("notch_2009", &notch_2009, "seed"_a, "difficulty"_a, "scenery"_a, "width"_a,
          "Generate a level of the 2009 competition.");
    m.def("notch_framework", &notch_framework, "seed"_a, "difficulty"_a, "scenery"_a, "width"_a,
          "height"_a, "Generate the text of a level as the framework's notch generator does.");
    m.def("tunable_2010", &tunable_2010, "options"_a, "creatures"_a.none(),
          "Generate a level of the 2010 benchmark.");
    nb::class_<java_random>(m, "JavaRandom", "The stream of java.util.Random.")
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
