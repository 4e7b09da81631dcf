/*
 * The idioms of CPython's C API, by https://docs.python.org/3: extending/newtypes_tutorial.html (classes, members,
 * getters), howto/isolating-extensions.html (heap types, module state), extending/extending.html (keyword arguments,
 * exceptions), c-api/buffer.html (arrays), howto/free-threading-extensions.html.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <limits.h>
#include <string.h>
#include <structmember.h>

#include "calls.h"

typedef struct {
    PyTypeObject *point;
} State;

/* -1 with an exception set, or 0. */
static int as_int(PyObject *object, int *value)
{
    const long found = PyLong_AsLong(object);

    if (found == -1 && PyErr_Occurred())
        return -1;
    if (found < INT_MIN || found > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "integer out of the range of its C type");
        return -1;
    }
    *value = (int)found;
    return 0;
}

static void free_object(PyObject *self)
{
    PyTypeObject *const type = Py_TYPE(self);

    type->tp_free(self);
    Py_DECREF(type);
}

/* Counter. */

typedef struct {
    PyObject_HEAD
    calls_handle_t *handle;
} Counter;

static PyObject *counter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"value", NULL};
    int value;
    Counter *self;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i:Counter", names, &value))
        return NULL;
    self = (Counter *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->handle = calls_open(value);
    if (self->handle == NULL) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void counter_dealloc(PyObject *self)
{
    if (((Counter *)self)->handle != NULL)
        calls_close(((Counter *)self)->handle);
    free_object(self);
}

static PyObject *counter_add(PyObject *self, PyObject *argument)
{
    int amount;

    if (as_int(argument, &amount) < 0)
        return NULL;
    return PyLong_FromLong(calls_add(((Counter *)self)->handle, amount));
}

static PyObject *counter_value(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(calls_value(((Counter *)self)->handle));
}

static PyMethodDef counter_methods[] = {
    {"add", counter_add, METH_O, "The sum; the counter stays as it is."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef counter_getters[] = {
    {"value", counter_value, NULL, "The value.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot counter_slots[] = {
    {Py_tp_new, counter_new},
    {Py_tp_dealloc, counter_dealloc},
    {Py_tp_methods, counter_methods},
    {Py_tp_getset, counter_getters},
    {0, NULL},
};

static PyType_Spec counter_spec = {
    .name = "calls_capi_idiom.Counter",
    .basicsize = sizeof(Counter),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = counter_slots,
};

/* Point. */

typedef struct {
    PyObject_HEAD
    struct calls_point point;
} Point;

static PyObject *point_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"x", "y", NULL};
    struct calls_point point;
    Point *self;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ii:Point", names, &point.x, &point.y))
        return NULL;
    self = (Point *)type->tp_alloc(type, 0);
    if (self != NULL)
        self->point = point;
    return (PyObject *)self;
}

static PyMemberDef point_members[] = {
    {"x", T_INT, offsetof(Point, point.x), READONLY, NULL},
    {"y", T_INT, offsetof(Point, point.y), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot point_slots[] = {
    {Py_tp_new, point_new},
    {Py_tp_dealloc, free_object},
    {Py_tp_members, point_members},
    {0, NULL},
};

static PyType_Spec point_spec = {
    .name = "calls_capi_idiom.Point",
    .basicsize = sizeof(Point),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = point_slots,
};

/* The class of points where the object is one; NULL with an exception set where it is none. */
static PyTypeObject *point_type(PyObject *module, PyObject *object)
{
    PyTypeObject *const type = ((State *)PyModule_GetState(module))->point;

    if (Py_IS_TYPE(object, type))
        return type;
    PyErr_Format(PyExc_TypeError, "a Point is needed, not %s", Py_TYPE(object)->tp_name);
    return NULL;
}

static PyObject *difference(PyObject *module, PyObject *argument)
{
    if (point_type(module, argument) == NULL)
        return NULL;
    return PyLong_FromLong(calls_point_by_pointer(&((Point *)argument)->point));
}

static PyObject *exchanged(PyObject *module, PyObject *argument)
{
    PyTypeObject *const type = point_type(module, argument);
    Point *made;

    if (type == NULL)
        return NULL;
    made = (Point *)type->tp_alloc(type, 0);
    if (made != NULL)
        made->point = calls_point_by_value(((Point *)argument)->point);
    return (PyObject *)made;
}

/* Overload, default, exception. */

static PyObject *overloaded(PyObject *Py_UNUSED(module), PyObject *argument)
{
    double real;
    int value;

    if (PyFloat_Check(argument)) {
        real = PyFloat_AS_DOUBLE(argument);
        return PyFloat_FromDouble(calls_double(real));
    }
    if (as_int(argument, &value) < 0)
        return NULL;
    return PyLong_FromLong(calls_int(value));
}

static PyObject *scaled(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"value", "factor", NULL};
    int value, factor = 3;

    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|i:scaled", names, &value, &factor))
        return NULL;
    return PyLong_FromLong(calls_scaled(value, factor));
}

static PyObject *checked(PyObject *Py_UNUSED(module), PyObject *argument)
{
    int value, answer;

    if (as_int(argument, &value) < 0)
        return NULL;
    answer = calls_checked(value);
    if (answer < 0) {
        PyErr_SetString(PyExc_ValueError, "the value is negative");
        return NULL;
    }
    return PyLong_FromLong(answer);
}

/* Lists and arrays. */

/* An item with a reference of one's own: another thread, or __float__ of an item, may change the list meanwhile. */
static PyObject *item_of(PyObject *list, Py_ssize_t index)
{
#if PY_VERSION_HEX >= 0x030d0000
    return PyList_GetItemRef(list, index);
#else
    return Py_XNewRef(PyList_GetItem(list, index));
#endif
}

static PyObject *total(PyObject *Py_UNUSED(module), PyObject *argument)
{
    PyObject *answer = NULL;
    Py_ssize_t size;
    double *values;

    if (!PyList_Check(argument)) {
        PyErr_Format(PyExc_TypeError, "a list is needed, not %s", Py_TYPE(argument)->tp_name);
        return NULL;
    }
    size = PyList_GET_SIZE(argument);
    values = PyMem_New(double, (size_t)size);
    if (values == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t index = 0; index < size; index++) {
        PyObject *const item = item_of(argument, index);

        if (item == NULL)
            goto done;
        values[index] = PyFloat_AsDouble(item);
        Py_DECREF(item);
        if (values[index] == -1.0 && PyErr_Occurred())
            goto done;
    }
    answer = PyFloat_FromDouble(calls_doubles_in(values, (size_t)size));
done:
    PyMem_Free(values);
    return answer;
}

static PyObject *range_list(PyObject *Py_UNUSED(module), PyObject *argument)
{
    const size_t count = PyLong_AsSize_t(argument);
    PyObject *list;
    double *values;

    if (count == (size_t)-1 && PyErr_Occurred())
        return NULL;
    values = PyMem_New(double, count);
    if (values == NULL)
        return PyErr_NoMemory();
    calls_range(values, count);
    list = PyList_New((Py_ssize_t)count);
    for (size_t index = 0; list != NULL && index < count; index++) {
        PyObject *const item = PyFloat_FromDouble(values[index]);

        if (item == NULL)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)index, item);
    }
    PyMem_Free(values);
    return list;
}

static PyObject *sum_array(PyObject *Py_UNUSED(module), PyObject *argument)
{
    PyObject *answer = NULL;
    Py_buffer view;

    if (PyObject_GetBuffer(argument, &view, PyBUF_ND | PyBUF_FORMAT) < 0)
        return NULL;
    if (view.ndim != 1 || view.format == NULL || strcmp(view.format, "d") != 0)
        PyErr_SetString(PyExc_TypeError, "an array of doubles with one dimension is needed");
    else
        answer = PyFloat_FromDouble(calls_doubles_in(view.buf, (size_t)view.shape[0]));
    PyBuffer_Release(&view);
    return answer;
}

static PyObject *counted(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(arguments))
{
    return PyLong_FromUnsignedLongLong(calls_counted());
}

/* The module. A function with keywords has a type of its own, so it is cast by way of one without a prototype. */

static PyMethodDef functions[] = {
    {"difference", difference, METH_O, "x - y."},
    {"exchanged", exchanged, METH_O, "A point with x and y exchanged."},
    {"overloaded", overloaded, METH_O, "The number that follows."},
    {"scaled", (PyCFunction)(void (*)(void))scaled, METH_VARARGS | METH_KEYWORDS, "The product."},
    {"total", total, METH_O, "The sum of a list."},
    {"range_list", range_list, METH_O, "A list of 0.0, 1.0 .."},
    {"sum_array", sum_array, METH_O, "The sum of an array."},
    {"checked", checked, METH_O, "The value. Raises ValueError where it is negative."},
    {"calls_counted", counted, METH_NOARGS, "How many calls the library served since this was asked last."},
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module)
{
    State *const state = PyModule_GetState(module);
    PyObject *const counter = PyType_FromModuleAndSpec(module, &counter_spec, NULL);
    int status;

    if (counter == NULL)
        return -1;
    status = PyModule_AddType(module, (PyTypeObject *)counter);
    Py_DECREF(counter);
    if (status < 0)
        return -1;
    state->point = (PyTypeObject *)PyType_FromModuleAndSpec(module, &point_spec, NULL);
    return state->point == NULL ? -1 : PyModule_AddType(module, state->point);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(((State *)PyModule_GetState(module))->point);
    return 0;
}

static int module_clear(PyObject *module)
{
    Py_CLEAR(((State *)PyModule_GetState(module))->point);
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "calls_capi_idiom",
    .m_doc = "calls.h by classes, overloads, defaults, lists, arrays and exceptions, through CPython's C API.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
};

PyMODINIT_FUNC PyInit_calls_capi_idiom(void)
{
    return PyModuleDef_Init(&definition);
}
