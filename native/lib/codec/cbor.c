/* Messages as CBOR, by zcbor, which leaves UTF-8 unchecked. */
#include "codec_message.h"
#include "utf8.h"

#include <stdlib.h>
#include <zcbor_decode.h>
#include <zcbor_encode.h>

#define DEPTH 3               /* of lists in lists */
#define HEAD 9                /* bytes before a text or an element of a list, at the most */
#define ITEM_BYTES_MIN 3      /* of a request: a head each for it, its text and its number */

const char *codec_version(void)
{
    return "zcbor " ZCBOR_VERSION_STR;
}

static size_t text_bound(const struct codec_text *text)
{
    return HEAD + text->length;
}

static size_t request_bound(const struct codec_request *request)
{
    return 2 * HEAD + text_bound(&request->message);
}

size_t codec_cbor_bound(int shape, const union codec_message *message)
{
    size_t bound = HEAD;

    switch (shape) {
    case CODEC_REQUEST:
        return request_bound(&message->request);
    case CODEC_RESPONSE:
        return bound + text_bound(&message->response.first) + text_bound(&message->response.second);
    case CODEC_COMPLEX:
        bound += 2 * HEAD + text_bound(&message->complex.note);
        for (size_t place = 0; place < message->complex.item_count; place++)
            bound += request_bound(&message->complex.items[place]);
        for (size_t place = 0; place < message->complex.tag_count; place++)
            bound += text_bound(&message->complex.tags[place]);
        return bound;
    default:
        return bound + HEAD + message->payload.length;
    }
}

static bool put_text(zcbor_state_t *state, const struct codec_text *text)
{
    return zcbor_tstr_encode_ptr(state, text->bytes, text->length);
}

static bool put_request(zcbor_state_t *state, const struct codec_request *request)
{
    return zcbor_list_start_encode(state, 2) && put_text(state, &request->message) &&
           zcbor_int64_put(state, request->number) && zcbor_list_end_encode(state, 2);
}

static bool put_complex(zcbor_state_t *state, const struct codec_complex *complex)
{
    if (!zcbor_list_start_encode(state, 3) || !zcbor_list_start_encode(state, complex->item_count))
        return false;
    for (size_t place = 0; place < complex->item_count; place++)
        if (!put_request(state, &complex->items[place]))
            return false;
    if (!zcbor_list_end_encode(state, complex->item_count) || !zcbor_list_start_encode(state, complex->tag_count))
        return false;
    for (size_t place = 0; place < complex->tag_count; place++)
        if (!put_text(state, &complex->tags[place]))
            return false;
    if (!zcbor_list_end_encode(state, complex->tag_count))
        return false;
    const bool put = complex->note.bytes == NULL ? zcbor_nil_put(state, NULL) : put_text(state, &complex->note);
    return put && zcbor_list_end_encode(state, 3);
}

int64_t codec_encode_cbor(int shape, const union codec_message *message, void *memory, size_t size)
{
    ZCBOR_STATE_E(state, DEPTH, memory, size, 1);
    const struct codec_response *response = &message->response;
    const struct codec_payload *payload = &message->payload;
    bool done = false;

    switch (shape) {
    case CODEC_REQUEST:
        done = put_request(state, &message->request);
        break;
    case CODEC_RESPONSE:
        done = zcbor_list_start_encode(state, 2) && put_text(state, &response->first) &&
               put_text(state, &response->second) && zcbor_list_end_encode(state, 2);
        break;
    case CODEC_COMPLEX:
        done = put_complex(state, &message->complex);
        break;
    case CODEC_PAYLOAD:
        done = zcbor_list_start_encode(state, 1) &&
               zcbor_bstr_encode_ptr(state, (const char *)payload->bytes, payload->length) &&
               zcbor_list_end_encode(state, 1);
        break;
    default:
        return CODEC_MALFORMED;
    }
    return done ? state->payload - (const uint8_t *)memory : CODEC_TOO_SMALL;
}

static bool take_text(zcbor_state_t *state, struct codec_text *text)
{
    struct zcbor_string found;

    if (!zcbor_tstr_decode(state, &found) || !utf8_valid((const char *)found.value, found.len))
        return false;
    *text = (struct codec_text){.bytes = (const char *)found.value, .length = found.len};
    return true;
}

static bool take_request(zcbor_state_t *state, struct codec_request *request)
{
    return zcbor_list_start_decode(state) && take_text(state, &request->message) &&
           zcbor_int64_decode(state, &request->number) && zcbor_list_end_decode(state);
}

/* Begins a list. Its count is held against the bytes that are left before any memory is asked for. */
static int take_list(zcbor_state_t *state, size_t element_bytes, size_t element_size, void **elements, size_t *count)
{
    if (!zcbor_list_start_decode(state))
        return CODEC_MALFORMED;
    *count = state->elem_count;
    if (*count > (size_t)(state->payload_end - state->payload) / element_bytes)
        return CODEC_MALFORMED;
    *elements = *count == 0 ? NULL : malloc(*count * element_size);
    return *count == 0 || *elements != NULL ? 0 : CODEC_NO_MEMORY;
}

static int take_lists(zcbor_state_t *state, struct codec_complex *complex)
{
    int error = take_list(state, ITEM_BYTES_MIN, sizeof *complex->items, &complex->owned[0], &complex->item_count);

    complex->items = complex->owned[0];
    for (size_t place = 0; error == 0 && place < complex->item_count; place++)
        if (!take_request(state, &complex->items[place]))
            error = CODEC_MALFORMED;
    if (error == 0 && !zcbor_list_end_decode(state))
        error = CODEC_MALFORMED;
    if (error == 0)
        error = take_list(state, 1, sizeof *complex->tags, &complex->owned[1], &complex->tag_count);
    complex->tags = complex->owned[1];
    for (size_t place = 0; error == 0 && place < complex->tag_count; place++)
        if (!take_text(state, &complex->tags[place]))
            error = CODEC_MALFORMED;
    if (error == 0 && !zcbor_list_end_decode(state))
        error = CODEC_MALFORMED;
    return error;
}

static int take_complex(zcbor_state_t *state, union codec_message *message)
{
    struct codec_complex *complex = &message->complex;
    int error = CODEC_MALFORMED;

    *complex = (struct codec_complex){.owned = {NULL, NULL}};
    if (zcbor_list_start_decode(state))
        error = take_lists(state, complex);
    if (error == 0 && !zcbor_nil_expect(state, NULL) && !take_text(state, &complex->note))
        error = CODEC_MALFORMED;
    if (error == 0 && !zcbor_list_end_decode(state))
        error = CODEC_MALFORMED;
    if (error != 0)
        codec_message_free(CODEC_COMPLEX, message);
    return error;
}

int codec_decode_cbor(int shape, const void *bytes, size_t length, union codec_message *message)
{
    ZCBOR_STATE_D(state, DEPTH, bytes, length, 1, 0);
    struct zcbor_string found;
    int error = 0;
    bool done = false;

    switch (shape) {
    case CODEC_REQUEST:
        done = take_request(state, &message->request);
        break;
    case CODEC_RESPONSE:
        done = zcbor_list_start_decode(state) && take_text(state, &message->response.first) &&
               take_text(state, &message->response.second) && zcbor_list_end_decode(state);
        break;
    case CODEC_COMPLEX:
        error = take_complex(state, message);
        done = error == 0;
        break;
    case CODEC_PAYLOAD:
        done = zcbor_list_start_decode(state) && zcbor_bstr_decode(state, &found) && zcbor_list_end_decode(state);
        if (done)
            message->payload = (struct codec_payload){.bytes = found.value, .length = found.len};
        break;
    default:
        break;
    }
    if (done && state->payload != state->payload_end) {
        codec_message_free(shape, message);
        done = false;
    }
    return done ? 0 : error != 0 ? error : CODEC_MALFORMED;
}
