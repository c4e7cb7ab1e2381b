//go:build servers

package main

import (
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestRequestedPages: the page that is reached in strides is that which one comes to page
// by page, and a list that ends before says so.
func TestRequestedPages(t *testing.T) {
	t.Parallel()
	server := storetest.StartMariaDB(t)
	db := storetest.Open(t, server.DSN(server.NewDatabase(t)))
	if err := fillRequested(t.Context(), db, 2500); err != nil {
		t.Fatal(err)
	}
	reader := rdb.NewStore(db.Database)
	for name, f := range map[string]rdb.RequestedFilter{"all": {}, "job": {JobName: "job-000"}} {
		f.Limit = 20
		slow := f
		for range 24 {
			page, err := reader.RequestedRuns(t.Context(), slow)
			if err != nil {
				t.Fatal(err)
			}
			slow.Cursor = page.Next
		}
		want, err := reader.RequestedRuns(t.Context(), slow)
		if err != nil {
			t.Fatal(err)
		}
		if f.Cursor, err = requestedCursor(t.Context(), reader, f, 25); err != nil {
			t.Fatal(err)
		}
		got, err := reader.RequestedRuns(t.Context(), f)
		if err != nil || len(got.Runs) != 20 || got.Runs[0].ID != want.Runs[0].ID || got.Runs[19].ID != want.Runs[19].ID {
			t.Errorf("%s: %d runs, %v", name, len(got.Runs), err)
		}
	}
	if _, err := timedPages(t.Context(), reader, rdb.RequestedFilter{Limit: 50}, queryDeep, false); err == nil || !strings.Contains(err.Error(), "page 1000 is ") {
		t.Errorf("error %v", err)
	}
	for _, q := range requestedQuestions {
		q.filter.Limit = 10
		if took, err := timedPages(t.Context(), reader, q.filter, 1, q.few); err != nil || len(took) != queryRounds {
			t.Errorf("%s: %d times, %v", q.name, len(took), err)
		}
	}
}
