/* Every kind of parameter and result that the bindings of other languages than C render. */
#ifndef KINDS_H
#define KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum colour { RED = 1, GREEN = 7 };
#define LOWEST -5
#define HIGHEST 0x7fffffffffffffff
struct thing;

bool negated(bool value);
char next_char(char value);
signed char next_signed_char(signed char value);
short next_short(short value);
int next_int(int value);
long next_long(long value);
long long next_long_long(long long value);
uint8_t next_uint8(uint8_t value);
unsigned short next_ushort(unsigned short value);
unsigned int next_uint(unsigned int value);
unsigned long next_ulong(unsigned long value);
uint64_t next_uint64(uint64_t value);
size_t next_size(size_t value);
float half_float(float value);
double half_double(double value);
long double half_long_double(long double value);
enum colour paint(enum colour value);
int sum(const void *data, size_t size);
size_t count(const char *text);
int address(const char *text, const void *data, size_t size);
void fill(unsigned char *memory, size_t size, int value);
int shrink(void *memory, size_t *size);
struct thing *thing_of(int value);
int thing_value(const struct thing *thing);
const struct thing *no_thing(void);
const char *name_of(int value);
void touch(void);
int touched(void);
long masked(int value);
#define masked(value) (-(value))
int hostile(int sv, int items, int ax, int sp, int cv, int RETVAL, int len);

#endif
