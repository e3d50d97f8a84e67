// Binds the generator "ludus" to Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <tuple>
#include <vector>

extern "C" {
#include "ludus.h"
}

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <typename T> struct Field {
    const char *name;
    T ludus_options::*member;
};

const Field<int32_t> NUMBERS[] = {
    {"difficulty", &ludus_options::difficulty},
    {"length", &ludus_options::length},
    {"height", &ludus_options::height},
    {"start_column", &ludus_options::start_column},
    {"exit_column", &ludus_options::exit_column},
    {"exit_row", &ludus_options::exit_row},
    {"relief", &ludus_options::relief},
    {"gaps", &ludus_options::gaps},
    {"gap_width", &ludus_options::gap_width},
    {"stairs", &ludus_options::stairs},
    {"tubes", &ludus_options::tubes},
    {"piranhas", &ludus_options::piranhas},
    {"cannons", &ludus_options::cannons},
    {"hills", &ludus_options::hills},
    {"platforms", &ludus_options::platforms},
    {"dead_ends", &ludus_options::dead_ends},
    {"dead_end_depth", &ludus_options::dead_end_depth},
    {"ladders", &ludus_options::ladders},
    {"moving_platforms", &ludus_options::moving_platforms},
    {"switches", &ludus_options::switches},
    {"keys", &ludus_options::keys},
    {"puzzles", &ludus_options::puzzles},
    {"blocks", &ludus_options::blocks},
    {"power_ups", &ludus_options::power_ups},
    {"coin_blocks", &ludus_options::coin_blocks},
    {"one_ups", &ludus_options::one_ups},
    {"hidden_blocks", &ludus_options::hidden_blocks},
    {"coins", &ludus_options::coins},
    {"creatures", &ludus_options::creatures},
    {"winged", &ludus_options::winged},
};

const Field<bool> SWITCHES[] = {
    {"flat", &ludus_options::flat},
    {"impossible", &ludus_options::impossible},
};

const char *const WEIGHTS[LUDUS_WALKERS] = {"goombas", "green_koopas", "red_koopas", "spikies"};
const char *const COUNTS[LUDUS_WALKERS] = {"goomba_count", "green_koopa_count", "red_koopa_count",
                                           "spiky_count"};

int32_t number(nb::handle given, const char *name) {
    nb::object value = given.attr(name);
    return value.is_none() ? -1 : nb::cast<int32_t>(value);
}

ludus_options options_of(nb::handle given) {
    ludus_options options{};
    options.seed = nb::cast<uint64_t>(given.attr("seed"));
    for (const auto &each : NUMBERS)
        options.*each.member = number(given, each.name);
    for (const auto &each : SWITCHES)
        options.*each.member = nb::cast<bool>(given.attr(each.name));
    for (int kind = 0; kind < LUDUS_WALKERS; kind++) {
        options.weights[kind] = number(given, WEIGHTS[kind]);
        options.counts[kind] = number(given, COUNTS[kind]);
    }
    return options;
}

bool has_size(const ludus_options &o) {
    return o.length >= LUDUS_LEAST_LENGTH && o.length <= LUDUS_MOST_LENGTH
           && o.height >= LUDUS_LEAST_HEIGHT && o.height <= LUDUS_MOST_HEIGHT;
}

using Reach = std::tuple<int, int, int>;

std::tuple<nb::str, bool> generate(nb::handle given, bool ceiling, const Reach &reach) {
    ludus_options options = options_of(given);
    if (!has_size(options))
        throw nb::value_error("the level's length or height is out of range");
    options.ceiling = ceiling;
    std::tie(options.reach_up, options.reach_across, options.reach_far) = reach;
    ludus_workspace workspace;
    std::vector<char> text(ludus_text_size(&options));
    bool elements = ludus_generate(&options, &workspace, text.data());
    return {nb::str(text.data(), text.size() - 1), elements}; // without the last line feed
}

} // namespace

void bind_generator_ludus(nb::module_ &m) {
    m.def("ludus_level", &generate, "options"_a, "ceiling"_a, "reach"_a,
          "Generate the text of a level, and whether it has elements of the rule set ludus.");
}
