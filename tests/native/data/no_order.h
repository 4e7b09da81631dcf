/* Put before one source of the library: its atomic operations publish nothing. */
#include <stdatomic.h>

#define memory_order_release memory_order_relaxed
#define memory_order_acq_rel memory_order_relaxed
