package pages

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// What a list with a full page of rows may weigh: bytes as they are and compressed,
// elements; and what an open page may be sent when some time has passed.
const (
	mostBytes, mostZipped = 60_000, 20_000
	mostElements          = 1_200
	mostRegion            = 10_000
)

// busyLists is a namespace in which the lists have full pages of busy rows: long
// names, many shards, some of them in need of something, and runs that fail with long
// causes.
func busyLists(t *testing.T) *consoletest.Bench {
	// The entry of ElasticJob-Cloud at the side is no part of a list.
	b := consoletest.New(t, func(o *app.Options) { o.Cloud = nil })
	const jobs, runs, shards = 120, 20, 3
	var rows []tracing.Execution
	instances := []string{"10.2.0.14@-@2211", "10.2.0.15@-@918", "10.2.0.16@-@40551"}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.List = nil
		for n := range jobs {
			f.List = append(f.List, busyJob(n, instances))
		}
	})
	for k := range runs {
		for n := range jobs {
			start := consoletest.Noon.Add(-time.Duration(k*5+n%3+1)*time.Minute - time.Duration(n)*time.Millisecond)
			wide := shards
			if n%2 == 0 && k == 0 {
				wide = 24
			}
			for item := range wide {
				e := tracing.Execution{
					ID: fmt.Sprintf("0198f3c2-%012d", (k*jobs+n)*100+item), JobName: busyName(n), Item: item, IP: jobtree.InstanceIP(instances[item%3]), Hostname: fmt.Sprintf("worker-%d", item%3),
					TaskID: jobtree.TaskID(busyName(n), []int{item}, instances[item%3], ""), Source: tracing.SourceNormal, Trigger: tracing.TriggerSchedule, RunID: fmt.Sprintf("run-%09d", k*jobs+n), Attempt: 1,
					ScheduledAt: start.Truncate(time.Second), StartTime: start, CompleteTime: start.Add(time.Duration(200+(n*k*331)%4000) * time.Millisecond), Success: true,
				}
				if (n+k)%3 == 0 && item%2 == 1 {
					e.Success, e.FailureCause = false, "dial tcp 10.0.3.1:3306: connection timed out, attempt 4\n"+strings.Repeat("\tat shop.billing.Invoices.send(Invoices.go:117)\n", 12)
				}
				rows = append(rows, e)
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b tracing.Execution) int { return b.StartTime.Compare(a.StartTime) })
	b.History.Rows = rows
	return b
}

func busyName(n int) string { return fmt.Sprintf("settlement-daily-eu-%04d", n) }

func busyJob(n int, instances []string) statistics.JobDetail {
	j := statistics.JobDetail{Job: statistics.Job{
		Name: busyName(n), Type: jobconfig.TypeSimple, Cron: fmt.Sprintf("%d 0/%d * * * ?", 50+n%10, n%29+1), TimeZone: "GMT+8:00", Description: "Settle all accounts of the day before",
		Shards: 24, Status: statistics.StatusOK, Reason: "every shard is assigned to a live instance", Instances: 3, Servers: 3, ConfigVersion: 3, ReadySince: consoletest.Noon.Add(-time.Hour),
	}}
	switch n % 8 {
	case 1:
		j.Status, j.UnassignedShards, j.ReshardingNeeded = statistics.StatusShardingFlag, 2, true
	case 2:
		j.DisabledServers, j.DisabledItems = 1, 3
	}
	for k, id := range instances {
		ip := jobtree.InstanceIP(id)
		j.Instances = append(j.Instances, statistics.Instance{ID: id, IP: ip, Leader: k == 0, Since: consoletest.Noon.Add(-3 * time.Hour), Enabled: true})
		j.Servers = append(j.Servers, statistics.JobServer{IP: ip, Enabled: k > 0 || j.DisabledServers == 0, Data: "ENABLED", Instances: []string{id}})
	}
	for k := range j.Job.Shards {
		j.Shards = append(j.Shards, statistics.Shard{Item: k, Instance: instances[k%3], IP: jobtree.InstanceIP(instances[k%3]), Status: statistics.ShardPending})
	}
	return j
}

// TestListsAreLight: a full page of busy rows keeps within the bounds, for an operator
// in both languages, and says how many rows that are.
func TestListsAreLight(t *testing.T) {
	t.Parallel()
	b := busyLists(t)
	for _, language := range []string{"en", "zh-CN"} {
		for path, row := range map[string]string{"/jobs": "tr[data-job]", "/runs": "[data-testid=run]", "/servers/10.2.0.14": "[data-testid=server-job]", "/executions": "[data-testid=run]"} {
			r := b.As(t, auth.RoleRoot, http.MethodGet, path, nil, func(r *http.Request) { r.Header.Set("Accept-Language", language) })
			consoletest.WantStatus(t, r, http.StatusOK)
			rows, zipped, nodes := r.Doc(t).Find(row).Length(), zippedSize(t, r.Body), elements(r.Body)
			t.Logf("%s in %s: %d rows, %d bytes, %d compressed, %d elements", path, language, rows, len(r.Body), zipped, nodes)
			if rows < 25 || len(r.Body) > mostBytes || zipped > mostZipped || nodes > mostElements {
				t.Errorf("%s in %s: %d rows, %d bytes (at most %d), %d compressed (%d), %d elements (%d)", path, language, rows, len(r.Body), mostBytes, zipped, mostZipped, nodes, mostElements)
			}
		}
	}
}

func zippedSize(t *testing.T, text string) int {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

func elements(page string) (n int) {
	for tokens := html.NewTokenizer(strings.NewReader(page)); ; {
		switch tokens.Next() {
		case html.StartTagToken, html.SelfClosingTagToken:
			n++
		case html.ErrorToken:
			return n
		}
	}
}

// TestTimeAloneIsNotSent: while nothing happens but that time passes, an open list
// gets next to nothing: times count in the browser.
func TestTimeAloneIsNotSent(t *testing.T) {
	t.Parallel()
	b := busyLists(t)
	for path, region := range map[string]string{"/jobs": "jobs", "/runs": "runs", "/servers/10.2.0.14": "server-jobs", "/executions": "runs"} {
		var tags, rows []string
		ask := func() consoletest.Reply {
			return b.As(t, auth.RoleRoot, http.MethodGet, path, url.Values(nil), func(r *http.Request) {
				r.Header.Set(app.RegionHeader, region)
				r.Header.Set("If-None-Match", strings.Join(tags, ", "))
				r.Header.Set(app.RowsHeader, strings.Join(rows, ","))
			})
		}
		doc := ask().Doc(t)
		tags = []string{`"` + region + "." + doc.Find(`[data-region]`).AttrOr("data-h", "") + `"`}
		for _, row := range doc.Find("[data-row]").EachIter() {
			rows = append(rows, row.AttrOr("data-row", "")+"."+row.AttrOr("data-h", ""))
		}
		b.Pass(7 * time.Second)
		if later := ask(); len(later.Body) > mostRegion {
			t.Errorf("%s: seven seconds later its region has %d bytes, more than %d", path, len(later.Body), mostRegion)
		}
	}
}
