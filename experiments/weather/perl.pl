# weather through every Perl shim: one file for all bindings and both roles, in the signature of C.

use strict;
use warnings;

use Errno qw(EAGAIN);
use FFIBench;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $FILTER = '10001 ';
my $ROOM   = 256;

sub fail {
    my ($reason) = @_;
    die "$reason\n";
}

sub check {
    my ($ok, $call) = @_;
    return if $ok;
    $! = zmq_errno();
    fail("$call: $!");
}

my $patience  = 0 + FFIBench::option('patience');
my $publishes = FFIBench::option('role') eq 'publisher';
my $context   = zmq_ctx_new();
check($context, 'zmq_ctx_new');
# An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
my $socket = zmq_socket($context, $publishes ? ZMQ_XPUB : ZMQ_SUB);
check($socket, 'zmq_socket');

sub set {
    my ($option, $value) = @_;
    check(zmq_setsockopt($socket, $option, $value, length $value) == 0, 'zmq_setsockopt');
    return;
}

set($publishes ? ZMQ_SNDHWM : ZMQ_RCVHWM, pack 'i', 0);
set(ZMQ_RCVTIMEO, pack 'i', 1000 * $patience);

# The publisher.

my $zipcodes = FFIBench::option('zipcodes');
my $seed     = FFIBench::option('seed');

sub bound {
    my ($port) = @_;
    my $address = 'tcp://127.0.0.1:' . ($port || '*');
    check(zmq_bind($socket, $address) == 0, "publisher: $address");
    my ($endpoint, $size) = (FFIBench::buffer($ROOM), pack 'J', $ROOM);
    check(zmq_getsockopt($socket, ZMQ_LAST_ENDPOINT, $endpoint, $size) == 0, 'zmq_getsockopt');
    return unpack 'Z*', $endpoint;
}

sub await_subscription {
    my $event = FFIBench::buffer($ROOM);
    while (ord $event != 1) {    # the subscription before has been taken back, which comes first
        next if zmq_recv($socket, $event, $ROOM, 0) >= 0;
        fail("publisher: no subscriber came within $patience s") if zmq_errno() == EAGAIN;
        check(0, 'zmq_recv');
    }
    return;
}

sub publish {
    my ($iterations) = @_;
    my ($state, $total) = ($seed, 0);
    for (1 .. $iterations) {
        $state = 16807 * $state % 2147483647;
        my $zipcode = (10001 + $state % $zipcodes) % 100000;
        $state = 16807 * $state % 2147483647;
        my $temperature = $state % 215 - 80;
        $state = 16807 * $state % 2147483647;
        my $humidity = $state % 50 + 10;
        my $update   = sprintf '%05d %d %d', $zipcode, $temperature, $humidity;
        my $size     = length $update;
        zmq_send($socket, $update, $size, 0) == $size or fail('publisher: zmq_send did not take the whole update');
        $total += $size;
    }
    return { updates => $iterations, bytes => $total };
}

sub publish_nothing {
    my ($iterations) = @_;
    my ($state, $total) = ($seed, 0);
    for (1 .. $iterations) {
        $state = 16807 * $state % 2147483647;
        my $zipcode = (10001 + $state % $zipcodes) % 100000;
        $state = 16807 * $state % 2147483647;
        my $temperature = $state % 215 - 80;
        $state = 16807 * $state % 2147483647;
        my $humidity = $state % 50 + 10;
        my $update   = sprintf '%05d %d %d', $zipcode, $temperature, $humidity;
        my $size     = length $update;
        my $sent     = $size;
        $sent == $size or fail('publisher: zmq_send did not take the whole update');
        $total += $size;
    }
    return;
}

# The subscriber.

my ($matches, $total, $first_match_ns) = (0, 0, 0);
my $memory = FFIBench::buffer($ROOM);

sub missed {
    my ($came) = @_;
    check(zmq_errno() == EAGAIN, 'zmq_recv');
    my $within = "within $patience s of each other; waiting for the publisher";
    fail("subscriber: $came of $matches updates came $within");
}

sub receive {
    my ($iterations) = @_;
    $matches = $iterations;
    my $start = clock_gettime(CLOCK_MONOTONIC);
    set(ZMQ_SUBSCRIBE, $FILTER);
    my $size = zmq_recv($socket, $memory, $ROOM, 0);
    missed(0) if $size < 0;
    my ($zipcode, $temperature, $humidity) = split ' ', substr $memory, 0, $size;
    $total          = $temperature;
    $first_match_ns = int(1e9 * (clock_gettime(CLOCK_MONOTONIC) - $start));
    $total += rest($iterations);
    return { matches => $iterations, temperature => $total };
}

sub rest {
    my ($iterations) = @_;
    my $sum = 0;
    for my $came (1 .. $iterations - 1) {
        my $size = zmq_recv($socket, $memory, $ROOM, 0);
        missed($came) if $size < 0;
        my ($zipcode, $temperature, $humidity) = split ' ', substr $memory, 0, $size;
        $sum += $temperature;
    }
    return $sum;
}

sub receive_nothing {
    my ($iterations) = @_;
    my $sum   = 0;
    my $fixed = '10001 30 40';
    for my $came (1 .. $iterations) {
        my $size = 11;
        missed($came) if $size < 0;
        my ($zipcode, $temperature, $humidity) = split ' ', substr $fixed, 0, $size;
        $sum += $temperature;
    }
    return;
}

sub unsubscribe {
    set(ZMQ_UNSUBSCRIBE, $FILTER);
    return {};
}

# Whatever else was sent lies there still, and is seen by one who subscribes to everything.
sub end {
    set(ZMQ_SUBSCRIBE, '');
    fail("subscriber: more than $matches updates came") if zmq_recv($socket, $memory, $ROOM, ZMQ_DONTWAIT) >= 0;
    check(zmq_errno() == EAGAIN, 'zmq_recv');
    if ($matches && FFIBench::option('verbose')) {
        printf {*STDERR} "Average temperature for zipcode '%s' was %dF\n", $FILTER, $total / $matches;
    }
    return;
}

if ($publishes) {
    FFIBench::serve(
        endpoint => bound(FFIBench::option('port')),
        cases => { publish => { run => \&publish, empty => \&publish_nothing, before => \&await_subscription } },
    );
}
else {
    check(zmq_connect($socket, FFIBench::option('endpoint')) == 0, 'zmq_connect');
    my $figures = sub { return { first_match_ns => $first_match_ns } };
    FFIBench::serve(
        cases => {
            receive => {
                run     => \&receive,
                empty   => \&receive_nothing,
                after   => \&unsubscribe,
                figures => $figures,
            },
        },
    );
    end();
}

check(zmq_close($socket) == 0, 'zmq_close');
check(zmq_ctx_term($context) == 0, 'zmq_ctx_term');
