-- | xsub through the Haskell shims: one loop for all bindings, in the signature of C.
module Main (main) where

import Control.Monad (replicateM_, unless)
import FFIBench
import Foreign
import Foreign.C
import Native

check :: Bool -> String -> IO ()
check ok call = unless ok $ do
    code <- zmq_errno
    ioError (errnoToIOError call (Errno code) Nothing Nothing)

main :: IO ()
main = worker $ do
    context <- zmq_ctx_new
    check (context /= nullPtr) "zmq_ctx_new"
    -- An XPUB sends by the same code as a PUB, and can tell that somebody has subscribed.
    peers <- option "peers" >>= number
    socket <- zmq_socket context (if peers > 0 then ZMQ_XPUB else ZMQ_PUB)
    check (socket /= nullPtr) "zmq_socket"
    bound <- option "endpoint" >>= (`withCString` zmq_bind socket)
    check (bound == 0) "zmq_bind"
    replicateM_ peers . alloca $ \subscription -> do -- a subscription to everything is a message of one byte
        received <- zmq_recv socket subscription 1 0
        check (received == 1) "zmq_recv"

    message <- option "message"
    withCStringLen message $ \(text, size) -> do
        let run' iterations = go iterations
              where
                go :: Int -> IO ()
                go 0 = pure ()
                go left = do
                    sent <- zmq_send socket (castPtr text) (fromIntegral size) 0
                    if sent == fromIntegral size
                        then go (left - 1)
                        else stop "zmq_send did not take the whole message"
            empty' iterations = go iterations (opaque (fromIntegral size))
              where
                go :: Int -> CInt -> IO ()
                go 0 _ = pure ()
                go left sent =
                    if sent == fromIntegral size
                        then go (left - 1) sent
                        else stop "zmq_send did not take the whole message"
            receipt' iterations =
                pure [("sends", Number (toInteger iterations)), ("bytes", Number (toInteger (iterations * size)))]
        serve [("send", loops run' empty' receipt')] ""

    closed <- zmq_close socket
    check (closed == 0) "zmq_close"
    ended <- zmq_ctx_term context
    check (ended == 0) "zmq_ctx_term"
