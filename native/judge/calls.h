/* Calls of what is not the agent's own code: Python code counts itself, anything else is charged by sizes. */
#pragma once

#include "sizes.h"

typedef struct {
    PyObject_HEAD
    PyObject *function;
    Py_ssize_t block;
} Sized;

static PyTypeObject *sized_type;

/* C functions that take the same short time whatever they get: the addresses of their code. */
enum { QUICK_SLOTS = 1024 };
static PyCFunction quick[QUICK_SLOTS];

static PyCFunction *find_quick(PyCFunction code)
{
    size_t slot = ((uintptr_t)code >> 4) % QUICK_SLOTS;
    while (quick[slot] && quick[slot] != code)
        slot = (slot + 1) % QUICK_SLOTS;
    return &quick[slot];
}

/* The constructors of classes that are written in Python. */
static void *init_in_python, *new_in_python, *next_in_python, *no_next;
static PyTypeObject *generator_type;
static PyObject *takers; /* a tuple of functions in C that call what they are given, or NULL */

/* Whether a value is an iterator in C, which would give its items to other functions in C for nothing. */
static bool is_iterator_in_c(PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    void *next = type == generator_type || type == counted_type ? NULL : PyType_GetSlot(type, Py_tp_iternext);
    return next && next != next_in_python && PyIter_Check(value);
}

/* Whether a function is a class of iterators: it does nothing before its first item is asked for. */
static bool makes_iterators(PyObject *function)
{
    void *next = PyType_Check(function) ? PyType_GetSlot((PyTypeObject *)function, Py_tp_iternext) : NULL;
    return next && next != next_in_python && next != no_next;
}

/* Whether nothing in C works on what a class is called with. */
static bool is_made_in_python(PyTypeObject *type)
{
    void *init = PyType_GetSlot(type, Py_tp_init), *new = PyType_GetSlot(type, Py_tp_new);
    return (init == init_in_python || init == PyType_GetSlot(&PyBaseObject_Type, Py_tp_init))
           && (new == new_in_python || new == PyType_GetSlot(&PyBaseObject_Type, Py_tp_new));
}

static bool counts_itself(PyObject *function)
{
    PyTypeObject *type = Py_TYPE(function);
    if (type == function_type || type == method_type || type == sized_type)
        return true;
    if (PyType_Check(function))
        return is_made_in_python((PyTypeObject *)function);
    return PyCFunction_CheckExact(function) && *find_quick(PyCFunction_GetFunction(function));
}

static PyObject *wrap(PyObject *function)
{
    if (counts_itself(function)) {
        Py_INCREF(function);
        return function;
    }
    Sized *sized = PyObject_GC_New(Sized, sized_type);
    if (!sized)
        return NULL;
    Py_INCREF(function);
    sized->function = function;
    sized->block = block_now;
    PyObject_GC_Track((PyObject *)sized);
    return (PyObject *)sized;
}

static PyObject *checked(PyObject *module, PyObject *function)
{
    (void)module;
    return wrap(function);
}

/* by_size(function): a function that is charged by sizes although it is written in Python. */
static PyObject *by_size_of(PyObject *module, PyObject *function)
{
    (void)module;
    Sized *made = PyObject_GC_New(Sized, sized_type);
    if (!made)
        return NULL;
    Py_INCREF(function);
    made->function = function;
    made->block = 0;
    PyObject_GC_Track((PyObject *)made);
    return (PyObject *)made;
}

/* checked, in the block of a number. */
static PyObject *checked_in(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    (void)module;
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "checked_in takes a function and a block");
        return NULL;
    }
    long long value = PyLong_AsLongLong(args[1]);
    if (value < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "a block is not below 0");
    block_now = (Py_ssize_t)(value >> COST_BITS);
    return wrap(args[0]);
}

static void add_sizes(PyObject *args, PyObject *kwargs, int64_t *cost, bool *arrays)
{
    for (Py_ssize_t k = 0; k < PyTuple_Size(args); k++) {
        PyObject *value = PyTuple_GetItem(args, k);
        *cost += cost_of(value);
        *arrays = *arrays || is_array(value);
    }
    PyObject *name, *value;
    for (Py_ssize_t k = 0; kwargs && PyDict_Next(kwargs, &k, &name, &value);) {
        *cost += cost_of(value);
        *arrays = *arrays || is_array(value);
    }
}

/* What is called for every item is charged for every item. */
static bool wrap_key(PyObject *kwargs)
{
    PyObject *key = kwargs ? PyDict_GetItemString(kwargs, "key") : NULL;
    if (!key || key == Py_None)
        return true;
    PyObject *wrapped = wrap(key);
    bool done = wrapped && PyDict_SetItemString(kwargs, "key", wrapped) == 0;
    Py_XDECREF(wrapped);
    return done;
}

static bool is_taker(PyObject *function)
{
    for (Py_ssize_t k = 0; takers && k < PyTuple_Size(takers); k++)
        if (PyTuple_GetItem(takers, k) == function)
            return true;
    return false;
}

/* The arguments of a function that calls some of them: those that are callable are charged when they are. */
static PyObject *wrap_arguments(PyObject *args)
{
    PyObject *wrapped = PyTuple_New(PyTuple_Size(args));
    for (Py_ssize_t k = 0; wrapped && k < PyTuple_Size(args); k++) {
        PyObject *value = PyTuple_GetItem(args, k);
        PyObject *item = PyCallable_Check(value) ? wrap(value) : (Py_INCREF(value), value);
        if (!item || PyTuple_SetItem(wrapped, k, item) < 0)
            Py_CLEAR(wrapped);
    }
    return wrapped;
}

static bool charge_result(PyObject *function, PyObject *args, PyObject *result, bool arrays);

/* Calls a function; the sizes of what goes in and what comes out are charged. */
static PyObject *call_sized(PyObject *function, PyObject *args, PyObject *kwargs)
{
    int64_t cost = 0;
    PyObject *self = PyCFunction_Check(function) ? PyCFunction_GetSelf(function) : NULL;
    bool arrays = self && is_array(self);
    if (self)
        cost += cost_of(self);
    if (!makes_iterators(function))
        add_sizes(args, kwargs, &cost, &arrays);
    PyErr_Clear();
    if (!charge_size(cost) || !wrap_key(kwargs))
        return NULL;
    PyObject *wrapped = is_taker(function) ? wrap_arguments(args) : (Py_INCREF(args), args);
    PyObject *result = wrapped ? PyObject_Call(function, wrapped, kwargs) : NULL;
    Py_XDECREF(wrapped);
    if (result && !charge_result(function, args, result, arrays))
        Py_CLEAR(result);
    if (!result || !is_iterator_in_c(result))
        return result;
    PyObject *counted = count_items(result, ITEM_COST);
    Py_DECREF(result);
    return counted;
}

/* array(value): an array that an operator or an index has made is charged; any other value is not. */
static PyObject *array(PyObject *module, PyObject *value)
{
    (void)module;
    if (is_array(value) && !charge_size(ARRAY_COST + cost_of(value)))
        return NULL;
    Py_INCREF(value);
    return value;
}

/* sized(iterable): what is unpacked at once is charged by its size, or item by item. */
static PyObject *sized(PyObject *module, PyObject *value)
{
    (void)module;
    if (is_iterator_in_c(value))
        return count_items(value, ITEM_COST);
    if (!charge_size(cost_of(value)))
        return NULL;
    Py_INCREF(value);
    return value;
}

static PyObject *sized_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Sized *sized = (Sized *)self;
    if (sized->block)
        block_now = sized->block;
    return call_sized(sized->function, args, kwargs);
}

static int sized_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Sized *)self)->function);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void sized_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((Sized *)self)->function);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyObject *sized_getattro(PyObject *self, PyObject *name)
{
    return PyObject_GetAttr(((Sized *)self)->function, name);
}

static PyType_Slot sized_slots[] = {
    {Py_tp_dealloc, sized_free},
    {Py_tp_traverse, sized_traverse},
    {Py_tp_call, sized_call},
    {Py_tp_getattro, sized_getattro},
    {0, NULL},
};
static PyType_Spec sized_spec = {
    "ludus.agents.judge.Sized", sizeof(Sized), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, sized_slots};

/* call(function, *args, **kwargs): what checked(function)(*args, **kwargs) does, in one step. */
static PyObject *call(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    PyObject *function = PyTuple_Size(args) > 0 ? PyTuple_GetItem(args, 0) : NULL;
    if (!function) {
        PyErr_SetString(PyExc_TypeError, "call takes a function");
        return NULL;
    }
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    if (!rest)
        return NULL;
    PyObject *result =
        counts_itself(function) ? PyObject_Call(function, rest, kwargs) : call_sized(function, rest, kwargs);
    Py_DECREF(rest);
    return result;
}
