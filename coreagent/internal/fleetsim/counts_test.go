package fleetsim_test

import "sync"

type faultCounts struct {
	mu   sync.Mutex
	kind map[faultKind]int
}

func newFaultCounts() *faultCounts { return &faultCounts{kind: make(map[faultKind]int)} }

func (c *faultCounts) add(kind faultKind) { c.addN(kind, 1) }

func (c *faultCounts) addN(kind faultKind, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kind[kind] += n
}

// merge adds the counts of another faultCounts that no longer changes.
func (c *faultCounts) merge(other *faultCounts) {
	for kind, n := range other.kind {
		c.addN(kind, n)
	}
}

// gateSet is a set of names that is safe for concurrent use.
type gateSet struct {
	mu    sync.Mutex
	names map[string]bool
	count uint64
}

func (s *gateSet) set(name string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = on
}

func (s *gateSet) has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[name]
}

// next returns a number for a name without one.
func (s *gateSet) next() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	return s.count
}
