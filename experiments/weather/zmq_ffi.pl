# weather through ZMQ::FFI as its users write it, on the run's libzmq.
#
# ffibench: distribution=ZMQ::FFI

use strict;
use warnings;

use Errno qw(EAGAIN);
use FFIBench;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
use ZMQ::FFI
    qw(ZMQ_DONTWAIT ZMQ_LAST_ENDPOINT ZMQ_RCVHWM ZMQ_RCVTIMEO ZMQ_SNDHWM ZMQ_SUB ZMQ_XPUB);

my $FILTER = '10001 ';

sub fail {
    my ($reason) = @_;
    die "$reason\n";
}

my $patience  = 0 + FFIBench::option('patience');
my $publishes = FFIBench::option('role') eq 'publisher';
my $context   = ZMQ::FFI->new(soname => FFIBench::option('library'));
# An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
my $socket = $context->socket($publishes ? ZMQ_XPUB : ZMQ_SUB);
$socket->set($publishes ? ZMQ_SNDHWM : ZMQ_RCVHWM, 'int', 0);
$socket->set(ZMQ_RCVTIMEO, 'int', int(1000 * $patience));
# ZMQ::FFI drops at the end what is not delivered yet, libzmq does not.
$socket->set_linger(-1) if $publishes;

# Calls die on failure, which is how ZMQ::FFI tests return codes; a time limit is told in a sentence of our own.
sub within_patience {
    my ($work, $sentence) = @_;
    return if eval { $work->(); 1 };
    fail($socket->last_errno == EAGAIN ? $sentence->() : $@ =~ s/ at \S+ line .*//sr);
}

# The publisher.

my $zipcodes = FFIBench::option('zipcodes');
my $seed     = FFIBench::option('seed');

sub bound {
    my ($port) = @_;
    my $address = 'tcp://127.0.0.1:' . ($port || '*');
    eval { $socket->bind($address); 1 } or fail("publisher: $address: " . $socket->last_strerror);
    return $socket->get(ZMQ_LAST_ENDPOINT, 'string');
}

sub await_subscription {
    my $read = sub { 1 while ord $socket->recv() != 1 };    # the subscription before is taken back
    within_patience($read, sub { return "publisher: no subscriber came within $patience s" });
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
        $socket->send($update);
        $total += length $update;
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
        $total += length $update;
    }
    return;
}

# The subscriber.

my ($matches, $came, $total, $first_match_ns) = (0, 0, 0, 0);

sub receive {
    my ($iterations) = @_;
    ($matches, $came) = ($iterations, 0);
    my $work = sub {
        my $start = clock_gettime(CLOCK_MONOTONIC);
        $socket->subscribe($FILTER);
        my ($zipcode, $temperature, $humidity) = split ' ', $socket->recv();
        $total          = $temperature;
        $first_match_ns = int(1e9 * (clock_gettime(CLOCK_MONOTONIC) - $start));
        $total += rest($iterations);
    };
    my $within = "within $patience s of each other; waiting for the publisher";
    within_patience($work, sub { return "subscriber: $came of $matches updates came $within" });
    return { matches => $iterations, temperature => $total };
}

sub rest {
    my ($iterations) = @_;
    my $sum = 0;
    for ($came = 1; $came < $iterations; $came++) {
        my ($zipcode, $temperature, $humidity) = split ' ', $socket->recv();
        $sum += $temperature;
    }
    return $sum;
}

sub receive_nothing {
    my ($iterations) = @_;
    my $sum    = 0;
    my $update = '10001 30 40';
    for ($came = 0; $came < $iterations; $came++) {
        my ($zipcode, $temperature, $humidity) = split ' ', $update;
        $sum += $temperature;
    }
    return;
}

sub unsubscribe {
    $socket->unsubscribe($FILTER);
    return {};
}

# Whatever else was sent lies there still, and is seen by one who subscribes to everything.
sub end {
    $socket->subscribe('');
    fail("subscriber: more than $matches updates came") if $socket->has_pollin;
    if ($matches && FFIBench::option('verbose')) {
        printf {*STDERR} "Average temperature for zipcode '%s' was %dF\n", $FILTER, $total / $matches;
    }
    return;
}

my $version = join '.', $context->version;
if ($publishes) {
    FFIBench::serve(
        library  => $version,
        endpoint => bound(FFIBench::option('port')),
        cases => { publish => { run => \&publish, empty => \&publish_nothing, before => \&await_subscription } },
    );
}
else {
    $socket->connect(FFIBench::option('endpoint'));
    my $figures = sub { return { first_match_ns => $first_match_ns } };
    FFIBench::serve(
        library => $version,
        cases   => {
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

$socket->close();
$context->destroy();
