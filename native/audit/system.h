/*
 * System calls and the few functions of a C library that counting needs, without a C library.
 *
 * The loader gives an audit library its own namespace. Linked to libc, it would load a second copy, whose
 * thread-local state is set up in the first thread alone, and whose locks are not handled by a fork of the program.
 * A system call here returns a negative error number, as in the kernel; errno is not changed.
 */
#ifndef COUNT_SYSTEM_H
#define COUNT_SYSTEM_H

#include <asm/errno.h>
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIMIT_SPACE 9 /* RLIMIT_AS */
#define AT_HERE (-100) /* AT_FDCWD, which older kernel headers lack */

static inline long system_call(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long answer;

    __asm__ volatile("syscall"
                     : "=a"(answer)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return answer;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "counting is written for x86-64 and arm64"
#endif
}

static inline int system_open(const char *path, int flags)
{
    return (int)system_call(__NR_openat, AT_HERE, (long)path, flags | O_CLOEXEC, 0, 0, 0);
}

static inline long system_read(int file, void *buffer, size_t bytes)
{
    return system_call(__NR_read, file, (long)buffer, (long)bytes, 0, 0, 0);
}

static inline bool system_read_at(int file, void *buffer, size_t bytes, uint64_t offset)
{
    return system_call(__NR_pread64, file, (long)buffer, (long)bytes, (long)offset, 0, 0) == (long)bytes;
}

static inline void system_close(int file)
{
    system_call(__NR_close, file, 0, 0, 0, 0, 0);
}

static inline uint64_t system_process(void)
{
    return (uint64_t)system_call(__NR_getpid, 0, 0, 0, 0, 0, 0);
}

static inline uint64_t system_thread(void)
{
    return (uint64_t)system_call(__NR_gettid, 0, 0, 0, 0, 0, 0);
}

/* Write the target of a link, without a terminating zero; return its length, or a negative number. */
static inline long system_link(const char *path, char *buffer, size_t bytes)
{
    return system_call(__NR_readlinkat, AT_HERE, (long)path, (long)buffer, (long)bytes, 0, 0);
}

/* The limit of this process's address space in bytes, the largest number where there is none. */
static inline uint64_t system_space(void)
{
    uint64_t limit[2]; /* the one that holds, and what it may be raised to */
    const long answer = system_call(__NR_prlimit64, 0, LIMIT_SPACE, 0, (long)limit, 0, 0);

    return answer == 0 ? limit[0] : UINT64_MAX;
}

static inline bool system_state(const char *path, struct stat *state)
{
    return system_call(__NR_newfstatat, AT_HERE, (long)path, (long)state, 0, 0, 0) == 0;
}

/* Allocate a range of a file now, so that a full file system is an error here and not SIGBUS at the first call. */
static inline bool system_allocate(int file, uint64_t offset, uint64_t bytes)
{
    long answer;

    do
        answer = system_call(__NR_fallocate, file, 0, (long)offset, (long)bytes, 0, 0);
    while (answer == -EINTR);
    return answer == 0 || answer == -EOPNOTSUPP || answer == -ENOSYS;
}

/* Return the address, or NULL. */
static inline void *system_map(void *where, size_t bytes, int protection, int flags, int file, uint64_t offset)
{
    const long answer = system_call(__NR_mmap, (long)where, (long)bytes, protection, flags, file, (long)offset);

    return answer < 0 && answer > -4096 ? NULL : (void *)answer;
}

static inline void system_unmap(void *where, size_t bytes)
{
    system_call(__NR_munmap, (long)where, (long)bytes, 0, 0, 0, 0);
}

static inline bool system_protect(void *where, size_t bytes, int protection)
{
    return system_call(__NR_mprotect, (long)where, (long)bytes, protection, 0, 0, 0) == 0;
}

/* Compilers turn loops and assignments into calls of these two. The barrier prevents that they call
 * themselves. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        ((char *)to)[i] = ((const char *)from)[i];
        __asm__ volatile("" ::: "memory");
    }
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        ((char *)to)[i] = (char)value;
        __asm__ volatile("" ::: "memory");
    }
    return to;
}

#endif
