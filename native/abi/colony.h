/* What the files of colonies behind ludus.h share. */
#ifndef LUDUS_ABI_COLONY_H
#define LUDUS_ABI_COLONY_H

#include "abi/worm.h"
#include "worm/colony.h"

/* A plan, and the task that it is made of. */
typedef struct {
    atomic_int holders;
    ludus_worm_task *task; /* held */
    wm_colony_plan core;
} colony_plan;

struct ludus_colony {
    wm_colony *core;
    colony_plan *plan; /* held */
};

int32_t abi_new_colony_plan(const ludus_worm_task *task, const ludus_colony_options *options, colony_plan **plan);
void abi_free_colony_plan(colony_plan *plan);
/* A colony of this plan, which it holds; a copy of another, if there is one to copy. */
int32_t abi_new_colony(colony_plan *plan, const wm_colony *like, ludus_colony **colony);
int32_t abi_check_colony_actions(const wm_colony_plan *plan, const int32_t *actions, size_t n);

#endif
