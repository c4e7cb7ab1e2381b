// Package fullwidth finds full-width characters, which an input method for Chinese or Japanese
// types instead of the ASCII characters that look like them.
//
//	"0 0 2 * * ？" ──Hint──▶ `; it has the full-width "？", write "?"`
package fullwidth

import "fmt"

// Hint returns what to add to an error about a text; empty without a full-width character.
func Hint(text string) string {
	for _, r := range text {
		ascii := r - 0xfee0
		switch {
		case r == '\u3000':
			ascii = ' '
		case r == '、':
			ascii = ','
		case r < '！' || r > '～':
			continue
		}
		return fmt.Sprintf(`; it has the full-width "%c", write "%c"`, r, ascii)
	}
	return ""
}
