// Reads lines `SHAPE struct HEX LENGTH`, and says of each whether the contestant of codec takes the block.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
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
		words := strings.Fields(lines.Text())
		memory, err := hex.DecodeString(words[2])
		if err != nil {
			panic(err)
		}
		length, err := strconv.Atoi(words[3])
		if err != nil {
			panic(err)
		}
		decoders := map[string][]decoder{
			"request": {new(request)}, "response": {new(response)}, "complex": {new(complexRequest)},
			"payload": {new(payload), new(payloadView)},
		}
		said := "taken"
		for _, each := range decoders[words[0]] {
			if each.unpack(memory[:length]) != nil {
				said = "refused"
			}
		}
		fmt.Println(said)
	}
	if err := lines.Err(); err != nil {
		panic(err)
	}
}
