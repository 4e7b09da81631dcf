/* A library whose results are checked: they are of every shape that a thunk must not disturb. */
#ifndef RESULTS_H
#define RESULTS_H

struct two { long first, second; };
struct mixed { long whole; double half; };
struct large { long values[9]; };

/* Returns its argument. */
long result_same(long value);

/* Returns 7. */
long result_seven(long a, long b, long c, long d, long e, long f);

struct two result_two(long first, long second);
struct mixed result_mixed(double half, long whole);
struct large result_large(long first);
double result_double(long a, double b, long c, double d, long e, double f, long g, double h, double i, double j);
long double result_long_double(long a);

/* Returns how far the stack is from where functions may expect it, 0. */
long result_misaligned(void);

/* Calls `visit` with `value`. */
long result_visit(long (*visit)(long), long value);

/* As result_same, by a look-up at its first call. */
long result_indirect(long value);

/* Returns -1 and sets errno. */
int result_fails(void);

/* Its address is taken by the library, which calls it by that. */
long result_taken(long value);
long result_by_address(long value);

#endif
