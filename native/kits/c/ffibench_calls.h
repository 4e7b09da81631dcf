/*
 * What generated loops and the oracle have in common: memory that is filled, arguments that the compiler knows nothing
 * of, and answers as exact text. Floating-point numbers are written as the 16 hexadecimal digits of their bits, texts
 * and memory as the hexadecimal digits of their bytes.
 */
#ifndef FFIBENCH_KIT_CALLS_H
#define FFIBENCH_KIT_CALLS_H

#include "ffibench.h"

/* As FFIBENCH_OPAQUE, of a floating-point number in its own register, and of what lies in memory. */
#if defined __x86_64__
#define FFIBENCH_OPAQUE_REAL(value) __asm__ volatile("" : "+x"(value))
#elif defined __aarch64__
#define FFIBENCH_OPAQUE_REAL(value) __asm__ volatile("" : "+w"(value))
#else
#define FFIBENCH_OPAQUE_REAL(value) FFIBENCH_OPAQUE_MEMORY(value)
#endif
#define FFIBENCH_OPAQUE_MEMORY(value) __asm__ volatile("" : "+m"(value))

/* What memory holds is unknown from here on, so that no call can be made once for all iterations. */
#define FFIBENCH_CLOBBER() __asm__ volatile("" ::: "memory")

/* Of memory that is longer so many bytes are compared, spread evenly. */
#define FFIBENCH_MEMORY_BYTES_MAX 64

/* Fills memory with a pattern that repeats. */
static inline void ffibench_fill(unsigned char *memory, size_t size, const char *pattern, size_t length)
{
    for (size_t each = 0; each < size; each++)
        memory[each] = (unsigned char)pattern[each % length];
}

static inline void ffibench_write_hex(FILE *out, const unsigned char *memory, size_t size)
{
    for (size_t each = 0; each < size; each++)
        fprintf(out, "%02x", memory[each]);
}

static inline void ffibench_write_text(FILE *out, const char *text)
{
    if (text == NULL)
        fputs("NULL", out);
    else
        ffibench_write_hex(out, (const unsigned char *)text, strlen(text));
}

static inline void ffibench_write_real(FILE *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    fprintf(out, "%016" PRIx64, bits);
}

static inline void ffibench_write_memory(FILE *out, const void *memory, size_t size)
{
    const unsigned char *const bytes = memory;
    const size_t last = FFIBENCH_MEMORY_BYTES_MAX - 1;

    if (size <= FFIBENCH_MEMORY_BYTES_MAX) {
        ffibench_write_hex(out, bytes, size);
        return;
    }
    for (size_t each = 0; each <= last; each++)
        fprintf(out, "%02x", bytes[each * (size - 1) / last]);
}

/* An integer of any type as decimal digits. */
#define ffibench_write_integer(out, value) \
    ((value) < 1 ? fprintf(out, "%" PRIdMAX, (intmax_t)(value)) : fprintf(out, "%" PRIuMAX, (uintmax_t)(value)))

/* The oracle's lines: the operation, how often it was asked before, the name of the answer, the answer. */
#define ffibench_tell(key, number, name, text) printf("%s\t%d\t%s\t%s\n", key, number, name, text)

#define FFIBENCH_TELL(key, number, name, write) \
    do { \
        printf("%s\t%d\t%s\t", key, number, name); \
        write; \
        putchar('\n'); \
    } while (0)
#define ffibench_tell_integer(key, number, name, value) \
    FFIBENCH_TELL(key, number, name, ffibench_write_integer(stdout, value))
#define ffibench_tell_real(key, number, name, value) FFIBENCH_TELL(key, number, name, ffibench_write_real(stdout, value))
#define ffibench_tell_text(key, number, name, value) FFIBENCH_TELL(key, number, name, ffibench_write_text(stdout, value))
#define ffibench_tell_memory(key, number, name, value, size) \
    FFIBENCH_TELL(key, number, name, ffibench_write_memory(stdout, value, size))

/* A further field of a receipt. */
#define ffibench_say(out, name, text) fprintf(out, ", \"%s\": \"%s\"", name, text)

#define FFIBENCH_SAY(out, name, write) \
    do { \
        fprintf(out, ", \"%s\": \"", name); \
        write; \
        fputc('"', out); \
    } while (0)
#define ffibench_say_integer(out, name, value) \
    do { \
        fprintf(out, ", \"%s\": ", name); \
        ffibench_write_integer(out, value); \
    } while (0)
#define ffibench_say_real(out, name, value) FFIBENCH_SAY(out, name, ffibench_write_real(out, value))
#define ffibench_say_text(out, name, value) FFIBENCH_SAY(out, name, ffibench_write_text(out, value))
#define ffibench_say_memory(out, name, value, size) FFIBENCH_SAY(out, name, ffibench_write_memory(out, value, size))

/* A case whose loops are generated. */
struct ffibench_operation {
    const char *key;
    void (*set_up)(void);
    struct ffibench_loops loops;
    void (*tear_down)(void); /* or NULL */
};

static inline const struct ffibench_operation *ffibench_named(const char *entry, const struct ffibench_operation *all,
                                                              size_t count)
{
    for (size_t each = 0; each < count; each++) {
        const size_t length = strlen(all[each].key);

        if (strncmp(entry, all[each].key, length) == 0 && entry[length] == ':')
            return &all[each];
    }
    ffibench_fail("there is no such case", entry);
    return NULL;
}

/* The `number` operations that the argument `cases` names, in its order, to be freed. */
static inline const struct ffibench_operation **ffibench_asked(const struct ffibench *worker,
                                                               const struct ffibench_operation *all, size_t count,
                                                               size_t *number)
{
    const struct ffibench_operation **const asked = calloc(count, sizeof *asked);

    if (asked == NULL)
        ffibench_fail("no memory for", "its cases");
    *number = 0;
    for (const char *entry = ffibench_option(worker, "cases"); entry != NULL && *number < count;) {
        const char *const next = strchr(entry, ',');

        asked[(*number)++] = ffibench_named(entry, all, count);
        entry = next == NULL ? NULL : next + 1;
    }
    return asked;
}

/*
 * Serves the operations that the argument `cases` names, in its order, so that a case has no fixed place in a process;
 * what is set up first is torn down last.
 */
static inline void ffibench_serve(const struct ffibench *worker, const struct ffibench_operation *all, size_t count)
{
    size_t number;
    const struct ffibench_operation **const asked = ffibench_asked(worker, all, count, &number);

    for (size_t each = 0; each < number; each++)
        asked[each]->set_up();
    ffibench_ready("");
    for (size_t each = 0; each < number; each++)
        ffibench_case(worker, asked[each]->key, &asked[each]->loops, NULL);
    ffibench_close();
    for (size_t each = number; each-- > 0;)
        if (asked[each]->tear_down != NULL)
            asked[each]->tear_down();
    free(asked);
}

#endif
