-- | What generated loops need: memory that is filled, and answers as exact text, as
-- native/kits/c/ffibench_calls.h writes it.
module FFIBench.Calls
    ( Operation
    , address, bits, buffer, bytes, different, doubles, field, hex, items, memory, serveOperations, text, upTo
    , module FFIBench
    , module Control.Monad
    , module Data.ByteString
    , module Data.IORef
    , module Foreign
    , module Foreign.C
    ) where

import Control.Monad (when)
import Data.ByteString (ByteString, packCString)
import qualified Data.ByteString as Bytes
import Data.IORef (newIORef, readIORef, writeIORef)
import FFIBench
import Foreign hiding (void)
import Foreign.C
import GHC.Float (castDoubleToWord64, float2Double)
import Text.Printf (printf)

-- | Sets up a case; gives its loops, and what tears it down.
type Operation = IO (Loops, IO ())

-- | Serves the operations that are asked for; what is set up first is torn down last.
serveOperations :: [(String, Operation)] -> IO ()
serveOperations operations = do
    asked <- map fst <$> planned
    made <- mapM setUp asked
    serve (zip asked (map fst made)) ""
    mapM_ snd (reverse made)
  where
    setUp name = maybe (stop ("ffibench worker: there is no such case: " ++ name)) id (lookup name operations)

-- | Ends the worker since a call in the loop did not answer what C does.
different :: String -> IO a
different function = stop (function ++ " gave another answer than C")

-- | A text that ends at a NUL.
text :: String -> IO CString
text = newCString

-- | Memory for a call to fill. A NUL follows, as in the bytes of other languages.
buffer :: Int -> IO (Ptr Word8)
buffer size = mallocBytes (size + 1) >>= \room -> room <$ fillBytes room 0 (size + 1)

-- | Memory in which a pattern repeats.
bytes :: String -> Int -> IO (Ptr Word8)
bytes pattern' size = do
    room <- buffer size
    room <$ pokeArray room (map (fromIntegral . fromEnum) (take size (cycle pattern')))

items :: Storable a => [a] -> IO (Ptr a)
items values = mallocArray (length values + 1) >>= \room -> room <$ pokeArray room values

-- | The items 0, 1 and so on.
upTo :: (Num a, Storable a) => Int -> IO (Ptr a)
upTo size = items (map fromIntegral [0 .. size - 1])

field :: Integral a => a -> Value
field = Number . toInteger

address :: Ptr a -> Value
address pointer = Text (if pointer == nullPtr then "NULL" else "not NULL")

-- | The bits of a floating-point number, which 'realToFrac' would not keep.
class Bits' a where
    bits :: a -> Value
instance Bits' CDouble where
    bits (CDouble value) = Text (printf "%016x" (castDoubleToWord64 value))
instance Bits' CFloat where
    bits (CFloat value) = bits (CDouble (float2Double value))

-- | A number that has no literal: of NaN, Infinity and -0.0.
doubles :: Fractional a => String -> a
doubles "NaN" = 0 / 0
doubles "Infinity" = 1 / 0
doubles _ = -1 / (1 / 0)

hex :: ByteString -> Value
hex = Text . concatMap (printf "%02x") . Bytes.unpack

-- | Bytes of memory, of a long one those that are spread evenly over it.
memory :: Ptr a -> Int -> IO Value
memory first size = hex . Bytes.pack <$> mapM (peekByteOff first) places
  where
    most = 64
    places = if size <= most then [0 .. size - 1] else [each * (size - 1) `div` (most - 1) | each <- [0 .. most - 1]]
