/* On which processors the threads of this process run: what fanout_place() has set. */
#ifndef FANOUT_PLACEMENT_H
#define FANOUT_PLACEMENT_H

#include <pthread.h>
#include <stdbool.h>

/* Has a consumer that is started with these attributes run where it was placed. Returns 0 or an error number. */
int fanout_placement_apply(pthread_attr_t *attributes);

/* Whether a producer can run while the consumer does. */
bool fanout_placement_parallel(void);

#endif
