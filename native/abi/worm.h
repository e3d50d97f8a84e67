/* What the files of the worm behind ludus.h share. */
#ifndef LUDUS_ABI_WORM_H
#define LUDUS_ABI_WORM_H

#include "abi/internal.h"
#include "worm/worm.h"

struct ludus_worm_task {
    atomic_int holders;
    wm_task *core;
};

struct ludus_worm {
    wm_world *core;
    ludus_worm_task *task; /* held */
};

ludus_worm_task *abi_hold_task(const ludus_worm_task *task);
int32_t abi_copy_worm(const ludus_worm_task *task, const wm_world *core, ludus_worm **copy);
int32_t abi_check_worm_action(int64_t action);
/* Memory that begins at a cache line. */
void *abi_aligned(size_t bytes);

#endif
