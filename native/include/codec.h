/*
 * codec: one native function that is given a message and answers with one, as CBOR or as a struct in one block.
 *
 * A message has one of four shapes. As CBOR it is an array of its fields in this order, encoded canonically:
 *
 *     CODEC_REQUEST   [text message, int number]
 *     CODEC_RESPONSE  [text first, text second]
 *     CODEC_COMPLEX   [[request ...], [text ...], text or null note]
 *     CODEC_PAYLOAD   [bytes]
 *
 * As a block it begins with a header of little-endian numbers, and its texts and lists lie behind that, at offsets
 * from the beginning of the block. A text is (u32 offset, u32 length), a list (u32 offset, u32 count):
 *
 *     CODEC_REQUEST   text message, i64 number                     16 bytes
 *     CODEC_RESPONSE  text first, text second                      16 bytes
 *     CODEC_COMPLEX   list of requests, list of texts, text note   24 bytes; of no note the offset is 0
 *     CODEC_PAYLOAD   (u32 offset, u32 length)                      8 bytes
 *
 * An encoder lays out what the header names in the order of its fields: first the elements of both lists, then bytes.
 *
 * The answer is the message with every number one more (the highest becomes the lowest), the two texts of a response
 * exchanged, and the last byte of a payload one more. Texts are UTF-8, and whatever is not as it should be is refused.
 */
#ifndef CODEC_H
#define CODEC_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CODEC_EXPORT __attribute__((visibility("default")))
#else
#define CODEC_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define CODEC_REQUEST 0
#define CODEC_RESPONSE 1
#define CODEC_COMPLEX 2
#define CODEC_PAYLOAD 3

#define CODEC_MALFORMED (-1)
#define CODEC_TOO_SMALL (-2)
#define CODEC_NO_MEMORY (-3)

/* Decodes a request, encodes the answer into memory of the caller's. Returns its length, or one of the errors. */
CODEC_EXPORT int64_t codec_answer_cbor(int shape, const void *request, size_t request_length, void *answer,
                                       size_t answer_size);
CODEC_EXPORT int64_t codec_answer_block(int shape, const void *request, size_t request_length, void *answer,
                                        size_t answer_size);

/* The same for what verifies a loop and is none of its work: the calls of the two above are counted. */
CODEC_EXPORT int64_t codec_check(int is_block, int shape, const void *request, size_t request_length, void *answer,
                                 size_t answer_size);

/* Keeps freed memory in the process's heap from now on. Returns 0; -1 where malloc is not glibc's. */
CODEC_EXPORT int codec_warm_heap(void);

/* What encodes CBOR here, with its version: `zcbor 0.9.1`. */
CODEC_EXPORT const char *codec_version(void);

/* The CRC-32 of bytes that come after those of `before`, 0 for none. */
CODEC_EXPORT uint32_t codec_digest(uint32_t before, const void *bytes, size_t length);

#ifdef __cplusplus
}
#endif

#endif
