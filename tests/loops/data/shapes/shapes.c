#define _POSIX_C_SOURCE 200809L
#include "shapes.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t same_u64(uint64_t value) { return value; }
int64_t same_i64(int64_t value) { return value; }
uint32_t same_u32(uint32_t value) { return value; }
int32_t same_i32(int32_t value) { return value; }
unsigned short same_u16(unsigned short value) { return value; }
signed char same_i8(signed char value) { return value; }
unsigned char same_u8(unsigned char value) { return value; }
char same_char(char value) { return value; }
bool same_bool(bool value) { return value; }
double same_double(double value) { return value; }
float same_float(float value) { return value; }
enum shapes_tone same_tone(enum shapes_tone tone) { return tone; }
bool inverted(bool value) { return !value; }
void nothing(void) {}
int eight(int8_t a, uint16_t b, int32_t c, uint64_t d, int64_t e, uint32_t f, int16_t g, uint8_t h)
{
    return a == -128 && b == 65535 && c == INT32_MIN && d == UINT64_MAX && e == INT64_MIN && f == UINT32_MAX &&
           g == -32768 && h == 255;
}

double quotient(double number, double by) { return number / by; }

double nan_of(int negative, unsigned payload)
{
    const uint64_t bits = (negative ? UINT64_C(0xfff8000000000000) : UINT64_C(0x7ff8000000000000)) | payload;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

float third(void) { return 1.0f / 3.0f; }

size_t length_of(const char *text) { return strlen(text); }

const char *name_of(int index)
{
    static const char *const names[] = {"low", "", "caf\xc3\xa9 \"quoted\" \\ %d $x @y ?", "\x01\x7f\xff"};

    return index >= 0 && index < 4 ? names[index] : NULL;
}

const char *latest(int number)
{
    static char text[32];

    snprintf(text, sizeof text, "number %d", number);
    return text;
}

char *owned_of(int number)
{
    char *const text = number < 0 ? NULL : malloc(32);

    if (text != NULL)
        snprintf(text, 32, "owned %d", number);
    return text;
}

void owned_free(char *text) { free(text); }

char *copied(const char *text, size_t size)
{
    char *const copy = calloc(size + 1, 1);

    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

uint32_t sum_of(const void *data, size_t size)
{
    uint32_t sum = 1;

    for (size_t each = 0; each < size; each++)
        sum = sum * 31 + ((const unsigned char *)data)[each];
    return sum;
}

void fill(void *out, size_t size, unsigned char first)
{
    for (size_t each = 0; each < size; each++)
        ((unsigned char *)out)[each] = (unsigned char)(first + each);
}

size_t packed(unsigned char *out, size_t *room)
{
    const size_t size = *room < 5 ? *room : 5;

    memcpy(out, "abcde", size);
    *room = size;
    return size;
}

double sum_of_doubles(const double *items, size_t count)
{
    double sum = 0;

    for (size_t each = 0; each < count; each++)
        sum += items[each];
    return sum;
}

void count_up(int32_t *items, size_t count)
{
    for (size_t each = 0; each < count; each++)
        items[each] = (int32_t)each - 1;
}

void reset_first(double *items, size_t count)
{
    if (count > 0)
        items[0] = -0.0;
}

int divide(int number, int by, int *quotient, int *rest)
{
    if (by == 0)
        return SHAPES_FAILED;
    *quotient = number / by;
    *rest = number % by;
    return 0;
}

void put_u64(uint64_t *out) { *out = UINT64_MAX; }
void put_float(float *out) { *out = 1.0f / 3.0f; }
void put_bool(bool *out) { *out = true; }

int half_of(int value, double *out)
{
    if (value % 2 != 0)
        return -1;
    *out = value / 2;
    return 0;
}
int next_of(unsigned long *number) { return (int)++*number; }

double point_sum(struct point point) { return point.x + point.y; }

void point_move(struct point *point, double by)
{
    point->x = by;
    point->y = -by;
}

struct point point_of(double x, double y) { return (struct point){x, y}; }

double stroke_length(const Stroke *stroke)
{
    return stroke->to.x - stroke->from.x + stroke->tags[1] + (stroke->closed ? 0.5 : 0) + stroke->mark;
}

void stroke_turn(Stroke *stroke)
{
    stroke->from.x = -0.0;
    stroke->to.y = 7;
    stroke->tags[2] = INT32_MIN;
    stroke->closed = true;
    stroke->mark = 255;
}

struct wide wide_of(void) { return (struct wide){UINT64_MAX, INT64_MIN, 1.0f / 3.0f}; }

struct counter { int next; char name[16]; };
static int alive;

struct counter *counter_new(int start)
{
    struct counter *const counter = calloc(1, sizeof *counter);

    if (counter != NULL) {
        counter->next = start;
        alive++;
    }
    return counter;
}

int counter_open(const char *name, struct counter **out)
{
    *out = counter_new(0);
    if (*out == NULL || strlen(name) >= sizeof (*out)->name)
        return SHAPES_FAILED;
    strcpy((*out)->name, name);
    return 0;
}

int counter_next(struct counter *counter) { return counter->next++; }
const char *counter_name(struct counter *counter) { return counter->name; }

void counter_free(struct counter *counter)
{
    if (counter != NULL)
        memset(counter, 0x5a, sizeof *counter);
    alive -= counter != NULL;
    free(counter);
}

int is_null(const struct counter *counter) { return counter == NULL; }
int counters_alive(void) { return alive; }

int each_of(int count, int (*visit)(int, void *), void *data)
{
    int sum = 0;

    for (int each = 0; each < count; each++)
        sum += visit == NULL ? 1 : visit(each, data);
    return sum;
}

void told(void (*tell)(double)) { tell(0.5); }

int ever_more(void)
{
    static int number;

    return ++number;
}

int crashes(int now)
{
    if (now)
        raise(SIGSEGV);
    return now;
}

void sleeps(void)
{
    const struct timespec forever = {.tv_sec = 3600};

    nanosleep(&forever, NULL);
}

uint64_t drawn(void) { return (uint64_t)getpid(); }
