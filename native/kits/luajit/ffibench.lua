-- The worker contract in LuaJIT. A worker is this file: `luajit ffibench.lua source=FILE shim=MODULE NAME=VALUE ...`.
--
--     local ffibench = require "ffibench"
--     local zmq, constants = ffibench.native()      -- the library under test, and the constants of its header
--     local message = ffibench.option("message")    -- an argument NAME=VALUE
--     ... set up ...
--     ffibench.serve {
--       library = "4.3.5",                          -- its own version, where it reports one
--       endpoint = "tcp://127.0.0.1:5556",          -- optional: where it waits for roles that are started after it
--       cases = {
--         send = {
--           run = function(iterations) ... return { sends = iterations } end,
--           empty = function(iterations) ... end,
--           -- optional; called outside the clocks of every slice that is not empty:
--           before = function(iterations) ... end,
--           after = function(iterations) ... return { more = "receipt" } end,
--           figures = function() return { first_match_ns = 1 } end,
--         },
--         recv = "why this contestant cannot run it",
--       },
--     }                                             -- returns when standard input has closed
--     ... tear down ...

local ffi = require "ffi"

local ffibench = {}
package.loaded.ffibench = ffibench
package.preload.ffibench_calls = function() return dofile(arg[0]:match("^(.*/)") .. "ffibench_calls.lua") end

-- Under a name of its own, since the header under test may declare it otherwise. A timespec is two longs.
ffi.cdef "int ffibench_clock_gettime(int clock, long *now) __asm__(\"clock_gettime\");"
local WALL, CPU = 1, 2 -- CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID

local function fail(reason)
  io.stderr:write("ffibench worker: ", reason, "\n")
  os.exit(1)
end

local options = {}
for _, argument in ipairs(arg) do
  local name, value = argument:match("^([^=]+)=(.*)$")
  if not name then fail("not of the form NAME=VALUE: " .. argument) end
  options[name] = value
end

function ffibench.option(name)
  return options[name] or fail("missing argument: " .. name)
end

function ffibench.native()
  return dofile(ffibench.option("shim"))
end

local function number(text)
  return #text < 16 and tonumber(text:match("^%d+$")) or fail("not a number: " .. text)
end

local function escaped(character)
  return ("\\u%04x"):format(character:byte())
end

-- A string, or a whole number: of Lua, which holds those up to 2^53 exactly, or of C with its 64 bits.
local function json(value)
  if type(value) == "string" then return '"' .. value:gsub('[%c"\\]', escaped) .. '"' end
  if type(value) == "number" and value % 1 == 0 then return ("%.0f"):format(value) end
  return tostring(value):match("^(%-?%d+)U?LL$") or fail("a receipt with " .. tostring(value) .. ", no whole number")
end

local function object(fields)
  if type(fields) ~= "table" then fail("a loop returned no receipt, a table") end
  local parts = {}
  for name, value in pairs(fields) do parts[#parts + 1] = json(name) .. ": " .. json(value) end
  table.sort(parts)
  return "{" .. table.concat(parts, ", ") .. "}"
end

local function emit(...)
  if not (io.write(...) and io.write("\n") and io.flush()) then fail("cannot write to standard output") end
end

local function read(clock, now)
  if ffi.C.ffibench_clock_gettime(clock, now) ~= 0 then fail("cannot read a clock") end
end

local function timespec()
  return ffi.new("long[2]")
end

local begun, cpu, wall = timespec(), timespec(), timespec()
local wall_end, cpu_end, ended = timespec(), timespec(), timespec()

local function between(from, to)
  return tonumber((to[0] - from[0]) * 1000000000 + to[1] - from[1])
end

-- Runs slices of a `run` loop and prints a line for each.
local function measure(case, kind, slices, iterations, loops)
  local run, before, after, figures = loops.run, loops.before, loops.after, loops.figures
  for slice = 0, slices - 1 do
    read(CPU, begun)
    if before then before(iterations) end
    read(CPU, cpu)
    read(WALL, wall)
    local receipt = run(iterations)
    read(WALL, wall_end)
    read(CPU, cpu_end)
    if after then
      for name, value in pairs(after(iterations)) do receipt[name] = value end
    end
    read(CPU, ended)
    local more = kind == "empty" and "" or ', "receipt": ' .. object(receipt)
    if before or after then
      more = (', "around_ns": %.0f'):format(between(begun, cpu) + between(cpu_end, ended)) .. more
    end
    if figures then more = more .. ', "figures": ' .. object(figures()) end
    emit(('{"case": %s, "slice": %d, "kind": "%s", "wall_ns": %.0f, "cpu_ns": %.0f%s}'):format(
      json(case), slice, kind, between(wall, wall_end), between(cpu, cpu_end), more))
  end
end

-- Runs the contestant by the worker contract, after its set-up.
function ffibench.serve(work)
  local slices, warmup = number(ffibench.option("slices")), number(ffibench.option("warmup"))
  local cold = number(options.cold or "0")
  local endpoint = work.endpoint and ', "endpoint": ' .. json(work.endpoint) or ""
  local plan = {}
  for entry in ffibench.option("cases"):gmatch("[^,]+") do
    local name, count = entry:match("^(.+):([^:]+)$")
    if not name then fail("not of the form NAME:ITERATIONS: " .. entry) end
    plan[#plan + 1] = { name, number(count), work.cases[name] or options.binding .. " has no case " .. name }
  end
  -- An empty loop must be compiled as well as the timed one, and has no warm-up slices.
  for _, each in ipairs(plan) do
    local _, iterations, loops = unpack(each)
    for _ = 2, type(loops) == "table" and warmup or 1 do loops.empty(iterations) end
  end
  emit('{"ready": {"library": ', json(work.library or ""), endpoint, "}}")
  if io.read("*l") ~= "go" then fail("expected go on standard input") end
  for _, each in ipairs(plan) do
    local name, iterations, loops = unpack(each)
    if type(loops) == "string" then
      emit(('{"case": %s, "unsupported": %s}'):format(json(name), json(loops)))
    else
      if cold > 0 then measure(name, "cold", 1, cold, loops) end
      measure(name, "warmup", warmup, iterations, loops)
      measure(name, "timed", slices, iterations, loops)
      measure(name, "empty", slices, iterations, { run = loops.empty })
    end
  end
  io.read("*a") -- the harness reads the live process meanwhile
end

-- An error ends the worker with where it came from and then what it was: a table shows the last line.
local function told(what)
  return debug.traceback("", 2):sub(2) .. "\nffibench worker: " .. tostring(what) .. "\n"
end

local well, why = xpcall(dofile, told, ffibench.option("source"))
if not well then
  io.stderr:write(why)
  os.exit(1)
end
