package auth

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// setAccounts replaces the accounts of a fixture.
func (f *fixture) setAccounts(t *testing.T, text string) {
	t.Helper()
	a, err := ParseAccounts([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f.SetAccounts(a)
}

const withOperator = testAccounts + "account.li.wei.role=operator\naccount.li.wei.password=0perator-Canary-7\n"

func TestVerifyProgram(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.setAccounts(t, withOperator)
	raw, id, hash := NewProgramToken()
	stored := settings.ProgramToken{
		ID: id, Name: "deploy", Hash: hash, Owner: "li.wei", OwnerRole: "operator", Scope: "operate", Jobs: "mail-*", Created: noon, Expires: noon.Add(ProgramLifetime),
	}
	if got, ok := ProgramTokenID(raw); !ok || got != id {
		t.Fatalf("id %q, %t", got, ok)
	}
	if strings.Contains(hash, strings.SplitN(raw, "_", 3)[2]) {
		t.Error("the secret is stored")
	}
	who, why := f.VerifyProgram(raw, stored)
	if want := (Identity{
		Name: "li.wei", Role: RoleOperator, TokenID: id, Expires: stored.Expires, Since: noon,
		Program: Program{Token: "deploy", Scope: ScopeOperate, Jobs: "mail-*"},
	}); why != "" || who != want {
		t.Errorf("%+v, %q", who, why)
	}
	other, _, _ := NewProgramToken()
	for name, test := range map[string]struct {
		raw    string
		change func(*settings.ProgramToken)
		want   Denial
	}{
		"another secret":    {other, func(*settings.ProgramToken) {}, ProgramUnknown},
		"no secret":         {ProgramPrefix + id + "_", func(*settings.ProgramToken) {}, ProgramUnknown},
		"cut":               {raw[:len(raw)-1], func(*settings.ProgramToken) {}, ProgramUnknown},
		"expired":           {raw, func(s *settings.ProgramToken) { s.Expires = noon }, ProgramExpired},
		"revoked":           {raw, func(s *settings.ProgramToken) { s.RevokedAt = noon }, ProgramRevoked},
		"of a gone account": {raw, func(s *settings.ProgramToken) { s.Owner = "wang" }, ProgramOrphan},
		"of a gone group":   {raw, func(s *settings.ProgramToken) { s.Owner = "oidc:li" }, ProgramOrphan},
	} {
		changed := stored
		test.change(&changed)
		if who, why := f.VerifyProgram(test.raw, changed); why != test.want || who != (Identity{}) {
			t.Errorf("%s: %+v, %q, want %q", name, who, why, test.want)
		}
	}
}

// TestProgramIsBoundByItsAccount: an account that may do less than before has tokens that
// may do less, and a larger role doesn't enlarge the scope.
func TestProgramIsBoundByItsAccount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	raw, id, hash := NewProgramToken()
	for scope, roles := range map[Scope]map[string]Role{
		ScopeRead:      {"viewer": RoleGuest, "operator": RoleGuest, "admin": RoleGuest},
		ScopeOperate:   {"viewer": RoleGuest, "operator": RoleOperator, "admin": RoleOperator},
		ScopeConfigure: {"viewer": RoleGuest, "operator": RoleOperator, "admin": RoleRoot},
		"everything":   {"viewer": "", "admin": ""},
	} {
		for word, want := range roles {
			f.setAccounts(t, strings.Replace(withOperator, "=operator", "="+word, 1))
			who, why := f.VerifyProgram(raw, settings.ProgramToken{
				ID: id, Hash: hash, Owner: "li.wei", OwnerRole: "admin", Scope: string(scope), Expires: noon.Add(time.Hour),
			})
			if why != "" || who.Role != want {
				t.Errorf("scope %s of a %s: role %q, %q; want %q", scope, word, who.Role, why, want)
			}
		}
	}
}

func TestProgramTokenID(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "ejt_", "ejt_a_b", "ejt_" + strings.Repeat("a", 16), "ejt_" + strings.Repeat("a", 17) + "_x", "eyJhbGciOi"} {
		if id, ok := ProgramTokenID(raw); ok {
			t.Errorf("%q has the id %q", raw, id)
		}
	}
}

func TestMatchJobs(t *testing.T) {
	t.Parallel()
	for pattern, jobs := range map[string]map[string]bool{
		"*":           {"": true, "invoices": true, "订单": true},
		"invoices":    {"invoices": true, "invoices-2": false, "Invoices": false},
		"billing-*":   {"billing-": true, "billing-eu": true, "billing": false, "x-billing-eu": false},
		"*-eu":        {"billing-eu": true, "-eu": true, "billing-eu-2": false},
		"a*b*c":       {"abc": true, "axxbyyc": true, "acb": false, "ab": false},
		"aba*aba":     {"aba": false, "ababa": false, "abaaba": true},
		"*b*":         {"b": true, "abc": true, "ac": false},
		"a.c":         {"a.c": true, "abc": false},
		"[a]?":        {"[a]?": true, "ab": false},
		"**":          {"": true, "x": true},
		"billing-*\n": {"billing-eu": false},
		"":            {"": true, "x": false},
	} {
		for job, want := range jobs {
			if got := MatchJobs(pattern, job); got != want {
				t.Errorf("MatchJobs(%q, %q) = %t", pattern, job, got)
			}
		}
	}
}

func TestRoleIncludes(t *testing.T) {
	t.Parallel()
	for i, r := range roles {
		for j, needed := range roles {
			if got := r.Includes(needed); got != (i >= j) {
				t.Errorf("%s includes %s: %t", r, needed, got)
			}
		}
		if Role("").Includes(r) || Role("owner").Includes(r) {
			t.Errorf("an unknown role includes %s", r)
		}
		if r.Scope().Role() != r {
			t.Errorf("the scope of %s is %s", r, r.Scope())
		}
	}
}
