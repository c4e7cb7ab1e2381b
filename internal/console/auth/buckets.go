package auth

import (
	"time"

	"golang.org/x/time/rate"
)

// Buckets are limits by key, of which only so many are remembered. They are not
// safe for concurrent use.
type Buckets struct {
	refill time.Duration // one more each
	burst  int
	most   int
	byKey  map[string]*rate.Limiter
}

// NewBuckets returns limits of burst, which get one more each refill; the limits
// of at most most keys are remembered.
func NewBuckets(refill time.Duration, burst, most int) *Buckets {
	return &Buckets{refill: refill, burst: burst, most: most, byKey: make(map[string]*rate.Limiter)}
}

// Of returns the limit of a key, made full on first use. When there are too
// many, the full ones go: they remember nothing.
func (b *Buckets) Of(key string, now time.Time) *rate.Limiter {
	if l, ok := b.byKey[key]; ok {
		return l
	}
	if len(b.byKey) >= b.most {
		for k, l := range b.byKey {
			if l.TokensAt(now) >= float64(b.burst) {
				delete(b.byKey, k)
			}
		}
	}
	if len(b.byKey) >= b.most {
		for k := range b.byKey { // any: the attack is wider than the memory
			delete(b.byKey, k)
			break
		}
	}
	l := b.fresh()
	b.byKey[key] = l
	return l
}

func (b *Buckets) fresh() *rate.Limiter { return rate.NewLimiter(rate.Every(b.refill), b.burst) }
