/*
 * Rewrites a mapped object: its function symbols, and its references to its own functions.
 */
#ifndef COUNT_REWRITE_H
#define COUNT_REWRITE_H

#include "regions.h"

static struct mapping relocations_mapping, plt_mapping;

/* The objects that were mapped before, which may define the same function first. */
struct scope {
    struct object *objects;
    size_t count;
    size_t bytes;
};

/* By its name, which is part of the ABI of both processors. What it defines would not tell: a sanitizer's library
 * defines __tls_get_addr too. */
static bool is_loader(const struct object *object)
{
    return object_is_named(object, "ld-linux");
}

/* Read the objects that were mapped before, which include all of the global scope that is searched first. The loader
 * is early in the list, but is searched late. Returns false where there is no memory for it. */
static bool open_scope(const struct link_map *map, struct scope *scope)
{
    size_t count = 0;

    *scope = (struct scope){0};
    for (const struct link_map *each = map->l_prev; each != NULL; each = each->l_prev)
        count++;
    if (count == 0)
        return true;
    scope->bytes = count * sizeof(struct object);
    scope->objects = system_map(NULL, scope->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (scope->objects == NULL)
        return false;
    for (const struct link_map *each = map->l_prev; each != NULL; each = each->l_prev) {
        struct object *object = &scope->objects[scope->count];

        if (object_read(each, object) && !is_loader(object))
            scope->count++;
    }
    return true;
}

static void close_scope(const struct scope *scope)
{
    if (scope->objects != NULL)
        system_unmap(scope->objects, scope->bytes);
}

/* Whether the object's own reference to one of its functions may bind to another object's: a replaced malloc. */
static bool may_be_interposed(const struct object *object, uint32_t index, const struct scope *scope)
{
    const Elf64_Sym *symbol = &object->symbols[index];
    const char *version = symbol_version(object, index);

    if (object->binds_itself_first || ELF64_ST_VISIBILITY(symbol->st_other) == STV_PROTECTED)
        return false;
    for (size_t i = 0; i < scope->count; i++)
        if (object_defines(&scope->objects[i], symbol_name(object, symbol), version))
            return true;
    return false;
}

/* The addend of a reference by a pointer; others have none. */
static int64_t reference_offset(const Elf64_Rela *reference)
{
    return ELF64_R_TYPE(reference->r_info) == RELOCATION_POINTER ? reference->r_addend : 0;
}

/*
 * Note the functions that the object itself refers to and that get their thunk's address, as for everybody else:
 * where it takes the address, which programs compare with what they looked up, and where another object's may be meant.
 */
static void note_addresses(const struct object *object, const struct scope *scope, const Elf64_Rela *table,
                           size_t count, bool *takes_address)
{
    for (const Elf64_Rela *each = table; each < table + count; each++) {
        const uint32_t index = (uint32_t)ELF64_R_SYM(each->r_info);
        const uint32_t type = (uint32_t)ELF64_R_TYPE(each->r_info);

        if (index == 0 || !symbol_is_counted(object, index) || reference_offset(each) != 0)
            continue;
        takes_address[index] |= type == RELOCATION_GLOBAL || type == RELOCATION_POINTER ||
                                (type == RELOCATION_PLT && may_be_interposed(object, index, scope));
    }
}

/* Set the function symbols to their slots. */
static void rewrite_symbols(const struct object *object, uint32_t symbols, const struct region *region)
{
    uintptr_t code = (uintptr_t)region->code - object->map->l_addr;

    for (uint32_t i = 0; i < symbols; i++) {
        Elf64_Sym *symbol = &object->symbols[i];

        if (!symbol_is_counted(object, i))
            continue;
        symbol->st_value = code + (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC ? THUNK_BYTES : 0);
        code += SLOT_BYTES;
    }
}

/*
 * Set the PLT entries of the object's own functions to the real addresses, and pointers past the start of one, which are
 * no function's address; its symbols are already rewritten.
 *
 * A PLT entry becomes one that calls a stub for the address (IRELATIVE) instead of a plain relative one: the loader
 * accepts IRELATIVE in a PLT with lazy and with immediate binding, which is unknown here (dlopen decides it), but
 * aborts the program where it finds a relative one in a PLT that it binds lazily.
 */
static void rewrite_relocations(const struct object *object, const struct region *region, const struct scope *scope,
                                Elf64_Rela *table, size_t count)
{
    const uintptr_t base = object->map->l_addr;

    for (Elf64_Rela *each = table; each < table + count; each++) {
        const uint32_t index = (uint32_t)ELF64_R_SYM(each->r_info);
        const uint32_t type = (uint32_t)ELF64_R_TYPE(each->r_info);

        if (index == 0 || (type != RELOCATION_PLT && reference_offset(each) == 0))
            continue;
        const uint64_t number = slot_number(region, base + object->symbols[index].st_value);
        if (number == region->functions || may_be_interposed(object, index, scope))
            continue;
        const struct target *target = &region->targets[number];
        if (target->resolver != 0) {
            if (type != RELOCATION_PLT)
                continue; /* a pointer past the start of an indirect function has no equivalent */
            each->r_info = ELF64_R_INFO(0, RELOCATION_RESOLVED);
            each->r_addend = (int64_t)(target->resolver - base);
        } else if (type == RELOCATION_PLT) {
            each->r_info = ELF64_R_INFO(0, RELOCATION_RESOLVED);
            each->r_addend = (int64_t)((uintptr_t)region->code + number * SLOT_BYTES + THUNK_BYTES - base);
        } else {
            each->r_info = ELF64_R_INFO(0, RELOCATION_RELATIVE);
            each->r_addend = (int64_t)(target->function - base) + each->r_addend;
        }
    }
}

/* The rewritten tables are in read-only memory, usually in one mapping, whose protection is restored afterwards. */
static bool set_tables(bool writable)
{
    const struct mapping *mappings[] = {&symbols_mapping, &relocations_mapping, &plt_mapping};
    bool done = true;

    for (size_t i = 0; i < 3; i++) {
        const struct mapping *each = mappings[i];
        bool again = each->start == 0 || (each->protection & PROT_WRITE) != 0;

        for (size_t j = 0; j < i; j++)
            again |= mappings[j]->start == each->start;
        if (!again)
            done &= system_protect((void *)each->start, each->end - each->start,
                                   writable ? PROT_READ | PROT_WRITE : each->protection);
    }
    return done;
}

static bool find_table(const Elf64_Rela *table, size_t count, struct mapping *mapping)
{
    mapping->start = 0;
    return count == 0 || (maps_find(table, mapping) && (uintptr_t)(table + count) <= mapping->end);
}

/* Count a watched object from now on. Returns its region, or NULL with the problem reported. */
static struct region *count_object(struct object *object)
{
    const uint32_t symbols = object_symbol_count(object);
    const uint64_t functions = count_functions(object, symbols);
    struct scope scope;

    if (functions == 0)
        return NULL;
    if ((uintptr_t)(object->symbols + symbols) > symbols_mapping.end ||
        !find_table(object->relocations, object->relocation_count, &relocations_mapping) ||
        !find_table(object->plt_relocations, object->plt_relocation_count, &plt_mapping)) {
        shared_trouble(shared, TROUBLE_MAPS, symbols_mapping.path);
        return NULL;
    }
    bool *const takes_address =
        system_map(NULL, symbols, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (takes_address == NULL || !open_scope(object->map, &scope)) {
        shared_trouble(shared, TROUBLE_MEMORY, symbols_mapping.path);
        if (takes_address != NULL)
            system_unmap(takes_address, symbols);
        return NULL;
    }
    note_addresses(object, &scope, object->relocations, object->relocation_count, takes_address);
    note_addresses(object, &scope, object->plt_relocations, object->plt_relocation_count, takes_address);
    object->takes_address = takes_address;
    struct region *region = region_for(object, symbols, functions);
    if (region != NULL && !set_tables(true)) {
        set_tables(false);
        shared_trouble(shared, TROUBLE_PROTECTION, symbols_mapping.path);
        region = NULL;
    }
    if (region != NULL) {
        rewrite_symbols(object, symbols, region);
        rewrite_relocations(object, region, &scope, object->relocations, object->relocation_count);
        rewrite_relocations(object, region, &scope, object->plt_relocations, object->plt_relocation_count);
        set_tables(false);
        region->in_use = true;
    }
    close_scope(&scope);
    system_unmap(takes_address, symbols);
    return region;
}

#endif
