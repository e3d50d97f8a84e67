/* Shared memory between a referee and an agent's process: one slot for questions, one for answers. Linux only.

   Neither side trusts what the other may write while it is read. Each keeps its own count of messages; a length is
   read once and checked; a content is copied before anybody looks at it. Who waits looks at the memory for a short
   while and then sleeps on a futex; who has slept in spite of looking several times looks only now and then. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef F_GET_SEALS
#define F_GET_SEALS 1034
#endif
enum { SEAL_SHRINK = 2, SLOT_BYTES = 256 * 1024, ELSEWHERE = -1 };
enum { SPIN_NS = 20000, PAUSES = 8, MOST_MISSES = 3, RETRY_EVERY = 64 };
static const int64_t SLICE_NS = 10 * 1000 * 1000; /* how long a sleeper may miss that the other is gone */

typedef struct {
    _Alignas(64) _Atomic uint32_t sequence; /* of the message that the slot holds */
    _Atomic uint32_t sleeping;              /* whether somebody sleeps until it changes */
    _Atomic int32_t length;                 /* of the content, or ELSEWHERE */
    _Atomic uint32_t number, kind;
    _Alignas(64) char content[SLOT_BYTES];
} Slot;

typedef struct {
    Slot question, answer;
} Memory;

typedef struct {
    PyObject ob_base;
    Memory *memory;
    Slot *incoming, *outgoing;
    uint32_t received, sent; /* this side's own count */
    uint32_t misses, skipped;
    int watched; /* a pipe that the other side holds open, or -1 */
} Mailbox;

static long futex(_Atomic uint32_t *word, int operation, uint32_t value, const struct timespec *timeout)
{
    return syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Whether the slot holds another message than the last; who forges may have made it any other. */
static bool has_changed(const Mailbox *box) { return box->incoming->sequence != box->received; }

/* Returns whether to look before sleeping: not if the other side has been slower several times. */
static bool shall_spin(Mailbox *box)
{
    if (box->misses < MOST_MISSES)
        return true;
    box->skipped = (box->skipped + 1) % RETRY_EVERY;
    return box->skipped == 0;
}

static bool spin(Mailbox *box)
{
    int64_t end = now() + SPIN_NS;
    do {
        for (int k = 0; k < PAUSES; k++) {
            if (has_changed(box)) {
                box->misses = 0;
                return true;
            }
            pause_briefly();
        }
    } while (now() < end);
    if (box->misses < MOST_MISSES)
        box->misses++;
    return false;
}

typedef enum { ARRIVED, LATE, GONE, JUNK, INTERRUPTED } Outcome;

/* Returns what the pipe beside the memory tells of the other side; without news, ARRIVED. */
static Outcome look_at_pipe(const Mailbox *box)
{
    struct pollfd watched = {box->watched, POLLIN, 0};
    if (box->watched < 0 || poll(&watched, 1, 0) <= 0)
        return ARRIVED;
    return watched.revents & POLLIN ? JUNK : GONE;
}

static Outcome sleep_until(Mailbox *box, int64_t deadline)
{
    Slot *slot = box->incoming;
    for (;;) {
        slot->sleeping = 1;
        if (has_changed(box)) {
            slot->sleeping = 0;
            return ARRIVED;
        }
        int64_t left = deadline - now();
        if (left <= 0)
            return LATE;
        struct timespec slice = {0, left < SLICE_NS ? left : SLICE_NS};
        bool woken = futex(&slot->sequence, FUTEX_WAIT, box->received, box->watched < 0 ? NULL : &slice) == 0;
        if (!woken && errno == EINTR)
            return INTERRUPTED;
        Outcome outcome = woken || errno != ETIMEDOUT ? ARRIVED : look_at_pipe(box);
        if (outcome != ARRIVED)
            return has_changed(box) ? ARRIVED : outcome;
    }
}

static Outcome wait_for_change(Mailbox *box, int64_t deadline)
{
    if (has_changed(box) || (shall_spin(box) && spin(box)))
        return ARRIVED;
    return sleep_until(box, deadline);
}

/* Mailbox(descriptor, asks, watched): maps a sealed memfd. */
static int open_mailbox(PyObject *self, PyObject *args, PyObject *keywords)
{
    (void)keywords;
    Mailbox *box = (Mailbox *)self;
    int descriptor, asks;
    if (!PyArg_ParseTuple(args, "ipi", &descriptor, &asks, &box->watched))
        return -1;
    struct stat status;
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (box->memory || seals < 0 || !(seals & SEAL_SHRINK) || fstat(descriptor, &status) ||
        status.st_size < (off_t)sizeof(Memory)) {
        PyErr_SetString(PyExc_OSError, "no sealed memory of the right size");
        return -1;
    }
    void *memory = mmap(NULL, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    box->memory = memory;
    box->incoming = asks ? &box->memory->answer : &box->memory->question;
    box->outgoing = asks ? &box->memory->question : &box->memory->answer;
    return 0;
}

static void close_mailbox(PyObject *self)
{
    Mailbox *box = (Mailbox *)self;
    if (box->memory)
        munmap(box->memory, sizeof(Memory));
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *post(PyObject *self, PyObject *args)
{
    Mailbox *box = (Mailbox *)self;
    unsigned int number, kind;
    Py_buffer content;
    if (!PyArg_ParseTuple(args, "IIy*", &number, &kind, &content))
        return NULL;
    Slot *slot = box->outgoing;
    bool fits = content.len <= SLOT_BYTES;
    if (fits)
        memcpy(slot->content, content.buf, (size_t)content.len);
    slot->length = fits ? (int32_t)content.len : ELSEWHERE;
    PyBuffer_Release(&content);
    slot->number = number;
    slot->kind = kind;
    slot->sequence = ++box->sent;
    if (atomic_exchange(&slot->sleeping, 0))
        futex(&slot->sequence, FUTEX_WAKE, INT_MAX, NULL);
    return PyBool_FromLong(fits);
}

static PyObject *fail(Outcome outcome)
{
    if (outcome == LATE)
        PyErr_SetString(PyExc_TimeoutError, "no answer in time");
    else if (outcome == JUNK)
        PyErr_SetString(PyExc_ValueError, "it wrote what it was not asked");
    else
        PyErr_SetString(PyExc_EOFError, "the other process is gone");
    return NULL;
}

static PyObject *read_slot(Mailbox *box, Py_ssize_t limit)
{
    const Slot *slot = box->incoming;
    int32_t length = slot->length; /* read once: the other side may change it meanwhile */
    unsigned int number = slot->number, kind = slot->kind;
    Outcome outcome = look_at_pipe(box);
    if (outcome == GONE || (outcome == JUNK && length != ELSEWHERE))
        return fail(outcome);
    if (length == ELSEWHERE)
        return Py_BuildValue("IIO", number, kind, Py_None);
    if (length < 0 || length > SLOT_BYTES || length > limit)
        return PyErr_Format(PyExc_ValueError, "a frame of %u bytes is longer than %zd", (unsigned)length, limit);
    PyObject *content = PyBytes_FromStringAndSize(slot->content, length);
    return content ? Py_BuildValue("IIN", number, kind, content) : NULL;
}

static PyObject *take(PyObject *self, PyObject *args)
{
    Mailbox *box = (Mailbox *)self;
    Py_ssize_t limit;
    double seconds;
    if (!PyArg_ParseTuple(args, "nd", &limit, &seconds))
        return NULL;
    int64_t deadline = now() + (int64_t)((seconds < 1e9 ? seconds : 1e9) * 1e9);
    Outcome outcome;
    do {
        Py_BEGIN_ALLOW_THREADS
        outcome = wait_for_change(box, deadline);
        Py_END_ALLOW_THREADS
        if (outcome == INTERRUPTED && PyErr_CheckSignals())
            return NULL;
    } while (outcome == INTERRUPTED);
    if (outcome == ARRIVED && box->incoming->sequence != ++box->received)
        outcome = JUNK;
    if (outcome != ARRIVED)
        return fail(outcome);
    return read_slot(box, limit);
}

static PyMethodDef mailbox_methods[] = {
    {"post", post, METH_VARARGS,
     "Put a message into the outgoing slot; return False if its content is too long and has to go elsewhere."},
    {"take", take, METH_VARARGS, "Return the next message; its content is None if it is elsewhere."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot mailbox_slots[] = {
    {Py_tp_doc, "One side of the shared memory: of who asks, or of who answers."},
    {Py_tp_init, open_mailbox},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, close_mailbox},
    {Py_tp_methods, mailbox_methods},
    {0, NULL},
};

static PyType_Spec mailbox_spec = {"ludus.agents.isolation._mailbox.Mailbox", sizeof(Mailbox), 0, Py_TPFLAGS_DEFAULT,
                                   mailbox_slots};
#endif

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_mailbox", "Shared memory between a referee and an agent's process.", -1, NULL, NULL, NULL,
    NULL, NULL,
};

PyMODINIT_FUNC PyInit__mailbox(void)
{
    PyObject *module = PyModule_Create(&definition);
#ifdef __linux__
    PyObject *type = module ? PyType_FromSpec(&mailbox_spec) : NULL;
    if (!type || PyModule_AddObject(module, "Mailbox", type) ||
        PyModule_AddIntConstant(module, "MEMORY_BYTES", sizeof(Memory)) ||
        PyModule_AddIntConstant(module, "SLOT_BYTES", SLOT_BYTES)) {
        Py_XDECREF(module);
        return NULL;
    }
#endif
    return module;
}
