package runparams

import (
	"math/big"
	"strconv"
	"strings"
)

// Limits of number literals to compare, because exact arithmetic has no limit of its own.
const (
	maxLiteral  = 100
	maxExponent = 400
)

// The limits of a whole number without its own: 64 bits with a sign, as in Go.
const (
	leastWhole = "-9223372036854775808"
	mostWhole  = "9223372036854775807"
)

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

// whole reports whether every language reads a literal as a whole number.
func whole(literal string) bool { return !strings.ContainsAny(literal, ".eE") && literal != "-0" }

// less compares two literals that exact accepts.
func less(a, b string) bool {
	x, ok := exact(a)
	y, fine := exact(b)
	return ok && fine && x.Cmp(y) < 0
}

// finite reports whether a literal fits a 64-bit float.
func finite(literal string) bool {
	_, err := strconv.ParseFloat(literal, 64)
	return err == nil
}
