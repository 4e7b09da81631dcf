/* Handles, and functions that are called back. */

#include "calls.h"
#include "count.h"

#include <stdlib.h>

struct calls_handle {
    int value;
    int flags;
    unsigned char first;
};

calls_handle_t *calls_open(int value)
{
    calls_handle_t *const handle = malloc(sizeof *handle);

    COUNT();
    if (handle != NULL)
        *handle = (calls_handle_t){.value = value};
    return handle;
}

void calls_close(calls_handle_t *handle)
{
    COUNT();
    free(handle);
}

int calls_value(calls_handle_t *handle)
{
    COUNT();
    return handle->value;
}

int calls_add(calls_handle_t *handle, int amount)
{
    COUNT();
    return handle->value + amount;
}

int calls_send(void *handle, const void *bytes, size_t size, int flags)
{
    calls_handle_t *const kept = handle;

    COUNT();
    kept->first = size > 0 ? *(const unsigned char *)bytes : 0;
    kept->flags = flags;
    return (int)size;
}

int calls_back(calls_callback function, void *data, int times)
{
    int sum = 0;

    COUNT();
    for (int number = 0; number < times; number++)
        sum += function(data, number);
    return sum;
}
