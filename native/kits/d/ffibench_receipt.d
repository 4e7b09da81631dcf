/// What workers in D say, as JSON.
module ffibench_receipt;

import std.conv : to;
import std.format : format;
import std.traits : isIntegral, isSomeString;

/// What a slice did, or its figures, as JSON: whole numbers and texts alone.
struct Receipt
{
    private string fields;

    Receipt put(T)(string name, T value) if (isIntegral!T || isSomeString!T)
    {
        static if (isIntegral!T)
            immutable text = value.to!string;
        else
            immutable text = quoted(value);
        return Receipt(fields ~ (fields.length ? ", " : "") ~ quoted(name) ~ ": " ~ text);
    }

    string toString() const
    {
        return "{" ~ fields ~ "}";
    }
}

/// A text between quotes.
string quoted(const(char)[] text)
{
    string written = `"`;
    foreach (char each; text)
        written ~= each < 0x20 ? format!`\u%04x`(each) : each == '"' || each == '\\' ? `\` ~ each : [each].idup;
    return written ~ `"`;
}
