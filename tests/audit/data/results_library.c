#include "results.h"

#include <errno.h>
#include <stdint.h>

long result_same(long value) { return value; }

long result_seven(long a, long b, long c, long d, long e, long f)
{
    return a + b + c + d + e + f - (a + b + c + d + e + f) + 7;
}

struct two result_two(long first, long second) { return (struct two){first, second}; }
struct mixed result_mixed(double half, long whole) { return (struct mixed){whole, half}; }

struct large result_large(long first)
{
    struct large large;

    for (int i = 0; i < 9; i++)
        large.values[i] = first + i;
    return large;
}

double result_double(long a, double b, long c, double d, long e, double f, long g, double h, double i, double j)
{
    return (double)a + b * 2 + (double)c * 3 + d * 4 + (double)e * 5 + f * 6 + (double)g * 7 + h * 8 + i * 9 + j * 10;
}

long result_misaligned(void) { return (long)((uintptr_t)__builtin_frame_address(0) % 16); }
long double result_long_double(long a) { return (long double)a / 3; }
long result_visit(long (*visit)(long), long value) { return visit(value); }

static long indirect(long value) { return value; }
static long (*resolve(void))(long) { return indirect; }
long result_indirect(long value) __attribute__((ifunc("resolve")));

int result_fails(void)
{
    errno = EDOM;
    return -1;
}

long result_taken(long value) { return value; }
static long (*volatile taken)(long) = result_taken;
long result_by_address(long value) { return taken(value) + taken(value) - value; }
