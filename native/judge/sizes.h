/* Iterators that charge for every item, and sizes of values.

   Only the sizes of built-in types and arrays count: an agent's own class cannot lie about them. */
#pragma once

#include "charging.h"

typedef struct {
    PyObject_HEAD
    PyObject *inner;
    iternextfunc next;
    long long value;
} Counted;

static PyObject *counted_next(PyObject *self)
{
    Counted *counted = (Counted *)self;
    PyObject *item = counted->next(counted->inner);
    if (!item)
        return NULL;
    enter(counted->value);
    if (charge(counted->value & ((1 << COST_BITS) - 1)))
        return item;
    Py_DECREF(item);
    return NULL;
}

static int counted_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((Counted *)self)->inner);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void counted_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(((Counted *)self)->inner);
    PyObject_GC_Del(self);
    Py_DECREF(type);
}

static PyType_Slot counted_slots[] = {
    {Py_tp_dealloc, counted_free},
    {Py_tp_traverse, counted_traverse},
    {Py_tp_iter, PyObject_SelfIter},
    {Py_tp_iternext, counted_next},
    {0, NULL},
};
static PyType_Spec counted_spec = {
    "ludus.agents.judge.Counted", sizeof(Counted), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, counted_slots};
static PyTypeObject *counted_type;

/* An iterator that charges for every item of another; of one that charges already, it takes the charge over. */
static PyObject *count_items(PyObject *inner, long long value)
{
    if (Py_IS_TYPE(inner, counted_type)) {
        value += ((Counted *)inner)->value & ((1 << COST_BITS) - 1);
        inner = ((Counted *)inner)->inner;
    }
    Counted *counted = PyObject_GC_New(Counted, counted_type);
    if (!counted)
        return NULL;
    Py_INCREF(inner);
    counted->inner = inner;
    counted->next = (iternextfunc)PyType_GetSlot(Py_TYPE(inner), Py_tp_iternext);
    counted->value = value;
    PyObject_GC_Track((PyObject *)counted);
    return (PyObject *)counted;
}

static PyObject *count(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    (void)module;
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "count takes an iterable and a cost");
        return NULL;
    }
    long long value = PyLong_AsLongLong(args[1]);
    if (value < 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "a cost is not below 0");
    PyObject *inner = PyObject_GetIter(args[0]);
    PyObject *counted = inner ? count_items(inner, value) : NULL;
    Py_XDECREF(inner);
    return counted;
}

static int64_t array_size(PyObject *array)
{
    PyObject *size = PyObject_GetAttr(array, size_name);
    long long value = size ? PyLong_AsLongLong(size) : 0;
    Py_XDECREF(size);
    if (value < 0)
        value = 0;
    PyErr_Clear();
    return value;
}

static bool is_array(PyObject *value)
{
    return array_type && PyObject_TypeCheck(value, (PyTypeObject *)array_type);
}

static int64_t items_of(PyObject *value)
{
    if (PyList_Check(value))
        return PyList_Size(value);
    if (PyTuple_Check(value))
        return PyTuple_Size(value);
    if (PyDict_Check(value))
        return PyDict_Size(value);
    if (PyAnySet_Check(value))
        return PySet_Size(value);
    if (PyUnicode_Check(value))
        return PyUnicode_GetLength(value) / LETTERS_OF_AN_ITEM;
    if (PyBytes_Check(value))
        return PyBytes_Size(value) / LETTERS_OF_AN_ITEM;
    if (PyByteArray_Check(value))
        return PyByteArray_Size(value) / LETTERS_OF_AN_ITEM;
    if (Py_IS_TYPE(value, &PyRange_Type)) {
        Py_ssize_t size = PyObject_Size(value);
        if (size < 0)
            PyErr_Clear();
        return size < 0 ? INT64_MAX / 8 : size;
    }
    for (Py_ssize_t k = 0; sized_types && k < PyTuple_Size(sized_types); k++)
        if (PyObject_TypeCheck(value, (PyTypeObject *)PyTuple_GetItem(sized_types, k)))
            return PyObject_Size(value);
    return 0;
}

static int64_t digits_of(PyObject *number)
{
    if (!PyLong_Check(number))
        return 0;
    int overflow;
    (void)PyLong_AsLongLongAndOverflow(number, &overflow);
    if (!overflow)
        return 1;
    PyObject *bits = PyObject_CallMethod(number, "bit_length", NULL);
    long long value = bits ? PyLong_AsLongLong(bits) : 0;
    Py_XDECREF(bits);
    PyErr_Clear();
    return value / DIGIT_BITS + 1;
}

static int64_t cost_of(PyObject *value)
{
    if (is_array(value))
        return array_size(value) / ITEMS_FOR_A_UNIT;
    if (PyLong_Check(value))
        return digits_of(value) - 1;
    int64_t items = items_of(value);
    PyErr_Clear();
    return ITEM_COST * items;
}
