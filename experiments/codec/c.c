/*
 * codec in C, the baseline: the host calls the encoders and decoders that the library itself has. What it decodes
 * points into the answer, but for the bytes of a payload where a case copies them.
 */

#include "_receipt.h"
#include "ffibench.h"

#include <stdio.h>

static inline int64_t call(enum way way, int shape, const void *request, size_t length, void *answer, size_t room)
{
    return way == CBOR ? codec_answer_cbor(shape, request, length, answer, room)
                       : codec_answer_block(shape, request, length, answer, room);
}

/* One turn of a loop. What it makes is kept until the next turn has made its own, as in languages that collect. */
static inline __attribute__((always_inline)) bool turn(struct bench *bench, uint64_t iteration, struct steps steps)
{
    const unsigned char *request = bench->request, *answer = bench->answer;
    size_t length = bench->request_length, answer_length;
    int64_t done;

    if (steps.does & ENCODES) {
        vary(steps.shape, &bench->message, iteration);
        const size_t room = bound(steps.way, steps.shape, &bench->message);
        unsigned char *const memory = malloc(room);
        if (memory == NULL || (done = encode(steps.way, steps.shape, &bench->message, memory, room)) < 0)
            return false;
        free(bench->made);
        request = bench->made = memory;
        length = bench->made_length = (size_t)done;
    }
    if (steps.does & CALLS) {
        if ((done = call(steps.way, steps.shape, request, length, bench->answer, bench->room)) < 0)
            return false;
        bench->answer_length = (size_t)done;
    }
    if (!(steps.does & DECODES)) {
        bench->sum += steps.does & CALLS ? bench->answer_length : length;
        return true;
    }
    if (steps.does & CALLS) {
        answer_length = bench->answer_length;
    } else {
        vary_answer(steps.shape, bench, iteration);
        answer = bench->ready[iteration % bench->ready_count];
        answer_length = bench->ready_length[iteration % bench->ready_count];
    }
    union codec_message value;
    if (decode(steps.way, steps.shape, answer, answer_length, &value) != 0)
        return false;
    if (steps.does & COPIES) {
        unsigned char *const memory = malloc(value.payload.length);
        if (memory == NULL)
            return false;
        memcpy(memory, value.payload.bytes, value.payload.length);
        /* Without it the compiler deletes a copy of which one byte is read. */
        __asm__ volatile("" : : "r"(memory) : "memory");
        free(bench->copied);
        value.payload.bytes = bench->copied = memory;
    }
    codec_message_free(steps.shape, &bench->value);
    bench->value = value;
    bench->sum += field_of(steps.shape, &value);
    return true;
}

static inline __attribute__((always_inline)) uint64_t loop(void *state, uint64_t iterations, struct steps steps)
{
    struct bench *const bench = state;

    bench->sum = 0;
    for (uint64_t iteration = 0; iteration < iterations; iteration++)
        if (!turn(bench, iteration, steps))
            return iteration;
    return iterations;
}

/* Makes what iterations are given, a message or an answer that is ready, and nothing of it. */
static inline __attribute__((always_inline)) uint64_t nothing(void *state, uint64_t iterations, struct steps steps)
{
    struct bench *const bench = state;

    for (uint64_t iteration = 0; iteration < iterations; iteration++) {
        int64_t done = (int64_t)bench->room;
        if (steps.does & ENCODES)
            vary(steps.shape, &bench->message, iteration);
        else if (!(steps.does & CALLS))
            vary_answer(steps.shape, bench, iteration);
        FFIBENCH_OPAQUE(done);
        if (done < 0)
            return iteration;
        bench->sum += (uint64_t)done;
    }
    return iterations;
}

#define TOTAL (ENCODES | CALLS | DECODES)

#define FOUR(X, name, shape, way, copies) \
    X(name##_encode, shape, way, ENCODES) \
    X(name##_call, shape, way, CALLS) \
    X(name##_decode, shape, way, DECODES | (copies)) \
    X(name##_total, shape, way, TOTAL | (copies))

#define EIGHT(X, name, shape, copies) \
    FOUR(X, name##_cbor, shape, CBOR, copies) \
    FOUR(X, name##_struct, shape, BLOCK, copies)

/* Those with the heap as it is come first: it stays warm once it is. */
#define CASES(X) \
    X(payload_cbor_total_default_heap, CODEC_PAYLOAD, CBOR, TOTAL | COPIES) \
    X(payload_struct_total_default_heap, CODEC_PAYLOAD, BLOCK, TOTAL | COPIES) \
    EIGHT(X, request, CODEC_REQUEST, 0) \
    EIGHT(X, response, CODEC_RESPONSE, 0) \
    EIGHT(X, complex, CODEC_COMPLEX, 0) \
    EIGHT(X, payload, CODEC_PAYLOAD, COPIES) \
    X(payload_struct_decode_view, CODEC_PAYLOAD, BLOCK, DECODES) \
    X(payload_struct_total_view, CODEC_PAYLOAD, BLOCK, TOTAL)

#define LOOPS(name, shape, way, does) \
    static uint64_t run_##name(void *state, uint64_t iterations) \
    { \
        return loop(state, iterations, (struct steps){shape, way, does}); \
    } \
    static uint64_t empty_##name(void *state, uint64_t iterations) \
    { \
        return nothing(state, iterations, (struct steps){shape, way, does}); \
    }
CASES(LOOPS)

static void run_case(const struct ffibench *worker, const char *name, size_t size, struct steps steps,
                     ffibench_loop run, ffibench_loop empty)
{
    const struct ffibench_loops loops = {
        .run = run, .empty = empty, .before = before, .after = after, .receipt = receipt};
    struct bench bench = {.steps = steps, .size = size};

    if (ffibench_iterations(worker, name) == 0)
        return;
    if (strstr(name, "default_heap") == NULL && codec_warm_heap() != 0)
        ffibench_fail("the heap cannot be kept warm: malloc is not glibc's, in case", name);
    ffibench_case(worker, name, &loops, &bench);
    close_bench(&bench);
}

int main(int argc, char **argv)
{
    const struct ffibench worker = ffibench_open(argc, argv);
    const size_t size = ffibench_number(ffibench_option(&worker, "size"), '\0');

    ffibench_ready(codec_version());
#define RUN(name, shape, way, does) \
    run_case(&worker, #name, size, (struct steps){shape, way, does}, run_##name, empty_##name);
    CASES(RUN)
    ffibench_close();
    return EXIT_SUCCESS;
}
