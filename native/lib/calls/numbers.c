/* Numbers in and out. */

#include "calls.h"
#include "count.h"

void calls_noop(void)
{
    COUNT();
}

int calls_int(int value)
{
    COUNT();
    return value + 1;
}

int calls_two_ints(int first, int second)
{
    COUNT();
    return first + second;
}

long long calls_eight_ints(short first, unsigned short second, int third, unsigned int fourth, long fifth,
                           unsigned long sixth, long long seventh, unsigned long long eighth)
{
    COUNT();
    return first + second + third + (long long)fourth + fifth + (long long)sixth + seventh + (long long)eighth;
}

double calls_six_doubles(double first, double second, double third, double fourth, double fifth, double sixth)
{
    COUNT();
    return first + second + third + fourth + fifth + sixth;
}

bool calls_bool(bool value)
{
    COUNT();
    return !value;
}

int64_t calls_int64(int64_t value)
{
    COUNT();
    return value + 1;
}

uint64_t calls_uint64(uint64_t value)
{
    COUNT();
    return value - 1;
}

size_t calls_size(size_t size)
{
    COUNT();
    return size + 1;
}
