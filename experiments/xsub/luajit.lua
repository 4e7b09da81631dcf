-- xsub through LuaJIT's FFI, in the signature of C.

local ffi = require "ffi"
local ffibench = require "ffibench"

local zmq, constants = ffibench.native()

ffi.cdef "char *strerror(int);"

local function check(well, call)
  if not well then error(call .. ": " .. ffi.string(ffi.C.strerror(zmq.zmq_errno()))) end
end

local context = zmq.zmq_ctx_new()
check(context ~= nil, "zmq_ctx_new")
-- An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
local peers = tonumber(ffibench.option("peers"))
local socket = zmq.zmq_socket(context, peers > 0 and constants.ZMQ_XPUB or constants.ZMQ_PUB)
check(socket ~= nil, "zmq_socket")
check(zmq.zmq_bind(socket, ffibench.option("endpoint")) == 0, "zmq_bind")
local subscription = ffi.new("char[1]")
for _ = 1, peers do -- a subscription to everything is a message of one byte
  check(zmq.zmq_recv(socket, subscription, 1, 0) == 1, "zmq_recv")
end

local message = ffibench.option("message")

-- The library's namespace and not a local `zmq_send`: so says LuaJIT's manual, and its compiler knows the address.
local function run(iterations)
  local size = #message
  for _ = 1, iterations do
    if zmq.zmq_send(socket, message, size, 0) ~= size then error("zmq_send did not take the whole message") end
  end
  return { sends = iterations, bytes = iterations * size }
end

-- A test of what stays the same is made once, before the loop: so this one has the number of the iteration in it.
local function empty(iterations)
  local never = -1
  for i = 1, iterations do
    if i == never then error("zmq_send did not take the whole message") end
  end
end

ffibench.serve { cases = { send = { run = run, empty = empty } } }

check(zmq.zmq_close(socket) == 0, "zmq_close")
check(zmq.zmq_ctx_term(context) == 0, "zmq_ctx_term")
