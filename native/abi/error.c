/* Errors: a code, and one line for each thread. */
#include "abi/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[512];

const char *ludus_last_error(void) { return message; }

int32_t ludus_abi_version(void) { return LUDUS_ABI_VERSION; }

int32_t abi_fail(enum ludus_error code, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    return code;
}

int32_t abi_no_memory(void) { return abi_fail(LUDUS_NO_MEMORY, "there is no memory left"); }

int32_t abi_read_options(void *to, size_t known, const void *given) {
    uint32_t size = 0;
    memset(to, 0, known);
    if (given)
        memcpy(&size, given, sizeof size);
    if (given && (size < sizeof size || size > known))
        return abi_fail(LUDUS_BAD_OPTION, "options of %u bytes are unknown: set size to sizeof, at most %zu",
                        (unsigned)size, known);
    if (given)
        memcpy(to, given, size);
    return LUDUS_OK;
}

int32_t abi_check_threads(int32_t threads) {
    if (threads >= 1 && threads <= LUDUS_MAX_THREADS)
        return LUDUS_OK;
    return abi_fail(LUDUS_BAD_OPTION, "%d threads are out of range: give 1 to %d", (int)threads,
                    LUDUS_MAX_THREADS);
}
