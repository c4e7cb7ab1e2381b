package auth

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

// MinKey is the least number of bytes of a signing key: the size of HS256's
// digest.
const MinKey = 32

// Audience says where a token may be shown. A token of the API is no cookie
// and a cookie is no bearer, so that neither can be carried over.
type Audience string

const (
	ForPages Audience = "pages"
	ForAPI   Audience = "api"
)

// Denial says why a token was refused. The value is the error code of the API
// and the reason in the login page's address.
type Denial string

const (
	TokenMissing Denial = "token_missing"
	TokenExpired Denial = "token_expired"
	TokenInvalid Denial = "token_invalid"
	TokenRevoked Denial = "token_revoked"
)

// Why a token for programs was refused. Programs see the codes of the other tokens,
// and sentences of their own.
const (
	ProgramExpired Denial = "program token_expired"
	ProgramRevoked Denial = "program token_revoked"
	// ProgramOrphan: the account that made the token can't sign in any more.
	ProgramOrphan  Denial = "orphan token_revoked"
	ProgramUnknown Denial = "program token_invalid"
)

// Code is the error code of the API.
func (d Denial) Code() string {
	if _, code, ok := strings.Cut(string(d), " "); ok {
		return code
	}
	return string(d)
}

// Message is the sentence for people.
func (d Denial) Message() string {
	switch d {
	case TokenMissing:
		return "You are not signed in."
	case TokenExpired:
		return "Your session has expired."
	case TokenRevoked:
		return "You have signed out, or your password was changed."
	case ProgramExpired:
		return "This token for programs has expired."
	case ProgramRevoked:
		return "This token for programs was revoked."
	case ProgramOrphan:
		return "The account that made this token for programs does not exist any more."
	case ProgramUnknown:
		return "There is no such token for programs."
	default:
		return "The session is not valid."
	}
}

// Identity is who a verified token speaks for.
type Identity struct {
	Name    string
	Role    Role
	TokenID string
	Expires time.Time
	Since   time.Time // when the password was given
	// Program is set if the token is a program's.
	Program Program
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
	SessionBurst  = 300
	SessionRefill = 5 * time.Second
)

// Tokens issues, verifies and revokes. It is safe for concurrent use.
//
// Revocations are kept in memory until the token would have expired anyway;
// what outlives the process is the console's business.
type Tokens struct {
	key      []byte
	lifetime time.Duration
	now      func() time.Time
	// account finds who a token names.
	account func(name string, role Role) (Account, bool)

	mu      sync.Mutex
	begun   *Buckets             // sessions by account
	revoked map[string]time.Time // token id, or what else can be used once -> its expiry
	swept   time.Time
}

func newTokens(key []byte, lifetime time.Duration, now func() time.Time, account func(string, Role) (Account, bool)) (*Tokens, error) {
	if key == nil {
		key = make([]byte, MinKey)
		rand.Read(key) // never fails: the program would have ended
	}
	if len(key) < MinKey {
		return nil, fmt.Errorf("console: signing key has %d bytes, at least %d are needed", len(key), MinKey)
	}
	return &Tokens{key: key, lifetime: lifetime, now: now, account: account, begun: NewBuckets(SessionRefill, SessionBurst, MaxBuckets), revoked: make(map[string]time.Time)}, nil
}

// ReadKey reads a signing key from a file, so that sessions survive a restart
// and several consoles can share them. The file holds at least 32 random bytes,
// for example from `head -c 48 /dev/urandom`, and must not be readable by
// others. Its group may read it: Kubernetes gives a pod its secrets that way.
func ReadKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("console: signing key: %w", err)
	}
	if info.Mode().Perm()&0o037 != 0 {
		return nil, fmt.Errorf("console: signing key: %s can be read by others or written by its group (mode %o); run chmod 600 on it, or mount the secret with mode 0440", path, info.Mode().Perm())
	}
	key, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("console: signing key: %w", err)
	}
	if len(key) < MinKey {
		return nil, fmt.Errorf("console: signing key: %s has %d bytes, at least %d are needed", path, len(key), MinKey)
	}
	if settings.Guessable(key) {
		return nil, fmt.Errorf("console: signing key: %s holds a placeholder, not random bytes", path)
	}
	return key, nil
}

// Admit says how long an account has to wait before its next session; 0 counts
// one.
func (t *Tokens) Admit(name string) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	r := t.begun.Of(name, now).ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// Issue makes a token for an account.
func (t *Tokens) Issue(acc Account, aud Audience) (token string, expires time.Time, err error) {
	return t.issueSince(acc, aud, t.now())
}

// MaxSession is how long a session can be drawn out by renewing its token
// before the password has to be given again.
const MaxSession = 7 * 24 * time.Hour

// Renew makes a fresh token for a verified one, which the caller revokes.
func (t *Tokens) Renew(id Identity, aud Audience) (token string, expires time.Time, why Denial) {
	acc, ok := t.account(id.Name, id.Role)
	switch {
	case strings.HasPrefix(id.Name, ProviderPrefix):
		// The provider may know by now that this person is to be let in no more.
		return "", time.Time{}, TokenExpired
	case !ok:
		return "", time.Time{}, TokenRevoked
	case t.now().Sub(id.Since) >= MaxSession:
		return "", time.Time{}, TokenExpired
	}
	token, expires, err := t.issueSince(acc, aud, id.Since)
	if err != nil {
		return "", time.Time{}, TokenInvalid
	}
	return token, expires, ""
}

func (t *Tokens) issueSince(acc Account, aud Audience, since time.Time) (token string, expires time.Time, err error) {
	now := t.now()
	expires = now.Add(t.lifetime)
	c := claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    tokenIssuer,
			Audience:  jwt.ClaimStrings{string(aud)},
			Subject:   acc.Name,
			ID:        rand.Text(),
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(expires),
		},
		Role: acc.Role,
		Mark: acc.mark(t.key), Since: jwt.NewNumericDate(since),
	}
	token, err = jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(t.key)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("console: sign token: %w", err)
	}
	return token, expires, nil
}

// Verify returns who the token speaks for, or why it speaks for nobody.
func (t *Tokens) Verify(raw string, aud Audience) (Identity, Denial) {
	if raw == "" {
		return Identity{}, TokenMissing
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
		return Identity{}, TokenExpired
	default:
		return Identity{}, TokenInvalid
	}
	acc, ok := t.account(c.Subject, c.Role)
	if !ok || c.ID == "" || acc.mark(t.key) != c.Mark || t.isRevoked(c.ID) {
		return Identity{}, TokenRevoked
	}
	who := Identity{Name: acc.Name, Role: acc.Role, TokenID: c.ID, Expires: c.ExpiresAt.Time}
	if c.Since != nil { // tokens of earlier releases cannot be drawn out
		who.Since = c.Since.Time
	}
	return who, ""
}

func (t *Tokens) isRevoked(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.revoked[id]
	return ok
}

// Revoke makes a token unusable.
func (t *Tokens) Revoke(id Identity) { t.Spend(id.TokenID, id.Expires) }

// Spend makes something that can be used once unusable until it expires. It
// reports whether it was usable.
func (t *Tokens) Spend(id string, expires time.Time) bool {
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
