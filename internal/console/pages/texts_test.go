package pages

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func TestTextsOfPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{pageui.ShardList(i18n.English, nil), "no shard"}, {pageui.ShardList(i18n.English, []int{3}), "shard 3"}, {pageui.ShardList(i18n.English, []int{7, 0, 1, 2}), "shards 0–2, 7"},
		{view.FirstLine("\n first \n second"), "first"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestSecretsOfAConfigurationAreHiddenFromGuests(t *testing.T) {
	t.Parallel()
	const raw = "jobName: token-rotation\nprops:\n  db.password: hunter2\n  API_KEY: 'k'\n  plain: value\n  accessToken: t\n  robot.webhook: https://r.example/send?key=k\n" +
		"  # old.secret: 'k1'\n  mail.password: |\n    two\n\n    lines\n  url: http://x/?token=t\nextra:\n- !!x.Y {user: u, password: p}\n{\"jobName\":\"x\",\"props\":{\"db.passwd\":\"p\"}}\ncron: c"
	const hidden = "***\n"
	const want = "jobName: token-rotation\nprops:\n  db.password: " + hidden + "  API_KEY: " + hidden + "  plain: value\n  accessToken: " + hidden + "  robot.webhook: " + hidden +
		"  # old.secret: " + hidden + "  mail.password: " + hidden + "  url: " + hidden + "extra:\n" + hidden + hidden + "cron: c"
	if diff := cmp.Diff(want, app.ConfigText([]byte(raw), false)); diff != "" {
		t.Errorf("as a guest (-want +got):\n%s", diff)
	}
	if got := app.ConfigText([]byte(raw), true); got != raw {
		t.Errorf("as root: %q", got)
	}
}

// TestA43StatesOnThePage: each state is shown by its chip, and a lost run says
// what is known of it.
func TestA43StatesOnThePage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	start, end := consoletest.Noon.Add(-time.Minute), consoletest.Noon.Add(-30*time.Second)
	b.History.Rows = []tracing.Execution{
		{ID: "a", JobName: "invoices", StartTime: start}, {ID: "b", JobName: "invoices", StartTime: start, CompleteTime: end, Success: true},
		{ID: "c", JobName: "invoices", StartTime: start, FailureCause: "boom"}, {ID: "d", JobName: "invoices", StartTime: start, Lost: true},
	}
	doc := b.As(t, auth.RoleGuest, http.MethodGet, "/executions?sort=duration&order=asc", nil).Doc(t)
	var states []string
	for _, chip := range doc.Find(`[data-testid="run-state"]`).EachIter() {
		states = append(states, consoletest.Fold(chip.Text()))
	}
	if diff := cmp.Diff([]string{"Running", "Succeeded", "Failed", "Lost"}, states); diff != "" {
		t.Error(diff)
	}
	if title := doc.Find(`[data-testid="run-state"]`).Last().AttrOr("title", ""); title != i18n.English.RunLostText() {
		t.Errorf("title %q", title)
	}
	if text := doc.Text(); strings.Contains(text, "1970") || strings.Contains(text, "0001") {
		t.Error("a date that nobody recorded is shown")
	}
	head := doc.Find(`th[aria-sort="ascending"]`)
	if !strings.HasPrefix(consoletest.Fold(head.Text()), "Duration") || head.Find("a").AttrOr("href", "") != "/executions?sort=duration" {
		t.Errorf("sorted by %q, %v", head.Text(), head.Find("a").AttrOr("href", ""))
	}
}

// TestExecutionsSayWhyTheyRan: an execution's own trigger counts, else what its
// source tells, and the page is in the reader's language.
func TestExecutionsSayWhyTheyRan(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = nil
	for i, e := range []tracing.Execution{
		{Trigger: tracing.TriggerSchedule}, {Trigger: tracing.TriggerManual}, {Trigger: tracing.TriggerAPI}, {Trigger: tracing.TriggerRetry, Source: tracing.SourceFailover},
		{Source: tracing.SourceMisfire}, {Source: tracing.SourceFailover}, {Source: tracing.SourceNormal},
	} {
		e.ID, e.JobName, e.Item = string(rune('a'+i)), "invoices", i
		e.StartTime, e.CompleteTime, e.Success = consoletest.Noon.Add(-5*time.Minute), consoletest.Noon.Add(-5*time.Minute+83*time.Second), true
		b.History.Rows = append(b.History.Rows, e)
	}
	for _, c := range []struct {
		language, label, took string
		heads, triggers       []string
	}{
		{
			"en", "Trigger", "1 min 23 s", []string{"Job", "Shard", "Result", "Started", "Duration", "Ended", "Trigger", "Instance", "Error"},
			[]string{"Schedule", "Manual", "API", "Retry", "Misfire", "Failover", "Not recorded"},
		},
		{
			"zh-CN", "触发方式", "1 分 23 秒", []string{"作业", "分片", "结果", "开始", "耗时", "结束", "触发方式", "实例", "错误"},
			[]string{"定时", "手动", "API", "重试", "错过重执行", "失效转移", "未记录"},
		},
	} {
		in := func(r *http.Request) { r.Header.Set("Accept-Language", c.language) }
		doc := b.As(t, auth.RoleGuest, http.MethodGet, "/executions?sort=start&order=asc", nil, in).Doc(t)
		var heads []string
		for _, head := range doc.Find(`[data-testid="runs"] th`).EachIter() {
			heads = append(heads, strings.TrimRight(consoletest.Fold(head.Text()), " ▲▼↑↓"))
		}
		if diff := cmp.Diff(c.heads, heads); diff != "" {
			t.Errorf("heads in %s (-want +got):\n%s", c.language, diff)
		}
		triggers := map[string]bool{}
		for _, cell := range doc.Find(`[data-testid="run"] td[data-label="` + c.label + `"]`).EachIter() {
			triggers[consoletest.Fold(cell.Text())] = true
		}
		for _, want := range c.triggers {
			if !triggers[want] {
				t.Errorf("no trigger %q in %s: %v", want, c.language, triggers)
			}
		}
		if text := doc.Find(`[data-testid="run"]`).First().Text(); !strings.Contains(text, c.took) {
			t.Errorf("no duration %q in %q", c.took, consoletest.Fold(text))
		}
	}
}
