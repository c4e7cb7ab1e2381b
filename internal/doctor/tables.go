package doctor

import (
	"context"
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/migrations"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const migrate = "run `console migrate up`; `console serve` does it when it starts"

// Tables checks the tables of a trace database.
func Tables(ctx context.Context, db *rdb.DB) []Finding {
	where := db.String()
	pending, err := db.Pending(ctx)
	if err != nil {
		return []Finding{unread(where, err)}
	}
	if pending > 0 {
		return []Finding{New(Warning, where, fmt.Sprintf("%d migrations are missing", pending),
			"tables, columns or indexes of the history don't exist, so pages are slow or empty", migrate)}
	}
	faults, err := rdb.Findings(ctx, db)
	if err != nil {
		return []Finding{unread(where, err)}
	}
	var list []Finding
	for _, f := range faults {
		table := f.Table
		if table == "" {
			table = where
		}
		list = append(list, New(Warning, table, f.Problem, f.Why, f.SQL))
	}
	found, err := rdb.NewStore(db).Describe(ctx)
	if err != nil {
		return append(list, unread(where, err))
	}
	if len(found.LacksIndexes) == 0 {
		return list
	}
	var sql []string
	for _, name := range found.LacksIndexes {
		if statement, ok := migrations.Index(found.Dialect, name); ok {
			sql = append(sql, statement)
		}
	}
	return append(list, New(Warning, where, "indexes are missing: "+strings.Join(found.LacksIndexes, ", "),
		"each page of the history reads whole tables", strings.Join(sql, " ")))
}

func unread(where string, err error) Finding {
	return New(Error, where, "couldn't check the trace tables: "+err.Error(),
		"runs can't be recorded or shown", "check the data source name, the account's rights and the server")
}
