/* The count of a thread's calls. */

#include "count.h"

#include "calls.h"

_Thread_local uint64_t calls_count;

uint64_t calls_counted(void)
{
    const uint64_t counted = calls_count;

    calls_count = 0;
    return counted;
}
