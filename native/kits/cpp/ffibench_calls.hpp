/*
 * What loops need: values that the compiler knows nothing of, memory that C reads and writes, and answers as exact text,
 * as native/kits/c/ffibench_calls.h writes it.
 */
#ifndef FFIBENCH_CALLS_HPP
#define FFIBENCH_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace ffibench {

/* Hides a value from the compiler, so that it cannot delete a test of it: in a register of its own, or in memory. */
template <class T> inline void opaque(T &value)
{
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>)
        __asm__ volatile("" : "+r"(value));
#if defined __x86_64__
    else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        __asm__ volatile("" : "+x"(value));
#elif defined __aarch64__
    else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
        __asm__ volatile("" : "+w"(value));
#endif
    else
        __asm__ volatile("" : "+m"(value));
}

template <class T> inline void opaque_memory(T &value)
{
    __asm__ volatile("" : "+m"(value));
}

/* What memory holds is unknown from here on, so that no call can be made once for all iterations. */
inline void clobber()
{
    __asm__ volatile("" ::: "memory");
}

/* Bytes in which a pattern repeats, and a NUL behind them. */
inline std::vector<unsigned char> bytes(const char *pattern, std::size_t length, std::size_t size)
{
    std::vector<unsigned char> made(size + 1);

    for (std::size_t each = 0; each < size; each++)
        made[each] = static_cast<unsigned char>(pattern[each % length]);
    return made;
}

/* The numbers 0, 1 .. size-1. */
template <class T> inline std::vector<T> counting(std::size_t size)
{
    std::vector<T> made(size);

    for (std::size_t each = 0; each < size; each++)
        made[each] = static_cast<T>(each);
    return made;
}

inline std::string hex(const unsigned char *memory, std::size_t size)
{
    std::string digits;

    for (std::size_t each = 0; each < size; each++) {
        digits += "0123456789abcdef"[memory[each] >> 4];
        digits += "0123456789abcdef"[memory[each] & 15];
    }
    return digits;
}

/* The hexadecimal digits of a text's bytes. */
inline std::string text(const void *address)
{
    const auto *const bytes = static_cast<const unsigned char *>(address);

    return address == nullptr ? "NULL" : hex(bytes, std::strlen(static_cast<const char *>(address)));
}

/* Those of memory; where it is longer than 64 bytes, of some that are spread evenly over it. */
template <class T> inline std::string memory(const std::vector<T> &values, std::size_t size)
{
    constexpr std::size_t most = 64;
    const auto *const all = reinterpret_cast<const unsigned char *>(values.data());
    unsigned char some[most];

    if (size <= most)
        return hex(all, size);
    for (std::size_t each = 0; each < most; each++)
        some[each] = all[each * (size - 1) / (most - 1)];
    return hex(some, most);
}

/* The 16 hexadecimal digits of a number's bits. */
inline std::string real(double value)
{
    std::uint64_t bits;
    unsigned char most_significant_first[sizeof bits];

    std::memcpy(&bits, &value, sizeof bits);
    for (std::size_t each = 0; each < sizeof bits; each++)
        most_significant_first[each] = static_cast<unsigned char>(bits >> (8 * (sizeof bits - 1 - each)));
    return hex(most_significant_first, sizeof bits);
}

inline std::string address(const void *value)
{
    return value == nullptr ? "NULL" : "not NULL";
}

/* Says that a call did not answer what it must. */
[[noreturn, gnu::cold]] inline void wrong(const std::string &what)
{
    throw std::runtime_error(what);
}

} // namespace ffibench

#endif
