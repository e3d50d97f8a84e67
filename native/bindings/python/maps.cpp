// Binds levels of map bytes to Python: from a Reference of levels/reference.py.
#include "bindings/python/worlds.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

namespace {

// A map of bytes with the lists that it points into. The reference holds the bytes.
struct Map {
    std::vector<ludus_creature> creatures;
    std::vector<ludus_block_data> data;
    nb::bytes bytes;
    ludus_map map{};

    explicit Map(nb::handle reference) : bytes(nb::cast<nb::bytes>(reference.attr("map"))) {
        list_contents(reference);
        map.size = sizeof map;
        map.width = nb::cast<int>(reference.attr("width"));
        map.height = nb::cast<int>(reference.attr("height"));
        if (int64_t(bytes.size()) != int64_t(map.width) * map.height)
            throw nb::value_error("a map needs one byte for each cell");
        map.map = reinterpret_cast<const uint8_t *>(bytes.c_str());
        std::tie(map.exit_x, map.exit_y) = nb::cast<std::pair<int, int>>(reference.attr("exit"));
        map.type = nb::cast<int>(reference.attr("type"));
        map.difficulty = nb::cast<int>(reference.attr("difficulty"));
        nb::object counts = reference.attr("counts");
        map.counts.coins = count(counts, "coins");
        map.counts.hidden = count(counts, "hidden");
        map.counts.creatures = count(counts, "creatures");
    }
    Map(const Map &) = delete;

    void list_contents(nb::handle reference) {
        for (nb::handle creature : reference.attr("creatures")) {
            auto [column, row, kind, winged] = nb::cast<std::tuple<int, int, int, bool>>(creature);
            creatures.push_back({column, row, kind, winged});
        }
        for (nb::handle block : reference.attr("data")) {
            auto [column, row, value] = nb::cast<std::tuple<int, int, int>>(block);
            data.push_back({column, row, value});
        }
        map.creatures = creatures.data();
        map.n_creatures = creatures.size();
        map.data = data.data();
        map.n_data = data.size();
    }

    static int count(nb::handle counts, const char *name) { return nb::cast<int>(counts.attr("get")(name, 0)); }
};

} // namespace

void make_map_grid(Grid *self, nb::object reference, const std::string &rules) {
    Map map(reference);
    ludus_level *level;
    check(ludus_level_from_map(&map.map, rules.c_str(), &level));
    new (self) Grid{Handle<ludus_level>(level)};
}

std::string map_text(nb::object reference, const std::string &rules) {
    Map map(reference);
    size_t length;
    check(ludus_map_text(&map.map, rules.c_str(), nullptr, 0, &length));
    std::string text(length, '\0');
    check(ludus_map_text(&map.map, rules.c_str(), text.data(), length, &length));
    text.pop_back(); // the last line feed
    return text;
}
