/*
 * Functions over typed arrays, cells, structs, owned texts and opaque addresses. Plain C without a thought of C++.
 */
#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shade { SHADE_DARK, SHADE_LIGHT = 5 };

/* Arrays: the sum of (index + 1) * item. */
double sum_of_short(const short *items, size_t count);
double sum_of_unsigned_short(const unsigned short *items, size_t count);
double sum_of_int(const int *items, size_t count);
double sum_of_unsigned_int(const unsigned int *items, size_t count);
double sum_of_long(const long *items, size_t count);
double sum_of_unsigned_long(const unsigned long *items, size_t count);
double sum_of_long_long(const long long *items, size_t count);
double sum_of_int32(const int32_t *items, size_t count);
double sum_of_float(const float *items, size_t count);
double sum_of_double(const double *items, size_t count);
double sum_of_bool(const bool *items, size_t count);
double sum_of_shade(const enum shade *items, size_t count);

/* Arrays that are written. */
void scale(double *items, size_t count, double by);
void count_up(int32_t *items, size_t count);
void turn(double v[4]);
double length_squared(const double v[3]);
void copy_numbers(double *restrict to, const double *restrict from, size_t count);
void invert(bool *items, size_t count);

/* Cells: each writes its second argument. */
void put_char(char *out, char value);
void put_signed_char(signed char *out, signed char value);
void put_unsigned_char(unsigned char *out, unsigned char value);
void put_short(short *out, short value);
void put_unsigned_short(unsigned short *out, unsigned short value);
void put_int(int *out, int value);
void put_unsigned_int(unsigned int *out, unsigned int value);
void put_long(long *out, long value);
void put_unsigned_long(unsigned long *out, unsigned long value);
void put_long_long(long long *out, long long value);
void put_unsigned_long_long(unsigned long long *out, unsigned long long value);
void put_float(float *out, float value);
void put_double(double *out, double value);
void put_bool(bool *out, bool value);
void put_shade(enum shade *out, enum shade value);
int divide(int number, int by, int *restrict quotient, int *restrict rest);
int bump(volatile int *counter);
int copy_text(char *out, size_t *room);

/* Handles by address: an opened one, and where a number ended in a text. */
struct account;
int account_open(const char *owner, struct account **out);
int account_owner_length(const struct account *account);
bool account_same(const struct account *one, const struct account *other);
void account_close(struct account *account);
int number_in(const char *text, const char **tail);
int length_from(const char *tail);
int named(const char *const *names, int index);
const char *const *all_names(void);

/* Structs by value, by pointer, nested, with arrays. */
struct pair { double x, y; };
typedef struct {
    struct pair from, to;
    int tags[3];
    char mark;
    char name[3];
    enum shade shade;
    bool closed;
} Stroke;
struct grid { short cells[2][3]; struct pair corners[2]; };
struct swap { int a, b; };
double pair_sum(struct pair pair);
double pair_read(const struct pair *pair);
void pair_move(struct pair *pair, double by);
struct pair pair_of(double x, double y);
long stroke_sum(Stroke stroke);
void stroke_turn(Stroke *stroke);
Stroke stroke_between(struct pair from, const struct pair *to);
int grid_sum(const struct grid *grid);
void grid_fill(struct grid *grid, short value);
void swap(struct swap *swap);

/* Structs and unions that belong to their library. */
union either { int number; float real; };
struct flags { int low : 3; unsigned int high : 5; };
union either *either_new(int number);
int either_number(const union either *either);
struct flags *flags_new(int low);
int flags_low(const struct flags *flags);

/* Texts that the caller frees, NULL for a negative number; how many are not freed. */
char *text_new(int number);
void text_free(char *text);
char *text_of_c(const char *text);
long texts_alive(void);

/* Whether there is anything at an address. */
bool text_given(const char *text);
bool pair_given(const struct pair *pair);

/* The address of bytes, as many as its documentation says. */
const uint8_t *digest_of(int number);
int digest_first(const uint8_t *digest);
bool digest_given(const uint8_t *digest);

#endif
