// Binds the platformer's levels, worlds and forward models to Python.
#include "bindings/python/worlds.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>
#include <vector>

using namespace nb::literals;

void raise_ludus(const char *name, const std::string &message) {
    nb::object type = nb::module_::import_("ludus.errors").attr(name);
    PyErr_SetString(type.ptr(), message.c_str());
    throw nb::python_error();
}

namespace {

nb::object record(const char *name) {
    return nb::module_::import_("ludus.games.platformer.records").attr(name);
}

// The value of an argument, or a TypeError that names it.
template <typename T> T as(nb::handle value, const char *name, const char *wanted) {
    T result;
    if (!nb::try_cast(value, result))
        throw nb::type_error((std::string(name) + " is not " + wanted + ": "
                              + nb::repr(value).c_str()).c_str());
    return result;
}

pf_world *need(pf_world *world) {
    if (!world)
        throw std::bad_alloc();
    return world;
}

} // namespace

unsigned checked_action(long action) {
    if (action < 0 || action >= PF_ACTIONS)
        raise_ludus("ActionError", "action " + std::to_string(action)
                                       + " is out of range: add up 1 LEFT, 2 RIGHT, 4 DOWN, 8 SPEED, "
                                         "16 JUMP to a number from 0 to 31");
    return static_cast<unsigned>(action);
}

WorldMemory cloned(const pf_world *world) { return WorldMemory(need(pf_world_clone(world))); }

void View::tick(long action) {
    unsigned bits = checked_action(action);
    pf_world *w = world.get();
    if (!pf_has_room(w)) {
        bool made = pf_make_room(&w);
        (void)world.release();
        world.reset(w);
        if (!made)
            throw std::bad_alloc();
    }
    pf_step(w, bits);
    if (w->overflow)
        raise_ludus("CapacityError", "tick " + std::to_string(w->tick)
                                         + " outgrew the world's memory: report this level");
}

namespace {

const pf_rules *rules_of(const std::string &name) {
    if (const pf_rules *rules = pf_find_rules(name.c_str()))
        return rules;
    raise_ludus("OptionError", "rules '" + name + "' are unknown: try 'framework' or 'ludus'");
}

// ---- levels ------------------------------------------------------------------------------------

void make_grid(Grid *self, nb::bytes cells, int width, int height, const std::string &rules) {
    pf_cells all{cells.c_str(), width, height};
    pf_level *level = pf_level_new(&all, rules_of(rules));
    if (!level)
        throw std::bad_alloc();
    new (self) Grid{LevelMemory(level)};
}

nb::object tiles_array(const uint8_t *tiles, const pf_level *level) {
    size_t shape[2] = {size_t(level->width), size_t(level->height)};
    auto *copy = new uint8_t[shape[0] * shape[1]];
    std::memcpy(copy, tiles, shape[0] * shape[1]);
    return fresh_array(copy, 2, shape);
}

nb::list grid_templates(const Grid &grid) {
    nb::list result;
    for (int k = 0; k < grid.level->n_templates; k++) {
        const pf_template &t = pf_templates(grid.level.get())[k];
        result.append(nb::make_tuple(t.column, t.row, t.kind));
    }
    return result;
}

nb::object platform_record(const pf_platform &p, int tick) {
    int x, y;
    pf_platform_at(&p, tick, &x, &y);
    return record("Platform")(x, y, p.width);
}

nb::list platforms_at(const pf_level *level, int tick) {
    nb::list result;
    for (int k = 0; k < pf_count_platforms(level); k++)
        result.append(platform_record(pf_platforms(level)[k], tick));
    return result;
}

nb::list grid_platforms(const Grid &grid) { return platforms_at(grid.level.get(), 0); }

// ---- making worlds -----------------------------------------------------------------------------

float number(nb::handle options, const char *name) {
    return as<float>(options.attr(name), name, "a number");
}

// Single precision, in the order of the 2010 engine, so that the neutral options change no bit.
pf_physics physics_of(nb::handle options) {
    pf_physics p;
    pf_physics_default(&p);
    if (options.is_none())
        return p;
    if (!nb::hasattr(options, "creature_gravity"))
        throw nb::type_error("physics is not a Physics: try physics=Physics(gravity=0.5)");
    float gravity = number(options, "gravity"), creatures = number(options, "creature_gravity");
    float wind = number(options, "wind"), ice = number(options, "ice");
    p.mario_gravity = 3.0f * gravity;
    p.walker_gravity = p.shell_gravity = 2.0f * creatures;
    p.winged_gravity = 0.6f * creatures;
    p.inertia_right = (0.89f + wind) + ice;
    p.inertia_left = (0.89f - wind) + ice;
    p.jump_ticks = static_cast<int>(number(options, "jump_power") / gravity);
    p.stomp_ticks = p.jump_ticks + 1;
    p.tick_cost = as<int>(options.attr("tick_ms"), "tick_ms", "a whole number");
    p.frozen = as<bool>(options.attr("frozen_creatures"), "frozen_creatures", "a bool");
    p.invulnerable = as<bool>(options.attr("invulnerable"), "invulnerable", "a bool");
    return p;
}

std::vector<pf_kill> kills_of(nb::handle events) {
    std::vector<pf_kill> kills;
    for (nb::handle event : events) {
        auto [kind, param] = as<std::pair<int, int>>(event, "kill event", "a pair of numbers");
        if (kind < PF_BUMP || kind > PF_WON || param < 0 || param > 255)
            raise_ludus("OptionError",
                        "kill event (" + std::to_string(kind) + ", " + std::to_string(param)
                            + ") is unknown: give pairs of an event kind 1 to 12 and a parameter, 0 for any");
        kills.push_back({uint8_t(kind), uint8_t(param)});
    }
    return kills;
}

template <typename T>
T given_or(nb::handle given, nb::handle level, const char *name, const char *wanted) {
    return as<T>(given.is_none() ? nb::object(level.attr(name)) : nb::borrow(given), name, wanted);
}

// None stands for what the level says.
void make_world(World *self, nb::object level, long mode, nb::object time_limit_given,
                nb::object kill_events, nb::object physics_given, nb::object rules_given) {
    const Grid *grid;
    if (!nb::hasattr(level, "_grid") || !nb::try_cast(level.attr("_grid"), grid))
        throw nb::type_error("a World needs a Level: try World(Level.parse(text))");
    auto time_limit = given_or<long>(time_limit_given, level, "time_limit", "a whole number");
    auto physics = given_or<nb::object>(physics_given, level, "physics", "a Physics");
    auto rules_name = given_or<std::string>(rules_given, level, "rules", "a name");
    const pf_rules *rules = rules_of(rules_name);
    if (grid->level->rules != rules)
        raise_ludus("OptionError", "the level was not read for the rules '" + rules_name
                                       + "': try Level.parse(text, rules='" + rules_name + "')");
    if (mode < 0 || mode > 2)
        raise_ludus("OptionError",
                    "mode " + std::to_string(mode) + " is unknown: give 0 small, 1 large or 2 fire");
    if (time_limit < 0 || time_limit > 2000000)
        raise_ludus("OptionError", "time limit " + std::to_string(time_limit)
                                       + " is out of range: give seconds from 0 (none) to 2000000");
    pf_physics p = physics_of(physics);
    std::vector<pf_kill> kills = kills_of(kill_events);
    pf_world *world =
        pf_world_new(grid->level.get(), &p, kills.data(), int(kills.size()),
                     int(mode), int(1000 * time_limit));
    new (self) World{{WorldMemory(need(world)), level, physics}};
}

ForwardModel *forward_model(const World &world) {
    auto model = std::make_unique<ForwardModel>();
    static_cast<View &>(*model) = View{cloned(world.get()), world.level, world.physics};
    pf_forward_model(model->get());
    return model.release();
}

ForwardModel *clone_model(const ForwardModel &from) {
    auto model = std::make_unique<ForwardModel>();
    static_cast<View &>(*model) = View{cloned(from.get()), from.level, from.physics};
    pf_reference_clone(model->get());
    return model.release();
}

World *clone_world(const World &from) {
    auto world = std::make_unique<World>();
    static_cast<View &>(*world) = View{cloned(from.get()), from.level, from.physics};
    return world.release();
}

int step(World &world, long action) {
    if (world.get()->status != PF_RUNNING) {
        checked_action(action);
        raise_ludus("EpisodeOver", "this world is finished (status "
                                       + std::to_string(world.get()->status)
                                       + "): make a new World to play again");
    }
    world.tick(action);
    return world.get()->status;
}

int advance(ForwardModel &model, long action) {
    model.tick(action);
    return model.get()->status;
}

using Actions = nb::ndarray<const uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// All actions are checked before the first is played.
int run(World &world, Actions actions) {
    const uint8_t *all = actions.data();
    for (size_t k = 0; k < actions.size(); k++)
        checked_action(all[k]);
    size_t played = 0;
    while (played < actions.size() && world.get()->status == PF_RUNNING)
        world.tick(all[played++]);
    return int(played);
}

// ---- looking at worlds -------------------------------------------------------------------------

nb::object mario(const View &view) {
    static PyObject *type = record("Mario").release().ptr();
    const pf_mario &m = view.get()->mario;
    return nb::borrow(type)(m.body.x, m.body.y, m.body.vx, m.body.vy, pf_mode(&m),
                            bool(m.body.on_ground), bool(m.was_on_ground), bool(m.may_jump),
                            bool(m.ducking), bool(m.can_shoot), m.jump_time, m.invulnerable,
                            int(m.body.facing), int(m.body.height), bool(m.alive), m.jump_start_x,
                            bool(m.listed));
}

nb::list sprites(const View &view) {
    static PyObject *type = record("Sprite").release().ptr();
    const pf_world *w = view.get();
    nb::list result;
    for (int k = w->n_sprites - 1; k >= 0; k--) {
        const pf_sprite &s = pf_sprites(w)[k];
        result.append(nb::borrow(type)(int(s.kind), s.body.x, s.body.y, s.body.vx, s.body.vy,
                                       int(s.body.facing), bool(s.body.on_ground), bool(s.winged),
                                       s.aux));
    }
    return result;
}

nb::list events(const View &view) {
    static PyObject *type = record("Event").release().ptr();
    const pf_world *w = view.get();
    nb::list result;
    for (int k = 0; k < w->n_events; k++) {
        const pf_event &e = pf_events(w)[k];
        result.append(nb::borrow(type)(int(e.kind), int(e.param), e.x, e.y, int(e.mode), e.tick));
    }
    return result;
}

nb::object result(const View &view) {
    static PyObject *type = record("Result").release().ptr();
    const pf_world *w = view.get();
    const pf_log &log = w->log;
    const int32_t *n = log.of_kind;
    nb::dict by_kind;
    for (int kind = 0; kind < PF_KINDS; kind++)
        if (log.kills_by_kind[kind])
            by_kind[nb::int_(kind)] = log.kills_by_kind[kind];
    int kills = n[PF_STOMP_KILL] + n[PF_FIRE_KILL] + n[PF_SHELL_KILL] + n[PF_FALL_KILL];
    return nb::borrow(type)(w->status, pf_completion(w), w->timer, pf_mode(&w->mario), kills,
                            n[PF_FIRE_KILL], n[PF_STOMP_KILL], n[PF_SHELL_KILL], n[PF_FALL_KILL],
                            n[PF_HURT], log.bump_question, log.bump_brick, log.destroyed_bricks,
                            n[PF_JUMPED], log.max_x_jump, log.max_jump_air_time, w->lives, w->coins,
                            log.mushrooms, log.flowers, 0, w->level->total_coins, log.calls, by_kind);
}

pf_grid grid_named(const std::string &kind) {
    if (kind == "scene")
        return PF_SCENE;
    if (kind == "enemies")
        return PF_ENEMIES;
    if (kind != "merged")
        raise_ludus("OptionError",
                    "observation '" + kind + "' is unknown: try 'scene', 'enemies' or 'merged'");
    return PF_MERGED;
}

uint8_t checked_detail(int detail) {
    if (detail < 0 || detail > 2)
        raise_ludus("OptionError", "detail " + std::to_string(detail)
                                       + " is unknown: give 0 (finest), 1 or 2 (coarsest)");
    return uint8_t(detail);
}

enum { MAX_FIELD = 128 };

void set_size(pf_view &view, nb::handle size) {
    std::pair<int, int> both;
    if (nb::isinstance<nb::int_>(size))
        both.first = both.second = as<int>(size, "size", "a whole number");
    else
        both = as<std::pair<int, int>>(size, "size", "a whole number or a pair of them");
    if (both.first < 1 || both.first > MAX_FIELD || both.second < 1 || both.second > MAX_FIELD)
        raise_ludus("OptionError", "size " + std::to_string(both.first) + " x "
                                       + std::to_string(both.second)
                                       + " is out of range: give 1 to 128 columns and rows");
    view.columns = both.first;
    view.rows = both.second;
}

void set_detail(pf_view &view, pf_grid grid, nb::handle detail) {
    std::pair<int, int> both{1, 0};
    if (grid == PF_MERGED && !detail.is_none())
        both = as<std::pair<int, int>>(detail, "detail", "a pair of numbers for scene and enemies");
    else if (!detail.is_none())
        both.first = both.second = as<int>(detail, "detail", "a whole number");
    view.scene_detail = checked_detail(both.first);
    view.enemy_detail = checked_detail(both.second);
}

void set_centre(pf_view &view, const std::string &centre) {
    if (centre != "mario" && centre != "screen")
        raise_ludus("OptionError", "centre '" + centre + "' is unknown: try 'mario' or 'screen'");
    view.on_screen = centre == "screen";
}

nb::object observe(const View &self, const std::string &kind, nb::handle detail,
                   const std::string &centre, nb::handle size) {
    pf_view view{};
    pf_grid grid = grid_named(kind);
    set_size(view, size);
    set_detail(view, grid, detail);
    set_centre(view, centre);
    uint8_t cells[MAX_FIELD * MAX_FIELD];
    pf_observe(self.get(), grid, &view, cells);
    size_t shape[2] = {size_t(view.columns), size_t(view.rows)};
    auto *values = new int32_t[shape[0] * shape[1]];
    for (size_t k = 0; k < shape[0] * shape[1]; k++)
        values[k] = cells[k];
    return fresh_array(values, 2, shape);
}

nb::object enemies(const View &self, bool relative) {
    const pf_world *w = self.get();
    auto *values = new float[3 * size_t(w->n_sprites) + 1];
    size_t shape[2] = {size_t(pf_enemy_positions(w, relative, values)), 3};
    return fresh_array(values, 2, shape);
}

nb::object state(const View &self) {
    size_t shape[1] = {PF_STATE_FIELDS};
    auto *values = new float[PF_STATE_FIELDS];
    pf_state(self.get(), values);
    return fresh_array(values, 1, shape);
}

std::pair<int, int> screen_tile(const View &self) {
    const pf_world *w = self.get();
    return {int((w->mario.body.x - w->camera_x) / 16), int(w->mario.body.y / 16)};
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
    pf_tile_grid grid{tiles.data(), int(tiles.shape(0)), int(tiles.shape(1)), tile_index.data()};
    pf_frames tile_atlas{tile_frames.data(), int(tile_frames.shape(0))};
    pf_frames sprite_atlas{sprite_frames.data(), int(sprite_frames.shape(0))};
    pf_draw_frame(rgb.data(), int(rgb.shape(1)), int(rgb.shape(0)), camera_x, camera_y,
                  background.data(), &grid, &tile_atlas, &sprite_atlas,
                  reinterpret_cast<const pf_drawn *>(sprites.data()), int(sprites.shape(0)));
}

nb::dict build_info() {
    nb::dict info;
    info["compiler"] = LUDUS_ENGINE_COMPILER;
    info["flags"] = LUDUS_ENGINE_FLAGS;
    info["source_hash"] = LUDUS_ENGINE_DIGEST;
    return info;
}

nb::dict rule_sets() {
    nb::dict versions;
    for (const pf_rules *const *rules = pf_rule_sets; *rules; rules++)
        versions[(*rules)->name] = (*rules)->version;
    return versions;
}

template <auto Field> int32_t of_world(const View &view) { return view.get()->*Field; }
template <auto Field> int32_t of_log(const View &view) { return view.get()->log.*Field; }
template <int Kind> int32_t of_kind(const View &view) { return view.get()->log.of_kind[Kind]; }

void bind_levels(nb::module_ &m) {
    nb::class_<Grid>(m, "Grid", "A level as the engine holds it.")
        .def("__init__", &make_grid, "cells"_a, "width"_a, "height"_a, "rules"_a = "framework")
        .def_prop_ro("platforms", &grid_platforms)
        .def_prop_ro("start", [](const Grid &g) { return std::pair(g.level->start_x, g.level->start_y); })
        .def_prop_ro("exit", [](const Grid &g) { return std::pair(g.level->exit_x, g.level->exit_y); })
        .def_prop_ro("total_coins", [](const Grid &g) { return g.level->total_coins; })
        .def_prop_ro("tiles", [](const Grid &g) { return tiles_array(pf_level_tiles(g.level.get()), g.level.get()); })
        .def_prop_ro("templates", &grid_templates);
    m.attr("MAX_WIDTH") = int(PF_MAX_WIDTH);
    m.attr("MAX_HEIGHT") = int(PF_MAX_HEIGHT);
}

void bind_view(nb::module_ &m) {
    nb::class_<View>(m, "WorldView", "A world that can be looked at.")
        .def_prop_ro("level", [](const View &v) { return v.level; }, "The level it is played on.")
        .def_prop_ro("physics", [](const View &v) { return v.physics; }, "The physics options, or None for the reference's.")
        .def_prop_ro("rules", [](const View &v) { return v.get()->rules->name; }, "The rule set's name.")
        .def_prop_ro("status", &of_world<&pf_world::status>, "0 running, 1 win, 2 lose, 3 time out.")
        .def_prop_ro("tick", &of_world<&pf_world::tick>, "Ticks executed, the warm-up tick included.")
        .def_prop_ro("timer", &of_world<&pf_world::timer>, "Clock units left, 1000 a second; 0 without a limit.")
        .def_prop_ro("pause", &of_world<&pf_world::pause>, "Ticks that the world still stands still.")
        .def_prop_ro("coins", &of_world<&pf_world::coins>, "Coins collected.")
        .def_prop_ro("lives", &of_world<&pf_world::lives>, "Lives won.")
        .def_prop_ro("fireballs", &of_world<&pf_world::fireballs>, "Fireballs on the screen when the tick began.")
        .def_prop_ro("camera", [](const View &v) { return std::pair(v.get()->camera_x, v.get()->camera_y); }, "Upper left pixel of the screen.")
        .def_prop_ro("completion", [](const View &v) { return pf_completion(v.get()); }, "Mario's x over the exit's.")
        .def_prop_ro("screen_tile", &screen_tile, "Mario's tile on the screen: column, row.")
        .def_prop_ro("can_jump_higher", [](const View &v) { return v.get()->mario.jump_time > 0; }, "Whether holding JUMP still lifts him.")
        .def_prop_ro("mario", &mario, "Mario's state.")
        .def_prop_ro("keys", [](const View &v) { const uint8_t *k = pf_elements_of(v.get())->keys; return std::tuple<int, int, int>(k[0], k[1], k[2]); }, "Keys that Mario holds, by colour.")
        .def_prop_ro("platforms", [](const View &v) { return platforms_at(v.get()->level, v.get()->tick); }, "The moving platforms where they are now.")
        .def_prop_ro("sprites", &sprites, "All sprites but Mario, in engine order.")
        .def_prop_ro("events", &events, "The events of the last executed tick.")
        .def_prop_ro("tiles", [](const View &v) { return tiles_array(pf_tiles(v.get()), v.get()->level); }, "The tile codes now, width x height.")
        .def("observe", &observe, "kind"_a = "scene", "detail"_a = nb::none(), "centre"_a = "mario", "size"_a = 16,
             "Return a receptive field, indexed [column][row].")
        .def("enemies", &enemies, "relative"_a = false, "Return kind, x, y of each enemy in engine order.")
        .def("state", &state, "Return Mario's state as numbers, named by STATE_FIELDS.")
        .def("result", &result, "Return the episode's figures so far.")
        .def("hash", [](const View &v) { return pf_hash(v.get()); }, "Return a 64-bit digest of the whole state.");
}

void bind_worlds(nb::module_ &m) {
    nb::class_<World, View>(m, "World", "A game in progress.")
        .def("__init__", &make_world, "level"_a, "mode"_a = 0, "time_limit"_a = nb::none(), "kill_events"_a = nb::tuple(),
             nb::kw_only(), "physics"_a = nb::none(), "rules"_a = nb::none())
        .def("step", &step, "action"_a, "Play one tick and return the status.")
        .def("run", &run, "actions"_a, "Play these actions until they or the game end; return how many were played.")
        .def("clone", &clone_world, "Return an exact, independent copy.")
        .def("__copy__", &clone_world)
        .def("__deepcopy__", [](const World &w, nb::handle) { return clone_world(w); }, "memo"_a)
        .def("forward_model", &forward_model, "Return a model to look ahead with, made by the reference's clone rule.");
    nb::class_<ForwardModel, View>(m, "ForwardModel", "A copy of a world to look ahead with.")
        .def("advance", &advance, "action"_a, "Play one tick and return the status; a finished model stays as it is.")
        .def("clone", &clone_model, "Return a copy by the reference's clone rule.")
        .def("__copy__", &clone_model)
        .def("__deepcopy__", [](const ForwardModel &f, nb::handle) { return clone_model(f); }, "memo"_a)
        .def_prop_ro("kills_by_fall", &of_kind<PF_FALL_KILL>, "Falls since the model was made.")
        .def_prop_ro("kills_by_fire", &of_kind<PF_FIRE_KILL>, "Kills by fireball since the model was made.")
        .def_prop_ro("kills_by_shell", &of_kind<PF_SHELL_KILL>, "Kills by shell since the model was made.")
        .def_prop_ro("kills_by_stomp", &of_kind<PF_STOMP_KILL>, "Kills by stomp since the model was made.")
        .def_prop_ro("mushrooms", &of_log<&pf_log::mushrooms>, "Mushrooms since the model was made.")
        .def_prop_ro("flowers", &of_log<&pf_log::flowers>, "Fire flowers since the model was made.")
        .def_prop_ro("bricks", &of_log<&pf_log::destroyed_bricks>, "Bricks broken since the model was made.");
}

} // namespace

void bind_generators(nb::module_ &m);

NB_MODULE(_native, m) {
    m.doc() = "The platformer's engine.";
    nb::set_leak_warnings(false); // levels kept by a cache live until the interpreter ends
    bind_levels(m);
    bind_view(m);
    bind_worlds(m);
    bind_batch(m);
    bind_solver(m);
    bind_training(m);
    bind_generators(m);
    m.def("draw_frame", &draw_frame, "rgb"_a, "tiles"_a, "camera_x"_a, "camera_y"_a, "tile_frames"_a,
          "tile_index"_a, "background"_a, "sprite_frames"_a, "sprites"_a,
          "Fill a picture with what a camera sees.");
    m.def("rule_sets", &rule_sets, "Return the version of each rule set by its name.");
    m.def("digest_version", [] { return int(PF_DIGEST_VERSION); }, "Return the version of the state digest.");
    m.def("build_info", &build_info, "Return how the engine was built.");
}
