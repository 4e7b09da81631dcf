//! What generated loops have in common: memory that is filled, and answers as exact text. Floating-point numbers are
//! written as the 16 hexadecimal digits of their bits, texts and memory as those of their bytes.

const std = @import("std");
const arguments = @import("ffibench_arguments.zig");
const kit = @import("ffibench.zig");

const memory_bytes_max = 64; // of memory that is longer so many bytes are compared, spread evenly

/// Fills memory with a pattern that repeats; the NUL behind it stays.
pub fn fill(memory: []u8, pattern: []const u8) void {
    for (memory, 0..) |*each, place|
        each.* = pattern[place % pattern.len];
}

/// Fills memory with the bytes 0, 1 .. 255, 0 ..
pub fn count(memory: []u8) void {
    for (memory, 0..) |*each, place|
        each.* = @truncate(place);
}

/// Fills an array with the numbers 0, 1 .. as its type has them.
pub fn countNumbers(comptime T: type, numbers: []T) void {
    for (numbers, 0..) |*each, place|
        each.* = converted(T, place);
}

/// A number as C converts it to another type.
pub fn converted(comptime T: type, value: anytype) T {
    const number = if (@TypeOf(value) == bool) @intFromBool(value) else value;
    const is_real = @typeInfo(@TypeOf(number)) == .float;
    if (T == bool)
        return number != 0;
    if (@typeInfo(T) == .float)
        return if (is_real) @floatCast(number) else @floatFromInt(number);
    if (is_real)
        return @intFromFloat(number);
    const wide: i128 = number;
    return if (@typeInfo(T).int.signedness == .signed) @truncate(wide) else @truncate(@as(u128, @bitCast(wide)));
}

/// Copies a text that may be gone later, as much of it as there is room for.
pub fn copied(room: []u8, text: ?[*:0]const u8) [*:0]const u8 {
    const from = std.mem.span(text.?);
    const size = @min(from.len, room.len - 1);
    @memcpy(room[0..size], from[0..size]);
    room[size] = 0;
    return room[0..size :0].ptr;
}

/// A call in the loop answered otherwise.
pub fn wrong(function: []const u8) noreturn {
    arguments.refuse("{s} gave another answer than C", .{function});
}

/// A call of the set-up or of the teardown has to answer what the expression says.
pub fn expect(answered: bool, what: []const u8, function: []const u8) void {
    if (!answered)
        arguments.refuse("in the {s} another answer was expected of {s}", .{ what, function });
}

pub fn sayReal(line: *kit.Line, name: []const u8, value: anytype) void {
    const bits: u64 = @bitCast(@as(f64, @floatCast(value)));
    line.hexadecimal(name, std.mem.asBytes(&std.mem.nativeToBig(u64, bits)));
}

pub fn sayAddress(line: *kit.Line, name: []const u8, value: ?*const anyopaque) void {
    line.string(name, if (value == null) "NULL" else "not NULL");
}

pub fn sayText(line: *kit.Line, name: []const u8, value: ?[*:0]const u8) void {
    if (value) |own| line.hexadecimal(name, std.mem.span(own)) else line.string(name, "NULL");
}

/// The bytes of memory, of a long one those that are spread evenly over it.
pub fn sayMemory(line: *kit.Line, name: []const u8, bytes: []const u8) void {
    if (bytes.len <= memory_bytes_max)
        return line.hexadecimal(name, bytes);
    var picked: [memory_bytes_max]u8 = undefined;
    for (&picked, 0..) |*each, place|
        each.* = bytes[place * (bytes.len - 1) / (memory_bytes_max - 1)];
    line.hexadecimal(name, &picked);
}

/// An operation: its case, and what is done before and after it.
pub const Operation = struct {
    case: kit.Case,
    setUp: ?*const fn () void,
    tearDown: ?*const fn () void,
};

/// The operation of a namespace.
pub fn operation(name: []const u8, comptime own: type) Operation {
    return .{
        .case = .{ .name = name, .run = own.run, .empty = own.empty, .receipt = own.receipt },
        .setUp = if (@hasDecl(own, "setUp")) own.setUp else null,
        .tearDown = if (@hasDecl(own, "tearDown")) own.tearDown else null,
    };
}

/// Serves the operations that the argument `cases` names, set up in its order; the first is torn down last.
pub fn serve(comptime all: []const Operation) void {
    var cases: [all.len]kit.Case = undefined;
    var chosen: [all.len]*const Operation = undefined;
    var number: usize = 0;
    var plan = kit.Plan.begin();
    while (plan.next()) |asked| : (number += 1) {
        chosen[number] = named(all, asked.name);
        cases[number] = chosen[number].case;
        if (chosen[number].setUp) |setUp| setUp();
    }
    kit.serve(cases[0..number], .{});
    while (number > 0) {
        number -= 1;
        if (chosen[number].tearDown) |tearDown| tearDown();
    }
}

fn named(all: []const Operation, name: []const u8) *const Operation {
    for (all) |*each| {
        if (std.mem.eql(u8, each.case.name, name)) return each;
    }
    arguments.refuse("there is no case {s}", .{name});
}
