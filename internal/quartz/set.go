package quartz

import "math/bits"

// set holds small numbers in order: the values of every field except the year, and the two markers.
type set [2]uint64

const setLimit = 127

// add inserts a value. Larger values only come from invalid text such as "500#2" and must stay
// invalid, so they become the largest value.
func (s *set) add(value int) {
	value = min(value, setLimit)
	s[value>>6] |= 1 << (value & 63)
}

func (s *set) has(value int) bool {
	return s[value>>6]&(1<<(value&63)) != 0
}

func (s *set) empty() bool {
	return s[0]|s[1] == 0
}

// from returns the smallest value that is at least value.
func (s *set) from(value int) (int, bool) {
	if value < 64 {
		if rest := s[0] >> value; rest != 0 {
			return value + bits.TrailingZeros64(rest), true
		}
		value = 64
	}
	if rest := s[1] >> (value - 64); rest != 0 {
		return value + bits.TrailingZeros64(rest), true
	}
	return 0, false
}

// first returns the smallest value of a non-empty set.
func (s *set) first() int {
	value, _ := s.from(0)
	return value
}

// last returns the largest value of a non-empty set.
func (s *set) last() int {
	if s[1] != 0 {
		return 127 - bits.LeadingZeros64(s[1])
	}
	return 63 - bits.LeadingZeros64(s[0])
}

// yearRange is the years first, first+step, ... up to last.
type yearRange struct {
	first, last, step int
}

// yearSet is an unordered union of ranges. Years don't fit a set, because the dialect doesn't bound
// them.
type yearSet []yearRange

// from returns the smallest year that is at least year.
func (s yearSet) from(year int) (int, bool) {
	best, found := 0, false
	for _, r := range s {
		candidate := r.first
		if year > candidate {
			candidate += (year - candidate + r.step - 1) / r.step * r.step
		}
		if candidate <= r.last && (!found || candidate < best) {
			best, found = candidate, true
		}
	}
	return best, found
}
