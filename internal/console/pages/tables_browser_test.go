//go:build servers

package pages

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// tablesOf measures the tables of a page. It returns the names of the tables and their problems, one
// sentence each.
const tablesOf = `(() => {
	const found = [], names = [];
	const pen = document.createElement("canvas").getContext("2d");
	const inner = (e) => {
		const s = getComputedStyle(e);
		return e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight);
	};
	const natural = (e, text) => {
		const s = getComputedStyle(e);
		pen.font = [s.fontWeight, s.fontSize, s.fontFamily].join(" ");
		return pen.measureText(text).width;
	};
	for (const table of document.querySelectorAll("main table.grid")) {
		if (!table.checkVisibility()) continue;
		const name = table.dataset.testid ?? "a table";
		names.push(name);
		const say = (what, e) => found.push(name + ": " + what + ": " + e.textContent.trim().replace(/\s+/g, " ").slice(0, 40));
		const wrap = table.closest(".table-wrap") ?? table.parentElement;
		if (wrap.scrollWidth > wrap.clientWidth + 1) say("it is " + (wrap.scrollWidth - wrap.clientWidth) + " px wider than its frame", table.tHead);
		for (const head of table.querySelectorAll("thead th")) {
			if (getComputedStyle(table.tHead).position !== "absolute" && head.checkVisibility() && head.clientWidth > 2 && head.scrollWidth > head.clientWidth + 1 && !head.querySelector(".sr")) say("a cut heading", head);
		}
		let leads = 0;
		for (const cell of table.querySelectorAll("tbody td")) {
			if (!cell.checkVisibility()) continue;
			const link = cell.querySelector("a, span") ?? cell;
			const text = cell.innerText.trim().replace(/\s+/g, " ");
			if (!text || cell.querySelector(".tick, input")) continue;
			const width = inner(cell);
			if (cell.matches(".lead")) {
				leads++;
				const wanted = Math.min(natural(link, "0".repeat(22)), natural(link, text.slice(0, 22)));
				if (width + 1 < wanted) say("a name has " + Math.round(width) + " px of " + Math.round(wanted), cell);
			} else if (text && width < Math.min(natural(cell, "0000"), natural(cell, text)) - 1) {
				say("a column of " + Math.round(width) + " px", cell);
			}
		}
		if (table.tBodies[0].rows.length && !leads) say("no cell names a row", table);
	}
	const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
	if (over > 0) found.push("the page is " + over + " px too wide");
	return { Names: names, Found: found };
})()`

// TestW26TablesKeepNamesInABrowser: between 320 and 1920 px and in both languages, a table fits its
// frame, the name of each row has at least 22 characters of room, and no column is narrower than
// four characters.
func TestW26TablesKeepNamesInABrowser(t *testing.T) {
	t.Parallel()
	busy := busyLists(t)
	for id, r := range []settings.Record{
		{User: "deploy-pipeline@example.org", Action: "POST /jobs/:job/disable", Target: busyName(1), Detail: "order=disable affected=2 skipped=0 reason=mail.internal answers 503, INC-4821"},
		{User: "root", Action: "POST /jobs/bulk", Target: busyName(1) + ", " + busyName(2) + ", " + busyName(3), Detail: "order=bulk disable preview=false affected=2 skipped=1", Registry: "payments-production-eu"},
		{User: "root", Action: "PUT /api/jobs/config", Target: busyName(1), Detail: "order=configure before=3 after=4"},
	} {
		r.ID, r.At, r.Remote, r.Outcome = int64(id+1), consoletest.Noon.Add(-time.Duration(id)*time.Hour), "2001:db8:85a3:8d3:1319:8a2e:370:7348", settings.EndedDone
		busy.Settings.Write(r)
	}
	_, busy.History.Steps = consoletest.TheRun()
	job := "/jobs/" + busyName(0)
	runs := busy.As(t, auth.RoleRoot, http.MethodGet, "/runs", nil).Doc(t)
	run, _ := runs.Find(`[data-testid="to-run"]`).First().Attr("href")
	cloud := consoletest.New(t)
	for _, c := range []struct {
		bench *consoletest.Bench
		paths []string
	}{
		{busy, []string{
			"/jobs", "/jobs/bulk?do=disable&job=" + busyName(1) + "&job=" + busyName(2), job, job + "/shards", job + "/shards?plan=1&shards=8", run,
			"/runs", "/runs?level=status", "/executions", "/servers", "/servers/10.2.0.14", "/servers/10.2.0.14?at=12:00", "/servers/cleanup", "/audit?kind=all", "/registries", "/sources", "/keys", "/reference", "/reference/legacy", "/reference/operations/getJobsJob",
		}},
		{cloud, []string{"/cloud", "/cloud/jobs", "/cloud/apps", "/cloud/queues", "/cloud/runs", "/tokens", "/jobs/invoices/requested-runs", "/servers", "/servers/cleanup"}},
	} {
		measureTables(t, c.bench, c.paths)
	}
}

func measureTables(t *testing.T, b *consoletest.Bench, paths []string) {
	t.Helper()
	tab, must := startBrowser(t)
	must(tab.SignIn(b.URL, "root", "r00t-Canary-7"))
	for _, l := range i18n.Languages {
		must(tab.Language(l.Tag()))
		for _, path := range paths {
			must(tab.Size(1440, 900), tab.Open(b.URL+path))
			problems := make(map[string][]string) // by problem: the widths
			for _, width := range []int64{320, 390, 480, 600, 700, 760, 761, 800, 900, 1024, 1100, 1180, 1181, 1280, 1366, 1440, 1680, 1920} {
				must(tab.Size(width, 900))
				got, err := browser.Eval[struct{ Names, Found []string }](tab, tablesOf)
				must(err)
				if len(got.Names) == 0 && width == 1920 {
					t.Errorf("%s in %s has no table", path, l.Name())
				}
				for _, problem := range got.Found {
					problems[problem] = append(problems[problem], fmt.Sprint(width))
				}
			}
			for problem, widths := range problems {
				t.Errorf("%s in %s at %s px: %s", path, l.Name(), strings.Join(slices.Compact(widths), ", "), problem)
			}
		}
	}
}
