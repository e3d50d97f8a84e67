// Binds boards of Diplomacy to Python.
#include "bindings/python/buffers.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

// A name of its own: types of equal names in two modules are one to nanobind.
namespace diplomacy {

constexpr int POWERS = LUDUS_DIPLOMACY_POWERS, USUAL_ORDERS = 4096;

using Codes = std::vector<uint32_t>;
using Numbers = std::vector<int>;

// ---- texts ---------------------------------------------------------------------------------------

// The texts of orders, each made once: most of them are asked for again and again. A table of rows for orders
// that differ in their end alone, as a list of legal orders has them side by side. A product finds the row; if the
// order's place is taken, the next free one serves.
class Texts {
  public:
    Texts() : slots_(1 << 12) {
        for (int32_t at = 0; at < LUDUS_DIPLOMACY_LOCATIONS; at++)
            if (ludus_diplomacy_province(at) == int32_t(provinces_.size()))
                provinces_.push_back(nb::str(ludus_diplomacy_location(at)));
    }

    const nb::object &province(int number) const { return provinces_[size_t(number)]; }

    nb::handle of(uint32_t order) {
        Slot *slot = find(order);
        if (!slot->text.is_valid()) {
            if (2 * ++n_ > slots_.size()) {
                grow();
                slot = find(order);
            }
            char text[LUDUS_DIPLOMACY_TEXT];
            int32_t length = ludus_diplomacy_write_order(order, text);
            *slot = {order, nb::str(text, size_t(length))};
        }
        return slot->text;
    }

  private:
    static constexpr uint32_t ROW = 16;
    struct Slot {
        uint32_t order = 0;
        nb::object text;
    };
    std::vector<Slot> slots_;
    std::vector<nb::object> provinces_;
    size_t n_ = 0;

    Slot *find(uint32_t order) {
        size_t row = (order / ROW * 0x9e3779b97f4a7c15u >> 32) * ROW, at = (row + order % ROW) & (slots_.size() - 1);
        while (slots_[at].text.is_valid() && slots_[at].order != order)
            at = (at + 1) & (slots_.size() - 1);
        return &slots_[at];
    }

    void grow() {
        std::vector<Slot> before(2 * slots_.size());
        before.swap(slots_);
        for (Slot &slot : before)
            if (slot.text.is_valid())
                *find(slot.order) = std::move(slot);
    }
};

// A list of the texts of orders.
nb::list list_of(Texts &texts, const uint32_t *orders, size_t n) {
    nb::list list = nb::steal<nb::list>(PyList_New(Py_ssize_t(n)));
    for (size_t k = 0; k < n; k++)
        PyList_SetItem(list.ptr(), Py_ssize_t(k), texts.of(orders[k]).inc_ref().ptr());
    return list;
}

// ---- boards --------------------------------------------------------------------------------------

struct Board {
    Handle<ludus_diplomacy> board;

    ludus_diplomacy *get() const { return board.get(); }
    ludus_diplomacy_facts facts() const {
        ludus_diplomacy_facts facts;
        ludus_diplomacy_describe(get(), &facts);
        return facts;
    }
};

void make_board(Board *self, int year, int options) {
    ludus_diplomacy *board;
    check(ludus_diplomacy_begin(year, options, &board));
    new (self) Board{Handle<ludus_diplomacy>(board)};
}

Board clone(const Board &board) {
    ludus_diplomacy *copy;
    check(ludus_diplomacy_clone(board.get(), &copy));
    return {Handle<ludus_diplomacy>(copy)};
}

void copy_from(Board &board, const Board &other) { ludus_diplomacy_copy(board.get(), other.get()); }

nb::bytes clone_state(const Board &board) { return save(ludus_diplomacy_save, (const ludus_diplomacy *)board.get()); }

void restore_state(Board &board, nb::bytes state) {
    check(ludus_diplomacy_load(board.get(), state.data(), state.size()));
}

void clear(Board &board, int year, int season, int kind, int options, int victors) {
    check(ludus_diplomacy_clear(board.get(), year, season, kind, options, victors));
}

void add(Board &board, int part, int power, int value) {
    check(ludus_diplomacy_add(board.get(), part, power, value));
}

// Items with an owner each, as a list for every power.
std::vector<Numbers> list_by_owner(const uint8_t *owners, const uint8_t *items, int n) {
    std::vector<Numbers> lists(POWERS);
    for (int k = 0; k < n; k++)
        lists[owners[k]].push_back(items[k]);
    return lists;
}

// Items one power's behind the other's, as a list for every power.
std::vector<Numbers> list_by_count(const uint8_t *items, const int32_t *counts) {
    std::vector<Numbers> lists;
    for (int power = 0; power < POWERS; items += counts[power], power++)
        lists.emplace_back(items, items + counts[power]);
    return lists;
}

std::vector<Numbers> units(const Board &board) {
    ludus_diplomacy_facts f = board.facts();
    return list_by_owner(f.owners, f.units, f.n_units);
}
std::vector<Numbers> destroyed(const Board &board) {
    ludus_diplomacy_facts f = board.facts();
    return list_by_owner(f.destroyed_owners, f.destroyed, f.n_destroyed);
}
std::vector<Numbers> centres(const Board &board) {
    ludus_diplomacy_facts f = board.facts();
    return list_by_count(f.centres, f.n_centres);
}
std::vector<Numbers> influence(const Board &board) {
    ludus_diplomacy_facts f = board.facts();
    return list_by_count(f.influence, f.n_influence);
}

Numbers list_moves(int unit) {
    int32_t locations[16];
    size_t n = ludus_diplomacy_moves(unit, locations, 16);
    return Numbers(locations, locations + n);
}

// Owner, unit and places of every dislodged unit.
std::vector<std::tuple<int, int, Numbers>> dislodged(const Board &board) {
    std::vector<std::tuple<int, int, Numbers>> all;
    ludus_diplomacy_facts f = board.facts();
    for (int k = 0; k < f.n_dislodged; k++) {
        Numbers places, moves = list_moves(f.dislodged[k]);
        for (size_t move = 0; move < moves.size(); move++)
            if (f.places[k] >> move & 1)
                places.push_back(moves[move]);
        all.emplace_back(f.dislodged_owners[k], f.dislodged[k], places);
    }
    return all;
}

Numbers builds(const Board &board) {
    ludus_diplomacy_facts f = board.facts();
    return Numbers(f.builds, f.builds + POWERS);
}

Numbers open_homes(const Board &board, int power) {
    int32_t homes[4];
    size_t n = ludus_diplomacy_open_homes(board.get(), power, homes, 4);
    return Numbers(homes, homes + n);
}

// All legal orders, group by group.
struct Listed {
    ludus_diplomacy_groups groups;
    uint32_t usual[USUAL_ORDERS];
    Codes many;
    const uint32_t *orders = usual;

    explicit Listed(const Board &board) {
        size_t n = ludus_diplomacy_orders(board.get(), &groups, usual, USUAL_ORDERS);
        if (n > USUAL_ORDERS) {
            many.resize(n);
            ludus_diplomacy_orders(board.get(), &groups, many.data(), n);
            orders = many.data();
        }
        charge(COST_OF_LOOK + int64_t(n) / CELLS_FOR_A_UNIT);
    }
};

// Province, owner and orders of every group.
nb::list list_orders(const Board &board) {
    Listed listed(board);
    nb::list all;
    const uint32_t *at = listed.orders;
    for (int k = 0; k < listed.groups.n_groups; k++) {
        const uint32_t *end = listed.orders + listed.groups.ends[k];
        all.append(nb::make_tuple(listed.groups.provinces[k], listed.groups.owners[k], Codes(at, end)));
        at = end;
    }
    return all;
}

// The texts of the legal orders by province, and the provinces of each power.
nb::tuple list_texts(const Board &board, Texts &texts) {
    Listed listed(board);
    nb::dict legal;
    nb::list orderable[POWERS], all;
    int at = 0;
    for (int k = 0; k < listed.groups.n_groups; at = listed.groups.ends[k++]) {
        const nb::object &province = texts.province(listed.groups.provinces[k]);
        legal[province] = list_of(texts, listed.orders + at, size_t(listed.groups.ends[k] - at));
        orderable[listed.groups.owners[k]].append(province);
    }
    for (nb::list &provinces : orderable)
        all.append(provinces);
    return nb::make_tuple(legal, all);
}

bool is_legal(const Board &board, int power, uint32_t order) {
    return ludus_diplomacy_is_legal(board.get(), power, order);
}

// Takes a list of orders for every power; returns units with the codes of what came between.
std::vector<std::pair<int, Numbers>> step(Board &board, const std::vector<Codes> &orders) {
    if (orders.size() != POWERS)
        raise_ludus("ActionError", std::to_string(orders.size()) + " lists of orders: give one for each of 7 powers");
    Codes all;
    int32_t counts[POWERS];
    for (int power = 0; power < POWERS; power++) {
        counts[power] = int32_t(orders[size_t(power)].size());
        all.insert(all.end(), orders[size_t(power)].begin(), orders[size_t(power)].end());
    }
    ludus_diplomacy_result results[LUDUS_DIPLOMACY_RESULTS];
    int32_t n = check(ludus_diplomacy_step(board.get(), all.data(), counts, results));
    std::vector<std::pair<int, Numbers>> listed;
    for (int k = 0; k < n; k++)
        listed.emplace_back(results[k].unit, Numbers(results[k].codes, results[k].codes + results[k].n));
    return listed;
}

// What a bot's thinking costs, in looks.
constexpr int LOOKS[] = {2, 2, 100, 2000}, LOOKING_AHEAD = 2;

// The texts of a bot's orders for a power.
nb::list choose_texts(const Board &board, Texts &texts, int bot, int power, uint64_t random, int winters) {
    uint32_t orders[LUDUS_DIPLOMACY_PROVINCES];
    int32_t n = check(ludus_diplomacy_choose(board.get(), bot, power, winters, &random, orders));
    charge(int64_t(COST_OF_LOOK) * LOOKS[bot] * (bot < LOOKING_AHEAD ? 1 : winters));
    return list_of(texts, orders, size_t(n));
}

// Plays random orders until a year has passed; returns the phases and the state of the random numbers.
std::pair<int, uint64_t> play(Board &board, uint64_t random, int last_year) {
    int phases = ludus_diplomacy_play(board.get(), &random, last_year);
    return {phases, random};
}

// ---- batches -------------------------------------------------------------------------------------

struct Batch {
    Handle<ludus_diplomacy_batch> batch;
    Buffers buffers;
    mutable Busy busy{false};

    ludus_diplomacy_batch *get() const { return batch.get(); }
};

constexpr const char *WHAT = "the batch of games";

void make_batch(Batch *self, int n, nb::handle arrays, int last_year, int threads) {
    size_t all = size_t(n > 0 ? n : 0);
    Buffers buffers;
    ludus_diplomacy_batch_options o{};
    o.size = sizeof o;
    o.n = n;
    o.last_year = last_year;
    o.threads = threads;
    o.actions = bind_buffer<int32_t>(buffers, arrays, "actions", all * LUDUS_DIPLOMACY_PROVINCES);
    o.counts = bind_buffer<int32_t>(buffers, arrays, "counts", all * LUDUS_DIPLOMACY_PROVINCES);
    o.owners = bind_buffer<uint8_t>(buffers, arrays, "owners", all * LUDUS_DIPLOMACY_PROVINCES);
    o.planes = bind_buffer<uint8_t>(buffers, arrays, "planes",
                                    all * LUDUS_DIPLOMACY_LOCATIONS * LUDUS_DIPLOMACY_PLANES);
    o.times = bind_buffer<int32_t>(buffers, arrays, "times", all * LUDUS_DIPLOMACY_TIMES);
    o.rewards = bind_buffer<float>(buffers, arrays, "rewards", all * POWERS);
    o.ended = bind_buffer<uint8_t>(buffers, arrays, "ended", all);
    ludus_diplomacy_batch *batch;
    check(ludus_diplomacy_batch_new(&o, &batch));
    new (self) Batch{Handle<ludus_diplomacy_batch>(batch), std::move(buffers)};
}

void begin_batch(Batch &batch) {
    Work work(batch.busy, WHAT);
    ludus_diplomacy_batch_begin(batch.get());
}

void step_batch(Batch &batch) {
    Work work(batch.busy, WHAT);
    check(run_unlocked([&] { return ludus_diplomacy_batch_step(batch.get()); }));
}

Board copy_board(const Batch &batch, int k) {
    Work work(batch.busy, WHAT);
    ludus_diplomacy *board;
    check(ludus_diplomacy_batch_board(batch.get(), k, &board));
    return {Handle<ludus_diplomacy>(board)};
}

// ---- the map -------------------------------------------------------------------------------------

std::vector<std::string> location_names() {
    std::vector<std::string> names;
    for (int32_t k = 0; k < LUDUS_DIPLOMACY_LOCATIONS; k++)
        names.push_back(ludus_diplomacy_location(k));
    return names;
}

std::vector<std::string> power_names() {
    std::vector<std::string> names;
    for (int32_t k = 0; k < POWERS; k++)
        names.push_back(ludus_diplomacy_power(k));
    return names;
}

Numbers list_homes(int power) {
    int32_t homes[4];
    size_t n = ludus_diplomacy_homes(power, homes, 4);
    return Numbers(homes, homes + n);
}

std::string write_unit(int unit) {
    char text[LUDUS_DIPLOMACY_TEXT];
    return std::string(text, size_t(ludus_diplomacy_write_unit(unit, text)));
}

nb::dict rule_sets() {
    nb::dict versions;
    versions[ludus_diplomacy_rules_name()] = ludus_diplomacy_rules_version();
    return versions;
}

void bind_boards(nb::module_ &m) {
    Locked<Board>(m, "Board", "A position of Diplomacy.")
        .def("__init__", &make_board, "year"_a = 1901, "options"_a = 0)
        .def("clone", &clone, "Return an exact, independent copy.")
        .def("copy_from", &copy_from, "other"_a, "Become an exact copy of another board.")
        .def("clone_state", &clone_state, "Return the whole state as bytes, for restore_state.")
        .def("restore_state", &restore_state, "state"_a, "Go on from the state of a board.")
        .def("clear", &clear, "year"_a, "season"_a, "kind"_a, "options"_a = 0, "victors"_a = 0,
             "Take everything off the board.")
        .def("add", &add, "part"_a, "power"_a, "value"_a, "Add a unit, a centre or another part.")
        .def("units", &units, "Return the units of each power.")
        .def("destroyed", &destroyed, "Return the units that were destroyed and are not reported yet.")
        .def("centres", &centres, "Return the centres of each power.")
        .def("influence", &influence, "Return the provinces that each power was last in.")
        .def("dislodged", &dislodged, "Return owner, unit and places of each dislodged unit.")
        .def("builds", &builds, "Return how many units each power may build, or has to disband.")
        .def("open_homes", &open_homes, "power"_a, "Return where a power may build.")
        .def("list_orders", &list_orders, "Return province, owner and legal orders of each group.")
        .def("list_texts", &list_texts, nb::arg("texts").lock(), "Return the texts of the legal orders by province, and each power's provinces.")
        .def("is_legal", &is_legal, "power"_a, "order"_a, "Return whether a power may give an order.")
        .def("step", &step, "orders"_a, "Adjudicate the orders of each power and go on to the next phase.")
        .def("choose_texts", &choose_texts, nb::arg("texts").lock(), "bot"_a, "power"_a, "random"_a, "winters"_a = 1,
             "Return the texts of a bot's orders for a power.")
        .def("play", &play, "random"_a, "last_year"_a, "Play random orders until a year has passed.")
        .def("hash", [](const Board &b) { return ludus_diplomacy_hash(b.get()); }, "Return a 64-bit digest of the state.")
        .def_prop_ro("year", [](const Board &b) { return b.facts().year; }, "The year.")
        .def_prop_ro("season", [](const Board &b) { return b.facts().season; }, "0 spring, 1 fall, 2 winter.")
        .def_prop_ro("kind", [](const Board &b) { return b.facts().kind; },
                     "0 movement, 1 retreats, 2 adjustments, 3 over.")
        .def_prop_ro("options", [](const Board &b) { return b.facts().options; }, "The rules of old games it has.")
        .def_prop_ro("victors", [](const Board &b) { return b.facts().victors; }, "A bit for each that has won.");
}

} // namespace diplomacy

NB_MODULE(_native, m) {
    using namespace diplomacy;
    m.doc() = "The engine of Diplomacy.";
    nb::set_leak_warnings(false); // texts live until the interpreter ends
    nb::class_<Texts>(m, "Texts", "The texts of orders, each made once.").def(nb::init<>());
    bind_boards(m);
    nb::class_<Batch>(m, "Batch", "Games stepped by one call, over buffers bound once.")
        .def("__init__", &make_batch, "n"_a, "buffers"_a, "last_year"_a, "threads"_a)
        .def("begin", &begin_batch, "Begin every game anew.")
        .def("step", &step_batch, "Adjudicate a phase of every game with the bound actions.")
        .def("board", &copy_board, "k"_a, "Return a copy of game k.");
    m.def("location_names", &location_names, "Return the names of the locations by number.");
    m.def("power_names", &power_names, "Return the names of the powers by number.");
    m.def("province_of", &ludus_diplomacy_province, "location"_a, "Return the number of a location's province.");
    m.def("province_kind", &ludus_diplomacy_province_kind, "province"_a,
          "Return 0 land, 1 coast or 2 sea, and 4 more for a supply centre.");
    m.def("list_moves", &list_moves, "unit"_a, "Return where a unit can go; nothing if it cannot stand there.");
    m.def("list_homes", &list_homes, "power"_a, "Return the home centres of a power.");
    m.def("read_order", [](const std::string &text) { return ludus_diplomacy_read_order(text.c_str()); }, "text"_a,
          "Return the number of an order, or -1.");
    m.def("read_unit", [](const std::string &text) { return ludus_diplomacy_read_unit(text.c_str()); }, "text"_a,
          "Return the number of a unit, or -1.");
    m.def("write_order", [](uint32_t order) {
            char text[LUDUS_DIPLOMACY_TEXT];
            return std::string(text, size_t(ludus_diplomacy_write_order(order, text)));
        }, "order"_a, "Return the text of an order.");
    m.def("write_unit", &write_unit, "unit"_a, "Return the text of a unit.");
    m.def("rule_sets", &rule_sets, "Return the version of each rule set by its name.");
    m.def("digest_version", &ludus_diplomacy_digest_version, "Return the version of the state digest.");
    m.def("build_info", &describe_build, "Return how the engine was built.");
    m.attr("FLEET") = int(LUDUS_DIPLOMACY_FLEET);
}
