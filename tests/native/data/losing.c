/* Preloaded: loses request 6 of each producer and tells nobody. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

int fanout_submit(void *context, uint32_t producer, uint64_t sequence)
{
    int (*submit)(void *, uint32_t, uint64_t) = (int (*)(void *, uint32_t, uint64_t))dlsym(RTLD_NEXT, "fanout_submit");

    return sequence == 6 ? 0 : submit(context, producer, sequence);
}
