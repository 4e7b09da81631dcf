/*
 * Counts the calls that a program makes into a library, per function, from outside: an LD_AUDIT library for glibc on
 * x86-64 and arm64. See ld.so(8) and rtld-audit(7).
 *
 * The loader calls la_objopen for each object as it is mapped, before anything is bound to it. Where the object is
 * watched, the value of every function symbol in its mapped symbol table is changed to a thunk: increment, then jump
 * to the function. However a caller binds (PLT, GOT, a pointer in static data, dlsym), it gets the thunk.
 *
 * The binding decides what is counted, not the return address: the object's own PLT entries get the real addresses. A
 * return address would be wrong, since a callback may return into the library by a tail call. Only where the object
 * takes the address of a function, which must be the same inside and outside, since programs compare it, it gets the
 * thunk too. The thunk of such a function does not count where it returns into the object: FunctionCount.address_taken.
 *
 * What this does not count, and what it changes:
 * - calls through pointers that the library itself hands out (a table of functions, a virtual method) are not counted
 *   where it does not look these functions up by their names;
 * - dladdr knows no function of the address of a thunk;
 * - where an object that was mapped before defines the same function, the library's own PLT entry may refer to that one
 *   and is left to the loader. The function's thunk then tells calls of the library itself by their return address;
 * - the loader itself (ld.so) is never counted: it runs before the first object is reported.
 *
 * Where readings are asked for, libc's clock_gettime is watched too, to see when the program reads a clock: readings.h.
 *
 * libc's pthread_attr_setstacksize adds what an audit library takes of each thread's stack: stacks.h.
 *
 * Where callers are asked for, each call is also counted for the object that it returns to: callers.h.
 *
 * Where a result is asked for, the thunk of that function calls it and compares what it returns: thunks.h.
 *
 * There is no la_symbind64, which could detect the RTLD_LOCAL case: where an audit library has one, glibc 2.35 to 2.41
 * leak memory whenever an object is loaded. There is no la_pltenter, which would slow every call.
 *
 * The program is not disturbed: nothing is printed, no signal is handled, no descriptor stays open, no libc is
 * linked, so errno is never changed. No page is ever writable and executable at the same time.
 */
#define _GNU_SOURCE /* the audit part of link.h */
#include "rewrite.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC unsigned int la_version(unsigned int version)
{
    if (!map_shared())
        return 0; /* this process is not counted: the loader ignores this library */
    thunks_prepare();
    claim_readings();
    prepare_callers();
    prepare_stacks();
    __atomic_fetch_add(&shared->processes, 1, __ATOMIC_RELAXED);
    return version; /* the parts of the interface that are used are the same in all versions */
}

PUBLIC unsigned int la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
    struct object object;

    (void)namespace;
    *cookie = 0;
    note_caller(map);
    if (!object_read(map, &object))
        return 0;
    object.watched = watched(&object);
    if (!object.watched && !is_libc(&object))
        return 0;
    if (!maps_find(object.symbols, &symbols_mapping)) {
        if (object.watched)
            shared_trouble(shared, TROUBLE_MAPS, map->l_name);
    } else if (is_loader(&object)) {
        shared_trouble(shared, TROUBLE_LOADER, symbols_mapping.path);
    } else {
        *cookie = (uintptr_t)count_object(&object);
    }
    return 0; /* no reports of symbol bindings are needed */
}

PUBLIC unsigned int la_objclose(uintptr_t *cookie)
{
    struct region *region = (struct region *)*cookie;

    if (region != NULL)
        region->in_use = false;
    return 0;
}
