package runs

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestA44FiltersOfREST: what the query says reaches the database, under the names
// of the pages and of ElasticJob, and back into the address of the next page.
func TestA44FiltersOfREST(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	item := 2
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 21, hour, minute, 0, 0, time.UTC) }
	for asked, want := range map[string]rdb.ExecutionFilter{
		"": {}, "jobName=invo&match=prefix": {JobPrefix: "invo"}, "job=invoices&item=2&ip=10.2.0.14": {JobName: "invoices", Item: &item, IP: "10.2.0.14"},
		"state=lost": {State: rdb.RunLost}, "isSuccess=false": {State: rdb.RunFailed}, "failure=timed+out": {FailureText: "timed out"},
		"took=90": {MinDuration: 90 * time.Second}, "took=1500ms": {MinDuration: 1500 * time.Millisecond}, "took=0.5": {MinDuration: 500 * time.Millisecond},
		"from=2026-11-21T10:00&to=2026-11-21T10:00": {From: at(10, 0), To: at(10, 0)}, "startTime=2026-11-21+10:00:00&endTime=2026-11-21+11:30:00": {From: at(10, 0), To: at(11, 30)},
		"sort=completeTime&order=ASC": {Sort: rdb.SortComplete, Ascending: true}, "sort=duration": {Sort: rdb.SortDuration}, "sort=startTime&order=desc": {Sort: rdb.SortStart},
	} {
		want.Limit = query.DefaultPageSize
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/event-trace/execution?"+asked, ""), http.StatusOK)
		if diff := cmp.Diff(want, b.History.Filters[len(b.History.Filters)-1]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", asked, diff)
		}
		again, problems := query.ParseExecutions(query.ExecutionValues(want), query.DefaultPageSize)
		if want.Sort == rdb.SortStart {
			want.Sort = ""
		}
		if diff := cmp.Diff(want, again); diff != "" || problems != nil {
			t.Errorf("%s becomes %v (-want +got)\n%s", asked, problems, diff)
		}
	}
	b.History.Rows = nil
	for i := range 45 {
		b.History.Rows = append(b.History.Rows, tracing.Execution{ID: fmt.Sprint(i), JobName: "j", StartTime: consoletest.Noon, Lost: i == 40})
	}
	var page api.Page[api.Execution]
	b.Call(t, http.MethodGet, "/api/event-trace/execution?per_page=20&page=3", "").Into(t, &page)
	if page.Total != 45 || !page.TotalExact || len(page.Rows) != 5 || page.Rows[0].State != "lost" || page.Rows[1].State != "running" || page.NextCursor != "" {
		t.Errorf("%+v", page)
	}
}

// TestA47SuggestionsOfREST: a prefix of any characters arrives as it is.
func TestA47SuggestionsOfREST(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	b.History.Rows = []tracing.Execution{{JobName: "50%"}, {JobName: "500"}, {JobName: "a_b"}, {JobName: "作业"}}
	for path, want := range map[string][]string{"/50%25": {"50%"}, "/a_": {"a_b"}, "/%E4%BD%9C": {"作业"}, "/x": {}, "": {"50%", "500", "a_b", "作业"}} {
		for _, list := range []string{"execution/jobNames", "status/jobNames", "execution/ip"} {
			var got []string
			b.Call(t, http.MethodGet, "/api/event-trace/"+list+path, "").Into(t, &got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s%s (-want +got)\n%s", list, path, diff)
			}
		}
	}
}

// TestA51ResultsOfREST: there's no row for a gap, and periods that do not exist are refused.
func TestA51ResultsOfREST(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	var rows []api.Result
	r := b.Call(t, http.MethodGet, "/api/job/statistics/tasks/results?interval=hour&job=invoices", "")
	if r.Into(t, &rows); len(rows) != 23 || rows[7].StatisticsTime-rows[6].StatisticsTime != 3*time.Hour.Milliseconds() || rows[13].FailedCount != 60 || rows[0].Interval != "HOUR" {
		t.Errorf("%s", r.Body)
	}
	b.Call(t, http.MethodGet, "/api/job/statistics/tasks/results?since=last24hours", "").Into(t, &rows)
	if len(rows) < 24*60-2 || rows[0].Interval != "MINUTE" {
		t.Errorf("%d rows, %+v", len(rows), rows[0])
	}
	for _, bad := range []string{"?interval=week", "?since=lastWeek", "?from=soon", "?from=2026-11-21T10:00&to=2026-11-20T10:00", "/lastYear"} {
		consoletest.WantStatus(t, b.Call(t, http.MethodGet, "/api/job/statistics/tasks/results"+bad, ""), http.StatusUnprocessableEntity)
	}
}
