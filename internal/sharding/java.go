package sharding

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JavaHash returns the result of Java's String.hashCode: a wrapping 32-bit polynomial over UTF-16
// code units. Invalid UTF-8 bytes count as U+FFFD, as Java decodes them.
func JavaHash(s string) int32 {
	var h int32
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + int32(unit)
	}
	return h
}

// SortInstances sorts instance ids in place into the order that every strategy expects: descending
// by UTF-16 code unit, as ElasticJob lists instances. Ids are compared as text, so "10.0.0.1@-@100"
// comes before "10.0.0.10@-@7", and the highest id is served first.
func SortInstances(ids []string) {
	slices.SortFunc(ids, func(a, b string) int { return compareUTF16(b, a) })
}

// compareUTF16 compares like Java's String.compareTo. It differs from a comparison of bytes only
// between a supplementary character and U+E000..U+FFFF: in UTF-16 the surrogate pair is smaller.
func compareUTF16(a, b string) int {
	restA, restB := a, b
	for len(restA) > 0 && len(restB) > 0 {
		ra, sizeA := utf8.DecodeRuneInString(restA)
		rb, sizeB := utf8.DecodeRuneInString(restB)
		if ra != rb {
			if utf16.RuneLen(ra) != utf16.RuneLen(rb) {
				ra, rb = firstUnit(ra), firstUnit(rb)
			}
			return int(ra - rb)
		}
		restA, restB = restA[sizeA:], restB[sizeB:]
	}
	if len(restA) != len(restB) {
		return len(restA) - len(restB)
	}
	// Only texts with different invalid bytes are left. To Java they're equal, so we may pick any fixed order.
	return strings.Compare(a, b)
}

func firstUnit(r rune) rune {
	if utf16.RuneLen(r) > 1 {
		r, _ = utf16.EncodeRune(r)
	}
	return r
}
