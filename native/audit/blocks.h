/*
 * Makes a block: the names and counters of one file's functions.
 */
#ifndef COUNT_BLOCKS_H
#define COUNT_BLOCKS_H

#include "session.h"

/* The mapping of the current object's symbols, which identifies its file. */
static struct mapping symbols_mapping;

static uint64_t count_functions(const struct object *object, uint32_t symbols)
{
    uint64_t functions = 0;

    for (uint32_t i = 0; i < symbols; i++)
        functions += symbol_is_counted(object, i);
    return functions;
}

static struct identity identify(const struct mapping *mapping)
{
    struct identity identity = {.device = mapping->device, .inode = mapping->inode};
    struct stat state;

    if (system_state(mapping->path, &state) && state.st_ino == mapping->inode) {
        identity.bytes = (uint64_t)state.st_size;
        identity.changed_ns = (uint64_t)state.st_mtime * 1000000000u + (uint64_t)state.st_mtime_nsec;
    }
    return identity;
}

static const struct asked_sum *sum_of(const char *name)
{
    const struct asked_sum *sum = shared_at(shared, shared->sums);

    for (; sum->bits != 0; sum++)
        if (text_equal(shared_at(shared, sum->name), name))
            return sum;
    return NULL;
}

static const struct asked_result *result_of(const char *name)
{
    const struct asked_result *result = shared_at(shared, shared->results);

    for (; result->must_be != MUST_BE_ANYTHING; result++)
        if (text_equal(shared_at(shared, result->name), name))
            return result;
    return NULL;
}

/* Write an entry for each asked export of this name, unless `to` is NULL. Returns how many there are. */
static uint64_t exports_named(const char *name, struct exported *to, uint64_t counter)
{
    const char *asked = shared_at(shared, shared->exports);
    uint64_t found = 0;

    for (uint64_t number = 0; *asked != '\0'; number++, asked += text_length(asked) + 1) {
        if (!text_equal(asked, name))
            continue;
        if (to != NULL)
            to[found] = (struct exported){.number = number, .counter = counter};
        found++;
    }
    return found;
}

/* `name`, or `name@VERSION` for an old version, which newly linked programs do not use. */
static char *write_name(char *to, const struct object *object, uint32_t index)
{
    const char *version = symbol_is_hidden_version(object, index) ? symbol_version(object, index) : NULL;

    to = text_copy(to, symbol_name(object, &object->symbols[index]));
    if (version == NULL)
        return to;
    to[-1] = '@';
    return text_copy(to, version);
}

static size_t name_bytes(const struct object *object, uint32_t index)
{
    const char *version = symbol_is_hidden_version(object, index) ? symbol_version(object, index) : NULL;

    return text_length(symbol_name(object, &object->symbols[index])) + 1 +
           (version == NULL ? 0 : text_length(version) + 1);
}

/* Make the block of a file that does not have one. `file` is the shared file, or negative where that was handed over:
 * then it is no file of a file system, which could be full. Returns NULL where the shared file is full. */
static struct block *make_block(const struct object *object, uint32_t symbols, const struct identity *identity,
                                uint64_t functions, int file)
{
    uint64_t bytes = sizeof(struct block) + text_length(symbols_mapping.path) + 1;
    uint64_t exports = 0;

    for (uint32_t i = 0; i < symbols; i++)
        if (symbol_is_counted(object, i)) {
            bytes += name_bytes(object, i);
            exports += exports_named(symbol_name(object, &object->symbols[i]), NULL, 0);
        }
    const uint64_t exports_place = (bytes + 7) / 8 * 8;
    const uint64_t counters = shared_aligned(exports_place + exports * sizeof(struct exported));
    const uint64_t whole = counters + shared_aligned(functions * sizeof(struct counter));
    const uint64_t place = shared_take(shared, shared_mapped, whole);

    if (place == 0 || (file >= 0 && !system_allocate(file, place, whole)))
        return NULL;
    struct block *block = shared_at(shared, place);
    block->identity = *identity;
    block->functions = functions;
    block->path = place + sizeof *block;
    block->counters = place + counters;
    block->export_count = exports;
    block->exports = place + exports_place;
    char *name = text_copy(shared_at(shared, block->path), symbols_mapping.path);
    block->names = (uint64_t)(name - (char *)shared);
    struct counter *counter = shared_at(shared, block->counters);
    struct exported *exported = shared_at(shared, block->exports);
    for (uint32_t i = 0; i < symbols; i++) {
        if (!symbol_is_counted(object, i))
            continue;
        const char *own = symbol_name(object, &object->symbols[i]);
        name = write_name(name, object, i);
        exported += exports_named(own, exported, (uint64_t)((char *)counter - (char *)shared));
        counter->untyped = ELF64_ST_TYPE(object->symbols[i].st_info) == STT_NOTYPE;
        counter->checked = result_of(own) != NULL;
        counter++->summed = sum_of(own) != NULL;
    }
    return shared_enter(shared, block) ? block : NULL;
}

#endif
