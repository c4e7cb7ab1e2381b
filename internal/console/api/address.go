package api

import (
	"net/url"
	"strings"
	"unicode"
)

// JobPath returns the address of a job below a prefix such as /jobs or /api/jobs. It escapes names
// that are also fixed words of the interface.
func JobPath(prefix, name string, more ...string) string {
	escaped := url.PathEscape(name)
	switch name {
	case "count", "config", "getAllJobsBriefInfo", "bulk", "export", "new":
		escaped = "%" + hexByte(name[0]) + name[1:]
	}
	// A plus is legal in a path, but too many programs read it as a space.
	escaped = strings.ReplaceAll(escaped, "+", "%2B")
	p := prefix + "/" + escaped
	for _, m := range more {
		p += "/" + m
	}
	return p
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

// Path returns an address with escaped parts below a prefix.
func Path(prefix string, parts ...string) string {
	for _, part := range parts {
		prefix += "/" + url.PathEscape(part)
	}
	return prefix
}

// Plain returns a text of the console on one line, without characters that control a terminal or
// turn its direction.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
