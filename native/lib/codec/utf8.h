/* Whether bytes are UTF-8, as Unicode 16, table 3-7, has it: nothing overlong, no surrogate, nothing over U+10FFFF. */
#ifndef CODEC_UTF8_H
#define CODEC_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool utf8_valid(const char *bytes, size_t length);

#endif
