/* A request, and the small table of functions that is a queue design. */
#ifndef FANOUT_QUEUE_H
#define FANOUT_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two cache lines: processors fetch them in pairs. */
#define FANOUT_PAD 128

struct fanout_bell;

struct fanout_request {
    _Atomic(struct fanout_request *) next;
    uint64_t sequence;
    uint32_t producer;
};

/* Under a lock, or before a request is shared, order is given: the link need not give it. */
static inline struct fanout_request *fanout_next(struct fanout_request *request)
{
    return atomic_load_explicit(&request->next, memory_order_relaxed);
}

static inline void fanout_link(struct fanout_request *request, struct fanout_request *next)
{
    atomic_store_explicit(&request->next, next, memory_order_relaxed);
}

enum fanout_taken {
    FANOUT_TAKEN,
    FANOUT_EMPTY,   /* the next put will ring */
    FANOUT_HALF,    /* a put is half done, and may not ring when it is: look again */
};

/* A queue design. Many put, one takes. */
struct fanout_design {
    bool batched;   /* holds more than one request, so that a consumer that waits a little finds more */

    void *(*open)(uint32_t producers);  /* NULL: no memory */
    void (*close)(void *queue);         /* of an empty queue */

    /* Takes the request over, and rings. */
    void (*put)(void *queue, struct fanout_request *request, struct fanout_bell *bell);

    /* Hands out requests in order, as a list that ends in NULL. */
    enum fanout_taken (*take)(void *queue, struct fanout_request **first);

    /* NULL, or called after each request was delivered. */
    void (*accept)(void *queue);
};

extern const struct fanout_design fanout_lock_design;
extern const struct fanout_design fanout_mutex_design;
extern const struct fanout_design fanout_sharded_design;
extern const struct fanout_design fanout_mpsc_design;

#endif
