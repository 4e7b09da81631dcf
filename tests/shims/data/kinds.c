/* What kinds.h declares. */

#define _POSIX_C_SOURCE 200809L

#include "kinds.h"

#undef masked
#undef renamed

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAME(type, name)                                                                           \
    type same_##name(type value)                                                                   \
    {                                                                                              \
        return value;                                                                              \
    }

SAME(char, char)
SAME(signed char, signed_char)
SAME(unsigned char, unsigned_char)
SAME(short, short)
SAME(unsigned short, unsigned_short)
SAME(int, int)
SAME(unsigned int, unsigned_int)
SAME(long, long)
SAME(unsigned long, unsigned_long)
SAME(long long, long_long)
SAME(unsigned long long, unsigned_long_long)
SAME(size_t, size)
SAME(int8_t, int8)
SAME(uint8_t, uint8)
SAME(uint32_t, uint32)
SAME(int64_t, int64)
SAME(float, float)
SAME(double, double)
SAME(long double, long_double)

bool negated(bool value)
{
    return !value;
}

enum colour next_colour(enum colour colour)
{
    return colour == COLOUR_RED ? COLOUR_GREEN : colour == COLOUR_GREEN ? COLOUR_BLUE : COLOUR_RED;
}

level_t next_level(level_t level)
{
    return level == LEVEL_HIGH ? LEVEL_LOW : (level_t)(level + 1);
}

static int kept;

int forty_two(void)
{
    return 42;
}

void set_state(int value)
{
    kept = value;
}

int state(void)
{
    return kept;
}

double weighed(signed char a, unsigned short b, int c, long d, unsigned long long e, float f, double g, bool h,
               enum colour i, const char *j, const void *k, size_t size)
{
    return a + 2.0 * b + 3.0 * c + 4.0 * (double)d + 5.0 * (double)e + 6.0 * f + 7.0 * g + 8.0 * h + 9.0 * i +
           10.0 * (double)strlen(j) + 11.0 * (double)sum_of_void(k, size);
}

long sum_of_void(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    long sum = 0;

    if (data == NULL)
        return -1;
    for (size_t i = 0; i < size; i++)
        sum += (long)(i + 1) * bytes[i];
    return sum;
}

long sum_of_chars(const char *text, size_t length)
{
    return sum_of_void(text, length);
}

long sum_of_uint8(const uint8_t *data, int n)
{
    return sum_of_void(data, (size_t)n);
}

int length_of(const char *text)
{
    return (int)strlen(text);
}

const char *name_of(int number)
{
    return number == 0 ? "" : number == 1 ? "one" : number == 2 ? "\xc3\xbc" : NULL;
}

char *own_text(void)
{
    static char text[] = "own";
    return text;
}

const char *same_text(const char *text)
{
    return text;
}

struct counter {
    int next;
};

struct counter *counter_new(int start)
{
    struct counter *counter = start < 0 ? NULL : malloc(sizeof *counter);

    if (counter != NULL)
        counter->next = start;
    return counter;
}

int counter_next(struct counter *counter)
{
    return counter->next++;
}

int counter_peek(const struct counter *counter)
{
    return counter->next;
}

bool counter_is(const struct counter *one, const struct counter *other)
{
    return one == other;
}

void counter_free(struct counter *counter)
{
    free(counter);
}

void *box_new(double value)
{
    double *box = malloc(sizeof *box);

    if (box != NULL)
        *box = value;
    return box;
}

double box_open(void *box)
{
    return *(double *)box;
}

void box_free(void *box)
{
    free(box);
}

size_t fill(void *memory, size_t size, unsigned char byte)
{
    memset(memory, byte, size);
    return size;
}

void double_each(uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(data[i] * 2);
}

static long digits(int a, int b, int c, int d, int e, int f)
{
    return a + 10L * b + 100L * c + 1000L * d + 10000L * e + 100000L * f;
}

long python_words(int from, int lambda, int None, int is, int print, int self)
{
    return digits(from, lambda, None, is, print, self);
}

long cpp_words(int class, int class_, int new, int template, int this, int operator)
{
    return digits(class, class_, new, template, this, operator);
}

long cython_words(int cdef, int include, int nogil, int gil, int by, int object)
{
    return digits(cdef, include, nogil, gil, by, object);
}

long own_words(int result, int arguments, int count, int argument, int answer, int module, int m, int py)
{
    return digits(result, arguments, count, argument, answer, module) + 1000000L * m + 10000000L * py;
}

long near_words(int key, int key_value, const char *text, int text_memory, int released, int done)
{
    return digits(key, key_value, length_of(text), text_memory, released, done);
}

long masked(int value)
{
    return value + 1L;
}

long renamed(int value)
{
    return value + 2L;
}

int itself(int itself, int native_itself)
{
    return 10 * itself + native_itself;
}

int unnamed(int first, int second)
{
    return first - second;
}

static volatile int flag;

void clear_flag(void)
{
    flag = 0;
}

void raise_flag(void)
{
    flag = 1;
}

int wait_for_flag(int milliseconds)
{
    const struct timespec pause = {.tv_nsec = 1000000};

    for (int waited = 0; waited < milliseconds && !flag; waited++)
        nanosleep(&pause, NULL);
    return flag;
}
