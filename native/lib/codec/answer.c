/* What is called across the boundary: decodes a message, changes it, and encodes it again. */
#include "codec_message.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define WARM_BYTES (256 << 20) /* of free memory that glibc keeps at the end of its heap */
#define MAPPED_BYTES (32 << 20) /* glibc maps each larger block for itself: it takes no higher limit */

static int64_t add_one(int64_t number)
{
    return (int64_t)((uint64_t)number + 1);
}

/* Makes the answer of a message. A payload's bytes are not its own, so that its answer is changed when it is there. */
static void change(int shape, union codec_message *message)
{
    if (shape == CODEC_REQUEST) {
        message->request.number = add_one(message->request.number);
    } else if (shape == CODEC_RESPONSE) {
        const struct codec_text first = message->response.first;
        message->response.first = message->response.second;
        message->response.second = first;
    } else if (shape == CODEC_COMPLEX) {
        for (size_t place = 0; place < message->complex.item_count; place++)
            message->complex.items[place].number = add_one(message->complex.items[place].number);
    }
}

/* Ends an answer: both ways have the bytes of a payload at its end. */
static int64_t ended(int shape, union codec_message *message, unsigned char *answer, int64_t length)
{
    if (shape == CODEC_PAYLOAD && length > 0 && message->payload.length > 0)
        answer[length - 1]++;
    codec_message_free(shape, message);
    return length;
}

static inline int64_t answered(int is_block, int shape, const void *request, size_t request_length, void *answer,
                               size_t answer_size)
{
    union codec_message message;
    const int error = is_block ? codec_decode_block(shape, request, request_length, &message)
                               : codec_decode_cbor(shape, request, request_length, &message);

    if (error != 0)
        return error;
    change(shape, &message);
    return ended(shape, &message, answer,
                 is_block ? codec_encode_block(shape, &message, answer, answer_size)
                          : codec_encode_cbor(shape, &message, answer, answer_size));
}

int64_t codec_answer_cbor(int shape, const void *request, size_t request_length, void *answer, size_t answer_size)
{
    return answered(0, shape, request, request_length, answer, answer_size);
}

int64_t codec_answer_block(int shape, const void *request, size_t request_length, void *answer, size_t answer_size)
{
    return answered(1, shape, request, request_length, answer, answer_size);
}

int64_t codec_check(int is_block, int shape, const void *request, size_t request_length, void *answer,
                    size_t answer_size)
{
    return answered(is_block, shape, request, request_length, answer, answer_size);
}

void codec_message_free(int shape, union codec_message *message)
{
    if (shape == CODEC_COMPLEX) {
        free(message->complex.owned[0]);
        free(message->complex.owned[1]);
    }
}

int codec_warm_heap(void)
{
#ifdef __GLIBC__
    return mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES) && mallopt(M_TRIM_THRESHOLD, WARM_BYTES) ? 0 : -1;
#else
    return -1;
#endif
}
