package snapshot

import (
	"net/netip"
	"strconv"
)

// addresses names each distinct IP address in order of first appearance.
type addresses map[string]string

func (a addresses) name(address string) string {
	name, known := a[address]
	if !known {
		name = "ip" + strconv.Itoa(len(a)+1)
		a[address] = name
	}
	return name
}

// mask replaces the IP addresses in text. It only matches whole addresses: 10.0.0.10 doesn't
// contain 10.0.0.1, and 256.1.1.1 contains none.
func (a addresses) mask(text []byte) []byte {
	masked := make([]byte, 0, len(text))
	copied := 0
	for i := 0; i < len(text); i++ {
		if !begins[text[i]] {
			continue
		}
		n := 0
		if !midway6(text, i) {
			n = length6(text[i:])
		}
		if n == 0 && !midway4(text, i) {
			n = length4(text[i:])
		}
		if n == 0 {
			continue
		}
		masked = append(masked, text[copied:i]...)
		masked = append(masked, a.name(string(text[i:i+n]))...)
		copied = i + n
		i = copied - 1
	}
	return append(masked, text[copied:]...)
}

// begins has the characters that an address can begin with.
var begins = func() (table [256]bool) {
	for c := range table {
		table[c] = hex(byte(c)) || c == ':'
	}
	return table
}()

func digit(c byte) bool  { return '0' <= c && c <= '9' }
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }
func hex(c byte) bool    { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// midway4 reports whether position i is inside a number or a dotted sequence of numbers.
func midway4(text []byte, i int) bool {
	return i > 0 && digit(text[i-1]) || i > 1 && text[i-1] == '.' && digit(text[i-2])
}

// length4 returns the length of the IPv4 address at the start of text, or 0 if there is none.
func length4(text []byte) int {
	at := 0
	for group := range 4 {
		if group > 0 {
			if at >= len(text) || text[at] != '.' {
				return 0
			}
			at++
		}
		begin, value := at, 0
		for at < len(text) && digit(text[at]) && at-begin < 4 {
			value = 10*value + int(text[at]-'0')
			at++
		}
		if at == begin || at-begin > 3 || value > 255 {
			return 0
		}
	}
	if at+1 < len(text) && text[at] == '.' && digit(text[at+1]) {
		return 0 // Five numbers or more are a version, not an address.
	}
	return at
}

// midway6 reports whether position i is inside a word or a sequence of numbers and colons.
func midway6(text []byte, i int) bool {
	return i > 0 && (digit(text[i-1]) || letter(text[i-1]) || text[i-1] == ':' || text[i-1] == '.')
}

// length6 returns the length of the IPv6 address at the start of text, or 0 if there is none.
func length6(text []byte) int {
	end, colons, digits := 0, 0, 0
	for end < len(text) && (hex(text[end]) || text[end] == ':' || text[end] == '.') {
		switch {
		case text[end] == ':':
			colons++
		case text[end] != '.':
			digits++
		}
		end++
	}
	if colons < 2 || digits == 0 || end > 45+1 || end < len(text) && letter(text[end]) {
		return 0
	}
	// A full stop or a colon after an address belongs to the sentence.
	for _, n := range []int{end, end - 1} {
		if address, err := netip.ParseAddr(string(text[:n])); err == nil && address.Is6() {
			return n
		}
	}
	return 0
}
