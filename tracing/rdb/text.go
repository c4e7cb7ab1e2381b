package rdb

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Widths of text columns in characters. Wider texts are cut, because a database in strict mode
// would refuse them with the whole batch.
const (
	widthLong  = 255 // host names
	widthShort = 50  // the status source
	widthEnum  = 20  // execution source, execution type, state
	widthItems = 100

	widthRunState = 12 // state and origin of a requested run
	widthLevel    = 5
)

// charset is the set of characters that a table can hold. Tables created by ElasticJob have the
// server's default character set, which may be narrower than Unicode; such a table refuses a row
// instead of replacing characters.
type charset int

const (
	charsetUnicode charset = iota
	charsetText            // PostgreSQL's: all except the character zero
	charsetBMP             // MySQL's three-byte utf8
	charsetASCII           // anything else, such as latin1
)

// text makes a value fit a column: valid UTF-8, only characters of the set, and at most width
// characters. It never splits a character.
func (c charset) text(s string, width int) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if len(s) > width { // bytes; there are at most as many characters
		count := 0
		for at := range s {
			if count == width {
				s = s[:at]
				break
			}
			count++
		}
	}
	if c != charsetUnicode {
		s = strings.ReplaceAll(s, "\x00", string(utf8.RuneError))
	}
	switch c {
	case charsetBMP:
		return strings.Map(func(r rune) rune {
			if r > 0xFFFF {
				return utf8.RuneError
			}
			return r
		}, s)
	case charsetASCII:
		return strings.Map(func(r rune) rune {
			if r > 0x7F {
				return '?'
			}
			return r
		}, s)
	}
	return s
}

// encodeItems writes shard numbers as ElasticJob does: "[0, 1, 2]". A list wider than its column
// ends with "...]" after the last number that fits.
func encodeItems(items []int) string {
	const more = "...]"
	out := []byte{'['}
	for i, item := range items {
		mark := len(out)
		if i > 0 {
			out = append(out, ", "...)
		}
		begin := len(out)
		out = strconv.AppendInt(out, int64(item), 10)
		room := len(", ") + len(more)
		if i == len(items)-1 {
			room = len("]")
		}
		if len(out)+room > widthItems {
			if i > 0 {
				return string(append(out[:begin], more...))
			}
			return string(append(out[:mark], more...))
		}
	}
	return string(append(out, ']'))
}

// decodeItems parses the lists of encodeItems and ElasticJob. It skips unreadable parts, because
// half a list is more useful than an error.
func decodeItems(s string) []int {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "["), "]")
	if s == "" {
		return nil
	}
	var items []int
	for part := range strings.SplitSeq(s, ",") {
		item, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			break
		}
		items = append(items, item)
	}
	return items
}
