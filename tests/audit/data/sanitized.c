/* Takes and gives back memory in every way that a sanitizer replaces: by itself, by libc, in a thread. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *copied(void *text)
{
    free(strdup(text));
    return NULL;
}

int main(void)
{
    char *const text = strdup("taken");
    char *line = NULL;
    size_t bytes = 0;
    pthread_t thread;
    FILE *const file = fopen("/proc/self/comm", "r");

    if (file == NULL || getline(&line, &bytes, file) < 0)
        return EXIT_FAILURE;
    fclose(file);
    if (pthread_create(&thread, NULL, copied, text) != 0 || pthread_join(thread, NULL) != 0)
        return EXIT_FAILURE;
    printf("%s %s", text, line);
    free(text);
    free(line);
    return EXIT_SUCCESS;
}
