/* One question and the beginning of its answer by pipes, in one call of Python: whoever waits holds no lock. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIECE = 65536, LOOKS = 40 };

/* Does a call until no signal interrupts it; false with an error of Python if a handler raised one. */
#define UNTIL_DONE(result, call)                                                                                       \
    do {                                                                                                               \
        Py_BEGIN_ALLOW_THREADS                                                                                         \
        result = (call);                                                                                               \
        Py_END_ALLOW_THREADS                                                                                           \
    } while (result < 0 && errno == EINTR && !PyErr_CheckSignals())

static bool send_all(int outgoing, const char *bytes, Py_ssize_t left)
{
    while (left > 0) {
        ssize_t written;
        UNTIL_DONE(written, write(outgoing, bytes, (size_t)left));
        if (written < 0)
            return false;
        bytes += written, left -= written;
    }
    return true;
}

static PyObject *fail(void) { return PyErr_Occurred() ? NULL : PyErr_SetFromErrno(PyExc_OSError); }

static bool is_empty(ssize_t size) { return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK); }

/* Reads what comes within a few microseconds, without sleeping: to be woken costs more than most answers take.
   Whoever waits first lets others run once, since the other side may be waiting for this very core. */
static ssize_t look(int incoming, char *piece)
{
    sched_yield();
    ssize_t size = read(incoming, piece, PIECE);
    for (int looks = 1; looks < LOOKS && is_empty(size); looks++)
        size = read(incoming, piece, PIECE);
    return size;
}

static ssize_t sleep_and_read(int incoming, char *piece)
{
    struct pollfd watched = {incoming, POLLIN, 0};
    return poll(&watched, 1, -1) < 0 ? -1 : read(incoming, piece, PIECE);
}

/* Returns what is read next from a pipe that does not block. */
static PyObject *read_piece(int incoming)
{
    char piece[PIECE];
    ssize_t size;
    UNTIL_DONE(size, look(incoming, piece));
    while (is_empty(size))
        UNTIL_DONE(size, sleep_and_read(incoming, piece));
    return size < 0 ? fail() : PyBytes_FromStringAndSize(piece, size);
}

static PyObject *ask(PyObject *module, PyObject *args)
{
    (void)module;
    int outgoing, incoming, unasked = 0;
    Py_buffer message;
    if (!PyArg_ParseTuple(args, "iiy*", &outgoing, &incoming, &message))
        return NULL;
    if (ioctl(incoming, FIONREAD, &unasked) == 0 && unasked > 0) {
        PyBuffer_Release(&message);
        PyErr_SetString(PyExc_ValueError, "there is something to read already");
        return NULL;
    }
    bool sent = send_all(outgoing, message.buf, message.len);
    PyBuffer_Release(&message);
    return sent ? read_piece(incoming) : fail();
}

static PyObject *receive(PyObject *module, PyObject *args)
{
    (void)module;
    int incoming;
    return PyArg_ParseTuple(args, "i", &incoming) ? read_piece(incoming) : NULL;
}

static PyMethodDef methods[] = {
    {"ask", ask, METH_VARARGS, "Write a message, and return what is read next; nothing if the other side is gone. What is read may not block."},
    {"receive", receive, METH_VARARGS, "Return what is read next; nothing if the other side is gone."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_pipes", "Questions and answers by pipes.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__pipes(void) { return PyModule_Create(&definition); }
