package settings_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestChangesAreCarriedOutOnce: of two consoles with one form one begins, and one
// takes back.
func TestChangesAreCarriedOutOnce(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		want := settings.Change{ID: "form-1", At: noon, User: "root", Registry: "default", Verb: "disable", Reason: "INC-4821: 邮件 503"}
		if err := one.BeginChange(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		if err := other.BeginChange(t.Context(), want); !errors.Is(err, settings.ErrExists) {
			t.Errorf("begun twice: %v", err)
		}
		want.Results = []settings.ChangeResult{
			{Job: "invoices", Affected: []string{"10.2.0.14"}, Skipped: []settings.ChangeSkipped{{Target: "10.2.0.15", Reason: "it is DISABLED already"}}, Before: &settings.Switch{User: "eve"}},
			{Job: "nope", Code: "not_found", Message: "There is none."},
		}
		if err := one.FinishChange(t.Context(), want.ID, want.Results); err != nil {
			t.Fatal(err)
		}
		got, err := other.Change(t.Context(), want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("change (-want +got):\n%s", diff)
		}
		if err := one.UndoChange(t.Context(), want.ID, noon.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if err := other.UndoChange(t.Context(), want.ID, noon.Add(time.Minute)); !errors.Is(err, settings.ErrExists) {
			t.Errorf("undone twice: %v", err)
		}
		if got, err := one.Change(t.Context(), want.ID); err != nil || !got.Undone.Equal(noon.Add(time.Minute)) {
			t.Errorf("undone at %v, %v", got.Undone, err)
		}
		// A week later it is forgotten.
		if err := one.BeginChange(t.Context(), settings.Change{ID: "form-2", At: noon.Add(8 * 24 * time.Hour)}); err != nil {
			t.Fatal(err)
		}
		if _, err := one.Change(t.Context(), want.ID); !errors.Is(err, settings.ErrNotFound) {
			t.Errorf("after a week: %v", err)
		}
	})
}

// TestSwitches: who disabled a job is known until it is enabled, and one of two
// consoles enables it when it is time.
func TestSwitches(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		first := settings.Switch{Registry: "default", Job: "invoices", Change: "form-1", User: "root", Reason: "INC-4821", At: noon, EnableAt: noon.Add(time.Hour)}
		for _, w := range []settings.Switch{{Registry: "default", Job: "invoices", User: "eve", At: noon.Add(-time.Hour)}, first, {Registry: "blue", Job: "Invoices", User: "root", At: noon, EnableAt: noon.Add(3 * time.Hour)}} {
			if err := one.PutSwitch(t.Context(), w); err != nil {
				t.Fatal(err)
			}
		}
		got, err := other.Switches(t.Context(), "default", []string{"invoices", "Invoices", "nope"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]settings.Switch{"invoices": first}, got); diff != "" {
			t.Errorf("switches (-want +got):\n%s", diff)
		}
		claim := func(s *settings.Store, at time.Time) (jobs []string) {
			t.Helper()
			due, err := s.ClaimDue(t.Context(), at, time.Minute, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range due {
				jobs = append(jobs, w.Job)
			}
			return jobs
		}
		if early := claim(one, noon.Add(59*time.Minute)); early != nil {
			t.Errorf("enabled too early: %q", early)
		}
		if mine, theirs := claim(one, noon.Add(time.Hour)), claim(other, noon.Add(time.Hour+time.Second)); len(mine) != 1 || theirs != nil {
			t.Errorf("claimed by one %q, and by the other %q", mine, theirs)
		}
		if again := claim(other, noon.Add(time.Hour+2*time.Minute)); len(again) != 1 {
			t.Errorf("after the lease: %q", again)
		}
		if err := one.StayDisabled(t.Context(), "default", "invoices"); err != nil {
			t.Fatal(err)
		}
		if err := one.StayDisabled(t.Context(), "default", "invoices"); !errors.Is(err, settings.ErrNotFound) {
			t.Errorf("cancelled twice: %v", err)
		}
		if err := one.DropSwitch(t.Context(), "default", "invoices"); err != nil {
			t.Fatal(err)
		}
		if left, err := other.Switches(t.Context(), "default", []string{"invoices"}); err != nil || len(left) > 0 {
			t.Errorf("left: %v, %v", left, err)
		}
		if due := claim(one, noon.Add(24*time.Hour)); len(due) != 1 || due[0] != "Invoices" {
			t.Errorf("due of the other registry: %q", due)
		}
	})
}
