/* Text, bytes, numbers in a row, structs. */

#include "calls.h"
#include "count.h"

#include <string.h>

size_t calls_text_in(const char *text)
{
    COUNT();
    return strlen(text);
}

const char *calls_text_out(void)
{
    COUNT();
    return "ohhai";
}

size_t calls_bytes_in(const void *bytes, size_t size)
{
    const unsigned char *const each = bytes;
    unsigned char sum = 0;  /* a wider one is several times slower than a copy of the bytes */

    COUNT();
    for (size_t index = 0; index < size; index++)
        sum = (unsigned char)(sum + each[index]);
    return size + sum;
}

void calls_bytes_out(void *buffer, size_t size)
{
    COUNT();
    if (size > 0)
        memset(buffer, 0x5a, size);
}

double calls_doubles_in(const double *values, size_t count)
{
    double sum = 0;

    COUNT();
    for (size_t index = 0; index < count; index++)
        sum += values[index];
    return sum;
}

struct calls_point calls_point_by_value(struct calls_point point)
{
    const struct calls_point exchanged = {.x = point.y, .y = point.x};

    COUNT();
    return exchanged;
}

int calls_point_by_pointer(const struct calls_point *point)
{
    COUNT();
    return point->x - point->y;
}

int calls_out(int *value)
{
    COUNT();
    *value = 1000;
    return 0;
}
