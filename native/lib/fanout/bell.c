/* The bell: a flag under a mutex and a condition, and a short wait awake before the sleep. */

#define _POSIX_C_SOURCE 200809L

#include "bell.h"

#include "locking.h"
#include "placement.h"

#include <stdint.h>
#include <time.h>

/*
 * Before its sleep the consumer looks so many times, and lies low between two looks: some ten microseconds in all,
 * less than the sleep and the wake that they may save. With looks that follow each other at once, it would fetch each
 * request alone, and its processor and the producer's would pass the same cache lines to and fro at every submit.
 * The time is taken from a clock, since one pause lasts 40 cycles on one processor and 140 on another.
 */
#define LOOKS 4
#define LOOK_NS 3000
#define PAUSES 8

static int64_t now_ns(void)
{
    struct timespec now;

    fanout_must(clock_gettime(CLOCK_MONOTONIC, &now));
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void lie_low(void)
{
    const int64_t end = now_ns() + LOOK_NS;

    do {
        for (int i = 0; i < PAUSES; i++) {
#if defined __x86_64__ || defined __i386__
            __builtin_ia32_pause();
#elif defined __aarch64__
            __asm__ volatile("isb");
#endif
        }
    } while (now_ns() < end);
}

int fanout_bell_open(struct fanout_bell *bell, bool every, bool batched)
{
    int status = pthread_mutex_init(&bell->mutex, NULL);

    if (status != 0)
        return status;
    status = pthread_cond_init(&bell->cond, NULL);
    if (status != 0) {
        fanout_must(pthread_mutex_destroy(&bell->mutex));
        return status;
    }
    atomic_init(&bell->rung, false);
    bell->every = every;
    /* On the producers' own processor nobody could ring meanwhile. */
    bell->looks = batched && fanout_placement_parallel() ? LOOKS : 0;
    return 0;
}

void fanout_bell_close(struct fanout_bell *bell)
{
    fanout_must(pthread_cond_destroy(&bell->cond));
    fanout_must(pthread_mutex_destroy(&bell->mutex));
}

void fanout_bell_ring(struct fanout_bell *bell)
{
    fanout_lock(&bell->mutex);
    atomic_store_explicit(&bell->rung, true, memory_order_release);
    fanout_must(pthread_cond_signal(&bell->cond));
    fanout_unlock(&bell->mutex);
}

bool fanout_bell_heard(struct fanout_bell *bell)
{
    for (int look = 0; look < bell->looks; look++) {
        lie_low();
        if (atomic_load_explicit(&bell->rung, memory_order_relaxed)) {
            atomic_exchange_explicit(&bell->rung, false, memory_order_acq_rel);
            return true;
        }
    }
    return false;
}

void fanout_bell_wait(struct fanout_bell *bell)
{
    fanout_lock(&bell->mutex);
    while (!atomic_exchange_explicit(&bell->rung, false, memory_order_acq_rel))
        fanout_must(pthread_cond_wait(&bell->cond, &bell->mutex));
    fanout_unlock(&bell->mutex);
}
