/*
 * Readings: what had been counted whenever one thread of the program read a clock.
 *
 * A worker reads the processor's clock and a monotonic clock around each timed loop. With the counts at these moments the
 * calls of each loop are known. All that take_reading does is safe in a handler of signals: it takes no memory and no
 * lock, and calls nothing but two system calls that cannot fail.
 */
#ifndef COUNT_READINGS_H
#define COUNT_READINGS_H

#include <time.h>

#include "session.h"
#include "thunks.h"

/* What programs call; the one of libc, whose other functions stay as they are. */
#define CLOCK_FUNCTION "clock_gettime"
#define CLOCK_LIBRARY "libc.so."

/* Whether this process takes readings: the first that was started, not the programs that it starts. */
static bool takes_readings;

/* The thread that takes readings, the first that reads the processor's clock. Its pointer is quick to compare, but
 * later threads may get the same one, and a forked process has it too. */
static uintptr_t reader_pointer;
static uint64_t reader_thread;
static bool is_reading; /* for a signal in take_reading, whose handler reads a clock */
static unsigned monotonic_kept; /* of the current run of readings of that clock: none, the first, or also the last */

static uint64_t reading_bytes(void)
{
    return sizeof(struct reading) + shared->export_count * sizeof(struct count);
}

static void claim_readings(void)
{
    const uint64_t process = system_process();
    uint64_t owner = 0;

    if (shared->readings == 0 || shared->readings + shared->readings_max * reading_bytes() > shared_mapped)
        return;
    takes_readings = __atomic_compare_exchange_n(&shared->readings_owner, &owner, process, false, __ATOMIC_RELAXED,
                                                 __ATOMIC_RELAXED) ||
                     owner == process; /* a program that this process executed in its place */
}

/* Whether a function of an object is the one that reads a clock that is to be seen. */
static bool reads_clock(const struct object *object, const char *function)
{
    return takes_readings && object_is_named(object, CLOCK_LIBRARY) && text_equal(function, CLOCK_FUNCTION);
}

/* Whether the calling thread is the one that takes readings; the first that reads the processor's clock becomes it. */
static bool is_reader(enum read_clock clock)
{
    const uintptr_t pointer = thread_pointer();
    uintptr_t reader = __atomic_load_n(&reader_pointer, __ATOMIC_RELAXED);

    if (reader == 0) {
        if (clock != READ_PROCESSOR || system_process() != shared->readings_owner ||
            !__atomic_compare_exchange_n(&reader_pointer, &reader, pointer, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return false;
        reader_thread = system_thread();
        return true;
    }
    return reader == pointer && reader_thread == system_thread();
}

/* Return where the next reading is written, or NULL where there is no room left. */
static struct reading *next_reading(enum read_clock clock)
{
    const uint64_t taken = shared->readings_taken;
    const bool again = clock == READ_MONOTONIC && monotonic_kept == 2;

    if (shared->readings_cut == 0 && !again && taken == shared->readings_max)
        shared->readings_cut = 1;
    if (shared->readings_cut != 0)
        return NULL;
    return shared_at(shared, shared->readings + (again ? taken - 1 : taken) * reading_bytes());
}

static void write_counts(struct count *counts)
{
    for (uint64_t i = 0; i < shared->export_count; i++)
        counts[i] = (struct count){0};
    for (uint64_t i = 0; i < shared_block_count(shared); i++) {
        const struct block *block = shared_block(shared, shared_mapped, i);

        if (block == NULL)
            continue;
        const struct exported *exported = shared_at(shared, block->exports);
        for (uint64_t j = 0; j < block->export_count; j++) {
            const struct counter *counter = shared_at(shared, exported[j].counter);
            struct count *count = &counts[exported[j].number];

            count->calls += __atomic_load_n(&counter->calls, __ATOMIC_RELAXED);
            count->sum += __atomic_load_n(&counter->sum, __ATOMIC_RELAXED);
            count->wrong += __atomic_load_n(&counter->wrong, __ATOMIC_RELAXED);
        }
    }
}

static enum read_clock read_clock_of(int id)
{
    switch (id) {
    case CLOCK_PROCESS_CPUTIME_ID:
        return READ_PROCESSOR;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
        return READ_MONOTONIC;
    default:
        return READ_OTHER;
    }
}

/* Called before the program reads a clock. Of successive readings of the monotonic clock the first and
 * the last are kept: some programs read it in a loop. */
static void take_reading(int id)
{
    const enum read_clock clock = read_clock_of(id);

    if (clock == READ_OTHER || !is_reader(clock) || is_reading)
        return;
    is_reading = true;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct reading *reading = next_reading(clock);
    if (reading != NULL) {
        write_counts(reading->counts);
        reading->clock = clock;
        if (clock != READ_MONOTONIC || monotonic_kept < 2)
            __atomic_store_n(&shared->readings_taken, shared->readings_taken + 1, __ATOMIC_RELEASE);
        monotonic_kept = clock != READ_MONOTONIC ? 0 : monotonic_kept < 2 ? monotonic_kept + 1 : 2;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    is_reading = false;
}

#endif
