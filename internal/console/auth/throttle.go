package auth

import (
	"hash/maphash"
	"math"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The brakes on guessing passwords. Whoever knows the password never feels
// them: an attempt that succeeds is not counted.
const (
	AccountBurst  = 10               // wrong passwords for one account in a row
	AccountRefill = 12 * time.Second // then one more each
	AddressBurst  = 30               // wrong passwords from one address in a row
	AddressRefill = 4 * time.Second
	// MaxBuckets bounds the memory an attacker with many names or addresses can
	// make us use.
	MaxBuckets = 4096
	// otherNames is how many buckets all names share that no account has.
	otherNames = 256
)

// throttle limits attempts to sign in, per account and per address. It is safe
// for concurrent use.
//
// The bucket of an account that exists is never given up, however many names
// and addresses are tried. All other names share a fixed number of buckets,
// which one by a secret hash, so that an unknown name is held as a known one is
// and costs no memory.
//
// An attacker could empty an account's bucket for ever and so lock its owner
// out. An address from which the account was signed in to before therefore has
// a bucket of its own, which only attempts from there empty.
type throttle struct {
	now func() time.Time
	// exists tells the names of accounts from others.
	exists func(name string) bool
	seed   maphash.Seed

	mu        sync.Mutex
	accounts  map[string]*rate.Limiter // of those that exist
	others    [otherNames]*rate.Limiter
	owners    *Buckets // an account at an address of known
	addresses *Buckets
	callbacks *Buckets             // addresses again, without a password
	known     map[string]time.Time // account and address -> last success
}

func newThrottle(now func() time.Time, exists func(name string) bool) *throttle {
	return &throttle{
		now: now, exists: exists, seed: maphash.MakeSeed(),
		accounts:  make(map[string]*rate.Limiter),
		owners:    NewBuckets(AccountRefill, AccountBurst, MaxBuckets),
		addresses: NewBuckets(AddressRefill, AddressBurst, MaxBuckets),
		callbacks: NewBuckets(AddressRefill, AddressBurst, MaxBuckets),
		known:     make(map[string]time.Time),
	}
}

// Attempt is one login in progress.
type Attempt struct {
	throttle     *throttle
	pair         string // account and address; empty without an account
	at           time.Time
	reservations []*rate.Reservation
}

// begin counts an attempt. If it is one too many, wait says how long to hold
// off and the attempt is nil.
func (t *throttle) begin(account, address string) (a *Attempt, wait time.Duration) {
	address = Network(address)
	pair := account + "\x00" + address

	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	limit := t.account(account)
	if _, ok := t.known[pair]; ok {
		limit = t.owners.Of(pair, now)
	}
	return t.reserve(pair, now, limit, t.addresses.Of(address, now))
}

// account is the bucket of a name.
func (t *throttle) account(name string) *rate.Limiter {
	if !t.exists(name) {
		at := &t.others[maphash.String(t.seed, name)%otherNames]
		if *at == nil {
			*at = rate.NewLimiter(rate.Every(AccountRefill), AccountBurst)
		}
		return *at
	}
	l, ok := t.accounts[name]
	if !ok {
		l = rate.NewLimiter(rate.Every(AccountRefill), AccountBurst)
		t.accounts[name] = l
	}
	return l
}

// beginFrom is begin for an attempt of which nobody knows yet whose it is: one
// without a password, which leaves those from its address alone.
func (t *throttle) beginFrom(address string) (a *Attempt, wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	return t.reserve("", now, t.callbacks.Of(Network(address), now))
}

// Network is what counts as one address: of IPv6 the 64 bits that a provider
// gives to one customer.
func Network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil || addr.Unmap().Is4() {
		return address
	}
	prefix, err := addr.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}

// reserve takes one of each, or nothing.
func (t *throttle) reserve(pair string, now time.Time, limits ...*rate.Limiter) (a *Attempt, wait time.Duration) {
	a = &Attempt{throttle: t, pair: pair, at: now}
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

// Succeed releases what the attempt took.
func (a *Attempt) Succeed() {
	t := a.throttle
	t.mu.Lock()
	defer t.mu.Unlock()
	a.undo()
	if a.pair == "" {
		return
	}
	if len(t.known) >= t.owners.most {
		evictOldest(t.known)
	}
	t.known[a.pair] = a.at
}

// cancel releases what an attempt took that was not judged.
func (a *Attempt) cancel() {
	a.throttle.mu.Lock()
	defer a.throttle.mu.Unlock()
	a.undo()
}

func (a *Attempt) undo() {
	for _, r := range a.reservations {
		r.CancelAt(a.at)
	}
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

// RetryAfter is the value of the Retry-After header: whole seconds, rounded up.
func RetryAfter(wait time.Duration) int {
	return max(1, int(math.Ceil(wait.Seconds())))
}
