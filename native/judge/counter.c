/* The counter of an agent's work, in the process that plays the agent.

   Instrumented code calls `tick` at the start of every block, takes the items of its loops from `count`, and passes
   calls whose cost depends on sizes through `call`, `operate`, `contains` and `slice`. All of them add to one number.
   Once it has passed its limit, every one of them raises, so that no handler in the agent can go on for long.

   Only the object that `take_control` returns can read or reset the number, and it is returned once in a process. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

static int64_t units;                /* what was used since the last reset */
static int64_t limit = INT64_MAX;    /* above this every call raises */
static uint64_t *hits;               /* how often each block was entered, while a profile is taken */
static Py_ssize_t blocks;            /* the length of `hits` */
static bool controlled;              /* whether the control was taken */
static PyObject *over_budget;        /* the exception */
static PyObject *array_type;         /* numpy.ndarray, or NULL */

/* What sizes cost; docs/fair-play.md has the table, a test compares the two. */
enum { ITEM_COST = 3, ARRAY_COST = 150, ITEMS_FOR_A_UNIT = 8, LETTERS_OF_AN_ITEM = 8, DIGIT_BITS = 30 };

static bool charge(int64_t cost)
{
    if (cost > INT64_MAX / 4)
        cost = INT64_MAX / 4;
    if (units < INT64_MAX / 2)
        units += cost;
    if (units <= limit)
        return true;
    PyErr_SetString(over_budget, "the budget is used up");
    return false;
}

/* Ticks. The number holds the cost in its low bits and the block, if a profile is taken, in its high bits. */

enum { COST_BITS = 24 };

static PyObject *tick(PyObject *module, PyObject *cost)
{
    (void)module;
    long long value = PyLong_AsLongLong(cost);
    if (value < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a cost is not below 0");
        return NULL;
    }
    Py_ssize_t block = (Py_ssize_t)(value >> COST_BITS);
    if (block && block < blocks)
        hits[block]++;
    if (!charge(value & ((1 << COST_BITS) - 1)))
        return NULL;
    Py_RETURN_NONE;
}

/* Iterators that charge for every item. */

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
    Py_ssize_t block = (Py_ssize_t)(counted->value >> COST_BITS);
    if (block && block < blocks)
        hits[block]++;
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
    if (!inner)
        return NULL;
    Counted *counted = PyObject_GC_New(Counted, counted_type);
    if (!counted) {
        Py_DECREF(inner);
        return NULL;
    }
    counted->inner = inner;
    counted->next = (iternextfunc)PyType_GetSlot(Py_TYPE(inner), Py_tp_iternext);
    counted->value = value;
    PyObject_GC_Track((PyObject *)counted);
    return (PyObject *)counted;
}

/* Sizes. Only the sizes of built-in types and arrays count: an agent's own class cannot lie about them. */

static int64_t array_size(PyObject *array)
{
    PyObject *size = PyObject_GetAttrString(array, "size");
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
    return 0;
}

static int64_t cost_of(PyObject *value)
{
    if (is_array(value))
        return array_size(value) / ITEMS_FOR_A_UNIT;
    return ITEM_COST * items_of(value);
}

/* call(function, *args, **kwargs): the sizes of what goes in and what comes out are charged. */
static PyObject *call(PyObject *module, PyObject *args, PyObject *kwargs)
{
    (void)module;
    Py_ssize_t n = PyTuple_Size(args);
    PyObject *function = n > 0 ? PyTuple_GetItem(args, 0) : NULL;
    if (!function) {
        PyErr_SetString(PyExc_TypeError, "call takes a function");
        return NULL;
    }
    int64_t cost = 0;
    bool arrays = false;
    PyObject *self = PyCFunction_Check(function) ? PyCFunction_GetSelf(function) : NULL;
    if (self) {
        cost += cost_of(self);
        arrays = is_array(self);
    }
    for (Py_ssize_t k = 1; k < n; k++) {
        cost += cost_of(PyTuple_GetItem(args, k));
        arrays = arrays || is_array(PyTuple_GetItem(args, k));
    }
    PyErr_Clear();
    if (!charge(cost))
        return NULL;
    PyObject *rest = PyTuple_GetSlice(args, 1, n);
    if (!rest)
        return NULL;
    PyObject *result = PyObject_Call(function, rest, kwargs);
    Py_DECREF(rest);
    if (result && !charge(cost_of(result) + (arrays || is_array(result) ? ARRAY_COST : 0))) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
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
    if (growth > 0 && !charge(growth))
        return NULL;
    PyObject *result = OPERATIONS[operation](args[1], args[2]);
    if (!result)
        return NULL;
    int64_t cost = operation == MATRIX_MULTIPLY ? product_cost(a, result)
                   : is_array(result)           ? ARRAY_COST + cost_of(result)
                   : PyLong_Check(result)       ? digits_of(result) - 1
                   : growth                     ? 0
                                                : ITEM_COST * items_of(result);
    if (cost > 0 && !charge(cost)) {
        Py_DECREF(result);
        return NULL;
    }
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
    if (!hashed && !charge(cost_of(container)))
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
    if (result && !is_array(result) && !charge(ITEM_COST * items_of(result))) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

/* The control. */

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
    Py_RETURN_NONE;
}

static PyObject *control_read(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return PyLong_FromLongLong(units);
}

static PyObject *control_charge(PyObject *self, PyObject *cost)
{
    (void)self;
    return tick(NULL, cost);
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
    blocks = 0;
    hits = n ? PyMem_Calloc((size_t)n, sizeof *hits) : NULL;
    if (n && !hits)
        return PyErr_NoMemory();
    blocks = n;
    Py_RETURN_NONE;
}

static PyObject *control_hits(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyObject *list = PyList_New(blocks);
    for (Py_ssize_t k = 0; list && k < blocks; k++) {
        PyObject *value = PyLong_FromUnsignedLongLong(hits[k]);
        if (!value || PyList_SetItem(list, k, value) < 0)
            Py_CLEAR(list);
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

static PyMethodDef control_methods[] = {
    {"reset", control_reset, METH_O, "Begin to count anew, up to a budget, or without one if it is None."},
    {"read", control_read, METH_NOARGS, "Return what was used since the last reset."},
    {"charge", control_charge, METH_O, "Add to what was used."},
    {"profile", control_profile, METH_O, "Count how often each of so many blocks is entered; 0 to stop."},
    {"hits", control_hits, METH_NOARGS, "Return how often each block was entered."},
    {"set_array_type", control_set_array_type, METH_O, "Charge values of this type by their ``size``."},
    {NULL, NULL, 0, NULL},
};
static PyType_Slot control_slots[] = {{Py_tp_methods, control_methods}, {0, NULL}};
static PyType_Spec control_spec = {"ludus.agents.judge.Control", sizeof(PyObject), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, control_slots};
static PyTypeObject *control_type;

static PyObject *take_control(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    if (controlled) {
        PyErr_SetString(PyExc_RuntimeError, "the counter of this process is controlled already");
        return NULL;
    }
    controlled = true;
    return PyObject_New(PyObject, control_type);
}

static PyMethodDef methods[] = {
    {"tick", tick, METH_O, "Charge the cost of a block."},
    {"count", (PyCFunction)(void (*)(void))count, METH_FASTCALL, "Return an iterator that charges for every item."},
    {"call", (PyCFunction)(void (*)(void))call, METH_VARARGS | METH_KEYWORDS, "Call a function and charge by sizes."},
    {"operate", (PyCFunction)(void (*)(void))operate, METH_FASTCALL, "Apply an operator and charge by sizes."},
    {"contains", (PyCFunction)(void (*)(void))contains, METH_FASTCALL, "Search a container and charge by its size."},
    {"slice", (PyCFunction)(void (*)(void))slice, METH_FASTCALL, "Slice an object and charge for the copy."},
    {"take_control", take_control, METH_NOARGS, "Return what reads and resets the counter; once in a process."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_counter", "The counter of an agent's work.", -1,
                                        methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__counter(void)
{
    PyObject *module = PyModule_Create(&definition);
    counted_type = (PyTypeObject *)PyType_FromSpec(&counted_spec);
    control_type = (PyTypeObject *)PyType_FromSpec(&control_spec);
    over_budget = PyErr_NewExceptionWithDoc("ludus.agents.judge.OverBudget",
                                            "The agent has used up its budget; no handler of Exception catches it.",
                                            PyExc_BaseException, NULL);
    if (!module || !counted_type || !control_type || !over_budget)
        return NULL;
    Py_INCREF(over_budget);
    if (PyModule_AddObject(module, "OverBudget", over_budget) < 0)
        return NULL;
    return module;
}
