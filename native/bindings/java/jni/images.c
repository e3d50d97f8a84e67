/* Worlds as images, and the one world of each thread in which images are played on. */
#include "bindings/java/jni/images.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8, NO_CAPACITY = -1 };

static size_t round_up(size_t n) { return (n + WORD - 1) & ~(size_t)(WORD - 1); }

static size_t sprites_end(const pf_world *w) {
    return (size_t)w->sprites_at + (size_t)w->n_sprites * sizeof(pf_sprite);
}

size_t image_words(const pf_world *w) {
    return round_up(round_up(sprites_end(w)) + (size_t)w->n_events * sizeof(pf_event)) / WORD;
}

void write_image(pf_world *image, const pf_world *w) {
    memcpy(image, w, sprites_end(w));
    image->sprite_capacity = NO_CAPACITY; /* so that pf_copy lays its copy out anew */
    image->events_at = (int32_t)round_up(sprites_end(w));
    if (w->n_events)
        memcpy(pf_events(image), pf_events(w), (size_t)w->n_events * sizeof(pf_event));
}

/* Threads of a Java program are few, and what they hold here is as large as one world. */
static _Thread_local pf_world *unfolded;
static _Thread_local size_t unfolded_size;

static pf_world *reserve(size_t size) {
    if (size > unfolded_size) {
        pf_world *larger = realloc(unfolded, size);
        if (!larger)
            return NULL;
        unfolded = larger;
        unfolded_size = size;
    }
    return unfolded;
}

pf_world *unfold_image(const pf_world *image) {
    int least = pf_first_capacity(image->level), wanted = pf_wanted_capacity(image);
    int capacity = wanted > least ? wanted : least;
    pf_world *w = reserve(pf_world_size(image->level, image->n_kills, capacity));
    if (w)
        pf_copy(w, image, capacity);
    return w;
}

const pf_world *unfolded_world(void) { return unfolded; }
