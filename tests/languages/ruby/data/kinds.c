#include "kinds.h"

#include <stdlib.h>
#include <string.h>

struct outer changed(struct outer value)
{
    value.number++;
    value.deep.low++;
    value.deep.high *= 2;
    value.items[2]++;
    value.flag = !value.flag;
    return value;
}
int total(const struct outer *value) { return value == NULL ? -1 : value->number + value->deep.low + value->items[1]; }
void set_number(struct outer *value, int number) { value->number = number; }
double sum_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t each = 0; each < count; each++)
        sum += values[each];
    return sum;
}
void double_all(int *values, size_t count)
{
    for (size_t each = 0; each < count; each++)
        values[each] *= 2;
}
int visit(visitor function, void *data, int times)
{
    int sum = 0;
    for (int number = 0; function != NULL && number < times; number++)
        sum += function(data, number, "text");
    return sum;
}
char *copied(const char *text) { return strcmp(text, "none") == 0 ? NULL : strdup(text); }
int ensure(int self, int class, int Capital) { return self + 10 * class + 100 * Capital; }
int seventeen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o,
              int p, int q)
{
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + 100 * q;
}
enum mixed other(enum mixed value) { return value == Red ? Green : Red; }
void flip(bool *flag, unsigned long long *large, const void **address)
{
    *flag = !*flag;
    *large -= 1;
    *address = flag;
}
