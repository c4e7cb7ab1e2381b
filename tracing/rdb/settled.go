package rdb

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// A requested run that is assigned to one shard may continue on another one after a retry, a restart or a
// loss. Its executions alone don't show that, so the state of the requested run decides.

// settle marks the executions that didn't succeed, of requested runs that did or aren't over.
func (s *Store) settle(ctx context.Context, rows []tracing.Execution) error {
	var keys []runKey
	for _, e := range rows {
		if maybeRequested(e) && !e.Success {
			keys = append(keys, runKey{e.JobName, e.RunID})
		}
	}
	slices.SortFunc(keys, func(a, b runKey) int { return strings.Compare(a.id, b.id) })
	states, err := s.requestedStates(ctx, slices.Compact(keys))
	for i := range rows {
		e := &rows[i]
		if e.Superseded, e.Unfinished = false, false; maybeRequested(*e) && !e.Success {
			state, known := states[runKey{e.JobName, e.RunID}]
			e.Superseded, e.Unfinished = state == jobrun.Succeeded, known && !state.Ended()
		}
	}
	return err
}

// maybeRequested reports whether an execution may be one of a requested run.
func maybeRequested(e tracing.Execution) bool {
	return e.RunID != "" && e.Trigger != "" && e.Trigger != tracing.TriggerSchedule && e.Trigger != tracing.TriggerMisfire
}

// requestedStates returns the recorded states of requested runs. A run that isn't on record has none.
func (s *Store) requestedStates(ctx context.Context, keys []runKey) (map[runKey]jobrun.State, error) {
	states := make(map[runKey]jobrun.State, len(keys))
	for part := range slices.Chunk(keys, rowsPerStatement) {
		runs, err := readAll(ctx, s, "states of requested runs", scanRunState, func(form shape) (string, []any) {
			args := make([]any, len(part))
			for i, key := range part {
				args[i] = key.id
			}
			return "SELECT " + form.plain("id, job_name, state") + " FROM " + runTable + " WHERE id IN (?" + strings.Repeat(", ?", len(part)-1) + ")", args
		})
		if errors.Is(err, ErrNoRunTables) {
			return states, nil
		}
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			states[runKey{r.JobName, r.ID}] = r.State
		}
	}
	return states, nil
}

func scanRunState(rows *sql.Rows, _ ...any) (r tracing.RunRecord, err error) {
	err = rows.Scan(&r.ID, &r.JobName, &r.State)
	return r, err
}
