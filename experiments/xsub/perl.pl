# xsub through every Perl shim: one loop for all bindings, in the signature of C.

use strict;
use warnings;

use FFIBench;

sub check {
    my ($ok, $call) = @_;
    return if $ok;
    $! = zmq_errno();
    die "$call: $!\n";
}

my $context = zmq_ctx_new();
check($context, 'zmq_ctx_new');
# An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
my $peers  = FFIBench::option('peers');
my $socket = zmq_socket($context, $peers ? ZMQ_XPUB : ZMQ_PUB);
check($socket, 'zmq_socket');
check(zmq_bind($socket, FFIBench::option('endpoint')) == 0, 'zmq_bind');
for (1 .. $peers) {    # a subscription to everything is a message of one byte
    check(zmq_recv($socket, FFIBench::buffer(1), 1, 0) == 1, 'zmq_recv');
}

my $message = FFIBench::option('message');    # bytes, as all arguments are

# The size is a variable of the loop's own sub and the others are not: arguments that lie side by side are pushed
# by one op, padrange, which takes longer here than an op for each (71 ns a send against 60).
sub run {
    my ($iterations) = @_;
    my $size = length $message;
    for (1 .. $iterations) {
        zmq_send($socket, $message, $size, 0) == $size or die "zmq_send did not take the whole message\n";
    }
    return { sends => $iterations, bytes => $iterations * $size };
}

sub empty {
    my ($iterations) = @_;
    my $size = length $message;
    my $sent = $size;
    for (1 .. $iterations) {
        $sent == $size or die "zmq_send did not take the whole message\n";
    }
    return;
}

FFIBench::serve(cases => { send => { run => \&run, empty => \&empty } });

check(zmq_close($socket) == 0, 'zmq_close');
check(zmq_ctx_term($context) == 0, 'zmq_ctx_term');
