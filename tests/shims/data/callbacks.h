/* Functions that call back: at once, later, and from a thread that no language has seen. */
#ifndef CALLBACKS_H
#define CALLBACKS_H

#include <stdbool.h>
#include <stdint.h>

enum mood { MOOD_CALM, MOOD_MERRY = 5 };
struct item;

typedef void (*tick_callback)(void *data, uint32_t producer, uint64_t sequence);

/* Calls once with (7, 2^40) before it returns: 1, or 0 where there is nothing to call. */
int tick_once(tick_callback callback, void *data);

/* Remembers what to call until another is remembered, and calls that: 1, or 0 where there is nothing to call. */
void remember(tick_callback callback, void *data);
int tick_remembered(uint32_t producer, uint64_t sequence);

/* A thread that calls `count` times, with 0, 1 ...; it is running until it has returned from the last call. */
struct ticker;
struct ticker *ticker_start(uint32_t producer, uint64_t count, tick_callback callback, void *data);
bool ticker_is_running(struct ticker *ticker);
void ticker_join(struct ticker *ticker);

/* Each returns what the callback answers; data is its last argument or its first. */
int answer_int(int (*ask)(int value, void *data), void *data, int value);
signed char answer_schar(signed char (*ask)(signed char value, void *data), void *data, signed char value);
char answer_char(char (*ask)(void *data, char value), void *data, char value);
unsigned short answer_ushort(unsigned short (*ask)(void *, unsigned short), void *data, unsigned short value);
uint64_t answer_uint64(uint64_t (*ask)(uint64_t value, void *data), void *data, uint64_t value);
long long answer_long_long(long long (*ask)(long long value, void *data), void *data, long long value);
double answer_double(double (*ask)(double value, void *data), void *data, double value);
float answer_float(float (*ask)(float value, void *data), void *data, float value);
bool answer_bool(bool (*ask)(bool value, void *data), void *data, bool value);
enum mood answer_mood(enum mood (*ask)(enum mood value, void *data), void *data, enum mood value);
int answer_nothing(int (*ask)(void *data), void *data);

/* Addresses come as handles, whatever they point to. */
int weigh(int (*use)(const struct item *item, const char *name, void *data), void *data);
int item_weight(const struct item *item);

/* Parameters named as the generated files name things. */
int named(int (*trampoline_named)(int function, void *kept), void *given, int pair, int state, int called);

/* Calls `visit` with 0 to `count` - 1, and the sum of its answers. There are no data beside it. */
long sum_of(int (*visit)(int number), int count);
void each_of(void (*visit)(int number), int count);

#endif
