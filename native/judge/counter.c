/* The counter of an agent's work, in the process that plays the agent.

   Instrumented code calls `tick` at the start of every block, takes the items of its loops from `count`, and passes
   calls whose cost depends on sizes through `call`, `operate`, `contains` and `slice`. What it calls without being
   known goes through `checked`: Python code counts itself, and anything else is charged by sizes. All of them add to
   one number. Once it has passed its limit, every one of them raises, so that no handler in the agent can go on for
   long. Between two calls of the agent the counter is closed: then nothing of the agent's can run at all.

   Only the object that `take_control` returns can read or reset the number, and it is returned once in a process. */

#include "charging.h"
#include "sizes.h"
#include "calls.h"
#include "operators.h"
#include "control.h"

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
    {"array", array, METH_O, "Charge for a value if it is an array, and return it."},
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
