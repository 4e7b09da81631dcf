/* What a receipt of codec says in C: the digests that the oracle works out too. */
#ifndef CODEC_RECEIPT_H
#define CODEC_RECEIPT_H

#include "_bench.h"

static inline uint32_t digest_number(uint32_t digest, const char *format, int64_t number)
{
    char text[32];
    const int length = snprintf(text, sizeof text, format, number);

    return codec_digest(digest, text, (size_t)length);
}

static inline uint32_t digest_text(uint32_t digest, const void *bytes, size_t length)
{
    digest = digest_number(digest, "%" PRId64 ":", (int64_t)length);
    return codec_digest(digest, bytes, length);
}

static inline uint32_t digest_request(uint32_t digest, const struct codec_request *request)
{
    digest = digest_number(digest, "%" PRId64 "[", 2);
    digest = digest_text(digest, request->message.bytes, request->message.length);
    return codec_digest(digest_number(digest, "%" PRId64 ";", request->number), "]", 1);
}

/* Digests the fields of a message, written out as `as_fields` of _oracle.py does. */
static inline uint32_t digest_fields(uint32_t digest, int shape, const union codec_message *message)
{
    const struct codec_complex *complex = &message->complex;

    if (shape == CODEC_REQUEST)
        return digest_request(digest, &message->request);
    if (shape == CODEC_RESPONSE) {
        digest = digest_number(digest, "%" PRId64 "[", 2);
        digest = digest_text(digest, message->response.first.bytes, message->response.first.length);
        digest = digest_text(digest, message->response.second.bytes, message->response.second.length);
    } else if (shape == CODEC_PAYLOAD) {
        digest = digest_number(digest, "%" PRId64 "[", 1);
        digest = digest_text(digest, message->payload.bytes, message->payload.length);
    } else {
        digest = digest_number(digest, "%" PRId64 "[", 3);
        digest = digest_number(digest, "%" PRId64 "[", (int64_t)complex->item_count);
        for (size_t place = 0; place < complex->item_count; place++)
            digest = digest_request(digest, &complex->items[place]);
        digest = digest_number(codec_digest(digest, "]", 1), "%" PRId64 "[", (int64_t)complex->tag_count);
        for (size_t place = 0; place < complex->tag_count; place++)
            digest = digest_text(digest, complex->tags[place].bytes, complex->tags[place].length);
        digest = codec_digest(digest, "]", 1);
        if (complex->note.bytes == NULL)
            digest = codec_digest(digest, "-", 1);
        else
            digest = digest_text(digest, complex->note.bytes, complex->note.length);
    }
    return codec_digest(digest, "]", 1);
}

/* Digests a request and its answer; then what was decoded of it. */
static inline void add_bytes(struct digests *digests, const void *request, size_t length, const void *answer,
                             size_t answer_length)
{
    digests->requests = codec_digest(digests->requests, request, length);
    digests->answers = codec_digest(digests->answers, answer, answer_length);
}

static inline void add_fixtures(struct digests *digests, struct steps steps, unsigned char *answer, size_t room)
{
    for (int number = 0; number < FIXTURES; number++) {
        const union codec_message message = fixture(steps.shape, number);
        union codec_message value;
        size_t length;
        unsigned char *const request = encoded(steps, &message, &length);
        const size_t taken = answered(steps, request, length, answer, room);

        length_of(decode(steps.way, steps.shape, answer, taken, &value), "decode");
        add_bytes(digests, request, length, answer, taken);
        digests->fields = digest_fields(digests->fields, steps.shape, &value);
        codec_message_free(steps.shape, &value);
        free(request);
    }
}

/* The bad messages that are refused: a text that is not UTF-8, and a message that ends too soon. */
static inline int refused(enum way way)
{
    const union codec_message message = {.request = {text_of("a text"), 1}};
    const struct steps steps = {.shape = CODEC_REQUEST, .way = way};
    union codec_message value;
    unsigned char answer[64];
    size_t length;
    unsigned char *const request = encoded(steps, &message, &length);
    int found = (decode(way, CODEC_REQUEST, request, length - 1, &value) < 0) +
                (codec_check(way == BLOCK, CODEC_REQUEST, request, length - 1, answer, sizeof answer) < 0);

    *(unsigned char *)memchr(request, 't', length) = 0xFF;
    found += (decode(way, CODEC_REQUEST, request, length, &value) < 0) +
             (codec_check(way == BLOCK, CODEC_REQUEST, request, length, answer, sizeof answer) < 0);
    free(request);
    return found;
}

/* Digests the fixtures, and what the loop left of its last message. */
static inline void after(void *state, uint64_t iterations)
{
    struct bench *const bench = state;
    const struct steps steps = bench->steps;
    struct digests digests = {0, 0, 0};
    unsigned char *const room = memory_of(bench->room);
    const unsigned char *request = bench->made, *answer = bench->answer;
    size_t length = bench->made_length, answer_length = bench->answer_length;
    union codec_message value;

    add_fixtures(&digests, steps, room, bench->room);
    if (!(steps.does & ENCODES)) {
        vary(steps.shape, &bench->message, steps.does & DECODES ? (iterations - 1) % ROTATED : 0);
        free(bench->made);
        bench->made = encoded(steps, &bench->message, &length);
        request = bench->made;
    }
    if (!(steps.does & CALLS)) {
        answer = room;
        answer_length = answered(steps, request, length, room, bench->room);
    }
    add_bytes(&digests, request, length, answer, answer_length);
    if (steps.does & DECODES) {
        /* What was copied must not change with what it was copied from. */
        if (steps.does & COPIES)
            memset(steps.does & CALLS ? bench->answer : bench->ready[0], 0xA5, bench->room);
        digests.fields = digest_fields(digests.fields, steps.shape, &bench->value);
    } else {
        length_of(decode(steps.way, steps.shape, answer, answer_length, &value), "decode");
        digests.fields = digest_fields(digests.fields, steps.shape, &value);
        codec_message_free(steps.shape, &value);
    }
    free(room);
    bench->digests = digests;
    bench->refused = refused(steps.way);
}

static inline void receipt(void *state, uint64_t done, FILE *out)
{
    const struct bench *const bench = state;
    const struct digests digests = bench->digests;

    fprintf(out,
            "{\"messages\": %" PRIu64 ", \"sum\": %" PRIu64 ", \"requests\": %" PRIu32 ", \"answers\": %" PRIu32
            ", \"fields\": %" PRIu32 ", \"refused\": %d}",
            done, bench->sum, digests.requests, digests.answers, digests.fields, bench->refused);
}

#endif
