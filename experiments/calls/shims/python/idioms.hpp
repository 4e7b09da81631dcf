/*
 * calls.h as a library of C++, which every binding but the C API's binds: a class, a struct, an overload, a default, a
 * vector, an exception. An operation makes the same calls of C here as the loop that C itself runs.
 */
#ifndef FFIBENCH_CALLS_IDIOMS_HPP
#define FFIBENCH_CALLS_IDIOMS_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "calls.h"

namespace idioms {

class Counter {
public:
    explicit Counter(int value) : handle(calls_open(value))
    {
        if (handle == nullptr)
            throw std::bad_alloc();
    }

    /* The counter stays as it is. */
    int add(int amount) const { return calls_add(handle.get(), amount); }
    int get_value() const { return calls_value(handle.get()); }

private:
    struct Close {
        void operator()(calls_handle_t *open) const { calls_close(open); }
    };

    std::unique_ptr<calls_handle_t, Close> handle;
};

struct Point {
    int x;
    int y;

    Point(int across, int down) : x(across), y(down) {}
};

inline int difference(const Point &point)
{
    const calls_point given = {point.x, point.y};

    return calls_point_by_pointer(&given);
}

inline Point exchanged(const Point &point)
{
    const calls_point given = {point.x, point.y};
    const calls_point answer = calls_point_by_value(given);

    return Point(answer.x, answer.y);
}

inline int overloaded(int value) { return calls_int(value); }
inline double overloaded(double value) { return calls_double(value); }

inline int scaled(int value, int factor = 3) { return calls_scaled(value, factor); }

inline double total(const std::vector<double> &values) { return calls_doubles_in(values.data(), values.size()); }

inline std::vector<double> range_list(std::size_t count)
{
    std::vector<double> values(count);

    calls_range(values.data(), count);
    return values;
}

inline double sum_array(const double *values, std::size_t count) { return calls_doubles_in(values, count); }

inline int checked(int value)
{
    const int answer = calls_checked(value);

    if (answer < 0)
        throw std::invalid_argument("the value is negative");
    return answer;
}

}

#endif
