/* Rows of recordings: a world's state as text, column by column, the way the recordings have it.
 *
 * Values are separated by commas, entries of lists by semicolons. Numbers are decimal, floats are the eight
 * hexadecimal digits of their bits, what is hashed is the FNV-1a hash of its bytes.
 */
#ifndef LUDUS_PLATFORMER_TRACE_H
#define LUDUS_PLATFORMER_TRACE_H

#include "platformer/platformer.h"

/* What was written so far; what does not fit is counted all the same. */
struct pf_text {
    char *characters;
    size_t capacity, length;
};

void pf_write_char(pf_text *text, char c);
/* A number, and the character that follows it. */
void pf_write_int(pf_text *text, int64_t value, char end);
void pf_write_hex(pf_text *text, uint32_t value, int digits, char end);
void pf_write_float(pf_text *text, float value, char end);
/* kind, place, speed and facing of a sprite, each with a colon behind it. */
void pf_write_sprite(pf_text *text, int kind, const pf_body *body);
/* Takes back a separator that is followed by nothing, then writes the end. */
void pf_end_list(pf_text *text, bool empty, char end);

static const uint32_t PF_FNV_START = 0x811c9dc5u;
uint32_t pf_fnv(uint32_t hash, const uint8_t *bytes, size_t n);
/* Values as 32-bit numbers, the least significant byte first. */
uint32_t pf_fnv_wide(uint32_t hash, const uint8_t *values, size_t n);
uint32_t pf_fnv_float(uint32_t hash, float value);

#endif
