/*
 * Callers: how often each object called each function, told by the return address.
 *
 * A tail call has the return address of its caller's caller, and counts for that. What is done in a call is safe in a
 * handler of signals: it takes no memory and no lock, and makes no system call.
 */
#ifndef COUNT_CALLERS_H
#define COUNT_CALLERS_H

#include "readings.h"

/*
 * Which object has the code of a page: an entry is the page's number times PAGE_SHARE, plus the object's number, or 0.
 * An entry is written at once, under the loader's lock, and read by every call. It stays when its object is closed, and
 * is replaced when another is mapped there. 131,072 entries are code of 512 MB; calls from more are of no known object.
 */
#define PAGE_BYTES 4096u
#define PAGE_SHARE (CALLERS_MAX + 1u)
#define PAGE_ENTRIES 131072u

static uint64_t *pages;

#define PROBES_MAX 64u

static bool tells_callers(void)
{
    return pages != NULL;
}

static struct callers *shared_callers(void)
{
    return shared_at(shared, shared->callers);
}

static void prepare_callers(void)
{
    if (shared->callers != 0 && shared->callers + sizeof(struct callers) <= shared_mapped)
        pages = system_map(NULL, PAGE_ENTRIES * sizeof *pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Where a search for a key begins, in a table whose size is a power of two: Fibonacci hashing. */
static uint64_t hashed(uint64_t key, uint64_t entries)
{
    return (key * 0x9e3779b97f4a7c15u >> 32) & (entries - 1);
}

/* The number of an object in the shared file, from 1 on; 0 where there are too many. Two processes may enter one path
 * each; the reader adds them up. */
static uint64_t caller_number(const char *path)
{
    struct callers *callers = shared_callers();
    const uint64_t objects = __atomic_load_n(&callers->objects, __ATOMIC_RELAXED);

    for (uint64_t i = 0; i < objects && i < CALLERS_MAX; i++)
        if (__atomic_load_n(&callers->object[i].ready, __ATOMIC_ACQUIRE) != 0 &&
            text_equal(callers->object[i].path, path))
            return i + 1;
    const uint64_t number = __atomic_fetch_add(&callers->objects, 1, __ATOMIC_RELAXED);

    if (number >= CALLERS_MAX)
        return 0;
    struct calling_object *object = &callers->object[number];
    for (size_t i = 0; i < TROUBLE_PATH_BYTES - 1 && path[i] != '\0'; i++)
        object->path[i] = path[i];
    __atomic_store_n(&object->ready, 1, __ATOMIC_RELEASE);
    return number + 1;
}

/* Note an object that was mapped, which may call. */
static void note_caller(const struct link_map *map)
{
    static char path[PATH_BYTES];
    struct range code;

    if (!tells_callers() || map->l_ld == NULL || !maps_find_code(map->l_ld, &code, path))
        return;
    path[TROUBLE_PATH_BYTES - 1] = '\0'; /* as it will be compared */
    const uint64_t number = caller_number(path);
    uint64_t probes = 0;

    for (uint64_t page = code.start / PAGE_BYTES; page < (code.start + code.bytes) / PAGE_BYTES; page++) {
        uint64_t at = hashed(page, PAGE_ENTRIES);

        for (probes = 0; probes < PROBES_MAX && pages[at] != 0 && pages[at] / PAGE_SHARE != page; probes++)
            at = (at + 1) & (PAGE_ENTRIES - 1);
        if (probes < PROBES_MAX)
            __atomic_store_n(&pages[at], page * PAGE_SHARE + number, __ATOMIC_RELAXED);
    }
}

/* The number of the object that has the code at an address, or 0. */
static uint64_t caller_at(uintptr_t address)
{
    const uint64_t page = address / PAGE_BYTES;
    uint64_t at = hashed(page, PAGE_ENTRIES);

    for (uint64_t probes = 0; probes < PROBES_MAX; probes++) {
        const uint64_t entry = __atomic_load_n(&pages[at], __ATOMIC_RELAXED);

        if (entry / PAGE_SHARE == page)
            return entry % PAGE_SHARE;
        if (entry == 0)
            return 0;
        at = (at + 1) & (PAGE_ENTRIES - 1);
    }
    return 0;
}

/* Count a call for its caller. A caller that is not known is not counted: the reader sees what is missing. */
static void count_caller(uint64_t place, uintptr_t back)
{
    const uint64_t number = caller_at(back - 1); /* in the call itself, which may be the last instruction of its object */
    const uint64_t key = place / sizeof(struct counter) * PAGE_SHARE + number;
    uint64_t at = hashed(key, CALL_COUNTS);

    if (number == 0)
        return;
    for (uint64_t probes = 0; probes < PROBES_MAX; probes++) {
        struct call_count *count = &shared_callers()->counts[at];
        uint64_t found = __atomic_load_n(&count->key, __ATOMIC_RELAXED);

        if (found == 0)
            __atomic_compare_exchange_n(&count->key, &found, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
        if (found == 0 || found == key) {
            __atomic_fetch_add(&count->calls, 1, __ATOMIC_RELAXED);
            return;
        }
        at = (at + 1) & (CALL_COUNTS - 1);
    }
}

void entered(int argument, const struct target *target, uintptr_t back)
{
    if (target->place != 0)
        count_caller(target->place, back);
    if (target->reads_clock != 0)
        take_reading(argument);
}

#endif
