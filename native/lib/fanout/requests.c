/* Reserves the requests, and touches them: no submit meets a page for the first time. */

#define _POSIX_C_SOURCE 200809L

#include "requests.h"

#include <errno.h>
#include <stdlib.h>

int fanout_requests_open(struct fanout_requests *requests, uint32_t producers, uint64_t per_producer)
{
    if (per_producer > SIZE_MAX / producers / sizeof *requests->all)
        return ENOMEM;
    *requests = (struct fanout_requests){.count = producers, .per_producer = per_producer};
    requests->producers = aligned_alloc(FANOUT_PAD, producers * sizeof *requests->producers);
    requests->all = malloc(producers * per_producer * sizeof *requests->all);
    if (requests->producers == NULL || requests->all == NULL) {
        fanout_requests_close(requests);
        return ENOMEM;
    }
    for (uint32_t producer = 0; producer < producers; producer++)
        atomic_init(&requests->producers[producer].taken, 0);
    for (uint64_t i = 0; i < producers * per_producer; i++)
        atomic_init(&requests->all[i].next, NULL);
    return 0;
}

void fanout_requests_close(struct fanout_requests *requests)
{
    free(requests->producers);
    free(requests->all);
}
