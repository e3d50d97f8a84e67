/* Worlds as images: the used part of a world, in an array of Java's, which its garbage collector frees. */
#ifndef LUDUS_JAVA_IMAGES_H
#define LUDUS_JAVA_IMAGES_H

#include "abi/internal.h"

/* Words of 8 bytes that the image of a world takes. */
size_t image_words(const pf_world *world);
/* Writes the image of a world. What looks at worlds can look at an image; a tick needs a world. */
void write_image(pf_world *image, const pf_world *world);
/* A world of this thread that equals an image and has room for a tick; NULL without memory. */
pf_world *unfold_image(const pf_world *image);
/* The world that this thread unfolded last. */
const pf_world *unfolded_world(void);

#endif
