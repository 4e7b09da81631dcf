/* A function for each form of argument and of answer, with values at the edges of their types. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHAPES_ANSWER 42
#define SHAPES_FAILED (-1)

enum shapes_tone { SHAPES_LOW, SHAPES_HIGH = 5 };

/* Numbers that come back as they are. */
uint64_t same_u64(uint64_t value);
int64_t same_i64(int64_t value);
uint32_t same_u32(uint32_t value);
int32_t same_i32(int32_t value);
unsigned short same_u16(unsigned short value);
signed char same_i8(signed char value);
unsigned char same_u8(unsigned char value);
char same_char(char value);
bool same_bool(bool value);
double same_double(double value);
float same_float(float value);
enum shapes_tone same_tone(enum shapes_tone tone);
bool inverted(bool value);
void nothing(void);
int eight(int8_t a, uint16_t b, int32_t c, uint64_t d, int64_t e, uint32_t f, int16_t g, uint8_t h);

/* Numbers that cannot be written as such. */
double quotient(double number, double by);
double nan_of(int negative, unsigned payload);
float third(void);

/* Texts: their length; one that is kept, one in memory that a later call overwrites, one that is freed, none. */
size_t length_of(const char *text);
const char *name_of(int index);
const char *latest(int number);
char *owned_of(int number);
void owned_free(char *text);
char *copied(const char *text, size_t size);

/* Memory that is read, and memory that is filled. */
uint32_t sum_of(const void *data, size_t size);
void fill(void *out, size_t size, unsigned char first);
size_t packed(unsigned char *out, size_t *room);
double sum_of_doubles(const double *items, size_t count);
void count_up(int32_t *items, size_t count);
void reset_first(double *items, size_t count);

/* Values through pointers. */
int divide(int number, int by, int *quotient, int *rest);
void put_u64(uint64_t *out);
void put_float(float *out);
void put_bool(bool *out);
int half_of(int value, double *out); /* of an odd value -1, and nothing is written */
int next_of(unsigned long *number);

/* Structs. */
struct point { double x, y; };
typedef struct { struct point from, to; int tags[3]; bool closed; unsigned char mark; } Stroke;
struct wide { uint64_t top; int64_t low; float part; };
double point_sum(struct point point);
void point_move(struct point *point, double by);
struct point point_of(double x, double y);
double stroke_length(const Stroke *stroke);
void stroke_turn(Stroke *stroke);
struct wide wide_of(void);

/* Handles. */
struct counter;
struct counter *counter_new(int start);
int counter_open(const char *name, struct counter **out);
int counter_next(struct counter *counter);
const char *counter_name(struct counter *counter);
void counter_free(struct counter *counter);
int is_null(const struct counter *counter);
int counters_alive(void);

/* Callbacks, with and without user data. */
int each_of(int count, int (*visit)(int, void *), void *data);
void told(void (*tell)(double));

/* What is measured badly. */
int ever_more(void);
int crashes(int now);
void sleeps(void);
uint64_t drawn(void);
#endif
