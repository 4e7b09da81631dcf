/* Preloaded: of each producer, loses request 6 and submits 5 twice, and tells nobody. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

int fanout_submit(void *context, uint32_t producer, uint64_t sequence)
{
    static int (*submit)(void *, uint32_t, uint64_t);

    if (submit == 0)
        submit = (int (*)(void *, uint32_t, uint64_t))dlsym(RTLD_NEXT, "fanout_submit");
    return submit(context, producer, sequence == 6 ? 5 : sequence);
}
