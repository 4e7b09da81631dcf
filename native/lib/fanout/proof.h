/*
 * What was delivered, by a bitmap over (producer, sequence). The consumer marks; any thread reads the counts, and one
 * that has read a number of deliveries finds what those have brought about in the other counts.
 */
#ifndef FANOUT_PROOF_H
#define FANOUT_PROOF_H

#include <stdatomic.h>
#include <stdint.h>

struct fanout_proof {
    uint32_t producers;
    uint64_t per_producer;
    uint64_t *bits;
    uint64_t *expected;     /* a producer: one more than its latest sequence */
    _Atomic uint64_t delivered;
    _Atomic uint64_t distinct;
    _Atomic uint64_t duplicates;
    _Atomic uint64_t disorders;
    _Atomic uint64_t strays;
};

/* Returns 0 or an error number. */
int fanout_proof_open(struct fanout_proof *proof, uint32_t producers, uint64_t per_producer);
void fanout_proof_close(struct fanout_proof *proof);
void fanout_proof_mark(struct fanout_proof *proof, uint32_t producer, uint64_t sequence);

#endif
