/* What an agent's use of an engine costs it, in the units of the judge: the same in every language. */
#pragma once

enum engine_cost {
    COST_OF_TICK = 60,    /* playing one */
    COST_OF_COPY = 150,   /* a clone, or a new forward model */
    COST_OF_RECORD = 300, /* Mario, a sprite, an event, the result, the digest */
    COST_OF_LOOK = 300,   /* a grid or another array */
    CELLS_FOR_A_UNIT = 8, /* of such an array */
};
