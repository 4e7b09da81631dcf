# xsub through every Ruby shim: one loop for all bindings, in the signature of C.
require 'ffibench'

def check(good, call)
  raise SystemCallError.new(call, Native.zmq_errno) unless good
end

# The loops of the one case.
class Sender
  def initialize(socket, message)
    @socket = socket
    @message = message
  end

  # Local variables are what a loop reaches fastest, and `while` calls no block.
  def run(iterations)
    socket = @socket
    message = @message
    size = message.bytesize
    i = 0
    while i < iterations
      raise 'zmq_send did not take the whole message' unless Native.zmq_send(socket, message, size, 0) == size

      i += 1
    end
    { sends: iterations, bytes: iterations * size }
  end

  def empty(iterations)
    size = @message.bytesize
    sent = size
    i = 0
    while i < iterations
      raise 'zmq_send did not take the whole message' unless sent == size

      i += 1
    end
  end
end

context = Native.zmq_ctx_new
check(context != Native::NULL, 'zmq_ctx_new')
# An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
peers = FFIBench.option('peers').to_i
socket = Native.zmq_socket(context, peers.zero? ? Native::ZMQ_PUB : Native::ZMQ_XPUB)
check(socket != Native::NULL, 'zmq_socket')
check(Native.zmq_bind(socket, FFIBench.option('endpoint')).zero?, 'zmq_bind')
peers.times do # a subscription to everything is a message of one byte
  check(Native.zmq_recv(socket, FFIBench.buffer(1), 1, 0) == 1, 'zmq_recv')
end

FFIBench.serve(cases: { 'send' => Sender.new(socket, FFIBench.option('message')) })

check(Native.zmq_close(socket).zero?, 'zmq_close')
check(Native.zmq_ctx_term(context).zero?, 'zmq_ctx_term')
