/*
 * Lists guarded by a mutex each, padded so that none shares a cache line with another. A producer sticks to its
 * shard, which keeps its order; producers of different shards do not meet.
 */

#define _POSIX_C_SOURCE 200809L

#include "bell.h"
#include "locking.h"
#include "queue.h"

#include <stdalign.h>
#include <stdlib.h>

#define SHARDS_MAX 16

struct shard {
    alignas(FANOUT_PAD) pthread_mutex_t mutex;
    _Atomic(struct fanout_request *) first;     /* written under the mutex; the consumer looks at it without */
    struct fanout_request *last;                /* of a list that is not empty */
};

struct sharded_queue {
    uint32_t count;
    uint32_t turn;      /* the consumer's: where it looks next, so that no shard is starved by another */
    struct shard shards[];
};

static void *sharded_open(uint32_t producers)
{
    const uint32_t count = producers < SHARDS_MAX ? producers : SHARDS_MAX;
    struct sharded_queue *queue = aligned_alloc(FANOUT_PAD, sizeof *queue + count * sizeof queue->shards[0]);

    if (queue == NULL)
        return NULL;
    queue->count = count;
    queue->turn = 0;
    for (uint32_t i = 0; i < count; i++) {
        fanout_must(pthread_mutex_init(&queue->shards[i].mutex, NULL));
        atomic_init(&queue->shards[i].first, NULL);
        queue->shards[i].last = NULL;
    }
    return queue;
}

static void sharded_close(void *opened)
{
    struct sharded_queue *queue = opened;

    for (uint32_t i = 0; i < queue->count; i++)
        fanout_must(pthread_mutex_destroy(&queue->shards[i].mutex));
    free(queue);
}

static void sharded_put(void *opened, struct fanout_request *request, struct fanout_bell *bell)
{
    struct sharded_queue *queue = opened;
    struct shard *shard = &queue->shards[request->producer % queue->count];

    fanout_lock(&shard->mutex);
    const bool edge = atomic_load_explicit(&shard->first, memory_order_relaxed) == NULL;

    if (edge)
        atomic_store_explicit(&shard->first, request, memory_order_relaxed);
    else
        fanout_link(shard->last, request);
    shard->last = request;
    fanout_unlock(&shard->mutex);
    fanout_bell_after_put(bell, edge);
}

static enum fanout_taken sharded_take(void *opened, struct fanout_request **first)
{
    struct sharded_queue *queue = opened;

    for (uint32_t looked = 0; looked < queue->count; looked++) {
        struct shard *shard = &queue->shards[queue->turn];

        queue->turn = queue->turn + 1 == queue->count ? 0 : queue->turn + 1;
        /* A put that this look comes too early for has not rung yet, if its shard was empty. */
        if (atomic_load_explicit(&shard->first, memory_order_relaxed) == NULL)
            continue;
        fanout_lock(&shard->mutex);
        *first = atomic_load_explicit(&shard->first, memory_order_relaxed);
        atomic_store_explicit(&shard->first, NULL, memory_order_relaxed);
        fanout_unlock(&shard->mutex);
        return FANOUT_TAKEN;
    }
    return FANOUT_EMPTY;
}

const struct fanout_design fanout_sharded_design = {
    .batched = true,
    .open = sharded_open,
    .close = sharded_close,
    .put = sharded_put,
    .take = sharded_take,
};
