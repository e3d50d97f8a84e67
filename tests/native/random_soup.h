/* What programs that play at random share: chance, promises, memory. A program is one such file, which
 * says before it includes this what it is called: #define SOUP "soup"
 */
#ifndef RANDOM_SOUP_H
#define RANDOM_SOUP_H

#include "common/random.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    uint64_t state, seed;
} luck;

static void begin_soup(uint64_t seed) { luck.seed = luck.state = seed; }

static uint64_t draw(void) { return random_next(&luck.state); }

static int below(int n) { return (int)(draw() % (uint64_t)n); }
static int between(int least, int most) { return least + below(most - least + 1); }
static bool one_in(int n) { return below(n) == 0; }

static void require(bool good, const char *promise) {
    if (good)
        return;
    fprintf(stderr, "broken: %s\nplay it again: " SOUP " 1 %" PRIu64 "\n", promise, luck.seed);
    exit(1);
}

static void *memory(size_t size) {
    void *got = malloc(size);
    require(got || !size, "there is memory");
    return got;
}

#endif
