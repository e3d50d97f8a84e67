/* The one number that all work is added to, and what it is compared with. */
#pragma once

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
