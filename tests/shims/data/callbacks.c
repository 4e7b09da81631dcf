/* What callbacks.h declares. */

#include "callbacks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
    int weight;
};

struct ticker {
    pthread_t thread;
    uint32_t producer;
    uint64_t count;
    tick_callback callback;
    void *data;
    atomic_bool running;
};

static tick_callback remembered;
static void *remembered_data;

int tick_once(tick_callback callback, void *data)
{
    if (callback == NULL)
        return 0;
    callback(data, 7, (uint64_t)1 << 40);
    return 1;
}

void remember(tick_callback callback, void *data)
{
    remembered = callback;
    remembered_data = data;
}

int tick_remembered(uint32_t producer, uint64_t sequence)
{
    if (remembered == NULL)
        return 0;
    remembered(remembered_data, producer, sequence);
    return 1;
}

static void *tick(void *argument)
{
    struct ticker *ticker = argument;

    for (uint64_t sequence = 0; sequence < ticker->count; sequence++)
        ticker->callback(ticker->data, ticker->producer, sequence);
    ticker->running = false;
    return NULL;
}

struct ticker *ticker_start(uint32_t producer, uint64_t count, tick_callback callback, void *data)
{
    struct ticker *ticker = malloc(sizeof *ticker);

    if (ticker == NULL)
        return NULL;
    *ticker = (struct ticker){
        .producer = producer, .count = count, .callback = callback, .data = data, .running = true};
    if (pthread_create(&ticker->thread, NULL, tick, ticker) != 0) {
        free(ticker);
        return NULL;
    }
    return ticker;
}

bool ticker_is_running(struct ticker *ticker)
{
    return ticker->running;
}

void ticker_join(struct ticker *ticker)
{
    pthread_join(ticker->thread, NULL);
    free(ticker);
}

#define ANSWER(type, name)                                                                         \
    type answer_##name(type (*ask)(type value, void *data), void *data, type value)                \
    {                                                                                              \
        return ask(value, data);                                                                   \
    }

ANSWER(int, int)
ANSWER(signed char, schar)
ANSWER(uint64_t, uint64)
ANSWER(long long, long_long)
ANSWER(double, double)
ANSWER(float, float)
ANSWER(bool, bool)
ANSWER(enum mood, mood)

char answer_char(char (*ask)(void *data, char value), void *data, char value)
{
    return ask(data, value);
}

unsigned short answer_ushort(unsigned short (*ask)(void *, unsigned short), void *data, unsigned short value)
{
    return ask(data, value);
}

int answer_nothing(int (*ask)(void *data), void *data)
{
    return ask(data);
}

int weigh(int (*use)(const struct item *item, const char *name, void *data), void *data)
{
    const struct item item = {.weight = 12};

    return use(&item, NULL, data);
}

int item_weight(const struct item *item)
{
    return item->weight;
}

int named(int (*trampoline_named)(int function, void *kept), void *given, int pair, int state, int called)
{
    return trampoline_named(pair + 10 * state + 100 * called, given);
}

void each_of(void (*visit)(int number), int count)
{
    for (int number = 0; number < count; number++)
        visit(number);
}

long sum_of(int (*visit)(int number), int count)
{
    long sum = 0;

    for (int number = 0; number < count; number++)
        sum += visit(number);
    return sum;
}
