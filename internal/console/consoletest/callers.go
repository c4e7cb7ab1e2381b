package consoletest

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
)

// EveryCaller are all of them.
var EveryCaller = []string{AsNobody, AsGuest, AsOperator, AsRoot, AsExpired, AsForged, AsLoggedOut}

// CallerToken is the token of one of [EveryCaller] for a surface; empty for
// nobody.
func CallerToken(t *testing.T, b *Bench, who string, kind app.Surface) string {
	t.Helper()
	aud := auth.ForPages
	if kind == app.API {
		aud = auth.ForAPI
	}
	// minted is a token of another gate, whose clock shows another time.
	minted := func(key []byte, at time.Time) string {
		gate, err := auth.New(auth.Config{Accounts: b.Console.Options().Accounts, Key: key, Lifetime: time.Hour, Clock: func() time.Time { return at }})
		if err != nil {
			t.Fatal(err)
		}
		root, _ := gate.Account("root", auth.RoleRoot)
		token, _, err := gate.Issue(root, aud)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	switch who {
	case AsGuest, AsOperator, AsRoot:
		return b.Token(t, auth.Role(who), aud)
	case AsExpired:
		return minted(testKey, Noon.Add(-time.Hour-time.Minute))
	case AsForged:
		return minted([]byte("another key of the right length!!"), Noon)
	case AsLoggedOut:
		token := b.Token(t, auth.RoleRoot, aud)
		id, _ := b.Console.Auth.Verify(token, aud)
		b.Console.Auth.Revoke(id)
		return token
	}
	return ""
}

// caller kinds of the matrix.
const (
	AsNobody    = "nobody"
	AsGuest     = "guest"
	AsOperator  = "operator"
	AsRoot      = "root"
	AsExpired   = "expired"
	AsForged    = "forged"
	AsLoggedOut = "logged out"
)
