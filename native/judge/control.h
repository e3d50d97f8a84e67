/* What reads and resets the counter, and tells it what it cannot know in C. */
#pragma once

#include "operators.h"

static PyObject *control_reset(PyObject *self, PyObject *budget)
{
    (void)self;
    long long value = budget == Py_None ? INT64_MAX / 2 - 1 : PyLong_AsLongLong(budget);
    if (value < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a budget is not below 0");
        return NULL;
    }
    units = 0;
    limit = value;
    closed = false;
    Py_RETURN_NONE;
}

static PyObject *control_close(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    closed = true;
    Py_RETURN_NONE;
}

static PyObject *control_read(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return PyLong_FromLongLong(units);
}

static PyObject *control_profile(PyObject *self, PyObject *length)
{
    (void)self;
    Py_ssize_t n = PyLong_AsSsize_t(length);
    if (n < 0 || n > (1 << 24)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "too many blocks");
        return NULL;
    }
    PyMem_Free(hits);
    PyMem_Free(by_size);
    blocks = block_now = 0;
    hits = n ? PyMem_Calloc((size_t)n, sizeof *hits) : NULL;
    by_size = n ? PyMem_Calloc((size_t)n, sizeof *by_size) : NULL;
    if (n && (!hits || !by_size))
        return PyErr_NoMemory();
    blocks = n;
    Py_RETURN_NONE;
}

/* (block, how often it was entered, what was charged in it by size) for every block that cost anything. */
static PyObject *control_hits(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyObject *list = PyList_New(0);
    for (Py_ssize_t k = 0; list && k < blocks; k++) {
        if (!hits[k] && !by_size[k])
            continue;
        PyObject *row = Py_BuildValue("nKL", k, (unsigned long long)hits[k], (long long)by_size[k]);
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *control_set_array_type(PyObject *self, PyObject *type)
{
    (void)self;
    if (!PyType_Check(type)) {
        PyErr_SetString(PyExc_TypeError, "the type of arrays is a type");
        return NULL;
    }
    Py_INCREF(type);
    Py_XDECREF(array_type);
    array_type = type;
    Py_RETURN_NONE;
}

static PyObject *control_set_sized_types(PyObject *self, PyObject *types)
{
    (void)self;
    if (!PyTuple_Check(types)) {
        PyErr_SetString(PyExc_TypeError, "the types are a tuple");
        return NULL;
    }
    Py_INCREF(types);
    Py_XDECREF(sized_types);
    sized_types = types;
    Py_RETURN_NONE;
}

static PyObject *control_add_quick(PyObject *self, PyObject *function)
{
    (void)self;
    if (!PyCFunction_Check(function)) {
        PyErr_Format(PyExc_TypeError, "%R is no function in C", function);
        return NULL;
    }
    *find_quick(PyCFunction_GetFunction(function)) = PyCFunction_GetFunction(function);
    Py_RETURN_NONE;
}

static PyObject *control_set_products(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    (void)self;
    if (n != 2 || !PyTuple_Check(args[0]) || !PyCFunction_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "it takes a tuple of functions and a method in C");
        return NULL;
    }
    Py_INCREF(args[0]);
    Py_XDECREF(products);
    products = args[0];
    product_method = PyCFunction_GetFunction(args[1]);
    Py_RETURN_NONE;
}

static PyObject *control_set_takers(PyObject *self, PyObject *functions)
{
    (void)self;
    if (!PyTuple_Check(functions)) {
        PyErr_SetString(PyExc_TypeError, "the functions are a tuple");
        return NULL;
    }
    Py_INCREF(functions);
    Py_XDECREF(takers);
    takers = functions;
    Py_RETURN_NONE;
}

static PyObject *control_learn_classes(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    (void)self;
    if (n != 2 || !PyType_Check(args[0]) || !PyType_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "it takes two classes");
        return NULL;
    }
    init_in_python = PyType_GetSlot((PyTypeObject *)args[0], Py_tp_init);
    new_in_python = PyType_GetSlot((PyTypeObject *)args[0], Py_tp_new);
    next_in_python = PyType_GetSlot((PyTypeObject *)args[0], Py_tp_iternext);
    no_next = PyType_GetSlot((PyTypeObject *)args[1], Py_tp_iternext);
    Py_RETURN_NONE;
}

static PyMethodDef control_methods[] = {
    {"reset", control_reset, METH_O, "Begin to count anew, up to a budget, or without one if it is None."},
    {"read", control_read, METH_NOARGS, "Return what was used since the last reset."},
    {"profile", control_profile, METH_O, "Count how often each of so many blocks is entered; 0 to stop."},
    {"hits", control_hits, METH_NOARGS, "Return each block's number, entries, and what it used by size."},
    {"close", control_close, METH_NOARGS, "Let nothing of the agent's run until the next reset."},
    {"set_sized_types", control_set_sized_types, METH_O, "Charge values of these types by their length."},
    {"set_products", (PyCFunction)(void (*)(void))control_set_products, METH_FASTCALL,
     "Charge these functions and this method of arrays as products of matrices."},
    {"set_takers", control_set_takers, METH_O, "Charge for every call that these functions in C make."},
    {"learn_classes", (PyCFunction)(void (*)(void))control_learn_classes, METH_FASTCALL,
     "Learn how classes work: one whose __new__, __init__ and __next__ are in Python, and a list's."},
    {"add_quick", control_add_quick, METH_O, "Call a function in C without a charge for sizes."},
    {"set_array_type", control_set_array_type, METH_O, "Charge values of this type by their ``size``."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot control_slots[] = {{Py_tp_methods, control_methods}, {0, NULL}};
static PyType_Spec control_spec = {"ludus.agents.judge.Control", sizeof(PyObject), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, control_slots};
static PyTypeObject *control_type;
