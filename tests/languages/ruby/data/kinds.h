/* Kinds that take more than a value: structs, rows of numbers, functions that C calls back, texts to be freed. */
#ifndef KINDS_H
#define KINDS_H

#include <stdbool.h>
#include <stddef.h>

struct inner {
    short low;
    double high;
};

struct outer {
    int number;
    struct inner deep;
    unsigned char items[3];
    bool flag;
};

/* Each field changed: + 1, + 1, * 2, the last item + 1, not. */
struct outer changed(struct outer value);
int total(const struct outer *value);
void set_number(struct outer *value, int number);

double sum_of(const double *values, size_t count);
void double_all(int *values, size_t count);

typedef int (*visitor)(void *data, int number, const char *text);
int visit(visitor function, void *data, int times);

char *copied(const char *text);

/* Names that Ruby gives a meaning, or that begin as its constants do. */
int ensure(int self, int class, int Capital);
int seventeen(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o,
              int p, int q);
enum mixed { Red, Green = -2 };
enum mixed other(enum mixed value);
#define lower_case 5
#define BEGIN 7

void flip(bool *flag, unsigned long long *large, const void **address);

#endif
