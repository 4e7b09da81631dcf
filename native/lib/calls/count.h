/* How functions count themselves. */
#ifndef FFIBENCH_CALLS_COUNT_H
#define FFIBENCH_CALLS_COUNT_H

#include <stdint.h>

/*
 * Each thread has a count of its own: one that all share would be a race, or an atomic addition of several nanoseconds.
 * By the model `initial-exec` it lies at a fixed distance from the thread's own register; the default model of a shared
 * library calls a function for it.
 */
extern _Thread_local uint64_t calls_count __attribute__((tls_model("initial-exec"), visibility("hidden")));

#define COUNT() ((void)calls_count++)

#endif
