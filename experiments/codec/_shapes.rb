# The shapes of codec in Ruby: the messages that are timed, the fixtures, and how fields are written out.
#
# A message is an Array of its fields. Texts are Strings in UTF-8, the bytes of a payload one in binary.

module Codec
  # What is decoded and is not as it should be.
  class BadMessage < StandardError; end

  FIRST_NUMBER = 100_000
  ROTATED = 8 # messages in a row that differ
  SHORT_TEXT = 16
  ODD_TEXT = 'é€😀'.freeze
  ODD_TIMES = 100

  # A text and a number.
  class Request
    def initialize
      @message = ['hello from the other side', FIRST_NUMBER]
    end

    def number = 0
    def encoding = Encoding::UTF_8
    def fixtures = [['', 0], ['a', -1], [ODD_TEXT * ODD_TIMES, 2**63 - 1]]

    # The message of an iteration, which is changed in place.
    def message(iteration)
      @message[1] = FIRST_NUMBER + iteration
      @message
    end

    # What a loop adds up of a message that was decoded.
    def light(message) = message[1]

    # Whether all texts are UTF-8.
    def valid?(message) = message[0].valid_encoding?

    # The fields to be written out, copied where they are a view.
    def fields(message) = message
  end

  # Two texts.
  class Response < Request
    def initialize
      @ready = Array.new(ROTATED) { |place| ['status: everything is fine', 'x' * (SHORT_TEXT + place)] }
    end

    def number = 1
    def fixtures = [['', ''], ['a', ''], [ODD_TEXT * ODD_TIMES, 'z' * 300]]
    def message(iteration) = @ready[iteration % ROTATED]
    def light(message) = message[0].length
    def valid?(message) = message[0].valid_encoding? && message[1].valid_encoding?
  end

  # A list of requests, a list of texts, and a text that may be absent.
  class Complex < Request
    def initialize
      @first = ['first item', FIRST_NUMBER]
      items = [@first, ['second item', 1], ['third item', -2]]
      @message = [items, %w[alpha beta gamma delta], 'a note, which may be absent']
    end

    def number = 2

    def fixtures
      [[[], [], nil], [[['', 0]], [''], nil], [[[ODD_TEXT, -2**63]] * ODD_TIMES, [ODD_TEXT] * ODD_TIMES, '']]
    end

    def message(iteration)
      @first[1] = FIRST_NUMBER + iteration
      @message
    end

    def light(message) = message[0][0][1] + message[1].size

    def valid?(message)
      items, tags, note = message
      items.all? { |text, _number| text.valid_encoding? } && tags.all?(&:valid_encoding?) &&
        (note.nil? || note.valid_encoding?)
    end
  end

  # Bytes, of which the last one varies.
  class Payload < Request
    def initialize(size)
      pattern = Array.new(256) { |place| (7 * place + 3) % 256 }.pack('C*')
      @bytes = (pattern * (size / 256 + 1)).byteslice(0, size)
      @message = [@bytes].freeze
    end

    def number = 3
    def encoding = Encoding::BINARY
    def fixtures = [[''.b], ["\0".b], [(0..255).to_a.pack('C*') * 4]]

    def message(iteration)
      @bytes.setbyte(-1, iteration % 256)
      @message
    end

    def light(message) = message[0].getbyte(-1)
    def valid?(_message) = true
  end

  # Bytes that stay where they are: a pointer to them that knows how many there are.
  class PayloadView < Payload
    def light(message)
      bytes = message[0]
      bytes[bytes.size - 1] & 0xFF
    end

    def fields(message) = [message[0][0, message[0].size]]
  end

  # Writes fields out as bytes, as `as_fields` of _messages.py does. A String in another encoding was not decoded.
  def self.as_fields(field, encoding)
    case field
    when nil then '-'.b
    when Integer then "#{field};".b
    when Array then "#{field.size}[".b << field.map { |each| as_fields(each, encoding) }.join << ']'
    else
      raise BadMessage, "a String in #{field.encoding}" unless field.encoding == encoding

      "#{field.bytesize}:".b << field.b
    end
  end
end
