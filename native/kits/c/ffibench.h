/*
 * The worker contract in C.
 *
 *     struct ffibench worker = ffibench_open(argc, argv);
 *     ... set up ...
 *     ffibench_ready("4.3.5");
 *     ffibench_case(&worker, "send", &loops, state);    once for each case
 *     ffibench_close();
 *     ... tear down, return 0 ...
 *
 * A mistake in the arguments or a failed loop is reported on standard error, with a non-zero exit status.
 */
#ifndef FFIBENCH_H
#define FFIBENCH_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Hides the value of an integer from the compiler, so that it cannot delete a test of it. */
#define FFIBENCH_OPAQUE(value) __asm__ volatile("" : "+r"(value))

/* Runs the iterations; returns how many it completed: fewer, where a return code was wrong. */
typedef uint64_t (*ffibench_loop)(void *state, uint64_t iterations);

/* Prints, as a JSON object, what a slice of `done` iterations did. Called outside the clocks. */
typedef void (*ffibench_receipt)(void *state, uint64_t done, FILE *out);

/* The loops of a case. */
struct ffibench_loops {
    ffibench_loop run;
    ffibench_loop empty;                                /* the same without the native call */
    ffibench_receipt receipt;
    void (*before)(void *state, uint64_t iterations);   /* or NULL; starts a slice, outside the clocks */
    void (*after)(void *state, uint64_t iterations);    /* or NULL; ends it, outside the clocks */
    ffibench_receipt figures;                           /* or NULL; extra figures of the slice */
};

struct ffibench {
    int argc;
    char **argv;
    unsigned long slices;
    uint64_t cold; /* iterations of a slice before the warm-up; 0: there is none */
    unsigned long warmup;
};

static inline void ffibench_fail(const char *what, const char *where)
{
    fprintf(stderr, "ffibench worker: %s: %s\n", what, where);
    exit(EXIT_FAILURE);
}

/* The value of the argument NAME=VALUE, or NULL where there is none. */
static inline const char *ffibench_find_option(const struct ffibench *worker, const char *name)
{
    const size_t length = strlen(name);

    for (int i = 1; i < worker->argc; i++)
        if (strncmp(worker->argv[i], name, length) == 0 && worker->argv[i][length] == '=')
            return worker->argv[i] + length + 1;
    return NULL;
}

/* The value of an argument that must be there. */
static inline const char *ffibench_option(const struct ffibench *worker, const char *name)
{
    const char *value = ffibench_find_option(worker, name);

    if (value == NULL)
        ffibench_fail("missing argument", name);
    return value;
}

static inline uint64_t ffibench_number(const char *text, char end)
{
    char *rest;
    const unsigned long long number = strtoull(text, &rest, 10);

    if (rest == text || *rest != end)
        ffibench_fail("not a number", text);
    return number;
}

static inline struct ffibench ffibench_open(int argc, char **argv)
{
    struct ffibench worker = {.argc = argc, .argv = argv};
    const char *cold = ffibench_find_option(&worker, "cold");

    worker.slices = (unsigned long)ffibench_number(ffibench_option(&worker, "slices"), '\0');
    worker.cold = cold == NULL ? 0 : ffibench_number(cold, '\0');
    worker.warmup = (unsigned long)ffibench_number(ffibench_option(&worker, "warmup"), '\0');
    return worker;
}

/*
 * Reports that the set-up is done, with the library's own version and, unless it is NULL, the address where it waits
 * for the roles that are started after it; then waits for `go`.
 */
static inline void ffibench_ready_at(const char *library_version, const char *endpoint)
{
    char line[8];

    printf("{\"ready\": {\"library\": \"%s\"", library_version);
    if (endpoint != NULL)
        printf(", \"endpoint\": \"%s\"", endpoint);
    printf("}}\n");
    if (fflush(stdout) != 0)
        ffibench_fail("cannot write", "standard output");
    if (fgets(line, sizeof line, stdin) == NULL || strcmp(line, "go\n") != 0)
        ffibench_fail("expected go on", "standard input");
}

static inline void ffibench_ready(const char *library_version)
{
    ffibench_ready_at(library_version, NULL);
}

static inline int64_t ffibench_clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        ffibench_fail("cannot read", "a clock");
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The iterations of a case: `cases` is NAME:ITERATIONS[,NAME:ITERATIONS ...]. 0: the case is not to be run. */
static inline uint64_t ffibench_iterations(const struct ffibench *worker, const char *name)
{
    const size_t length = strlen(name);
    const char *entry = ffibench_option(worker, "cases");

    while (entry != NULL) {
        const char *next = strchr(entry, ',');

        if (strncmp(entry, name, length) == 0 && entry[length] == ':')
            return ffibench_number(entry + length + 1, next == NULL ? '\0' : ',');
        entry = next == NULL ? NULL : next + 1;
    }
    return 0;
}

static inline void ffibench_slices(const char *name, const char *kind, unsigned long count, uint64_t iterations,
                                   const struct ffibench_loops *loops, void *state)
{
    const ffibench_loop loop = loops->run;

    for (unsigned long slice = 0; slice < count; slice++) {
        const int64_t begun = ffibench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);

        if (loops->before != NULL)
            loops->before(state, iterations);

        const int64_t cpu = ffibench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        const int64_t wall = ffibench_clock_ns(CLOCK_MONOTONIC);
        const uint64_t done = loop(state, iterations);
        const int64_t wall_ns = ffibench_clock_ns(CLOCK_MONOTONIC) - wall;
        const int64_t ended = ffibench_clock_ns(CLOCK_PROCESS_CPUTIME_ID);

        if (done != iterations)
            ffibench_fail("a return code was wrong in case", name);
        if (loops->after != NULL)
            loops->after(state, iterations);

        const int64_t around_ns = cpu - begun + ffibench_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - ended;

        printf("{\"case\": \"%s\", \"slice\": %lu, \"kind\": \"%s\", \"wall_ns\": %" PRId64
               ", \"cpu_ns\": %" PRId64,
               name, slice, kind, wall_ns, ended - cpu);
        if (loops->before != NULL || loops->after != NULL)
            printf(", \"around_ns\": %" PRId64, around_ns);
        if (loops->receipt != NULL) {
            printf(", \"receipt\": ");
            loops->receipt(state, done, stdout);
        }
        if (loops->figures != NULL) {
            printf(", \"figures\": ");
            loops->figures(state, done, stdout);
        }
        printf("}\n");
    }
}

/* Runs a case, where it was asked for: warm-up, timed slices, then the empty loop. */
static inline void ffibench_case(const struct ffibench *worker, const char *name,
                                 const struct ffibench_loops *loops, void *state)
{
    const uint64_t iterations = ffibench_iterations(worker, name);
    const struct ffibench_loops empty = {.run = loops->empty};

    if (iterations == 0)
        return;
    ffibench_slices(name, "cold", worker->cold > 0, worker->cold, loops, state);
    ffibench_slices(name, "warmup", worker->warmup, iterations, loops, state);
    ffibench_slices(name, "timed", worker->slices, iterations, loops, state);
    ffibench_slices(name, "empty", worker->slices, iterations, &empty, state);
    if (fflush(stdout) != 0)
        ffibench_fail("cannot write", "standard output");
}

/* Waits until standard input closes, so that the harness can read the live process. */
static inline void ffibench_close(void)
{
    while (getchar() != EOF)
        continue;
}

#endif
