// Games played for practice, as Python holds them.
#pragma once

#include "bindings/python/buffers.h"

struct Practice {
    static constexpr const char *WHAT = "the practice";

    Handle<ludus_practice> practice;
    Buffers buffers;
    int32_t n, slots;
    uint8_t *buttons;
    mutable Busy busy{false};

    ludus_practice *get() const { return practice.get(); }
};

// Binds policies that learn from them.
void bind_learning(nb::module_ &module);
