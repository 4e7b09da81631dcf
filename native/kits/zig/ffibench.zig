//! The worker contract in Zig.
//!
//!     const kit = @import("ffibench");
//!     const native = @import("native"); // the header's functions and constants
//!
//!     pub export fn main(argc: c_int, argv: [*]const [*:0]const u8) c_int {
//!         kit.open(argc, argv);
//!         message = kit.option("message"); // an argument NAME=VALUE
//!         ... set up ...
//!         kit.serve(&.{.{ .name = "send", .run = run, .empty = empty, .receipt = receipt }}, .{ .library = "4.3.5" });
//!         ... tear down ...
//!         return 0;
//!     }
//!
//! A mistake in the arguments or a failed loop is reported on standard error, with a non-zero exit status. What Zig's
//! own library has for arguments, clocks and streams differs from version to version: here they are libc's.

const std = @import("std");
const arguments = @import("ffibench_arguments.zig");
pub const Line = @import("ffibench_line.zig");
pub const calls = @import("ffibench_calls.zig");
pub const Plan = arguments.Plan;
pub const open = arguments.open;
pub const option = arguments.option;
pub const number = arguments.number;
pub const fail = arguments.fail;

const Timespec = extern struct { seconds: c_long, nanoseconds: c_long };
extern "c" fn clock_gettime(clock: Clock, now: *Timespec) c_int;
extern "c" fn getchar() c_int;

/// A case: its loops, and what it says of a slice outside the clocks.
pub const Case = struct {
    name: []const u8,
    run: *const fn (iterations: u64) void,
    /// The same without the native call.
    empty: *const fn (iterations: u64) void,
    receipt: *const fn (iterations: u64, line: *Line) void,
    /// Begin and end each slice that is not empty.
    before: ?*const fn (iterations: u64) void = null,
    after: ?*const fn (iterations: u64) void = null,
    /// Extra figures of the slice.
    figures: ?*const fn (line: *Line) void = null,
    /// Why it cannot be run.
    unsupported: ?[]const u8 = null,
};

/// What the worker tells before it begins: the version that the library reports itself, and where it waits for roles
/// that are started after it.
pub const Told = struct { library: []const u8 = "", endpoint: ?[]const u8 = null };

/// As Linux numbers CLOCK_MONOTONIC and CLOCK_PROCESS_CPUTIME_ID.
pub const Clock = enum(c_int) { wall = 1, processor = 2 };

pub fn nanoseconds(clock: Clock) i64 {
    var now: Timespec = undefined;
    if (clock_gettime(clock, &now) != 0)
        arguments.refuse("cannot read a clock", .{});
    return now.seconds * 1_000_000_000 + now.nanoseconds;
}

/// Hides a number or an address from the compiler, so that it cannot delete a test of it.
pub inline fn hidden(value: anytype) @TypeOf(value) {
    const T = @TypeOf(value);
    if (T == bool)
        return hidden(@as(u8, @intFromBool(value))) != 0;
    if (@typeInfo(T) == .float) {
        var own = value;
        const seen: *volatile T = &own;
        return seen.*;
    }
    return asm volatile (""
        : [out] "=r" (-> T),
        : [in] "0" (value),
    );
}

/// What memory holds is unknown to the compiler from here on, so that it cannot delete a loop.
pub inline fn barrier() void {
    asm volatile ("" ::: .{ .memory = true });
}

/// Runs the contestant, which is set up, by the contract; returns when standard input has closed.
pub fn serve(cases: []const Case, told: Told) void {
    const slices = number(option("slices"));
    const warmup = number(option("warmup"));
    const cold = number(arguments.given("cold") orelse "0");
    tell(told);
    for ("go\n") |expected| {
        if (getchar() != expected)
            arguments.refuse("expected go on standard input", .{});
    }
    var plan = Plan.begin();
    while (plan.next()) |asked| {
        const case = named(cases, asked.name) orelse continue;
        if (cold > 0)
            measure(case, "cold", 1, cold);
        measure(case, "warmup", warmup, asked.iterations);
        measure(case, "timed", slices, asked.iterations);
        measure(case, "empty", slices, asked.iterations);
    }
    while (getchar() >= 0) {} // the harness reads the live process meanwhile
}

fn tell(told: Told) void {
    var line = Line{};
    line.begin("ready");
    line.string("library", told.library);
    if (told.endpoint) |endpoint|
        line.string("endpoint", endpoint);
    line.end();
    line.finish();
}

/// The case of this name; null where it cannot be run, which is told.
fn named(cases: []const Case, name: []const u8) ?Case {
    const found = for (cases) |each| {
        if (std.mem.eql(u8, each.name, name)) break each;
    } else null;
    if (found != null and found.?.unsupported == null)
        return found;
    var reason: [512]u8 = undefined;
    var line = Line{};
    line.string("case", name);
    const none = std.fmt.bufPrint(&reason, "{s} has no case {s}", .{ option("binding"), name }) catch name;
    line.string("unsupported", if (found) |each| each.unsupported.? else none);
    line.finish();
    return null;
}

/// Times so many slices and prints a line for each. Nothing but the loop lies between the clocks.
fn measure(case: Case, kind: []const u8, slices: u64, iterations: u64) void {
    const is_empty = std.mem.eql(u8, kind, "empty");
    const loop = if (is_empty) case.empty else case.run;
    const before = if (is_empty) null else case.before;
    const after = if (is_empty) null else case.after;
    for (0..slices) |slice| {
        const begun = nanoseconds(.processor);
        if (before) |call| call(iterations);
        const cpu = nanoseconds(.processor);
        const wall = nanoseconds(.wall);
        loop(iterations);
        const wall_ns = nanoseconds(.wall) - wall;
        const ended = nanoseconds(.processor);
        if (after) |call| call(iterations);
        const around_ns = cpu - begun + nanoseconds(.processor) - ended;

        var line = Line{};
        line.string("case", case.name);
        line.integer("slice", slice);
        line.string("kind", kind);
        line.integer("wall_ns", wall_ns);
        line.integer("cpu_ns", ended - cpu);
        if (before != null or after != null)
            line.integer("around_ns", around_ns);
        if (!is_empty) {
            line.begin("receipt");
            case.receipt(iterations, &line);
            line.end();
        }
        if (if (is_empty) null else case.figures) |say| {
            line.begin("figures");
            say(&line);
            line.end();
        }
        line.finish();
    }
}
