package console

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The brakes on guessing passwords. Whoever knows the password never feels
// them: an attempt that succeeds is not counted.
const (
	accountBurst  = 10               // wrong passwords for one account in a row
	accountRefill = 12 * time.Second // then one more each
	addressBurst  = 30               // wrong passwords from one address in a row
	addressRefill = 4 * time.Second
	// maxBuckets bounds the memory an attacker with many names or addresses can
	// make us use.
	maxBuckets = 4096
)

// throttle limits attempts to sign in, per account and per address. It is safe
// for concurrent use.
//
// An attacker could empty an account's bucket for ever and so lock its owner
// out. An address from which the account was signed in to before therefore has
// a bucket of its own, which only attempts from there empty.
type throttle struct {
	now  func() time.Time
	most int // buckets of a kind; maxBuckets but in tests

	mu        sync.Mutex
	accounts  map[string]*rate.Limiter
	addresses map[string]*rate.Limiter
	known     map[string]time.Time // account and address -> last success
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{
		now:       now,
		most:      maxBuckets,
		accounts:  make(map[string]*rate.Limiter),
		addresses: make(map[string]*rate.Limiter),
		known:     make(map[string]time.Time),
	}
}

// attempt is one login in progress.
type attempt struct {
	throttle     *throttle
	pair         string // account and address; empty without an account
	at           time.Time
	reservations []*rate.Reservation
}

// begin counts an attempt. If it is one too many, wait says how long to hold
// off and the attempt is nil.
func (t *throttle) begin(account, address string) (a *attempt, wait time.Duration) {
	if len(account) > 64 {
		account = account[:64] // no such account; one bucket for all of that prefix
	}
	pair := account + "\x00" + address

	t.mu.Lock()
	defer t.mu.Unlock()
	accountKey := account
	if _, ok := t.known[pair]; ok {
		accountKey = pair
	}
	now := t.now()
	return t.reserve(pair, now,
		t.bucket(t.accounts, accountKey, accountRefill, accountBurst, now),
		t.bucket(t.addresses, address, addressRefill, addressBurst, now))
}

// beginFrom is begin for an attempt of which nobody knows yet whose it is: one
// without a password, which leaves those from its address alone.
func (t *throttle) beginFrom(address string) (a *attempt, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	return t.reserve("", now, t.bucket(t.addresses, "oidc "+address, addressRefill, addressBurst, now))
}

// reserve takes one of each, or nothing.
func (t *throttle) reserve(pair string, now time.Time, limits ...*rate.Limiter) (a *attempt, wait time.Duration) {
	a = &attempt{throttle: t, pair: pair, at: now}
	for _, l := range limits {
		r := l.ReserveN(now, 1)
		wait = max(wait, r.DelayFrom(now))
		a.reservations = append(a.reservations, r)
	}
	if wait > 0 {
		a.undo()
		return nil, wait
	}
	return a, 0
}

// succeed gives back what the attempt took.
func (a *attempt) succeed() {
	t := a.throttle
	t.mu.Lock()
	defer t.mu.Unlock()
	a.undo()
	if a.pair == "" {
		return
	}
	if len(t.known) >= t.most {
		evictOldest(t.known)
	}
	t.known[a.pair] = a.at
}

func (a *attempt) undo() {
	for _, r := range a.reservations {
		r.CancelAt(a.at)
	}
}

// bucket returns the limiter of a key, made full on first use. When there are
// too many, the full ones go: they remember nothing.
func (t *throttle) bucket(m map[string]*rate.Limiter, key string, refill time.Duration, burst int, now time.Time) *rate.Limiter {
	if l, ok := m[key]; ok {
		return l
	}
	if len(m) >= t.most {
		for k, l := range m {
			if l.TokensAt(now) >= float64(burst) {
				delete(m, k)
			}
		}
	}
	if len(m) >= t.most {
		for k := range m { // any: the attack is wider than the memory
			delete(m, k)
			break
		}
	}
	l := rate.NewLimiter(rate.Every(refill), burst)
	m[key] = l
	return l
}

func evictOldest(m map[string]time.Time) {
	var oldest string
	var at time.Time
	for k, v := range m {
		if oldest == "" || v.Before(at) {
			oldest, at = k, v
		}
	}
	delete(m, oldest)
}

// retryAfter is the value of the Retry-After header: whole seconds, rounded up.
func retryAfter(wait time.Duration) int {
	return max(1, int(math.Ceil(wait.Seconds())))
}
