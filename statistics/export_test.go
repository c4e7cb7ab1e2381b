package statistics

import "time"

// SetClock makes Explain take now for the present time.
func (r *Reader) SetClock(now func() time.Time) { r.now = now }

// SetLimit sets how many nodes a watching Reader keeps.
func (r *Reader) SetLimit(n int) {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	r.cache.limit = n
	r.cache.forget()
}

// Cached is how many it keeps.
func (r *Reader) Cached() int {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	return r.cache.nodes.count
}

// Filled reports whether a watching Reader has read everything in the background.
func (r *Reader) Filled() bool { return r.cache.filled() }

// Against are the findings against each rule that is checked.
var Against = against
