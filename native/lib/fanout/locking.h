/* Mutexes, and what becomes of calls that fail only where this code is wrong. */
#ifndef FANOUT_LOCKING_H
#define FANOUT_LOCKING_H

#include <pthread.h>
#include <stdlib.h>

/* Nothing that follows such a failure can be trusted. */
static inline void fanout_must(int status)
{
    if (status != 0)
        abort();
}

static inline void fanout_lock(pthread_mutex_t *mutex)
{
    fanout_must(pthread_mutex_lock(mutex));
}

static inline void fanout_unlock(pthread_mutex_t *mutex)
{
    fanout_must(pthread_mutex_unlock(mutex));
}

#endif
