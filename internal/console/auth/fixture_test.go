package auth

import (
	"sync"
	"testing"
	"time"
)

// noon is the time in every test.
var noon = time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)

const (
	testAccounts = "root.username=root\nroot.password=r00t-Canary-7\nguest.username=guest\nguest.password=gu3st-Canary-7\n"
	testLifetime = 8 * time.Hour
)

// fixture is a gate with a clock that the test moves.
type fixture struct {
	*Gate
	mu  sync.Mutex
	now time.Time
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{now: noon}
	accounts, err := ParseAccounts([]byte(testAccounts))
	if err != nil {
		t.Fatal(err)
	}
	if f.Gate, err = New(Config{Accounts: accounts, Lifetime: testLifetime, Clock: f.clock}); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// pass lets time go by.
func (f *fixture) pass(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// token mints a token for a role.
func (f *fixture) token(t testing.TB, role Role, aud Audience) string {
	t.Helper()
	acc, ok := f.Account(string(role), role)
	if !ok {
		t.Fatalf("no account of role %q", role)
	}
	token, _, err := f.Issue(acc, aud)
	if err != nil {
		t.Fatal(err)
	}
	return token
}
