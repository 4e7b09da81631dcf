/*
 * What all codecs of `schema` share; each is rendered from a .proto by codec.c.j2.
 *
 * A message is its fields in the order of the schema, one right behind the other, all numbers little-endian. What it
 * takes depends on nothing but the schema and the values, so every message has exactly one encoding:
 *
 *     numbers           4 or 8 bytes, whatever protobuf's encoding of them is; an enum is an int32
 *     bool              1 byte, 0 or 1
 *     string, bytes     u32 length, then as many bytes; a string is UTF-8
 *     repeated          u32 count, then the elements
 *     map               as a repeated message of key and value
 *     optional          1 byte, 0 or 1; then, if it is 1, the field. So is every message that is not repeated
 *     oneof             u32 number of the field that is set, then this field; 0 for none. It stands where the first of
 *                       its fields does
 *     message           its fields
 *
 * On the side of C a message is columns, as the rendered header lists them: plain values, and arrays with an entry for
 * each time that a field is there. Each byte of an encoding belongs to one entry of a column or to one plain value.
 * That is why the size of an encoding is a sum over columns, and why an encoder that was given room for this sum can
 * write without looking at its room again: whatever it writes, it takes from a column that has some left.
 *
 * A decoder trusts nothing: a count is compared with the bytes that are left before anything is done with it.
 */
#ifndef SCHEMA_RUNTIME_H
#define SCHEMA_RUNTIME_H

#include "../lib/codec/utf8.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the encoding is little-endian, and this machine is not"
#endif

/* No parameter that is named after a field begins with an underscore, as this does. */
#define SCHEMA_TRY(call)           \
    do {                           \
        const int _error = (call); \
        if (_error != 0)           \
            return _error;         \
    } while (0)

/* What is left of a message to decode. */
struct schema_bytes {
    const unsigned char *at;
    size_t left;
};

/* Whether a text is UTF-8. Most are ASCII, which a plain loop finds out faster. */
static inline bool schema_is_text(const unsigned char *at, size_t length)
{
    unsigned char all = 0;

    for (size_t place = 0; place < length; place++)
        all |= at[place];
    return all < 0x80 || utf8_valid((const char *)at, length);
}

/*
 * Whether a text that is not empty begins where a character does. If all texts of a column do, and the column is UTF-8,
 * each of them is: to look at a column once takes less time than to look at each of many short texts.
 */
static inline bool schema_begins(const unsigned char *text)
{
    return (text[0] & 0xC0) != 0x80;
}

/* Whether all flags are 0 or 1. */
static inline bool schema_are_flags(const uint8_t *at, size_t count)
{
    uint8_t all = 0;

    for (size_t place = 0; place < count; place++)
        all |= at[place];
    return all <= 1;
}

/* Adds what an array takes in an encoding. */
static inline int schema_add(uint64_t *size, size_t count, size_t element_size)
{
    if (count > UINT32_MAX)
        return SCHEMA_MALFORMED;
    *size += (uint64_t)count * element_size;
    return 0;
}

static inline int schema_skip(struct schema_bytes *in, size_t size)
{
    if (in->left < size)
        return SCHEMA_MALFORMED;
    if (size != 0)
        in->at += size;
    in->left -= size;
    return 0;
}

/* Skips flags, and makes sure that they are. */
static inline int schema_skip_flags(struct schema_bytes *in, size_t count)
{
    const unsigned char *const flags = in->at;

    SCHEMA_TRY(schema_skip(in, count));
    return schema_are_flags(flags, count) ? 0 : SCHEMA_MALFORMED;
}

/*
 * For each type of number a column to encode from, one to decode into, and:
 *
 *     put         writes a plain value
 *     many        writes so many of a column
 *     next        writes the next of a column, and says what it is
 *     take        decodes a plain value
 *     take_many   decodes so many into a column
 *     give        puts what was decoded into a column
 *
 * AS_IT_SHOULD says of what is written or decoded whether it may be.
 */
#define SCHEMA_NUMBER(NAME, TYPE, AS_IT_SHOULD)                                                                \
    struct schema_from_##NAME {                                                                                \
        const TYPE *at;                                                                                        \
        size_t left;                                                                                           \
    };                                                                                                         \
    struct schema_into_##NAME {                                                                                \
        TYPE *at;                                                                                              \
        size_t left;                                                                                           \
    };                                                                                                         \
    static inline int schema_put_##NAME(unsigned char **to, TYPE value)                                        \
    {                                                                                                          \
        memcpy(*to, &value, sizeof value);                                                                     \
        *to += sizeof value;                                                                                   \
        return AS_IT_SHOULD(&value, 1) ? 0 : SCHEMA_MALFORMED;                                                 \
    }                                                                                                          \
    static inline int schema_many_##NAME(unsigned char **to, struct schema_from_##NAME *column, size_t count)  \
    {                                                                                                          \
        if (count > column->left || !AS_IT_SHOULD(column->at, count))                                          \
            return SCHEMA_MALFORMED;                                                                           \
        if (count != 0) {                                                                                      \
            memcpy(*to, column->at, count * sizeof(TYPE));                                                     \
            *to += count * sizeof(TYPE);                                                                       \
            column->at += count;                                                                               \
            column->left -= count;                                                                             \
        }                                                                                                      \
        return 0;                                                                                              \
    }                                                                                                          \
    static inline int schema_next_##NAME(unsigned char **to, struct schema_from_##NAME *column, TYPE *value)   \
    {                                                                                                          \
        if (column->left == 0)                                                                                 \
            return SCHEMA_MALFORMED;                                                                           \
        *value = *column->at++;                                                                                \
        column->left--;                                                                                        \
        return schema_put_##NAME(to, *value);                                                                  \
    }                                                                                                          \
    static inline int schema_take_##NAME(struct schema_bytes *in, TYPE *value)                                 \
    {                                                                                                          \
        if (in->left < sizeof *value)                                                                          \
            return SCHEMA_MALFORMED;                                                                           \
        memcpy(value, in->at, sizeof *value);                                                                  \
        in->at += sizeof *value;                                                                               \
        in->left -= sizeof *value;                                                                             \
        return AS_IT_SHOULD(value, 1) ? 0 : SCHEMA_MALFORMED;                                                  \
    }                                                                                                          \
    static inline int schema_take_many_##NAME(struct schema_bytes *in, struct schema_into_##NAME *column,      \
                                              size_t count)                                                    \
    {                                                                                                          \
        if (count > in->left / sizeof(TYPE))                                                                   \
            return SCHEMA_MALFORMED;                                                                           \
        if (count > column->left)                                                                              \
            return SCHEMA_TOO_SMALL;                                                                           \
        if (count != 0) {                                                                                      \
            memcpy(column->at, in->at, count * sizeof(TYPE));                                                  \
            if (!AS_IT_SHOULD(column->at, count))                                                              \
                return SCHEMA_MALFORMED;                                                                       \
            in->at += count * sizeof(TYPE);                                                                    \
            in->left -= count * sizeof(TYPE);                                                                  \
            column->at += count;                                                                               \
            column->left -= count;                                                                             \
        }                                                                                                      \
        return 0;                                                                                              \
    }                                                                                                          \
    static inline int schema_give_##NAME(struct schema_into_##NAME *column, TYPE value)                        \
    {                                                                                                          \
        if (column->left == 0)                                                                                 \
            return SCHEMA_TOO_SMALL;                                                                           \
        *column->at++ = value;                                                                                 \
        column->left--;                                                                                        \
        return 0;                                                                                              \
    }

#define SCHEMA_ANY(at, count) ((void)(at), (void)(count), true)

SCHEMA_NUMBER(flag, uint8_t, schema_are_flags)
SCHEMA_NUMBER(u8, uint8_t, SCHEMA_ANY)
SCHEMA_NUMBER(i32, int32_t, SCHEMA_ANY)
SCHEMA_NUMBER(u32, uint32_t, SCHEMA_ANY)
SCHEMA_NUMBER(i64, int64_t, SCHEMA_ANY)
SCHEMA_NUMBER(u64, uint64_t, SCHEMA_ANY)
SCHEMA_NUMBER(f32, float, SCHEMA_ANY)
SCHEMA_NUMBER(f64, double, SCHEMA_ANY)

/* Takes a count of elements, of which each takes so many bytes or more: one at least. */
static inline int schema_take_count(struct schema_bytes *in, size_t least, uint32_t *count)
{
    SCHEMA_TRY(schema_take_u32(in, count));
    return *count > in->left / least ? SCHEMA_MALFORMED : 0;
}

/* Writes a text that stands once, which is a whole column. */
static inline int schema_put_text(unsigned char **to, struct schema_from_u8 *texts)
{
    SCHEMA_TRY(schema_put_u32(to, (uint32_t)texts->left));
    return schema_many_u8(to, texts, texts->left);
}

/* Writes the next bytes of a column, and its next text, whose column is UTF-8. */
static inline int schema_next_bytes(unsigned char **to, struct schema_from_u32 *lengths, struct schema_from_u8 *bytes)
{
    uint32_t length;

    SCHEMA_TRY(schema_next_u32(to, lengths, &length));
    return schema_many_u8(to, bytes, length);
}

static inline int schema_next_string(unsigned char **to, struct schema_from_u32 *lengths, struct schema_from_u8 *texts)
{
    const unsigned char *const text = texts->at;

    SCHEMA_TRY(schema_next_bytes(to, lengths, texts));
    return texts->at == text || schema_begins(text) ? 0 : SCHEMA_MALFORMED;
}

/* Decodes bytes or a text that stands once; a column of texts is looked at when it is complete. */
static inline int schema_take_text(struct schema_bytes *in, struct schema_into_u8 *texts)
{
    uint32_t length;

    SCHEMA_TRY(schema_take_count(in, 1, &length));
    return schema_take_many_u8(in, texts, length);
}

/* Decodes the next bytes of a column, and its next text. */
static inline int schema_take_bytes(struct schema_bytes *in, struct schema_into_u32 *lengths,
                                    struct schema_into_u8 *bytes)
{
    uint32_t length;

    SCHEMA_TRY(schema_take_count(in, 1, &length));
    SCHEMA_TRY(schema_give_u32(lengths, length));
    return schema_take_many_u8(in, bytes, length);
}

static inline int schema_take_string(struct schema_bytes *in, struct schema_into_u32 *lengths,
                                     struct schema_into_u8 *texts)
{
    const unsigned char *const text = texts->at;

    SCHEMA_TRY(schema_take_bytes(in, lengths, texts));
    return texts->at == text || schema_begins(text) ? 0 : SCHEMA_MALFORMED;
}

/* Looks at bytes or a text, and adds its length. */
static inline int schema_check_bytes(struct schema_bytes *in, size_t *total)
{
    uint32_t length;

    SCHEMA_TRY(schema_take_count(in, 1, &length));
    *total += length;
    return schema_skip(in, length);
}

static inline int schema_check_string(struct schema_bytes *in, size_t *total)
{
    uint32_t length;

    SCHEMA_TRY(schema_take_count(in, 1, &length));
    if (!schema_is_text(in->at, length))
        return SCHEMA_MALFORMED;
    *total += length;
    return schema_skip(in, length);
}

#endif
