/* What the files of the generators behind ludus.h share. */
#ifndef LUDUS_ABI_GENERATE_H
#define LUDUS_ABI_GENERATE_H

#include "abi/internal.h"
#include "generators/generators.h"
#include "generators/ludus_options.h"

typedef struct {
    gen_notch_options core;
    int32_t width, height;
} notch_options;

typedef struct {
    gen_tunable_options core;
    int32_t width, height;
} tunable_options;

/* One piece of memory: this, then the parts one after the other. */
typedef struct {
    ludus_generated facts;
    size_t used;
    char memory[];
} parcel;

/* Each is given its options and returns what it has generated, or NULL if memory ran out. */
parcel *abi_run_notch_2009(const void *options);
parcel *abi_run_notch_framework(const void *options);
parcel *abi_run_tunable_2010(const void *options);
parcel *abi_run_ludus(const void *options);

#endif
