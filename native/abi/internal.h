/* What the files behind ludus.h share: handles, errors, sizes. */
#ifndef LUDUS_ABI_INTERNAL_H
#define LUDUS_ABI_INTERNAL_H

#include "abi/ludus.h"
#include "platformer/heap.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Keeps the message for ludus_last_error and returns the code. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int32_t abi_fail(enum ludus_error code, const char *format, ...);
int32_t abi_no_memory(void);

/* Copies options that begin with their size over zeros; fails if they are larger than known or have none. */
int32_t abi_read_options(void *to, size_t known, const void *given);
int32_t abi_check_threads(int32_t threads);
int32_t abi_check_action(const pf_world *world, int64_t action);

/* The rule set of this name, or of the first one for NULL. */
int32_t abi_find_rules(const char *name, const pf_rules **rules);

struct ludus_level {
    atomic_int holders;
    pf_level *core;
};

struct ludus_world {
    pf_world *core;
    ludus_level *level; /* held */
};

int32_t abi_check_size(int32_t width, int32_t height);
/* Builds a level, which the caller holds, from cells of a checked size. */
int32_t abi_build_level(const pf_cells *cells, const pf_rules *rules, ludus_level **level);
/* The same for rules that play maps of bytes: the characters are read for "ludus" and made bytes. */
int32_t abi_build_map(const pf_cells *cells, const pf_rules *rules, ludus_level **level);

/* A handle for a world of this level, whose memory it takes; frees that if there is no memory left. */
int32_t abi_wrap_world(pf_world *core, const ludus_level *level, ludus_world **world);

int32_t abi_check_view(const ludus_view *view, pf_view *checked);

/* Copies of worlds at the start of their levels, which hold the levels. */
typedef struct {
    ludus_world **worlds;
    pf_world **cores;
    size_t n;
} abi_starts;
int32_t abi_copy_starts(abi_starts *starts, const ludus_world *const *worlds, size_t n);
void abi_free_starts(abi_starts *starts);

/* The least of both. */
static inline size_t abi_least(size_t one, size_t other) { return one < other ? one : other; }

#endif
