/* The head of a state as bytes: what it is, whose it is, how long it is, and a checksum.
 *
 * The checksum finds accidents. It keeps nobody out: whoever forges a state can write the checksum too, so
 * everything behind the head is checked as if it came from anywhere.
 */
#ifndef LUDUS_COMMON_SEAL_H
#define LUDUS_COMMON_SEAL_H

#include "common/digest.h"

typedef struct {
    uint32_t magic, version; /* the first shows the byte order, too */
    uint64_t rules, subject; /* digests: the rules that were played by, and what was played */
    uint64_t size;           /* of all, this head included */
    uint64_t checksum;       /* of all bytes behind it */
} seal;

static inline uint64_t seal_load(const uint8_t *bytes, size_t size) {
    uint64_t word = 0;
    memcpy(&word, bytes, size);
    return word;
}

/* Four sums side by side, so that no word waits for the one before it. */
static inline uint64_t seal_checksum(const uint8_t *bytes, size_t size) {
    uint64_t sums[4] = {1, 2, 3, 4}, all = size;
    size_t at = sizeof(seal);
    for (; at + 32 <= size; at += 32)
        for (size_t k = 0; k < 4; k++)
            sums[k] = digest_mix(sums[k], seal_load(bytes + at + 8 * k, 8));
    for (; at + 8 <= size; at += 8)
        all = digest_mix(all, seal_load(bytes + at, 8));
    all = digest_mix(all, seal_load(bytes + at, size - at));
    for (size_t k = 0; k < 4; k++)
        all = digest_mix(all, sums[k]);
    return all;
}

/* The digest of a rule set's name and version. */
static inline uint64_t seal_rules(const char *name, int32_t version) {
    digest d = digest_begin();
    for (; *name; name++)
        digest_u8(&d, (uint8_t)*name);
    digest_i32(&d, version);
    return digest_end(&d);
}

/* Writes the head of bytes that are complete but for it. */
static inline void seal_write(uint8_t *bytes, size_t size, seal head) {
    head.size = size;
    head.checksum = seal_checksum(bytes, size);
    memcpy(bytes, &head, sizeof head);
}

/* Why these bytes do not begin with this head, or NULL. */
static inline const char *seal_check(const uint8_t *bytes, size_t size, seal expected) {
    seal head;
    if (size < sizeof head)
        return "it is too short";
    memcpy(&head, bytes, sizeof head);
    if (head.magic != expected.magic)
        return "it begins with other bytes";
    if (head.version != expected.version)
        return "another version of Ludus wrote it";
    if (head.rules != expected.rules)
        return "it was played under other rules";
    if (head.subject != expected.subject)
        return "it was played on another level or task";
    if (head.size != size)
        return "it is cut off or has bytes behind its end";
    if (head.checksum != seal_checksum(bytes, size))
        return "its checksum is wrong";
    return NULL;
}

#endif
