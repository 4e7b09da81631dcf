"""Every form of a call, over a library of its own; what is answered lies at the edges of its type."""

from ffibench.model import Call, Experiment, LibrarySources

NUMBERS = (
    "same_u64(2**64 - 1)",
    "same_u64(0)",
    "same_i64(-2**63)",
    "same_i64(2**63 - 1)",
    "same_u32(4294967295)",
    "same_i32(-2147483648)",
    "same_u16(65535)",
    "same_i8(-128)",
    "same_u8(255)",
    "same_char(65)",
    "same_bool(True)",
    "same_bool(False)",
    "same_tone(SHAPES_HIGH)",
    "same_i32(SHAPES_ANSWER)",
    "inverted(True)",
    "eight(-128, 65535, -2147483648, 2**64 - 1, -2**63, 4294967295, -32768, 255)",
    "nothing()",
    "same_double(0.1)",
    "same_double(3)",
    "same_double(1e308)",
    "same_double(5e-324)",
    "same_double(-0.0)",
    "same_double(1e999)",
    "same_double(-1e999)",
    "same_float(0.1)",
    "third()",
    "quotient(0.0, 0.0)",
    "quotient(-1.0, 0.0)",
    "quotient(-0.0, 1.0)",
    "nan_of(0, 0)",
    "nan_of(1, 7)",
)
TEXTS = (
    'length_of("five5")',
    'length_of("")',
    'length_of("a" * 1000)',
    'length_of("caf\\u00e9 \\"$x @y\\" %d \\\\")',
    "name_of(0)",
    "name_of(1)",
    "name_of(2)",
    "name_of(3)",
    "name_of(9)",
    "latest(3)",
    "latest(3); latest(4)",
    "owned_of(12)",
    "owned_of(-1)",
)
MEMORY = (
    "sum_of(bytes(0), 0)",
    "sum_of(bytes(1), 1)",
    "sum_of(bytes(300), 300)",
    'sum_of(b"\\x00\\xff\\"\\\\$@%", 7)',
    'sum_of(b"ab" * 500, 1000)',
    "fill(buffer(3), 3, 7)",
    "fill(buffer(64), 64, 1)",
    "fill(buffer(65), 65, 1)",
    "fill(buffer(5000), 5000, 9)",
    'packed(buffer(8), inout("size_t", 8))',
    'sum_of_doubles(array("d", 5000), 5000)',
    'sum_of_doubles(array("d", [0.1, -2.5, 1e300]), 3)',
    'count_up(array("i", 100), 100)',
    'reset_first(array("d", [1.5, 2.5]), 2)',
)
POINTERS = (
    "divide(17, 5, out(q), out(r))",
    "divide(17, 0, out(q), out(r))",
    "put_u64(out(number))",
    "put_float(out(number))",
    "put_bool(out(flag))",
    "half_of(3, out(half))",
    'next_of(inout("unsigned long", 41))',
    'next_of(inout("unsigned long", 41, there)); same_i32(5)',
)
STRUCTS = (
    "point_sum(point(x=1.5, y=2))",
    "point_sum(point(0.25, -1))",
    "point_move(point(1, 2), 3.5)",
    "point_of(0.1, -0.0)",
    "stroke_length(Stroke(from=0))".replace("from=0", "point(1, 2), point(x=4), [7, 8], True, 200"),
    "stroke_turn(Stroke(tags=[1, 2, 3]))",
    "wide_of()",
)
HANDLES = (
    "c = counter_new(5); counter_next(c); counter_free(c)",
    'counter_open("abc", out(c)); counter_name(c); counter_free(c)',
    "is_null(NULL)",
    "c = counter_new(300); is_null(c); counter_free(c)",
)
CALLBACKS = (
    "each_of(3, callback(), NULL)",
    "each_of(1000, callback(2), NULL)",
    "each_of(3, NULL, NULL)",
    "told(callback())",
)

EXPERIMENT = Experiment(
    title="every form of a call",
    header="shapes.h",
    library=LibrarySources(sources=("shapes.c",)),
    kinds={"owned_of.return": "owned:owned_free"},
    calls=(
        *(
            Call(expression=each, iterations=20)
            for each in (*NUMBERS, *TEXTS, *MEMORY, *POINTERS, *STRUCTS, *HANDLES, *CALLBACKS)
        ),
        Call(
            name="with set-up",
            expression="is_null(shared); same_i32(first)",
            setup=('counter_open("abc", out(shared)) == 0', "first = counter_next(shared)"),
            teardown=("counter_free(shared)",),
            iterations=20,
        ),
        Call(name="unchecked", expression="ever_more()", checked=False, iterations=20),
    ),
)
