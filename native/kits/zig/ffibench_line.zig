//! A line of JSON on standard output: an object whose fields are whole numbers, strings and further objects.

const std = @import("std");
const arguments = @import("ffibench_arguments.zig");
const Line = @This();

extern "c" fn write(file: c_int, bytes: [*]const u8, size: usize) isize;

buffer: [4096]u8 = undefined,
used: usize = 0,
/// What stands before the next field.
before: []const u8 = "{",

/// A whole number of any type.
pub fn integer(line: *Line, name: []const u8, value: anytype) void {
    var digits: [24]u8 = undefined;
    const exact = if (@TypeOf(value) == bool) @intFromBool(value) else value;
    if (@typeInfo(@TypeOf(exact)) != .int)
        @compileError("a receipt with " ++ @typeName(@TypeOf(value)) ++ ", no whole number");
    line.field(name);
    line.put(std.fmt.bufPrint(&digits, "{d}", .{exact}) catch unreachable);
}

pub fn string(line: *Line, name: []const u8, text: []const u8) void {
    line.field(name);
    line.quoted(text);
}

/// Bytes as a string of their hexadecimal digits.
pub fn hexadecimal(line: *Line, name: []const u8, bytes: []const u8) void {
    line.field(name);
    line.put("\"");
    for (bytes) |each|
        line.put(&std.fmt.bytesToHex([_]u8{each}, .lower));
    line.put("\"");
}

/// Begins an object in the line.
pub fn begin(line: *Line, name: []const u8) void {
    line.field(name);
    line.before = "{";
}

pub fn end(line: *Line) void {
    line.put(if (line.before.len == 1) "{}" else "}");
    line.before = ", ";
}

/// Ends the line, and writes it out.
pub fn finish(line: *Line) void {
    line.end();
    line.put("\n");
    line.flush();
}

fn field(line: *Line, name: []const u8) void {
    line.put(line.before);
    line.before = ", ";
    line.quoted(name);
    line.put(": ");
}

fn quoted(line: *Line, text: []const u8) void {
    line.put("\"");
    for (text) |each| {
        var escaped: [6]u8 = undefined;
        line.put(switch (each) {
            '"' => "\\\"",
            '\\' => "\\\\",
            0...0x1f => std.fmt.bufPrint(&escaped, "\\u{x:0>4}", .{each}) catch unreachable,
            else => &.{each},
        });
    }
    line.put("\"");
}

fn put(line: *Line, text: []const u8) void {
    for (text) |each| {
        if (line.used == line.buffer.len)
            line.flush();
        line.buffer[line.used] = each;
        line.used += 1;
    }
}

fn flush(line: *Line) void {
    var rest: []const u8 = line.buffer[0..line.used];
    while (rest.len > 0) {
        const taken = write(1, rest.ptr, rest.len);
        if (taken < 0)
            arguments.refuse("cannot write to standard output", .{});
        rest = rest[@intCast(taken)..];
    }
    line.used = 0;
}
