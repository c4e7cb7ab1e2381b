package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// crowded makes one of the bench's jobs have many shards, which its instances
// share in turn.
func crowded(b *consoletest.Bench, name string, shards int) {
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		for i := range f.List {
			if f.List[i].Name != name {
				continue
			}
			f.List[i].Job.Shards, f.List[i].Shards = shards, nil
			for item := range shards {
				owner := f.List[i].Instances[item%len(f.List[i].Instances)]
				f.List[i].Shards = append(f.List[i].Shards, statistics.Shard{
					Item: item, Status: statistics.ShardPending, Instance: owner.ID, IP: owner.IP, Reason: "asked to fail",
				})
			}
		}
	})
}

// TestV14ShardingIsPaged: an answer lists at most a thousand shards however many
// there are, its header says how many, and the pages make up the whole.
func TestV14ShardingIsPaged(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	const shards, at = 20_500, "/api/jobs/invoices/sharding"
	crowded(b, "invoices", shards)
	items := func(query string) (list []api.Shard) {
		t.Helper()
		r := b.As(t, auth.RoleGuest, http.MethodGet, at+query, nil)
		consoletest.WantStatus(t, r, http.StatusOK)
		if r.Header.Get("X-Total-Count") != "20500" || len(r.Body) > 256<<10 {
			t.Errorf("%q: %s shards in all, %d KB", query, r.Header.Get("X-Total-Count"), len(r.Body)>>10)
		}
		r.Into(t, &list)
		return list
	}
	next := 0
	for page := 1; page <= 21; page++ {
		for _, s := range items(fmt.Sprintf("?page=%d", page)) {
			if s.Item != next {
				t.Fatalf("page %d: shard %d, want %d", page, s.Item, next)
			}
			next++
		}
	}
	if next != shards {
		t.Errorf("%d shards on all pages", next)
	}
	for query, want := range map[string][2]int{ // the first shard, and how many
		"": {0, 1000}, "?pageSize=7": {0, 7}, "?page=3&pageSize=30": {60, 30}, "?page=21": {20_000, 500}, "?page=22": {0, 0}, "?page=100000": {0, 0},
		"?limit=10&offset=20&order=asc": {0, 1000}, // what tables of ElasticJob 2.x send; they want all
	} {
		list := items(query)
		if len(list) != want[1] || len(list) > 0 && list[0].Item != want[0] {
			t.Errorf("%q: %d shards", query, len(list))
		}
	}
	for query, says := range map[string]string{
		"?page=0": "1 to 100000", "?page=100001": "1 to 100000", "?page=-1": "1 to 100000", "?page=99999999999999999999": "1 to 100000",
		"?pageSize=0": "1 to 1000", "?pageSize=1001": "1 to 1000", "?pageSize=all": "1 to 1000",
	} {
		r := b.As(t, auth.RoleRoot, http.MethodGet, at+query, nil)
		consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
		if !strings.Contains(r.Body, "is not a number from "+says) {
			t.Errorf("%s: %s", query, r.Body)
		}
	}
	envelope, _ := as3x[[]api.Shard](t, b, b.Token(t, auth.RoleGuest, auth.ForAPI), http.MethodGet, at, "")
	if len(envelope.Model) != query.MaxShards {
		t.Errorf("clients of 3.x get %d shards", len(envelope.Model))
	}
	var detail api.JobDetail
	r := b.Call(t, http.MethodGet, "/api/jobs/invoices", "")
	if r.Into(t, &detail); len(detail.Shards) != query.MaxShards || detail.ShardingTotalCount != shards {
		t.Errorf("the job has %d of %d shards", len(detail.Shards), detail.ShardingTotalCount)
	}
}

// TestV14ShardsOfAPage: the page of the shards shows a hundred of them and leads to the
// others; what an instance has is summarized.
func TestV14ShardsOfAPage(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	if doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards", nil).Doc(t); doc.Find("[data-region=shards] [data-testid=pager]").Length() != 0 {
		t.Error("a job with few shards has a pager")
	}
	crowded(b, "invoices", 250)
	for query, want := range map[string]struct {
		rows                       int
		first, summary, prev, next string
	}{
		"":          {100, "0", "1–100 of 250 shards", "", "/jobs/invoices/shards?page=2"},
		"?page=2":   {100, "100", "101–200 of 250 shards", "/jobs/invoices/shards", "/jobs/invoices/shards?page=3"},
		"?page=3":   {50, "200", "201–250 of 250 shards", "/jobs/invoices/shards?page=2", ""},
		"?page=4":   {50, "200", "201–250 of 250 shards", "/jobs/invoices/shards?page=2", ""},
		"?page=two": {100, "0", "1–100 of 250 shards", "", "/jobs/invoices/shards?page=2"},
	} {
		doc := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards"+query, nil).Doc(t)
		rows := doc.Find("[data-testid=shard]")
		if rows.Length() != want.rows || consoletest.Words(rows.First().Find("td").First()) != want.first {
			t.Errorf("%q: %d rows, the first is %q", query, rows.Length(), consoletest.Words(rows.First()))
		}
		pager := doc.Find("[data-region=shards] [data-testid=pager]")
		if got := consoletest.Words(pager.Find("[data-testid=pager-summary]")); got != want.summary {
			t.Errorf("%q: %q", query, got)
		}
		if prev, next := pager.Find("[rel=prev]").AttrOr("href", ""), pager.Find("[rel=next]").AttrOr("href", ""); prev != want.prev || next != want.next {
			t.Errorf("%q: previous %q, next %q", query, prev, next)
		}
	}
	crowded(b, "invoices", 100_000)
	r := b.As(t, auth.RoleGuest, http.MethodGet, "/jobs/invoices/shards", nil)
	if len(r.Body) > 1<<20 {
		t.Errorf("the page has %d KB", len(r.Body)>>10)
	}
	if !strings.Contains(r.Body, "shards 0, 3, 6,") || !strings.Contains(r.Body, "33,314 more") {
		t.Error("the shards of an instance are not summarized")
	}
}

// TestV14ExplainedShards: a finding about many shards lists the first of them and
// says how many there are.
func TestV14ExplainedShards(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	items := make([]int, 100_000)
	for i := range items {
		items[i] = i
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Why = statistics.Explanation{Findings: []statistics.Finding{
			{Code: statistics.CodeItemWithoutOwner, Effect: statistics.EffectShards, Items: items},
			{Code: statistics.CodeItemDisabled, Effect: statistics.EffectShards, Items: items[:1]},
			{Code: statistics.CodeMonitorOff, Effect: statistics.EffectNothing},
		}}
	})
	var got api.Explanation
	b.As(t, auth.RoleGuest, http.MethodGet, "/api/jobs/invoices/explain", nil).Into(t, &got)
	for i, want := range [][2]int{{100, 100_000}, {1, 1}, {0, 0}} {
		if f := got.Findings[i]; len(f.Items) != want[0] || f.ItemCount != want[1] {
			t.Errorf("%s: %d shards, %d in all", f.Code, len(f.Items), f.ItemCount)
		}
	}
}
