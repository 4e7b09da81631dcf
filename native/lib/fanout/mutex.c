/* One list, guarded by one mutex. The consumer takes all of it at once, so that it holds the mutex for a moment. */

#define _POSIX_C_SOURCE 200809L

#include "bell.h"
#include "locking.h"
#include "queue.h"

#include <stdlib.h>

struct mutex_queue {
    pthread_mutex_t mutex;
    struct fanout_request *first;
    struct fanout_request *last;    /* of a list that is not empty */
};

static void *mutex_open(uint32_t producers)
{
    struct mutex_queue *queue = malloc(sizeof *queue);

    (void)producers;
    if (queue == NULL)
        return NULL;
    queue->first = NULL;
    queue->last = NULL;
    fanout_must(pthread_mutex_init(&queue->mutex, NULL));
    return queue;
}

static void mutex_close(void *opened)
{
    struct mutex_queue *queue = opened;

    fanout_must(pthread_mutex_destroy(&queue->mutex));
    free(queue);
}

static void mutex_put(void *opened, struct fanout_request *request, struct fanout_bell *bell)
{
    struct mutex_queue *queue = opened;

    fanout_lock(&queue->mutex);
    const bool edge = queue->first == NULL;

    if (edge)
        queue->first = request;
    else
        fanout_link(queue->last, request);
    queue->last = request;
    fanout_unlock(&queue->mutex);
    fanout_bell_after_put(bell, edge);
}

static enum fanout_taken mutex_take(void *opened, struct fanout_request **first)
{
    struct mutex_queue *queue = opened;

    fanout_lock(&queue->mutex);
    *first = queue->first;
    queue->first = NULL;
    fanout_unlock(&queue->mutex);
    return *first == NULL ? FANOUT_EMPTY : FANOUT_TAKEN;
}

const struct fanout_design fanout_mutex_design = {
    .batched = true,
    .open = mutex_open,
    .close = mutex_close,
    .put = mutex_put,
    .take = mutex_take,
};
