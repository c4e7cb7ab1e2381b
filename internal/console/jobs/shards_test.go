package jobs

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// TestWhoLeftAndWhatWasLost: an instance's node goes, and the job's page tells
// of it, before and after another instance runs its shard.
func TestWhoLeftAndWhatWasLost(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		const stays, goes = "10.0.0.1@-@7", "10.0.0.10@-@8"
		bundle := treetest.New(t, srv.Addr)
		bundle.Plant(t, consoletest.Plain("mail")+"mail/sharding/1/running = "+goes+"\n")
		reader := statistics.NewWatchingReader(bundle.Registry())
		t.Cleanup(reader.Close)
		b := keepInstances(t, reader)
		page := func(path string) consoletest.Reply {
			return b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/mail"+path, nil)
		}
		tells := func(want ...string) {
			t.Helper()
			waittest.Until(t, fmt.Sprintf("the page tells %q", want), func() bool {
				story := page("").Text(t, "story")
				for _, w := range want {
					if !strings.Contains(story, w) {
						return false
					}
				}
				return true
			})
		}
		waittest.Until(t, "the instances are known", func() bool {
			return strings.Contains(page("/activity").Text(t, "activity-note"), "Instances are remembered since")
		})
		if story := page("").Text(t, "story"); story != "" {
			t.Errorf("tells %q before anything happened", story)
		}
		job := bundle.NS.Job("mail")
		if err := bundle.Client.Delete(t.Context(), job.Instance(goes), -1); err != nil {
			t.Fatal(err)
		}
		tells(goes+" left at 12:00:07 UTC while it ran shard 1.", "Shard 1: no instance owns it yet")
		departed := page("").Doc(t).Find(`.matrix-departed`)
		if text := consoletest.Words(departed); departed.Length() != 1 || !strings.Contains(text, "10.0.0.10 left 12:00:07") || !strings.Contains(text, "lost") {
			t.Errorf("row %q", text)
		}
		b.Pass(5900 * time.Millisecond)
		bundle.Put(t, "mail/sharding/1/failover", stays, zk.Ephemeral)
		tells(stays + " runs shard 1 since 12:00:12 UTC, failed over after 5.9 s.")
		if _, err := bundle.Client.Set(t.Context(), job.ItemInstance(1), []byte(stays), -1); err != nil {
			t.Fatal(err)
		}
		tells(stays + " owns shard 1 since 12:00:12 UTC.")
		if n := page("").Doc(t).Find(`.matrix-departed`).Length(); n > 0 {
			t.Error("a row of an instance whose shards have an owner")
		}
		if got := consoletest.Words(page("/activity").Doc(t).Find(`[data-testid="happened"]`)); !strings.Contains(got, "runs shard 1 since") || !strings.Contains(got, "while it ran shard 1") {
			t.Errorf("activity: %s", got)
		}
		zh := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/mail", nil, func(r *http.Request) { r.Header.Set("Accept-Language", "zh-CN") })
		if got := zh.Text(t, "story"); !strings.Contains(got, "起运行分片 1") {
			t.Errorf("in Chinese: %q", got)
		}
	})
}

// keepInstances is a console that remembers the instances of a registry.
func keepInstances(t *testing.T, reader *statistics.Reader) *consoletest.Bench {
	t.Helper()
	b := consoletest.New(t, func(o *app.Options) {
		o.Jobs, o.Changes, o.Instances = reader, reader.OnChange, reader
	})
	ctx, end := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); b.Console.KeepInstances(ctx) }()
	t.Cleanup(func() { end(); <-done })
	return b
}

// TestShardMatrix: a row for each instance, a column for each shard, and each shard in
// the row of whoever has it.
func TestShardMatrix(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/settlement.daily", nil).Doc(t)
	rows := doc.Find(`[data-testid="matrix-row"]`)
	if rows.Length() != 3 || doc.Find(`.matrix-no`).Length() != 12 || doc.Find(`[data-testid="matrix"] .tag`).Text() != "leader" {
		t.Errorf("%d rows, %d columns", rows.Length(), doc.Find(`.matrix-no`).Length())
	}
	for i, want := range []string{"10.2.0.14 leader", "10.2.0.15", "10.2.0.16"} {
		if got := consoletest.Words(rows.Eq(i)); !strings.HasPrefix(got, want) {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if got := consoletest.Words(rows.Eq(0)); !strings.Contains(got, "0:12") || !strings.Contains(got, "2:12") || !strings.HasSuffix(got, "4 shards") {
		t.Errorf("the first: %q", got)
	}
	if html, _ := doc.Html(); strings.Contains(html, "style=") {
		t.Error("a style of its own, which the policy forbids")
	}
	if got := doc.Find(`nav [aria-current="page"]`).Text(); !strings.Contains(got, "Overview") {
		t.Errorf("tab %q", got)
	}
}

// TestManyShards: above 24 shards there are cells, sorted in three ways, and an instance
// can be picked; what an address asks for wrongly is said.
func TestManyShards(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	consoletest.ManyShards(b)
	get := func(query string) consoletest.Reply {
		return b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards"+query, nil)
	}
	rows := func(r consoletest.Reply) int { return r.Doc(t).Find(`[data-testid="cells-row"]`).Length() }
	all := get("")
	if rows(all) != 3 || len(all.Body) > 200_000 {
		t.Errorf("%d rows in %d bytes", rows(all), len(all.Body))
	}
	if rows(get("?order=number")) != 1 || rows(get("?order=state")) < 3 {
		t.Error("the other ways")
	}
	picked := get("?owner=10.2.0.15@-@918")
	if got := picked.Doc(t).Find(`.cells-on`).Length(); got != 1 || !strings.Contains(picked.Text(t, "pager-summary"), "of 333 shards") {
		t.Errorf("%d picked, %q", got, picked.Text(t, "pager-summary"))
	}
	for _, wrong := range []string{"?order=size", "?owner=10.9.9.9@-@1"} {
		if r := get(wrong); !strings.Contains(r.Body, `data-testid="query-hint"`) || rows(r) != 3 {
			t.Errorf("%s: no hint, or not the rest", wrong)
		}
	}
}

// TestActivityOfAJob: operators see who did what to a job, guests what its instances
// did alone.
func TestActivityOfAJob(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.As(t, auth.RoleRoot, http.MethodPost, "/jobs/invoices/trigger", map[string][]string{})
	root := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/activity", nil)
	if got := root.Text(t, "happened"); !strings.Contains(got, "root: Triggered") {
		t.Errorf("root sees %q", got)
	}
	guest := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/activity", nil)
	if strings.Contains(guest.Body, "root:") || guest.Doc(t).Find(`[data-testid="activity-note"]`).Length() != 2 {
		t.Error("a guest sees who did what, or does not read why not")
	}
	consoletest.WantStatus(t, b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/none/activity", nil), http.StatusNotFound)
}

// TestW29LostStandsInTheRowOfTheLost: an instance is lost during a run, and its shard has another
// owner before the console looks. The matrix has a row for the lost instance with the lost shard,
// and the new owner's row doesn't call the shard lost. Activity shows the same loss.
func TestW29LostStandsInTheRowOfTheLost(t *testing.T) {
	t.Parallel()
	const owner, victim = "10.0.0.1@-@7", "10.0.0.2@-@8"
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	job := statistics.JobDetail{
		Job: statistics.Job{Name: "mail", Failover: true}, Instances: []statistics.Instance{{ID: owner, Enabled: true}},
		Shards: []statistics.Shard{{Item: 0, Instance: owner}, {Item: 1, Instance: owner, Lost: true}},
	}
	runs := []tracing.Execution{{TaskID: "mail@-@1@-@READY@-@" + victim, Item: 1, StartTime: at.Add(-time.Minute), Lost: true}}
	events := jobpage.EventsOf(job, []members.Event{{At: at, Kind: members.Left, Exit: members.Lost, Job: "mail", Instance: victim}}, runs)
	if got := jobpage.Happened(i18n.English, events[0], events).Text; got != victim+" left at 12:00:00 UTC while it ran shard 1." {
		t.Errorf("Activity says %q", got)
	}
	rows := newShardBoard(i18n.English, job, runs, departedOf(job, runs, nil, events), at.Add(time.Second)).matrix(shardsAsked{}).Rows
	if len(rows) != 2 || rows[1].Instance != victim || rows[1].Cells[1].Tone != ui.ToneLost || rows[0].Cells[1].Tone == ui.ToneLost {
		t.Errorf("%+v", rows)
	}
	job.Shards[1].Lost = false // The job has no running markers; the history tells.
	rows = newShardBoard(i18n.English, job, runs, departedOf(job, runs, nil, events), at.Add(time.Second)).matrix(shardsAsked{}).Rows
	if len(rows) != 2 || rows[1].Cells[1].Tone != ui.ToneLost || rows[0].Cells[1].Tone != ui.ToneOK {
		t.Errorf("without markers: %+v", rows)
	}
	// Another instance has begun it again.
	if rows := newShardBoard(i18n.English, job, nil, departedOf(job, nil, nil, events), at.Add(time.Second)).matrix(shardsAsked{}).Rows; len(rows) != 1 {
		t.Errorf("afterwards: %+v", rows)
	}
}
