# cython: language_level=3
cdef extern from "calls.h":
    int c_calls_int "calls_int"(int value)
    unsigned long long c_calls_counted "calls_counted"()


def calls_int(int value):
    return c_calls_int(value)


def calls_counted():
    return c_calls_counted()
