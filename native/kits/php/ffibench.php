<?php

// The worker contract in PHP. A worker is this file: `php ffibench.php source=FILE shim=MODULE NAME=VALUE ...`.
//
//     $zmq = FFIBench::native();                   // the library under test, with the constants of its header
//     $message = FFIBench::option('message');      // an argument NAME=VALUE, as bytes
//     ... set up ...
//     FFIBench::serve(
//         library: '4.3.5',                        // its own version, where it reports one
//         endpoint: 'tcp://127.0.0.1:5556',        // optional: where it waits for roles that are started after it
//         cases: [
//             'send' => [
//                 'run' => function (int $iterations) { ...; return ['sends' => $iterations]; },
//                 'empty' => function (int $iterations) { ... },
//                 // optional, outside the clocks: before (int), after (int): array and figures (): array
//             ],
//             'recv' => 'why this contestant cannot run it',
//         ],
//     );                                           // returns when standard input has closed
//     ... tear down ...
//
// What is thrown is reported on standard error, with a non-zero status.

declare(strict_types=1);

final class FFIBench
{
    private const MONOTONIC = 1;
    private const PROCESS_CPUTIME = 2;

    private static array $options = [];
    private static FFI $libc;

    public static function open(array $arguments): void
    {
        // A warning is a mistake too. What is thrown is one line at the end.
        $thrown = fn (int $level, string $what) => throw new ErrorException($what, 0, $level);
        set_error_handler($thrown, E_ALL & ~E_DEPRECATED);
        $told = fn (Throwable $it): string => "{$it->getMessage()}, {$it->getFile()}:{$it->getLine()}";
        set_exception_handler(fn (Throwable $it) => self::fail($told($it)));
        foreach ($arguments as $argument) {
            [$name, $value] = explode('=', $argument, 2) + [1 => null];
            self::$options[$name] = $value ?? self::fail("not of the form NAME=VALUE: $argument");
        }
        // PHP's own clock of the processor time counts microseconds. A timespec is two longs.
        self::$libc = FFI::cdef('int clock_gettime(int clock, long *now);');
        require self::option('source');
    }

    public static function option(string $name): string
    {
        return self::$options[$name] ?? self::fail("missing argument: $name");
    }

    public static function native(): FFI
    {
        return require self::option('shim');
    }

    public static function fail(string $reason): never
    {
        fwrite(STDERR, "ffibench worker: $reason\n");
        exit(1);
    }

    public static function serve(array $cases, string $library = '', string $endpoint = ''): void
    {
        $slices = self::number(self::option('slices'));
        $warmup = self::number(self::option('warmup'));
        $cold = self::number(self::$options['cold'] ?? '0');
        $plan = self::plan();
        foreach ($plan as $name => $iterations) {
            // An empty loop must be compiled as well as the timed one, and has no warm-up slices.
            for ($slice = 1; $slice < $warmup && is_array($cases[$name] ?? null); $slice++) {
                $cases[$name]['empty']($iterations);
            }
        }
        self::emit(['ready' => ['library' => $library] + ($endpoint === '' ? [] : ['endpoint' => $endpoint])]);
        if (fgets(STDIN) !== "go\n") {
            self::fail('expected go on standard input');
        }
        foreach ($plan as $name => $iterations) {
            $loops = $cases[$name] ?? self::option('binding') . " has no case $name";
            if (is_string($loops)) {
                self::emit(['case' => $name, 'unsupported' => $loops]);
                continue;
            }
            self::measure($name, 'cold', $cold > 0 ? 1 : 0, $cold, $loops);
            self::measure($name, 'warmup', $warmup, $iterations, $loops);
            self::measure($name, 'timed', $slices, $iterations, $loops);
            self::measure($name, 'empty', $slices, $iterations, ['run' => $loops['empty']]);
        }
        stream_get_contents(STDIN); // the harness reads the live process meanwhile
    }

    /** The iterations of each case that is asked for. */
    private static function plan(): array
    {
        $plan = [];
        foreach (explode(',', self::option('cases')) as $entry) {
            preg_match('/\A(.+):([^:]+)\z/s', $entry, $parts) || self::fail("not of the form NAME:ITERATIONS: $entry");
            $plan[$parts[1]] = self::number($parts[2]);
        }
        return $plan;
    }

    /** Times slices of a `run` loop and prints a line for each. */
    private static function measure(string $case, string $kind, int $slices, int $iterations, array $loops): void
    {
        ['run' => $run, 'before' => $before, 'after' => $after, 'figures' => $figures] =
            $loops + ['before' => null, 'after' => null, 'figures' => null];
        [$begun, $cpu, $wall, $wallEnd, $cpuEnd, $ended] = array_map(fn () => self::$libc->new('long[2]'), range(1, 6));
        for ($slice = 0; $slice < $slices; $slice++) {
            self::read(self::PROCESS_CPUTIME, $begun);
            $before === null || $before($iterations);
            self::read(self::PROCESS_CPUTIME, $cpu);
            self::read(self::MONOTONIC, $wall);
            $receipt = $run($iterations);
            self::read(self::MONOTONIC, $wallEnd);
            self::read(self::PROCESS_CPUTIME, $cpuEnd);
            $more = $after === null ? [] : $after($iterations);
            self::read(self::PROCESS_CPUTIME, $ended);
            $line = ['case' => $case, 'slice' => $slice, 'kind' => $kind];
            $line += ['wall_ns' => self::between($wall, $wallEnd), 'cpu_ns' => self::between($cpu, $cpuEnd)];
            if ($before !== null || $after !== null) {
                $line['around_ns'] = self::between($begun, $cpu) + self::between($cpuEnd, $ended);
            }
            if ($kind !== 'empty') {
                is_array($receipt) || self::fail('a loop returned no receipt, an array');
                $line['receipt'] = array_merge($receipt, $more);
            }
            self::emit($line + ($figures === null ? [] : ['figures' => $figures()]));
        }
    }

    private static function read(int $clock, FFI\CData $now): void
    {
        self::$libc->clock_gettime($clock, $now) === 0 || self::fail('cannot read a clock');
    }

    private static function between(FFI\CData $from, FFI\CData $to): int
    {
        return ($to[0] - $from[0]) * 1_000_000_000 + $to[1] - $from[1];
    }

    private static function number(string $text): int
    {
        return preg_match('/\A[0-9]{1,18}\z/', $text) ? (int) $text : self::fail("not a number: $text");
    }

    /** Prints a line, which PHP does not keep back. */
    private static function emit(array $line): void
    {
        $text = self::json($line) . "\n";
        fwrite(STDOUT, $text) === strlen($text) || self::fail('cannot write to standard output');
    }

    /** A string, a whole number of 64 bits, or an object of these. */
    private static function json(mixed $value): string
    {
        if (is_array($value)) {
            $pair = fn (string|int $name, mixed $each): string => self::json((string) $name) . ': ' . self::json($each);
            return '{' . implode(', ', array_map($pair, array_keys($value), $value)) . '}';
        }
        return match (true) {
            is_int($value) => (string) $value,
            is_string($value) => json_encode($value, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR),
            $value instanceof Unsigned => sprintf('%u', $value->bits),
            default => self::fail('a receipt with ' . get_debug_type($value) . ', no whole number and no string'),
        };
    }
}

FFIBench::open(array_slice($argv, 1));
