# The gem loads the libzmq of the system, and cannot be told another one. The module into which it does is there before
# it, with the file of the run whatever the gem asks for.
require 'ffi'

module LibZMQ
  extend FFI::Library

  def self.ffi_lib(*)
    super(FFIBench.option('library'))
  end
end

require 'ffi-rzmq'
