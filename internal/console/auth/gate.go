package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
)

// Config says what a gate is made of.
type Config struct {
	// Accounts are who may sign in with a password. Required.
	Accounts *Accounts
	// OIDC is the sign-in by OpenID Connect besides; nil for none.
	OIDC *OIDC
	// Key signs tokens, at least 32 bytes; nil for a random one. See [ReadKey].
	Key []byte
	// Lifetime is how long a token is good.
	Lifetime time.Duration
	// Clock is the time.
	Clock func() time.Time
}

// Gate decides who a caller is: it compares passwords, and issues and verifies
// tokens. It is safe for concurrent use.
type Gate struct {
	*Tokens

	accounts atomic.Pointer[Accounts]
	oidc     *OIDC
	throttle *throttle
	judging  chan struct{} // one for each password that is being compared
}

// New makes a gate. It fails if the key is too short.
func New(c Config) (*Gate, error) {
	g := &Gate{oidc: c.OIDC, judging: make(chan struct{}, judges)}
	g.accounts.Store(c.Accounts)
	g.throttle = newThrottle(c.Clock, func(name string) bool { return g.accounts.Load().has(name) })
	var err error
	g.Tokens, err = newTokens(c.Key, c.Lifetime, c.Clock, g.Account)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// SetAccounts replaces the accounts. Sessions of accounts that were removed or have
// a new password end.
func (g *Gate) SetAccounts(a *Accounts) { g.accounts.Store(a) }

// Account finds who a token names: an account of auth.properties, or somebody
// from the provider.
func (g *Gate) Account(name string, role Role) (Account, bool) {
	if strings.HasPrefix(name, ProviderPrefix) {
		if g.oidc == nil {
			return Account{}, false
		}
		return g.oidc.Account(name, role)
	}
	return g.accounts.Load().find(name, role)
}

// Verdict is what came of an attempt to sign in with a password.
type Verdict int

// The verdicts.
const (
	// Wrong: no such account, or another password.
	Wrong Verdict = iota
	// Right: the account is who signs in.
	Right
	// Throttled: too many wrong passwords came before; nothing was compared.
	Throttled
	// Busy: the turn to compare did not come in time; nothing was counted.
	Busy
)

// Check is the one place where passwords are tried. An unknown account and a
// wrong password are the same verdict. After Throttled and Busy, wait says how
// long to hold off. ctx bounds the wait for the turn to compare.
func (g *Gate) Check(ctx context.Context, name, password, address string) (acc Account, v Verdict, wait time.Duration) {
	attempt, wait := g.throttle.begin(name, address)
	if wait > 0 {
		return Account{}, Throttled, wait
	}
	var ok bool
	if !g.Judge(ctx, func() { acc, ok = g.accounts.Load().authenticate(name, password) }) {
		attempt.cancel()
		return Account{}, Busy, time.Second
	}
	if !ok {
		return Account{}, Wrong, 0
	}
	attempt.Succeed()
	return acc, Right, 0
}

// BeginFrom counts an attempt of which nobody knows yet whose it is: one without
// a password. If it is one too many, wait says how long to hold off and the
// attempt is nil.
func (g *Gate) BeginFrom(address string) (a *Attempt, wait time.Duration) {
	return g.throttle.beginFrom(address)
}

// Judges is how many passwords are compared at once. A comparison of bcrypt
// takes a processor for as long as it lasts; others are left for the pages.
func Judges() int { return judges }

var judges = max(1, runtime.GOMAXPROCS(0)/2)

// Judge compares a password when its turn comes, and reports whether it came
// before ctx ended.
func (g *Gate) Judge(ctx context.Context, compare func()) bool {
	select {
	case g.judging <- struct{}{}:
		defer func() { <-g.judging }()
		compare()
		return true
	case <-ctx.Done():
		return false
	}
}

// Sign is the mark of a text under the key. Texts with different purposes have
// different marks.
func (g *Gate) Sign(purpose string, text []byte) []byte {
	mac := hmac.New(sha256.New, g.key)
	mac.Write([]byte(purpose))
	mac.Write(text)
	return mac.Sum(nil)
}
