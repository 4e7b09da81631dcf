-- What generated loops have in common: texts of C as strings of Lua, and answers as exact text, as
-- native/kits/c/ffibench_calls.h writes them.

local ffi = require "ffi"

local calls = {}

-- Of memory that is longer so many bytes are compared, spread evenly.
local MEMORY_BYTES_MAX = 64

-- Bytes that count 0, 1 .. 255, 0 ..
function calls.counting(size)
  local bytes = ffi.new("uint8_t[?]", size)
  for each = 0, size - 1 do bytes[each] = each % 256 end
  return ffi.string(bytes, size)
end

-- The copy of a text of C; nil for NULL.
function calls.text(text)
  if text ~= nil then return ffi.string(text) end
end

-- The copy of a text that the caller must free.
function calls.owned(text, free)
  local copy = calls.text(text)
  if copy then free(text) end
  return copy
end

-- The hexadecimal digits of a string's bytes, and of a floating-point number's bits.
function calls.hex(text)
  return text and text:gsub(".", function(each) return ("%02x"):format(each:byte()) end) or "NULL"
end

function calls.real(value)
  local bytes = ffi.string(ffi.new("double[1]", value), 8)
  return calls.hex(ffi.abi("le") and bytes:reverse() or bytes)
end

function calls.address(value)
  return value == nil and "NULL" or "not NULL"
end

-- Those of memory.
function calls.memory(memory, size)
  local bytes, last = ffi.cast("const uint8_t *", memory), MEMORY_BYTES_MAX - 1
  if size <= MEMORY_BYTES_MAX then return calls.hex(ffi.string(bytes, size)) end
  local some = ffi.new("uint8_t[?]", MEMORY_BYTES_MAX)
  for each = 0, last do some[each] = bytes[math.floor(each * (size - 1) / last)] end
  return calls.hex(ffi.string(some, MEMORY_BYTES_MAX))
end

-- An integer: of C's truth values too.
function calls.integer(value)
  if type(value) == "boolean" then return value and 1 or 0 end
  return value
end

return calls
