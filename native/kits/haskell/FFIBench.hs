-- | The worker contract in Haskell.
--
-- > main = worker $ do
-- >     message <- option "message"    -- an argument NAME=VALUE
-- >     ... set up ...
-- >     serve [("send", loops run empty receipt)] "4.3.5"    -- returns when standard input has closed
-- >     ... tear down ...
--
-- A mistake is reported on standard error, with a non-zero status.
module FFIBench (Loops (..), Receipt, Value (..), loops, number, opaque, option, planned, serve, serveAt, stop, worker) where

import Control.Monad (forM_, when)
import Data.Char (isControl, isDigit, ord)
import Data.List (intercalate, stripPrefix)
import Data.Maybe (fromMaybe, isJust, listToMaybe, mapMaybe)
import Foreign.C.Types (CInt (..), CLong (..))
import Foreign.Marshal.Array (allocaArray, peekArray)
import Foreign.Ptr (Ptr)
import GHC.IO.Encoding (setFileSystemEncoding, setForeignEncoding, setLocaleEncoding)
import System.Environment (getArgs)
import System.Exit (exitFailure)
import System.IO
import Text.Printf (printf)

foreign import ccall unsafe "clock_gettime" clock_gettime :: CInt -> Ptr CLong -> IO CInt

foreign import ccall safe "exit" c_exit :: CInt -> IO ()

data Value = Number Integer | Text String

-- | What a slice did, or its figures.
type Receipt = [(String, Value)]

-- | Those of a case. What is called besides 'run' and 'empty' is outside of the clocks.
data Loops = Loops
    { run :: Int -> IO ()
    , empty :: Int -> IO () -- ^ the same without the native call
    , receipt :: Maybe (Int -> IO Receipt)
    , around :: Maybe (IO (), IO ()) -- ^ starts a warm-up or timed slice, and ends it
    , figures :: Maybe (IO Receipt)
    }
    | Unsupported String -- ^ why it cannot be run

loops :: (Int -> IO ()) -> (Int -> IO ()) -> (Int -> IO Receipt) -> Loops
loops run' empty' receipt' = Loops run' empty' (Just receipt') Nothing Nothing

-- | Runs a worker, to which arguments and lines are bytes whatever the locale says. It ends as a program of C does: the
-- end of GHC's runtime reads the processor's clock, as if there were a further slice.
worker :: IO () -> IO ()
worker work = do
    mapM_ ($ char8) [setFileSystemEncoding, setForeignEncoding, setLocaleEncoding]
    mapM_ (`hSetEncoding` char8) [stdin, stdout, stderr]
    hSetBuffering stdout LineBuffering
    arguments <- getArgs
    mapM_ (wrong . ("not of the form NAME=VALUE: " ++)) (filter ('=' `notElem`) arguments)
    work
    hFlush stdout
    c_exit 0

-- | Ends the worker.
stop :: String -> IO a
stop reason = hPutStrLn stderr reason >> exitFailure

wrong :: String -> IO a
wrong reason = stop ("ffibench worker: " ++ reason)

find :: String -> IO (Maybe String)
find name = listToMaybe . mapMaybe (stripPrefix (name ++ "=")) <$> getArgs

-- | The value of the argument NAME=VALUE.
option :: String -> IO String
option name = find name >>= maybe (wrong ("missing argument: " ++ name)) pure

-- | A whole number that is not negative.
number :: String -> IO Int
number text
    | not (null text), all isDigit text, value <= toInteger (maxBound :: Int) = pure (fromInteger value)
    | otherwise = wrong ("not a number: " ++ text)
  where
    value = read text

-- | Hides a value from the compiler, so that it cannot delete a test of it.
opaque :: a -> a
opaque value = value
{-# NOINLINE opaque #-}

-- | The cases that are asked for, with their iterations.
planned :: IO [(String, Int)]
planned = option "cases" >>= mapM entry . split
  where
    split text = case break (== ',') text of
        (first, _ : rest) -> first : split rest
        (last', []) -> [last']
    entry text = case break (== ':') (reverse text) of
        (count, _ : name) | not (null name) -> (,) (reverse name) <$> number (reverse count)
        _ -> wrong ("not of the form NAME:ITERATIONS: " ++ text)

-- | Runs the cases that are asked for by the worker contract, after the set-up.
serve :: [(String, Loops)] -> String -> IO ()
serve = serveAt Nothing

-- | The same; tells first where the worker waits for roles that are started after it.
serveAt :: Maybe String -> [(String, Loops)] -> String -> IO ()
serveAt endpoint cases library = do
    slices <- option "slices" >>= number
    warmup <- option "warmup" >>= number
    cold <- find "cold" >>= maybe (pure 0) number
    let place = [("endpoint", quoted each) | Just each <- [endpoint]]
    putStrLn (object [("ready", object (("library", quoted library) : place))])
    told <- line
    when (told /= Just "go") $ wrong "expected go on standard input"
    asked <- planned
    forM_ asked $ \(name, iterations) -> case lookup name cases of
        Nothing -> do
            binding <- option "binding"
            lacking name (binding ++ " has no case " ++ name)
        Just (Unsupported reason) -> lacking name reason
        Just own -> do
            measure name "cold" (min cold 1) cold own
            measure name "warmup" warmup iterations own
            measure name "timed" slices iterations own
            measure name "empty" slices iterations (Loops (empty own) (empty own) Nothing Nothing Nothing)
    untilEnd
  where
    line = isEOF >>= \ended -> if ended then pure Nothing else Just <$> getLine
    lacking name reason = putStrLn (object [("case", quoted name), ("unsupported", quoted reason)])
    untilEnd = line >>= maybe (pure ()) (const untilEnd) -- the harness reads the live process meanwhile

-- | Times slices of a loop and prints a line for each.
measure :: String -> String -> Int -> Int -> Loops -> IO ()
measure name kind slices iterations own = forM_ [0 .. slices - 1] $ \slice -> do
    let (before, after) = fromMaybe (pure (), pure ()) (around own)
    begun <- clock 2
    before
    cpu <- clock 2
    wall <- clock 1
    run own iterations
    wallEnded <- clock 1
    ended <- clock 2
    after
    afterwards <- clock 2
    said <- traverse ($ iterations) (receipt own)
    more <- sequence (figures own)
    putStrLn . object $
        [("case", quoted name), ("slice", show slice), ("kind", quoted kind)]
            ++ [("wall_ns", show (wallEnded - wall)), ("cpu_ns", show (ended - cpu))]
            ++ [("around_ns", show (cpu - begun + afterwards - ended)) | isJust (around own)]
            ++ [(field, receiptText each) | (field, Just each) <- [("receipt", said), ("figures", more)]]

-- | One of libc's clocks, in nanoseconds: that of the process is 2, the monotonic one 1.
clock :: CInt -> IO Integer
clock identity = allocaArray 2 $ \now -> do
    status <- clock_gettime identity now
    when (status /= 0) $ wrong "cannot read a clock"
    [seconds, nanoseconds] <- peekArray 2 now
    pure (toInteger seconds * 1000000000 + toInteger nanoseconds)

receiptText :: Receipt -> String
receiptText fields = object [(name, text value) | (name, value) <- fields]
  where
    text (Number value) = show value
    text (Text value) = quoted value

object :: [(String, String)] -> String
object fields = "{" ++ intercalate ", " [quoted name ++ ": " ++ value | (name, value) <- fields] ++ "}"

quoted :: String -> String
quoted text = "\"" ++ concatMap escaped text ++ "\""
  where
    escaped each
        | each `elem` "\"\\" = ['\\', each]
        | isControl each && ord each < 128 = printf "\\u%04x" (ord each)
        | otherwise = [each]
