/* Texts that the caller frees, and how many are not freed. */

#include "constructs.h"

#include <stdlib.h>
#include <string.h>

static long alive;

char *text_new(int number)
{
    if (number < 0)
        return NULL;
    char *text = calloc((size_t)number + 1, 1);
    memset(text, 'a', (size_t)number);
    alive++;
    return text;
}

void text_free(char *text)
{
    if (text == NULL)
        return;
    alive--;
    free(text);
}

char *text_of_c(const char *text)
{
    return strcpy(malloc(strlen(text) + 1), text);
}

long texts_alive(void)
{
    return alive;
}

bool text_given(const char *text)
{
    return text != NULL;
}
