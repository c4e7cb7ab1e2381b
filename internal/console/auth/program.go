package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// ProgramPrefix begins the tokens of programs, so that people and secret scanners
// recognize them. The signed token of a login doesn't have it.
const ProgramPrefix = "ejt_"

// Scope is the right of a token for programs. Each scope includes the ones before it.
type Scope string

const (
	ScopeRead      Scope = "read"
	ScopeOperate   Scope = "operate"
	ScopeConfigure Scope = "configure"
)

// Scopes are all of them, the smallest first.
var Scopes = []Scope{ScopeRead, ScopeOperate, ScopeConfigure}

// Role is the role that may do as much as the scope, or "" for an unknown scope.
func (s Scope) Role() Role {
	return map[Scope]Role{ScopeRead: RoleGuest, ScopeOperate: RoleOperator, ScopeConfigure: RoleRoot}[s]
}

// Scope is the largest scope of the tokens that an account of this role may make.
func (r Role) Scope() Scope {
	return map[Role]Scope{RoleGuest: ScopeRead, RoleOperator: ScopeOperate, RoleRoot: ScopeConfigure}[r]
}

// Program is the part of an [Identity] that only a token for programs has. The zero
// value is a person.
type Program struct {
	// Token is the token's name.
	Token string
	Scope Scope
	// Jobs is the pattern of the jobs that the token is for.
	Jobs string
}

// NewProgramToken returns a token to be shown once, its id, and the hash to be stored.
func NewProgramToken() (token, id, hash string) {
	id = strings.ToLower(rand.Text()[:16])
	var secret [32]byte
	rand.Read(secret[:])
	text := base64.RawURLEncoding.EncodeToString(secret[:])
	return ProgramPrefix + id + "_" + text, id, hashOf(text)
}

// hashOf is the stored form of a secret. A plain SHA-256 is enough, because the secret
// is random and can't be guessed.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// ProgramTokenID returns the id in a token for programs.
func ProgramTokenID(raw string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(raw, ProgramPrefix)
	if !ok {
		return "", false
	}
	id, _, ok = strings.Cut(rest, "_")
	return id, ok && len(id) == 16
}

// VerifyProgram returns who a token for programs speaks for, or why it is refused.
// stored is the token with its id. The identity can do what both the token's scope
// and its account's present role allow.
func (g *Gate) VerifyProgram(raw string, stored settings.ProgramToken) (Identity, Denial) {
	_, secret, _ := strings.Cut(strings.TrimPrefix(raw, ProgramPrefix), "_")
	if subtle.ConstantTimeCompare([]byte(hashOf(secret)), []byte(stored.Hash)) != 1 {
		return Identity{}, ProgramUnknown
	}
	if !stored.RevokedAt.IsZero() {
		return Identity{}, ProgramRevoked
	}
	if !g.now().Before(stored.Expires) {
		return Identity{}, ProgramExpired
	}
	owner, ok := g.owner(stored.Owner, Role(stored.OwnerRole))
	if !ok {
		return Identity{}, ProgramOrphan
	}
	scope := Scope(stored.Scope)
	role := scope.Role()
	if !owner.Role.Includes(role) {
		role = owner.Role
	}
	return Identity{
		Name: owner.Name, Role: role, TokenID: stored.ID, Expires: stored.Expires, Since: stored.Created,
		Program: Program{Token: stored.Name, Scope: scope, Jobs: stored.Jobs},
	}, ""
}

// owner returns the account that made a token, with its present role. The roles of
// people from the provider are known at their sign-in only, so theirs is the role they
// had then, while its group is still configured.
func (g *Gate) owner(name string, role Role) (Account, bool) {
	if strings.HasPrefix(name, ProviderPrefix) {
		return g.Account(name, role)
	}
	return g.accounts.Load().named(name)
}

// Bounds of the lifetime of a token for programs.
const (
	ProgramLifetime    = 90 * 24 * time.Hour
	MaxProgramLifetime = 366 * 24 * time.Hour
)

// AllJobs is the pattern of every job.
const AllJobs = "*"

// MatchJobs reports whether a pattern covers a job: * matches any text, and
// every other character itself.
func MatchJobs(pattern, job string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == job
	}
	rest, ok := strings.CutPrefix(job, parts[0])
	if !ok {
		return false
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, last)
}
