/* What the engines need of the C library's string.h; memory.c has it. */
#ifndef LUDUS_WASM_STRING_H
#define LUDUS_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *one, const void *other, size_t n);
size_t strlen(const char *text);
int strcmp(const char *one, const char *other);
char *strchr(const char *text, int character);
void *memchr(const void *bytes, int byte, size_t n);
char *strcpy(char *restrict to, const char *restrict from);

#endif
