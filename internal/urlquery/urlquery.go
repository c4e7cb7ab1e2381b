// Package urlquery encodes the query of an address that a person has typed.
//
//	http://host/run?city=São Paulo&rate=5%&x=%20 ──Escape──▶ city=S%C3%A3o%20Paulo&rate=5%25&x=%20
//
// Package net/url encodes a path, but sends a query as it is, which servers refuse with 400.
package urlquery

import (
	"fmt"
	"strings"
)

// allowed are the bytes of a query according to RFC 3986, next to letters, digits and %XX.
const allowed = "-._~!$&'()*+,;=:@/?[]"

// Escape percent-encodes the bytes that a query can't have. It doesn't encode anything twice.
func Escape(query string) string {
	var b strings.Builder
	for i := range len(query) {
		c := query[i]
		if isWord(c) || strings.IndexByte(allowed, c) >= 0 || c == '%' && i+2 < len(query) && isHex(query[i+1]) && isHex(query[i+2]) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isWord(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
