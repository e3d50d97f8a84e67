// What an agent's use of an engine costs it, in the units of the judge. Only an agent's process sets a meter.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "judge/engine_costs.h"

using Meter = int (*)(int64_t cost); // below 0 if the budget is used up; an exception is then set
inline Meter meter = nullptr;

inline void charge(int64_t cost) {
    if (meter && meter(cost) < 0)
        throw nanobind::python_error();
}

inline void set_meter(nanobind::object capsule) {
    void *function = capsule.is_none() ? nullptr : PyCapsule_GetPointer(capsule.ptr(), "ludus.meter");
    if (!function && !capsule.is_none())
        throw nanobind::python_error();
    meter = reinterpret_cast<Meter>(function);
}

inline nanobind::dict engine_costs() {
    nanobind::dict costs;
    costs["tick"] = int(COST_OF_TICK);
    costs["copy"] = int(COST_OF_COPY);
    costs["record"] = int(COST_OF_RECORD);
    costs["look"] = int(COST_OF_LOOK);
    costs["cells for a unit"] = int(CELLS_FOR_A_UNIT);
    return costs;
}
