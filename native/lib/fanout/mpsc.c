/*
 * Dmitry Vyukov's intrusive queue of many producers and one consumer
 * (https://www.1024cores.net/home/lock-free-algorithms/queues/intrusive-mpsc-node-based-queue): a put is one exchange
 * and one store, and waits for nobody.
 *
 * Between the two, the list is cut: what lies behind the cut cannot be reached, and its producers will not ring, since
 * their predecessor was a request. take() returns FANOUT_HALF, so that the consumer does not
 * fall asleep over them.
 */

#define _POSIX_C_SOURCE 200809L

#include "bell.h"
#include "queue.h"

#include <stdalign.h>
#include <stdlib.h>

struct mpsc_queue {
    alignas(FANOUT_PAD) _Atomic(struct fanout_request *) newest;    /* the producers' end */
    alignas(FANOUT_PAD) struct fanout_request *oldest;              /* the consumer's end */
    struct fanout_request stub;                                     /* stands in the list where it would be empty */
};

static void *mpsc_open(uint32_t producers)
{
    struct mpsc_queue *queue = aligned_alloc(FANOUT_PAD, sizeof *queue);

    (void)producers;
    if (queue == NULL)
        return NULL;
    atomic_init(&queue->newest, &queue->stub);
    queue->oldest = &queue->stub;
    queue->stub = (struct fanout_request){0};
    atomic_init(&queue->stub.next, NULL);
    return queue;
}

static void mpsc_close(void *opened)
{
    free(opened);
}

/* Returns what the request was put behind. */
static struct fanout_request *append(struct mpsc_queue *queue, struct fanout_request *request)
{
    struct fanout_request *before = atomic_exchange_explicit(&queue->newest, request, memory_order_acq_rel);

    atomic_store_explicit(&before->next, request, memory_order_release);
    return before;
}

static void mpsc_put(void *opened, struct fanout_request *request, struct fanout_bell *bell)
{
    struct mpsc_queue *queue = opened;
    const bool edge = append(queue, request) == &queue->stub;

    fanout_bell_after_put(bell, edge);
}

static struct fanout_request *after(struct fanout_request *request)
{
    return atomic_load_explicit(&request->next, memory_order_acquire);
}

static bool is_newest(struct mpsc_queue *queue, struct fanout_request *request)
{
    return atomic_load_explicit(&queue->newest, memory_order_acquire) == request;
}

static enum fanout_taken mpsc_take(void *opened, struct fanout_request **first)
{
    struct mpsc_queue *queue = opened;
    struct fanout_request *oldest = queue->oldest;
    struct fanout_request *next = after(oldest);

    if (oldest == &queue->stub) {
        if (next == NULL)
            return is_newest(queue, oldest) ? FANOUT_EMPTY : FANOUT_HALF;
        queue->oldest = next;
        oldest = next;
        next = after(oldest);
    }
    if (next == NULL) {
        if (!is_newest(queue, oldest))
            return FANOUT_HALF;
        /* The last one may not leave the list before something stands behind it. */
        fanout_link(&queue->stub, NULL);
        append(queue, &queue->stub);
        next = after(oldest);
        if (next == NULL)
            return FANOUT_HALF;
    }
    queue->oldest = next;
    fanout_link(oldest, NULL);
    *first = oldest;
    return FANOUT_TAKEN;
}

const struct fanout_design fanout_mpsc_design = {
    .batched = true,
    .open = mpsc_open,
    .close = mpsc_close,
    .put = mpsc_put,
    .take = mpsc_take,
};
