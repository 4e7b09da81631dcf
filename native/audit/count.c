/*
 * Counts the calls that a program makes into a library, per function, from outside: an LD_AUDIT library for glibc on
 * x86-64 and arm64. See ld.so(8) and rtld-audit(7).
 *
 * The loader tells la_objopen of each object as it is mapped, before anything is bound to it. Where the object is
 * watched, the value of every function symbol in its mapped symbol table is changed to a thunk: count up, then jump
 * to the function. However a caller binds (PLT, GOT, a pointer in static data, dlsym), it gets the thunk.
 *
 * What counts is who binds, not who returns: the object's own references to its own functions are given the real
 * addresses. A return address would not do, since a callback may return into the library by a tail call.
 *
 * What this does not see, and what it changes:
 * - calls through pointers that the library itself hands out (a table of functions, a virtual method) are not seen;
 * - inside the library a function has its real address, outside that of its thunk, so the two differ, and dladdr
 *   does not know either;
 * - where an object that was mapped before defines the same function, the library's own reference may be meant for
 *   that one and is left to the loader. If the loader binds it to the library all the same, because the other object
 *   was loaded as RTLD_LOCAL, a call through it counts as if it came from outside. A PLT entry does not;
 * - the loader itself (ld.so) is never counted: it is at work when the first object is told.
 *
 * There is no la_symbind64, which could tell that last case: where an audit library has one, glibc 2.35 to 2.41 lose
 * some memory whenever an object is loaded. There is no la_pltenter, which would slow every call.
 *
 * The program is not disturbed: nothing is printed, no signal is handled, no descriptor stays open, no libc is
 * linked, and so nobody's errno is touched. No page is ever writable and executable at once.
 */
#include "rewrite.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC unsigned int la_version(unsigned int version)
{
    if (!map_shared())
        return 0; /* this process is not counted: the loader forgets us */
    thunks_prepare();
    __atomic_fetch_add(&shared->processes, 1, __ATOMIC_RELAXED);
    return version; /* what we use of the interface is the same in all */
}

PUBLIC unsigned int la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie)
{
    struct object object;

    (void)namespace;
    *cookie = 0;
    if (!object_read(map, &object) || !watched(&object))
        return 0;
    if (!maps_find(object.symbols, &symbols_mapping))
        shared_trouble(shared, TROUBLE_MAPS, map->l_name);
    else if (is_loader(&object))
        shared_trouble(shared, TROUBLE_LOADER, symbols_mapping.path);
    else
        *cookie = (uintptr_t)count_object(&object);
    return 0; /* which symbols are bound to what, we need not be told */
}

PUBLIC unsigned int la_objclose(uintptr_t *cookie)
{
    struct region *region = (struct region *)*cookie;

    if (region != NULL)
        region->in_use = false;
    return 0;
}
