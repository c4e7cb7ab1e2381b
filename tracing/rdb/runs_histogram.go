package rdb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of a histogram. A bucket counts up to maxInBucket index entries, or checks
// maxLookedInBucket rows if no index answers the filter.
const (
	maxBuckets        = 100
	maxInBucket       = 9_999
	maxLookedInBucket = 1_000
	// twoCounts exceeds any count of a bucket, so two counts fit into one number.
	twoCounts = 100_000
)

// Bucket counts the executions that began in a period.
type Bucket struct {
	From, To time.Time
	// Began counts all of them, Failed the failed and lost ones. Cancelled ones only count as Began.
	Began, Failed int
	// Capped is true if there are, or may be, more.
	Capped bool
}

// Histogram counts the executions by which the filter finds runs, by start time in equal buckets.
// Errors wrap [ErrInvalidFilter] or the database's error.
func (s *Store) Histogram(ctx context.Context, filter RunFilter, from, to time.Time, buckets int) ([]Bucket, error) {
	return read(ctx, s, "histogram of runs", func(ctx context.Context, form shape) ([]Bucket, error) {
		if buckets < 1 || buckets > maxBuckets || !to.After(from) {
			return nil, fmt.Errorf("%w: %d buckets from %s to %s, must be 1 to %d of some time", ErrInvalidFilter,
				buckets, from.Format(time.RFC3339), to.Format(time.RFC3339), maxBuckets)
		}
		list := make([]Bucket, buckets)
		width := to.Sub(from) / time.Duration(buckets)
		for i := range list {
			list[i].From, list[i].To = from.Add(time.Duration(i)*width), from.Add(time.Duration(i+1)*width)
		}
		list[buckets-1].To = to
		f := filter.executions()
		f.From, f.To, f.Cursor = time.Time{}, time.Time{}, ""
		err := s.fillBuckets(ctx, form, f, list, func(b *Bucket, n int, capped bool) { b.Began, b.Capped = n, b.Capped || capped })
		switch f.State {
		case RunFailed, RunLost:
			for i := range list {
				list[i].Failed = list[i].Began
			}
		case RunAny:
			for _, f.State = range []RunState{RunFailed, RunLost} {
				if err == nil {
					err = s.fillBuckets(ctx, form, f, list, func(b *Bucket, n int, capped bool) { b.Failed, b.Capped = min(b.Failed+n, b.Began), b.Capped || capped })
				}
			}
		}
		return list, err
	})
}

func (s *Store) fillBuckets(ctx context.Context, form shape, f ExecutionFilter, list []Bucket, set func(*Bucket, int, bool)) error {
	q, err := executionQuery(form, f)
	if err != nil {
		return err
	}
	p, most := q.walk, maxInBucket
	// There are few failures, so rows may be checked for the other conditions.
	if len(q.rest(p)) > 0 && !q.terms.has("result", "unfinished") {
		most = maxLookedInBucket
	}
	answered, hint := q.terms, ""
	if most == maxLookedInBucket {
		answered = q.answered(p)
	}
	if form.dialect == "postgres" {
		hint = " ORDER BY start_time DESC"
	}
	matches, matchesArgs := "1", []any(nil)
	if most == maxLookedInBucket {
		rest, args := q.rest(p).where()
		matches, matchesArgs = "CASE WHEN "+rest+" THEN 1 ELSE 0 END", args
	}
	// count returns a query for the number of rows in a period and the number of matching rows.
	count := func(columns, from, to string, args ...any) (string, []any) {
		where, of := append(answered[:len(answered):len(answered)],
			term{sql: "start_time >= " + from, args: args[:len(args)/2]}, term{sql: "start_time < " + to, args: args[len(args)/2:]}).where()
		return "SELECT " + columns + " FROM (SELECT " + matches + " AS m FROM " + q.source(p) + " WHERE " + where + hint + " LIMIT " + strconv.Itoa(most) + ") t",
			slices.Concat(matchesArgs, of)
	}
	var statement string
	var args []any
	if form.dialect == "sqlite" { // see eachOf
		spans := make([][2]any, len(list))
		for i, b := range list {
			spans[i] = [2]any{form.bind(b.From), form.bind(b.To)}
		}
		both := "COUNT(*) * " + strconv.Itoa(twoCounts) + " + COALESCE(SUM(m), 0)"
		statement, args = count(both, "json_extract(w.value, '$[0]')", "json_extract(w.value, '$[1]')")
		statement, args = "SELECT w.key, ("+statement+"), 0 FROM json_each(?) AS w", append(args, jsonOf(spans))
	} else {
		var parts []string
		for i, b := range list {
			part, of := count(strconv.Itoa(i)+" AS bucket, COUNT(*) AS looked, COALESCE(SUM(m), 0) AS n", "?", "?", form.bind(b.From), form.bind(b.To))
			parts, args = append(parts, part), append(args, of...)
		}
		statement = strings.Join(parts, " UNION ALL ")
	}
	return eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
		var i, looked, n int
		if err := rows.Scan(&i, &looked, &n); err != nil {
			return err
		}
		if form.dialect == "sqlite" {
			looked, n = looked/twoCounts, looked%twoCounts
		}
		set(&list[i], n, looked == most)
		return nil
	}, statement, args...)
}
