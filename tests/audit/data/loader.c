/* Loads the subject, whose path is the second argument, in the way that the first one names; it is not linked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TIMES 1000

typedef long (*function)(long, long);

static const char *library, *second;

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(EXIT_FAILURE);
}

static void *opened(void *handle)
{
    if (handle == NULL)
        fail(dlerror());
    return handle;
}

static function found(void *handle)
{
    void *const address = dlsym(handle, "subject_add");

    if (address == NULL)
        fail(dlerror());
    return (function)address;
}

static void call(function add)
{
    long total = 0;

    for (int i = 0; i < TIMES; i++)
        total = add(total, i);
    printf("%ld\n", total);
}

static int late(void)
{
    call(found(opened(dlopen(library, RTLD_NOW | RTLD_LOCAL))));
    return 0;
}

/* Load it when there is no place left near what was mapped first. */
static int far(void)
{
    if (mmap(NULL, 8UL << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
        fail("mmap");
    return late();
}

/* Two files that define the same functions and do not see each other. */
static int twice(void)
{
    const char *const paths[] = {library, second};

    for (int i = 0; i < 2; i++) {
        void *const handle = opened(dlopen(paths[i], RTLD_LAZY | RTLD_LOCAL));

        call(found(handle));
        printf("%ld\n", ((long (*)(long))dlsym(handle, "subject_itself"))(1));
    }
    return 0;
}

/* Three instances of one file, each with its own state. */
static int namespaces(void)
{
    int (*next[3])(void);

    for (int i = 0; i < 3; i++) {
        void *const handle = opened(dlmopen(LM_ID_NEWLM, library, RTLD_NOW));

        call(found(handle));
        next[i] = (int (*)(void))dlsym(handle, "subject_next");
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            printf("%d ", next[i]());
    return 0;
}

/* Load the library so many times; return the bytes of address space that are then taken. */
static unsigned long loaded(int times)
{
    unsigned long start, end, bytes = 0;

    for (int i = 0; i < times; i++) {
        void *const handle = opened(dlopen(library, RTLD_LAZY | RTLD_LOCAL));

        if (found(handle)(i, 1) != i + 1)
            fail("a wrong answer");
        dlclose(handle);
    }
    FILE *const file = fopen("/proc/self/maps", "r");
    if (file == NULL)
        fail("maps");
    while (fscanf(file, "%lx-%lx%*[^\n]", &start, &end) == 2)
        bytes += end - start;
    fclose(file);
    return bytes;
}

static int reopened(void)
{
    const unsigned long before = loaded(10);

    printf("%ld\n", (long)(loaded(1000) - before));
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } WAYS[] = {{"late", late}, {"far", far}, {"twice", twice}, {"namespaces", namespaces}, {"reopened", reopened}};

    if (argc < 3)
        fail("a way and a library are needed");
    library = argv[2];
    second = argv[argc - 1];
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++)
        if (strcmp(WAYS[i].name, argv[1]) == 0)
            return WAYS[i].run();
    fail("no such way");
}
