/*
 * The worker contract in C++.
 *
 *     struct Sender : ffibench::Case {
 *         void run(std::uint64_t iterations) override;      // throws where a return code is wrong
 *         void empty(std::uint64_t iterations) override;    // the same without the native call
 *         ffibench::Fields receipt(std::uint64_t done) override;
 *     };
 *
 *     void work(const ffibench::Worker &worker)
 *     {
 *         Sender sender{worker.option("message")};          // the argument NAME=VALUE; set up
 *         worker.serve("4.3.5", {{"send", &sender}});       // returns when standard input has closed
 *         ... tear down ...
 *     }
 *
 *     int main(int argc, char **argv) { return ffibench::main(argc, argv, work); }
 *
 * An exception is reported on standard error, with a non-zero status.
 */
#ifndef FFIBENCH_HPP
#define FFIBENCH_HPP

#include "ffibench_calls.hpp"
#include "ffibench_fields.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ffibench {

/* The loops of a case; all but `run` and `empty` are called outside of the clocks. */
struct Case {
    virtual ~Case() = default;
    virtual void run(std::uint64_t iterations) = 0;
    virtual void empty(std::uint64_t iterations) = 0;
    virtual Fields receipt(std::uint64_t done) = 0;
    /* Whether something begins and ends each warm-up and timed slice. */
    virtual bool around() const { return false; }
    virtual void before(std::uint64_t) {}
    virtual void after(std::uint64_t) {}
    /* More figures of a slice. */
    virtual std::optional<Fields> figures() { return std::nullopt; }
    /* Why it cannot be run here; nothing where it can. */
    virtual std::string unsupported() const { return ""; }
};

inline std::int64_t clock_ns(clockid_t clock)
{
    timespec now;

    if (clock_gettime(clock, &now) != 0)
        throw std::runtime_error("cannot read a clock");
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline std::uint64_t number(const std::string &text)
{
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;

    try {
        if (digits)
            return std::stoull(text);
    } catch (const std::out_of_range &) {
    }
    throw std::runtime_error("not a number: " + text);
}

inline void emit(const Fields &line)
{
    if (!(std::cout << '{' << line.text() << '}' << std::endl))
        throw std::runtime_error("cannot write to standard output");
}

/* Times slices and prints a line for each. */
inline void measure(const std::string &name, const char *kind, std::uint64_t slices, std::uint64_t iterations, Case &work)
{
    const bool empty = kind == std::string("empty");
    const bool around = !empty && work.around();

    for (std::uint64_t slice = 0; slice < slices; slice++) {
        const auto begun = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

        if (around)
            work.before(iterations);

        const auto cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
        const auto wall = clock_ns(CLOCK_MONOTONIC);
        empty ? work.empty(iterations) : work.run(iterations);
        const auto wall_ns = clock_ns(CLOCK_MONOTONIC) - wall;
        const auto ended = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

        if (around)
            work.after(iterations);

        const auto around_ns = cpu - begun + clock_ns(CLOCK_PROCESS_CPUTIME_ID) - ended;
        Fields line;

        line.text("case", name).integer("slice", slice).text("kind", kind);
        line.integer("wall_ns", wall_ns).integer("cpu_ns", ended - cpu);
        if (around)
            line.integer("around_ns", around_ns);
        if (!empty) {
            line.object("receipt", work.receipt(iterations));
            if (const auto figures = work.figures())
                line.object("figures", *figures);
        }
        emit(line);
    }
}

/* What the arguments of the process say. */
class Worker {
public:
    Worker(int argc, char **argv) : arguments(argv + 1, argv + argc)
    {
        for (const auto &each : arguments)
            if (each.find('=') == std::string::npos)
                throw std::runtime_error("not of the form NAME=VALUE: " + each);
    }

    std::optional<std::string> find(const std::string &name) const
    {
        for (const auto &each : arguments)
            if (each.compare(0, name.size() + 1, name + "=") == 0)
                return each.substr(name.size() + 1);
        return std::nullopt;
    }

    /* The value of the argument NAME=VALUE. */
    std::string option(const std::string &name) const
    {
        if (auto value = find(name))
            return *value;
        throw std::runtime_error("missing argument: " + name);
    }

    /* The cases that are asked for, with their iterations, in the order of the argument `cases`. */
    std::vector<std::pair<std::string, std::uint64_t>> cases() const
    {
        std::vector<std::pair<std::string, std::uint64_t>> found;
        const std::string entries = option("cases");

        for (std::size_t start = 0, end; start < entries.size(); start = end + 1) {
            end = std::min(entries.find(',', start), entries.size());
            const std::string entry = entries.substr(start, end - start);
            const auto colon = entry.rfind(':');

            if (colon == std::string::npos)
                throw std::runtime_error("not of the form NAME:ITERATIONS: " + entry);
            found.emplace_back(entry.substr(0, colon), number(entry.substr(colon + 1)));
        }
        return found;
    }

    /* Runs the cases that are asked for. `library` is its own version, where it reports one, `endpoint` where it waits
       for roles that are started after it. */
    void serve(const std::string &library, const std::vector<std::pair<std::string, Case *>> &known,
               const std::optional<std::string> &endpoint = std::nullopt) const
    {
        const auto slices = number(option("slices")), warmup = number(option("warmup"));
        const auto cold = number(find("cold").value_or("0"));
        Fields ready;
        std::string line;

        ready.text("library", library);
        if (endpoint)
            ready.text("endpoint", *endpoint);
        emit(Fields().object("ready", ready));
        if (!std::getline(std::cin, line) || line != "go")
            throw std::runtime_error("expected go on standard input");
        for (const auto &[name, iterations] : cases()) {
            Case *work = nullptr;

            for (const auto &each : known)
                work = each.first == name ? each.second : work;
            const std::string reason = work ? work->unsupported() : option("binding") + " has no case " + name;
            if (!reason.empty()) {
                emit(Fields().text("case", name).text("unsupported", reason));
                continue;
            }
            measure(name, "cold", cold > 0, cold, *work);
            measure(name, "warmup", warmup, iterations, *work);
            measure(name, "timed", slices, iterations, *work);
            measure(name, "empty", slices, iterations, *work);
        }
        while (std::getline(std::cin, line)) /* the harness reads the live process meanwhile */
            continue;
    }

private:
    std::vector<std::string> arguments;
};

/* Does the work of a whole process. */
template <class Work> int main(int argc, char **argv, Work work)
{
    try {
        work(Worker(argc, argv));
    } catch (const std::exception &error) {
        std::cerr << "ffibench worker: " << error.what() << '\n';
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

} // namespace ffibench

#endif
