/* The messages of codec in C: those that are timed, and the fixtures that each slice is verified with. */
#ifndef CODEC_TIMED_H
#define CODEC_TIMED_H

#include "codec_message.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_NUMBER 100000
#define FIXTURES 3
#define SHORT_TEXT 16 /* of the second text of a response; from one message to the next up to 7 bytes more */
#define ODD_TEXT "\303\251\342\202\254\360\237\230\200" /* characters of two, three and four bytes */
#define ODD_TIMES 100
#define LONG_TEXT 300
#define ROTATED 8 /* messages in a row that differ, where a loop has them ready */

static inline struct codec_text text_of(const char *text)
{
    return (struct codec_text){.bytes = text, .length = strlen(text)};
}

static inline void *memory_of(size_t size)
{
    void *memory = malloc(size == 0 ? 1 : size);

    if (memory == NULL)
        abort();
    return memory;
}

static inline struct codec_text repeated(const char *text, size_t times)
{
    const size_t length = strlen(text);
    char *const bytes = memory_of(length * times);

    for (size_t time = 0; time < times; time++)
        memcpy(bytes + time * length, text, length);
    return (struct codec_text){.bytes = bytes, .length = length * times};
}

/* A message whose texts, lists and bytes live as long as the process; `size` is that of a payload. */
static inline union codec_message timed_message(int shape, size_t size)
{
    static struct codec_request items[3];
    static struct codec_text tags[4];
    union codec_message message = {.request = {text_of("hello from the other side"), FIRST_NUMBER}};

    if (shape == CODEC_RESPONSE) {
        message.response.first = text_of("status: everything is fine");
        message.response.second = repeated("x", SHORT_TEXT + ROTATED - 1);
    } else if (shape == CODEC_COMPLEX) {
        items[0] = (struct codec_request){text_of("first item"), FIRST_NUMBER};
        items[1] = (struct codec_request){text_of("second item"), 1};
        items[2] = (struct codec_request){text_of("third item"), -2};
        tags[0] = text_of("alpha");
        tags[1] = text_of("beta");
        tags[2] = text_of("gamma");
        tags[3] = text_of("delta");
        message.complex = (struct codec_complex){
            items, 3, tags, 4, text_of("a note, which may be absent"), {NULL, NULL}};
    } else if (shape == CODEC_PAYLOAD) {
        unsigned char *const bytes = memory_of(size);
        for (size_t place = 0; place < size; place++)
            bytes[place] = (unsigned char)(7 * place + 3);
        message.payload = (struct codec_payload){bytes, size};
    }
    return message;
}

/* Makes a timed message the one of an iteration. */
static inline void vary(int shape, union codec_message *message, uint64_t iteration)
{
    if (shape == CODEC_REQUEST)
        message->request.number = (int64_t)(FIRST_NUMBER + iteration);
    else if (shape == CODEC_RESPONSE)
        message->response.second.length = SHORT_TEXT + iteration % ROTATED;
    else if (shape == CODEC_COMPLEX)
        message->complex.items[0].number = (int64_t)(FIRST_NUMBER + iteration);
    else /* made by timed_message, of memory that is its own */
        ((unsigned char *)message->payload.bytes)[message->payload.length - 1] = (unsigned char)iteration;
}

/* What an iteration adds up of a message that was decoded. */
static inline uint64_t field_of(int shape, const union codec_message *message)
{
    if (shape == CODEC_REQUEST)
        return (uint64_t)message->request.number;
    if (shape == CODEC_RESPONSE)
        return message->response.first.length;
    if (shape == CODEC_COMPLEX)
        return (uint64_t)message->complex.items[0].number + message->complex.tag_count;
    return message->payload.bytes[message->payload.length - 1];
}

/* The fixtures: what is empty or absent, what is little, and extremes. */
static inline union codec_message fixture(int shape, int number)
{
    static struct codec_request little_items[1], many_items[ODD_TIMES];
    static struct codec_text little_tags[1], many_tags[ODD_TIMES];
    static unsigned char bytes[1024];
    union codec_message message;

    if (shape == CODEC_REQUEST) {
        const struct codec_request found[] = {
            {text_of(""), 0}, {text_of("a"), -1}, {repeated(ODD_TEXT, ODD_TIMES), INT64_MAX}};
        message.request = found[number];
    } else if (shape == CODEC_RESPONSE) {
        const struct codec_response found[] = {{text_of(""), text_of("")}, {text_of("a"), text_of("")},
                                               {repeated(ODD_TEXT, ODD_TIMES), repeated("z", LONG_TEXT)}};
        message.response = found[number];
    } else if (shape == CODEC_COMPLEX) {
        little_items[0] = (struct codec_request){text_of(""), 0};
        little_tags[0] = text_of("");
        for (int place = 0; place < ODD_TIMES; place++) {
            many_items[place] = (struct codec_request){text_of(ODD_TEXT), INT64_MIN};
            many_tags[place] = text_of(ODD_TEXT);
        }
        const struct codec_complex found[] = {
            {NULL, 0, NULL, 0, {NULL, 0}, {NULL, NULL}},
            {little_items, 1, little_tags, 1, {NULL, 0}, {NULL, NULL}},
            {many_items, ODD_TIMES, many_tags, ODD_TIMES, text_of(""), {NULL, NULL}},
        };
        message.complex = found[number];
    } else {
        for (size_t place = 0; place < sizeof bytes; place++)
            bytes[place] = (unsigned char)place;
        message.payload = (struct codec_payload){bytes, number == 0 ? 0 : number == 1 ? 1 : sizeof bytes};
    }
    return message;
}

#endif
