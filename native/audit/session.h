/*
 * This process's mapping of the shared file, and which objects the file selects for counting.
 */
#ifndef COUNT_SESSION_H
#define COUNT_SESSION_H

#include "maps.h"
#include "object.h"
#include "shared.h"

/* Like all state here it is only accessed under the loader's lock, of which a process has one. */
static struct shared *shared;
static uint64_t shared_mapped; /* bytes of it, from its start */

/* Of the address space of a process that has a limit of it; with less than the least a program is not counted. */
#define SPACE_SHARE 16u
#define SPACE_LEAST 262144u

#define DESCRIPTORS_MAX 100000000 /* well above what a process may have open */

static char shared_path[PATH_BYTES];

/* Copy what follows `start`, such as `NAME=`, in the environment that this program was started with, into PATH_BYTES.
 * Returns false where there is no such variable, or it is empty. */
static bool read_environment(const char *start, char *value)
{
    static struct reader reader;
    size_t matched = 0; /* leading characters of an entry that match `start`; SIZE_MAX after a difference */
    size_t length = 0;
    char character;

    if (!reader_open(&reader, "/proc/self/environ"))
        return false;
    while ((matched == SIZE_MAX || start[matched] != '\0') && !reader.ended) {
        character = reader_next(&reader);
        if (character == '\0')
            matched = 0;
        else if (matched != SIZE_MAX)
            matched = character == start[matched] ? matched + 1 : SIZE_MAX;
    }
    while (!reader.ended && length < PATH_BYTES - 1 && (character = reader_next(&reader)) != '\0')
        value[length++] = character;
    value[length] = '\0';
    system_close(reader.file);
    return length != 0;
}

/* The file may be handed over as an inherited descriptor, `fd:3`, in place of a path. It is closed once it is mapped, so
 * that the program does not find it, and then only this process and those that it forks are counted. */
#define DESCRIPTOR "fd:"

static bool shared_is_handed_over(void)
{
    return text_begins(shared_path, DESCRIPTOR);
}

/* Return a descriptor of the file, or a negative number. */
static int shared_open(void)
{
    const char *digit = shared_path + sizeof DESCRIPTOR - 1;
    int number = 0;

    if (!shared_is_handed_over())
        return system_open(shared_path, O_RDWR | O_NOFOLLOW);
    for (; '0' <= *digit && *digit <= '9' && number < DESCRIPTORS_MAX; digit++)
        number = 10 * number + (*digit - '0');
    return *digit == '\0' ? number : -1;
}

static void *map_start(int file, uint64_t bytes)
{
    return system_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
}

/* How much of the shared file is mapped: less where the process has a limit of address space, which is the program's. */
static uint64_t affordable(uint64_t bytes)
{
    const uint64_t most = system_space() / SPACE_SHARE / SHARED_ALIGNMENT * SHARED_ALIGNMENT;

    return bytes < most ? bytes : most;
}

/* Report that this program is not counted, through the start of the file. */
static void report_space(int file)
{
    static char path[PATH_BYTES];
    struct shared *const start = map_start(file, sizeof *start);

    if (start == NULL)
        return;
    const long length = system_link("/proc/self/exe", path, PATH_BYTES - 1);
    path[length < 0 ? 0 : length] = '\0';
    shared_trouble(start, TROUBLE_SPACE, path);
    system_unmap(start, sizeof *start);
}

/* Map the shared file, where there is one with this layout. */
static bool map_shared(void)
{
    int file;

    if (!read_environment("FFIBENCH_COUNT=", shared_path) || (file = shared_open()) < 0)
        return false;
    uint64_t head[3]; /* magic, layout, bytes */
    const bool ours =
        system_read_at(file, head, sizeof head, 0) && head[0] == SHARED_MAGIC && head[1] == SHARED_LAYOUT;
    if (ours) {
        shared_mapped = affordable(head[2]);
        if (shared_mapped == head[2] || shared_mapped >= SPACE_LEAST)
            shared = map_start(file, shared_mapped);
        if (shared == NULL)
            report_space(file);
    }
    if (ours || !shared_is_handed_over()) /* the number may be that of another file by now */
        system_close(file);
    return shared != NULL;
}

static bool path_matches(const char *path)
{
    const char *pattern = shared_at(shared, shared->patterns);

    for (; *pattern != '\0'; pattern += text_length(pattern) + 1)
        if (text_matches(path, pattern) || text_matches(text_file_name(path), pattern))
            return true;
    return false;
}

static bool defines_watched(const struct object *object)
{
    const char *name = shared_at(shared, shared->exports);

    for (; *name != '\0'; name += text_length(name) + 1)
        if (object_defines(object, name, NULL))
            return true;
    return false;
}

/* Resolve the links of the path that an object was opened by. Cheaper than reading all mappings. */
static bool resolve(const char *name, char *path)
{
    char link[] = "/proc/self/fd/0000000000";
    char *digit = link + sizeof link - 1;
    long length;

    if (*name == '\0') { /* the program */
        length = system_link("/proc/self/exe", path, PATH_BYTES - 1);
    } else {
        const int file = system_open(name, O_PATH);

        if (file < 0)
            return false;
        for (int rest = file; rest != 0; rest /= 10)
            *--digit = (char)('0' + rest % 10);
        text_copy(link + sizeof "/proc/self/fd/" - 1, file == 0 ? "0" : digit);
        length = system_link(link, path, PATH_BYTES - 1);
        system_close(file);
    }
    if (length < 0)
        return false;
    path[length] = '\0';
    return true;
}

/* Whether to count an object. */
static bool watched(const struct object *object)
{
    static char path[PATH_BYTES];
    const char *name = object->map->l_name;
    const bool by_name = *(const char *)shared_at(shared, shared->patterns) != '\0';

    return (by_name && (path_matches(name) || (resolve(name, path) && path_matches(path)))) || defines_watched(object);
}

#endif
