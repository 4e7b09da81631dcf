/*
 * A worker as the generated ones are, whose operation is an addition. So many threads as the argument `odd` says, the
 * first of them to be set up, leave one out in the second of its slices.
 */
#include "ffibench_threads.h"

enum { ODD_SLICE = 2 };

static unsigned odd_threads;
static atomic_uint set_up_threads;
static _Thread_local bool odd;
static _Thread_local unsigned slice;
static _Thread_local uint64_t additions;

static void addition_set_up(void)
{
    odd = atomic_fetch_add(&set_up_threads, 1) < odd_threads;
}

static uint64_t addition_run(void *state, uint64_t iterations)
{
    (void)state;
    slice++;
    additions = 0;
    for (uint64_t i = 0; i < iterations; i++)
        additions += !(odd && slice == ODD_SLICE && i == 0);
    return iterations;
}

static uint64_t addition_empty(void *state, uint64_t iterations)
{
    (void)state;
    return iterations;
}

static void addition_receipt(void *state, uint64_t done, FILE *out)
{
    (void)state;
    fprintf(out, "{\"operations\": %" PRIu64, done);
    ffibench_say_integer(out, "additions", additions);
    fputs("}", out);
}

static void addition_tear_down(void)
{
    fputs("torn down\n", stderr);
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    static const struct ffibench_operation operations[] = {
        {"addition", addition_set_up,
         {.run = addition_run, .empty = addition_empty, .receipt = addition_receipt}, addition_tear_down},
    };

    odd_threads = (unsigned)ffibench_number(ffibench_option(&worker, "odd"), '\0');
    ffibench_serve_threads(&worker, operations, sizeof operations / sizeof operations[0]);
    return EXIT_SUCCESS;
}
