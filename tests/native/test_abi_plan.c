/* Tests of native/abi/ludus.h: plans, and the wide sight of what lies ahead. */
#include "abi_test.h"

#include <math.h>

/* A world whose ground ends in a gap that nobody can leap. */
static ludus_world *begin_gap_world(void) {
    char cells[3 * 40];
    ludus_level *level = NULL;
    ludus_world *world = NULL;
    memset(cells, '-', sizeof cells);
    memset(cells + 80, 'X', 8);
    cells[40] = 'M';
    cells[79] = 'F';
    EXPECT(ludus_level_from_cells(cells, 40, 3, NULL, &level) == LUDUS_OK);
    EXPECT(ludus_world_begin(level, NULL, &world) == LUDUS_OK);
    ludus_level_free(level);
    return world;
}

static ludus_plan_options plan_options(float horizon) {
    ludus_plan_options o;
    ZERO(o);
    o.size = sizeof o;
    o.skip = 4;
    o.nodes = 500;
    o.budget = 5000;
    o.rest = 4;
    o.faults = 2;
    o.late = 3;
    o.follow = 3;
    o.fault = 0.06f;
    o.sticky = 0.25f;
    o.horizon = horizon;
    o.greed = 1;
    o.death = 1000;
    o.wait = 30;
    return o;
}

/* Follows a plan with buttons that come in time; returns how far Mario gets. */
static float follow(ludus_world *world, const ludus_plan *plan) {
    ludus_mario before, after;
    ludus_world_mario(world, &before);
    for (size_t k = 0; k < plan->n_decisions; k++) {
        EXPECT(plan->decisions[k] < 32);
        for (int tick = 0; tick < 4; tick++)
            EXPECT(ludus_world_step(world, plan->decisions[k]) == LUDUS_RUNNING);
    }
    ludus_world_mario(world, &after);
    EXPECT(after.alive);
    return after.x - before.x;
}

static void test_plans(void) {
    ludus_world *flat = begin_flat_world();
    ludus_planner *planner = NULL;
    ludus_plan_options o = plan_options(6);
    ludus_plan plan, again;
    uint64_t before = ludus_world_hash(flat);
    EXPECT(ludus_planner_begin(flat, &planner) == LUDUS_OK && ludus_planner_ticks(planner, flat) > 6);
    EXPECT(ludus_planner_plan(planner, flat, &o, &plan) == LUDUS_OK);
    EXPECT(ludus_planner_plan(planner, flat, &o, &again) == LUDUS_OK);
    EXPECT(ludus_world_hash(flat) == before && !memcmp(plan.decisions, again.decisions, sizeof plan.decisions));
    EXPECT(plan.verdict == LUDUS_PLAN_ARRIVES && plan.nodes > 0 && plan.nodes <= 5000 && plan.cost > 0);
    EXPECT(plan.n_decisions > 0 && follow(flat, &plan) >= 32);
    ludus_planner_free(planner);
    ludus_world_free(flat);
}

static void test_who_cannot_get_on(void) {
    ludus_world *gap = begin_gap_world(), *flat = begin_flat_world();
    ludus_planner *planner = NULL;
    ludus_plan_options o = plan_options(60);
    ludus_plan plan;
    EXPECT(ludus_planner_begin(gap, &planner) == LUDUS_OK);
    EXPECT(ludus_planner_plan(planner, gap, &o, &plan) == LUDUS_OK && plan.verdict == LUDUS_PLAN_RESTS);
    EXPECT(ludus_planner_ticks(planner, flat) == -1);
    EXPECT_ERROR(LUDUS_BAD_OPTION, "another level", ludus_planner_plan(planner, flat, &o, &plan));
    o.nodes = 1; /* a search that may play next to nothing */
    EXPECT(ludus_planner_plan(planner, gap, &o, &plan) == LUDUS_OK && plan.n_decisions > 0);
    ludus_planner_free(planner);
    ludus_planner_free(NULL);
    ludus_world_free(gap);
    ludus_world_free(flat);
}

#define EXPECT_REFUSED(field, value, words) \
    do { \
        ludus_plan_options o = plan_options(6); \
        ludus_plan plan; \
        o.field = (value); \
        EXPECT_ERROR(LUDUS_BAD_OPTION, words, ludus_planner_plan(planner, flat, &o, &plan)); \
    } while (0)

static void test_wrong_plan_options(void) {
    ludus_world *flat = begin_flat_world();
    ludus_planner *planner = NULL;
    ludus_plan plan;
    ludus_plan_options pressed = plan_options(6);
    EXPECT(ludus_planner_begin(flat, &planner) == LUDUS_OK);
    EXPECT_REFUSED(skip, 0, "skip 0");
    EXPECT_REFUSED(rest, 65, "rest 65");
    EXPECT_REFUSED(follow, 65, "follow 65");
    EXPECT_REFUSED(faults, LUDUS_PLAN_FAULTS + 1, "8 faults");
    EXPECT_REFUSED(late, 5, "5 ticks late");
    EXPECT_REFUSED(sticky, 1, "sticky 1");
    EXPECT_REFUSED(death, -1, "ticks or greed");
    EXPECT_REFUSED(wound, (float)NAN, "ticks or greed");
    EXPECT_REFUSED(greed, 11, "ticks or greed");
    pressed.pressed = 32;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 32", ludus_planner_plan(planner, flat, &pressed, &plan));
    ludus_planner_free(planner);
    ludus_world_free(flat);
}

/* What is seen near Mario, then the ground in 23 columns from three behind him on, then platforms. */
static void test_wide_sight(void) {
    enum { GROUND = LUDUS_SIGHT_FIELDS, PLATFORMS = GROUND + 23, PIT = -127 };
    ludus_world *flat = begin_flat_world(), *gap = begin_gap_world();
    int8_t near_by[LUDUS_SIGHT_FIELDS], fields[LUDUS_WIDE_FIELDS], few[3] = {9, 9, 9};
    EXPECT(LUDUS_WIDE_FIELDS == 638 && ludus_world_wide_sight(flat, fields, sizeof fields) == 638);
    EXPECT(ludus_world_sight(flat, near_by, sizeof near_by) == sizeof near_by);
    EXPECT(!memcmp(fields, near_by, sizeof near_by));
    EXPECT(ludus_world_wide_sight(flat, few, 2) == 638 && few[1] == fields[1] && few[2] == 9);
    for (int k = GROUND; k < LUDUS_WIDE_FIELDS; k++)
        EXPECT(fields[k] == 0); /* level ground and no platform */
    EXPECT(ludus_world_wide_sight(gap, fields, sizeof fields) == 638);
    for (int k = 0; k < LUDUS_WIDE_FIELDS; k++)
        EXPECT(fields[k] >= -127 && (k < GROUND || fields[k] == (k >= GROUND + 11 && k < PLATFORMS ? PIT : 0)));
    ludus_world_free(flat);
    ludus_world_free(gap);
}

void test_planner(void) {
    test_plans();
    test_who_cannot_get_on();
    test_wrong_plan_options();
    test_wide_sight();
}
