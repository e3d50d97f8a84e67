/* Which states count as one: a key that is equal for all that are alike enough. */
#ifndef LUDUS_SOLVER_STATE_KEY_H
#define LUDUS_SOLVER_STATE_KEY_H

#include "solver/store.h"
#include "solver/style.h"

/* The key of the world at work, as finely as a style tells states apart. */
uint64_t sv_state_key(const sv_style *style, const sv_work *work);

#endif
