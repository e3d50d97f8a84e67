/* Memory and texts: what string.h promises. Copies and fills are single instructions of WebAssembly. */
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    return __builtin_memcpy(to, from, n);
}

void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }

void *memset(void *to, int byte, size_t n) { return __builtin_memset(to, byte, n); }

int memcmp(const void *one, const void *other, size_t n) {
    const unsigned char *a = one, *b = other;
    for (; n; n--, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

size_t strlen(const char *text) {
    const char *end = text;
    while (*end)
        end++;
    return (size_t)(end - text);
}

int strcmp(const char *one, const char *other) {
    for (; *one && *one == *other; one++, other++)
        ;
    return (unsigned char)*one - (unsigned char)*other;
}

char *strchr(const char *text, int character) {
    for (; *text != (char)character; text++)
        if (!*text)
            return NULL;
    return (char *)text;
}

void *memchr(const void *bytes, int byte, size_t n) {
    for (const unsigned char *at = bytes; n; n--, at++)
        if (*at == (unsigned char)byte)
            return (void *)at;
    return NULL;
}

char *strcpy(char *restrict to, const char *restrict from) {
    return __builtin_memcpy(to, from, strlen(from) + 1);
}
