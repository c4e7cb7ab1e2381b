package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TestANewJobIsNotStored: the editor of a job that is not there yet says what will be
// stored, never that something is.
func TestANewJobIsNotStored(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("j"), func(t *testing.T, b consoletest.TreeBench) {
		l := i18n.English
		empty := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/new", nil)
		if got := empty.Text(t, "config-nothing"); got != l.ConfigCreateNothing() {
			t.Errorf("before anything was typed: %q", got)
		}
		form := consoletest.Fields(t, empty, "config-form")
		form.Set("jobName", "k")
		form.Set("go", "preview")
		filled := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new/preview", form)
		consoletest.WantStatus(t, filled, http.StatusOK)
		form.Set("go", "review")
		review := b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/new/preview", form)
		consoletest.WantStatus(t, review, http.StatusOK)
		for where, text := range map[string]string{"editor": filled.Text(t, "differences"), "review": review.Text(t, "differences")} {
			if !strings.Contains(text, l.ConfigCreateSub()) || strings.Contains(text, l.ConfigDifferencesSub()) || strings.Contains(text, l.ConfigDifferencesNote()) {
				t.Errorf("%s: %q", where, text)
			}
		}
		if got, want := filled.Text(t, "config-changes"), l.ConfigCreateFilled(1); got != want {
			t.Errorf("it counts %q, want %q", got, want)
		}
	})
}
