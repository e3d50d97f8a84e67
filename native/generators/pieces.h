/* Pieces that every zone is made of, in the tiles of a format. */
#ifndef LUDUS_GENERATORS_PIECES_H
#define LUDUS_GENERATORS_PIECES_H

#include "generators/canvas.h"
#include "generators/java_random.h"

/* The tiles of a format. */
typedef struct {
    uint8_t ground, ceiling, stairs, coin;
    uint8_t cannon[3];                 /* muzzle, neck, pole */
    uint8_t pipe_top[2], pipe_body[2]; /* left, right */
    uint8_t hill_top[3], hill_body[3]; /* left, middle, right */
    uint8_t hill_overlap[3];           /* what a hill's top becomes in front of another hill */
    uint8_t question[2], brick[2];     /* with a power-up, with a coin */
    uint8_t plain_brick;
} gen_style;

/* The map bytes of 2009 and 2010. */
extern const gen_style GEN_BYTE_STYLE;

/* A hill on columns x0 .. x1 - 1 and rows top .. bottom - 1, behind what is there. */
void gen_put_hill(gen_level *level, const gen_style *style, int x0, int x1, int top, int bottom);

/* One of the two columns of a pipe, from its top down to the floor. */
void gen_put_pipe_column(gen_level *level, const gen_style *style, int x, int top, int floor,
                         bool right);

void gen_put_cannon(gen_level *level, const gen_style *style, int x, int top, int floor);

/* A gap on columns x0 .. x1 - 1 between two sides of firm ground. */
typedef struct {
    int x0, x1, side, floor;
    bool stairs; /* both sides rise towards the gap */
} gen_gap_shape;

bool gen_is_in_gap(const gen_gap_shape *gap, int x);

/* The stairs above a column beside the gap, if there are any. */
void gen_put_stairs(gen_level *level, const gen_style *style, const gen_gap_shape *gap, int x);

/* ---- odds ------------------------------------------------------------------------------------ */

enum { GEN_MOST_ZONES = 6 };

/* The least draw that picks a zone, and the number of draws. */
typedef struct {
    int n, first[GEN_MOST_ZONES], total;
} gen_zone_odds;

gen_zone_odds gen_odds_of(const int *weights, int n);

int gen_draw_zone(java_random *random, const gen_zone_odds *odds);

#endif
