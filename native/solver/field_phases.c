/* Phases of a jump, for any physics. */
#include "solver/field_builder.h"

static float height_at(const sv_arc *arc, float tick) {
    int before = (int)tick;
    if (before >= arc->length - 1)
        return arc->height[arc->length - 1];
    float part = tick - (float)before;
    return arc->height[before] + part * (arc->height[before + 1] - arc->height[before]);
}

static int rows_between(const sv_arc *arc, float from, float to) {
    float high = height_at(arc, to) / 16 + 1000.5f, low = height_at(arc, from) / 16 + 1000.5f;
    return (int)high - (int)low;
}

static void set_phase(sv_field *field, const sv_arc *arc, int p) {
    float ticks = field->ticks;
    int rows = rows_between(arc, (float)(p - 1) * ticks, (float)p * ticks);
    int tick = (int)((float)p * ticks);
    field->rise[p] = p <= field->apex ? (rows > 0 ? rows : 0) : (rows < 0 ? -rows : 0);
    field->fall_speed[p] = tick < arc->length ? -arc->speed[tick] : 20;
}

/* A phase takes as long as a tile at a brisk run; the last one repeats for the rest of a fall. */
void sv_field_set_phases(sv_field *field, const pf_physics *physics) {
    enum { MOST_RISING = 12, FALLING = 6 };
    sv_arc arc;
    sv_jump_arc(&arc, physics, physics->jump_ticks, true);
    float ticks = 16 / (0.93f * sv_top_speed(physics)), top = (float)arc.top;
    ticks = ticks < 1 ? 1 : ticks;
    ticks = ticks * MOST_RISING < top ? top / MOST_RISING : ticks;
    field->ticks = ticks;
    field->jump_ticks = physics->jump_ticks;
    field->apex = (int)(top / ticks + 0.5f);
    field->n_phases = field->apex + 1 + FALLING;
    for (int p = 1; p < field->n_phases; p++)
        set_phase(field, &arc, p);
    float fastest = -arc.speed[arc.length - 1] * ticks / 16;
    field->rise[field->n_phases - 1] = fastest > 1 ? (int)(fastest + 0.5f) : 1;
}
