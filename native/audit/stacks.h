/*
 * Stacks of threads: what the loader takes of them for thread-local data, because there is an audit library, is added.
 *
 * ffibench/audit/environment.py sets the tunable that says how much. A program that asks for small stacks would have
 * less left than it asked for, or none. Where it gives a thread memory of its own, nothing can be added.
 */
#ifndef COUNT_STACKS_H
#define COUNT_STACKS_H

#include "session.h"

#define TUNABLE "glibc.rtld.optional_static_tls="
#define TUNABLE_DEFAULT 512u
#define STACK_UNIT 4096u
#define STACK_GROWTH_MAX (4095u * STACK_UNIT) /* what fits into one instruction of arm64 */

static uint32_t stack_growth; /* in bytes, 0 where the loader takes no more than without an audit library */

static void prepare_stacks(void)
{
    static char text[PATH_BYTES];
    uint64_t bytes = 0;

    if (read_environment("GLIBC_TUNABLES=", text))
        for (const char *each = text; *each != '\0'; each++)
            if ((each == text || each[-1] == ':') && text_begins(each, TUNABLE))
                bytes = text_number(each + sizeof TUNABLE - 1, STACK_GROWTH_MAX);
    /* Until 2.38 glibc writes a zero over the colon after a tunable that it knows, and the next begins an entry. */
    if (read_environment(TUNABLE, text))
        bytes = text_number(text, STACK_GROWTH_MAX);
    if (bytes > TUNABLE_DEFAULT)
        stack_growth = (uint32_t)((bytes - TUNABLE_DEFAULT + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT);
}

/* Whether an object has the threads of glibc, which were in a library of their own until 2.33, or its clocks. */
static bool is_libc(const struct object *object)
{
    return object_is_named(object, "libc.so.") || object_is_named(object, "libpthread.so.");
}

/* Whether a function takes the size of a thread's stack as its second argument. */
static bool sets_stack(const char *function)
{
    return stack_growth != 0 && text_equal(function, "pthread_attr_setstacksize");
}

#endif
