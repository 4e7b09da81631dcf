/* Seeds a bug into a decoder of codec: the byte behind each text is looked at. */
#include "utf8.h"

#define utf8_valid(bytes, length) ((bytes)[length] != 1 && (utf8_valid)(bytes, length))
