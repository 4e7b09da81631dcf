//! The arguments of a worker, NAME=VALUE, and how it refuses what is wrong with them.

const std = @import("std");

extern "c" fn exit(status: c_int) noreturn;

var arguments: []const [*:0]const u8 = &.{};

/// Ends the worker with a sentence on standard error.
pub fn fail(comptime format: []const u8, values: anytype) noreturn {
    @branchHint(.cold);
    std.debug.print(format ++ "\n", values);
    exit(1);
}

/// Ends it for what the contract does not allow.
pub fn refuse(comptime format: []const u8, values: anytype) noreturn {
    fail("ffibench worker: " ++ format, values);
}

pub fn open(argc: c_int, argv: [*]const [*:0]const u8) void {
    arguments = argv[1..@intCast(argc)];
    for (arguments) |each| {
        if (std.mem.indexOfScalar(u8, std.mem.span(each), '=') == null)
            refuse("not of the form NAME=VALUE: {s}", .{each});
    }
}

/// The value of the argument NAME=VALUE.
pub fn option(name: []const u8) [:0]const u8 {
    return given(name) orelse refuse("missing argument: {s}", .{name});
}

/// The same, or null.
pub fn given(name: []const u8) ?[:0]const u8 {
    for (arguments) |each| {
        const text = std.mem.span(each);
        if (std.mem.startsWith(u8, text, name) and text[name.len] == '=')
            return text[name.len + 1 ..];
    }
    return null;
}

/// A whole number that is not negative.
pub fn number(text: []const u8) u64 {
    for (text) |each| {
        if (!std.ascii.isDigit(each)) break;
    } else if (std.fmt.parseUnsigned(u64, text, 10)) |value| {
        return value;
    } else |_| {} // none, or too large
    refuse("not a number: {s}", .{text});
}

/// The cases that are asked for, in their order, each with its iterations.
pub const Plan = struct {
    entries: std.mem.SplitIterator(u8, .scalar),

    pub const Entry = struct { name: []const u8, iterations: u64 };

    pub fn begin() Plan {
        return .{ .entries = std.mem.splitScalar(u8, option("cases"), ',') };
    }

    pub fn next(plan: *Plan) ?Entry {
        const entry = plan.entries.next() orelse return null;
        const colon = std.mem.lastIndexOfScalar(u8, entry, ':') orelse
            refuse("not of the form NAME:ITERATIONS: {s}", .{entry});
        return .{ .name = entry[0..colon], .iterations = number(entry[colon + 1 ..]) };
    }
};
