/* Rows of recordings under the rules that are built on the framework's engine. */
#ifndef LUDUS_PLATFORMER_FRAMEWORK_TRACE_H
#define LUDUS_PLATFORMER_FRAMEWORK_TRACE_H

#include "platformer/platformer.h"

extern const char pf_framework_columns[];
void pf_framework_trace(const pf_world *world, pf_text *to);

#endif
