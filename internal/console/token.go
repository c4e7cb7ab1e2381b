package console

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// tokenIssuer is the issuer of every token; another program's token that was
// signed with the same key is refused.
const tokenIssuer = "elasticjob-console"

// minKey is the least number of bytes of a signing key: the size of HS256's
// digest.
const minKey = 32

// audience says where a token may be shown. A token of the API is no cookie
// and a cookie is no bearer, so that neither can be carried over.
type audience string

const (
	forPages audience = "pages"
	forAPI   audience = "api"
)

// denial says why a token was refused. The value is the error code of the API
// and the reason in the login page's address.
type denial string

const (
	tokenMissing denial = "token_missing"
	tokenExpired denial = "token_expired"
	tokenInvalid denial = "token_invalid"
	tokenRevoked denial = "token_revoked"
)

// message is the sentence for people.
func (d denial) message() string {
	switch d {
	case tokenMissing:
		return "You are not signed in."
	case tokenExpired:
		return "Your session has expired."
	case tokenRevoked:
		return "You have signed out, or your password was changed."
	default:
		return "The session is not valid."
	}
}

// identity is who a verified token speaks for.
type identity struct {
	Name    string
	Role    Role
	tokenID string
	expires time.Time
	since   time.Time // when the password was given
}

// claims are the content of a token. There is nothing secret in it.
type claims struct {
	jwt.RegisteredClaims
	Role Role   `json:"role"`
	Mark string `json:"mark"`
	// Since is when the password was given; a renewed token keeps it.
	Since *jwt.NumericDate `json:"auth_time,omitempty"`
}

// How many sessions an account may begin or renew. Each that ends before its
// time is a row in the console's own database until then, so this bounds the
// rows of an account: with sessions of 8 hours some 6,000.
const (
	sessionBurst  = 300
	sessionRefill = 5 * time.Second
)

// tokens issues, verifies and revokes. It is safe for concurrent use.
//
// Revocations are kept in memory until the token would have expired anyway;
// what outlives the process is [Settings]' business.
type tokens struct {
	key      []byte
	lifetime time.Duration
	now      func() time.Time
	// account finds who a token names.
	account func(name string, role Role) (account, bool)

	mu      sync.Mutex
	begun   *buckets             // sessions by account
	revoked map[string]time.Time // token id, or what else can be used once -> its expiry
	swept   time.Time
}

func newTokens(key []byte, lifetime time.Duration, now func() time.Time, account func(string, Role) (account, bool)) (*tokens, error) {
	if key == nil {
		key = make([]byte, minKey)
		rand.Read(key) // never fails: the program would have ended
	}
	if len(key) < minKey {
		return nil, fmt.Errorf("console: signing key has %d bytes, at least %d are needed", len(key), minKey)
	}
	return &tokens{key: key, lifetime: lifetime, now: now, account: account, begun: newBuckets(sessionRefill, sessionBurst, maxBuckets), revoked: make(map[string]time.Time)}, nil
}

// ReadKey reads a signing key from a file, so that sessions survive a restart
// and several consoles can share them. The file holds at least 32 random bytes,
// for example from `head -c 48 /dev/urandom`, and must not be readable by
// others.
func ReadKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("console: signing key: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("console: signing key: %s can be read by others (mode %o); run chmod 600 on it", path, info.Mode().Perm())
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("console: signing key: %w", err)
	}
	if len(key) < minKey {
		return nil, fmt.Errorf("console: signing key: %s has %d bytes, at least %d are needed", path, len(key), minKey)
	}
	if settings.Guessable(key) {
		return nil, fmt.Errorf("console: signing key: %s holds a placeholder, not random bytes", path)
	}
	return key, nil
}

// admit says how long an account has to wait before its next session; 0 counts
// one.
func (t *tokens) admit(acc account) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	r := t.begun.of(acc.name, now).ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// issue makes a token for an account.
func (t *tokens) issue(acc account, aud audience) (token string, expires time.Time, err error) {
	return t.issueSince(acc, aud, t.now())
}

// maxSession is how long a session can be drawn out by renewing its token
// before the password has to be given again.
const maxSession = 7 * 24 * time.Hour

// renew makes a fresh token for a verified one, which the caller revokes.
func (t *tokens) renew(id identity, aud audience) (token string, expires time.Time, why denial) {
	acc, ok := t.account(id.Name, id.Role)
	switch {
	case strings.HasPrefix(id.Name, oidcPrefix):
		// The provider may know by now that this person is to be let in no more.
		return "", time.Time{}, tokenExpired
	case !ok:
		return "", time.Time{}, tokenRevoked
	case t.now().Sub(id.since) >= maxSession:
		return "", time.Time{}, tokenExpired
	}
	token, expires, err := t.issueSince(acc, aud, id.since)
	if err != nil {
		return "", time.Time{}, tokenInvalid
	}
	return token, expires, ""
}

func (t *tokens) issueSince(acc account, aud audience, since time.Time) (token string, expires time.Time, err error) {
	now := t.now()
	expires = now.Add(t.lifetime)
	c := claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    tokenIssuer,
			Audience:  jwt.ClaimStrings{string(aud)},
			Subject:   acc.name,
			ID:        rand.Text(),
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(expires),
		},
		Role: acc.role,
		Mark: acc.mark(t.key), Since: jwt.NewNumericDate(since),
	}
	token, err = jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(t.key)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("console: sign token: %w", err)
	}
	return token, expires, nil
}

// verify returns who the token speaks for, or why it speaks for nobody.
func (t *tokens) verify(raw string, aud audience) (identity, denial) {
	if raw == "" {
		return identity{}, tokenMissing
	}
	var c claims
	_, err := jwt.ParseWithClaims(raw, &c,
		func(*jwt.Token) (any, error) { return t.key, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer(tokenIssuer),
		jwt.WithAudience(string(aud)),
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithTimeFunc(t.now),
	)
	switch {
	case err == nil:
	case errors.Is(err, jwt.ErrTokenExpired):
		return identity{}, tokenExpired
	default:
		return identity{}, tokenInvalid
	}
	acc, ok := t.account(c.Subject, c.Role)
	if !ok || c.ID == "" || acc.mark(t.key) != c.Mark || t.isRevoked(c.ID) {
		return identity{}, tokenRevoked
	}
	who := identity{Name: acc.name, Role: acc.role, tokenID: c.ID, expires: c.ExpiresAt.Time}
	if c.Since != nil { // tokens of earlier releases cannot be drawn out
		who.since = c.Since.Time
	}
	return who, ""
}

func (t *tokens) isRevoked(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.revoked[id]
	return ok
}

// revoke makes a token unusable.
func (t *tokens) revoke(id identity) { t.spend(id.tokenID, id.expires) }

// spend makes something that can be used once unusable until it expires. It
// reports whether it was usable.
func (t *tokens) spend(id string, expires time.Time) bool {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	_, spent := t.revoked[id]
	t.revoked[id] = expires
	if now.Sub(t.swept) < time.Minute {
		return !spent
	}
	t.swept = now
	for other, expires := range t.revoked {
		if expires.Before(now) {
			delete(t.revoked, other)
		}
	}
	return !spent
}
