#include "subject.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int subject_state = 42;
const char subject_text[] = "as it was";
__thread int subject_thread_state = 7;

long subject_add(long a, long b) { return a + b; }

extern long subject_alias(long a, long b) __attribute__((alias("subject_add")));

long subject_versioned_old(void) { return 1; }
long subject_versioned_new(void) { return 2; }
__asm__(".symver subject_versioned_old, subject_versioned@SUBJECT_1");
__asm__(".symver subject_versioned_new, subject_versioned@@SUBJECT_2");

static long indirect(long a) { return a * 3; }
static long (*resolve(void))(long) { return indirect; }
long subject_indirect(long a) __attribute__((ifunc("resolve")));

long subject_wide(long a, long b, long c, long d, long e, long f)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}

int subject_narrow(int a, int b, int c, int d, int e, int f)
{
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f;
}

int subject_format(char *text, size_t bytes, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int written = vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    return written;
}

struct pair subject_pair(struct pair one, struct pair other)
{
    return (struct pair){one.whole + other.whole, one.half * other.half};
}

struct many subject_many(struct many one, float factor)
{
    for (int i = 0; i < 9; i++)
        one.values[i] = (long)((float)one.values[i] * factor);
    return one;
}

double subject_mixed(double a, long b, float c, int d, double e, char f, double g, short h, double i)
{
    return a + (double)b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9;
}

long subject_visit(long (*visit)(long), long count)
{
    long total = 0;

    for (long i = 0; i < count; i++)
        total += visit(i);
    return total;
}

int subject_fails(void)
{
    errno = EDOM;
    return -1;
}

int subject_next(void) { return ++subject_state; }
int subject_one(void) { return 1; }

static long (*volatile table[])(long, long) = {subject_add, subject_add};
static long (*volatile indirect_table[])(long) = {subject_indirect};

int subject_is_add(long (*function)(long, long))
{
    long (*volatile through_got)(long, long) = subject_add;

    return function == through_got && function == table[0];
}

long (*subject_table(void))(long, long) { return table[0]; }

long subject_itself(long a)
{
    long (*volatile through_got)(long, long) = subject_add;
    long (*volatile indirect_through_got)(long) = subject_indirect;

    return subject_wide(a, 0, 0, 0, 0, 0) + through_got(a, 1) + table[1](a, 2) + subject_indirect(a) +
           indirect_through_got(a) + indirect_table[0](a);
}
