/* Text and hashes for rows of recordings. */
#include "platformer/trace.h"

#include <string.h>

void pf_write_char(pf_text *t, char c) {
    if (t->length < t->capacity)
        t->characters[t->length] = c;
    t->length++;
}

void pf_write_int(pf_text *t, int64_t value, char end) {
    char digits[24];
    int n = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0)
        pf_write_char(t, '-');
    do
        digits[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (n)
        pf_write_char(t, digits[--n]);
    pf_write_char(t, end);
}

void pf_write_hex(pf_text *t, uint32_t value, int digits, char end) {
    for (int k = digits - 1; k >= 0; k--)
        pf_write_char(t, "0123456789abcdef"[value >> (4 * k) & 15]);
    pf_write_char(t, end);
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void pf_write_float(pf_text *t, float value, char end) { pf_write_hex(t, bits_of(value), 8, end); }

void pf_write_sprite(pf_text *t, int kind, const pf_body *b) {
    pf_write_int(t, kind, ':');
    pf_write_float(t, b->x, ':');
    pf_write_float(t, b->y, ':');
    pf_write_float(t, b->vx, ':');
    pf_write_float(t, b->vy, ':');
    pf_write_int(t, b->facing, ':');
}

void pf_end_list(pf_text *t, bool empty, char end) {
    t->length -= !empty;
    pf_write_char(t, end);
}

uint32_t pf_fnv(uint32_t hash, const uint8_t *bytes, size_t n) {
    for (size_t k = 0; k < n; k++)
        hash = (hash ^ bytes[k]) * 0x01000193u;
    return hash;
}

/* Three zeros behind a value are three more multiplications. */
uint32_t pf_fnv_wide(uint32_t hash, const uint8_t *values, size_t n) {
    const uint32_t prime = 0x01000193u, fourth = prime * prime * prime * prime;
    for (size_t k = 0; k < n; k++)
        hash = (hash ^ values[k]) * fourth;
    return hash;
}

uint32_t pf_fnv_float(uint32_t hash, float value) {
    uint32_t bits = bits_of(value);
    uint8_t bytes[4] = {(uint8_t)bits, (uint8_t)(bits >> 8), (uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
    return pf_fnv(hash, bytes, sizeof bytes);
}
