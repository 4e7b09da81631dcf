# The worker contract in Perl.
#
#     use FFIBench;                                # imports the shim's functions and constants
#     my $message = FFIBench::option('message');   # an argument NAME=VALUE, as bytes
#     ... set up ...
#     FFIBench::serve(
#         library => '4.3.5',                      # its own version, where it reports one
#         endpoint => 'tcp://127.0.0.1:5556',      # optional: where it waits for roles that are started after it
#         cases   => {
#             send => {
#                 run   => sub { my ($iterations) = @_; ...; return { sends => $iterations } },
#                 empty => sub { my ($iterations) = @_; ... },
#                 # optional; called outside the clocks of every warm-up and timed slice:
#                 before  => sub { my ($iterations) = @_; ... },
#                 after   => sub { my ($iterations) = @_; ...; return { more => 'receipt' } },
#                 figures => sub { return { first_match_ns => 1 } },
#             },
#             recv => 'why this contestant cannot run it',
#         },
#     );                                           # returns when standard input has closed
#     ... tear down ...
#
# The import happens while the experiment's file is compiled, so that `zmq_send(...)` in it is a direct call
# of a known sub and `ZMQ_PUB` a constant. An exception is reported on standard error, with a non-zero status.
package FFIBench;

use strict;
use warnings;

use Time::HiRes ();

$| = 1;    # every line is read as soon as it is printed

# Called once here: Time::HiRes creates these subs at their first call.
my $WALL = Time::HiRes::CLOCK_MONOTONIC();
my $CPU  = Time::HiRes::CLOCK_PROCESS_CPUTIME_ID();

my $MEMORY_BYTES_MAX = 64;

my %option = map { /\A([^=]+)=(.*)\z/s ? ($1, $2) : fail("not of the form NAME=VALUE: $_") } @ARGV;

sub import {
    my $caller = caller;
    my $shim   = $option{shim};
    return if !defined $shim;    # a contestant with its own binding
    my ($package) = $shim =~ m{([^/]+)[.]pm\z} or fail("no Perl module: $shim");
    defined $option{costs} ? measured_require($shim) : require $shim;
    no strict 'refs';
    *{"${caller}::$_"} = \&{"${package}::$_"} for @{"${package}::EXPORT"};
    return;
}

# What the start of the binding cost, where the harness asks for it; empty for a contestant with its own binding.
my %costs;
my ($begun, $imported, $compiled);

# Loads the shim between two readings of the clock and of the memory.
sub measured_require {
    my ($shim) = @_;
    memory_kib();    # once without need: what the reading itself takes is there then
    my %before = memory_kib();
    $begun = Time::HiRes::clock_gettime($WALL);
    require $shim;
    $imported = Time::HiRes::clock_gettime($WALL);
    my %after = memory_kib();
    $costs{import_ns} = sprintf '%.0f', ($imported - $begun) * 1e9;
    $costs{ lc($_) . '_bytes' } = 1024 * ($after{$_} - $before{$_}) for keys %before;
    return;
}

# When perl has compiled the contestant's own file, which is not the binding's.
INIT { $compiled = Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()) if defined $option{costs} }

# What the process has in memory, as the kernel sums it up; nothing where it does not: proc(5).
sub memory_kib {
    open my $file, '<', '/proc/self/smaps_rollup' or return;
    return map { /\A(Rss|Pss):\s*([0-9]+) kB/ ? ($1, $2) : () } readline $file;
}

# Does the first operation where that is asked for and can be done alone.
sub first_call {
    my ($cases) = @_;
    my ($name) = option('cases') =~ /\A([^,]+):/ or return;
    my $loops = $cases->{$name};
    return if !%costs || $option{costs} ne 'call' || !ref $loops || $loops->{before};
    $loops->{run}->(1);
    my $seconds = Time::HiRes::clock_gettime($WALL) - $compiled + $imported - $begun;
    $costs{first_call_ns} = sprintf '%.0f', $seconds * 1e9;
    return;
}

# The value of the argument NAME=VALUE.
sub option {
    my ($name) = @_;
    return $option{$name} // fail("missing argument: $name");
}

# A buffer of $size bytes for a call to fill. The scalar owns it; a copy may share it until one of them is
# assigned to, but a C function writes without an assignment, so read the content with substr or unpack.
sub buffer {
    my ($size) = @_;
    my $memory = '';
    vec($memory, $size - 1, 8) = 0 if $size > 0;
    return $memory;
}

# What a generated loop says of its answers, as native/kits/c/calls.h writes it: the bits of a floating-point number.
sub real {
    my ($value) = @_;
    return unpack 'H*', pack 'd>', $value;
}

# The bytes of memory, of a long one those that are spread evenly over it.
sub memory {
    my ($memory) = @_;
    my $size = length $memory;
    return unpack 'H*', $memory if $size <= $MEMORY_BYTES_MAX;
    my $last = $MEMORY_BYTES_MAX - 1;
    return unpack 'H*', join '', map { substr $memory, int($_ * ($size - 1) / $last), 1 } 0 .. $last;
}

# Runs the contestant by the worker contract, after its set-up.
sub serve {
    my %work = @_;
    my ($slices, $warmup) = map { number(option($_)) } qw(slices warmup);

    my $address = defined $work{endpoint} ? ', "endpoint": ' . json($work{endpoint}) : '';
    first_call($work{cases});
    my $asked = join ', ', map { json($_) . ": $costs{$_}" } sort keys %costs;
    $address .= qq(, "costs": {$asked}) if $asked;
    emit(sprintf '{"ready": {"library": %s%s}}', json($work{library} // ''), $address);
    my $line = readline STDIN;
    fail('expected go on standard input') if !defined $line || $line ne "go\n";

    for my $entry (split /,/, option('cases')) {
        my ($name, $count) = $entry =~ /\A(.+):([^:]+)\z/s or fail("not of the form NAME:ITERATIONS: $entry");
        my $iterations = number($count);
        my $loops = $work{cases}{$name} // option('binding') . " has no case $name";
        if (!ref $loops) {
            emit(sprintf '{"case": %s, "unsupported": %s}', json("$name"), json("$loops"));
            next;
        }
        measure($name, 'cold', 1, number($option{cold}), $loops) if $option{cold};
        measure($name, 'warmup', $warmup, $iterations, $loops);
        measure($name, 'timed',  $slices, $iterations, $loops);
        measure($name, 'empty',  $slices, $iterations, { run => $loops->{empty} });
    }
    1 while defined readline STDIN;    # the harness reads the live process meanwhile
    return;
}

# Times $slices slices of a `run` loop and prints a line for each.
sub measure {
    my ($case, $kind, $slices, $iterations, $loops) = @_;
    my ($loop, $before, $after, $figures) = @{$loops}{qw(run before after figures)};
    for my $slice (0 .. $slices - 1) {
        my $begun = Time::HiRes::clock_gettime($CPU);
        $before->($iterations) if $before;
        my $cpu     = Time::HiRes::clock_gettime($CPU);
        my $wall    = Time::HiRes::clock_gettime($WALL);
        my $answer  = $loop->($iterations);
        my $wall_ns = (Time::HiRes::clock_gettime($WALL) - $wall) * 1e9;
        my $ended   = Time::HiRes::clock_gettime($CPU);
        $answer = { %{ $answer // {} }, %{ $after->($iterations) } } if $after;
        my $around_ns = ($cpu - $begun + Time::HiRes::clock_gettime($CPU) - $ended) * 1e9;
        my $more      = $before || $after ? sprintf ', "around_ns": %.0f', $around_ns : '';
        $more .= $kind eq 'empty' ? '' : ', "receipt": ' . object($answer);
        $more .= ', "figures": ' . object($figures->()) if $figures;
        emit(sprintf '{"case": %s, "slice": %d, "kind": "%s", "wall_ns": %.0f, "cpu_ns": %.0f%s}',
            json("$case"), $slice, $kind, $wall_ns, ($ended - $cpu) * 1e9, $more);
    }
    return;
}

# JSON by hand: loading JSON::PP takes longer than all the rest of a worker's start.
sub object {
    my ($fields) = @_;
    fail('a loop returned no receipt, a reference to a hash') if ref $fields ne 'HASH';
    return '{' . join(', ', map { json("$_") . ': ' . json($fields->{$_}) } sort keys %{$fields}) . '}';
}

# A string, or a whole number where Perl holds a number: the xor of two numbers is 0, of two strings a string.
sub json {
    my ($value) = @_;
    fail('a receipt with a field that is not defined') if !defined $value;
    utf8::encode($value) if utf8::is_utf8($value);
    if (($value ^ $value) eq '0') {
        fail("a receipt with $value, no whole number") if $value != int $value;
        # Perl would print floating-point numbers from 1e15 on with an exponent.
        return $value =~ /\A-?[0-9]+\z/ ? "$value" : sprintf '%.0f', $value;
    }
    $value =~ s/(["\\])/\\$1/g;
    $value =~ s/([\x00-\x1f])/sprintf '\\u%04x', ord $1/ge;
    return qq("$value");
}

sub number {
    my ($text) = @_;
    return $text =~ /\A[0-9]{1,18}\z/ ? 0 + $text : fail("not a number: $text");
}

sub emit {
    my ($line) = @_;
    print {*STDOUT} "$line\n" or fail("cannot write to standard output: $!");
    return;
}

sub fail {
    my ($reason) = @_;
    print {*STDERR} "ffibench worker: $reason\n";
    exit 1;
}

1;
