/*
 * Wakes the consumer. A ring is kept until it is heard, so that one between the consumer's last look at the queue
 * and its sleep is not lost.
 */
#ifndef FANOUT_BELL_H
#define FANOUT_BELL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct fanout_bell {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    atomic_bool rung;
    bool every;     /* rung at every submit, else on the edge alone */
    int looks;      /* before the consumer sleeps */
};

/* Returns 0 or an error number. `batched`: a consumer that waits a little finds more than one request. */
int fanout_bell_open(struct fanout_bell *bell, bool every, bool batched);
void fanout_bell_close(struct fanout_bell *bell);

void fanout_bell_ring(struct fanout_bell *bell);

/* Looks for a little while whether somebody has rung; a ring that is heard is over. */
bool fanout_bell_heard(struct fanout_bell *bell);

/* Sleeps until a ring that was not heard yet. What was put before that ring is seen by the next take. */
void fanout_bell_wait(struct fanout_bell *bell);

/* After a request was put: `edge` says that its queue was empty before. */
static inline void fanout_bell_after_put(struct fanout_bell *bell, bool edge)
{
    if (bell->every || edge)
        fanout_bell_ring(bell);
}

#endif
