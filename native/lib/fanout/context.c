/* The context: its one consumer thread, the submit, and the counts. */

#define _POSIX_C_SOURCE 200809L

#include "fanout.h"

#include "bell.h"
#include "placement.h"
#include "proof.h"
#include "queue.h"
#include "requests.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>

#define VERSION "1.1"

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
    struct fanout_requests requests;
    fanout_callback callback;
    void *data;
    pthread_t consumer;
    atomic_bool finished;
    alignas(FANOUT_PAD) struct fanout_bell bell;
    alignas(FANOUT_PAD) struct fanout_proof proof;
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
    if (context->design->accept != NULL)
        context->design->accept(context->queue);
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
        if (taken == FANOUT_HALF)
            (void)sched_yield();
        if (taken != FANOUT_EMPTY)
            continue;
        if (!finished && fanout_bell_heard(&context->bell))
            continue;
        if (finished)
            return NULL;
        fanout_bell_wait(&context->bell);
    }
}

/* Starts the consumer in its place. Returns 0 or an error number. */
static int start(struct fanout *context)
{
    pthread_attr_t attributes;
    int status = pthread_attr_init(&attributes);

    if (status != 0)
        return status;
    status = fanout_placement_apply(&attributes);
    if (status == 0)
        status = pthread_create(&context->consumer, &attributes, consume, context);
    (void)pthread_attr_destroy(&attributes);
    return status;
}

/* Returns 0 or an error number; undoes what it did. */
static int prepare(struct fanout *context, bool every, uint32_t producers, uint64_t per_producer)
{
    int status = fanout_proof_open(&context->proof, producers, per_producer);

    if (status != 0)
        return status;
    status = fanout_requests_open(&context->requests, producers, per_producer);
    if (status == 0) {
        status = fanout_bell_open(&context->bell, every, context->design->batched);
        if (status == 0) {
            context->queue = context->design->open(producers);
            status = context->queue == NULL ? ENOMEM : start(context);
            if (status == 0)
                return 0;
            if (context->queue != NULL)
                context->design->close(context->queue);
            fanout_bell_close(&context->bell);
        }
        fanout_requests_close(&context->requests);
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
    context->callback = NULL;
    context->data = NULL;
    atomic_init(&context->finished, false);
    last_error = prepare(context, wake == FANOUT_EVERY, producers, per_producer);
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
    if (producer >= context->requests.count)
        return EINVAL;
    if (atomic_load_explicit(&context->finished, memory_order_relaxed))
        return ESHUTDOWN;
    struct fanout_request *request = fanout_requests_take(&context->requests, producer);

    if (request == NULL)
        return ENOBUFS;
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
    fanout_requests_close(&context->requests);
    fanout_proof_close(&context->proof);
    free(context);
    return 0;
}
