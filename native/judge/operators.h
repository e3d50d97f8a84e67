/* Operators, searches and slices, charged by what they take and make. */
#pragma once

#include "calls.h"

static PyObject *product_number;    /* the number of the operator that multiplies */
static PyObject *products;          /* functions that multiply matrices, or NULL */
static PyCFunction product_method;  /* the method of arrays that does */

typedef PyObject *(*Operation)(PyObject *, PyObject *);

static PyObject *power(PyObject *a, PyObject *b) { return PyNumber_Power(a, b, Py_None); }

/* In the order of OPERATORS in instrument.py. */
static const Operation OPERATIONS[] = {
    PyNumber_Add, PyNumber_Subtract, PyNumber_Multiply, PyNumber_TrueDivide, PyNumber_FloorDivide,
    PyNumber_Remainder, power, PyNumber_Lshift, PyNumber_Rshift, PyNumber_Or, PyNumber_Xor, PyNumber_And,
    PyNumber_MatrixMultiply, PyNumber_InPlaceAdd, PyNumber_InPlaceSubtract, PyNumber_InPlaceMultiply,
    PyNumber_InPlaceTrueDivide, PyNumber_InPlaceFloorDivide, PyNumber_InPlaceRemainder,
};
enum { MULTIPLY = 2, POWER = 6, LEFT_SHIFT = 7, MATRIX_MULTIPLY = 12 };

/* What a product of matrices costs: rows times columns times what is between them. */
static int64_t product_cost(PyObject *a, PyObject *result)
{
    PyObject *shape = is_array(a) ? PyObject_GetAttrString(a, "shape") : NULL;
    Py_ssize_t n = shape && PyTuple_Check(shape) ? PyTuple_Size(shape) : 0;
    long long between = n ? PyLong_AsLongLong(PyTuple_GetItem(shape, n - 1)) : 1;
    Py_XDECREF(shape);
    PyErr_Clear();
    int64_t size = is_array(result) ? array_size(result) : 1;
    return ARRAY_COST + size * (between > 0 ? between : 1) / ITEMS_FOR_A_UNIT;
}

static bool is_small_enough(PyObject *result)
{
    if (!PyLong_Check(result) || digits_of(result) <= MOST_DIGITS)
        return true;
    PyErr_Format(PyExc_OverflowError, "a number of more than %d bits is not for judged agents",
                 MOST_DIGITS * DIGIT_BITS);
    return false;
}

static bool is_product(PyObject *function)
{
    if (PyCFunction_CheckExact(function))
        return product_method && PyCFunction_GetFunction(function) == product_method;
    for (Py_ssize_t k = 0; products && k < PyTuple_Size(products); k++)
        if (PyTuple_GetItem(products, k) == function)
            return true;
    return false;
}

static bool charge_result(PyObject *function, PyObject *args, PyObject *result, bool arrays)
{
    arrays = arrays || is_array(result);
    int64_t cost = cost_of(result) + (arrays ? ARRAY_COST : 0);
    if (arrays && is_product(function)) {
        PyObject *self = PyCFunction_Check(function) ? PyCFunction_GetSelf(function) : NULL;
        PyObject *first = self && is_array(self) ? self : PyTuple_Size(args) ? PyTuple_GetItem(args, 0) : NULL;
        cost = first ? product_cost(first, result) : cost;
    }
    return is_small_enough(result) && charge_size(cost);
}

/* What an operation is about to need, for those whose result may be far larger than what goes in. */
static int64_t growth_cost(long operation, PyObject *a, PyObject *b)
{
    if (!PyLong_Check(b) || (operation != POWER && operation != LEFT_SHIFT && operation != MULTIPLY))
        return 0;
    int overflow;
    long long times = PyLong_AsLongLongAndOverflow(b, &overflow);
    if (overflow || times < 0)
        times = overflow > 0 ? INT64_MAX / 8 : 0;
    if (operation == MULTIPLY) {
        bool letters = PyUnicode_Check(a) || PyBytes_Check(a);
        int64_t items = letters ? PyObject_Size(a) : items_of(a);
        int64_t all = times && items > INT64_MAX / 8 / times ? INT64_MAX / 8 : items * times;
        return letters ? all / LETTERS_OF_AN_ITEM : all;
    }
    if (!PyLong_Check(a))
        return 0;
    int64_t digits = digits_of(a);
    if (operation == LEFT_SHIFT)
        return digits + times / DIGIT_BITS;
    if (times > 1000000 / digits)
        return INT64_MAX / 8;
    return digits == 1 && times < 64 ? 0 : digits * times * digits * times / 16;
}

/* multiply(a, b): what operate does for the commonest of operators. */
static PyObject *operate(PyObject *module, PyObject *const *args, Py_ssize_t n);

static PyObject *multiply(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    if (n == 2 && (Py_IS_TYPE(args[0], &PyFloat_Type) || Py_IS_TYPE(args[0], &PyLong_Type))
        && (Py_IS_TYPE(args[1], &PyFloat_Type) || Py_IS_TYPE(args[1], &PyLong_Type))) {
        PyObject *result = PyNumber_Multiply(args[0], args[1]);
        if (!result || Py_IS_TYPE(result, &PyFloat_Type))
            return result;
        int64_t digits = digits_of(result);
        if (digits > 1 && (!is_small_enough(result) || !charge_size(digits * digits / 8)))
            Py_CLEAR(result);
        return result;
    }
    PyObject *all[3] = {product_number, n == 2 ? args[0] : NULL, n == 2 ? args[1] : NULL};
    return operate(module, all, n == 2 ? 3 : 0);
}

static PyObject *operate(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    (void)module;
    long operation = n == 3 ? PyLong_AsLong(args[0]) : -1;
    if (operation < 0 || operation >= (long)(sizeof OPERATIONS / sizeof *OPERATIONS)) {
        PyErr_SetString(PyExc_TypeError, "operate takes an operation and two values");
        return NULL;
    }
    PyObject *a = args[1], *b = args[2];
    if (operation == MULTIPLY && PyLong_Check(a) && !PyLong_Check(b)) {
        a = args[2]; /* a list or a text times a number: either order */
        b = args[1];
    }
    if (Py_IS_TYPE(a, &PyFloat_Type) && (Py_IS_TYPE(b, &PyFloat_Type) || Py_IS_TYPE(b, &PyLong_Type)))
        return OPERATIONS[operation](args[1], args[2]);
    int64_t growth = growth_cost(operation, a, b);
    if (growth > 0 && !charge_size(growth))
        return NULL;
    PyObject *result = OPERATIONS[operation](args[1], args[2]);
    if (!result)
        return NULL;
    int64_t cost = operation == MATRIX_MULTIPLY ? product_cost(a, result)
                   : is_array(result)           ? ARRAY_COST + cost_of(result)
                   : PyLong_Check(result)       ? digits_of(result) - 1
                   : growth                     ? 0
                                                : ITEM_COST * items_of(result);
    if (!is_small_enough(result) || (cost > 0 && !charge_size(cost)))
        Py_CLEAR(result);
    return result;
}

/* contains(item, container): a list is searched item by item, a set is not. */
static PyObject *contains(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    (void)module;
    if (n != 2) {
        PyErr_SetString(PyExc_TypeError, "contains takes an item and a container");
        return NULL;
    }
    PyObject *container = args[1];
    bool hashed = PyAnySet_Check(container) || PyDict_Check(container) || Py_IS_TYPE(container, &PyRange_Type);
    if (!hashed && !charge_size(cost_of(container)))
        return NULL;
    int answer = PySequence_Contains(container, args[0]);
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

/* slice(object, lower, upper, step): what is copied is charged; a view of an array is not a copy. */
static PyObject *slice(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
    (void)module;
    if (n != 4) {
        PyErr_SetString(PyExc_TypeError, "slice takes an object and three bounds");
        return NULL;
    }
    PyObject *bounds = PySlice_New(args[1], args[2], args[3]);
    if (!bounds)
        return NULL;
    PyObject *result = PyObject_GetItem(args[0], bounds);
    Py_DECREF(bounds);
    if (result && !is_array(result) && !charge_size(ITEM_COST * items_of(result)))
        Py_CLEAR(result);
    return result;
}
