/* Two functions through CPython's C API. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "calls.h"

#include <limits.h>

static PyObject *py_calls_int(PyObject *module, PyObject *argument)
{
    const long value = PyLong_AsLong(argument);

    (void)module;
    if (value == -1 && PyErr_Occurred())
        return NULL;
    if (value < INT_MIN || value > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "no int of C");
        return NULL;
    }
    return PyLong_FromLong(calls_int((int)value));
}

static PyObject *py_calls_counted(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    return PyLong_FromUnsignedLongLong(calls_counted());
}

static PyMethodDef methods[] = {
    {"calls_int", py_calls_int, METH_O, NULL},
    {"calls_counted", py_calls_counted, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "hand_capi", .m_size = -1, .m_methods = methods,
};

PyMODINIT_FUNC PyInit_hand_capi(void)
{
    return PyModule_Create(&definition);
}
