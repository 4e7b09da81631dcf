# codec through every Ruby shim: messages are encoded in Ruby, answered by the library, and decoded in Ruby.
#
# ffibench: requires=cbor
require 'ffibench'
require_relative '_coders'

BAD = [Codec::BadMessage, CBOR::UnpackError, EOFError].freeze

def refuse(length)
  raise "the library refuses a message: #{length}"
end

# What the loops of a case work on, and leave for the receipt: the case `payload_struct_total_view`.
class Bench
  def initialize(name, size)
    shape, @way, @step, *kind = name.split('_')
    @block = @way == 'struct'
    @view = kind == %w[view]
    @warm = kind != %w[default heap]
    @shape, @coder = Codec.coder(shape, @way, size, view: @view)
    @room = [@shape.message(0), *@shape.fixtures].sum(Codec::ROTATED) { |each| @coder.encode(each).bytesize }
  end

  def run(iterations)
    case @step
    when 'encode' then encodes(iterations)
    when 'call' then calls(iterations)
    when 'decode' then decodes(iterations)
    else totals(iterations)
    end
    {}
  end

  # Makes the messages alone, where the case's step makes any.
  def empty(iterations)
    shape = @shape
    encodes = %w[encode total].include?(@step)
    length = @room
    sum = 0
    i = 0
    while i < iterations
      shape.message(i) if encodes
      refuse(length) if length.negative?
      sum += length
      i += 1
    end
  end

  def before(_iterations)
    warm if @warm
    @answer = FFIBench.buffer(@room)
    @request = @coder.encode(@shape.message(0))
    make_ready if @step == 'decode'
    @collections = GC.count
  end

  # Digests the fixtures' messages and what the loop left of its last one, which is dropped.
  def after(iterations)
    @collections = GC.count - @collections
    requests = @shape.fixtures.map { |each| @coder.encode(each) }
    answers = requests.map { |each| checked(each) }
    values = answers.map { |each| @coder.decode(*each) }
    requests << (@step == 'decode' ? @coder.encode(@shape.message((iterations - 1) % Codec::ROTATED)) : @request)
    called = %w[call total].include?(@step)
    answers << (called ? [@answer.byteslice(0, @length), @length] : checked(requests.last))
    values << (%w[decode total].include?(@step) ? kept : @coder.decode(*answers.last))
    receipt = {
      messages: iterations,
      sum: @sum,
      requests: digest(requests),
      answers: digest(answers.map { |answer, length| answer.byteslice(0, length) }),
      fields: digest(values.map { |each| Codec.as_fields(@shape.fields(each), @shape.encoding) }),
      refused: refused
    }
    @answer = @request = @ready = @value = nil
    receipt
  end

  def figures
    { collections: @collections }
  end

  private

  # Of a payload it is one answer, of which the last byte is varied.
  def make_ready
    @varies = @shape.is_a?(Codec::Payload)
    count = @varies ? 1 : Codec::ROTATED
    @ready = Array.new(count) { |i| checked(@coder.encode(@shape.message(i))) }.cycle.first(Codec::ROTATED)
  end

  # Nothing of the slice before is left for this one to collect, and its memory is there to be used again. Without this
  # the first slices take 5 to 30 MB of fresh memory each, and most of their time is the system's.
  def warm
    raise "the heap cannot be kept warm: malloc is not glibc's" unless Native.codec_warm_heap.zero?

    GC.start
  end

  def encodes(iterations)
    shape = @shape
    coder = @coder
    request = nil
    sum = 0
    i = 0
    while i < iterations
      request = coder.encode(shape.message(i))
      sum += request.bytesize
      i += 1
    end
    @request = request
    @sum = sum
  end

  def calls(iterations)
    number = @shape.number
    request = @request
    size = request.bytesize
    answer = @answer
    room = @room
    block = @block
    length = sum = i = 0
    while i < iterations
      length =
        if block
          Native.codec_answer_block(number, request, size, answer, room)
        else
          Native.codec_answer_cbor(number, request, size, answer, room)
        end
      refuse(length) if length.negative?
      sum += length
      i += 1
    end
    @length = length
    @sum = sum
  end

  def decodes(iterations)
    shape = @shape
    coder = @coder
    ready = @ready
    varies = @varies
    value = nil
    sum = i = 0
    while i < iterations
      turn = i % Codec::ROTATED
      answer, length = ready[turn]
      answer.setbyte(length - 1, turn + 1) if varies
      value = coder.decode(answer, length)
      sum += shape.light(value)
      i += 1
    end
    @value = value
    @sum = sum
  end

  def totals(iterations)
    shape = @shape
    coder = @coder
    number = shape.number
    answer = @answer
    room = @room
    block = @block
    request = value = nil
    length = sum = i = 0
    while i < iterations
      request = coder.encode(shape.message(i))
      size = request.bytesize
      length =
        if block
          Native.codec_answer_block(number, request, size, answer, room)
        else
          Native.codec_answer_cbor(number, request, size, answer, room)
        end
      refuse(length) if length.negative?
      value = coder.decode(answer, length)
      sum += shape.light(value)
      i += 1
    end
    @request = request
    @length = length
    @value = value
    @sum = sum
  end

  # What the loop decoded last. Where that was copied, the answer is overwritten first: by the library, since Ruby would
  # first give a String that shares its memory some of its own.
  def kept
    return @value if @view || @step == 'decode'

    other = @shape.is_a?(Codec::Payload) ? ["\0".b * @length] : @shape.fixtures.last
    length = answered(@coder.encode(other), @answer)
    refuse(length) if length < @length
    @value
  end

  # Has a message answered outside of a loop.
  def answered(request, answer, number = @shape.number)
    Native.codec_check(@block ? 1 : 0, number, request, request.bytesize, answer, answer.bytesize)
  end

  # An answer with its length, in more memory than it needs.
  def checked(request)
    answer = FFIBench.buffer(request.bytesize + Codec::ROTATED)
    length = answered(request, answer)
    refuse(length) if length.negative?
    [answer, length]
  end

  def digest(parts)
    parts.inject(0) { |digest, part| Native.codec_digest(digest, part, part.bytesize) }
  end

  # Counts the bad messages that host and library refuse: one that ends too soon, one that is not UTF-8.
  def refused
    good = Codec.coder('request', @way, 0)[1].encode(['a text', 1])
    [good.byteslice(0, good.bytesize - 1), good.sub('t'.b, "\xFF".b)].sum do |bad|
      (answered(bad, FFIBench.buffer(64), 0).negative? ? 1 : 0) + (decodes?(bad) ? 0 : 1)
    end
  end

  def decodes?(bad)
    Codec.coder('request', @way, 0)[1].decode(bad, bad.bytesize)
    true
  rescue *BAD
    false
  end
end

# The case's loops, or why there are none.
def bench(name)
  require 'fiddle' if name.end_with?('_view')
  Bench.new(name, FFIBench.option('size').to_i)
rescue LoadError
  'Ruby has a window on memory in Fiddle, which is not installed'
end

FFIBench.serve(library: Native.codec_version, cases: FFIBench.asked.to_h { |name| [name, bench(name)] })
