/* The bitmap, and the counts that follow from it. */

#include "proof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64

int fanout_proof_open(struct fanout_proof *proof, uint32_t producers, uint64_t per_producer)
{
    if (producers == 0 || per_producer == 0 || per_producer > UINT64_MAX / producers - WORD_BITS)
        return EINVAL;
    *proof = (struct fanout_proof){.producers = producers, .per_producer = per_producer};
    proof->bits = calloc((producers * per_producer + WORD_BITS - 1) / WORD_BITS, sizeof *proof->bits);
    proof->expected = calloc(producers, sizeof *proof->expected);
    if (proof->bits == NULL || proof->expected == NULL) {
        fanout_proof_close(proof);
        return ENOMEM;
    }
    return 0;
}

void fanout_proof_close(struct fanout_proof *proof)
{
    free(proof->bits);
    free(proof->expected);
}

/* One thread alone counts up, so that it need not be one operation. */
static void count(_Atomic uint64_t *counter, memory_order order)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1, order);
}

void fanout_proof_mark(struct fanout_proof *proof, uint32_t producer, uint64_t sequence)
{
    if (sequence >= proof->per_producer) {
        count(&proof->strays, memory_order_relaxed);
    } else {
        const uint64_t place = producer * proof->per_producer + sequence;
        const uint64_t bit = UINT64_C(1) << place % WORD_BITS;
        uint64_t *word = &proof->bits[place / WORD_BITS];

        if (*word & bit) {
            count(&proof->duplicates, memory_order_relaxed);
        } else {
            *word |= bit;
            count(&proof->distinct, memory_order_relaxed);
            if (sequence < proof->expected[producer])
                count(&proof->disorders, memory_order_relaxed);
            else
                proof->expected[producer] = sequence + 1;
        }
    }
    count(&proof->delivered, memory_order_release);
}
