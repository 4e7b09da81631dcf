/**
 * What generated loops need: memory that is filled, values that the compiler knows nothing of, and answers as exact
 * text, as native/kits/c/ffibench_calls.h writes it.
 */
module ffibench_calls;

public import ffibench : fail, Loops, Receipt;
import ffibench : option, planned, serve;
import std.array : split;
import std.format : format;
import std.range : retro;
import std.string : fromStringz;

/// Of memory that is longer so many bytes are compared, spread evenly.
private enum memoryBytesMax = 64;

/// A case whose loops are generated.
struct Operation
{
    Loops loops;
    void delegate() tearDown;
}

/// Serves the operations that are asked for; what is set up first is torn down last.
void serveOperations(Operation function()[string] operations)
{
    Operation[] made;
    Loops[string] cases;

    foreach (entry; option("cases").split(','))
    {
        immutable name = planned(entry);
        if (name !in operations)
            fail("ffibench worker: there is no such case: " ~ name);
        made ~= operations[name]();
        cases[name] = made[$ - 1].loops;
    }
    serve(cases);
    foreach (each; made.retro)
        each.tearDown();
}

/// Ends the worker since a call in the loop did not answer what C does.
noreturn wrong(string name)
{
    fail(name ~ " gave another answer than C");
}

/// Hides a value from the compiler, so that it cannot delete a test of it.
pragma(inline, true) T opaque(T)(T value)
{
    asm nothrow @nogc
    {
        "" : "+m" (value);
    }
    return value;
}

/// Memory in which a pattern repeats. A NUL follows, as in the bytes of other languages.
ubyte[] bytes(string pattern, size_t size)
{
    auto memory = (new ubyte[size + 1])[0 .. size];
    foreach (each, ref item; memory)
        item = pattern[each % $];
    return memory;
}

/// The items 0, 1 and so on.
T[] range(T)(size_t size)
{
    auto items = (new T[size + 1])[0 .. size];
    foreach (each, ref item; items)
        item = cast(T) each;
    return items;
}

/// An address in a receipt.
string address(const void* pointer)
{
    return pointer is null ? "NULL" : "not NULL";
}

/// The bits of a floating-point number.
string real_(double value)
{
    return format!"%016x"(*cast(const ulong*)&value);
}

/// Bytes of items, of long memory those that are spread evenly over it.
string memory(const void[] items)
{
    const bytes = cast(const ubyte[]) items;
    if (bytes.length <= memoryBytesMax)
        return format!"%(%02x%)"(bytes);
    string written;
    foreach (each; 0 .. memoryBytesMax)
        written ~= format!"%02x"(bytes[each * (bytes.length - 1) / (memoryBytesMax - 1)]);
    return written;
}

/// A text in C's own memory.
const(char)[] text(const(char)* first)
{
    return first.fromStringz;
}

/// A copy of a text in memory that may be gone later.
string copied(const(char)* first)
{
    return first.fromStringz.idup;
}
