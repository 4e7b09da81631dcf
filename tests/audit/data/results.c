/* Calls functions whose results are checked, in the way that its first argument names, and prints what it got. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results.h"

#define TIMES 1000
#define ABOVE (0x5aL << 32) /* the upper half of a register that has an int is undefined */

static const long VALUES[] = {0, 1, -1, 1L << 32, UINT_MAX, LONG_MIN, 7};

static jmp_buf back;

static void values(void)
{
    for (unsigned i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
        printf("%ld %ld\n", result_same(VALUES[i]), result_indirect(VALUES[i]));
}

/* In each position, and the more often the later it is, an argument that is equal to the result once, once in its lower
 * half alone, and once not. */
static void arguments(void)
{
    for (int position = 0; position < 6; position++)
        for (int each = 0; each < 3 * (position + 1); each++) {
            long a[6] = {1, 2, 3, 4, 5, 6};

            a[position] = (const long[]){7, 7 + ABOVE, 8}[each % 3];
            printf("%ld\n", result_seven(a[0], a[1], a[2], a[3], a[4], a[5]));
        }
}

static void shapes(void)
{
    for (long i = 0; i < 2; i++) { /* right and wrong */
        const struct two two = result_two(i, 2);
        const struct mixed mixed = result_mixed(0.5, i);
        const struct large large = result_large(i);

        printf("%ld %ld %ld %g %ld %ld\n", two.first, two.second, mixed.whole, mixed.half, large.values[0],
               large.values[8]);
        printf("%g %.9Lf\n", result_double(i, 2, 3, 4, 5, 6, 7, 8, 9, 10), result_long_double(i));
        errno = 0;
        printf("%d ", result_fails());
        printf("%d %ld\n", errno == EDOM, result_misaligned());
    }
}

static void *in_thread(void *unused)
{
    for (long i = 0; i < 100 * TIMES; i++)
        if (result_same(i % 4) != i % 4)
            exit(EXIT_FAILURE);
    return unused;
}

static void threads(void)
{
    pthread_t started[4];

    for (int i = 0; i < 4; i++)
        if (pthread_create(&started[i], NULL, in_thread, NULL) != 0)
            exit(EXIT_FAILURE);
    for (int i = 0; i < 4; i++)
        pthread_join(started[i], NULL);
}

static void forked(void)
{
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            result_same(i);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
}

/* Half of the calls are within one that is checked itself. */
static long again(long value) { return value < 20 ? result_visit(again, value + 1) : result_same(value); }
static long leave(long value) { longjmp(back, (int)value); }

static void nested(void) { printf("%ld\n", result_visit(again, 0)); }

static void left(void)
{
    for (volatile int i = 0; i < TIMES; i++)
        if (setjmp(back) == 0)
            result_visit(leave, 1);
    printf("%ld\n", result_visit(again, 20));
}

static void taken(void) { printf("%ld %ld\n", result_taken(1), result_by_address(2)); }

static const struct {
    const char *name;
    void (*run)(void);
} WAYS[] = {{"values", values}, {"arguments", arguments}, {"shapes", shapes}, {"threads", threads}, {"fork", forked},
            {"nested", nested}, {"left", left},           {"taken", taken}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof WAYS / sizeof *WAYS; i++)
        if (strcmp(WAYS[i].name, argv[1]) == 0) {
            WAYS[i].run();
            return EXIT_SUCCESS;
        }
    return EXIT_FAILURE;
}
