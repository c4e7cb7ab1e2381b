//go:build servers

package rdb

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// TestMS47PageThousandCostsAsPageOne counts the rows that servers read for the first, a middle and
// the last page of each of the console's lists, in a history of 1,000 pages. SQLite doesn't count
// rows, but TestPlans shows that its plans are the same.
func TestMS47PageThousandCostsAsPageOne(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	const page, pages = 20, 1_000
	dsn := map[string]string{}
	maria, postgres := storetest.StartMariaDB(t), storetest.StartPostgres(t)
	dsn[store.MySQL], dsn[store.Postgres] = maria.DSN(maria.NewDatabase(t)), postgres.DSN(postgres.NewDatabase(t))
	for dialect, name := range dsn {
		t.Run(dialect, func(t *testing.T) {
			db := storetest.Open(t, name)
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			fill(t, db, page*pages)
			most := 2*page + 10
			if dialect == store.Postgres {
				most = 500 // PostgreSQL likes to sort so few rows from an index
			}
			for _, depth := range []int{0, pages / 2, pages - 1} {
				at := &position{at: noon.Add(time.Duration(page*(pages-depth)) * time.Second), id: "id-"}
				cursor := ""
				if depth > 0 {
					cursor = at.encode(order{})
				}
				read := func(what string, ask func(*Store) error) {
					t.Helper()
					for _, statement := range recorded(t, db, ask) {
						if n := rowsRead(t, db, statement); n > most {
							t.Errorf("%s from page %d on: %d rows are read to find %d:\n%s\n%s", what, depth+1, n, page+1, statement, explain(t, db, statement))
						}
					}
				}
				for what, f := range map[string]ExecutionFilter{
					"all": {}, "of a job": {JobName: "job3"}, "of the busiest job": {JobName: "job0"}, "of a server": {IP: "10.0.0.3"}, "failed": {State: RunFailed},
					"succeeded": {State: RunSuccess},
				} {
					f.Cursor, f.Limit = cursor, page
					read("executions "+what, func(s *Store) error { _, err := s.Executions(t.Context(), f); return err })
				}
				for what, f := range map[string]StatusFilter{"all": {}, "of a job": {JobName: "job3"}, "of the busiest job": {JobName: "job0"}} {
					f.Cursor, f.Limit = cursor, page
					read("statuses "+what, func(s *Store) error { _, err := s.Statuses(t.Context(), f); return err })
				}
			}
		})
	}
}

var actual = regexp.MustCompile(`actual rows=(\d+)|Rows Removed by [A-Za-z ]*: (\d+)`)

// rowsRead returns the number of rows that a server read for a statement.
func rowsRead(t *testing.T, db *store.DB, statement string) (n int) {
	t.Helper()
	if db.Dialect == store.Postgres {
		var lines []string
		if err := db.Raw("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + statement).Scan(&lines).Error; err != nil {
			t.Fatal(err)
		}
		removed := 0
		for _, hit := range actual.FindAllStringSubmatch(strings.Join(lines, "\n"), -1) {
			if rows, err := strconv.Atoi(hit[1]); err == nil {
				n = max(n, rows) // the same rows are passed from step to step
			}
			if rows, err := strconv.Atoi(hit[2]); err == nil {
				removed += rows
			}
		}
		return n + removed
	}
	err := db.Connection(func(tx *gorm.DB) error {
		if err := tx.Exec("FLUSH STATUS").Error; err != nil {
			return err
		}
		var ignored []map[string]any
		if err := tx.Raw(statement).Scan(&ignored).Error; err != nil {
			return err
		}
		var counters []struct {
			Name  string `gorm:"column:Variable_name"`
			Value int    `gorm:"column:Value"`
		}
		if err := tx.Raw("SHOW SESSION STATUS LIKE 'Handler_read%'").Scan(&counters).Error; err != nil {
			return err
		}
		for _, counter := range counters {
			n += counter.Value
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Fatal("the server counts nothing")
	}
	return n
}
