/*
 * The machine code of a slot, to which the symbol of a counted function points.
 *
 *     thunk: counter += 1; [sum += argument;] jump to the target
 *            of a function whose address the library takes: jump to the target at once where the library returns to itself
 *            of a function that reads clocks, or whose callers are told: call `entry` before it
 *            of a function whose result is asked for: call the target, compare what it returned, [wrong += 1;] return
 *     stub:  of a plain function: return its own address, to the object's own relocations
 *            of an indirect function (IFUNC): call its resolver, keep its result as the target, return the thunk
 *
 * A thunk preserves every register that may have a value at the entry of a function: arguments, the number of
 * vector registers of a variable argument list (%al), the static chain (%r10), the indirect result (x8), the
 * platform's register (x18), the return address. It uses %r11 or x14 to x17, which callers do not expect preserved.
 *
 * A thunk that calls its target leaves the registers of results as they are, but it has a frame between the caller and
 * the function: arguments on the stack do not arrive, and nothing can unwind it, as an exception has to.
 */
#ifndef COUNT_THUNKS_H
#define COUNT_THUNKS_H

#include "maps.h"
#include "object.h"
#include "shared.h"

#define NO_SUM (-1)

/* The data that a slot's code reads: in separate pages, which are never executable. */
struct target {
    uintptr_t function;
    uintptr_t resolver; /* of an IFUNC, else 0 */
    uint64_t place;     /* of its counter in the shared file, where its callers are told; else 0 */
    uint64_t reads_clock;
};

/* The code that a thunk calls where C has to run before the function: it calls `entered` with the function's first
 * argument, its target and its return address. */
extern const char entry[] __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) void entered(int argument, const struct target *target, uintptr_t back);

/* The description from which a slot's code is written. */
struct slot {
    char *code;
    struct target *target;
    char *counter; /* struct counter */
    int position;  /* of the integer argument that is summed, or NO_SUM */
    bool narrow;   /* it has 32 bits: the upper half of its register is undefined */
    struct {
        enum must_be must_be;
        int position; /* of the integer argument that it must be equal to */
        bool narrow;
    } result;
    const struct range *own; /* the code whose calls are not counted, told by the return address; or NULL */
    uint32_t grown;          /* bytes that are added to the second argument, where that is a stack; else 0 */
    const uintptr_t *entry;  /* where the address of `entry` is, for a function that needs it; or NULL */
};

#if defined(__x86_64__)
#include "x86_64.h"
#else
#include "arm64.h"
#endif

/* Write the code of a slot, whose target is known. */
static inline void slot_write(const struct slot *slot)
{
    slot_write_thunk(slot);
    if (slot->target->resolver != 0)
        slot_write_resolver(slot);
    else
        slot_write_self(slot);
}

#endif
