/* Reads clocks around loops of calls, as a worker does, in the way that its first argument names. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "subject.h"

#define SLICES 3

static volatile int ended;

static void read_clock(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        exit(EXIT_FAILURE);
}

/* Slice 1 of 100 calls, slice 2 of 200, and so on, with a burst of readings after every tenth, and of other clocks. */
static void slices(clockid_t monotonic)
{
    for (int slice = 1; slice <= SLICES; slice++) {
        read_clock(CLOCK_PROCESS_CPUTIME_ID);
        read_clock(monotonic);
        for (int i = 0; i < 100 * slice; i++) {
            subject_add(i, 1);
            for (int j = 0; i % 10 == 0 && j < 5; j++)
                read_clock(j % 2 ? CLOCK_REALTIME : monotonic);
        }
        read_clock(monotonic);
        read_clock(CLOCK_PROCESS_CPUTIME_ID);
        subject_add(0, 1000);
        subject_next();
    }
}

static void *slices_in_thread(void *unused)
{
    slices(CLOCK_MONOTONIC);
    return unused;
}

static void *read_clocks(void *unused)
{
    do {
        read_clock(CLOCK_PROCESS_CPUTIME_ID);
        read_clock(CLOCK_MONOTONIC);
    } while (!ended);
    return unused;
}

static void in_child(const char *program)
{
    const pid_t child = fork();
    int status;

    if (child == 0 && program == NULL) {
        slices(CLOCK_MONOTONIC);
        _exit(EXIT_SUCCESS);
    }
    if (child == 0)
        execl(program, program, "monotonic", NULL);
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(EXIT_FAILURE);
}

static void in_thread(void *(*run)(void *))
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, NULL) != 0 || pthread_join(thread, NULL) != 0)
        exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    const char *const way = argc < 2 ? "" : argv[1];
    pthread_t thread;

    for (int i = 0; i < 7; i++)
        subject_add(i, 1);
    read_clock(CLOCK_MONOTONIC); /* before the processor's clock: of no thread that takes readings */
    if (strcmp(way, "monotonic") == 0) {
        slices(CLOCK_MONOTONIC);
    } else if (strcmp(way, "raw") == 0) {
        slices(CLOCK_MONOTONIC_RAW);
    } else if (strcmp(way, "child before") == 0) {
        in_child(NULL);
        slices(CLOCK_MONOTONIC);
    } else if (strcmp(way, "child after") == 0) {
        slices(CLOCK_MONOTONIC);
        in_child(NULL);
    } else if (strcmp(way, "program") == 0) {
        slices(CLOCK_MONOTONIC);
        in_child(argv[0]);
    } else if (strcmp(way, "executed") == 0) {
        slices(CLOCK_MONOTONIC);
        execl(argv[0], argv[0], "monotonic", NULL);
    } else if (strcmp(way, "one after another") == 0) { /* the second thread is likely to get the memory of the first */
        in_thread(slices_in_thread);
        ended = 1;
        in_thread(read_clocks);
    } else if (strcmp(way, "threads") == 0) {
        read_clock(CLOCK_PROCESS_CPUTIME_ID);
        if (pthread_create(&thread, NULL, read_clocks, NULL) != 0)
            return EXIT_FAILURE;
        slices(CLOCK_MONOTONIC);
        ended = 1;
        pthread_join(thread, NULL);
    } else {
        return EXIT_FAILURE;
    }
    return printf("%d\n", subject_next()) < 0;
}
