/*
 * Compares, copies and matches zero-terminated strings.
 */
#ifndef COUNT_TEXT_H
#define COUNT_TEXT_H

#include "system.h"

static inline size_t text_length(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0')
        length++;
    return length;
}

static inline bool text_equal(const char *one, const char *other)
{
    while (*one != '\0' && *one == *other)
        one++, other++;
    return *one == *other;
}

static inline bool text_begins(const char *text, const char *start)
{
    while (*start != '\0' && *text == *start)
        text++, start++;
    return *start == '\0';
}

/* The number at the start of a text, as strtoul reads it with any base, or `most` where it is larger. */
static inline uint64_t text_number(const char *text, uint64_t most)
{
    const unsigned base = *text != '0' ? 10 : text[1] == 'x' || text[1] == 'X' ? 16 : 8;
    uint64_t number = 0;

    for (text += base == 16 ? 2 : 0; *text != '\0'; text++) {
        const char lower = (char)(*text | 0x20);
        const unsigned digit = '0' <= *text && *text <= '9' ? (unsigned)(*text - '0')
                               : 'a' <= lower && lower <= 'f' ? (unsigned)(lower - 'a') + 10
                                                              : base;

        if (digit >= base)
            break;
        number = number * base + digit;
        if (number > most)
            return most;
    }
    return number;
}

/* Copy a string with its terminating zero; return the position after it. */
static inline char *text_copy(char *to, const char *from)
{
    while ((*to++ = *from++) != '\0')
        ;
    return to;
}

/* The part after the last slash. */
static inline const char *text_file_name(const char *path)
{
    const char *name = path;

    for (; *path != '\0'; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

/* Whether `[...]` contains the character; `set` is the text after the bracket, `*end` becomes the text after
 * it, or NULL where it is not closed. */
static inline bool text_in_set(const char *set, char character, const char **end)
{
    const bool negated = *set == '!';
    bool found = false;
    const char *each = set + negated;

    do {
        if (*each == '\0') {
            *end = NULL;
            return false;
        }
        if (each[1] == '-' && each[2] != ']' && each[2] != '\0') {
            found |= each[0] <= character && character <= each[2];
            each += 3;
        } else {
            found |= *each++ == character;
        }
    } while (*each != ']');
    *end = each + 1;
    return found != negated;
}

/* Whether a string matches a shell pattern, as in Python's fnmatch.fnmatchcase: `*` matches slashes too. */
static inline bool text_matches(const char *text, const char *pattern)
{
    const char *star = NULL;
    const char *retry = NULL;

    for (;;) {
        const char *end = pattern + 1;
        bool same = *text != '\0' && (*pattern == *text || *pattern == '?');

        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
            continue;
        }
        if (*pattern == '[' && *text != '\0') {
            const char *after;
            const bool member = text_in_set(pattern + 1, *text, &after);

            if (after != NULL) {
                same = member;
                end = after;
            }
        }
        if (*text == '\0' && *pattern == '\0')
            return true;
        if (same) {
            text++;
            pattern = end;
        } else if (star != NULL && *retry != '\0') {
            text = ++retry;
            pattern = star;
        } else {
            return false;
        }
    }
}

#endif
