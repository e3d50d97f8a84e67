/* One way to search. */
#ifndef LUDUS_SOLVER_STYLE_H
#define LUDUS_SOLVER_STYLE_H

typedef struct {
    int stride;           /* ticks that buttons are held */
    int x_shift, y_shift; /* pixels that count as one, as powers of two */
    int speed_parts;      /* steps of speed that are told apart, per pixel a tick */
    int greed;            /* what a tick of distance counts against a tick played */
    int elsewhere;        /* one in so many nodes comes from a place drawn by lot */
    int sight;            /* pixels around Mario within which creatures are told apart */
} sv_style;

#endif
