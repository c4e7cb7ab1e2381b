package rdb

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"
)

// longestSpan is the longest duration of an execution for which [runList.before] finds it.
// Otherwise it would have to search the whole history.
const longestSpan = 7 * 24 * time.Hour

// before reads the executions that began before From and were still running then: those that ended
// within [longestSpan] after From, by the index of ends, and those still running. The longest
// recorded duration limits the search.
func (l *runList) before(ctx context.Context, f ExecutionFilter) ([]candidate, string, error) {
	from, limit := f.From, f.Limit
	f.From, f.To, f.Limit = time.Time{}, from.Add(-time.Millisecond), 0
	q, err := executionQuery(l.form, f)
	if err != nil {
		return nil, "", err
	}
	longest, err := l.longest(ctx, q)
	if err != nil {
		return nil, "", err
	}
	ended := path{index: "EXECUTION_COMPLETE_INDEX"}
	if l.form.dialect == "mysql" {
		ended.index = "EXECUTION_UNFINISHED_INDEX"
	}
	after := q.segments()[0].terms
	finished := append(slices.Clone(q.terms), term{sql: "complete_time >= ?", args: []any{l.form.bind(from)}},
		term{sql: "complete_time <= ?", args: []any{l.form.bind(from.Add(longest))}})
	going := append(slices.Clone(q.terms), term{sql: "complete_time IS NULL"}, term{sql: "COALESCE(failure_cause, '') = ''"},
		term{sql: "NOT (" + l.form.lostCondition() + ")"})
	var found []candidate
	for _, part := range []struct {
		path  path
		terms terms
	}{{ended, finished}, {path{index: "EXECUTION_UNFINISHED_INDEX"}, going}} {
		where, args := slices.Concat(part.terms, after).where()
		rows, err := readRows(l.store.db.WithContext(ctx), scanCandidate,
			"SELECT "+l.form.candidateSelect()+" FROM "+q.source(part.path)+" WHERE "+where+
				" ORDER BY start_time DESC, id DESC LIMIT "+strconv.Itoa(limit+1), args...)
		if err != nil {
			return nil, "", err
		}
		found = append(found, rows...)
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id)) })
	if len(found) <= limit {
		return found, "", nil
	}
	return found[:limit], found[limit-1].place(), nil
}

// longest returns the longest duration of an execution, at most [longestSpan].
func (l *runList) longest(ctx context.Context, q query) (time.Duration, error) {
	took := l.form.tookSQL()
	var longest []int64
	err := l.store.db.WithContext(ctx).Raw("SELECT " + took + " FROM " + q.source(path{index: "EXECUTION_DURATION_INDEX"}) +
		" WHERE " + took + " IS NOT NULL ORDER BY " + took + " DESC LIMIT 1").Scan(&longest).Error
	if err != nil || len(longest) == 0 {
		return 0, err
	}
	return min(time.Duration(longest[0])*time.Millisecond, longestSpan), nil
}
