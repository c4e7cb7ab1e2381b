//go:build servers

package main

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestRequestedPages: a page that is reached in long steps is the same as page by page, and a
// list that ends before is an error.
func TestRequestedPages(t *testing.T) {
	t.Parallel()
	server := storetest.StartMariaDB(t)
	db := storetest.Open(t, server.DSN(server.NewDatabase(t)))
	b := &bench{Context: t.Context()}
	err := attempt(func() {
		fillRequested(b, db, 2500)
		reader := rdb.NewStore(db.Database)
		for name, f := range map[string]rdb.RequestedFilter{"all": {}, "job": {JobName: "job-000"}} {
			f.Limit = 20
			slow := f
			for range 24 {
				slow.Cursor = must(reader.RequestedRuns(b, slow)).Next
			}
			want := must(reader.RequestedRuns(b, slow)).Runs
			f.Cursor = b.requestedCursor(reader, f, 25)
			got := must(reader.RequestedRuns(b, f)).Runs
			if len(got) != 20 || got[0].ID != want[0].ID || got[19].ID != want[19].ID {
				t.Errorf("%s: %d runs", name, len(got))
			}
		}
		for _, q := range requestedQueries {
			q.filter.Limit = 10
			b.requestedPage(reader, q.name, q.filter, 1, q.few)
		}
		if err := attempt(func() { b.requestedPage(reader, "all", rdb.RequestedFilter{Limit: 50}, queryDeep, false) }); err == nil || !strings.Contains(err.Error(), "page 1000 is ") {
			t.Errorf("error %v", err)
		}
	})
	if err != nil || len(b.figures) != len(requestedQueries) {
		t.Errorf("%d figures, %v", len(b.figures), err)
	}
}
