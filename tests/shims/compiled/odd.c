#include "odd.h"

#include <time.h>

long odd_sum(const struct odd *odd)
{
    return odd->new + 10 * (long)odd->lambda + 100 * odd->self.from + 1000 * odd->owner[1].class + 10000 * odd->moods[1]
           + 100000 * odd->memory[1][0] + 1000000 * odd->value;
}

long odd_value(struct odd value)
{
    return odd_sum(&value);
}

struct odd odd_of(int new)
{
    const struct odd made = {new, 2, {3, 4}, {{5, 6}, {7, 8}}, {MOOD_LOW, MOOD_HIGH}, {{1, 2}, {3, 4}}, 'v'};
    return made;
}

double array_words(const double *array, size_t items, double *restrict shim, size_t result)
{
    double sum = 0;
    for (size_t index = 0; index < items && index < result; index++)
        sum += shim[index] = 2 * array[index];
    return sum;
}

int cell_words(int *cell, int *cells, const int m[2])
{
    *cell = m[0];
    *cells = m[1];
    return m[0] + m[1];
}

object object_words(const object *tuple, object it)
{
    it.x += tuple->x;
    return it;
}

struct only_made only_made_of(long own)
{
    const struct only_made made = {own};
    return made;
}

int mood_sum(const enum mood *restrict items, size_t count)
{
    int sum = 0;
    for (size_t index = 0; index < count; index++)
        sum += items[index];
    return sum;
}

double wait_for(volatile double *flag, int milliseconds, const double *items, size_t count, struct inner *inner, int *out)
{
    const struct timespec pause = {0, 1000000};
    for (int waited = 0; flag[0] == 0; waited++) {
        if (waited == milliseconds)
            return -1;
        nanosleep(&pause, NULL);
    }
    double sum = inner->from;
    for (size_t index = 0; index < count; index++)
        sum += items[index];
    *out = inner->class++;
    return sum;
}
