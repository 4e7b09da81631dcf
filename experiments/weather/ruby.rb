# weather through every Ruby shim: one file for all bindings and both roles, in the signature of C.
require 'ffibench'

FILTER = '10001 '
ROOM = 256

def check(good, call)
  abort("#{call}: #{SystemCallError.new(Native.zmq_errno).message}") unless good
end

# What both roles have: a socket with no limit to what waits in it, and a time limit for what does not come.
class Station
  def initialize(context, type, high_water_mark)
    @patience = FFIBench.option('patience').to_f
    @socket = Native.zmq_socket(context, type)
    check(@socket != Native::NULL, 'zmq_socket')
    set(high_water_mark, [0].pack('i'))
    set(Native::ZMQ_RCVTIMEO, [1000 * @patience].pack('i'))
    @memory = FFIBench.buffer(ROOM)
  end

  def close
    check(Native.zmq_close(@socket).zero?, 'zmq_close')
  end

  private

  def set(option, value)
    check(Native.zmq_setsockopt(@socket, option, value, value.bytesize).zero?, 'zmq_setsockopt')
  end

  # Ends with this sentence where the time limit is over.
  def missed(sentence)
    check(Native.zmq_errno == Errno::EAGAIN::Errno, 'zmq_recv')
    abort(sentence)
  end
end

class Publisher < Station
  def initialize(context)
    # An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    super(context, Native::ZMQ_XPUB, Native::ZMQ_SNDHWM)
    @zipcodes = FFIBench.option('zipcodes').to_i
    @seed = FFIBench.option('seed').to_i
  end

  def endpoint
    port = FFIBench.option('port')
    address = "tcp://127.0.0.1:#{port == '0' ? '*' : port}"
    check(Native.zmq_bind(@socket, address).zero?, "publisher: #{address}")
    size = Native.cell('unsigned long')
    size.value = ROOM
    check(Native.zmq_getsockopt(@socket, Native::ZMQ_LAST_ENDPOINT, @memory, size).zero?, 'zmq_getsockopt')
    @memory.unpack1('Z*')
  end

  # Waits for the subscription that this slice is for; the one before has been taken back, which comes first.
  def before(_iterations)
    loop do
      size = Native.zmq_recv(@socket, @memory, ROOM, 0)
      missed(format('publisher: no subscriber came within %g s', @patience)) if size.negative?
      break if size.positive? && @memory.getbyte(0) == 1
    end
  end

  def run(iterations)
    socket = @socket
    zipcodes = @zipcodes
    state = @seed
    total = 0
    iterations.times do
      state = 16_807 * state % 2_147_483_647
      zipcode = (10_001 + state % zipcodes) % 100_000
      state = 16_807 * state % 2_147_483_647
      temperature = state % 215 - 80
      state = 16_807 * state % 2_147_483_647
      humidity = state % 50 + 10
      update = format('%05d %d %d', zipcode, temperature, humidity)
      size = update.bytesize
      abort('publisher: zmq_send did not take the whole update') if Native.zmq_send(socket, update, size, 0) != size
      total += size
    end
    { updates: iterations, bytes: total }
  end

  def empty(iterations)
    zipcodes = @zipcodes
    state = @seed
    total = 0
    iterations.times do
      state = 16_807 * state % 2_147_483_647
      zipcode = (10_001 + state % zipcodes) % 100_000
      state = 16_807 * state % 2_147_483_647
      temperature = state % 215 - 80
      state = 16_807 * state % 2_147_483_647
      humidity = state % 50 + 10
      update = format('%05d %d %d', zipcode, temperature, humidity)
      size = update.bytesize
      sent = size
      abort('publisher: zmq_send did not take the whole update') if sent != size
      total += size
    end
  end
end

class Subscriber < Station
  attr_reader :figures

  def initialize(context)
    super(context, Native::ZMQ_SUB, Native::ZMQ_RCVHWM)
    @matches = @total = 0
    check(Native.zmq_connect(@socket, FFIBench.option('endpoint')).zero?, 'zmq_connect')
  end

  def run(iterations)
    @matches = iterations
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    set(Native::ZMQ_SUBSCRIBE, FILTER)
    first = next_temperature(0)
    @figures = { first_match_ns: Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start }
    @total = first + rest(iterations)
    { matches: iterations, temperature: @total }
  end

  def empty(iterations)
    memory = '10001 30 40'.b
    total = 0
    iterations.times do |came|
      size = 11
      late(came) if size.negative?
      _zipcode, temperature, _humidity = memory.byteslice(0, size).split
      total += temperature.to_i
    end
  end

  def after(_iterations)
    set(Native::ZMQ_UNSUBSCRIBE, FILTER)
    {}
  end

  # Whatever else was sent lies there still, and is seen by one who subscribes to everything.
  def finish
    set(Native::ZMQ_SUBSCRIBE, '')
    size = Native.zmq_recv(@socket, @memory, ROOM, Native::ZMQ_DONTWAIT)
    abort("subscriber: more than #{@matches} updates came") unless size.negative?
    check(Native.zmq_errno == Errno::EAGAIN::Errno, 'zmq_recv')
    return unless @matches.positive? && FFIBench.option('verbose') == '1'

    warn("Average temperature for zipcode '#{FILTER}' was #{(@total.to_f / @matches).to_i}F")
  end

  private

  def next_temperature(came)
    size = Native.zmq_recv(@socket, @memory, ROOM, 0)
    late(came) if size.negative?
    _zipcode, temperature, _humidity = @memory.byteslice(0, size).split
    temperature.to_i
  end

  def rest(iterations)
    socket = @socket
    memory = @memory
    total = 0
    (iterations - 1).times do |came|
      size = Native.zmq_recv(socket, memory, ROOM, 0)
      late(came + 1) if size.negative?
      _zipcode, temperature, _humidity = memory.byteslice(0, size).split
      total += temperature.to_i
    end
    total
  end

  def late(came)
    within = format('within %g s of each other; waiting for the publisher', @patience)
    missed("subscriber: #{came} of #{@matches} updates came #{within}")
  end
end

context = Native.zmq_ctx_new
check(context != Native::NULL, 'zmq_ctx_new')
if FFIBench.option('role') == 'publisher'
  station = Publisher.new(context)
  FFIBench.serve(endpoint: station.endpoint, cases: { 'publish' => station })
else
  station = Subscriber.new(context)
  FFIBench.serve(cases: { 'receive' => station })
  station.finish
end
station.close
check(Native.zmq_ctx_term(context).zero?, 'zmq_ctx_term')
