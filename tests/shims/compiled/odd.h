/* Structs and parameters named by words of Python, C++, Cython and the generated files; one waits with its arguments. */
#ifndef ODD_H
#define ODD_H

#include <stdbool.h>
#include <stddef.h>

enum mood { MOOD_LOW = -2, MOOD_HIGH = 7 };
struct inner { int class, from; };
struct odd {
    const int new;
    double lambda;
    struct inner self, owner[2];
    enum mood moods[2];
    const short memory[2][2];
    const volatile char value;
};
typedef struct { float x; } object;
struct only_made { long own; };

long odd_sum(const struct odd *odd);
long odd_value(struct odd value);
struct odd odd_of(int new);
double array_words(const double *array, size_t items, double *restrict shim, size_t result);
int cell_words(int *cell, int *cells, const int m[2]);
object object_words(const object *tuple, object it);
struct only_made only_made_of(long own);
int mood_sum(const enum mood *restrict items, size_t count);

/* Waits until `flag[0]` is not 0, at most so long, then adds what the others hold: -1 where the time was up. */
double wait_for(volatile double *flag, int milliseconds, const double *items, size_t count, struct inner *inner, int *out);

#endif
