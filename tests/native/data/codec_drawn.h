/* Messages of codec that are drawn, the same ones for a seed and a compiler, and ways to spoil their bytes. */
#ifndef CODEC_DRAWN_H
#define CODEC_DRAWN_H

#include "codec_message.h"

#include <stdbool.h>
#include <string.h>

#define ITEMS_MAX 20
#define TEXTS_MAX (2 * ITEMS_MAX + 3) /* of a message, and those that are drawn for no use */
#define TEXT_MAX 40 /* bytes */
#define SPOILED_MAX 4 /* times in a row */

static const char *const texts[] = {"", "a", "some text", "\303\251", "\342\202\254", "\360\237\230\200", "x\303\251y"};
static const uint32_t edges[] = {0, 1, 8, 16, 24, 0x7FFFFFFF, 0x80000000, 0x10000000, 0xFFFFFFF0, 0xFFFFFFFF};

static uint64_t drawing = 1;

/* A number below `end`, by xorshift. */
static uint64_t draw(uint64_t end)
{
    drawing ^= drawing << 13;
    drawing ^= drawing >> 7;
    drawing ^= drawing << 17;
    return (drawing >> 11) % end;
}

static struct codec_text drawn_text(void)
{
    static char runs[TEXTS_MAX][TEXT_MAX];
    static size_t run;
    const char *const text = texts[draw(sizeof texts / sizeof *texts)];
    const size_t length = strlen(text), times = length == 0 ? 0 : draw(TEXT_MAX / length + 1);
    char *const to = runs[run++ % TEXTS_MAX];

    for (size_t time = 0; time < times; time++)
        memcpy(to + time * length, text, length);
    return (struct codec_text){.bytes = to, .length = times * length};
}

static struct codec_request drawn_request(void)
{
    const uint64_t high = draw(2) ? draw(UINT64_C(1) << 32) : 0;

    return (struct codec_request){drawn_text(), (int64_t)(high << 32 | draw(UINT64_C(1) << (draw(33))))};
}

static union codec_message drawn_message(int shape)
{
    static struct codec_request items[ITEMS_MAX];
    static struct codec_text tags[ITEMS_MAX];
    union codec_message message = {.request = drawn_request()};

    if (shape == CODEC_RESPONSE) {
        message.response = (struct codec_response){drawn_text(), drawn_text()};
    } else if (shape == CODEC_COMPLEX) {
        const struct codec_text absent = {NULL, 0};
        for (size_t place = 0; place < ITEMS_MAX; place++) {
            items[place] = drawn_request();
            tags[place] = drawn_text();
        }
        message.complex = (struct codec_complex){
            items, draw(ITEMS_MAX), tags, draw(ITEMS_MAX), draw(2) ? absent : drawn_text(), {NULL, NULL}};
    } else if (shape == CODEC_PAYLOAD) {
        const struct codec_text text = drawn_text();
        message.payload = (struct codec_payload){(const unsigned char *)text.bytes, text.length};
    }
    return message;
}

/* Spoils a message in one of several ways; there is room behind it for what is put in. Returns its length. */
static size_t spoiled(unsigned char *bytes, size_t length)
{
    static const unsigned char heads[] = {0x1B, 0x3B, 0x5B, 0x7B, 0x9B, 0x9A, 0x99, 0x98, 0x9F, 0x7F, 0x5F, 0xBB, 0xDB, 0xFB};
    const size_t at = length == 0 ? 0 : draw(draw(2) && length > 4 ? 4 : length); /* heads are at the beginning */
    uint32_t number;

    switch (draw(6)) {
    case 0: /* a bit */
        if (length > 0)
            bytes[at] ^= (unsigned char)(1 << draw(8));
        return length;
    case 1: /* its end is cut off */
        return at;
    case 2: /* a number of a block's head, or of any four bytes */
        number = draw(2) ? edges[draw(sizeof edges / sizeof *edges)] : (uint32_t)(length + draw(5) - 2);
        if (length >= 4)
            memcpy(bytes + (draw(4) ? at / 4 * 4 % (length / 4 * 4) : draw(length - 3)), &number, sizeof number);
        return length;
    case 3: /* a head of CBOR with an absurd count */
        memmove(bytes + at + 9, bytes + at, length - at);
        bytes[at] = heads[draw(sizeof heads)];
        memset(bytes + at + 1, draw(2) ? 0 : 0xFF, 8);
        bytes[at + 1 + draw(8)] = (unsigned char)draw(256);
        return length + 9;
    case 4: /* a byte that is any */
        if (length > 0)
            bytes[at] = (unsigned char)draw(256);
        return length;
    default: /* a list in a list in a list */
        memmove(bytes + at + 4, bytes + at, length - at);
        memset(bytes + at, 0x81, 4);
        return length + 4;
    }
}

#endif
