// Binds the generator "ludus" to Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <tuple>
#include <vector>

extern "C" {
#include "generators/ludus_options.h"
}

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <typename T> struct Field {
    const char *name;
    T lg_options::*member;
};

const Field<int32_t> NUMBERS[] = {
    {"difficulty", &lg_options::difficulty},
    {"length", &lg_options::length},
    {"height", &lg_options::height},
    {"start_column", &lg_options::start_column},
    {"exit_column", &lg_options::exit_column},
    {"exit_row", &lg_options::exit_row},
    {"relief", &lg_options::relief},
    {"gaps", &lg_options::gaps},
    {"gap_width", &lg_options::gap_width},
    {"stairs", &lg_options::stairs},
    {"tubes", &lg_options::tubes},
    {"piranhas", &lg_options::piranhas},
    {"cannons", &lg_options::cannons},
    {"hills", &lg_options::hills},
    {"platforms", &lg_options::platforms},
    {"dead_ends", &lg_options::dead_ends},
    {"dead_end_depth", &lg_options::dead_end_depth},
    {"ladders", &lg_options::ladders},
    {"moving_platforms", &lg_options::moving_platforms},
    {"switches", &lg_options::switches},
    {"keys", &lg_options::keys},
    {"puzzles", &lg_options::puzzles},
    {"blocks", &lg_options::blocks},
    {"power_ups", &lg_options::power_ups},
    {"coin_blocks", &lg_options::coin_blocks},
    {"one_ups", &lg_options::one_ups},
    {"hidden_blocks", &lg_options::hidden_blocks},
    {"coins", &lg_options::coins},
    {"creatures", &lg_options::creatures},
    {"winged", &lg_options::winged},
};

const Field<bool> SWITCHES[] = {
    {"flat", &lg_options::flat},
    {"impossible", &lg_options::impossible},
};

const char *const WEIGHTS[LG_WALKERS] = {"goombas", "green_koopas", "red_koopas", "spikies"};
const char *const COUNTS[LG_WALKERS] = {"goomba_count", "green_koopa_count", "red_koopa_count",
                                           "spiky_count"};

int32_t number(nb::handle given, const char *name) {
    nb::object value = given.attr(name);
    return value.is_none() ? -1 : nb::cast<int32_t>(value);
}

lg_options options_of(nb::handle given) {
    lg_options options{};
    options.seed = nb::cast<uint64_t>(given.attr("seed"));
    for (const auto &each : NUMBERS)
        options.*each.member = number(given, each.name);
    for (const auto &each : SWITCHES)
        options.*each.member = nb::cast<bool>(given.attr(each.name));
    for (int kind = 0; kind < LG_WALKERS; kind++) {
        options.weights[kind] = number(given, WEIGHTS[kind]);
        options.counts[kind] = number(given, COUNTS[kind]);
    }
    return options;
}

bool has_size(const lg_options &o) {
    return o.length >= LG_LEAST_LENGTH && o.length <= LG_MOST_LENGTH
           && o.height >= LG_LEAST_HEIGHT && o.height <= LG_MOST_HEIGHT;
}

using Reach = std::tuple<int, int, int>;

std::tuple<nb::str, bool> generate(nb::handle given, bool ceiling, const Reach &reach) {
    lg_options options = options_of(given);
    if (!has_size(options))
        throw nb::value_error("the level's length or height is out of range");
    options.ceiling = ceiling;
    std::tie(options.reach_up, options.reach_across, options.reach_far) = reach;
    lg_workspace workspace;
    std::vector<char> text(lg_text_size(&options));
    bool elements = lg_generate(&options, &workspace, text.data());
    return {nb::str(text.data(), text.size() - 1), elements}; // without the last line feed
}

} // namespace

void bind_generator_ludus(nb::module_ &m) {
    m.def("ludus_level", &generate, "options"_a, "ceiling"_a, "reach"_a,
          "Generate the text of a level, and whether it has elements of the rule set ludus.");
}
