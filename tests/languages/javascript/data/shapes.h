/* Every kind of parameter and result that the bindings of JavaScript render, with names that mean something there. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIGHEST 0x7fffffffffffffff
#define LOWEST (-5)
#define SAFE 9007199254740991
#define UNSAFE 9007199254740993
enum colour { RED = 1, GREEN = 7 };

struct inner {
    double real;
    long long big;
};

struct record {
    int x;
    struct inner inner_;
    short items[3];
    bool flag;
    unsigned char typeof_;
    uint64_t wide[2];
};

/* Words of JavaScript. */
int delete(int function);
int plus(int new, int env, int count, int given, int answer);

bool negated(bool value);
char next_char(char value);
signed char next_signed_char(signed char value);
uint8_t next_uint8(uint8_t value);
short next_short(short value);
unsigned short next_ushort(unsigned short value);
unsigned int next_uint(unsigned int value);
int64_t next_int64(int64_t value);
uint64_t next_uint64(uint64_t value);
float half_float(float value);
double half_double(double value);
enum colour paint(enum colour value);

int sum(const void *data, size_t size);
size_t count(const char *text);
void fill(unsigned char *memory, size_t size, int value);
int shrink(void *memory, size_t *size);
int total(const short *values, size_t count);
void count_up(uint64_t *values, size_t count);
const char *name_of(int value);
char *doubled(const char *native);

struct thing;
struct thing *thing_of(int value);
int make_thing(struct thing **made);
int thing_value(const struct thing *thing);
void free_thing(struct thing *thing);

void bump(struct record *record);
int first(const struct record *record);

int call(int (*function)(void *data, long long number), void *data, int times);

/* Node has another of this name inside itself. */
const char *uv_version_string(void);

long double half_long_double(long double value);

#endif
