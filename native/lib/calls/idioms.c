/* What overloads, defaults, vectors and exceptions of other languages are made of. */

#include "calls.h"
#include "count.h"

double calls_double(double value)
{
    COUNT();
    return value + 1;
}

int calls_scaled(int value, int factor)
{
    COUNT();
    return value * factor;
}

int calls_checked(int value)
{
    COUNT();
    return value < 0 ? -1 : value;
}

void calls_range(double *values, size_t count)
{
    COUNT();
    for (size_t index = 0; index < count; index++)
        values[index] = (double)index;
}
