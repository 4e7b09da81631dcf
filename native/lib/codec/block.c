/* Messages as a struct in one block. Numbers are copied, since a block may begin at any address. */
#include "codec_message.h"
#include "utf8.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the block is little-endian, and this machine is not"
#endif

struct span {
    uint32_t offset, count;
};

struct request_head {
    struct span message;
    int64_t number;
};

struct response_head {
    struct span first, second;
};

struct complex_head {
    struct span items, tags, note;
};

_Static_assert(sizeof(struct request_head) == 16 && sizeof(struct response_head) == 16, "as codec.h says");
_Static_assert(sizeof(struct complex_head) == 24 && sizeof(struct span) == 8, "as codec.h says");

size_t codec_block_size(int shape, const union codec_message *message)
{
    const struct codec_complex *complex = &message->complex;
    size_t size = sizeof(struct complex_head) + complex->note.length;

    switch (shape) {
    case CODEC_REQUEST:
        return sizeof(struct request_head) + message->request.message.length;
    case CODEC_RESPONSE:
        return sizeof(struct response_head) + message->response.first.length + message->response.second.length;
    case CODEC_COMPLEX:
        for (size_t place = 0; place < complex->item_count; place++)
            size += sizeof(struct request_head) + complex->items[place].message.length;
        for (size_t place = 0; place < complex->tag_count; place++)
            size += sizeof(struct span) + complex->tags[place].length;
        return size;
    default:
        return sizeof(struct span) + message->payload.length;
    }
}

/* Copies bytes to `*end` of the block, and returns where they lie. */
static struct span put(unsigned char *block, size_t *end, const void *bytes, size_t length)
{
    const struct span span = {.offset = (uint32_t)*end, .count = (uint32_t)length};

    if (length != 0)
        memcpy(block + *end, bytes, length);
    *end += length;
    return span;
}

static struct span put_text(unsigned char *block, size_t *end, const struct codec_text *text)
{
    return put(block, end, text->bytes, text->length);
}

static void put_complex(unsigned char *block, const struct codec_complex *complex)
{
    const size_t items = sizeof(struct complex_head);
    const size_t tags = items + complex->item_count * sizeof(struct request_head);
    size_t end = tags + complex->tag_count * sizeof(struct span);
    struct complex_head head = {
        .items = {.offset = (uint32_t)items, .count = (uint32_t)complex->item_count},
        .tags = {.offset = (uint32_t)tags, .count = (uint32_t)complex->tag_count},
    };

    for (size_t place = 0; place < complex->item_count; place++) {
        const struct codec_request *item = &complex->items[place];
        const struct request_head own = {put_text(block, &end, &item->message), item->number};
        memcpy(block + items + place * sizeof own, &own, sizeof own);
    }
    for (size_t place = 0; place < complex->tag_count; place++) {
        const struct span own = put_text(block, &end, &complex->tags[place]);
        memcpy(block + tags + place * sizeof own, &own, sizeof own);
    }
    if (complex->note.bytes != NULL)
        head.note = put_text(block, &end, &complex->note);
    memcpy(block, &head, sizeof head);
}

int64_t codec_encode_block(int shape, const union codec_message *message, void *memory, size_t size)
{
    const size_t taken = codec_block_size(shape, message);
    unsigned char *const block = memory;
    struct request_head request = {.number = message->request.number};
    struct response_head response;
    struct span payload;
    size_t end;

    if (taken > size || taken > UINT32_MAX)
        return CODEC_TOO_SMALL;
    switch (shape) {
    case CODEC_REQUEST:
        end = sizeof request;
        request.message = put_text(block, &end, &message->request.message);
        memcpy(block, &request, sizeof request);
        break;
    case CODEC_RESPONSE:
        end = sizeof response;
        response.first = put_text(block, &end, &message->response.first);
        response.second = put_text(block, &end, &message->response.second);
        memcpy(block, &response, sizeof response);
        break;
    case CODEC_COMPLEX:
        put_complex(block, &message->complex);
        break;
    case CODEC_PAYLOAD:
        end = sizeof payload;
        payload = put(block, &end, message->payload.bytes, message->payload.length);
        memcpy(block, &payload, sizeof payload);
        break;
    default:
        return CODEC_MALFORMED;
    }
    return (int64_t)taken;
}

/* Whether all elements of a span lie in the block. */
static bool inside(struct span span, size_t element_size, size_t length)
{
    return span.offset <= length && span.count <= (length - span.offset) / element_size;
}

static bool take_text(const unsigned char *block, size_t length, struct span span, struct codec_text *text)
{
    if (!inside(span, 1, length))
        return false;
    *text = (struct codec_text){.bytes = (const char *)block + span.offset, .length = span.count};
    return utf8_valid(text->bytes, text->length);
}

static bool take_request(const unsigned char *block, size_t length, size_t at, struct codec_request *request)
{
    struct request_head head;

    memcpy(&head, block + at, sizeof head);
    request->number = head.number;
    return take_text(block, length, head.message, &request->message);
}

static int take_complex(const unsigned char *block, size_t length, union codec_message *message)
{
    struct codec_complex *complex = &message->complex;
    struct complex_head head;
    bool good;

    *complex = (struct codec_complex){.owned = {NULL, NULL}};
    memcpy(&head, block, sizeof head);
    if (!inside(head.items, sizeof(struct request_head), length) || !inside(head.tags, sizeof(struct span), length))
        return CODEC_MALFORMED;
    complex->item_count = head.items.count;
    complex->tag_count = head.tags.count;
    const size_t item_bytes = complex->item_count * sizeof *complex->items;
    const size_t bytes = item_bytes + complex->tag_count * sizeof *complex->tags;
    if (bytes != 0) {
        unsigned char *const lists = malloc(bytes); /* one block for both */
        if (lists == NULL)
            return CODEC_NO_MEMORY;
        complex->owned[0] = lists;
        complex->items = (struct codec_request *)lists;
        complex->tags = (struct codec_text *)(lists + item_bytes);
    }
    good = head.note.offset == 0 || take_text(block, length, head.note, &complex->note);
    for (size_t place = 0; good && place < complex->item_count; place++)
        good = take_request(block, length, head.items.offset + place * sizeof(struct request_head),
                            &complex->items[place]);
    for (size_t place = 0; good && place < complex->tag_count; place++) {
        struct span span;
        memcpy(&span, block + head.tags.offset + place * sizeof span, sizeof span);
        good = take_text(block, length, span, &complex->tags[place]);
    }
    if (!good)
        codec_message_free(CODEC_COMPLEX, message);
    return good ? 0 : CODEC_MALFORMED;
}

int codec_decode_block(int shape, const void *bytes, size_t length, union codec_message *message)
{
    static const size_t heads[] = {
        sizeof(struct request_head), sizeof(struct response_head), sizeof(struct complex_head), sizeof(struct span)};
    const unsigned char *const block = bytes;
    struct response_head response;
    struct span payload;
    bool good = false;

    if (shape < CODEC_REQUEST || shape > CODEC_PAYLOAD || length < heads[shape])
        return CODEC_MALFORMED;
    switch (shape) {
    case CODEC_REQUEST:
        good = take_request(block, length, 0, &message->request);
        break;
    case CODEC_RESPONSE:
        memcpy(&response, block, sizeof response);
        good = take_text(block, length, response.first, &message->response.first) &&
               take_text(block, length, response.second, &message->response.second);
        break;
    case CODEC_COMPLEX:
        return take_complex(block, length, message);
    default:
        memcpy(&payload, block, sizeof payload);
        good = inside(payload, 1, length);
        message->payload = (struct codec_payload){.bytes = block + payload.offset, .length = payload.count};
        break;
    }
    return good ? 0 : CODEC_MALFORMED;
}
