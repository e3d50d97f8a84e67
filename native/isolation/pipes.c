/* One question and the beginning of its answer by pipes, in one call of Python: whoever waits holds no lock. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <errno.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIECE = 65536 };

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

static PyObject *read_piece(int incoming)
{
    char piece[PIECE];
    ssize_t size;
    UNTIL_DONE(size, read(incoming, piece, sizeof piece));
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
    {"ask", ask, METH_VARARGS, "Write a message, and return what is read next; nothing if the other side is gone."},
    {"receive", receive, METH_VARARGS, "Return what is read next; nothing if the other side is gone."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_pipes", "Questions and answers by pipes.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__pipes(void) { return PyModule_Create(&definition); }
