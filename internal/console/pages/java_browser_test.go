//go:build servers

package pages

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestHistoryOfJavaInABrowser: a trace database as a Java engine makes it, without the
// columns of a run, and one that may only be read besides, are read by every page about
// runs: the list, the run, the executions and the job. Each says what is missing, and
// none complains.
func TestHistoryOfJavaInABrowser(t *testing.T) {
	t.Parallel()
	t.Run("sqlite, only to be read", func(t *testing.T) {
		t.Parallel()
		dsn := storetest.SQLiteDSN(t)
		storetest.CreateJavaTables(t, storetest.Open(t, dsn), storetest.Java305)
		storetest.InsertJavaRows(t, storetest.Open(t, dsn), storetest.Java305, false)
		pagesOfJava(t, storetest.Open(t, dsn+"?mode=ro"))
	})
	t.Run("mariadb", func(t *testing.T) {
		t.Parallel()
		server := storetest.StartMariaDB(t)
		db := storetest.Open(t, server.DSN(server.NewDatabase(t)))
		storetest.CreateJavaTables(t, db, storetest.Java304)
		storetest.InsertJavaRows(t, db, storetest.Java304, true)
		pagesOfJava(t, db)
	})
}

func pagesOfJava(t *testing.T, db *store.DB) {
	b := consoletest.New(t, func(o *app.Options) { o.History = rdb.NewStore(db.Database) })
	job := b.Registry.List[0]
	job.Job = statistics.Job{Name: "java", Cron: "0 0 * * * ?", Shards: 2, Status: statistics.StatusOK}
	b.Registry.List = append(b.Registry.List, job)
	tab, must := startBrowser(t)
	complaints, err := tab.Listen()
	must(err, tab.Size(1920, 900), tab.SignIn(b.URL, "guest", "gu3st-Canary-7"))
	ran := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	run := pageui.RunPath("java", groupedID(ran))
	for _, page := range []struct {
		path, element string
		texts         []string
	}{
		{"/runs?last=all", `[data-testid="run"]`, []string{"java", "Failed", "java.lang.IllegalStateException", "Not recorded"}},
		{run, `[data-testid="lane"]`, []string{"Failed", "java.lang.IllegalStateException", "10.0.0.1", "STAGING"}},
		{"/executions?job=java", `[data-testid="to-run"]`, []string{"Succeeded", "Failed", "Not recorded"}},
		{"/jobs/java", `[data-testid="run-grid"]`, nil},
	} {
		must(tab.Open(b.URL+page.path), tab.Wait(page.element))
		if lacks, err := tab.Text(`[data-testid="run-lacks"]`); err != nil || !strings.Contains(lacks, "run_id, attempt, trigger, scheduled_at") || !strings.Contains(lacks, "console migrate") {
			t.Errorf("%s: lacks %q (%v)", page.path, lacks, err)
		}
		text, err := browser.Eval[string](tab, `document.querySelector("main").innerText`)
		must(err)
		for _, want := range page.texts {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in %q", page.path, want, text)
			}
		}
	}
	must(tab.Open(b.URL+"/runs?last=all"), tab.Click(`[data-testid="to-run"]`), tab.Wait(`[data-testid="lane"]`))
	if at, err := tab.Address(); err != nil || at != b.URL+run {
		t.Errorf("the list leads to %s, want %s (%v)", at, run, err)
	}
	if list := complaints.Take(); len(list) > 0 {
		t.Errorf("the browser complains: %v", list)
	}
}

// groupedID is the id of a run that was put together by its second.
func groupedID(at time.Time) string {
	return "at-" + strconv.FormatInt(at.Unix(), 10)
}
