/* Cells: memory for one value, which each of these writes. */

#include "constructs.h"

#include <string.h>

#define PUT(name, type)                                        \
    void put_##name(type *out, type value)                     \
    {                                                          \
        *out = value;                                          \
    }

PUT(char, char)
PUT(signed_char, signed char)
PUT(unsigned_char, unsigned char)
PUT(short, short)
PUT(unsigned_short, unsigned short)
PUT(int, int)
PUT(unsigned_int, unsigned int)
PUT(long, long)
PUT(unsigned_long, unsigned long)
PUT(long_long, long long)
PUT(unsigned_long_long, unsigned long long)
PUT(float, float)
PUT(double, double)
PUT(bool, bool)
PUT(shade, enum shade)

int divide(int number, int by, int *restrict quotient, int *restrict rest)
{
    if (by == 0)
        return -1;
    *quotient = number / by;
    *rest = number % by;
    return 0;
}

int bump(volatile int *counter)
{
    return ++*counter;
}

int copy_text(char *out, size_t *room)
{
    if (*room < 5)
        return -1;
    memcpy(out, "ohhai", 5);
    *room = 5;
    return 0;
}
