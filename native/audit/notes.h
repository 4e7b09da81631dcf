/*
 * What has to be known of an object's functions before they are rewritten, and of the objects before it.
 */
#ifndef COUNT_NOTES_H
#define COUNT_NOTES_H

#include "readings.h"
#include "stacks.h"

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
                           size_t count, uint8_t *notes)
{
    for (const Elf64_Rela *each = table; each < table + count; each++) {
        const uint32_t index = (uint32_t)ELF64_R_SYM(each->r_info);
        const uint32_t type = (uint32_t)ELF64_R_TYPE(each->r_info);

        if (index == 0 || !symbol_is_counted(object, index) || reference_offset(each) != 0)
            continue;
        if (type == RELOCATION_GLOBAL || type == RELOCATION_POINTER ||
            (type == RELOCATION_PLT && may_be_interposed(object, index, scope)))
            notes[index] |= NOTE_ADDRESS;
    }
}

/* Whether an address lies in a section of instructions, by the headers of sections in the object's file; true where they
 * are missing. They are not mapped. */
static bool in_instructions(int file, const Elf64_Ehdr *header, const Elf64_Sym *symbol)
{
    const uint64_t place = header->e_shoff + (uint64_t)symbol->st_shndx * sizeof(Elf64_Shdr);
    Elf64_Shdr section;

    if (header->e_shentsize != sizeof section || symbol->st_shndx >= header->e_shnum ||
        !system_read_at(file, &section, sizeof section, place))
        return true;
    return (section.sh_flags & SHF_EXECINSTR) != 0 && symbol->st_value - section.sh_addr < section.sh_size;
}

/* Whether a linker made a symbol for the start or the end of a section, by its name. */
static bool is_section_border(const char *name)
{
    return text_begins(name, "__start_") || text_begins(name, "__stop_");
}

/* Note the symbols without a type that are functions: those in code. */
static void note_code(const struct object *object, uint32_t symbols, uint8_t *notes)
{
    const char *name = object->map->l_name;
    Elf64_Ehdr header = {0};
    int file = -1;

    for (uint32_t i = 0; i < symbols; i++) {
        const Elf64_Sym *symbol = &object->symbols[i];

        if (!symbol_is_untyped(symbol) || is_section_border(symbol_name(object, symbol)) ||
            object->map->l_addr + symbol->st_value - object->code.start >= object->code.bytes)
            continue;
        if (file < 0) {
            file = system_open(*name == '\0' ? "/proc/self/exe" : name, O_RDONLY);
            if (file < 0 || !system_read_at(file, &header, sizeof header, 0))
                header.e_shentsize = 0;
        }
        if (in_instructions(file, &header, symbol))
            notes[i] |= NOTE_CODE;
    }
    if (file >= 0)
        system_close(file);
}

/* Note the functions of libc that are rewritten whether it is watched or not. Returns whether there are any. */
static bool note_others(const struct object *object, uint32_t symbols, uint8_t *notes)
{
    uint8_t all = 0;

    for (uint32_t i = 0; is_libc(object) && i < symbols; i++) {
        const char *name = symbol_name(object, &object->symbols[i]);

        if (!symbol_is_function(&object->symbols[i]))
            continue;
        if (reads_clock(object, name))
            notes[i] |= NOTE_CLOCK;
        if (sets_stack(name))
            notes[i] |= NOTE_STACK;
        all |= notes[i];
    }
    return (all & (NOTE_CLOCK | NOTE_STACK)) != 0;
}

#endif
