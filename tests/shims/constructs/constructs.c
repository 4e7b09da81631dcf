#include "constructs.h"

#include <stdlib.h>
#include <string.h>

#define SUM(name, type)                                        \
    double sum_of_##name(const type *items, size_t count)      \
    {                                                          \
        double sum = 0;                                        \
        for (size_t i = 0; i < count; i++)                     \
            sum += (double)(i + 1) * (double)items[i];         \
        return sum;                                            \
    }
#define PUT(name, type)                                        \
    void put_##name(type *out, type value)                     \
    {                                                          \
        *out = value;                                          \
    }

SUM(short, short)
SUM(unsigned_short, unsigned short)
SUM(int, int)
SUM(unsigned_int, unsigned int)
SUM(long, long)
SUM(unsigned_long, unsigned long)
SUM(long_long, long long)
SUM(int32, int32_t)
SUM(float, float)
SUM(double, double)
SUM(bool, bool)
SUM(shade, enum shade)

PUT(char, char)
PUT(signed_char, signed char)
PUT(unsigned_char, unsigned char)
PUT(short, short)
PUT(unsigned_short, unsigned short)
PUT(int, int)
PUT(unsigned_int, unsigned int)
PUT(long, long)
PUT(unsigned_long, unsigned long)
PUT(long_long, long long)
PUT(unsigned_long_long, unsigned long long)
PUT(float, float)
PUT(double, double)
PUT(bool, bool)
PUT(shade, enum shade)

void scale(double *items, size_t count, double by)
{
    for (size_t i = 0; i < count; i++)
        items[i] *= by;
}

void count_up(int32_t *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = (int32_t)i - 1;
}

void turn(double v[4])
{
    const double first = v[0];
    memmove(v, v + 1, 3 * sizeof *v);
    v[3] = first;
}

double length_squared(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void copy_numbers(double *restrict to, const double *restrict from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = from[i];
}

void invert(bool *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        items[i] = !items[i];
}

int divide(int number, int by, int *restrict quotient, int *restrict rest)
{
    if (by == 0)
        return -1;
    *quotient = number / by;
    *rest = number % by;
    return 0;
}

int bump(volatile int *counter)
{
    return ++*counter;
}

int copy_text(char *out, size_t *room)
{
    if (*room < 5)
        return -1;
    memcpy(out, "ohhai", 5);
    *room = 5;
    return 0;
}

struct account {
    char owner[32];
};

int account_open(const char *owner, struct account **out)
{
    *out = NULL;
    if (strlen(owner) >= 32)
        return -1;
    *out = malloc(sizeof **out);
    strcpy((*out)->owner, owner);
    return 0;
}

int account_owner_length(const struct account *account)
{
    return account == NULL ? -1 : (int)strlen(account->owner);
}

bool account_same(const struct account *one, const struct account *other)
{
    return one == other;
}

void account_close(struct account *account)
{
    free(account);
}

int number_in(const char *text, const char **tail)
{
    char *end;
    const int number = (int)strtol(text, &end, 10);
    if (tail != NULL)
        *tail = *end == '\0' ? NULL : end;
    return number;
}

int length_from(const char *tail)
{
    return tail == NULL ? -1 : (int)strlen(tail);
}

static const char *const names[] = {"zero", "three"};

int named(const char *const *all, int index)
{
    return (int)strlen(all[index]);
}

const char *const *all_names(void)
{
    return names;
}

double pair_sum(struct pair pair)
{
    return pair.x + 10 * pair.y;
}

double pair_read(const struct pair *pair)
{
    return pair->x + 10 * pair->y;
}

void pair_move(struct pair *pair, double by)
{
    pair->x += by;
    pair->y -= by;
}

struct pair pair_of(double x, double y)
{
    const struct pair made = {x, y};
    return made;
}

long stroke_sum(Stroke stroke)
{
    long sum = (long)(stroke.from.x + stroke.from.y + stroke.to.x + stroke.to.y);
    for (int i = 0; i < 3; i++)
        sum += 100 * (i + 1) * stroke.tags[i] + 1000 * (i + 1) * stroke.name[i];
    return sum + 10000 * stroke.mark + 100000 * (long)stroke.shade + 1000000 * stroke.closed;
}

void stroke_turn(Stroke *stroke)
{
    const struct pair from = stroke->from;
    stroke->from = stroke->to;
    stroke->to = from;
    stroke->tags[2] = -stroke->tags[0];
    stroke->mark = -stroke->mark;
    stroke->name[1] = 'x';
    stroke->shade = SHADE_LIGHT;
    stroke->closed = !stroke->closed;
}

Stroke stroke_between(struct pair from, const struct pair *to)
{
    Stroke made = {0};
    made.from = from;
    made.to = *to;
    made.tags[1] = 7;
    return made;
}

int grid_sum(const struct grid *grid)
{
    int sum = 0;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            sum += (10 * row + column) * grid->cells[row][column];
    return sum + (int)grid->corners[1].y;
}

void grid_fill(struct grid *grid, short value)
{
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            grid->cells[row][column] = (short)(value + 10 * row + column);
    grid->corners[0].x = value;
}

void swap(struct swap *swap)
{
    const int a = swap->a;
    swap->a = swap->b;
    swap->b = a;
}

union either *either_new(int number)
{
    static union either made;
    made.number = number;
    return number < 0 ? NULL : &made;
}

int either_number(const union either *either)
{
    return either == NULL ? -1 : either->number;
}

struct flags *flags_new(int low)
{
    static struct flags made;
    made.low = low & 3;
    return &made;
}

int flags_low(const struct flags *flags)
{
    return flags->low;
}

static long alive;

char *text_new(int number)
{
    if (number < 0)
        return NULL;
    char *text = calloc((size_t)number + 1, 1);
    memset(text, 'a', (size_t)number);
    alive++;
    return text;
}

void text_free(char *text)
{
    if (text == NULL)
        return;
    alive--;
    free(text);
}

char *text_of_c(const char *text)
{
    return strcpy(malloc(strlen(text) + 1), text);
}

long texts_alive(void)
{
    return alive;
}

bool text_given(const char *text)
{
    return text != NULL;
}

bool pair_given(const struct pair *pair)
{
    return pair != NULL;
}

const uint8_t *digest_of(int number)
{
    static uint8_t bytes[4];
    bytes[0] = (uint8_t)number;
    return bytes;
}

int digest_first(const uint8_t *digest)
{
    return digest == NULL ? -1 : digest[0];
}

bool digest_given(const uint8_t *digest)
{
    return digest != NULL;
}
