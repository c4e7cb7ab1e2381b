package rdb

import (
	"strings"
	"unicode/utf8"
)

const causeWidth = 120

// CauseOf returns the common form of similar failures: the first line with numbers and quoted texts
// replaced by "…". Literal is its longest unchanged part, for [RunFilter] FailureText.
func CauseOf(failure string) (cause, literal string) {
	line, _, _ := strings.Cut(strings.TrimSpace(failure), "\n")
	var b strings.Builder
	left := func() {
		// Adjacent numbers, as in an address, become one.
		switch text := b.String(); {
		case strings.HasSuffix(text, "…"):
		case strings.HasSuffix(text, "….") || strings.HasSuffix(text, "…:") || strings.HasSuffix(text, "…-"):
			b.Reset()
			b.WriteString(text[:len(text)-1])
		default:
			b.WriteString("…")
		}
	}
	for count := 0; line != "" && count < causeWidth; count++ {
		char, size := utf8.DecodeRuneInString(line)
		switch {
		case char >= '0' && char <= '9':
			left()
		case char == '"' || char == '\'' || char == '`':
			end := strings.IndexRune(line[size:], char)
			if end < 0 || char == '\'' && end > 60 { // an apostrophe
				b.WriteRune(char)
				break
			}
			b.WriteRune(char)
			left()
			b.WriteRune(char)
			size += end + 1
		default:
			b.WriteString(line[:size])
		}
		line = line[size:]
	}
	cause = strings.TrimSpace(b.String())
	for part := range strings.SplitSeq(cause, "…") {
		if part = strings.TrimSpace(part); len(part) > len(literal) {
			literal = part
		}
	}
	return cause, literal
}
