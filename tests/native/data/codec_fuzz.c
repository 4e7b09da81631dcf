/*
 * Bad messages for the library of codec, under the sanitizers: each lies in memory of its own length.
 *
 *     codec_fuzz SEED COUNT    draws and spoils messages; prints how many were decoded, and how many refused
 *     codec_fuzz < RECORDS     prints for each record what decoding it returns. A record is a shape, 1 for a block and
 *                              0 for CBOR, the length in four bytes, the lowest first, and the message
 *
 * Exit status 1 where the library contradicts itself.
 */
#include "codec_drawn.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHAPES 4

static void *memory_of(size_t size)
{
    void *memory = malloc(size); /* of its own length, so that nothing behind it is read without a finding */

    if (memory == NULL)
        abort();
    return memory;
}

static void require(bool kept, const char *what, int shape, bool is_block)
{
    if (kept)
        return;
    fprintf(stderr, "%s: shape %d as %s\n", what, shape, is_block ? "a block" : "CBOR");
    exit(EXIT_FAILURE);
}

static int decode(bool is_block, int shape, const void *bytes, size_t length, union codec_message *message)
{
    return is_block ? codec_decode_block(shape, bytes, length, message) : codec_decode_cbor(shape, bytes, length, message);
}

static int64_t encode(bool is_block, int shape, const union codec_message *message, void *memory, size_t size)
{
    return is_block ? codec_encode_block(shape, message, memory, size) : codec_encode_cbor(shape, message, memory, size);
}

static int64_t answer(bool is_block, int shape, const void *bytes, size_t length, void *memory, size_t size)
{
    return is_block ? codec_answer_block(shape, bytes, length, memory, size)
                    : codec_answer_cbor(shape, bytes, length, memory, size);
}

/* Encodes a message into memory of its length, and into one byte less. */
static unsigned char *encoded(bool is_block, int shape, const union codec_message *message, size_t *length)
{
    const size_t room = is_block ? codec_block_size(shape, message) : codec_cbor_bound(shape, message);
    unsigned char *bytes = memory_of(room), *exact;
    const int64_t taken = encode(is_block, shape, message, bytes, room);

    require(taken > 0 && (size_t)taken <= room, "what fits is not encoded", shape, is_block);
    exact = memory_of((size_t)taken);
    require(encode(is_block, shape, message, exact, (size_t)taken) == taken, "a length is too small", shape, is_block);
    require(memcmp(bytes, exact, (size_t)taken) == 0, "an encoding changes with the memory", shape, is_block);
    free(bytes);
    bytes = memory_of((size_t)taken - 1);
    require(encode(is_block, shape, message, bytes, (size_t)taken - 1) == CODEC_TOO_SMALL, "less is enough", shape, is_block);
    free(bytes);
    *length = (size_t)taken;
    return exact;
}

/* Encodes what was decoded in both ways, and again what that decodes to. There is one CBOR of a message. */
static void require_whole(bool is_block, int shape, const union codec_message *message, const void *bytes, size_t size)
{
    for (int way = 0; way < 2; way++) {
        size_t length, again;
        union codec_message found;
        unsigned char *const first = encoded(way, shape, message, &length);

        if (!is_block && !way)
            require(length == size && memcmp(first, bytes, size) == 0, "it is not canonical", shape, is_block);
        require(decode(way, shape, first, length, &found) == 0, "its own encoding is refused", shape, way);
        unsigned char *const second = encoded(way, shape, &found, &again);
        require(length == again && memcmp(first, second, length) == 0, "a message changes on its way", shape, way);
        codec_message_free(shape, &found);
        free(first);
        free(second);
    }
}

/* Has a message answered into memory of `room` bytes, and of every length about that of the answer. */
static int64_t answered(bool is_block, int shape, const void *bytes, size_t length, size_t room)
{
    unsigned char *const whole = memory_of(room);
    const int64_t taken = answer(is_block, shape, bytes, length, whole, room);

    require(taken <= (int64_t)room, "an answer is longer than its memory", shape, is_block);
    require(codec_check(is_block, shape, bytes, length, whole, room) == taken, "a check does other work", shape, is_block);
    for (int less = 0; less < 3 && taken >= less; less++) {
        unsigned char *const little = memory_of((size_t)(taken - less));
        const int64_t again = answer(is_block, shape, bytes, length, little, (size_t)(taken - less));
        require(again == (less == 0 ? taken : CODEC_TOO_SMALL), "memory for an answer is misjudged", shape, is_block);
        free(little);
    }
    if (taken > 0) {
        union codec_message message;
        require(decode(is_block, shape, whole, (size_t)taken, &message) == 0, "an answer is refused", shape, is_block);
        codec_message_free(shape, &message);
    }
    free(whole);
    return taken;
}

/* Returns what decoding returns. The message is given in memory of its own length. */
static int examine(bool is_block, int shape, const unsigned char *bytes, size_t length)
{
    unsigned char *const own = memory_of(length);
    union codec_message message;

    memset(&message, 0xA5, sizeof message);
    if (length > 0)
        memcpy(own, bytes, length);
    const int error = decode(is_block, shape, own, length, &message);
    size_t room = length;
    if (error == 0) /* texts of a block may lie in each other, so that an answer is longer; a number takes 8 bytes more */
        room = 8 + (is_block ? codec_block_size(shape, &message) : codec_cbor_bound(shape, &message));
    const int64_t taken = answered(is_block, shape, own, length, room);
    require(error == 0 || error == CODEC_MALFORMED, "there is no memory", shape, is_block);
    require(error == 0 ? taken > 0 : taken == error, "an answer and a decoder disagree", shape, is_block);
    if (error == 0) {
        require_whole(is_block, shape, &message, own, length);
        codec_message_free(shape, &message);
    }
    free(own);
    return error;
}

static void fuzz(uint64_t seed, unsigned long count)
{
    unsigned long decoded = 0;

    drawing = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (unsigned long number = 0; number < count; number++) {
        const int shape = (int)draw(SHAPES);
        const bool is_block = draw(2);
        const union codec_message message = drawn_message(shape);
        size_t length;
        unsigned char *const good = encoded(is_block, shape, &message, &length);
        unsigned char *const bad = memory_of(length + SPOILED_MAX * 9);

        require(examine(is_block, shape, good, length) == 0, "a good message is refused", shape, is_block);
        memcpy(bad, good, length);
        if (draw(8) == 0) /* nothing but noise */
            for (size_t place = 0; place < length; place++)
                bad[place] = (unsigned char)draw(256);
        for (int times = 0; times < SPOILED_MAX && (times == 0 || draw(3) == 0); times++)
            length = spoiled(bad, length);
        decoded += examine(is_block, shape, bad, length) == 0;
        decoded += examine(!is_block, (int)draw(SHAPES), bad, length) == 0;
        free(good);
        free(bad);
    }
    printf("%lu decoded, %lu refused\n", decoded, 2 * count - decoded);
}

static void take_records(void)
{
    unsigned char head[6];

    while (fread(head, sizeof head, 1, stdin) == 1) {
        const size_t length = head[2] | (size_t)head[3] << 8 | (size_t)head[4] << 16 | (size_t)head[5] << 24;
        unsigned char *const bytes = memory_of(length);

        if (length > 0 && fread(bytes, length, 1, stdin) != 1)
            exit(EXIT_FAILURE);
        printf("%d\n", examine(head[1], head[0], bytes, length));
        free(bytes);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3)
        fuzz(strtoull(argv[1], NULL, 10), strtoul(argv[2], NULL, 10));
    else
        take_records();
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
