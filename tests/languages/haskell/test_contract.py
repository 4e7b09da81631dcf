"""The worker contract in Haskell: the kit in a program of its own."""

from __future__ import annotations

import pytest
from support.anywhere import runtime_or_skip
from support.contract import Contract, Worker, compile_without_warning

from ffibench.paths import asset

PROGRAM = r"""
module Main (main) where

import Data.IORef
import FFIBench
import FFIBench.Calls (different)
import System.IO (hPutStrLn, stderr)

main :: IO ()
main = worker $ do
    binding <- option "binding"
    total <- newIORef (0 :: Integer)
    let add iterations = modifyIORef' total (+ toInteger (iterations :: Int))
        nothing _ = pure ()
        counted iterations = do
            now <- readIORef total
            pure [("calls", Number (toInteger iterations)), ("total", Number now)]
        sums = loops add nothing counted
        says value = loops nothing nothing (const (pure [("value", value)]))
    serveAt
        (if binding == "waiting" then Just "tcp://here" else Nothing)
        [ ("sum", sums)
        , ("around", sums
            { around = Just (writeIORef total 100, modifyIORef' total (+ 1))
            , figures = Just (pure [("first_ns", Number 7)]) })
        , ("lowest", says (Number (-(2 ^ (63 :: Int)))))
        , ("highest", says (Number (2 ^ (64 :: Int) - 1)))
        , ("odd", says (Number 9007199254740993))
        , ("text", says (Text "a\"b\\c\n\t\1\xc3\xa4\xf0\x9f\x98\x80")) -- its characters are bytes
        , ("dies", loops (const (stop "it went wrong")) nothing counted)
        , ("differs", loops (const (different "plusone")) nothing counted)
        , ("never", Unsupported "it has no such call")
        ] "1.2 \"x\""
    hPutStrLn stderr "torn down"
"""


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Worker:
    ghc = runtime_or_skip("haskell").executable
    folder = tmp_path_factory.mktemp("haskell")
    (folder / "Main.hs").write_text(PROGRAM, encoding="utf-8")
    flags = ["-v0", "-threaded", "-Wall", "-Werror", "-Wno-name-shadowing", f"-i{asset('native/kits/haskell')}"]
    compile_without_warning(folder, ghc, *flags, "-outputdir", "objects", "-o", "program", "Main.hs")
    return Worker(folder / "program")


class TestContract(Contract):
    def test_a_call_that_does_not_answer_what_c_does_ends_it(self, worker: Worker) -> None:
        assert worker.complaint(cases="differs:1") == "plusone gave another answer than C"
