/*
 * A mapped ELF object, read from its dynamic section in memory.
 */
#ifndef COUNT_OBJECT_H
#define COUNT_OBJECT_H

#include <elf.h>
#include <link.h>

#include "maps.h"

#define VERSION_INDEX 0x7fffu
#define VERSION_HIDDEN 0x8000u
#define VERSION_GLOBAL 1u /* the highest index without a version name */

struct object {
    const struct link_map *map;
    Elf64_Sym *symbols;
    const char *strings;
    const Elf64_Half *versions; /* one index per symbol, or NULL */
    const Elf64_Verdef *definitions;
    const uint32_t *gnu_hash;
    const uint32_t *hash;
    Elf64_Rela *relocations;
    size_t relocation_count;
    Elf64_Rela *plt_relocations;
    size_t plt_relocation_count;
    bool binds_itself_first; /* linked with -Bsymbolic */
    const char *soname;      /* or NULL */
    bool watched;            /* else only its functions with a note of a clock or a stack are rewritten */
    struct range code;       /* its executable part, where that is needed */
    const uint8_t *notes;    /* per symbol: enum note; NULL before they are taken */
};

enum note {
    NOTE_ADDRESS = 1, /* the object itself refers to the function, other than by calls */
    NOTE_CODE = 2,    /* it has no type, and is in code */
    NOTE_CLOCK = 4,   /* it reads clocks, and readings are taken */
    NOTE_STACK = 8,   /* it sets the size of a thread's stack, which has to grow */
};

/* An address of the dynamic section, which the loader may have relocated already, or not. */
static inline void *object_address(const struct link_map *map, uint64_t place)
{
    return (void *)(place >= map->l_addr ? place : place + map->l_addr);
}

/* Returns false where the object has no symbols that the loader could look up. */
static inline bool object_read(const struct link_map *map, struct object *object)
{
    uint64_t soname = 0;

    memset(object, 0, sizeof *object);
    object->map = map;
    if (map->l_ld == NULL)
        return false;
    for (const Elf64_Dyn *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const uint64_t value = entry->d_un.d_val;

        switch (entry->d_tag) {
        case DT_SYMTAB:
            object->symbols = object_address(map, value);
            break;
        case DT_STRTAB:
            object->strings = object_address(map, value);
            break;
        case DT_VERSYM:
            object->versions = object_address(map, value);
            break;
        case DT_VERDEF:
            object->definitions = object_address(map, value);
            break;
        case DT_GNU_HASH:
            object->gnu_hash = object_address(map, value);
            break;
        case DT_HASH:
            object->hash = object_address(map, value);
            break;
        case DT_RELA:
            object->relocations = object_address(map, value);
            break;
        case DT_RELASZ:
            object->relocation_count = value / sizeof(Elf64_Rela);
            break;
        case DT_JMPREL:
            object->plt_relocations = object_address(map, value);
            break;
        case DT_PLTRELSZ:
            object->plt_relocation_count = value / sizeof(Elf64_Rela);
            break;
        case DT_SONAME:
            soname = value;
            break;
        case DT_SYMBOLIC:
            object->binds_itself_first = true;
            break;
        case DT_FLAGS:
            object->binds_itself_first |= (value & DF_SYMBOLIC) != 0;
            break;
        default:
            break;
        }
    }
    if (soname != 0 && object->strings != NULL)
        object->soname = object->strings + soname;
    return object->symbols != NULL && object->strings != NULL && (object->gnu_hash != NULL || object->hash != NULL);
}

/* Whether the name that an object has in itself, its DT_SONAME, begins so. */
static inline bool object_is_named(const struct object *object, const char *start)
{
    return object->soname != NULL && text_begins(object->soname, start);
}

/* The parts of a DT_GNU_HASH table. */
struct gnu_hash {
    uint32_t bucket_count;
    uint32_t first_symbol;
    const uint32_t *buckets;
    const uint32_t *chains; /* the hash of each symbol from the first on, its lowest bit set at the end of a chain */
};

static inline struct gnu_hash gnu_hash_read(const uint32_t *table)
{
    const uint32_t *buckets = table + 4 + (size_t)table[2] * 2; /* after the bloom filter's 64-bit words */

    return (struct gnu_hash){
        .bucket_count = table[0], .first_symbol = table[1], .buckets = buckets, .chains = buckets + table[0]};
}

/* The number of symbols, from the largest index in the hash table: the dynamic section does not have it. */
static inline uint32_t object_symbol_count(const struct object *object)
{
    if (object->gnu_hash == NULL)
        return object->hash[1];
    const struct gnu_hash table = gnu_hash_read(object->gnu_hash);
    uint32_t last = 0;

    for (uint32_t i = 0; i < table.bucket_count; i++)
        if (table.buckets[i] > last)
            last = table.buckets[i];
    if (last < table.first_symbol)
        return table.first_symbol;
    while ((table.chains[last - table.first_symbol] & 1) == 0)
        last++;
    return last + 1;
}

/* Whether an object defines a symbol that others may bind to. */
static inline bool symbol_is_defined(const Elf64_Sym *symbol)
{
    const unsigned visibility = ELF64_ST_VISIBILITY(symbol->st_other);

    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS && symbol->st_value != 0 &&
           ELF64_ST_BIND(symbol->st_info) != STB_LOCAL && (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

/* Functions that are written in assembly often have no type. Data is without one too, made by the linker. */
static inline bool symbol_is_untyped(const Elf64_Sym *symbol)
{
    return ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE && symbol_is_defined(symbol);
}

static inline bool symbol_is_function(const Elf64_Sym *symbol)
{
    const unsigned type = ELF64_ST_TYPE(symbol->st_info);

    return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol_is_defined(symbol);
}

static inline const char *symbol_name(const struct object *object, const Elf64_Sym *symbol)
{
    return object->strings + symbol->st_name;
}

/* Whether a symbol is a function that gets a thunk in this object, of which notes are taken. */
static inline bool symbol_is_counted(const struct object *object, uint32_t index)
{
    const unsigned notes = object->notes[index];

    if ((notes & (NOTE_CLOCK | NOTE_STACK)) != 0)
        return true;
    return object->watched && ((notes & NOTE_CODE) != 0 || symbol_is_function(&object->symbols[index]));
}

static inline bool symbol_is_hidden_version(const struct object *object, uint32_t index)
{
    return object->versions != NULL && (object->versions[index] & VERSION_HIDDEN) != 0;
}

/* The version that a defined symbol belongs to, or NULL. */
static inline const char *symbol_version(const struct object *object, uint32_t index)
{
    if (object->versions == NULL || object->definitions == NULL)
        return NULL;
    const unsigned wanted = object->versions[index] & VERSION_INDEX;
    const Elf64_Verdef *definition = object->definitions;

    if (wanted <= VERSION_GLOBAL)
        return NULL;
    for (;;) {
        if (definition->vd_ndx == wanted) {
            const Elf64_Verdaux *name = (const void *)((const char *)definition + definition->vd_aux);

            return object->strings + name->vda_name;
        }
        if (definition->vd_next == 0)
            return NULL;
        definition = (const void *)((const char *)definition + definition->vd_next);
    }
}

static inline uint32_t name_gnu_hash(const char *name)
{
    uint32_t hash = 5381;

    for (; *name != '\0'; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

static inline uint32_t name_hash(const char *name)
{
    uint32_t hash = 0;

    for (; *name != '\0'; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        hash = (hash ^ (hash & 0xf0000000u) >> 24) & 0x0fffffffu;
    }
    return hash;
}

/* Whether a symbol matches a name and, where `version` is given, that version; one without a version matches any. */
static inline bool symbol_matches(const struct object *object, uint32_t index, const char *name, const char *version)
{
    const Elf64_Sym *symbol = &object->symbols[index];

    if (!(symbol_is_function(symbol) || symbol_is_untyped(symbol)) || !text_equal(symbol_name(object, symbol), name))
        return false;
    if (version == NULL)
        return true;
    const char *own = symbol_version(object, index);

    return own == NULL || text_equal(own, version);
}

/* Whether an object defines a function of that name and, unless it is NULL, that version. */
static inline bool object_defines(const struct object *object, const char *name, const char *version)
{
    if (object->gnu_hash != NULL) {
        const struct gnu_hash table = gnu_hash_read(object->gnu_hash);
        const uint32_t hash = name_gnu_hash(name);
        uint32_t index = table.bucket_count == 0 ? 0 : table.buckets[hash % table.bucket_count];

        if (index < table.first_symbol || index == 0)
            return false;
        for (;; index++) {
            const uint32_t entry = table.chains[index - table.first_symbol];

            if ((entry | 1) == (hash | 1) && symbol_matches(object, index, name, version))
                return true;
            if ((entry & 1) != 0)
                return false;
        }
    }
    const uint32_t bucket_count = object->hash[0];
    const uint32_t *buckets = object->hash + 2;

    if (bucket_count == 0)
        return false;
    for (uint32_t index = buckets[name_hash(name) % bucket_count]; index != 0; index = buckets[bucket_count + index])
        if (symbol_matches(object, index, name, version))
            return true;
    return false;
}

#endif
