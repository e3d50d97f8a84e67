/* The counter of an agent's work, in the process that plays the agent.

   Instrumented code calls `tick` at the start of every block, takes the items of its loops from `count`, and passes
   calls whose cost depends on sizes through `call`, `operate`, `contains` and `slice`. What it calls without being
   known goes through `checked`: Python code counts itself, and anything else is charged by sizes. All of them add to
   one number. Once it has passed its limit, every one of them raises, so that no handler in the agent can go on for
   long. Between two calls of the agent the counter is closed: then nothing of the agent's can run at all.

   Only the object that `take_control` returns can read or reset the number, and it is returned once in a process. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>

static int64_t units;                /* what was used since the last reset */
static int64_t limit = INT64_MAX;    /* above this every call raises */
static bool closed;                  /* whether nothing of the agent's may run now */
static uint64_t *hits;               /* how often each block was entered, while a profile is taken */
static int64_t *by_size;             /* what was charged in each block by size, while a profile is taken */
static Py_ssize_t blocks;            /* the length of `hits` */
static Py_ssize_t block_now;         /* the block that was entered last */
static bool controlled;              /* whether the control was taken */
static PyObject *over_budget;        /* the exception */
static PyObject *array_type;         /* numpy.ndarray, or NULL */
static PyObject *sized_types;        /* a tuple of further types whose lengths count, or NULL */
static PyTypeObject *function_type;  /* functions and bound methods in Python, which count themselves */
static PyTypeObject *method_type;
static PyObject *size_name;          /* "size" */

/* What sizes cost; docs/what-your-agent-may-do.md has the table, a test compares the two. */
enum { ITEM_COST = 3, ARRAY_COST = 150, ITEMS_FOR_A_UNIT = 8, LETTERS_OF_AN_ITEM = 8, DIGIT_BITS = 30 };
enum { MOST_DIGITS = 512 }; /* of a number that a function returns or an operator makes */

static bool charge(int64_t cost)
{
    if (closed) {
        PyErr_SetString(over_budget, "no decision is asked for");
        return false;
    }
    if (cost > INT64_MAX / 4)
        cost = INT64_MAX / 4;
    if (units < INT64_MAX / 2)
        units += cost;
    if (units <= limit)
        return true;
    PyErr_SetString(over_budget, "the budget is used up");
    return false;
}

/* Charges what depends on sizes; a profile says in which block it was. */
static bool charge_size(int64_t cost)
{
    if (block_now && block_now < blocks)
        by_size[block_now] += cost;
    return charge(cost);
}

/* Charges what an agent does in an engine. The referee's own use of it, between two calls, is free. */
static int charge_engine(int64_t cost) { return closed || charge_size(cost) ? 0 : -1; }

/* A number holds a cost in its low bits and the block, if a profile is taken, in its high bits. */
enum { COST_BITS = 24 };

static void enter(long long value)
{
    Py_ssize_t block = (Py_ssize_t)(value >> COST_BITS);
    if (block && block < blocks) {
        hits[block]++;
        block_now = block;
    }
}

/* Ticks. */

static PyObject *tick(PyObject *module, PyObject *cost)
{
    (void)module;
    long long value = PyLong_AsLongLong(cost);
    if (value < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a cost is not below 0");
        return NULL;
    }
    enter(value);
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

/* Sizes. Only the sizes of built-in types and arrays count: an agent's own class cannot lie about them. */

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

/* Calls of what is not the agent's own code. */

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
    {"charge", control_charge, METH_O, "Add to what was used."},
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
    {"checked", checked, METH_O, "Return a function that counts itself or is charged by sizes."},
    {"checked_in", (PyCFunction)(void (*)(void))checked_in, METH_FASTCALL, "Do what checked does, in a block."},
    {"multiply", (PyCFunction)(void (*)(void))multiply, METH_FASTCALL, "Multiply and charge by sizes."},
    {"by_size", by_size_of, METH_O, "Return a function that is charged by sizes, whatever it is."},
    {"sized", sized, METH_O, "Charge for what is unpacked at once, and return it."},
    {"operate", (PyCFunction)(void (*)(void))operate, METH_FASTCALL, "Apply an operator and charge by sizes."},
    {"contains", (PyCFunction)(void (*)(void))contains, METH_FASTCALL, "Search a container and charge by its size."},
    {"slice", (PyCFunction)(void (*)(void))slice, METH_FASTCALL, "Slice an object and charge for the copy."},
    {"take_control", take_control, METH_NOARGS, "Return what reads and resets the counter; once in a process."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_counter", "The counter of an agent's work.", -1,
                                        methods, NULL, NULL, NULL, NULL};

static bool find_python_types(void)
{
    PyObject *types = PyImport_ImportModule("types");
    function_type = types ? (PyTypeObject *)PyObject_GetAttrString(types, "FunctionType") : NULL;
    method_type = types ? (PyTypeObject *)PyObject_GetAttrString(types, "MethodType") : NULL;
    generator_type = types ? (PyTypeObject *)PyObject_GetAttrString(types, "GeneratorType") : NULL;
    Py_XDECREF(types);
    return function_type && method_type && generator_type;
}

static bool add_to(PyObject *module, const char *name, PyObject *value)
{
    Py_XINCREF(value);
    if (value && PyModule_AddObject(module, name, value) == 0)
        return true;
    Py_XDECREF(value);
    return false;
}

PyMODINIT_FUNC PyInit__counter(void)
{
    PyObject *module = PyModule_Create(&definition);
    counted_type = (PyTypeObject *)PyType_FromSpec(&counted_spec);
    sized_type = (PyTypeObject *)PyType_FromSpec(&sized_spec);
    control_type = (PyTypeObject *)PyType_FromSpec(&control_spec);
    over_budget = PyErr_NewExceptionWithDoc("ludus.agents.judge.OverBudget",
                                            "The agent has used up its budget; no handler of Exception catches it.",
                                            PyExc_BaseException, NULL);
    product_number = PyLong_FromLong(MULTIPLY);
    size_name = PyUnicode_InternFromString("size");
    PyObject *meter = PyCapsule_New((void *)(uintptr_t)charge_engine, "ludus.meter", NULL);
    if (!module || !counted_type || !sized_type || !control_type || !find_python_types())
        return NULL;
    if (!add_to(module, "OverBudget", over_budget) || !add_to(module, "meter", meter))
        return NULL;
    return module;
}
