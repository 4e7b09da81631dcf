# xsub through ffi-rzmq as its users write it: a socket object that sends strings.
require 'ffibench'

def check(code, call)
  raise "#{call}: #{ZMQ::Util.error_string}" unless ZMQ::Util.resultcode_ok?(code)
end

# The loops of the one case.
class Sender
  def initialize(socket, message)
    @socket = socket
    @message = message
  end

  def run(iterations)
    socket = @socket
    message = @message
    size = message.bytesize
    i = 0
    while i < iterations
      raise 'send_string did not take the whole message' unless socket.send_string(message) == size

      i += 1
    end
    { sends: iterations, bytes: iterations * size }
  end

  def empty(iterations)
    size = @message.bytesize
    sent = size
    i = 0
    while i < iterations
      raise 'send_string did not take the whole message' unless sent == size

      i += 1
    end
  end
end

context = ZMQ::Context.new
# An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
peers = FFIBench.option('peers').to_i
socket = context.socket(peers.zero? ? ZMQ::PUB : ZMQ::XPUB)
check(socket.bind(FFIBench.option('endpoint')), 'bind')
peers.times do # a subscription to everything is a message of one byte
  check(socket.recv_string(subscription = String.new), 'recv_string')
  raise "a subscription of #{subscription.bytesize} bytes" unless subscription.bytesize == 1
end

FFIBench.serve(library: LibZMQ.version.values.join('.'), cases: { 'send' => Sender.new(socket, FFIBench.option('message')) })

check(socket.close, 'close')
check(context.terminate, 'terminate')
