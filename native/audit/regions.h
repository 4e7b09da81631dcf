/*
 * The thunks of one mapped object, in separate memory.
 */
#ifndef COUNT_REGIONS_H
#define COUNT_REGIONS_H

#include "blocks.h"
#include "callers.h"
#include "stacks.h"
#include "thunks.h"

#define NEAR_STEP 67108864

/*
 * One reserved range of addresses for the thunks of one object, within reach of relative addressing:
 * [this struct with the targets | code | counters, mapped from the shared file]. Where that was handed over, the counters
 * are those in the mapping of the whole file, and the range is near it.
 * A region outlives its object, since another thread may still be in a thunk, and is used again for the same file.
 */
struct region {
    struct region *next;
    struct identity identity;
    uint64_t functions;
    bool in_use;
    char *code;
    char *counters;
    uintptr_t entry;
    struct range own; /* the object's code */
    struct target targets[];
};

static struct region *regions;

static struct slot slot_at(struct region *region, uint64_t number)
{
    return (struct slot){.code = region->code + number * SLOT_BYTES,
                         .target = &region->targets[number],
                         .counter = region->counters + number * sizeof(struct counter),
                         .position = NO_SUM};
}

/* The number of the slot that contains an address; `region->functions` where none does. */
static uint64_t slot_number(const struct region *region, uintptr_t address)
{
    const uintptr_t distance = address - (uintptr_t)region->code; /* wraps around below the code */

    return distance < region->functions * SLOT_BYTES ? distance / SLOT_BYTES : region->functions;
}

/* Set the targets of all slots to the current addresses of the object's functions. */
static void aim(struct region *region, const struct object *object, uint32_t symbols)
{
    struct target *target = region->targets;

    region->own = object->code;
    for (uint32_t i = 0; i < symbols; i++) {
        const Elf64_Sym *symbol = &object->symbols[i];
        const uintptr_t address = object->map->l_addr + symbol->st_value;

        if (!symbol_is_counted(object, i))
            continue;
        if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
            target++->resolver = address;
        else
            target++->function = address;
    }
}

/* A region of the same file whose object was unmapped. */
static struct region *free_region(const struct identity *identity, uint64_t functions)
{
    struct region *region = regions;

    while (region != NULL &&
           (region->in_use || region->functions != functions || !identity_equal(&region->identity, identity)))
        region = region->next;
    return region;
}

/* Whether code in a range can refer to all counters in the mapping of the whole file, by 32 bits. */
static bool reaches_counters(const char *base, uint64_t bytes)
{
    const char *const start = base < (char *)shared ? base : (char *)shared;
    const char *const end = base + bytes > (char *)shared + shared_mapped ? base + bytes : (char *)shared + shared_mapped;

    return (uint64_t)(end - start) < INT32_MAX;
}

static char *reserve(void *hint, uint64_t bytes)
{
    return system_map(hint, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Reserve a range of addresses near the mapping of the whole file: where the system gives one, or else where asked. */
static char *reserve_near_counters(uint64_t bytes)
{
    for (int64_t distance = 0; distance < INT32_MAX; distance += NEAR_STEP)
        for (int side = -1; side <= 1; side += 2) {
            char *const base = reserve(distance == 0 ? NULL : (char *)shared + side * distance, bytes);

            if (base != NULL && reaches_counters(base, bytes))
                return base;
            if (base != NULL)
                system_unmap(base, bytes);
        }
    return NULL;
}

/*
 * Reserve a region and write its code. Its counters are at `place` in the shared file, which is open or was handed over;
 * with a `place` of 0 they are memory of its own, for functions that nobody counts. Returns NULL where there is no memory.
 */
static struct region *make_region(const struct object *object, uint32_t symbols, const struct identity *identity,
                                  uint64_t functions, uint64_t place, int file)
{
    const uint64_t code = shared_aligned(sizeof(struct region) + functions * sizeof(struct target));
    const uint64_t counters = code + shared_aligned(functions * SLOT_BYTES);
    const bool near = place != 0 && file < 0;
    const uint64_t bytes = counters + (near ? 0 : shared_aligned(functions * sizeof(struct counter)));
    const int writable = PROT_READ | PROT_WRITE;
    char *const base = near ? reserve_near_counters(bytes) : reserve(NULL, bytes);

    if (base == NULL)
        return NULL;
    struct region *region = (struct region *)base;
    if (!system_protect(base, bytes, writable) ||
        (file >= 0 && system_map(base + counters, bytes - counters, writable, MAP_SHARED | MAP_FIXED, file, place) == NULL))
        goto no_memory;
    region->identity = *identity;
    region->functions = functions;
    region->code = base + code;
    region->counters = near ? shared_at(shared, place) : base + counters;
    region->entry = (uintptr_t)entry;
    aim(region, object, symbols);
    uint64_t number = 0;
    for (uint32_t i = 0; i < symbols; i++) {
        if (!symbol_is_counted(object, i))
            continue;
        const char *name = symbol_name(object, &object->symbols[i]);
        const struct asked_sum *sum = sum_of(name);
        const struct asked_result *result = result_of(name);
        struct slot slot = slot_at(region, number++);

        if ((object->notes[i] & NOTE_ADDRESS) != 0) {
            slot.own = &region->own;
            ((struct counter *)slot.counter)->address_taken = 1;
        }
        slot.target->reads_clock = (object->notes[i] & NOTE_CLOCK) != 0;
        slot.target->place = place != 0 && tells_callers() ? place + (number - 1) * sizeof(struct counter) : 0;
        slot.grown = (object->notes[i] & NOTE_STACK) != 0 ? stack_growth : 0;
        if (slot.target->reads_clock != 0 || slot.target->place != 0)
            slot.entry = &region->entry;
        if (sum != NULL) {
            slot.position = (int)sum->position;
            slot.narrow = sum->bits == 32;
        }
        if (result != NULL) {
            slot.result.must_be = result->must_be;
            slot.result.position = (int)result->position;
            slot.result.narrow = result->bits == 32;
        }
        slot_write(&slot);
    }
    thunks_flush(region->code, region->code + region->functions * SLOT_BYTES);
    if (!system_protect(region->code, counters - code, PROT_READ | PROT_EXEC))
        goto no_memory;
    region->next = regions;
    regions = region;
    return region;

no_memory:
    system_unmap(base, bytes);
    return NULL;
}

/* Return a region with the object's functions as its targets, or NULL with the problem reported. */
static struct region *region_for(const struct object *object, uint32_t symbols, uint64_t functions)
{
    const struct identity identity = identify(&symbols_mapping);
    struct region *region = free_region(&identity, functions);

    if (region != NULL) {
        aim(region, object, symbols);
        return region;
    }
    if (!object->watched)
        return make_region(object, symbols, &identity, functions, 0, -1);
    const int file = shared_is_handed_over() ? -1 : shared_open();
    if (file < 0 && !shared_is_handed_over()) {
        shared_trouble(shared, TROUBLE_FULL, symbols_mapping.path);
        return NULL;
    }
    const struct block *block = shared_find(shared, shared_mapped, &identity, functions);
    if (block == NULL)
        block = make_block(object, symbols, &identity, functions, file);
    if (block == NULL)
        shared_trouble(shared, shared_mapped < shared->bytes ? TROUBLE_SPACE : TROUBLE_FULL, symbols_mapping.path);
    else if ((region = make_region(object, symbols, &identity, functions, block->counters, file)) == NULL)
        shared_trouble(shared, TROUBLE_MEMORY, symbols_mapping.path);
    if (file >= 0)
        system_close(file);
    return region;
}

#endif
