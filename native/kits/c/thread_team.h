/*
 * Threads behind one gate, for the duration of a case.
 *
 *     struct thread_team *team = team_open(threads, state);
 *     team_rouse(team);                        outside the clocks: wakes all, which wait at the gate
 *     done = team_run(team, work, TEAM_REST);  opens the gate; returns when all have returned from their work
 *     team_close(team);
 *
 * The threads are the same for every slice, timed or empty, so that no clock includes the start of one. Between slices
 * they sleep, unless they must be awake for the next (TEAM_STAY): an empty slice has no part outside the clocks where
 * they could be woken.
 */
#ifndef THREAD_TEAM_H
#define THREAD_TEAM_H

#include "ffibench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

/* The work of a thread, by its number; returns how many iterations it did. */
typedef uint64_t (*team_work)(void *state, unsigned number);

enum team_then { TEAM_REST, TEAM_STAY };

struct team_member {
    struct thread_team *team;
    pthread_t thread;
    unsigned number;
    uint64_t done;
};

struct thread_team {
    unsigned size;
    void *state;
    team_work work;
    pthread_mutex_t mutex;
    pthread_cond_t call;        /* wakes sleeping threads for the run `roused` */
    pthread_cond_t finish;      /* the last one has finished */
    unsigned long roused;
    unsigned finished;
    bool leaving;
    atomic_uint awake;          /* threads at the gate */
    atomic_ulong opened;        /* how often the gate was opened */
    struct team_member members[];
};

static inline void team_must(int status, const char *what)
{
    if (status != 0)
        ffibench_fail(what, strerror(status));
}

static inline void team_lock(struct thread_team *team)
{
    team_must(pthread_mutex_lock(&team->mutex), "pthread_mutex_lock");
}

static inline void team_unlock(struct thread_team *team)
{
    team_must(pthread_mutex_unlock(&team->mutex), "pthread_mutex_unlock");
}

static inline void *team_serve(void *started)
{
    struct team_member *member = started;
    struct thread_team *team = member->team;

    for (unsigned long run = 1;; run++) {
        team_lock(team);
        while (team->roused < run && !team->leaving)
            team_must(pthread_cond_wait(&team->call, &team->mutex), "pthread_cond_wait");
        const bool leaving = team->leaving;

        team_unlock(team);
        if (leaving)
            return NULL;
        atomic_fetch_add_explicit(&team->awake, 1, memory_order_release);
        while (atomic_load_explicit(&team->opened, memory_order_acquire) < run)
            (void)sched_yield();
        member->done = team->work(team->state, member->number);
        team_lock(team);
        if (++team->finished == team->size)
            team_must(pthread_cond_signal(&team->finish), "pthread_cond_signal");
        team_unlock(team);
    }
}

static inline uint64_t team_no_work(void *state, unsigned number)
{
    (void)state;
    (void)number;
    return 0;
}

static inline struct thread_team *team_open(unsigned size, void *state)
{
    struct thread_team *team = calloc(1, sizeof *team + size * sizeof team->members[0]);

    if (team == NULL)
        ffibench_fail("no memory for", "the threads");
    team->size = size;
    team->state = state;
    team_must(pthread_mutex_init(&team->mutex, NULL), "pthread_mutex_init");
    team_must(pthread_cond_init(&team->call, NULL), "pthread_cond_init");
    team_must(pthread_cond_init(&team->finish, NULL), "pthread_cond_init");
    for (unsigned number = 0; number < size; number++) {
        struct team_member *member = &team->members[number];

        member->team = team;
        member->number = number;
        const int status = pthread_create(&member->thread, NULL, team_serve, member);

        if (status != 0) {
            char what[64];

            snprintf(what, sizeof what, "cannot start thread %u of %u", number + 1, size);
            ffibench_fail(what, strerror(status));
        }
    }
    return team;
}

/* Wakes all threads; returns when they wait at the gate. */
static inline void team_rouse(struct thread_team *team)
{
    const unsigned long run = atomic_load_explicit(&team->opened, memory_order_relaxed) + 1;

    team_lock(team);
    if (team->roused < run) {
        team->roused = run;
        team_must(pthread_cond_broadcast(&team->call), "pthread_cond_broadcast");
    }
    team_unlock(team);
    while (atomic_load_explicit(&team->awake, memory_order_acquire) < team->size)
        (void)sched_yield();
}

/* Opens the gate, waits for the last thread, and returns the sum of what they did. */
static inline uint64_t team_run(struct thread_team *team, team_work work, enum team_then then)
{
    uint64_t done = 0;

    team_rouse(team);
    team->work = work;
    atomic_store_explicit(&team->awake, 0, memory_order_relaxed);
    team_lock(team);
    team->finished = 0;
    team->roused += then == TEAM_STAY;
    atomic_fetch_add_explicit(&team->opened, 1, memory_order_release);
    while (team->finished < team->size)
        team_must(pthread_cond_wait(&team->finish, &team->mutex), "pthread_cond_wait");
    team_unlock(team);
    for (unsigned number = 0; number < team->size; number++)
        done += team->members[number].done;
    return done;
}

static inline void team_close(struct thread_team *team)
{
    /* Threads with TEAM_STAY do not sleep: open the gate once more, so that they can exit. */
    if (team->roused > atomic_load_explicit(&team->opened, memory_order_relaxed))
        (void)team_run(team, team_no_work, TEAM_REST);
    team_lock(team);
    team->leaving = true;
    team_must(pthread_cond_broadcast(&team->call), "pthread_cond_broadcast");
    team_unlock(team);
    for (unsigned number = 0; number < team->size; number++)
        team_must(pthread_join(team->members[number].thread, NULL), "pthread_join");
    team_must(pthread_cond_destroy(&team->finish), "pthread_cond_destroy");
    team_must(pthread_cond_destroy(&team->call), "pthread_cond_destroy");
    team_must(pthread_mutex_destroy(&team->mutex), "pthread_mutex_destroy");
    free(team);
}

#endif
