package statistics

import "time"

// SetClock makes Explain take now for the present time.
func (r *Reader) SetClock(now func() time.Time) { r.now = now }
