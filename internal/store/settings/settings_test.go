package settings_test

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// each runs fn on every kind of database: with two stores of it, as two
// consoles have them.
func each(t *testing.T, fn func(t *testing.T, one, other *settings.Store)) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		one, other := storetest.Open(t, dsn), storetest.Open(t, dsn)
		for _, db := range []*store.DB{one, other} {
			if err := db.MigrateConsole(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		key := testKey(t, "k")
		fn(t, settings.New(one, key), settings.New(other, key))
	})
}

func testKey(t *testing.T, letter string) settings.Key {
	t.Helper()
	sum := sha256.Sum256([]byte(letter))
	key, err := settings.ParseKey(base64.StdEncoding.EncodeToString(sum[:]))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestBesideTheTraceTables(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for range 2 {
			if err := db.MigrateConsole(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestAuditPages(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		for i := range 25 {
			r := settings.Record{
				At: noon.Add(time.Duration(i) * time.Minute), User: "root", Role: "root", Remote: "10.0.0.9", Action: "POST /api/jobs/:job/trigger",
				Target: fmt.Sprintf("job-%d", i%2), Outcome: "done", Status: 200, RequestID: fmt.Sprint(i), Detail: "affected=1",
			}
			if i%5 == 0 {
				r.User, r.Outcome, r.Status = "guest", "forbidden", 403
			}
			if _, err := one.AddRecord(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		read := func(f settings.AuditFilter) (ids []string) {
			t.Helper()
			for {
				page, err := other.Records(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range page.Records {
					ids = append(ids, r.RequestID)
				}
				if f.Cursor = page.NextCursor; f.Cursor == "" {
					return ids
				}
			}
		}
		if all := read(settings.AuditFilter{Limit: 7}); len(all) != 25 || all[0] != "24" || all[24] != "0" {
			t.Errorf("all of it: %v", all)
		}
		for want, f := range map[string]settings.AuditFilter{
			"20 15 10 5 0": {User: "guest", Limit: 2},
			"20 10 0":      {Outcome: "forbidden", Target: "job-0"},
			"12 11 10":     {From: noon.Add(10 * time.Minute), To: noon.Add(13 * time.Minute)},
			"":             {User: "ROOT"},
		} {
			if got := strings.Join(read(f), " "); got != want {
				t.Errorf("%+v: %q, want %q", f, got, want)
			}
		}
		page, err := other.Records(t.Context(), settings.AuditFilter{Limit: 1})
		if err != nil || !page.Records[0].At.Equal(noon.Add(24*time.Minute)) || page.Records[0].Detail != "affected=1" || page.Records[0].ID == 0 {
			t.Errorf("%+v, %v", page, err)
		}
		for _, cursor := range []string{"7", "a", "a0", "a-1", "azzzzzzzzzzzzzzzzzzz", "' OR 1=1"} {
			if _, err := one.Records(t.Context(), settings.AuditFilter{Cursor: cursor}); !errors.Is(err, settings.ErrInvalidCursor) {
				t.Errorf("cursor %q: %v", cursor, err)
			}
		}
	})
}

// TestAuditParts: records are found by a part of what they say, by their actions, by how
// they ended and by their registry. What is searched for is text, not a pattern.
func TestAuditParts(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		for i, r := range []settings.Record{
			{User: "root", Action: "POST /jobs/:job/disable", Target: "mail", Outcome: "done", Detail: "reason=100% Full_disk"},
			{User: "li.wei", Action: "POST /jobs/:job/shards/disable", Target: "mail", Outcome: settings.OutcomeBegun, Detail: "shards=7", Registry: "prod"},
			{User: "guest", Action: "POST /api/jobs/:job/trigger", Target: "invoices", Outcome: "forbidden"},
			{Remote: "203.0.113.9", Action: "POST /login", Outcome: "wrong_password", Detail: "account=Admin"},
		} {
			r.At, r.RequestID = noon, fmt.Sprint(i)
			if _, err := one.AddRecord(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		disable := settings.ActionLike{Method: "POST", End: "/disable", But: []string{"/shards/disable"}}
		signIn := settings.ActionLike{Method: "POST", End: "/login"}
		for name, test := range map[string]struct {
			f    settings.AuditFilter
			want string
		}{
			"a part of the detail":     {settings.AuditFilter{Text: "full"}, "0"},
			"of the account":           {settings.AuditFilter{Text: "LI."}, "1"},
			"of the target":            {settings.AuditFilter{Text: "mail"}, "1 0"},
			"of the address":           {settings.AuditFilter{Text: "203.0"}, "3"},
			"a per cent sign":          {settings.AuditFilter{Text: "100%"}, "0"},
			"no pattern":               {settings.AuditFilter{Text: "f%k"}, ""},
			"an underscore":            {settings.AuditFilter{Text: "l_d"}, "0"},
			"an exclamation mark":      {settings.AuditFilter{Text: "!"}, ""},
			"an action that is meant":  {settings.AuditFilter{Text: "admin", Meant: []settings.ActionLike{disable}}, "3 0"},
			"an action":                {settings.AuditFilter{Actions: []settings.ActionLike{disable}}, "0"},
			"one of two actions":       {settings.AuditFilter{Actions: []settings.ActionLike{disable, signIn}}, "3 0"},
			"none of an action":        {settings.AuditFilter{Except: []settings.ActionLike{signIn}}, "2 1 0"},
			"what was carried out":     {settings.AuditFilter{Ended: settings.EndedDone}, "1 0"},
			"what was refused":         {settings.AuditFilter{Ended: settings.EndedRefused}, "3 2"},
			"a registry":               {settings.AuditFilter{Here: true, Registry: "prod"}, "1"},
			"that of the command line": {settings.AuditFilter{Here: true}, "3 2 0"},
			"several at once":          {settings.AuditFilter{Text: "mail", Ended: settings.EndedDone, Here: true}, "0"},
		} {
			page, err := other.Records(t.Context(), test.f)
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, r := range page.Records {
				ids = append(ids, r.RequestID)
			}
			if got := strings.Join(ids, " "); got != test.want {
				t.Errorf("%s: %q, want %q", name, got, test.want)
			}
		}
	})
}

func TestAuditTakesAnyText(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		odd := "作业\x00\xff'\"" + strings.Repeat("é", 5000)
		r := settings.Record{At: noon, User: odd, Role: odd, Remote: odd, Action: odd, Registry: odd, Target: odd, Outcome: odd, RequestID: odd, Detail: odd}
		if _, err := one.AddRecord(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		page, err := other.Records(t.Context(), settings.AuditFilter{})
		if err != nil || len(page.Records) != 1 || !strings.HasPrefix(page.Records[0].Target, "作业��'\"é") {
			t.Errorf("%v, %v", page, err)
		}
	})
}

// TestRevokedIsRevokedEverywhere: on a second console of the database, and
// twice is no mistake.
func TestRevokedIsRevokedEverywhere(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		revoked := func(id string) bool {
			t.Helper()
			token, err := other.Token(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return token.Revoked
		}
		if revoked("a") {
			t.Error("revoked before it was")
		}
		for range 2 {
			if err := one.RevokeToken(t.Context(), "a", noon.Add(time.Hour), noon); err != nil {
				t.Fatal(err)
			}
		}
		if !revoked("a") || revoked("b") || revoked("A") {
			t.Error("not exactly the one that was given up is revoked")
		}
		// Long after it expired it is forgotten, as it is refused anyway.
		if err := one.RevokeToken(t.Context(), "b", noon.Add(9*time.Hour), noon.Add(8*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if revoked("a") || !revoked("b") {
			t.Error("the expired one should be forgotten, the other kept")
		}
	})
}
