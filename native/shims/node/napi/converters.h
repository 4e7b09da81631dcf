/*
 * From values of JavaScript to those of C, and back.
 *
 * The functions `shim_as_TYPE` say whether a value is what C can be given; their caller throws. An integer of up to
 * 32 bits wraps around, as everywhere in JavaScript. One of 64 bits is a Number or a BigInt, and is exact or refused;
 * it is given as a BigInt.
 */
#ifndef SHIM_CONVERTERS_H
#define SHIM_CONVERTERS_H

#include <node_api.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A module needs those of its own parameters. */
#define SHIM __attribute__((unused)) static inline

#define SHIM_SAFE_MAX 9007199254740991.0 /* up to here each whole number is a Number of its own */

#define SHIM_NUMBER(name, type, carrier, kind) \
    SHIM bool shim_as_##name(napi_env env, napi_value given, type *value) \
    { \
        carrier number; \
        if (napi_get_value_##kind(env, given, &number) != napi_ok) \
            return false; \
        *value = (type)number; \
        return true; \
    } \
    SHIM napi_status shim_give_##name(napi_env env, type value, napi_value *given) \
    { \
        return napi_create_##kind(env, (carrier)value, given); \
    }

#define SHIM_WIDE(name, type, carrier, kind, lowest) \
    SHIM bool shim_as_##name(napi_env env, napi_value given, type *value) \
    { \
        double number; \
        carrier big; \
        bool lossless; \
        if (napi_get_value_double(env, given, &number) == napi_ok) { \
            if (!(number >= lowest && number <= SHIM_SAFE_MAX)) \
                return false; \
            *value = (type)number; \
            return (double)*value == number; \
        } \
        if (napi_get_value_bigint_##kind(env, given, &big, &lossless) != napi_ok || !lossless) \
            return false; \
        *value = (type)big; \
        return true; \
    } \
    SHIM napi_status shim_give_##name(napi_env env, type value, napi_value *given) \
    { \
        return napi_create_bigint_##kind(env, (carrier)value, given); \
    }

SHIM_NUMBER(char, char, int32_t, int32)
SHIM_NUMBER(signed_char, signed char, int32_t, int32)
SHIM_NUMBER(short, short, int32_t, int32)
SHIM_NUMBER(int, int, int32_t, int32)
SHIM_NUMBER(unsigned_char, unsigned char, uint32_t, uint32)
SHIM_NUMBER(unsigned_short, unsigned short, uint32_t, uint32)
SHIM_NUMBER(unsigned_int, unsigned int, uint32_t, uint32)
SHIM_NUMBER(float, float, double, double)
SHIM_NUMBER(double, double, double, double)
SHIM_NUMBER(long_double, long double, double, double)
SHIM_WIDE(long, long, int64_t, int64, -SHIM_SAFE_MAX)
SHIM_WIDE(long_long, long long, int64_t, int64, -SHIM_SAFE_MAX)
SHIM_WIDE(unsigned_long, unsigned long, uint64_t, uint64, 0)
SHIM_WIDE(unsigned_long_long, unsigned long long, uint64_t, uint64, 0)

SHIM bool shim_as__Bool(napi_env env, napi_value given, bool *value)
{
    return napi_get_value_bool(env, given, value) == napi_ok;
}

SHIM napi_status shim_give__Bool(napi_env env, bool value, napi_value *given)
{
    return napi_get_boolean(env, value, given);
}

SHIM bool shim_is_null(napi_env env, napi_value given)
{
    napi_valuetype type;

    return napi_typeof(env, given, &type) == napi_ok && (type == napi_null || type == napi_undefined);
}

/* An address is an external; one that was read from memory is a BigInt. */
SHIM bool shim_as_handle(napi_env env, napi_value given, void **value)
{
    uint64_t number;
    bool lossless;

    if (napi_get_value_external(env, given, value) == napi_ok)
        return true;
    if (napi_get_value_bigint_uint64(env, given, &number, &lossless) == napi_ok) {
        *value = (void *)(uintptr_t)number;
        return lossless;
    }
    *value = NULL;
    return shim_is_null(env, given);
}

SHIM napi_status shim_give_handle(napi_env env, const void *value, napi_value *given)
{
    return value == NULL ? napi_get_null(env, given) : napi_create_external(env, (void *)value, NULL, NULL, given);
}

/* The typed array's own memory, not a copy; its length is the caller's to give, as it is in C. */
SHIM bool shim_as_memory(napi_env env, napi_value given, void **value)
{
    size_t length;

    *value = NULL;
    return napi_get_buffer_info(env, given, value, &length) == napi_ok || shim_is_null(env, given);
}

SHIM bool shim_as_items(napi_env env, napi_value given, napi_typedarray_type wanted, void **value)
{
    napi_typedarray_type type;

    *value = NULL;
    if (napi_get_typedarray_info(env, given, &type, NULL, value, NULL, NULL) == napi_ok)
        return type == wanted;
    return shim_is_null(env, given);
}

/* A copy of a string, in `room` where that is enough, else in memory that shim_release frees. */
struct shim_text {
    char *memory;
    char room[256];
};

#define SHIM_CHARACTER_BYTES_MAX 4 /* so much of the room stays free where the next character would not fit */

/* Memory that holds a string is taken as it is. */
SHIM bool shim_as_text(napi_env env, napi_value given, struct shim_text *text, const void **value)
{
    void *memory;
    size_t length;

    if (napi_get_value_string_utf8(env, given, text->room, sizeof text->room, &length) != napi_ok) {
        const bool right = shim_as_memory(env, given, &memory);

        *value = memory;
        return right;
    }
    *value = text->room;
    if (length + SHIM_CHARACTER_BYTES_MAX < sizeof text->room)
        return true;
    if (napi_get_value_string_utf8(env, given, NULL, 0, &length) != napi_ok)
        return false;
    *value = text->memory = malloc(length + 1);
    return *value != NULL && napi_get_value_string_utf8(env, given, text->memory, length + 1, &length) == napi_ok;
}

SHIM void shim_release(struct shim_text *text)
{
    if (text->memory != NULL)
        free(text->memory);
}

SHIM napi_status shim_give_text(napi_env env, const char *value, napi_value *given)
{
    return value == NULL ? napi_get_null(env, given) : napi_create_string_utf8(env, value, NAPI_AUTO_LENGTH, given);
}

/* Throws; an exception that is there already, of a callback, stays. */
SHIM napi_value shim_refuse(napi_env env, const char *what)
{
    bool pending = false;

    if (napi_is_exception_pending(env, &pending) != napi_ok || !pending)
        (void)napi_throw_type_error(env, NULL, what);
    return NULL;
}

#endif
