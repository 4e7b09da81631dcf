/* The library of the experiment `tally`: adds up bytes. */
#ifndef TALLY_H
#define TALLY_H

#include <stddef.h>

/* The sum of `size` bytes. */
unsigned long tally_sum(const void *bytes, size_t size);

#endif
