package pages

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// TestActivityKnowsActionsOnSeveralJobs: the activity of a job has what was done to it
// together with others, and nothing that was done to others alone.
func TestActivityKnowsActionsOnSeveralJobs(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.Settings.Write(settings.Record{
		At: consoletest.Noon, User: "li.wei", Role: "root", Action: "POST /jobs/bulk", Target: "invoices, mail-digest", Outcome: "done",
		Detail: "order=bulk disable preview=false done=2 refused=0 reason=INC-4821",
	})
	page := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/activity", nil)
	if text := page.Text(t, "happened"); !strings.Contains(text, "li.wei: Disabled") || !strings.Contains(text, "with 1 other job") || !strings.Contains(text, "INC-4821") {
		t.Errorf("activity: %q", text)
	}
	other := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/warehouse-sync/activity", nil)
	if text := other.Doc(t).Find("main").Text(); strings.Contains(text, "with 1 other job") {
		t.Errorf("activity of another job: %q", text)
	}
}

// TestNotesOfActivityAreWords: a line shows the notes of a record in the same words as the audit.
func TestNotesOfActivityAreWords(t *testing.T) {
	t.Parallel()
	record := settings.Record{User: "li.wei", Action: "PUT /api/jobs/{job}/config", Outcome: "done", Detail: "order=configure reason=summer before=12 after=13 changed=cron"}
	for l, want := range map[i18n.Lang]string{i18n.English: "“summer” · version 12 → 13 · changed cron", i18n.Chinese: "“summer” · 版本 12 → 13 · 已修改：cron"} {
		if row := jobpage.RecordLine(l, pageui.ChangeOf(l, record)); row.Note != want {
			t.Errorf("%q, want %q", row.Note, want)
		}
	}
}
