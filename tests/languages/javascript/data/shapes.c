#include "shapes.h"

#include <stdlib.h>
#include <string.h>

struct thing {
    int value;
};

int delete(int function) { return function - 1; }
int plus(int new, int env, int count, int given, int answer) { return new + env + count + given + answer; }
bool negated(bool value) { return !value; }
char next_char(char value) { return (char)(value + 1); }
signed char next_signed_char(signed char value) { return (signed char)(value + 1); }
uint8_t next_uint8(uint8_t value) { return (uint8_t)(value + 1); }
short next_short(short value) { return (short)(value + 1); }
unsigned short next_ushort(unsigned short value) { return (unsigned short)(value + 1); }
unsigned int next_uint(unsigned int value) { return value + 1; }
int64_t next_int64(int64_t value) { return value + 1; }
uint64_t next_uint64(uint64_t value) { return value + 1; }
float half_float(float value) { return value / 2; }
double half_double(double value) { return value / 2; }
enum colour paint(enum colour value) { return value == RED ? GREEN : RED; }

int sum(const void *data, size_t size)
{
    int found = 0;

    for (size_t each = 0; each < size; each++)
        found += ((const unsigned char *)data)[each];
    return found;
}

size_t count(const char *text) { return text == NULL ? 1000 : strlen(text); }
void fill(unsigned char *memory, size_t size, int value) { memset(memory, value, size); }
int shrink(void *memory, size_t *size) { return *(char *)memory = (char)--*size; }

int total(const short *values, size_t count)
{
    int found = 0;

    for (size_t each = 0; each < count; each++)
        found += values[each];
    return found;
}

void count_up(uint64_t *values, size_t count)
{
    for (size_t each = 0; each < count; each++)
        values[each] = UINT64_MAX - each;
}

const char *name_of(int value) { return value == 0 ? NULL : "n\xc3\xa4me"; }

char *doubled(const char *text)
{
    char *made = text == NULL ? NULL : malloc(2 * strlen(text) + 1);

    return made == NULL ? NULL : strcat(strcpy(made, text), text);
}

struct thing *thing_of(int value)
{
    struct thing *made = value < 0 ? NULL : malloc(sizeof *made);

    if (made != NULL)
        made->value = value;
    return made;
}

int make_thing(struct thing **made) { return (*made = thing_of(42)) == NULL; }
int thing_value(const struct thing *thing) { return thing == NULL ? -1 : thing->value; }
void free_thing(struct thing *thing) { free(thing); }

void bump(struct record *record)
{
    *record = (struct record){
        .x = record->x + 1,
        .inner_ = {.real = record->inner_.real / 2, .big = record->inner_.big + 1},
        .items = {record->items[2], record->items[1], record->items[0]},
        .flag = !record->flag,
        .typeof_ = (unsigned char)(record->typeof_ + 1),
        .wide = {UINT64_MAX, record->wide[0]},
    };
}

int first(const struct record *record) { return record->x + record->items[2]; }

int call(int (*function)(void *data, long long number), void *data, int times)
{
    int found = 0;

    for (int each = 0; each < times; each++)
        found += function(data, (1LL << 60) + each);
    return found;
}

const char *uv_version_string(void) { return "the library's own"; }
long double half_long_double(long double value) { return value / 2; }
