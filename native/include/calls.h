/*
 * One function for each shape of a call, with the smallest honest work: it looks at all that it is given, and its
 * answer depends on that. Each counts itself, so that a receipt tells how many calls a slice made.
 */
#ifndef FFIBENCH_LIB_CALLS_H
#define FFIBENCH_LIB_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many calls of the functions below the calling thread made since it asked last. It does not count itself. */
uint64_t calls_counted(void);

/* Numbers. */

void calls_noop(void);

/* value + 1. */
int calls_int(int value);

/* The sum of all. */
int calls_two_ints(int first, int second);
long long calls_eight_ints(short first, unsigned short second, int third, unsigned int fourth, long fifth,
                           unsigned long sixth, long long seventh, unsigned long long eighth);
double calls_six_doubles(double first, double second, double third, double fourth, double fifth, double sixth);

/* Not value. */
bool calls_bool(bool value);

/* value + 1, and value - 1: neither survives a crossing as a double, or as 32 bits. */
int64_t calls_int64(int64_t value);
uint64_t calls_uint64(uint64_t value);

/* size + 1. */
size_t calls_size(size_t size);

/* Text and bytes. */

/* Its length, found by reading it. */
size_t calls_text_in(const char *text);

/* "ohhai". */
const char *calls_text_out(void);

/* size + the sum of all bytes modulo 256. */
size_t calls_bytes_in(const void *bytes, size_t size);

/* Sets all bytes to 0x5a. */
void calls_bytes_out(void *buffer, size_t size);

/* The sum of all values. */
double calls_doubles_in(const double *values, size_t count);

/* Memory and structs. */

struct calls_point {
    int x;
    int y;
};

/* x and y exchanged. */
struct calls_point calls_point_by_value(struct calls_point point);

/* x - y. */
int calls_point_by_pointer(const struct calls_point *point);

/* Sets *value to 1000. Returns 0. */
int calls_out(int *value);

/* Handles. */

typedef struct calls_handle calls_handle_t;

/* Makes a handle that holds a value. NULL where memory is short. */
calls_handle_t *calls_open(int value);
void calls_close(calls_handle_t *handle);

/* The value that a handle holds. */
int calls_value(calls_handle_t *handle);

/* The four arguments of zmq_send. The handle keeps the first byte and the flags. Returns the size. */
int calls_send(void *handle, const void *bytes, size_t size, int flags);

/* Callbacks. */

typedef int (*calls_callback)(void *data, int number);

/* Calls a function with the numbers 0 .. times-1. Returns the sum of what it answers. */
int calls_back(calls_callback function, void *data, int times);

/* What a class, an overload, an argument with a default, a vector and an exception are made of, in other languages. */

/* The sum of an amount and the value that a handle holds, which stays as it is. */
int calls_add(calls_handle_t *handle, int amount);

/* value + 1. */
double calls_double(double value);

/* value * factor. */
int calls_scaled(int value, int factor);

/* value, or -1 where it is negative: an error. */
int calls_checked(int value);

/* Sets the values to 0, 1 .. count-1. */
void calls_range(double *values, size_t count);

#ifdef __cplusplus
}
#endif

#endif
