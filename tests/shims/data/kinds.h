/*
 * Functions over every kind of parameter and result that the shims know. Written as plain C, without
 * a thought of C++ or Python: no `extern "C"`, and parameters named by words of those languages.
 */
#ifndef KINDS_H
#define KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KINDS_SMALL 7
#define KINDS_NEGATIVE (-40)
#define KINDS_LARGEST 0xffffffffffffffffUL
#define KINDS_LONG_LEAST (-9223372036854775807)

enum colour { COLOUR_RED, COLOUR_GREEN = 5, COLOUR_BLUE };
typedef enum { LEVEL_LOW = -1, LEVEL_MIDDLE, LEVEL_HIGH } level_t;

/* Each returns its argument. */
char same_char(char value);
signed char same_signed_char(signed char value);
unsigned char same_unsigned_char(unsigned char value);
short same_short(short value);
unsigned short same_unsigned_short(unsigned short value);
int same_int(int value);
unsigned int same_unsigned_int(unsigned int value);
long same_long(long value);
unsigned long same_unsigned_long(unsigned long value);
long long same_long_long(long long value);
unsigned long long same_unsigned_long_long(unsigned long long value);
size_t same_size(size_t value);
int8_t same_int8(int8_t value);
uint8_t same_uint8(uint8_t value);
uint32_t same_uint32(uint32_t value);
int64_t same_int64(int64_t value);
float same_float(float value);
double same_double(double value);
long double same_long_double(long double value);
bool negated(bool value);
enum colour next_colour(enum colour colour);
level_t next_level(level_t level);

/* The numbers of arguments, and results that are nothing; every argument has a weight of its own. */
int forty_two(void);
void set_state(int value);
int state(void);
double weighed(signed char a, unsigned short b, int c, long d, unsigned long long e, float f, double g, bool h,
               enum colour i, const char *j, const void *k, size_t size);

/* Bytes in: the sum of (index + 1) * byte, -1 without memory. */
long sum_of_void(const void *data, size_t size);
long sum_of_chars(const char *text, size_t length);
long sum_of_uint8(const uint8_t *data, int n);

/* Strings: NULL for a number that has no name. */
int length_of(const char *text);
const char *name_of(int number);
char *own_text(void);
const char *same_text(const char *text);

/* Handles: NULL where `start` is negative. */
struct counter;
struct counter *counter_new(int start);
int counter_next(struct counter *counter);
int counter_peek(const struct counter *counter);
bool counter_is(const struct counter *one, const struct counter *other);
void counter_free(struct counter *counter);
void *box_new(double value);
double box_open(void *box);
void box_free(void *box);

/* Memory to fill. */
size_t fill(void *memory, size_t size, unsigned char byte);
void double_each(uint8_t *data, size_t size);

/* Parameters named by words of Python, C++ and Cython, and of the generated files. */
long python_words(int from, int lambda, int None, int is, int print, int self);
long cpp_words(int class, int class_, int new, int template, int this, int operator);
long cython_words(int cdef, int include, int nogil, int gil, int by, int object);
long own_words(int result, int arguments, int count, int argument, int answer, int module, int m, int py);
long near_words(int key, int key_value, const char *text, int text_memory, int released, int done);
int itself(int itself, int native_itself);
int unnamed(int, int);

/* Hidden by macros, as zlib.h hides `gzgetc`. */
long masked(int value);
long renamed(int value);
#define masked(value) (-(value))
#define renamed masked

/* Waits until the flag is raised, at most so long: 1 where it was, 0 where the time was up. */
void clear_flag(void);
void raise_flag(void);
int wait_for_flag(int milliseconds);

#endif
