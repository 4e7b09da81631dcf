// Reads lines `SHAPE HEX`, and says of each whether the contestant of codec decodes the block.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
)

type request struct {
	Message string
	Number  int64
}

type response struct{ First, Second string }

type complexRequest struct {
	Items []request
	Tags  []string
	Note  *string
}

type payload struct{ Bytes []byte }

type payloadView struct{ payload }

type decoder interface{ unpack(block []byte) error }

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		shape, digits, _ := strings.Cut(lines.Text(), " ")
		block, err := hex.DecodeString(digits)
		if err != nil {
			panic(err)
		}
		decoders := map[string][]decoder{
			"0": {new(request)}, "1": {new(response)}, "2": {new(complexRequest)}, "3": {new(payload), new(payloadView)},
		}
		said := "yes"
		for _, each := range decoders[shape] {
			if each.unpack(block) != nil {
				said = "no"
			}
		}
		fmt.Println(said)
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}
