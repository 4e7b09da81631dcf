/*
 * One lock over a channel of one slot: a producer holds the lock while the consumer is woken, delivers its request
 * and accepts it. No two submits overlap, so that more producers bring nothing.
 *
 * The accept comes after the callback: where the callback needs what the producer holds meanwhile, such as an
 * interpreter's lock, neither can go on.
 */

#define _POSIX_C_SOURCE 200809L

#include "bell.h"
#include "locking.h"
#include "queue.h"

#include <stdlib.h>

struct lock_queue {
    pthread_mutex_t lock;       /* held by one producer over the whole of its submit */
    pthread_mutex_t channel;    /* guards what follows */
    pthread_cond_t accepted;
    struct fanout_request *slot;
    bool waiting;               /* for the accept */
};

static void *lock_open(uint32_t producers)
{
    struct lock_queue *queue = malloc(sizeof *queue);

    (void)producers;
    if (queue == NULL)
        return NULL;
    queue->slot = NULL;
    queue->waiting = false;
    fanout_must(pthread_mutex_init(&queue->lock, NULL));
    fanout_must(pthread_mutex_init(&queue->channel, NULL));
    fanout_must(pthread_cond_init(&queue->accepted, NULL));
    return queue;
}

static void lock_close(void *opened)
{
    struct lock_queue *queue = opened;

    fanout_must(pthread_cond_destroy(&queue->accepted));
    fanout_must(pthread_mutex_destroy(&queue->channel));
    fanout_must(pthread_mutex_destroy(&queue->lock));
    free(queue);
}

static void lock_put(void *opened, struct fanout_request *request, struct fanout_bell *bell)
{
    struct lock_queue *queue = opened;

    fanout_lock(&queue->lock);
    fanout_lock(&queue->channel);
    queue->slot = request;
    queue->waiting = true;
    fanout_bell_after_put(bell, true);
    while (queue->waiting)
        fanout_must(pthread_cond_wait(&queue->accepted, &queue->channel));
    fanout_unlock(&queue->channel);
    fanout_unlock(&queue->lock);
}

static enum fanout_taken lock_take(void *opened, struct fanout_request **first)
{
    struct lock_queue *queue = opened;

    fanout_lock(&queue->channel);
    *first = queue->slot;
    queue->slot = NULL;
    fanout_unlock(&queue->channel);
    return *first == NULL ? FANOUT_EMPTY : FANOUT_TAKEN;
}

static void lock_accept(void *opened)
{
    struct lock_queue *queue = opened;

    fanout_lock(&queue->channel);
    queue->waiting = false;
    fanout_must(pthread_cond_signal(&queue->accepted));
    fanout_unlock(&queue->channel);
}

const struct fanout_design fanout_lock_design = {
    .batched = false,
    .open = lock_open,
    .close = lock_close,
    .put = lock_put,
    .take = lock_take,
    .accept = lock_accept,
};
