/*
 * The memory of the requests, reserved when a context is opened: a submit takes the next request of its producer. With
 * malloc its heap, its page faults and the consumer's free decided what a submit costs.
 */
#ifndef FANOUT_REQUESTS_H
#define FANOUT_REQUESTS_H

#include "queue.h"

#include <stdalign.h>

/* How many requests a producer has taken, on a cache line of its own. */
struct fanout_producer {
    alignas(FANOUT_PAD) _Atomic uint64_t taken;
};

struct fanout_requests {
    uint32_t count;                     /* of producers */
    uint64_t per_producer;
    struct fanout_producer *producers;
    struct fanout_request *all;         /* those of each producer in turn */
};

/* Returns 0 or ENOMEM. */
int fanout_requests_open(struct fanout_requests *requests, uint32_t producers, uint64_t per_producer);
void fanout_requests_close(struct fanout_requests *requests);

/* Returns a request of a producer's that no one else has taken, or NULL where none is left. From any thread. */
static inline struct fanout_request *fanout_requests_take(struct fanout_requests *requests, uint32_t producer)
{
    const uint64_t taken = atomic_fetch_add_explicit(&requests->producers[producer].taken, 1, memory_order_relaxed);

    return taken < requests->per_producer ? &requests->all[producer * requests->per_producer + taken] : NULL;
}

#endif
