#include "utf8.h"

#include <stdint.h>
#include <string.h>

#define NOT_ASCII UINT64_C(0x8080808080808080)

/* The length of the character that begins here; 0 where it is none. */
static size_t character(const unsigned char *at, size_t left)
{
    unsigned char lowest = 0x80, highest = 0xBF;
    size_t length;

    if (at[0] < 0x80)
        return 1;
    if (at[0] < 0xC2 || at[0] > 0xF4)
        return 0;
    if (at[0] < 0xE0) {
        length = 2;
    } else if (at[0] < 0xF0) {
        length = 3;
        if (at[0] == 0xE0)
            lowest = 0xA0;
        if (at[0] == 0xED)
            highest = 0x9F;
    } else {
        length = 4;
        if (at[0] == 0xF0)
            lowest = 0x90;
        if (at[0] == 0xF4)
            highest = 0x8F;
    }
    if (left < length || at[1] < lowest || at[1] > highest)
        return 0;
    for (size_t place = 2; place < length; place++)
        if ((at[place] & 0xC0) != 0x80)
            return 0;
    return length;
}

bool utf8_valid(const char *bytes, size_t length)
{
    const unsigned char *at = (const unsigned char *)bytes;

    while (length > 0) {
        uint64_t eight;

        while (length >= sizeof eight) {
            memcpy(&eight, at, sizeof eight);
            if (eight & NOT_ASCII)
                break;
            at += sizeof eight;
            length -= sizeof eight;
        }
        if (length == 0)
            break;
        const size_t taken = character(at, length);
        if (taken == 0)
            return false;
        at += taken;
        length -= taken;
    }
    return true;
}
