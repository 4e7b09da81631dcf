/*
 * Threads behind one gate, for the life of a case.
 *
 *     struct crew *crew = crew_open(threads, state);
 *     crew_rouse(crew);                        before the clocks: all of them are awake at the gate
 *     done = crew_run(crew, work, CREW_REST);  opens it; returns when the last one has returned from its work
 *     crew_close(crew);
 *
 * The threads are the same for every slice, timed or empty, so that no clock sees one start. Between slices they
 * sleep, unless the next is to find them awake (CREW_STAY): an empty slice has no beginning outside the clocks.
 */
#ifndef CREW_H
#define CREW_H

#include "ffibench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* What a thread does, by its number; returns how many iterations it did. */
typedef uint64_t (*crew_work)(void *state, unsigned number);

enum crew_then { CREW_REST, CREW_STAY };

struct crew_member {
    struct crew *crew;
    pthread_t thread;
    unsigned number;
    uint64_t done;
};

struct crew {
    unsigned size;
    void *state;
    crew_work work;
    pthread_mutex_t mutex;
    pthread_cond_t call;        /* to those that sleep: the run `roused` is at hand */
    pthread_cond_t finish;      /* the last one has finished */
    unsigned long roused;
    unsigned finished;
    bool leaving;
    atomic_uint awake;          /* at the gate */
    atomic_ulong opened;        /* how often the gate was */
    struct crew_member members[];
};

static inline void crew_must(int status, const char *what)
{
    if (status != 0)
        ffibench_fail(what, strerror(status));
}

static inline void crew_lock(struct crew *crew)
{
    crew_must(pthread_mutex_lock(&crew->mutex), "pthread_mutex_lock");
}

static inline void crew_unlock(struct crew *crew)
{
    crew_must(pthread_mutex_unlock(&crew->mutex), "pthread_mutex_unlock");
}

static inline void *crew_serve(void *started)
{
    struct crew_member *member = started;
    struct crew *crew = member->crew;

    for (unsigned long run = 1;; run++) {
        crew_lock(crew);
        while (crew->roused < run && !crew->leaving)
            crew_must(pthread_cond_wait(&crew->call, &crew->mutex), "pthread_cond_wait");
        const bool leaving = crew->leaving;

        crew_unlock(crew);
        if (leaving)
            return NULL;
        atomic_fetch_add_explicit(&crew->awake, 1, memory_order_release);
        while (atomic_load_explicit(&crew->opened, memory_order_acquire) < run)
            (void)sched_yield();
        member->done = crew->work(crew->state, member->number);
        crew_lock(crew);
        if (++crew->finished == crew->size)
            crew_must(pthread_cond_signal(&crew->finish), "pthread_cond_signal");
        crew_unlock(crew);
    }
}

static inline uint64_t crew_no_work(void *state, unsigned number)
{
    (void)state;
    (void)number;
    return 0;
}

static inline struct crew *crew_open(unsigned size, void *state)
{
    struct crew *crew = calloc(1, sizeof *crew + size * sizeof crew->members[0]);

    if (crew == NULL)
        ffibench_fail("no memory for", "the threads");
    crew->size = size;
    crew->state = state;
    crew_must(pthread_mutex_init(&crew->mutex, NULL), "pthread_mutex_init");
    crew_must(pthread_cond_init(&crew->call, NULL), "pthread_cond_init");
    crew_must(pthread_cond_init(&crew->finish, NULL), "pthread_cond_init");
    for (unsigned number = 0; number < size; number++) {
        struct crew_member *member = &crew->members[number];

        member->crew = crew;
        member->number = number;
        const int status = pthread_create(&member->thread, NULL, crew_serve, member);

        if (status != 0) {
            char what[64];

            snprintf(what, sizeof what, "cannot start thread %u of %u", number + 1, size);
            ffibench_fail(what, strerror(status));
        }
    }
    return crew;
}

/* Returns when all threads are awake at the gate. */
static inline void crew_rouse(struct crew *crew)
{
    const unsigned long run = atomic_load_explicit(&crew->opened, memory_order_relaxed) + 1;

    crew_lock(crew);
    if (crew->roused < run) {
        crew->roused = run;
        crew_must(pthread_cond_broadcast(&crew->call), "pthread_cond_broadcast");
    }
    crew_unlock(crew);
    while (atomic_load_explicit(&crew->awake, memory_order_acquire) < crew->size)
        (void)sched_yield();
}

/* Opens the gate, waits for the last thread, and returns the sum of what they did. */
static inline uint64_t crew_run(struct crew *crew, crew_work work, enum crew_then then)
{
    uint64_t done = 0;

    crew_rouse(crew);
    crew->work = work;
    atomic_store_explicit(&crew->awake, 0, memory_order_relaxed);
    crew_lock(crew);
    crew->finished = 0;
    crew->roused += then == CREW_STAY;
    atomic_fetch_add_explicit(&crew->opened, 1, memory_order_release);
    while (crew->finished < crew->size)
        crew_must(pthread_cond_wait(&crew->finish, &crew->mutex), "pthread_cond_wait");
    crew_unlock(crew);
    for (unsigned number = 0; number < crew->size; number++)
        done += crew->members[number].done;
    return done;
}

static inline void crew_close(struct crew *crew)
{
    /* Those that were told to stay are past their sleep: through the gate once more, and no further. */
    if (crew->roused > atomic_load_explicit(&crew->opened, memory_order_relaxed))
        (void)crew_run(crew, crew_no_work, CREW_REST);
    crew_lock(crew);
    crew->leaving = true;
    crew_must(pthread_cond_broadcast(&crew->call), "pthread_cond_broadcast");
    crew_unlock(crew);
    for (unsigned number = 0; number < crew->size; number++)
        crew_must(pthread_join(crew->members[number].thread, NULL), "pthread_join");
    crew_must(pthread_cond_destroy(&crew->finish), "pthread_cond_destroy");
    crew_must(pthread_cond_destroy(&crew->call), "pthread_cond_destroy");
    crew_must(pthread_mutex_destroy(&crew->mutex), "pthread_mutex_destroy");
    free(crew);
}

#endif
