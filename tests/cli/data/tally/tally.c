#include "tally.h"

unsigned long tally_sum(const void *bytes, size_t size)
{
    const unsigned char *each = bytes;
    unsigned long sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += each[i];
    return sum;
}
