/**
 * The worker contract in D.
 *
 *     immutable message = ffibench.option("message");    // an argument NAME=VALUE
 *     ... set up ...
 *     ffibench.serve(["send": Loops(&run, &empty, &receipt)], "4.3.5");    // returns when standard input has closed
 *     ... tear down ...
 *
 * A mistake is reported on standard error, with a non-zero status.
 */
module ffibench;

import core.runtime : Runtime;
import core.stdc.stdio : EOF, fflush, fgets, fputs, getchar, stderr, stdin, stdout;
import core.stdc.stdlib : EXIT_FAILURE, exit;
import core.stdc.string : strcmp;
import core.sys.posix.time : CLOCK_MONOTONIC, clock_gettime, clockid_t, timespec;
public import ffibench_receipt : Receipt;
import ffibench_receipt : quoted;
import std.algorithm.searching : canFind, startsWith;
import std.array : split;
import std.conv : ConvException, to;
import std.format : format;
import std.string : lastIndexOf, toStringz;

/// Of the process; druntime names this one for few systems.
private enum clockid_t CLOCK_PROCESS_CPUTIME_ID = 2;

/// Those of a case. What is called besides `run` and `empty` is outside of the clocks.
struct Loops
{
    void delegate(ulong iterations) run;
    void delegate(ulong iterations) empty; /// the same without the native call
    Receipt delegate(ulong iterations) receipt;
    void delegate() before; /// or null: starts a warm-up or timed slice
    void delegate() after; /// or null: ends it
    Receipt delegate() figures; /// or null
    string unsupported; /// why it cannot be run, in place of all others
}

shared static this()
{
    foreach (argument; Runtime.args[1 .. $])
        if (!argument.canFind('='))
            fail("ffibench worker: not of the form NAME=VALUE: " ~ argument);
}

/// The value of the argument NAME=VALUE.
string option(string name)
{
    immutable value = find(name);
    if (value is null)
        fail("ffibench worker: missing argument: " ~ name);
    return value;
}

/// A whole number that is not negative.
ulong number(string text)
{
    try
        return text.to!ulong;
    catch (ConvException)
        fail("ffibench worker: not a number: " ~ text);
    assert(0);
}

/// Ends the worker.
noreturn fail(string reason)
{
    fputs((reason ~ "\n").toStringz, stderr);
    exit(EXIT_FAILURE);
}

/// Runs the cases that are asked for by the worker contract, after the set-up.
void serve(Loops[string] cases, string library = "", string endpoint = null)
{
    immutable slices = number(option("slices")), warmup = number(option("warmup"));
    immutable asked = find("cold");
    immutable cold = asked is null ? 0 : number(asked);
    auto ready = Receipt().put("library", library);
    if (endpoint !is null)
        ready = ready.put("endpoint", endpoint);
    emit(format!`{"ready": %s}`(ready));
    char[8] line = 0;
    if (fgets(line.ptr, line.length, stdin) is null || strcmp(line.ptr, "go\n") != 0)
        fail("ffibench worker: expected go on standard input");
    foreach (entry; option("cases").split(','))
    {
        immutable name = planned(entry), iterations = number(entry[name.length + 1 .. $]);
        immutable reason = name in cases ? cases[name].unsupported : option("binding") ~ " has no case " ~ name;
        if (reason.length > 0)
        {
            emit(format!`{"case": %s, "unsupported": %s}`(quoted(name), quoted(reason)));
            continue;
        }
        auto loops = cases[name];
        measure(name, "cold", cold > 0, cold, loops);
        measure(name, "warmup", warmup, iterations, loops);
        measure(name, "timed", slices, iterations, loops);
        measure(name, "empty", slices, iterations, Loops(loops.empty));
    }
    while (getchar() != EOF) // the harness reads the live process meanwhile
        continue;
}

/// The name of a case in an entry NAME:ITERATIONS.
string planned(string entry)
{
    immutable place = entry.lastIndexOf(':');
    if (place < 1)
        fail("ffibench worker: not of the form NAME:ITERATIONS: " ~ entry);
    return entry[0 .. place];
}

private void measure(string name, string kind, ulong slices, ulong iterations, Loops loops)
{
    foreach (slice; 0 .. slices)
    {
        immutable begun = clock(CLOCK_PROCESS_CPUTIME_ID);
        if (loops.before !is null)
            loops.before();
        immutable cpu = clock(CLOCK_PROCESS_CPUTIME_ID), wall = clock(CLOCK_MONOTONIC);
        loops.run(iterations);
        immutable wallNs = clock(CLOCK_MONOTONIC) - wall, ended = clock(CLOCK_PROCESS_CPUTIME_ID);
        if (loops.after !is null)
            loops.after();
        immutable aroundNs = cpu - begun + clock(CLOCK_PROCESS_CPUTIME_ID) - ended;
        auto line = format!`{"case": %s, "slice": %d, "kind": "%s", "wall_ns": %d, "cpu_ns": %d`(quoted(name),
                slice, kind, wallNs, ended - cpu);
        if (loops.before !is null || loops.after !is null)
            line ~= format!`, "around_ns": %d`(aroundNs);
        if (loops.receipt !is null)
            line ~= format!`, "receipt": %s`(loops.receipt(iterations));
        if (loops.figures !is null)
            line ~= format!`, "figures": %s`(loops.figures());
        emit(line ~ "}");
    }
}

private long clock(clockid_t id)
{
    timespec now;
    if (clock_gettime(id, &now) != 0)
        fail("ffibench worker: cannot read a clock");
    return now.tv_sec * 1_000_000_000L + now.tv_nsec;
}

private string find(string name)
{
    foreach (argument; Runtime.args[1 .. $])
        if (argument.startsWith(name ~ "="))
            return argument[name.length + 1 .. $];
    return null;
}

private void emit(string line)
{
    if (fputs((line ~ "\n").toStringz, stdout) == EOF || fflush(stdout) != 0)
        fail("ffibench worker: cannot write to standard output");
}
