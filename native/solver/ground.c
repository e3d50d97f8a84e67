/* Tiles and trajectories as the solver sees them. */
#include "solver/ground.h"

static const uint8_t ground[PF_TILES] = {
    [1] = GROUND_WALL | GROUND_FLOOR,
    [2] = GROUND_WALL | GROUND_FLOOR,
    [3] = GROUND_WALL | GROUND_FLOOR,
    [4] = GROUND_WALL | GROUND_FLOOR,
    [5] = GROUND_WALL | GROUND_FLOOR,
    [6] = GROUND_WALL | GROUND_FLOOR | GROUND_BRICK,
    [7] = GROUND_WALL | GROUND_FLOOR,
    [8] = GROUND_WALL | GROUND_FLOOR | GROUND_POWER,
    [11] = GROUND_WALL | GROUND_FLOOR,
    [14] = GROUND_WALL | GROUND_FLOOR,
    [18] = GROUND_WALL | GROUND_FLOOR,
    [19] = GROUND_WALL | GROUND_FLOOR,
    [20] = GROUND_WALL | GROUND_FLOOR,
    [21] = GROUND_WALL | GROUND_FLOOR,
    [43] = GROUND_FLOOR,
    [44] = GROUND_FLOOR,
    [45] = GROUND_FLOOR,
    [46] = GROUND_FLOOR,
    [48] = GROUND_HIDDEN,
    [49] = GROUND_HIDDEN,
    [50] = GROUND_WALL | GROUND_FLOOR | GROUND_POWER,
    [51] = GROUND_WALL | GROUND_FLOOR,
    [52] = GROUND_WALL | GROUND_FLOOR,
    [53] = GROUND_WALL | GROUND_FLOOR,
    [PF_LADDER] = GROUND_LADDER,
    [PF_LADDER_TOP] = GROUND_LADDER | GROUND_FLOOR,
    [PF_LOCK] = GROUND_WALL | GROUND_FLOOR,
    [PF_LOCK + 1] = GROUND_WALL | GROUND_FLOOR,
    [PF_LOCK + 2] = GROUND_WALL | GROUND_FLOOR,
    [PF_DOOR_CLOSED] = GROUND_WALL | GROUND_FLOOR,
    [PF_DOOR_CLOSED + 1] = GROUND_WALL | GROUND_FLOOR,
    [PF_DOOR_CLOSED + 2] = GROUND_WALL | GROUND_FLOOR,
};

unsigned sv_ground(int tile) { return tile >= 0 && tile < PF_TILES ? ground[tile] : 0; }

static const float THRUST = 1.9f, DAMPING = 0.85f, RUN = 1.2f;

/* Deep enough for every level: the rest of a fall is cut off. */
static const float LOWEST = -40000;

static bool add_tick(sv_arc *arc, float speed) {
    float before = arc->height[arc->length - 1];
    arc->height[arc->length] = before + speed;
    arc->speed[arc->length] = speed;
    if (speed > 0)
        arc->top = arc->length;
    arc->length++;
    return arc->length < SV_ARC_TICKS && before + speed > LOWEST;
}

static void begin(sv_arc *arc) {
    arc->length = 1;
    arc->top = 0;
    arc->height[0] = arc->speed[0] = 0;
}

void sv_jump_arc(sv_arc *arc, const pf_physics *physics, int ticks, bool from_ground) {
    float speed = THRUST * (float)ticks;
    begin(arc);
    bool more = true;
    for (int left = from_ground ? ticks + 1 : ticks; more && left > 0; left--) {
        speed = THRUST * (float)(left > ticks ? ticks : left);
        more = add_tick(arc, speed);
    }
    while (more) {
        speed = speed * DAMPING - physics->mario_gravity;
        more = add_tick(arc, speed);
    }
}

void sv_throw_arc(sv_arc *arc, float speed, float damping, float gravity) {
    begin(arc);
    while (add_tick(arc, speed))
        speed = speed * damping - gravity;
}

float sv_top_speed(const pf_physics *physics) {
    float left = physics->inertia_left, right = physics->inertia_right;
    float most = left > right ? left : right;
    return RUN / (1 - most);
}
