/* What a case of codec works on in C: its message, memory for requests and answers, what its loop leaves behind. */
#ifndef CODEC_BENCH_H
#define CODEC_BENCH_H

#include "_message.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum way { CBOR, BLOCK };

/* What a case does in each iteration, as bits; COPIES the bytes of a payload. */
enum { ENCODES = 1, CALLS = 2, DECODES = 4, COPIES = 8 };

struct steps {
    int shape;
    enum way way;
    int does;
};

struct digests {
    uint32_t requests, answers, fields;
};

struct bench {
    struct steps steps;
    size_t size; /* of a payload */
    union codec_message message, value; /* what is encoded, what was decoded */
    unsigned char *request, *answer, *made, *copied; /* `made` and `copied` by the last iteration */
    unsigned char *ready[ROTATED];                   /* answers to decode */
    size_t room, request_length, answer_length, made_length, ready_count, ready_length[ROTATED];
    uint64_t sum;
    struct digests digests;
    int refused;
};

static inline int64_t encode(enum way way, int shape, const union codec_message *message, void *memory, size_t size)
{
    return way == CBOR ? codec_encode_cbor(shape, message, memory, size)
                       : codec_encode_block(shape, message, memory, size);
}

static inline int decode(enum way way, int shape, const void *bytes, size_t length, union codec_message *message)
{
    return way == CBOR ? codec_decode_cbor(shape, bytes, length, message)
                       : codec_decode_block(shape, bytes, length, message);
}

static inline size_t bound(enum way way, int shape, const union codec_message *message)
{
    return way == CBOR ? codec_cbor_bound(shape, message) : codec_block_size(shape, message);
}

static inline size_t length_of(int64_t done, const char *what)
{
    if (done < 0) {
        fprintf(stderr, "codec: cannot %s a message: error %" PRId64 "\n", what, done);
        exit(EXIT_FAILURE);
    }
    return (size_t)done;
}

/* Encodes the message into memory of its own, and has it answered; `*room` is that of both. */
static inline unsigned char *encoded(struct steps steps, const union codec_message *message, size_t *length)
{
    const size_t room = bound(steps.way, steps.shape, message);
    unsigned char *const memory = memory_of(room);

    *length = length_of(encode(steps.way, steps.shape, message, memory, room), "encode");
    return memory;
}

/* Has a message answered outside of a loop; returns the length of the answer. */
static inline size_t answered(struct steps steps, const void *request, size_t length, void *answer, size_t room)
{
    const int is_block = steps.way == BLOCK;

    return length_of(codec_check(is_block, steps.shape, request, length, answer, room), "have answered");
}

static inline void open_bench(struct bench *bench)
{
    const struct steps steps = bench->steps;
    union codec_message largest = fixture(steps.shape, FIXTURES - 1);

    bench->message = timed_message(steps.shape, bench->size);
    bench->room = bound(steps.way, steps.shape, &largest) + bound(steps.way, steps.shape, &bench->message);
    bench->answer = memory_of(bench->room);
    vary(steps.shape, &bench->message, 0);
    bench->request = encoded(steps, &bench->message, &bench->request_length);
}

/* Has the answers made that a loop decodes: the one before was overwritten. */
static inline void make_ready(struct bench *bench)
{
    const struct steps steps = bench->steps;

    bench->ready_count = steps.shape == CODEC_PAYLOAD ? 1 : ROTATED; /* the byte of a payload is varied in place */
    for (size_t place = 0; place < bench->ready_count; place++) {
        size_t length;
        vary(steps.shape, &bench->message, place);
        unsigned char *const request = encoded(steps, &bench->message, &length);
        if (bench->ready[place] == NULL)
            bench->ready[place] = memory_of(bench->room);
        bench->ready_length[place] = answered(steps, request, length, bench->ready[place], bench->room);
        free(request);
    }
}

static inline void close_bench(struct bench *bench)
{
    codec_message_free(bench->steps.shape, &bench->value);
    for (size_t place = 0; place < bench->ready_count; place++)
        free(bench->ready[place]);
    free(bench->made);
    free(bench->copied);
    free(bench->request);
    free(bench->answer);
}

/* Makes the answer that is decoded next the one of an iteration. */
static inline void vary_answer(int shape, struct bench *bench, uint64_t iteration)
{
    if (shape == CODEC_PAYLOAD)
        bench->ready[0][bench->ready_length[0] - 1] = (unsigned char)(iteration % ROTATED + 1);
}

static inline void before(void *state, uint64_t iterations)
{
    struct bench *const bench = state;

    (void)iterations;
    if (bench->answer == NULL)
        open_bench(bench);
    if ((bench->steps.does & DECODES) && !(bench->steps.does & CALLS))
        make_ready(bench);
    free(bench->made);
    bench->made = NULL;
    bench->answer_length = 0;
}

#endif
