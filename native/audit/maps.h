/*
 * Finds the mapping of an address in /proc/self/maps, with its protection and its file.
 *
 * The file is read in pieces, without allocating memory: a large program has megabytes of it.
 */
#ifndef COUNT_MAPS_H
#define COUNT_MAPS_H

#include "text.h"

#define PATH_BYTES 4097

struct mapping {
    uintptr_t start;
    uintptr_t end;
    int protection;
    uint64_t offset; /* in the file */
    uint64_t device; /* as in st_dev */
    uint64_t inode;
    char path[PATH_BYTES]; /* as the kernel writes it: a new line in a name is \012 */
};

struct reader {
    int file;
    bool ended;
    size_t next;
    size_t filled;
    char buffer[4096];
};

static inline bool reader_open(struct reader *reader, const char *path)
{
    reader->file = system_open(path, O_RDONLY);
    reader->ended = false;
    reader->next = 0;
    reader->filled = 0;
    return reader->file >= 0;
}

/* The next character; 0, and `ended`, after the last. */
static inline char reader_next(struct reader *reader)
{
    if (reader->next == reader->filled) {
        const long got = system_read(reader->file, reader->buffer, sizeof reader->buffer);

        if (got <= 0) {
            reader->ended = true;
            return '\0';
        }
        reader->filled = (size_t)got;
        reader->next = 0;
    }
    return reader->buffer[reader->next++];
}

/* Read a number in a base, and the character after it. */
static inline uint64_t maps_number(struct reader *reader, unsigned base)
{
    uint64_t number = 0;

    for (;;) {
        const char character = reader_next(reader);
        unsigned digit;

        if (character >= '0' && character <= '9')
            digit = (unsigned)(character - '0');
        else if (character >= 'a' && character <= 'f')
            digit = (unsigned)(character - 'a') + 10;
        else
            return number;
        number = number * base + digit;
    }
}

/* Read one line. Returns false at the end of the file. */
static inline bool maps_line(struct reader *reader, struct mapping *mapping)
{
    size_t length = 0;
    char character;

    mapping->start = maps_number(reader, 16);
    mapping->end = maps_number(reader, 16);
    if (mapping->end == 0)
        return false;
    mapping->protection = reader_next(reader) == 'r' ? PROT_READ : 0;
    mapping->protection |= reader_next(reader) == 'w' ? PROT_WRITE : 0;
    mapping->protection |= reader_next(reader) == 'x' ? PROT_EXEC : 0;
    reader_next(reader); /* p or s */
    reader_next(reader);
    mapping->offset = maps_number(reader, 16);
    const uint64_t major = maps_number(reader, 16);
    const uint64_t minor = maps_number(reader, 16);
    mapping->device = (minor & 0xff) | (major & 0xfff) << 8 | (minor & ~0xffull) << 12 | (major & ~0xfffull) << 32;
    mapping->inode = maps_number(reader, 10);
    do
        character = reader_next(reader);
    while (character == ' ');
    for (; character != '\n' && character != '\0'; character = reader_next(reader))
        if (length < PATH_BYTES - 1)
            mapping->path[length++] = character;
    mapping->path[length] = '\0';
    return true;
}

/* Find the mapping of an address. Returns false where there is none, or the file cannot be read. */
static inline bool maps_find(const void *address, struct mapping *mapping)
{
    static struct reader reader; /* a thread's stack may be too small for it */
    bool found = false;

    if (!reader_open(&reader, "/proc/self/maps"))
        return false;
    while (!found && maps_line(&reader, mapping))
        found = mapping->start <= (uintptr_t)address && (uintptr_t)address < mapping->end;
    system_close(reader.file);
    return found;
}

struct range {
    uintptr_t start;
    uintptr_t bytes;
};

/* Find the executable part of the object that has an address anywhere, and its path, unless that is NULL. An object's
 * mappings follow each other, with ascending offsets; the next instance of the same file may be right behind. */
static inline bool maps_find_code(const void *address, struct range *code, char *path)
{
    static struct reader reader;
    static struct mapping each;
    uint64_t inode = 0, device = 0, offset = 0;
    bool found = false;

    *code = (struct range){0};
    if (!reader_open(&reader, "/proc/self/maps"))
        return false;
    while (maps_line(&reader, &each)) {
        if (each.path[0] == '\0')
            continue; /* a gap between its segments, or what follows it */
        if (each.inode == 0 || each.inode != inode || each.device != device || each.offset < offset) {
            if (found)
                break;
            *code = (struct range){0};
        }
        inode = each.inode, device = each.device, offset = each.offset;
        if (each.start <= (uintptr_t)address && (uintptr_t)address < each.end) {
            found = true;
            if (path != NULL)
                text_copy(path, each.path);
        }
        if ((each.protection & PROT_EXEC) == 0)
            continue;
        if (code->bytes == 0)
            code->start = each.start;
        code->bytes = each.end - code->start;
    }
    system_close(reader.file);
    return found && code->bytes != 0;
}

#endif
