package app

import (
	"fmt"
)

// Inert writes out the characters of a page that show as nothing and do
// something: control characters, and those that turn the direction of the text
// around them. A name that has them is then not taken for another, and ends
// where it ends. Our own texts have none, so that whatever stands there came
// from the registry, the database or the request.
func Inert(page []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(page); i++ {
		char, size := invisible(page[i:])
		if size == 0 {
			continue
		}
		out = fmt.Appendf(append(out, page[kept:i]...), "[U+%04X]", char)
		i += size - 1
		kept = i + 1
	}
	if kept == 0 {
		return page
	}
	return append(out, page[kept:]...)
}

// invisible tells the character that a text begins with and its bytes, if it is
// one of those; else the size is 0.
func invisible(text []byte) (char rune, size int) {
	switch b := text[0]; {
	case b == '\t' || b == '\n' || b == '\r':
	case b < 0x20 || b == 0x7f:
		return rune(b), 1
	case b == 0xc2 && len(text) > 1 && text[1] >= 0x80 && text[1] <= 0x9f:
		return rune(text[1]), 2
	case b == 0xe2 && len(text) > 2 && text[1] == 0x80 && text[2] >= 0xaa && text[2] <= 0xae:
		return 0x202a + rune(text[2]-0xaa), 3 // embeddings and overrides
	case b == 0xe2 && len(text) > 2 && text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9:
		return 0x2066 + rune(text[2]-0xa6), 3 // isolates
	}
	return 0, 0
}
