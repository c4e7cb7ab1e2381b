package runparams

import (
	"math/big"
	"strconv"
	"strings"
)

// Bounds of number literals that are compared: beyond them, exact arithmetic has no bound.
const (
	maxLiteral  = 100
	maxExponent = 400
)

// A whole number without bounds of its own is one of 64 bits with a sign, Go's.
const (
	leastWhole = "-9223372036854775808"
	mostWhole  = "9223372036854775807"
)

// exact is the value of a number literal.
func exact(literal string) (*big.Rat, bool) {
	if len(literal) > maxLiteral {
		return nil, false
	}
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		if e, err := strconv.Atoi(literal[i+1:]); err != nil || e < -maxExponent || e > maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(literal)
}

// whole reports whether a literal is a whole number that every language reads as one.
func whole(literal string) bool { return !strings.ContainsAny(literal, ".eE") && literal != "-0" }

// less reports whether one literal that exact takes is less than another.
func less(a, b string) bool {
	x, ok := exact(a)
	y, fine := exact(b)
	return ok && fine && x.Cmp(y) < 0
}

// finite reports whether a literal is a number of 64 bits.
func finite(literal string) bool {
	_, err := strconv.ParseFloat(literal, 64)
	return err == nil
}
