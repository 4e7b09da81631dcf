# cython: language_level=3, freethreading_compatible=True
# The idioms of Cython, by https://cython.readthedocs.io/en/stable/src/userguide: wrapping_CPlusPlus.html (cppclass,
# except +, libcpp.vector), extension_types.html (cdef class, properties, objects of existing structs), fusedtypes.html
# (for overloads), memoryviews.html (arrays).
"""calls.h by classes, overloads, defaults, vectors, arrays and exceptions, through Cython."""

from libc.stdint cimport uint64_t
from libcpp.vector cimport vector


cdef extern from "calls.h":
    cdef struct calls_point:
        int x
        int y

    int calls_point_by_pointer(const calls_point *point)
    calls_point calls_point_by_value(calls_point point)
    uint64_t c_counted "calls_counted"()


cdef extern from "idioms.hpp" namespace "idioms":
    cdef cppclass CppCounter "idioms::Counter":
        CppCounter(int value) except +
        int add(int amount)
        int get_value()

    int cpp_overloaded_int "idioms::overloaded"(int value)
    double cpp_overloaded_double "idioms::overloaded"(double value)
    int cpp_scaled "idioms::scaled"(int value, int factor)
    double cpp_total "idioms::total"(const vector[double] &values)
    vector[double] cpp_range_list "idioms::range_list"(size_t count) except +
    double cpp_sum_array "idioms::sum_array"(const double *values, size_t count)
    int cpp_checked "idioms::checked"(int value) except +  # std::invalid_argument is ValueError


ctypedef fused number:
    int
    double


cdef class Counter:
    """A counter."""

    cdef CppCounter *counter

    def __cinit__(self, int value):
        self.counter = new CppCounter(value)

    def __dealloc__(self):
        del self.counter

    def add(self, int amount):
        """Return the sum; the counter stays as it is."""
        return self.counter.add(amount)

    @property
    def value(self):
        """The value."""
        return self.counter.get_value()


cdef class Point:
    """A point, which is a struct of C."""

    cdef calls_point point

    def __init__(self, int x, int y):
        self.point.x = x
        self.point.y = y

    @property
    def x(self):
        """The first coordinate."""
        return self.point.x

    @property
    def y(self):
        """The second coordinate."""
        return self.point.y


def difference(Point point not None):
    """Return x - y."""
    return calls_point_by_pointer(&point.point)


def exchanged(Point point not None):
    """Return a point with x and y exchanged."""
    cdef Point made = Point.__new__(Point)
    made.point = calls_point_by_value(point.point)
    return made


def overloaded(number value):
    """Return the number that follows."""
    if number is int:
        return cpp_overloaded_int(value)
    else:
        return cpp_overloaded_double(value)


def scaled(int value, int factor=3):
    """Return the product."""
    return cpp_scaled(value, factor)


def total(vector[double] values):
    """Return the sum."""
    return cpp_total(values)


def range_list(size_t count):
    """Return a list of 0.0, 1.0 .."""
    return cpp_range_list(count)


def sum_array(const double[::1] values not None):
    """Return the sum."""
    return cpp_sum_array(&values[0] if values.shape[0] else NULL, <size_t>values.shape[0])


def checked(int value):
    """Return the value. Raises ValueError where it is negative."""
    return cpp_checked(value)


def calls_counted():
    """Return how many calls the library served since this was asked last."""
    return c_counted()
