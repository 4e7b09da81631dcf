/* Arrays that are read, and arrays that are written. */

#include "constructs.h"

#include <string.h>

#define SUM(name, type)                                        \
    double sum_of_##name(const type *items, size_t count)      \
    {                                                          \
        double sum = 0;                                        \
        for (size_t i = 0; i < count; i++)                     \
            sum += (double)(i + 1) * (double)items[i];         \
        return sum;                                            \
    }

SUM(short, short)
SUM(unsigned_short, unsigned short)
SUM(int, int)
SUM(unsigned_int, unsigned int)
SUM(long, long)
SUM(unsigned_long, unsigned long)
SUM(long_long, long long)
SUM(int32, int32_t)
SUM(float, float)
SUM(double, double)
SUM(bool, bool)
SUM(shade, enum shade)

void scale(double *items, size_t count, double by)
{
    for (size_t i = 0; i < count; i++)
        items[i] *= by;
}

void count_up(int32_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = (int32_t)i - 1;
}

void turn(double v[4])
{
    const double first = v[0];
    memmove(v, v + 1, 3 * sizeof *v);
    v[3] = first;
}

double length_squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void copy_numbers(double *restrict to, const double *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
}

void invert(bool *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = !items[i];
}
