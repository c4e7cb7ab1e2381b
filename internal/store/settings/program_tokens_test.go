package settings_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

func programToken(id, name, owner string) settings.ProgramToken {
	return settings.ProgramToken{
		ID: id, Name: name, Hash: "h-" + id, Owner: owner, OwnerRole: "root", Scope: "operate", Jobs: "订单-*", Created: noon, Expires: noon.Add(24 * time.Hour),
	}
}

// TestProgramTokens: a token is read back on another console, a name is unique until
// its token is revoked, and a revocation is seen at once.
func TestProgramTokens(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		ctx := t.Context()
		first, second := programToken("a", "deploy", "root"), programToken("b", "Deploy", "li.wei")
		second.Created = noon.Add(time.Minute)
		for _, token := range []settings.ProgramToken{first, second} {
			if err := one.AddProgramToken(ctx, token); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.AddProgramToken(ctx, programToken("c", "deploy", "li.wei")); !errors.Is(err, settings.ErrExists) {
			t.Errorf("a doubled name: %v", err)
		}
		for owner, want := range map[string][]settings.ProgramToken{"": {second, first}, "root": {first}, "li.wei": {second}, "nobody": {}} {
			for i := range want {
				want[i].Hash = "" // which a list doesn't have
			}
			got, err := other.ProgramTokens(ctx, owner)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("of %q: %v (-want +got):\n%s", owner, err, diff)
			}
		}
		if got, err := other.ProgramToken(ctx, "b"); err != nil || !cmp.Equal(got, second) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := other.ProgramToken(ctx, "A"); !errors.Is(err, settings.ErrNotFound) {
			t.Errorf("an id in capitals: %v", err)
		}

		revokedAt := noon.Add(time.Hour)
		if err := other.RevokeProgramToken(ctx, "a", revokedAt); err != nil {
			t.Fatal(err)
		}
		if got, err := one.ProgramToken(ctx, "a"); err != nil || !got.RevokedAt.Equal(revokedAt) || got.Name != "deploy" {
			t.Errorf("after the revocation: %+v, %v", got, err)
		}
		if got, err := one.ProgramTokens(ctx, "root"); err != nil || len(got) != 0 {
			t.Errorf("a revoked token is listed: %v, %v", got, err)
		}
		for _, id := range []string{"a", "nope"} {
			if err := one.RevokeProgramToken(ctx, id, noon); !errors.Is(err, settings.ErrNotFound) {
				t.Errorf("revoke %s: %v", id, err)
			}
		}
		if err := one.AddProgramToken(ctx, programToken("d", "deploy", "root")); err != nil {
			t.Errorf("the name of a revoked token: %v", err)
		}
	})
}

// TestProgramTokensCannotBeForged: a writer of the database who doesn't know the key can't
// make a token, nor give one more rights or time.
func TestProgramTokensCannotBeForged(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if err := db.MigrateConsole(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := settings.New(db, testKey(t, "k"))
		if err := s.AddProgramToken(t.Context(), programToken("a", "deploy", "li.wei")); err != nil {
			t.Fatal(err)
		}
		if _, err := settings.New(db, testKey(t, "other")).ProgramToken(t.Context(), "a"); !errors.Is(err, settings.ErrWrongKey) {
			t.Errorf("with another key: %v", err)
		}
		for column, forged := range map[string][2]any{
			"hash": {"aGFzaA", nil}, "scope": {"configure", "operate"}, "owner": {"root", "li.wei"}, "owner_role": {"admin", "root"},
			"jobs": {"*", "订单-*"}, "expires_ms": {noon.Add(1000 * time.Hour).UnixMilli(), noon.Add(24 * time.Hour).UnixMilli()},
		} {
			var before string
			db.Raw("SELECT hash FROM elasticjob_program_token").Scan(&before)
			set := func(value any) {
				t.Helper()
				if err := db.Exec("UPDATE elasticjob_program_token SET "+column+" = ?", value).Error; err != nil {
					t.Fatal(err)
				}
			}
			set(forged[0])
			if _, err := s.ProgramToken(t.Context(), "a"); !errors.Is(err, settings.ErrWrongKey) {
				t.Errorf("with another %s: %v", column, err)
			}
			if forged[1] == nil {
				forged[1] = before
			}
			set(forged[1])
			if _, err := s.ProgramToken(t.Context(), "a"); err != nil {
				t.Errorf("with the %s of before: %v", column, err)
			}
		}
	})
}

// TestProgramTokenUse: the last use is written at most once a minute, by all consoles
// together.
func TestProgramTokenUse(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		ctx := t.Context()
		if err := one.AddProgramToken(ctx, programToken("a", "deploy", "root")); err != nil {
			t.Fatal(err)
		}
		unused, err := one.ProgramToken(ctx, "a")
		if err != nil || !unused.Used.IsZero() {
			t.Fatalf("%+v, %v", unused, err)
		}
		use := func(s *settings.Store, known settings.ProgramToken, at time.Time) settings.ProgramToken {
			t.Helper()
			if err := s.UseProgramToken(ctx, known, at); err != nil {
				t.Fatal(err)
			}
			now, err := s.ProgramToken(ctx, "a")
			if err != nil {
				t.Fatal(err)
			}
			return now
		}
		after := use(one, unused, noon)
		for _, step := range []struct {
			store *settings.Store
			known settings.ProgramToken
			at    time.Duration
			want  time.Duration
		}{
			{one, after, 59 * time.Second, 0},
			{other, unused, 59 * time.Second, 0}, // which has read the token before its use
			{other, after, time.Minute, time.Minute},
			{one, after, 90 * time.Second, time.Minute},
			{one, after, 2 * time.Minute, 2 * time.Minute},
		} {
			if got := use(step.store, step.known, noon.Add(step.at)); !got.Used.Equal(noon.Add(step.want)) {
				t.Errorf("used after %s: %s is stored, want after %s", step.at, got.Used, step.want)
			}
		}
	})
}

// TestProgramTokensAreBounded: no more than so many can be made, revoked ones don't count,
// and tokens that expired long ago are forgotten.
func TestProgramTokensAreBounded(t *testing.T) {
	each(t, func(t *testing.T, one, _ *settings.Store) {
		ctx := t.Context()
		for i := range settings.MaxProgramTokens {
			if err := one.AddProgramToken(ctx, programToken(fmt.Sprint(i), strings.Repeat("名", 60)+fmt.Sprint(i), "root")); err != nil {
				t.Fatal(err)
			}
		}
		if err := one.AddProgramToken(ctx, programToken("more", "more", "root")); !errors.Is(err, settings.ErrTooMany) {
			t.Errorf("one more: %v", err)
		}
		if list, err := one.ProgramTokens(ctx, ""); err != nil || len(list) != settings.MaxProgramTokens {
			t.Errorf("%d are listed, %v", len(list), err)
		}
		if err := one.RevokeProgramToken(ctx, "0", noon); err != nil {
			t.Fatal(err)
		}
		if err := one.AddProgramToken(ctx, programToken("more", "more", "root")); err != nil {
			t.Errorf("after a revocation: %v", err)
		}
		late := programToken("late", "late", "root")
		late.Created = noon.Add(32 * 24 * time.Hour)
		if err := one.AddProgramToken(ctx, late); err != nil {
			t.Errorf("after all have expired: %v", err)
		}
		if list, err := one.ProgramTokens(ctx, ""); err != nil || len(list) != 1 {
			t.Errorf("%d are listed after all have expired long ago, %v", len(list), err)
		}
	})
}
