# How Ruby encodes and decodes the shapes of codec: by the gem cbor, and as a struct in one block by pack and unpack.
#
# An answer is a String, with the length of what is in use of it. `byteslice` copies what does not reach to its end.
require 'cbor'
require_relative '_shapes'

module Codec
  # Texts and numbers as CBOR. The gem takes texts as they come: whether they are UTF-8 is looked at here. With a packer
  # and an unpacker that are kept it takes half the time of `to_cbor` and CBOR.decode, which make their own.
  class Cbor
    def initialize(shape)
      @shape = shape
      @packer = ::CBOR::Packer.new
      @unpacker = ::CBOR::Unpacker.new
      @left = @unpacker.buffer
    end

    def encode(message)
      request = @packer.write(message).to_s
      @packer.clear
      request
    end

    def decode(answer, length)
      message = @unpacker.feed(answer.byteslice(0, length)).read
      raise BadMessage, 'bytes follow a message' unless @left.empty?
      raise BadMessage, 'a text is not UTF-8' unless @shape.valid?(message)

      message
    end
  end

  # Bytes as CBOR. CBOR.decode takes them out of the slice without another copy, which a kept unpacker does not.
  class PayloadCbor < Cbor
    def decode(answer, length) = ::CBOR.decode(answer.byteslice(0, length))
  end

  # What the blocks have in common.
  class Block
    REQUEST_BYTES = 16
    RESPONSE_BYTES = 16
    COMPLEX_BYTES = 24
    SPAN_BYTES = 8

    private

    def text_at(block, length, offset, size)
      raise BadMessage, 'a text lies outside the block' if offset + size > length

      text = block.byteslice(offset, size).force_encoding(Encoding::UTF_8)
      raise BadMessage, 'a text is not UTF-8' unless text.valid_encoding?

      text
    end

    def require_head(length, least)
      raise BadMessage, 'a block is shorter than its head' if length < least
    end
  end

  # A text and a number.
  class RequestBlock < Block
    def encode(message)
      text, number = message
      [REQUEST_BYTES, text.bytesize, number, text].pack('VVq<a*')
    end

    def decode(block, length)
      require_head(length, REQUEST_BYTES)
      offset, size, number = block.unpack('VVq<')
      [text_at(block, length, offset, size), number]
    end
  end

  # Two texts.
  class ResponseBlock < Block
    def encode(message)
      first, second = message
      size = first.bytesize
      [RESPONSE_BYTES, size, RESPONSE_BYTES + size, second.bytesize, first, second].pack('V4a*a*')
    end

    def decode(block, length)
      require_head(length, RESPONSE_BYTES)
      first, first_size, second, second_size = block.unpack('V4')
      [text_at(block, length, first, first_size), text_at(block, length, second, second_size)]
    end
  end

  # Both lists and the text that may be absent: all heads by one `pack`, and all texts at its end.
  class ComplexBlock < Block
    def encode(message)
      items, tags, note = message
      tags_at = COMPLEX_BYTES + REQUEST_BYTES * items.size
      offset = tags_at + SPAN_BYTES * tags.size
      fields = [COMPLEX_BYTES, items.size, tags_at, tags.size, 0, 0]
      texts = []
      items.each do |text, number|
        size = text.bytesize
        fields.push(offset, size, number)
        texts << text
        offset += size
      end
      tags.each do |text|
        size = text.bytesize
        fields.push(offset, size)
        texts << text
        offset += size
      end
      unless note.nil?
        fields[4] = offset
        fields[5] = note.bytesize
        texts << note
      end
      fields.push(texts.join).pack("V6#{'VVq<' * items.size}#{'VV' * tags.size}a*")
    end

    def decode(block, length)
      require_head(length, COMPLEX_BYTES)
      items_at, item_count, tags_at, tag_count, note_at, note_size = block.unpack('V6')
      if items_at + REQUEST_BYTES * item_count > length || tags_at + SPAN_BYTES * tag_count > length
        raise BadMessage, 'a list lies outside the block'
      end

      heads = block.unpack("@#{items_at}#{'VVq<' * item_count}@#{tags_at}#{'VV' * tag_count}")
      items = Array.new(item_count) do |place|
        head = 3 * place
        [text_at(block, length, heads[head], heads[head + 1]), heads[head + 2]]
      end
      tags = Array.new(tag_count) do |place|
        head = 3 * item_count + 2 * place
        text_at(block, length, heads[head], heads[head + 1])
      end
      [items, tags, note_at.zero? ? nil : text_at(block, length, note_at, note_size)]
    end
  end

  # Bytes, which are copied.
  class PayloadBlock < Block
    def encode(message)
      bytes = message[0]
      [SPAN_BYTES, bytes.bytesize, bytes].pack('VVa*')
    end

    def decode(block, length)
      offset, size = place(block, length)
      [block.byteslice(offset, size)]
    end

    private

    def place(block, length)
      require_head(length, SPAN_BYTES)
      offset, size = block.unpack('VV')
      raise BadMessage, 'the bytes lie outside the block' if offset + size > length

      [offset, size]
    end
  end

  # Fiddle's pointers are Ruby's own window on memory. One is good as long as the block is there and keeps its length.
  class ViewBlock < PayloadBlock
    def decode(block, length)
      offset, size = place(block, length)
      [Fiddle::Pointer.new(Fiddle::Pointer[block].to_i + offset, size)]
    end
  end

  # A shape with what encodes and decodes it: `coder('payload', 'struct', 65536, view: true)`.
  def self.coder(name, way, size, view: false)
    shape =
      case name
      when 'request' then Request.new
      when 'response' then Response.new
      when 'complex' then Complex.new
      else view ? PayloadView.new(size) : Payload.new(size)
      end
    return [shape, (name == 'payload' ? PayloadCbor : Cbor).new(shape)] if way == 'cbor'

    blocks = { 'request' => RequestBlock, 'response' => ResponseBlock, 'complex' => ComplexBlock }
    [shape, blocks.fetch(name) { view ? ViewBlock : PayloadBlock }.new]
  end
end
