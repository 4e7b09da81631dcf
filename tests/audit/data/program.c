/* Calls the subject in the way that its first argument names, and prints what it got. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

#define TIMES 1000

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(EXIT_FAILURE);
}

static void *find_or_fail(void *handle, const char *name)
{
    void *found = dlsym(handle, name);

    if (found == NULL)
        fail(dlerror());
    return found;
}

static void call(long (*volatile add)(long, long))
{
    long total = 0;

    for (int i = 0; i < TIMES; i++)
        total = add(total, i);
    printf("%ld\n", total);
}

static void *call_in_thread(void *unused)
{
    long total = 0;

    for (int i = 0; i < 100 * TIMES; i++)
        total = subject_add(total, 1);
    return total == 100 * TIMES ? unused : NULL;
}

/* A tail call: the library is entered again from a frame that it made itself. */
static long visit(long a) { return subject_wide(a, 0, 0, 0, 0, 1); }
static long visit_by_address(long a) { return subject_add(a, 1); }

static int add(void)
{
    long total = 0;

    for (int i = 0; i < TIMES; i++)
        total = subject_add(total, i);
    return printf("%ld\n", total) < 0;
}

static long (*volatile pointer)(long, long) = subject_add;

static int static_pointer(void)
{
    call(pointer);
    return 0;
}

static int alias(void)
{
    printf("%ld\n", subject_alias(subject_add(1, 2), 3));
    return 0;
}

static int versions(void)
{
    long (*old)(void) = (long (*)(void))dlvsym(RTLD_DEFAULT, "subject_versioned", "SUBJECT_1");

    if (old == NULL)
        fail(dlerror());
    printf("%ld %ld %ld\n", subject_versioned(), old(), old());
    return 0;
}

static int indirect(void)
{
    long (*volatile found)(long) = (long (*)(long))find_or_fail(RTLD_DEFAULT, "subject_indirect");

    printf("%ld %ld %ld\n", subject_indirect(1), subject_indirect(2), found(3));
    return 0;
}

/* The upper half of a register that carries an int is undefined: here it holds something. */
static int sums(void)
{
    int (*volatile narrow)(long, long, long, long, long, long) = (void *)subject_narrow;
    const long above = 0x5aL << 32;

    for (int i = 1; i <= TIMES; i++) {
        if (subject_wide(i, 10L * i, 100L * i, -i, 1L << 40, 7) == 0)
            return 1;
        if (narrow(i + above, 10L * i + above, 100L * i + above, above - i, 5 + above, 7 + above) == 0)
            return 1;
    }
    return 0;
}

static int shapes(void)
{
    char text[200];
    const struct pair both = subject_pair((struct pair){1, 0.5}, (struct pair){2, 0.25});
    const struct many nine = subject_many((struct many){{1, 2, 3, 4, 5, 6, 7, 8, 9}}, 2.0f);
    const int length = subject_format(text, sizeof text, "%d %g %s %ld %g %g %g %g %g %g %g %g %c", 1, 2.5, "three", 4L,
                                      5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 'x');

    printf("%d %s\n", length, text);
    printf("%ld %g %ld\n", both.whole, both.half, nine.values[8]);
    printf("%g\n", subject_mixed(0.5, -2, 1.5f, 4, 2.5, 'a', 3.5, -8, 4.5));
    return 0;
}

static int data(void)
{
    const int *const found = find_or_fail(RTLD_DEFAULT, "subject_state");

    printf("%d %s %d %d\n", subject_state, subject_text, subject_thread_state, *found);
    return 0;
}

static int error_number(void)
{
    errno = ENOENT;
    subject_add(1, 2);
    printf("%d", errno);
    subject_fails();
    printf(" %d\n", errno);
    return 0;
}

static int visited_by_address(void)
{
    printf("%ld\n", subject_visit(visit_by_address, TIMES));
    return 0;
}

static int address(void)
{
    long (*const found)(long, long) = (long (*)(long, long))find_or_fail(RTLD_DEFAULT, "subject_add");

    printf("%d %d %d\n", subject_is_add(subject_add), subject_is_add(pointer), subject_is_add(found));
    return 0;
}

static int handed_out(void)
{
    printf("%ld\n", subject_table()(1, 2));
    return 0;
}

static int visited(void)
{
    printf("%ld\n", subject_visit(visit, TIMES));
    return 0;
}

static int itself(void)
{
    for (int i = 0; i < 10; i++)
        printf("%ld\n", subject_itself(i));
    return 0;
}

static int threads(void)
{
    pthread_t started[4];
    int done = 0;

    for (int i = 0; i < 4; i++)
        if (pthread_create(&started[i], NULL, call_in_thread, &done) != 0)
            fail("pthread_create");
    for (int i = 0; i < 4; i++) {
        void *answer;

        pthread_join(started[i], &answer);
        done += answer == &done;
    }
    printf("%d\n", done);
    return 0;
}

static int forked(void)
{
    int status = 0;

    for (int i = 0; i < 3; i++)
        if (fork() == 0)
            _exit(add());
    while (wait(&status) > 0)
        if (status != 0)
            fail("a child failed");
    return add();
}

/* Mappings that are writable and executable at once, the next free descriptor, and the subject's protections. */
static int pages(void)
{
    char line[4200], protection[5];
    FILE *const file = fopen("/proc/self/maps", "r");
    int wrong = 0;

    subject_add(1, 2);
    if (file == NULL)
        fail("maps");
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%*s %4s", protection) != 1)
            fail(line);
        wrong += protection[1] == 'w' && protection[2] == 'x';
        if (strstr(line, "libsubject.so") != NULL)
            printf("%s ", protection);
    }
    printf("%d %d\n", wrong, fileno(file));
    return 0;
}

static const struct {
    const char *name;
    int (*run)(void);
} WAYS[] = {
    {"add", add},
    {"pointer", static_pointer},
    {"alias", alias},
    {"versions", versions},
    {"indirect", indirect},
    {"sums", sums},
    {"shapes", shapes},
    {"data", data},
    {"errno", error_number},
    {"visit", visited},
    {"visit by address", visited_by_address},
    {"address", address},
    {"handed out", handed_out},
    {"itself", itself},
    {"threads", threads},
    {"fork", forked},
    {"pages", pages},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof WAYS / sizeof *WAYS; i++)
        if (strcmp(WAYS[i].name, argv[1]) == 0)
            return WAYS[i].run();
    fail("no such way");
    return EXIT_FAILURE;
}
