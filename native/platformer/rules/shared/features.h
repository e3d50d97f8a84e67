/* What tiles are like, for bodies that come upon them. */
#ifndef LUDUS_PLATFORMER_FEATURES_H
#define LUDUS_PLATFORMER_FEATURES_H

enum {
    FEATURE_ALL = 1,    /* solid from every side */
    FEATURE_UPPER = 2,  /* solid for upward motion */
    FEATURE_LOWER = 4,  /* solid for downward motion */
    FEATURE_BUMPABLE = 8,
    FEATURE_BREAKABLE = 16,
    FEATURE_SPECIAL = 32, /* holds a power-up */
    FEATURE_LIFE = 64,    /* holds a 1-up */
    FEATURE_PICKABLE = 128
};

#endif
