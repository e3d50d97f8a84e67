// Binds the platformer's levels, worlds and forward models to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace nb::literals;

namespace {

// A class of records.py, looked up once. No static of a function holds it: such a static locks while it is
// made, and to import a module lets other threads run, which would wait for that lock and hold the interpreter.
class Record {
  public:
    explicit constexpr Record(const char *name) : name_(name) {}

    nb::object type() {
        PyObject *found = type_.load(std::memory_order_acquire);
        if (!found) {
            nb::object type = nb::module_::import_("ludus.games.platformer.records").attr(name_);
            found = type.release().ptr();
            type_.store(found, std::memory_order_release); // the same class, whoever comes first
        }
        return nb::borrow(found);
    }

  private:
    const char *name_;
    std::atomic<PyObject *> type_{nullptr};
};

constinit Record Mario{"Mario"}, Sprite{"Sprite"}, Event{"Event"}, Result{"Result"}, Platform{"Platform"};

// The value of an argument, or a TypeError that names it.
template <typename T> T as(nb::handle value, const char *name, const char *wanted) {
    T result;
    if (!nb::try_cast(value, result))
        throw nb::type_error((std::string(name) + " is not " + wanted + ": "
                              + nb::repr(value).c_str()).c_str());
    return result;
}

// ---- levels ------------------------------------------------------------------------------------

void make_grid(Grid *self, nb::bytes cells, int width, int height, const std::string &rules) {
    if (int64_t(cells.size()) != int64_t(width) * height)
        throw nb::value_error("a grid needs one character for each cell");
    ludus_level *level;
    check(ludus_level_from_cells(cells.c_str(), width, height, rules.c_str(), &level));
    new (self) Grid{Handle<ludus_level>(level)};
}

ludus_level_facts describe(const Grid &grid) {
    ludus_level_facts facts;
    ludus_level_describe(grid.level.get(), &facts);
    return facts;
}

nb::list list_templates(const Grid &grid) {
    nb::list result;
    for (const ludus_template &t : list_items(ludus_level_templates, (const ludus_level *)grid.level.get()))
        result.append(nb::make_tuple(t.column, t.row, t.kind));
    return result;
}

nb::list platform_records(const std::vector<ludus_platform> &platforms) {
    nb::list result;
    for (const ludus_platform &p : platforms)
        result.append(Platform.type()(p.x, p.y, p.width));
    return result;
}

nb::object grid_tiles(const Grid &grid) {
    ludus_level_facts facts = describe(grid);
    size_t width = size_t(facts.width), height = size_t(facts.height);
    return new_array<uint8_t>({width, height}, [&](uint8_t *tiles) {
        ludus_level_tiles(grid.level.get(), tiles, width * height);
    });
}

// ---- making worlds -----------------------------------------------------------------------------

float number(nb::handle options, const char *name) {
    return as<float>(options.attr(name), name, "a number");
}

ludus_physics physics_of(nb::handle options) {
    if (!nb::hasattr(options, "creature_gravity"))
        throw nb::type_error("physics is not a Physics: try physics=Physics(gravity=0.5)");
    return {number(options, "gravity"),
            number(options, "creature_gravity"),
            number(options, "jump_power"),
            number(options, "ice"),
            number(options, "wind"),
            as<int>(options.attr("tick_ms"), "tick_ms", "a whole number"),
            as<bool>(options.attr("frozen_creatures"), "frozen_creatures", "a bool"),
            as<bool>(options.attr("invulnerable"), "invulnerable", "a bool")};
}

std::vector<ludus_kill_event> kills_of(nb::handle events) {
    std::vector<ludus_kill_event> kills;
    for (nb::handle event : events) {
        auto [kind, param] = as<std::pair<int, int>>(event, "kill event", "a pair of numbers");
        kills.push_back({kind, param});
    }
    return kills;
}

template <typename T>
T argument_or(nb::handle argument, nb::handle level, const char *name, const char *wanted) {
    return as<T>(argument.is_none() ? nb::object(level.attr(name)) : nb::borrow(argument), name, wanted);
}

int whole_number(nb::handle options, const char *name) {
    return as<int>(options.attr(name), name, "a whole number");
}

// The options of a text of the benchmark of 2010, or None.
nb::object read_options(nb::object options) {
    if (options.is_none() || nb::hasattr(options, "green_mushrooms"))
        return options;
    return nb::module_::import_("ludus.games.platformer.options_2010").attr("Options2010").attr("parse")(options);
}

void put_options(ludus_settings &settings, nb::handle options) {
    settings.difficulty = whole_number(options, "difficulty");
    settings.green_mushrooms = whole_number(options, "green_mushrooms");
    settings.start_x = whole_number(options, "start_x");
    settings.start_y = whole_number(options, "start_y");
    settings.screen_width = whole_number(options, "screen_width");
    settings.screen_height = whole_number(options, "screen_height");
    settings.stopped = as<bool>(options.attr("stopped"), "stopped", "a bool");
    settings.field_width = whole_number(options, "field_width");
    settings.field_height = whole_number(options, "field_height");
    settings.ego_row = whole_number(options, "ego_row");
    settings.ego_column = whole_number(options, "ego_column");
    settings.tile_detail = whole_number(options, "tile_detail");
    settings.entity_detail = whole_number(options, "entity_detail");
}

// An argument, or what stands for None: what the options say, or else the level.
template <typename T>
T choose(nb::handle argument, nb::handle options, nb::handle level, const char *name, const char *wanted) {
    return argument_or<T>(argument, options.is_none() ? level : options, name, wanted);
}

// None stands for what the options say, or else the level.
void make_world(World *self, nb::object level, nb::object mode_argument, nb::object time_limit_argument,
                nb::object kill_events, nb::object physics_argument, nb::object rules_argument,
                nb::object options_argument) {
    const Grid *grid;
    if (!nb::hasattr(level, "_grid") || !nb::try_cast(level.attr("_grid"), grid))
        throw nb::type_error("a World needs a Level: try World(Level.parse(text))");
    nb::object options = read_options(argument_or<nb::object>(options_argument, level, "options", "a text"));
    auto rules = argument_or<std::string>(rules_argument, level, "rules", "a name");
    if (!options.is_none() && rules != "2010")
        raise_ludus("OptionError", "options are those of the rules '2010', not of '" + rules + "': leave them out");
    if (mode_argument.is_none() && options.is_none())
        mode_argument = nb::int_(0);
    auto mode = choose<long>(mode_argument, options, level, "mode", "a whole number");
    auto time_limit = choose<long>(time_limit_argument, options, level, "time_limit", "a whole number");
    auto physics = argument_or<nb::object>(physics_argument, level, "physics", "a Physics");
    nb::object numbers = physics.is_none() ? options : physics;
    ludus_physics physics_options{};
    ludus_settings settings;
    ludus_settings_default(&settings);
    if (!options.is_none())
        put_options(settings, options);
    if (!numbers.is_none()) {
        physics_options = physics_of(numbers);
        settings.power_restoration = as<bool>(numbers.attr("power_restoration"), "power_restoration", "a bool");
    }
    std::vector<ludus_kill_event> kills = kills_of(kill_events);
    ludus_world_options all{sizeof all, narrow(mode), narrow(time_limit), rules.c_str(),
                            numbers.is_none() ? nullptr : &physics_options, kills.data(), kills.size(), &settings};
    ludus_world *world;
    check(ludus_world_begin(grid->level.get(), &all, &world));
    new (self) World{{Handle<ludus_world>(world), level, physics, options}};
}

using Maker = int32_t (*)(const ludus_world *, ludus_world **);

// What the engine makes of a world, with the level and physics of that.
template <typename To, Maker make> To derive(const View &from) {
    charge(COST_OF_COPY);
    ludus_world *made;
    check(make(from.get(), &made));
    return {{Handle<ludus_world>(made), from.level, from.physics, from.options}};
}

const auto clone_world = &derive<World, ludus_world_clone>;
const auto clone_model = &derive<ForwardModel, ludus_model_clone>;
const auto copy_model = &derive<ForwardModel, ludus_world_clone>; // exact, as every copy in Python is

int step(World &world, int64_t action) {
    charge(COST_OF_TICK);
    return check(ludus_world_step(world.get(), action));
}

int advance(ForwardModel &model, int64_t action) {
    charge(COST_OF_TICK);
    return check(ludus_model_advance(model.get(), action));
}

// ---- states ------------------------------------------------------------------------------------

nb::bytes clone_state(const View &view) {
    charge(COST_OF_COPY);
    return save(ludus_world_save, (const ludus_world *)view.get());
}

void restore_state(View &view, nb::bytes state) {
    charge(COST_OF_COPY);
    check(ludus_world_load(view.get(), state.data(), state.size()));
}

// What pickle makes a world of again: level, physics, options, kill events, state.
using Pickled = std::tuple<nb::object, nb::object, nb::object, std::vector<std::pair<int, int>>, nb::bytes>;

std::vector<std::pair<int, int>> list_kill_events(const View &view) {
    std::vector<std::pair<int, int>> kills;
    for (const ludus_kill_event &kill : list_items(ludus_world_kill_events, (const ludus_world *)view.get()))
        kills.emplace_back(kill.kind, kill.param);
    return kills;
}

Pickled get_state(const View &view) {
    return {view.level, view.physics, view.options, list_kill_events(view), clone_state(view)};
}

template <typename To> void set_state(To &self, const Pickled &pickled) {
    const auto &[level, physics, options, kill_events, state] = pickled;
    World world;
    make_world(&world, level, nb::none(), nb::none(), nb::cast(kill_events), physics, nb::none(), options);
    restore_state(world, state);
    new (&self) To{std::move(static_cast<View &>(world))};
}

using Actions = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

size_t run(World &world, Actions actions) {
    charge(COST_OF_TICK * int64_t(actions.size()));
    size_t played;
    check(ludus_world_run(world.get(), actions.data(), actions.size(), &played));
    return played;
}

// ---- looking at worlds -------------------------------------------------------------------------

template <auto Field> auto fact(const View &view) {
    ludus_world_facts facts;
    ludus_world_describe(view.get(), &facts);
    return facts.*Field;
}

template <auto First, auto Second> auto facts(const View &view) {
    return std::pair(fact<First>(view), fact<Second>(view));
}

template <auto Field> int32_t figure(const View &view) {
    ludus_result result;
    ludus_world_result(view.get(), &result);
    return result.*Field;
}

ludus_mario mario_of(const View &view) {
    ludus_mario mario;
    ludus_world_mario(view.get(), &mario);
    return mario;
}

nb::object mario(const View &view) {
    charge(COST_OF_RECORD);
    nb::object type = Mario.type();
    ludus_mario m = mario_of(view);
    ludus_pose pose;
    ludus_world_pose(view.get(), &pose);
    return type(m.x, m.y, m.vx, m.vy, m.mode, bool(m.on_ground), bool(m.was_on_ground),
                            bool(m.may_jump), bool(m.ducking), bool(m.can_shoot), m.jump_time,
                            m.invulnerable, m.facing, m.height, bool(m.alive), m.jump_start_x,
                            bool(m.listed), bool(pose.sliding), bool(pose.climbing), bool(pose.carrying));
}

nb::list sprites(const View &view) {
    nb::object type = Sprite.type();
    nb::list result;
    const ludus_world *world = view.get();
    std::vector<ludus_fate> fates = list_items(ludus_world_fates, world);
    size_t k = 0;
    for (const ludus_sprite &s : list_items(ludus_world_sprites, world)) {
        const ludus_fate &fate = fates[k++];
        charge(COST_OF_RECORD);
        result.append(type(s.kind, s.x, s.y, s.vx, s.vy, s.facing, bool(s.on_ground), bool(s.winged), s.aux,
                           fate.dead_time, bool(fate.flying), bool(fate.carried)));
    }
    return result;
}

nb::list events(const View &view) {
    nb::object type = Event.type();
    nb::list result;
    for (const ludus_event &e : list_items(ludus_world_events, (const ludus_world *)view.get())) {
        charge(COST_OF_RECORD);
        result.append(type(e.kind, e.param, e.x, e.y, e.mode, e.tick));
    }
    return result;
}

nb::object result(const View &view) {
    charge(COST_OF_RECORD);
    nb::object type = Result.type();
    ludus_result r;
    ludus_world_result(view.get(), &r);
    nb::dict by_kind;
    for (int kind = 0; kind < LUDUS_KINDS; kind++)
        if (r.kills_by_kind[kind])
            by_kind[nb::int_(kind)] = r.kills_by_kind[kind];
    return type(r.status, r.completion, r.timer, r.mode, r.kills, r.kills_by_fire,
                            r.kills_by_stomp, r.kills_by_shell, r.kills_by_fall, r.hurts,
                            r.bumped_blocks, r.bumped_bricks, r.broken_bricks, r.jumps, r.max_x_jump,
                            r.max_jump_air_time, r.lives, r.coins, r.mushrooms, r.flowers, 0,
                            r.total_coins, r.ticks, by_kind);
}

ludus_grid grid_named(const std::string &kind) {
    if (kind == "scene")
        return LUDUS_SCENE;
    if (kind == "enemies")
        return LUDUS_ENEMIES;
    if (kind != "merged")
        raise_ludus("OptionError",
                    "observation '" + kind + "' is unknown: try 'scene', 'enemies' or 'merged'");
    return LUDUS_MERGED;
}

using Pair = std::pair<int, int>;

Pair size_of(nb::handle size) {
    if (!nb::isinstance<nb::int_>(size))
        return as<Pair>(size, "size", "a whole number or a pair of them");
    int side = as<int>(size, "size", "a whole number");
    return {side, side};
}

Pair detail_of(ludus_grid grid, nb::handle detail) {
    if (detail.is_none())
        return {1, 0};
    if (grid == LUDUS_MERGED)
        return as<Pair>(detail, "detail", "a pair of numbers for scene and enemies");
    int both = as<int>(detail, "detail", "a whole number");
    return {both, both};
}

nb::object observe(const View &self, const std::string &kind, nb::handle detail,
                   const std::string &centre, nb::handle size) {
    ludus_grid grid = grid_named(kind);
    auto [columns, rows] = size_of(size);
    auto [scene_detail, enemy_detail] = detail_of(grid, detail);
    if (centre != "mario" && centre != "screen")
        raise_ludus("OptionError", "centre '" + centre + "' is unknown: try 'mario' or 'screen'");
    ludus_view view{columns, rows, scene_detail, enemy_detail, centre == "screen"};
    uint8_t cells[LUDUS_MAX_FIELD * LUDUS_MAX_FIELD];
    check(ludus_world_observe(self.get(), grid, &view, cells, sizeof cells));
    size_t n = size_t(columns) * size_t(rows);
    return new_array<int32_t>({size_t(columns), size_t(rows)},
                              [&](int32_t *values) { std::copy(cells, cells + n, values); });
}

nb::object enemies(const View &self, bool relative) {
    size_t n = ludus_world_enemies(self.get(), relative, nullptr, 0);
    return new_array<float>({n, 3}, [&](float *out) { ludus_world_enemies(self.get(), relative, out, n); });
}

nb::object state(const View &self) {
    return new_array<float>({LUDUS_STATE_FIELDS}, [&](float *out) {
        ludus_world_state(self.get(), out, LUDUS_STATE_FIELDS);
    });
}

nb::object tiles(const View &self) {
    ludus_level_facts level = describe(nb::cast<const Grid &>(self.level.attr("_grid")));
    size_t width = size_t(level.width), height = size_t(level.height);
    return new_array<uint8_t>({width, height}, [&](uint8_t *out) {
        ludus_world_tiles(self.get(), out, width * height);
    });
}

// ---- pictures ----------------------------------------------------------------------------------

template <typename T, typename... Extra>
using In = nb::ndarray<const T, nb::c_contig, nb::device::cpu, Extra...>;

void draw_frame(nb::ndarray<uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu> rgb,
                In<uint8_t, nb::ndim<2>> tiles, int camera_x, int camera_y,
                In<uint8_t, nb::shape<-1, 16, 16, 4>> tile_frames,
                In<uint8_t, nb::shape<256>> tile_index, In<uint8_t, nb::shape<-1, 3>> background,
                In<uint8_t, nb::shape<-1, 32, 16, 4>> sprite_frames,
                In<int16_t, nb::shape<-1, 4>> sprites) {
    if (background.shape(0) != rgb.shape(0))
        throw nb::value_error("the background needs one colour for each row of the picture");
    ludus_scene_picture picture{};
    picture.size = sizeof picture;
    picture.width = int32_t(rgb.shape(1));
    picture.height = int32_t(rgb.shape(0));
    picture.camera_x = camera_x;
    picture.camera_y = camera_y;
    picture.background = background.data();
    picture.tiles = tiles.data();
    picture.columns = int32_t(tiles.shape(0));
    picture.rows = int32_t(tiles.shape(1));
    picture.frame_of = tile_index.data();
    picture.tile_frames = tile_frames.data();
    picture.n_tile_frames = int32_t(tile_frames.shape(0));
    picture.sprite_frames = sprite_frames.data();
    picture.n_sprite_frames = int32_t(sprite_frames.shape(0));
    picture.sprites = reinterpret_cast<const ludus_drawn *>(sprites.data());
    picture.n_sprites = sprites.shape(0);
    check(ludus_draw(&picture, rgb.data(), rgb.size()));
}

nb::dict rule_sets() {
    nb::dict versions;
    for (int32_t k = 0; k < ludus_rule_set_count(); k++)
        versions[ludus_rule_set_name(k)] = ludus_rule_set_version(k);
    return versions;
}

void bind_levels(nb::module_ &m) {
    nb::class_<Grid>(m, "Grid", "A level as the engine holds it.")
        .def("__init__", &make_grid, "cells"_a, "width"_a, "height"_a, "rules"_a = "framework")
        .def("__init__", &make_map_grid, "reference"_a, "rules"_a)
        .def_prop_ro("platforms", [](const Grid &g) { return platform_records(list_items(ludus_level_platforms, (const ludus_level *)g.level.get())); })
        .def_prop_ro("start", [](const Grid &g) { return std::pair(describe(g).start_x, describe(g).start_y); })
        .def_prop_ro("exit", [](const Grid &g) { return std::pair(describe(g).exit_x, describe(g).exit_y); })
        .def_prop_ro("total_coins", [](const Grid &g) { return describe(g).total_coins; })
        .def_prop_ro("tiles", &grid_tiles)
        .def_prop_ro("templates", &list_templates);
    m.def("map_text", &map_text, "reference"_a, "rules"_a, "Return the text that comes closest to a map of bytes.");
    m.attr("MAX_WIDTH") = int(LUDUS_MAX_WIDTH);
    m.attr("MAX_HEIGHT") = int(LUDUS_MAX_HEIGHT);
}

void bind_view(nb::module_ &m) {
    using Facts = ludus_world_facts;
    Locked<View>(m, "WorldView", "A world that can be looked at.")
        .def_prop_ro("level", [](const View &v) { return v.level; }, "The level it is played on.")
        .def_prop_ro("physics", [](const View &v) { return v.physics; }, "The physics options, or None for the reference's.")
        .def_prop_ro("options", [](const View &v) { return v.options; }, "The options of the rules 2010, or None.")
        .def_prop_ro("rules", [](const View &v) { return ludus_world_rules(v.get()); }, "The rule set's name.")
        .def_prop_ro("kill_events", &list_kill_events, "Kind and parameter of each event that ends the game.")
        .def_prop_ro("status", [](const View &v) { return ludus_world_status(v.get()); }, "0 running, 1 win, 2 lose, 3 time out.")
        .def_prop_ro("tick", &fact<&Facts::tick>, "Ticks executed, the warm-up tick included.")
        .def_prop_ro("timer", &fact<&Facts::timer>, "Clock units left, 1000 a second; 0 without a limit.")
        .def_prop_ro("pause", &fact<&Facts::pause>, "Ticks that the world still stands still.")
        .def_prop_ro("coins", &fact<&Facts::coins>, "Coins collected.")
        .def_prop_ro("lives", &fact<&Facts::lives>, "Lives won.")
        .def_prop_ro("fireballs", &fact<&Facts::fireballs>, "Fireballs on the screen when the tick began.")
        .def_prop_ro("camera", &facts<&Facts::camera_x, &Facts::camera_y>, "Upper left pixel of the screen.")
        .def_prop_ro("completion", &fact<&Facts::completion>, "Mario's x over the exit's.")
        .def_prop_ro("screen_tile", &facts<&Facts::screen_column, &Facts::screen_row>, "Mario's tile on the screen: column, row.")
        .def_prop_ro("can_jump_higher", [](const View &v) { return mario_of(v).jump_time > 0; }, "Whether holding JUMP still lifts him.")
        .def_prop_ro("mario", &mario, "Mario's state.")
        .def_prop_ro("mode", [](const View &v) { return mario_of(v).mode; }, "Mario's mode: 0 small, 1 large, 2 fire.")
        .def_prop_ro("keys", [](const View &v) { Facts f; ludus_world_describe(v.get(), &f); return std::tuple(f.keys[0], f.keys[1], f.keys[2]); }, "Keys that Mario holds, by colour.")
        .def_prop_ro("platforms", [](const View &v) { return platform_records(list_items(ludus_world_platforms, (const ludus_world *)v.get())); }, "The moving platforms where they are now.")
        .def_prop_ro("sprites", &sprites, "All sprites but Mario, in engine order.")
        .def_prop_ro("events", &events, "The events of the last executed tick.")
        .def_prop_ro("tiles", &tiles, "The tile codes now, width x height.")
        .def("observe", &observe, "kind"_a = "scene", "detail"_a = nb::none(), "centre"_a = "mario", "size"_a = 16,
             "Return a receptive field, indexed [column][row].")
        .def("enemies", &enemies, "relative"_a = false, "Return kind, x, y of each enemy in engine order.")
        .def("state", &state, "Return Mario's state as numbers, named by STATE_FIELDS.")
        .def("result", &result, "Return the episode's figures so far.")
        .def("clone_state", &clone_state, "Return the whole state as bytes, for restore_state.")
        .def_prop_ro("address", [](const View &v) { return (uintptr_t)v.get(); }, "Where its ludus_world is in memory.")
        .def("restore_state", &restore_state, "state"_a,
             "Go on from a state that a world of the same level, physics and kill events has cloned.")
        .def("hash", [](const View &v) { charge(COST_OF_RECORD); return ludus_world_hash(v.get()); }, "Return a 64-bit digest of the whole state.");
}

void bind_worlds(nb::module_ &m) {
    using Figures = ludus_result;
    Locked<World, View>(m, "World", "A game in progress.")
        .def("__init__", &make_world, "level"_a, "mode"_a = nb::none(), "time_limit"_a = nb::none(), "kill_events"_a = nb::tuple(),
             nb::kw_only(), "physics"_a = nb::none(), "rules"_a = nb::none(), "options"_a = nb::none())
        .def("step", &step, "action"_a, "Play one tick and return the status.")
        .def("run", &run, "actions"_a, "Play these actions until they or the game end; return how many were played.")
        .def("clone", clone_world, "Return an exact, independent copy.")
        .def("__copy__", clone_world)
        .def("__deepcopy__", [](const World &w, nb::handle) { return clone_world(w); }, "memo"_a)
        .def("__getstate__", &get_state)
        .def("__setstate__", &set_state<World>)
        .def("forward_model", &derive<ForwardModel, ludus_world_forward_model>,
             "Return a model to look ahead with, made by the reference's clone rule.");
    Locked<ForwardModel, View>(m, "ForwardModel", "A copy of a world to look ahead with.")
        .def("advance", &advance, "action"_a, "Play one tick and return the status; a finished model stays as it is.")
        .def("clone", clone_model, "Return a copy by the reference's clone rule.")
        .def("__copy__", copy_model)
        .def("__deepcopy__", [](const ForwardModel &f, nb::handle) { return copy_model(f); }, "memo"_a)
        .def("__getstate__", &get_state)
        .def("__setstate__", &set_state<ForwardModel>)
        .def_prop_ro("kills_by_fall", &figure<&Figures::kills_by_fall>, "Falls since the model was made.")
        .def_prop_ro("kills_by_fire", &figure<&Figures::kills_by_fire>, "Kills by fireball since the model was made.")
        .def_prop_ro("kills_by_shell", &figure<&Figures::kills_by_shell>, "Kills by shell since the model was made.")
        .def_prop_ro("kills_by_stomp", &figure<&Figures::kills_by_stomp>, "Kills by stomp since the model was made.")
        .def_prop_ro("mushrooms", &figure<&Figures::mushrooms>, "Mushrooms since the model was made.")
        .def_prop_ro("flowers", &figure<&Figures::flowers>, "Fire flowers since the model was made.")
        .def_prop_ro("bricks", &figure<&Figures::broken_bricks>, "Bricks broken since the model was made.");
}

} // namespace

NB_MODULE(_native, m) {
    m.doc() = "The platformer's engine.";
    nb::set_leak_warnings(false); // levels kept by a cache live until the interpreter ends
    bind_levels(m);
    bind_view(m);
    bind_worlds(m);
    bind_batch(m);
    bind_solver(m);
    bind_planner(m);
    bind_training(m);
    bind_generators(m);
    bind_interfaces(m);
    bind_senses(m);
    bind_agents(m);
    bind_competition(m);
    m.def("draw_frame", &draw_frame, "rgb"_a, "tiles"_a, "camera_x"_a, "camera_y"_a, "tile_frames"_a,
          "tile_index"_a, "background"_a, "sprite_frames"_a, "sprites"_a,
          "Fill a picture with what a camera sees.");
    m.def("rule_sets", &rule_sets, "Return the version of each rule set by its name.");
    m.def("digest_version", &ludus_digest_version, "Return the version of the state digest.");
    m.def("set_meter", &set_meter, "capsule"_a.none(), "Charge what is done here to the counter of a judge.");
    m.attr("COSTS") = engine_costs();
    m.def("build_info", &describe_build, "Return how the engine was built.");
}
