package main

import (
	"errors"
	"ffibench"
	"math"

	"github.com/fxamacker/cbor/v2"
)

// A way in which messages cross: how they are encoded and decoded, and the function of the library that answers one.
type way[M any, P message[M]] struct {
	isBlock int32
	encode  func(made P) ([]byte, error)
	decode  func(data []byte, into P) error
	answer  func(shape int32, request []byte, length uint, answer []byte, room uint) int
}

// The modes of CBOR are prepared once, as its users do. What is not UTF-8 or has bytes behind it is refused.
var (
	encMode = prepared(cbor.CoreDetEncOptions().EncMode())
	decMode = prepared(cbor.DecOptions{UTF8: cbor.UTF8RejectInvalid}.DecMode())
)

var errLong = errors.New("a block is shorter than 4 GiB")

func asCBOR[M any, P message[M]]() way[M, P] {
	return way[M, P]{
		encode: func(made P) ([]byte, error) { return encMode.Marshal(made) },
		decode: func(data []byte, into P) error { return decMode.Unmarshal(data, into) },
		answer: codec_answer_cbor,
	}
}

func asBlock[M any, P message[M]]() way[M, P] {
	return way[M, P]{
		isBlock: 1,
		encode: func(made P) ([]byte, error) {
			block := made.pack()
			if len(block) > math.MaxUint32 {
				return nil, errLong
			}
			return block, nil
		},
		decode: func(data []byte, into P) error { return into.unpack(data) },
		answer: codec_answer_block,
	}
}

func prepared[T any](mode T, err error) T {
	check(err)
	return mode
}

func check(err error) {
	if err != nil {
		ffibench.Fail("codec: %v", err)
	}
}

// Returns the length of an answer.
func lengthOf(length int) int {
	if length < 0 {
		ffibench.Fail("codec: the library refuses a message: %d", length)
	}
	return length
}
