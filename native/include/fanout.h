/*
 * A native context as a binding's author meets it: any thread submits requests, one thread of the context's own
 * consumes them, and a callback is called for each.
 *
 * A request is (producer, sequence). It lies in memory that the context has reserved for its producer, and a bitmap over
 * all of them counts what was delivered, so that a request lost and one delivered twice cannot cancel each other out. Each producer's requests are delivered in the order of its submits, whatever the queue.
 *
 * Functions that return int give 0, or an error number of <errno.h>.
 */
#ifndef FFIBENCH_FANOUT_H
#define FFIBENCH_FANOUT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How requests reach the consumer. */
#define FANOUT_LOCK 0       /* one lock, held over a channel of one slot until the consumer has accepted */
#define FANOUT_MUTEX 1      /* one list guarded by one mutex */
#define FANOUT_SHARDED 2    /* such lists, padded; a producer sticks to its own */
#define FANOUT_MPSC 3       /* Vyukov's intrusive list, without a lock */

/* When a submit wakes the consumer. FANOUT_LOCK knows the first alone: its slot is empty at every submit. */
#define FANOUT_EVERY 0      /* always */
#define FANOUT_EDGE 1       /* when its queue goes from empty to not empty */

/* Where threads run. */
#define FANOUT_APART 0      /* a consumer on the last of the process's processors, all other threads on the others */
#define FANOUT_TOGETHER 1   /* all on that last one */
#define FANOUT_FREE 2       /* where the system puts them */

typedef struct fanout fanout_t;

/* Called by the consumer's thread for each request. */
typedef void (*fanout_callback)(void *data, uint32_t producer, uint64_t sequence);

const char *fanout_version(void);

/* Places the threads of the process, with those that they start later, and the consumers of contexts that are opened
 * later. FANOUT_FREE until the first call. With a single processor FANOUT_APART is FANOUT_TOGETHER. Not while another
 * thread calls it, or opens a context. */
int fanout_place(uint32_t placement);

/* Starts a context for producers 0 .. producers-1 with sequences 0 .. per_producer-1 each. NULL on failure, with the
 * error number in fanout_error(), which is the calling thread's own. */
fanout_t *fanout_open(uint32_t queue, uint32_t wake, uint32_t producers, uint64_t per_producer);
int fanout_error(void);

/* Has a function called for each request beside the counting; before the first submit. */
int fanout_on_request(fanout_t *context, fanout_callback callback, void *data);

/* From any thread. EINVAL: no such producer; ENOBUFS: it has submitted per_producer requests; ESHUTDOWN: the context is
 * finished. */
int fanout_submit(fanout_t *context, uint32_t producer, uint64_t sequence);

/* How many requests were delivered until now, of which how many had been before, came after a later one of their
 * producer, or have a sequence that none should have; and how many of all that should come are still missing. */
uint64_t fanout_delivered(fanout_t *context);
uint64_t fanout_duplicates(fanout_t *context);
uint64_t fanout_disorders(fanout_t *context);
uint64_t fanout_strays(fanout_t *context);
uint64_t fanout_missing(fanout_t *context);

/* Delivers what is left and stops the consumer; the counts can still be read. No submit may be under way. */
int fanout_finish(fanout_t *context);

/* Finishes, unless that was done, and frees the context. */
int fanout_close(fanout_t *context);

#ifdef __cplusplus
}
#endif

#endif
