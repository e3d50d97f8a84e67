/* A 64-bit digest of values that are written one after the other.
 *
 * Every value is written as bytes of a fixed width, the least significant byte first, so that the digest
 * is the same on every machine whatever its word size, byte order and padding. The bytes are taken in
 * words of eight, the last one filled up with zeros, then their number; docs/state-digest.md spells it out.
 */
#ifndef LUDUS_COMMON_DIGEST_H
#define LUDUS_COMMON_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t hash, word; /* word: bytes that do not fill a word yet */
    uint64_t length;     /* bytes written */
} digest;

static inline digest digest_begin(void) { return (digest){0x6c75647573u, 0, 0}; }

static inline uint64_t digest_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
}

/* Writes the `width` low bytes of a value; the rest of it must be zero. */
static inline void digest_value(digest *d, uint64_t value, unsigned width) {
    unsigned used = (unsigned)(d->length & 7), shift = 8 * used;
    d->word |= value << shift;
    d->length += width;
    if (used + width < 8)
        return;
    d->hash = digest_mix(d->hash, d->word);
    d->word = used ? value >> (64 - shift) : 0;
}

static inline void digest_u8(digest *d, uint8_t value) { digest_value(d, value, 1); }
static inline void digest_i8(digest *d, int8_t value) { digest_value(d, (uint8_t)value, 1); }
static inline void digest_i16(digest *d, int16_t value) { digest_value(d, (uint16_t)value, 2); }
static inline void digest_i32(digest *d, int32_t value) { digest_value(d, (uint32_t)value, 4); }
static inline void digest_u64(digest *d, uint64_t value) { digest_value(d, value, 8); }

static inline void digest_f32(digest *d, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    digest_value(d, bits, 4);
}

static inline void digest_f64(digest *d, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    digest_value(d, bits, 8);
}

static inline uint64_t digest_load(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int k = 7; k >= 0; k--)
        word = word << 8 | bytes[k];
    return word;
}

static inline void digest_bytes(digest *d, const uint8_t *bytes, size_t n) {
    for (; n >= 8; n -= 8, bytes += 8)
        digest_value(d, digest_load(bytes), 8);
    for (; n; n--)
        digest_u8(d, *bytes++);
}

/* Counts that are not zero, each with its number in the list: longer lists do not change it. */
static inline void digest_counts(digest *d, const int32_t *counts, int n) {
    int32_t filled = 0;
    for (int k = 0; k < n; k++)
        filled += counts[k] != 0;
    digest_i32(d, filled);
    for (int k = 0; k < n; k++)
        if (counts[k]) {
            digest_i32(d, k);
            digest_i32(d, counts[k]);
        }
}

static inline uint64_t digest_end(const digest *d) {
    uint64_t hash = d->length & 7 ? digest_mix(d->hash, d->word) : d->hash;
    return digest_mix(hash, d->length);
}

#endif
