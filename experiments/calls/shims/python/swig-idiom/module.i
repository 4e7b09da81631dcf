/*
 * The idioms of SWIG with -builtin: https://www.swig.org/Doc4.4/Python.html (Python_builtin_types, Python_nn65, which is
 * keyword arguments), Library.html (std_vector.i, std_except.i, attribute.i, stdint.i), Typemaps.html (several arguments
 * of C for one of Python). numpy.i is not in SWIG's wheel, nor in that of NumPy: the typemap below takes arrays by the
 * buffer protocol as SWIG's own pybuffer.i does, and keeps them until the call is over.
 */
%module calls_swig

%{
#include <cstring>

#include "idioms.hpp"
%}

%include <attribute.i>
%include <exception.i>
%include <std_except.i>
%include <std_vector.i>
%include <stdint.i>

%template(Doubles) std::vector<double>;

%attribute(idioms::Counter, int, value, get_value);
%immutable idioms::Point::x;
%immutable idioms::Point::y;
%feature("kwargs") idioms::scaled;
%catches(std::bad_alloc) idioms::Counter::Counter;
%catches(std::invalid_argument) idioms::checked;

%typemap(in) (const double *values, std::size_t count) (Py_buffer view = {}) {
    if (PyObject_GetBuffer($input, &view, PyBUF_ND | PyBUF_FORMAT) < 0)
        SWIG_fail;
    if (view.ndim != 1 || view.format == nullptr || std::strcmp(view.format, "d") != 0)
        SWIG_exception_fail(SWIG_TypeError, "an array of doubles with one dimension is needed");
    $1 = static_cast<double *>(view.buf);
    $2 = static_cast<std::size_t>(view.shape[0]);
}
%typemap(freearg) (const double *values, std::size_t count) {
    PyBuffer_Release(&view$argnum);
}

uint64_t calls_counted();
%include "idioms.hpp"
