# The worker contract in Ruby.
#
#     require 'ffibench'                       # loads the shim: the header's functions and constants are in Native
#     message = FFIBench.option('message')     # an argument NAME=VALUE, as bytes
#     ... set up ...
#     FFIBench.serve(
#       library: '4.3.5',                      # its own version, where it reports one
#       endpoint: 'tcp://127.0.0.1:5556',      # optional: where it waits for roles that are started after it
#       cases: { 'send' => sender, 'recv' => 'why this contestant cannot run it' }
#     )                                        # returns when standard input has closed
#     ... tear down ...
#
# A case is an object with run(iterations), which returns the receipt as a Hash, and empty(iterations). It may have
# before(iterations), after(iterations), which returns more of the receipt, and figures: these are called outside the
# clocks, of all slices but the empty ones. An exception is reported on standard error, with a non-zero status.
require 'json'

$stdout.sync = true # every line is read as soon as it is printed
# The collector would read the processor's clock around each of its runs, and the audit cuts its counts at that clock.
GC.measure_total_time = false if GC.respond_to?(:measure_total_time=)

# The last line that a worker writes says what went wrong: the message, after the lines that led there.
at_exit do
  unless $!.nil? || $!.is_a?(SystemExit)
    warn($!.full_message(highlight: false, order: :bottom))
    exit!(1)
  end
end

module FFIBench
  WALL = Process::CLOCK_MONOTONIC
  CPU = Process::CLOCK_PROCESS_CPUTIME_ID
  MEMORY_BYTES_MAX = 64

  class << self
    # The value of the argument NAME=VALUE.
    def option(name)
      options.fetch(name) { stop("missing argument: #{name}") }
    end

    # The names of the cases that are asked for.
    def asked = plan.map(&:first)

    # Memory of so many bytes for a call to fill, which no other String shares.
    def buffer(size)
      "\0".b * size
    end

    # What a generated loop says of its answers, as native/kits/c/ffibench_calls.h writes it.
    def integer(value)
      value == true ? 1 : value || 0
    end

    def real(value)
      [value].pack('G').unpack1('H*')
    end

    def text(value)
      value.nil? ? 'NULL' : value.unpack1('H*')
    end

    # The bytes of memory, of a long one those that are spread evenly over it.
    def memory(bytes)
      last = MEMORY_BYTES_MAX - 1
      return bytes.unpack1('H*') if bytes.bytesize <= MEMORY_BYTES_MAX

      (0..last).map { |each| format('%02x', bytes.getbyte(each * (bytes.bytesize - 1) / last)) }.join
    end

    # Runs the contestant by the worker contract, after its set-up.
    def serve(cases:, library: '', endpoint: nil)
      slices, warmup = %w[slices warmup].map { |name| number(option(name)) }
      cold = number(options.fetch('cold', '0'))
      plan.each { |name, iterations| warm_up(cases[name], iterations, warmup) }
      emit(ready: { library: library, endpoint: endpoint }.compact)
      stop('expected go on standard input') unless $stdin.gets == "go\n"
      plan.each do |name, iterations|
        work = cases.fetch(name) { "#{option('binding')} has no case #{name}" }
        next emit(case: name, unsupported: work) if work.is_a?(String)

        measure(name, 'cold', 1, cold, work) if cold.positive?
        measure(name, 'warmup', warmup, iterations, work)
        measure(name, 'timed', slices, iterations, work)
        measure(name, 'empty', slices, iterations, work)
      end
      nil while $stdin.gets # the harness reads the live process meanwhile
    end

    def stop(reason)
      abort("ffibench worker: #{reason}")
    end

    private

    def options
      @options ||= ARGV.to_h do |argument|
        name, value = argument.b.split('=', 2)
        value ? [name, value] : stop("not of the form NAME=VALUE: #{argument}")
      end
    end

    def plan
      @plan ||= option('cases').split(',').map do |entry|
        name, colon, count = entry.rpartition(':')
        stop("not of the form NAME:ITERATIONS: #{entry}") if colon.empty?
        [name, number(count)]
      end
    end

    # An empty loop must be compiled as well as the timed one, and has no warm-up slices.
    def warm_up(work, iterations, slices)
      slices.times { work.method(:empty).call(iterations) } if work.respond_to?(:empty)
    end

    # Times so many slices of a loop and prints a line for each.
    def measure(name, kind, slices, iterations, work)
      empty = kind == 'empty'
      before, after, figures = %i[before after figures].map { |each| !empty && work.respond_to?(each) }
      loop = work.method(empty ? :empty : :run)
      slices.times do |slice|
        begun = Process.clock_gettime(CPU, :nanosecond)
        work.before(iterations) if before
        cpu = Process.clock_gettime(CPU, :nanosecond)
        wall = Process.clock_gettime(WALL, :nanosecond)
        receipt = loop.call(iterations)
        wall_ns = Process.clock_gettime(WALL, :nanosecond) - wall
        ended = Process.clock_gettime(CPU, :nanosecond)
        more = after ? work.after(iterations) : {}
        around_ns = cpu - begun + Process.clock_gettime(CPU, :nanosecond) - ended
        line = { case: name, slice: slice, kind: kind, wall_ns: wall_ns, cpu_ns: ended - cpu }
        line[:around_ns] = around_ns if before || after
        line[:receipt] = checked(receipt, more) unless empty
        line[:figures] = work.figures if figures
        emit(line)
      end
    end

    def checked(receipt, more)
      stop('a loop returned no receipt, a Hash') unless receipt.is_a?(Hash)
      receipt.merge(more).each do |field, value|
        stop("a receipt with #{field}, neither an integer nor a string") unless [Integer, String].include?(value.class)
      end
    end

    def number(text)
      text.match?(/\A[0-9]{1,18}\z/) ? text.to_i : stop("not a number: #{text}")
    end

    def emit(line)
      $stdout.write("#{JSON.generate(line)}\n")
    end
  end
end

require FFIBench.option('shim') if ARGV.any? { |each| each.start_with?('shim=') }
