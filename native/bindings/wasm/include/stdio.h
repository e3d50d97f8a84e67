/* What the engines need of the C library's stdio.h: error messages. format.c has it. */
#ifndef LUDUS_WASM_STDIO_H
#define LUDUS_WASM_STDIO_H

#include <stdarg.h>
#include <stddef.h>

int vsnprintf(char *text, size_t capacity, const char *format, va_list values);

#endif
