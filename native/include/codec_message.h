/* codec: messages as values of C, and what encodes and decodes them, for the library and for a host in C. */
#ifndef CODEC_MESSAGE_H
#define CODEC_MESSAGE_H

#include "codec.h"

#ifdef __cplusplus
extern "C" {
#endif

struct codec_text {
    const char *bytes; /* without a NUL at its end */
    size_t length;
};

struct codec_request {
    struct codec_text message;
    int64_t number;
};

struct codec_response {
    struct codec_text first, second;
};

struct codec_complex {
    struct codec_request *items;
    size_t item_count;
    struct codec_text *tags;
    size_t tag_count;
    struct codec_text note; /* of none `bytes` is NULL */
    void *owned[2];         /* the memory of both lists, where a decoder made them */
};

struct codec_payload {
    const unsigned char *bytes;
    size_t length;
};

union codec_message {
    struct codec_request request;
    struct codec_response response;
    struct codec_complex complex;
    struct codec_payload payload;
};

/* The bytes that a message takes at the most as CBOR, and those that it takes as a block. */
CODEC_EXPORT size_t codec_cbor_bound(int shape, const union codec_message *message);
CODEC_EXPORT size_t codec_block_size(int shape, const union codec_message *message);

/* Encode a message into `size` bytes of memory. Return the length, or one of the errors. */
CODEC_EXPORT int64_t codec_encode_cbor(int shape, const union codec_message *message, void *memory, size_t size);
CODEC_EXPORT int64_t codec_encode_block(int shape, const union codec_message *message, void *memory, size_t size);

/* Decode a message, whose texts and bytes stay where they are. Return 0, or one of the errors. */
CODEC_EXPORT int codec_decode_cbor(int shape, const void *bytes, size_t length, union codec_message *message);
CODEC_EXPORT int codec_decode_block(int shape, const void *bytes, size_t length, union codec_message *message);

/* Frees the lists of a message that was decoded without an error. */
CODEC_EXPORT void codec_message_free(int shape, union codec_message *message);

#ifdef __cplusplus
}
#endif

#endif
