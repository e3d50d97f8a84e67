/* Tests of native/abi/ludus.h: plans, and the wide sight of what lies ahead. */
#include "abi_test.h"

static const int8_t LATE[] = {0, 0, 3, 1};

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

static ludus_plan_options plan_options(int32_t horizon) {
    ludus_plan_options o;
    ZERO(o);
    o.size = sizeof o;
    o.skip = 4;
    o.nodes = 500;
    o.horizon = horizon;
    o.rest = 4;
    o.greed = 1;
    o.n_outcomes = 2;
    o.late = LATE;
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
    ludus_world *flat = begin_flat_world(), *gap = begin_gap_world();
    ludus_plan_options o = plan_options(64);
    ludus_plan plan, again;
    uint64_t before = ludus_world_hash(flat);
    EXPECT(ludus_world_plan(flat, &o, &plan) == LUDUS_OK && ludus_world_plan(flat, &o, &again) == LUDUS_OK);
    EXPECT(ludus_world_hash(flat) == before && !memcmp(plan.decisions, again.decisions, sizeof plan.decisions));
    EXPECT(plan.verdict == LUDUS_PLAN_ARRIVES && plan.nodes > 0 && plan.nodes <= 500);
    EXPECT(plan.n_decisions > 0 && follow(flat, &plan) >= 64);
    o = plan_options(400);
    EXPECT(ludus_world_plan(gap, &o, &plan) == LUDUS_OK && plan.verdict == LUDUS_PLAN_RESTS);
    EXPECT(follow(gap, &plan) < 8 * 16);
    o.skip = 0;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "skip 0", ludus_world_plan(gap, &o, &plan));
    o = plan_options(64);
    o.rest = 65;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "rest 65", ludus_world_plan(gap, &o, &plan));
    o = plan_options(64);
    o.n_outcomes = LUDUS_PLAN_OUTCOMES + 1;
    EXPECT_ERROR(LUDUS_BAD_OPTION, "9 outcomes", ludus_world_plan(gap, &o, &plan));
    o = plan_options(64);
    o.pressed = 32;
    EXPECT_ERROR(LUDUS_BAD_ACTION, "action 32", ludus_world_plan(gap, &o, &plan));
    ludus_world_free(flat);
    ludus_world_free(gap);
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
    test_wide_sight();
}
