/* What the files of Diplomacy behind ludus.h share. */
#ifndef LUDUS_ABI_DIPLOMACY_H
#define LUDUS_ABI_DIPLOMACY_H

#include "abi/internal.h"
#include "diplomacy/map.h"

enum { LAST_YEAR = 9999, ALL_OPTIONS = DP_HOME_DISORDER | DP_GROWTH_TO_WIN };

struct ludus_diplomacy {
    dp_board core;
};

#endif
