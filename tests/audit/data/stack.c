/* Starts a thread with a stack of the size that is asked for, which uses so much of it, and says what it was told. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write to so much of the stack. */
static void *run(void *bytes)
{
    volatile char piece[(long)bytes];

    for (long i = (long)bytes - 1; i >= 0; i--)
        piece[i] = 1;
    return (void *)&piece[0] == bytes ? bytes : NULL;
}

int main(int argc, char **argv)
{
    const long size = atol(argv[1]), used = atol(argv[argc - 1]);
    pthread_attr_t attributes;
    pthread_t thread;

    if (pthread_attr_init(&attributes) != 0)
        return EXIT_FAILURE;
    const int set = pthread_attr_setstacksize(&attributes, (size_t)size);
    const int made = pthread_create(&thread, &attributes, run, (void *)used);
    if (made == 0 && pthread_join(thread, NULL) != 0)
        return EXIT_FAILURE;
    return printf("%s, %s\n", strerror(set), strerror(made)) < 0;
}
