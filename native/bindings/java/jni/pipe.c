/* The native methods of ludus.Pipe: frames by two descriptors that no print of an agent reaches. */
#include <jni.h>

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 9, MOST_BYTES = 1 << 28 };

static bool read_all(int descriptor, uint8_t *bytes, size_t n) {
    while (n) {
        ssize_t got = read(descriptor, bytes, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got;
        n -= (size_t)got;
    }
    return true;
}

static bool write_all(int descriptor, const uint8_t *bytes, size_t n) {
    while (n) {
        ssize_t put = write(descriptor, bytes, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes += put;
        n -= (size_t)put;
    }
    return true;
}

static uint32_t read_u32(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void write_u32(uint8_t *b, uint32_t value) {
    for (int k = 0; k < 4; k++)
        b[k] = (uint8_t)(value >> 8 * k);
}

/* The next frame without its length: number, kind and content; NULL if the other end is gone. */
JNIEXPORT jbyteArray JNICALL Java_ludus_Pipe_receive(JNIEnv *env, jclass class, jint descriptor) {
    (void)class;
    uint8_t head[HEAD];
    if (!read_all(descriptor, head, HEAD))
        return NULL;
    uint32_t length = read_u32(head);
    uint8_t *content = length <= MOST_BYTES ? malloc(length + 1) : NULL;
    jbyteArray frame = content ? (*env)->NewByteArray(env, (jsize)length + HEAD - 4) : NULL;
    if (frame && !read_all(descriptor, content, length))
        frame = NULL;
    if (frame) {
        (*env)->SetByteArrayRegion(env, frame, 0, HEAD - 4, (const jbyte *)head + 4);
        (*env)->SetByteArrayRegion(env, frame, HEAD - 4, (jsize)length, (const jbyte *)content);
    }
    free(content);
    return frame;
}

/* Writes a frame; false if the other end is gone. */
JNIEXPORT jboolean JNICALL Java_ludus_Pipe_send(JNIEnv *env, jclass class, jint descriptor, jint number, jint kind,
                                                jbyteArray content) {
    (void)class;
    jsize length = (*env)->GetArrayLength(env, content);
    uint8_t *frame = malloc(HEAD + (size_t)length);
    if (!frame)
        return JNI_FALSE;
    write_u32(frame, (uint32_t)length);
    write_u32(frame + 4, (uint32_t)number);
    frame[8] = (uint8_t)kind;
    (*env)->GetByteArrayRegion(env, content, 0, length, (jbyte *)frame + HEAD);
    bool sent = write_all(descriptor, frame, HEAD + (size_t)length);
    free(frame);
    return sent;
}
