/* Calls the subject from the program, from a plug-in, from code that is in no file, and from a child. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

/* A function that calls the one that it is given, and returns 0 where that returned 1. */
#if defined(__x86_64__)
static const unsigned char CODE[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd7, 0x83, 0xe8, 0x01, 0x48, 0x83, 0xc4, 0x08, 0xc3};
#else
static const unsigned CODE[] = {0xa9bf7bfd, 0xd63f0000, 0x51000400, 0xa8c17bfd, 0xd65f03c0};
#endif

static int one(void) { return (int)subject_add(0, 1); }

static int (*made(void))(int (*)(void))
{
    void *const code = mmap(NULL, sizeof CODE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (code == MAP_FAILED)
        exit(EXIT_FAILURE);
    memcpy(code, CODE, sizeof CODE);
    __builtin___clear_cache(code, (char *)code + sizeof CODE);
    if (mprotect(code, sizeof CODE, PROT_READ | PROT_EXEC) != 0)
        exit(EXIT_FAILURE);
    return (int (*)(int (*)(void)))code;
}

static void *in_thread(void *unused)
{
    for (int i = 0; i < 10000; i++)
        one();
    return unused;
}

int main(int argc, char **argv)
{
    void *const plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    long (*const plug)(long) = plugin == NULL ? NULL : (long (*)(long))dlsym(plugin, "plug");
    int (*const next)(void) = subject_next;
    pthread_t threads[2];

    if (plug == NULL || plug(300) != 300 || made()(subject_one) != 0)
        return EXIT_FAILURE;
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, in_thread, NULL) != 0)
            return EXIT_FAILURE;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(plug(40) != 40);
    return waitpid(child, NULL, 0) != child || printf("%d\n", next()) < 0;
}
