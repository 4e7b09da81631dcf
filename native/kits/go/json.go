package ffibench

import (
	"encoding/json"
	"os"
	"reflect"
)

// Receipt is what a slice did, or its figures: whole numbers and texts.
type Receipt map[string]any

// A number in it is exact to 64 bits.
func object(fields Receipt) string {
	for name, value := range fields {
		if kind := reflect.ValueOf(value).Kind(); kind != reflect.String && (kind < reflect.Int || kind > reflect.Uint64) {
			Fail("ffibench worker: a receipt with %s = %v, neither a whole number nor a text", name, value)
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		Fail("ffibench worker: %v", err)
	}
	return string(text)
}

func quoted(text string) string {
	line, err := json.Marshal(text)
	if err != nil {
		Fail("ffibench worker: %v", err)
	}
	return string(line)
}

func emit(line string) {
	if _, err := os.Stdout.WriteString(line + "\n"); err != nil {
		Fail("ffibench worker: cannot write to standard output: %v", err)
	}
}
