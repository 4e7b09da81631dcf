/* A library to be counted: functions of every shape that a thunk must not disturb. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pair { long whole; double half; };
struct many { long values[9]; };

extern int subject_state;
extern const char subject_text[];
extern __thread int subject_thread_state;

long subject_add(long a, long b);
long subject_alias(long a, long b);
long subject_versioned(void);
long subject_indirect(long a);
long subject_wide(long a, long b, long c, long d, long e, long f);
int subject_narrow(int a, int b, int c, int d, int e, int f);
int subject_format(char *text, size_t bytes, const char *format, ...);
struct pair subject_pair(struct pair one, struct pair other);
struct many subject_many(struct many one, float factor);
double subject_mixed(double a, long b, float c, int d, double e, char f, double g, short h, double i);
long subject_visit(long (*visit)(long), long count);
int subject_fails(void);
int subject_next(void);
int subject_one(void);

/* Whether an address is that of subject_add, in the library's GOT and in its static table. */
int subject_is_add(long (*function)(long, long));

/* Hands subject_add out. */
long (*subject_table(void))(long, long);

/* Calls subject_wide by its own PLT, subject_add by its GOT and its static table, and subject_indirect by all. */
long subject_itself(long a);

#ifdef __cplusplus
}
#endif
#endif
