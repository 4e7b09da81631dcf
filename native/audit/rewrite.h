/*
 * Rewrites a mapped object: its function symbols, and its references to its own functions.
 */
#ifndef COUNT_REWRITE_H
#define COUNT_REWRITE_H

#include "notes.h"
#include "regions.h"

static struct mapping relocations_mapping, plt_mapping;

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

/* Report that an object is not counted, where it should be. */
static void not_counted(const struct object *object, enum trouble_kind kind)
{
    if (object->watched)
        shared_trouble(shared, kind, symbols_mapping.path);
}

/* Count an object of which notes are taken. Returns its region, or NULL with the problem reported. */
static struct region *count_noted(const struct object *object, uint32_t symbols, const struct scope *scope)
{
    const uint64_t functions = count_functions(object, symbols);
    struct region *const region = functions == 0 ? NULL : region_for(object, symbols, functions);

    if (region == NULL)
        return NULL;
    if (!set_tables(true)) {
        set_tables(false);
        not_counted(object, TROUBLE_PROTECTION);
        return NULL;
    }
    rewrite_symbols(object, symbols, region);
    rewrite_relocations(object, region, scope, object->relocations, object->relocation_count);
    rewrite_relocations(object, region, scope, object->plt_relocations, object->plt_relocation_count);
    set_tables(false);
    region->in_use = true;
    return region;
}

/* Count a watched object from now on; of libc, a few functions are rewritten also where it is not. Returns its region, or NULL with the problem reported. */
static struct region *count_object(struct object *object)
{
    const uint32_t symbols = object_symbol_count(object);
    struct region *region = NULL;
    struct scope scope;

    if ((uintptr_t)(object->symbols + symbols) > symbols_mapping.end ||
        !find_table(object->relocations, object->relocation_count, &relocations_mapping) ||
        !find_table(object->plt_relocations, object->plt_relocation_count, &plt_mapping) ||
        !maps_find_code(object->map->l_ld, &object->code, NULL)) {
        not_counted(object, TROUBLE_MAPS);
        return NULL;
    }
    if (!open_scope(object->map, &scope)) {
        not_counted(object, TROUBLE_MEMORY);
        return NULL;
    }
    uint8_t *const notes = system_map(NULL, symbols, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (notes == NULL) {
        not_counted(object, TROUBLE_MEMORY);
    } else {
        object->notes = notes;
        if (note_others(object, symbols, notes) || object->watched) {
            note_code(object, symbols, notes);
            note_addresses(object, &scope, object->relocations, object->relocation_count, notes);
            note_addresses(object, &scope, object->plt_relocations, object->plt_relocation_count, notes);
            region = count_noted(object, symbols, &scope);
        }
        system_unmap(notes, symbols);
    }
    close_scope(&scope);
    return region;
}

#endif
