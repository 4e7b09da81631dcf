/* What libc gives to the worker contract in OCaml. */

#define CAML_NAME_SPACE
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <caml/alloc.h>
#include <caml/bigarray.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

intnat ffibench_nanoseconds(intnat clock)
{
    struct timespec now;

    if (clock_gettime((clockid_t)clock, &now) != 0) {
        fputs("ffibench worker: cannot read a clock\n", stderr);
        exit(EXIT_FAILURE);
    }
    return (intnat)now.tv_sec * 1000000000 + now.tv_nsec;
}

value ffibench_error_text(value number)
{
    return caml_copy_string(strerror((int)Long_val(number)));
}

/* The text at an address; None for NULL. */
value ffibench_text(value address)
{
    const char *const text = (const char *)Nativeint_val(address);

    return text == NULL ? Val_none : caml_alloc_some(caml_copy_string(text));
}

/* The bytes of an array. */
value ffibench_bytes(value array)
{
    CAMLparam1(array);

    CAMLreturn(caml_alloc_initialized_string(caml_ba_byte_size(Caml_ba_array_val(array)), Caml_ba_data_val(array)));
}
