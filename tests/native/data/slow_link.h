/* Put before one source of the library: a while passes before it publishes anything, so that others come between. */
#define _POSIX_C_SOURCE 200809L
#include <stdatomic.h>
#include <time.h>

static inline void linger(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000}, 0);
}

#define memory_order_release (linger(), memory_order_release)
