/* What the engines need of the C library's stdlib.h; heap.c has it. */
#ifndef LUDUS_WASM_STDLIB_H
#define LUDUS_WASM_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *memory, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *memory);

#endif
