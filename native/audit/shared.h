/*
 * The file that all watched processes share; ffibench/audit/shared_memory.py creates and reads it.
 *
 * Integers have 64 bits; offsets are in bytes from the start of the file. There are no locks, since a process may be
 * killed at any point: space is allocated by one atomic operation, and a block is valid as soon as its offset is
 * entered. Two processes that map a file at the same time may each make a block for it; the reader adds them up.
 */
#ifndef COUNT_SHARED_H
#define COUNT_SHARED_H

#include "text.h"

#define SHARED_MAGIC 0x544e554f43494646u /* "FFICOUNT" */
#define SHARED_LAYOUT 7u
#define SHARED_ALIGNMENT 65536u /* the largest page of arm64: counters are mapped separately */
#define BLOCKS_MAX 1024u
#define TROUBLES_MAX 64u
#define TROUBLE_PATH_BYTES 504u
#define CALLERS_MAX 1023u
#define CALL_COUNTS 65536u

/* Why an object is not counted. ffibench/audit/shared_memory.py has the sentences, in this order. */
enum trouble_kind { TROUBLE_FULL = 1, TROUBLE_MEMORY, TROUBLE_MAPS, TROUBLE_LOADER, TROUBLE_PROTECTION, TROUBLE_SPACE };

struct trouble {
    uint64_t kind; /* 0 until the path is written */
    char path[TROUBLE_PATH_BYTES];
};

/* One asked sum; the list ends with `bits` 0. */
struct asked_sum {
    uint64_t position;
    uint64_t bits;
    uint64_t name;
};

/* What a call must return; ffibench/audit/shared_memory.py has the same numbers. */
enum must_be { MUST_BE_ANYTHING, MUST_BE_ZERO, MUST_BE_NOT_ZERO, MUST_BE_NOT_NEGATIVE, MUST_BE_ARGUMENT };

/* One asked result; the list ends with `must_be` 0. */
struct asked_result {
    uint64_t must_be;
    uint64_t position; /* of the argument that it must be equal to */
    uint64_t bits;
    uint64_t name;
};

struct shared {
    uint64_t magic;
    uint64_t layout;
    uint64_t bytes;
    uint64_t used;
    uint64_t processes;
    uint64_t blocks;
    uint64_t troubles;
    uint64_t patterns; /* consecutive strings, the last one empty; the same for exports */
    uint64_t exports;
    uint64_t sums;
    uint64_t export_count;
    uint64_t readings; /* 0 where none are asked for */
    uint64_t readings_max;
    uint64_t readings_taken;
    uint64_t readings_cut;   /* 1 where there were more than readings_max */
    uint64_t readings_owner; /* the id of the process whose readings these are, 0 until there is one */
    uint64_t callers;        /* 0 where they are not asked for */
    uint64_t results;
    uint64_t block[BLOCKS_MAX]; /* offsets of blocks, 0 until ready */
    struct trouble trouble[TROUBLES_MAX];
};

/* A counter has its own cache line: two threads that call two functions do not slow each other. */
struct counter {
    uint64_t calls;
    uint64_t sum;
    uint64_t summed;        /* 1 where a sum was asked for */
    uint64_t address_taken; /* 1 where the library's own calls are told by their return address */
    uint64_t untyped;       /* 1 for a symbol without a type */
    uint64_t wrong;         /* calls that did not return what they must */
    uint64_t checked;       /* 1 where a result was asked for */
    uint64_t unused;
};

/* What identifies a file. Size and time distinguish it from a later file with the same inode. */
struct identity {
    uint64_t device;
    uint64_t inode;
    uint64_t bytes;
    uint64_t changed_ns;
};

struct block {
    struct identity identity;
    uint64_t functions;
    uint64_t counters;
    uint64_t names; /* one string per function */
    uint64_t path;
    uint64_t export_count; /* how many of the functions are among the asked exports */
    uint64_t exports;      /* one struct exported per such function */
};

/* A function of a block that is among the asked exports: the number of that export, and the place of its counter. */
struct exported {
    uint64_t number;
    uint64_t counter;
};

/*
 * Who called: how often each object called each function, found by a key: the offset of the counter over its size,
 * times CALLERS_MAX + 1, plus the object's number, which is its place in `object` plus 1.
 */
struct callers {
    uint64_t objects;
    struct calling_object {
        uint64_t ready; /* 1 as soon as the path is written */
        char path[TROUBLE_PATH_BYTES];
    } object[CALLERS_MAX];
    struct call_count {
        uint64_t key; /* 0 for none */
        uint64_t calls;
    } counts[CALL_COUNTS];
};

/* What had been counted when the program read a clock. One `count` per asked export, over all blocks. */
struct reading {
    uint64_t clock; /* enum read_clock */
    struct count {
        uint64_t calls;
        uint64_t sum;
        uint64_t wrong;
    } counts[];
};

enum read_clock { READ_OTHER, READ_PROCESSOR, READ_MONOTONIC };

static inline void *shared_at(struct shared *shared, uint64_t place)
{
    return (char *)shared + place;
}

static inline uint64_t shared_aligned(uint64_t bytes)
{
    return (bytes + SHARED_ALIGNMENT - 1) / SHARED_ALIGNMENT * SHARED_ALIGNMENT;
}

static inline bool identity_equal(const struct identity *one, const struct identity *other)
{
    return one->device == other->device && one->inode == other->inode && one->bytes == other->bytes &&
           one->changed_ns == other->changed_ns;
}

/* Report that an object is not counted. */
static inline void shared_trouble(struct shared *shared, enum trouble_kind kind, const char *path)
{
    const uint64_t number = __atomic_fetch_add(&shared->troubles, 1, __ATOMIC_RELAXED);

    if (number >= TROUBLES_MAX)
        return;
    struct trouble *trouble = &shared->trouble[number];
    for (size_t i = 0; i < TROUBLE_PATH_BYTES - 1 && path[i] != '\0'; i++)
        trouble->path[i] = path[i];
    __atomic_store_n(&trouble->kind, kind, __ATOMIC_RELEASE);
}

static inline uint64_t shared_block_count(const struct shared *shared)
{
    const uint64_t blocks = __atomic_load_n(&shared->blocks, __ATOMIC_RELAXED);

    return blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX;
}

/* Return a block by its number; NULL where it is not ready, or behind the `mapped` bytes of the file. */
static inline struct block *shared_block(struct shared *shared, uint64_t mapped, uint64_t number)
{
    const uint64_t place = __atomic_load_n(&shared->block[number], __ATOMIC_ACQUIRE);
    struct block *block = shared_at(shared, place);

    if (place == 0 || place + sizeof *block > mapped ||
        block->counters + block->functions * sizeof(struct counter) > mapped)
        return NULL;
    return block;
}

/* Return the ready block of a file, or NULL. */
static inline struct block *shared_find(struct shared *shared, uint64_t mapped, const struct identity *identity,
                                        uint64_t functions)
{
    for (uint64_t i = 0; i < shared_block_count(shared); i++) {
        struct block *block = shared_block(shared, mapped, i);

        if (block != NULL && block->functions == functions && identity_equal(&block->identity, identity))
            return block;
    }
    return NULL;
}

/* Allocate space in the first `mapped` bytes of the file; return its offset, or 0 where they are full. */
static inline uint64_t shared_take(struct shared *shared, uint64_t mapped, uint64_t bytes)
{
    uint64_t place = __atomic_load_n(&shared->used, __ATOMIC_RELAXED);

    do {
        if (place > mapped || bytes > mapped - place)
            return 0;
    } while (!__atomic_compare_exchange_n(&shared->used, &place, place + bytes, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return place;
}

/* Enter a complete block. Returns false where there is no entry left. */
static inline bool shared_enter(struct shared *shared, const struct block *block)
{
    const uint64_t number = __atomic_fetch_add(&shared->blocks, 1, __ATOMIC_RELAXED);

    if (number >= BLOCKS_MAX)
        return false;
    __atomic_store_n(&shared->block[number], (uint64_t)((const char *)block - (const char *)shared), __ATOMIC_RELEASE);
    return true;
}

#endif
