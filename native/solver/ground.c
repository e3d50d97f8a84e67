/* Tiles and trajectories as the solver sees them. */
#include "solver/ground.h"

#include "platformer/level_map.h"

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

/* Tile codes of map bytes; ground follows from the shape of its edges. */
static const uint8_t tiles_of_bytes[128] = {
    [MAP_HIDDEN_COIN] = 49,
    [MAP_HIDDEN_POWER_UP] = 48,
    [MAP_USED] = 14,
    [5] = 14,
    [6] = 14,
    [7] = 14,
    [8] = 2,
    [MAP_STAIRS] = 2,
    [MAP_PIPE_TOP] = 18,
    [MAP_PIPE_TOP + 1] = 19,
    [12] = 2,
    [MAP_MUZZLE] = 3,
    [MAP_BRICK] = 6,
    [MAP_BRICK_COIN] = 7,
    [MAP_BRICK_POWER_UP] = 50,
    [19] = 6,
    [MAP_QUESTION] = 11,
    [MAP_QUESTION_COIN] = 11,
    [MAP_QUESTION_POWER_UP] = 8,
    [MAP_QUESTION_COINS] = 11,
    [24] = 2,
    [MAP_PIPE_BODY] = 20,
    [MAP_PIPE_BODY + 1] = 21,
    [28] = 2,
    [MAP_NECK] = 4,
    [MAP_COIN_FIRST] = PF_COIN_TILE,
    [MAP_COIN_FIRST + 1] = PF_COIN_TILE,
    [MAP_COIN] = PF_COIN_TILE,
    [MAP_COIN_LAST] = PF_COIN_TILE,
    [40] = 2,
    [41] = 2,
    [MAP_POLE] = 5,
    [56] = 2,
    [57] = 2,
};

/* In each group of four, the last is an inner corner, which bodies pass. The second group has hills: their
 * tops can be stood on. The last row of the sheet has no ground of caves and castles. */
static int ground_tile(const pf_level *level, int byte) {
    enum { INTERIOR = 145, INNER_CORNER = 3, HILL = 1, FIRST_ROW = 8, BODY_ROW = 9, LAST_ROW = 11 };
    int row = byte / 16, group = byte % 16 / 4, shape = byte % 4;
    if (shape == INNER_CORNER || row < FIRST_ROW || (row > LAST_ROW && row != 14))
        return 0;
    if (row == 14)
        return group == 0 ? 43 : 0;
    if (group == HILL)
        return row == FIRST_ROW || row == LAST_ROW ? 43 : 0;
    if (byte == INTERIOR)
        return level->rules->solid_interior;
    return row == LAST_ROW && group ? 0 : 1;
}

int sv_tile(const pf_level *level, int tile) {
    if (!level->rules->maps)
        return tile;
    if (tile == MAP_LADDER || tile == MAP_LADDER_TOP)
        return level->rules->ladders ? PF_LADDER : 0;
    return tile < 128 ? tiles_of_bytes[tile] : ground_tile(level, tile);
}

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
