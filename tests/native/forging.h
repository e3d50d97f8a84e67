/* Forges saved states: bytes are changed at random, and the checksum is made right again. */
#ifndef FORGING_H
#define FORGING_H

#include "common/seal.h"

#include "random_soup.h"

#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t size;
} saved;

static void change_bytes(const saved *s) {
    static const uint8_t telling[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    for (int n = one_in(2) ? 1 : between(1, 8); n > 0; n--) {
        size_t at = (size_t)below((int)s->size), word = at & ~(size_t)3;
        int32_t number = one_in(2) ? (int32_t)draw() : between(-3, 300);
        if (one_in(3))
            s->bytes[at] ^= (uint8_t)(1 << below(8));
        else if (one_in(2))
            s->bytes[at] = telling[below(sizeof telling)];
        else if (word + 4 <= s->size)
            memcpy(s->bytes + word, &number, 4);
    }
}

/* Writes the checksum anew, as a forger would. */
static void reseal(const saved *s) {
    uint64_t checksum = seal_checksum(s->bytes, s->size);
    memcpy(s->bytes + offsetof(seal, checksum), &checksum, sizeof checksum);
}

static struct {
    long refused, accepted;
} forgeries;

#endif
