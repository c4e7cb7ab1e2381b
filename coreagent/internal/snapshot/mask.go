package snapshot

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
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

var (
	word    = regexp.MustCompile(`[0-9A-Za-z_:.]+`)
	numbers = regexp.MustCompile(`\d+(\.\d+)*`)
)

// mask replaces the IP addresses in text. An IPv6 address must be a whole word, and an IPv4 address
// a whole dotted sequence of numbers: 10.0.0.10 doesn't contain 10.0.0.1, 256.1.1.1 contains none,
// and five numbers are a version.
func (a addresses) mask(text []byte) []byte {
	return word.ReplaceAllFunc(text, func(w []byte) []byte {
		// A full stop or a colon after an address belongs to the sentence.
		for _, n := range []int{len(w), len(w) - 1} {
			if six := string(w[:n]); isIPv6(six) && strings.Trim(string(w[n:]), ".:") == "" {
				return []byte(a.name(six) + string(w[n:]))
			}
		}
		return numbers.ReplaceAllFunc(w, func(four []byte) []byte {
			if isIPv4(string(four)) {
				return []byte(a.name(string(four)))
			}
			return four
		})
	})
}

// isIPv6 leaves out "::", which is punctuation more often than an address.
func isIPv6(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is6() && text != "::"
}

// isIPv4 accepts leading zeros, other than package netip.
func isIPv4(text string) bool {
	parts := strings.Split(text, ".")
	return len(parts) == 4 && !slices.ContainsFunc(parts, func(part string) bool {
		_, err := strconv.ParseUint(part, 10, 8)
		return err != nil || len(part) > 3
	})
}
