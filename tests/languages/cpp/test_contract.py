"""The worker contract in C++: the kit in a program that calls nothing."""

from __future__ import annotations

import pytest
from support.anywhere import runtime_or_skip
from support.compiled import compiled
from support.contract import Contract, Worker

from ffibench.paths import asset

PROGRAM = r"""
#include "ffibench.hpp"

#include <limits>

static std::uint64_t total;

struct Sum : ffibench::Case {
    void run(std::uint64_t iterations) override
    {
        for (std::uint64_t i = 0; i < iterations; i++) {
            ffibench::opaque(total);
            total++;
        }
    }
    void empty(std::uint64_t) override {}
    ffibench::Fields receipt(std::uint64_t done) override
    {
        return ffibench::Fields().integer("calls", done).integer("total", total);
    }
};

struct Around : Sum {
    bool around() const override { return true; }
    void before(std::uint64_t) override { total = 100; }
    void after(std::uint64_t) override { total++; }
    std::optional<ffibench::Fields> figures() override { return ffibench::Fields().integer("first_ns", 7); }
};

struct Dies : Sum {
    void run(std::uint64_t) override { ffibench::wrong("it went wrong"); }
};

struct Never : Sum {
    std::string unsupported() const override { return "it has no such call"; }
};

struct Says : ffibench::Case {
    explicit Says(const ffibench::Fields &fields) : fields(fields) {}
    void run(std::uint64_t) override {}
    void empty(std::uint64_t) override {}
    ffibench::Fields receipt(std::uint64_t) override { return fields; }

    const ffibench::Fields fields;
};

enum class Colour : signed char { red = -3 };

static ffibench::Fields forms()
{
    const auto memory = ffibench::bytes("ab", 2, 3);
    ffibench::Fields fields;
    double real = -0.0;
    auto colour = Colour::red;

    ffibench::opaque(real);
    ffibench::opaque(colour);
    fields.text("memory", ffibench::memory(memory, 3)).text("text", ffibench::text(memory.data()));
    fields.text("long", ffibench::memory(ffibench::counting<unsigned char>(1000), 1000));
    fields.text("nothing", ffibench::text(nullptr)).text("address", ffibench::address(&real));
    fields.text("real", ffibench::real(real)).integer("flag", true).integer("byte", 'a');
    return fields.integer("colour", colour);
}

static void work(const ffibench::Worker &worker)
{
    using ffibench::Fields;
    const bool waits = worker.option("binding") == "waiting";
    Sum sum;
    Around around;
    Dies dies;
    Never never;
    Says lowest(Fields().integer("value", std::numeric_limits<std::int64_t>::min()));
    Says highest(Fields().integer("value", std::numeric_limits<std::uint64_t>::max()));
    Says odd(Fields().integer("value", 9007199254740993));
    Says text(Fields().text("value", "a\"b\\c\n\t\001ä😀"));
    Says answers(forms());

    worker.serve("1.2 \"x\"",
                 {{"sum", &sum}, {"around", &around}, {"lowest", &lowest}, {"highest", &highest}, {"odd", &odd},
                  {"text", &text}, {"forms", &answers}, {"dies", &dies}, {"never", &never}},
                 waits ? std::optional<std::string>("tcp://here") : std::nullopt);
    std::cerr << "torn down\n";
}

int main(int argc, char **argv)
{
    return ffibench::main(argc, argv, work);
}
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    runtime_or_skip("cpp")
    flags = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{asset('native/kits/cpp')}"]
    return Worker(compiled(tmp_path_factory.mktemp("cpp") / "worker", PROGRAM, *flags, language="cpp"))


class TestContract(Contract):
    def test_answers_are_written_as_the_kit_of_c_writes_them(self, worker: Worker) -> None:
        assert worker.receipt("forms") == {
            "memory": "616261",
            "text": "616261",
            "long": bytes(each * 999 // 63 % 256 for each in range(64)).hex(),
            "nothing": "NULL",
            "address": "not NULL",
            "real": "8000000000000000",
            "flag": 1,
            "byte": 97,
            "colour": -3,
        }
