/* The loop of xsub in C, entered once: the baseline of the group. */

#include "zmq.h"

#include <stdint.h>

uint64_t send_loop(void *socket, const char *message, size_t size, uint64_t iterations);

uint64_t send_loop(void *socket, const char *message, size_t size, uint64_t iterations)
{
    for (uint64_t i = 0; i < iterations; i++)
        if (zmq_send(socket, message, size, 0) != (int)size)
            return i;
    return iterations;
}
