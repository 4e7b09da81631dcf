/* The baseline of tally. */

#include "ffibench.h"
#include "tally.h"

struct tally {
    unsigned char bytes[1000];
    size_t size;
};

static uint64_t run(void *state, uint64_t iterations)
{
    const struct tally *tally = state;

    for (uint64_t i = 0; i < iterations; i++)
        if (tally_sum(tally->bytes, tally->size) != tally->size)
            return i;
    return iterations;
}

static uint64_t empty(void *state, uint64_t iterations)
{
    const struct tally *tally = state;

    for (uint64_t i = 0; i < iterations; i++) {
        size_t sum = tally->size;
        FFIBENCH_OPAQUE(sum);
        if (sum != tally->size)
            return i;
    }
    return iterations;
}

static void receipt(void *state, uint64_t done, FILE *out)
{
    (void)state;
    fprintf(out, "{\"calls\": %llu}", (unsigned long long)done);
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    struct tally few = {.size = (size_t)ffibench_number(ffibench_option(&worker, "size"), '\0')};
    struct tally none = {.size = 0};

    memset(few.bytes, 1, sizeof few.bytes);
    ffibench_ready("1.0");
    const struct ffibench_loops loops = {.run = run, .empty = empty, .receipt = receipt};
    ffibench_case(&worker, "few", &loops, &few);
    ffibench_case(&worker, "none", &loops, &none);
    ffibench_close();
    return EXIT_SUCCESS;
}
