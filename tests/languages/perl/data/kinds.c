#include "kinds.h"
#undef masked

#include <string.h>

struct thing { int value; };
static struct thing only;
static int touches;
bool negated(bool value) { return !value; }
char next_char(char value) { return value + 1; }
signed char next_signed_char(signed char value) { return value + 1; }
short next_short(short value) { return value + 1; }
int next_int(int value) { return value + 1; }
long next_long(long value) { return value + 1; }
long long next_long_long(long long value) { return value + 1; }
uint8_t next_uint8(uint8_t value) { return value + 1; }
unsigned short next_ushort(unsigned short value) { return value + 1; }
unsigned int next_uint(unsigned int value) { return value + 1; }
unsigned long next_ulong(unsigned long value) { return value + 1; }
uint64_t next_uint64(uint64_t value) { return value + 1; }
size_t next_size(size_t value) { return value + 1; }
float half_float(float value) { return value / 2; }
double half_double(double value) { return value / 2; }
long double half_long_double(long double value) { return value / 2; }
enum colour paint(enum colour value) { return value == RED ? GREEN : RED; }
int sum(const void *data, size_t size)
{
    int total = 0;
    for (size_t i = 0; i < size; i++)
        total += ((const unsigned char *)data)[i];
    return total;
}
size_t count(const char *text) { return strlen(text); }
int address(const char *text, const void *data, size_t size) { return text == (const char *)data && size > 0; }
void fill(unsigned char *memory, size_t size, int value) { memset(memory, value, size); }
int shrink(void *memory, size_t *size) { memset(memory, 'z', *size); *size -= 1; return 0; }
struct thing *thing_of(int value) { only.value = value; return &only; }
int thing_value(const struct thing *thing) { return thing == NULL ? -1 : thing->value; }
const struct thing *no_thing(void) { return NULL; }
const char *name_of(int value) { return value == 0 ? NULL : "n\xc3\xa4me"; }
void touch(void) { touches++; }
int touched(void) { return touches; }
int hostile(int sv, int items, int ax, int sp, int cv, int RETVAL, int len)
{
    return sv + items + ax + sp + cv + RETVAL + len;
}
long masked(int value) { return value + 1; }
