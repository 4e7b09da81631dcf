/* The context: its one consumer thread, the submit, and the counts. */

#define _POSIX_C_SOURCE 200809L

#include "fanout.h"

#include "bell.h"
#include "proof.h"
#include "queue.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>

#define VERSION "1.0"

/*
 * Delivered requests are freed when there is nothing else to do, or when there are so many: whoever frees what another
 * thread has allocated takes that thread's heap from it meanwhile, and that cost more than any queue here.
 */
#define DELIVERED_MAX (1 << 16)

static const struct fanout_design *const designs[] = {
    [FANOUT_LOCK] = &fanout_lock_design,
    [FANOUT_MUTEX] = &fanout_mutex_design,
    [FANOUT_SHARDED] = &fanout_sharded_design,
    [FANOUT_MPSC] = &fanout_mpsc_design,
};

static _Thread_local int last_error;

/* What producers only read, what both sides write, and what the consumer writes lie apart. */
struct fanout {
    alignas(FANOUT_PAD) const struct fanout_design *design;
    void *queue;
    uint32_t producers;
    fanout_callback callback;
    void *data;
    pthread_t consumer;
    atomic_bool finished;
    alignas(FANOUT_PAD) struct fanout_bell bell;
    alignas(FANOUT_PAD) struct fanout_proof proof;
    struct fanout_request *delivered;   /* what is to be freed */
    uint32_t kept;                      /* their number */
};

const char *fanout_version(void)
{
    return VERSION;
}

int fanout_error(void)
{
    return last_error;
}

static void deliver(struct fanout *context, struct fanout_request *request)
{
    if (context->callback != NULL)
        context->callback(context->data, request->producer, request->sequence);
    fanout_proof_mark(&context->proof, request->producer, request->sequence);
    fanout_link(request, context->delivered);
    context->delivered = request;
    context->kept++;
    if (context->design->accept != NULL)
        context->design->accept(context->queue);
}

static void free_delivered(struct fanout *context)
{
    while (context->delivered != NULL) {
        struct fanout_request *request = context->delivered;

        context->delivered = fanout_next(request);
        free(request);
    }
    context->kept = 0;
}

static void *consume(void *opened)
{
    struct fanout *context = opened;

    for (;;) {
        /* Asked before the look: what was submitted before the end was told of is still found. */
        const bool finished = atomic_load_explicit(&context->finished, memory_order_acquire);
        struct fanout_request *request = NULL;
        const enum fanout_taken taken = context->design->take(context->queue, &request);

        while (request != NULL) {
            struct fanout_request *next = fanout_next(request);

            deliver(context, request);
            request = next;
        }
        if (context->kept >= DELIVERED_MAX)
            free_delivered(context);
        if (taken == FANOUT_HALF)
            (void)sched_yield();
        if (taken != FANOUT_EMPTY)
            continue;
        if (!finished && fanout_bell_heard(&context->bell))
            continue;
        free_delivered(context);
        if (finished)
            return NULL;
        fanout_bell_wait(&context->bell);
    }
}

/* Returns 0 or an error number; undoes what it did. */
static int start(struct fanout *context, bool every, uint64_t per_producer)
{
    int status = fanout_proof_open(&context->proof, context->producers, per_producer);

    if (status != 0)
        return status;
    status = fanout_bell_open(&context->bell, every, context->design->batched);
    if (status == 0) {
        context->queue = context->design->open(context->producers);
        status = context->queue == NULL ? ENOMEM : 0;
        if (status == 0) {
            status = pthread_create(&context->consumer, NULL, consume, context);
            if (status == 0)
                return 0;
            context->design->close(context->queue);
        }
        fanout_bell_close(&context->bell);
    }
    fanout_proof_close(&context->proof);
    return status;
}

fanout_t *fanout_open(uint32_t queue, uint32_t wake, uint32_t producers, uint64_t per_producer)
{
    if (queue >= sizeof designs / sizeof designs[0] || wake > FANOUT_EDGE
        || (queue == FANOUT_LOCK && wake == FANOUT_EDGE)) {
        last_error = EINVAL;
        return NULL;
    }
    struct fanout *context = aligned_alloc(FANOUT_PAD, sizeof *context);

    if (context == NULL) {
        last_error = ENOMEM;
        return NULL;
    }
    context->design = designs[queue];
    context->producers = producers;
    context->callback = NULL;
    context->data = NULL;
    context->delivered = NULL;
    context->kept = 0;
    atomic_init(&context->finished, false);
    last_error = start(context, wake == FANOUT_EVERY, per_producer);
    if (last_error != 0) {
        free(context);
        return NULL;
    }
    return context;
}

int fanout_on_request(fanout_t *context, fanout_callback callback, void *data)
{
    context->callback = callback;
    context->data = data;
    return 0;
}

int fanout_submit(fanout_t *context, uint32_t producer, uint64_t sequence)
{
    if (producer >= context->producers)
        return EINVAL;
    if (atomic_load_explicit(&context->finished, memory_order_relaxed))
        return ESHUTDOWN;
    struct fanout_request *request = malloc(sizeof *request);

    if (request == NULL)
        return ENOMEM;
    atomic_init(&request->next, NULL);
    request->producer = producer;
    request->sequence = sequence;
    context->design->put(context->queue, request, &context->bell);
    return 0;
}

uint64_t fanout_delivered(fanout_t *context)
{
    return atomic_load_explicit(&context->proof.delivered, memory_order_acquire);
}

uint64_t fanout_duplicates(fanout_t *context)
{
    return atomic_load_explicit(&context->proof.duplicates, memory_order_relaxed);
}

uint64_t fanout_disorders(fanout_t *context)
{
    return atomic_load_explicit(&context->proof.disorders, memory_order_relaxed);
}

uint64_t fanout_strays(fanout_t *context)
{
    return atomic_load_explicit(&context->proof.strays, memory_order_relaxed);
}

uint64_t fanout_missing(fanout_t *context)
{
    const uint64_t distinct = atomic_load_explicit(&context->proof.distinct, memory_order_relaxed);

    return context->proof.producers * context->proof.per_producer - distinct;
}

int fanout_finish(fanout_t *context)
{
    if (atomic_exchange_explicit(&context->finished, true, memory_order_acq_rel))
        return 0;
    fanout_bell_ring(&context->bell);
    return pthread_join(context->consumer, NULL);
}

int fanout_close(fanout_t *context)
{
    const int status = fanout_finish(context);

    if (status != 0)
        return status;
    context->design->close(context->queue);
    fanout_bell_close(&context->bell);
    fanout_proof_close(&context->proof);
    free(context);
    return 0;
}
