<?php

// xsub through PHP's FFI: one loop for all bindings, in the signature of C.

declare(strict_types=1);

$zmq = FFIBench::native();

$libc = FFI::cdef('const char *strerror(int);');

$check = function (bool $well, string $call) use ($zmq, $libc): void {
    $well || FFIBench::fail("$call: " . $libc->strerror($zmq->zmq_errno()));
};

$context = $zmq->zmq_ctx_new();
$check($context !== null, 'zmq_ctx_new');
// An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
$peers = (int) FFIBench::option('peers');
$socket = $zmq->zmq_socket($context, $peers > 0 ? $zmq->ZMQ_XPUB : $zmq->ZMQ_PUB);
$check($socket !== null, 'zmq_socket');
$check($zmq->zmq_bind($socket, FFIBench::option('endpoint')) === 0, 'zmq_bind');
for ($peer = 0; $peer < $peers; $peer++) { // a subscription to everything is a message of one byte
    $check($zmq->zmq_recv($socket, $zmq->new('char[1]'), 1, 0) === 1, 'zmq_recv');
}

$message = FFIBench::option('message');

$run = function (int $iterations) use ($zmq, $socket, $message): array {
    $size = strlen($message);
    for ($i = 0; $i < $iterations; $i++) {
        $zmq->zmq_send($socket, $message, $size, 0) === $size
            || FFIBench::fail('zmq_send did not take the whole message');
    }
    return ['sends' => $iterations, 'bytes' => $iterations * $size];
};

$empty = function (int $iterations) use ($message): void {
    $size = strlen($message);
    $sent = strlen($message);
    for ($i = 0; $i < $iterations; $i++) {
        $sent === $size || FFIBench::fail('zmq_send did not take the whole message');
    }
};

FFIBench::serve(cases: ['send' => ['run' => $run, 'empty' => $empty]]);

$check($zmq->zmq_close($socket) === 0, 'zmq_close');
$check($zmq->zmq_ctx_term($context) === 0, 'zmq_ctx_term');
