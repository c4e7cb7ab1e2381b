package statistics

import "time"

// SetClock makes Explain take now for the present time.
func (r *Reader) SetClock(now func() time.Time) { r.now = now }

// SetLimit sets how many nodes a watching Reader keeps.
func (r *Reader) SetLimit(n int) {
	r.kept.mu.Lock()
	defer r.kept.mu.Unlock()
	r.kept.limit = n
	r.kept.forget()
}

// Kept is how many it keeps.
func (r *Reader) Kept() int {
	r.kept.mu.Lock()
	defer r.kept.mu.Unlock()
	return len(r.kept.nodes)
}
