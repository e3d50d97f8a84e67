/* The native method of ludus.Level that lists what happened in a world's last tick. */
#include "bindings/java/jni/images.h"

#include <jni.h>
#include <string.h>

enum { EVENT_NUMBERS = 6 };

static jint bits_of(float value) {
    jint bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* In the order of the constants of ludus.GameLog. */
static void write_events(const pf_world *image, jsize n, jint *numbers) {
    const pf_event *events = pf_events(image);
    for (int k = 0; k < n && k < image->n_events; k++) {
        const pf_event *e = events + k;
        const jint event[EVENT_NUMBERS] = {e->kind, e->param, bits_of(e->x), bits_of(e->y), e->mode, e->tick};
        memcpy(numbers + EVENT_NUMBERS * k, event, sizeof event);
    }
}

static jsize count_events(JNIEnv *env, jlongArray array) {
    pf_world *image = (*env)->GetPrimitiveArrayCritical(env, array, NULL);
    jsize n = image ? image->n_events : 0;
    if (image)
        (*env)->ReleasePrimitiveArrayCritical(env, array, image, JNI_ABORT);
    return n;
}

/* Six numbers for each event: kind, parameter, the bits of x and y, mode and tick. */
JNIEXPORT jintArray JNICALL Java_ludus_Level_events(JNIEnv *env, jobject self, jlongArray array) {
    (void)self;
    jsize n = count_events(env, array);
    jintArray events = (*env)->NewIntArray(env, EVENT_NUMBERS * n);
    pf_world *image = n && events ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
    jint *numbers = image ? (*env)->GetPrimitiveArrayCritical(env, events, NULL) : NULL;
    if (numbers) {
        write_events(image, n, numbers);
        (*env)->ReleasePrimitiveArrayCritical(env, events, numbers, 0);
    }
    if (image)
        (*env)->ReleasePrimitiveArrayCritical(env, array, image, JNI_ABORT);
    return events;
}
