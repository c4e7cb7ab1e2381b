package console

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// RequestedFilter says which of the runs of a job are listed.
type RequestedFilter struct {
	State    jobrun.State // empty for all
	Key      string       // the idempotency key, or the id of the run; empty for all
	Origin   string       // the Kind of who requested it, empty for all
	Job      string       // of the runs of all jobs only those of this one
	From, To time.Time    // when they were submitted, both included; zero for no bound
	Limit    int
	Cursor   string // of the page before
}

func (f RequestedFilter) has(r jobrun.Run) bool {
	return (f.State == "" || r.State == f.State) && (f.Key == "" || r.Key == f.Key || r.ID == f.Key) && (f.Origin == "" || r.By.Kind == f.Origin) && !r.Submitted.Before(f.From) && (f.To.IsZero() || !r.Submitted.After(f.To))
}

// narrow: not every run is listed.
func (f RequestedFilter) narrow() bool {
	return f.State != "" || f.Key != "" || f.Origin != "" || !f.From.IsZero() || !f.To.IsZero()
}

// RequestedPage is a page of the runs of a job: those that run, then those that wait,
// by their time, then those that ended last; then those that have ended and that the
// trace database alone has.
type RequestedPage struct {
	Runs []jobrun.Run
	// Older is how many of them, the last ones, the registry has no more.
	Older int
	Next  string // the cursor of the page after it, empty for none
	// Waiting and Ended are how many the registry has in all, whatever the filter.
	Waiting, Ended int
}

// MostRequested is how many runs that wait, and as many that ended, a list reads at
// most: what is behind them is found by its id.
const MostRequested = 1000

// List reads runs of a job, as the caller may see them.
func (s RequestedRuns) List(c *gin.Context, job string, f RequestedFilter) (page RequestedPage, err error) {
	older, behind := strings.CutPrefix(f.Cursor, olderCursor)
	after, ok := requestedPlace{}, true
	if !behind {
		after, ok = parseRequestedPlace(f.Cursor)
	}
	if !ok {
		return page, Invalid("", "").SaidAs(i18n.Lang.RequestCursor, i18n.Lang.RequestCursorHint)
	}
	if _, stale := SnapshotOf(c); stale {
		return page, s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	most := MostRequested
	if f.Cursor == "" && !f.narrow() {
		most = f.Limit + 1
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.RegistryOf(c).Operator.Runs(ctx, job, most)
	if err != nil {
		return page, s.unread(c, Target{Job: job}, err)
	}
	page.Waiting, page.Ended = list.WaitingCount, list.EndedCount
	all := slices.Concat(list.Active, list.Waiting, list.Ended)
	if f.Cursor == "" && isRunID(f.Key) && !slices.ContainsFunc(all, func(r jobrun.Run) bool { return r.ID == f.Key }) {
		if run, err := s.RegistryOf(c).Operator.Run(ctx, job, f.Key); err == nil { // It is behind those that were read.
			all = append(all, run)
		}
	}
	if !behind {
		page.add(all, f, after)
	}
	if page.Next == "" {
		err = s.addOlder(ctx, c, &page, job, f, older, all)
	}
	if LooksOnly(c) && len(page.Runs) > 0 {
		schema := s.schemaOf(ctx, c, job)
		for i := range page.Runs {
			page.Runs[i] = maskedRequest(page.Runs[i], schema)
		}
	}
	return page, err
}

// add appends runs that the registry has, behind a place.
func (p *RequestedPage) add(all []jobrun.Run, f RequestedFilter, after requestedPlace) {
	slices.SortStableFunc(all, func(a, b jobrun.Run) int { return requestedPlaceOf(a).compare(requestedPlaceOf(b)) })
	for _, run := range all {
		switch {
		case !f.has(run), f.Cursor != "" && requestedPlaceOf(run).compare(after) <= 0:
			continue
		case len(p.Runs) == f.Limit:
			p.Next = requestedPlaceOf(p.Runs[f.Limit-1]).String()
			return
		}
		p.Runs = append(p.Runs, run)
	}
}

// olderCursor begins the cursor of a page of runs that the trace database alone has.
const olderCursor = "older."

// How the trace database is read for those: so many rows at once, so often for a page.
const (
	mostOlder  = 200
	olderReads = 8
)

// addOlder fills a page up with runs that have ended and that the registry has no more.
// Without a trace database that has any the page stays as it is, and so it does while the
// database does not answer, unless the reader has come so far already.
func (s RequestedRuns) addOlder(ctx context.Context, c *gin.Context, page *RequestedPage, job string, f RequestedFilter, cursor string, there []jobrun.Run) error {
	h := s.HistoryOf(c)
	if h == nil || f.State != "" && !f.State.Ended() {
		return nil
	}
	known := make(map[string]bool, len(there))
	for _, r := range there {
		known[r.ID] = true
	}
	if f.Cursor == "" && isRunID(f.Key) && !known[f.Key] && len(page.Runs) < f.Limit {
		if r, err := h.RequestedRun(ctx, job, f.Key); err == nil {
			run := runOfRecord(r)
			if s.isLost(ctx, c, job, run) {
				run = lost(run)
			}
			if run.State.Ended() && f.has(run) {
				page.Runs, known[run.ID] = append(page.Runs, run), true
				page.Older++
			}
		}
	}
	room := f.Limit - len(page.Runs)
	asked := rdb.RequestedFilter{JobName: job, State: f.State, Key: f.Key, Origin: f.Origin, From: f.From, To: f.To, Cursor: cursor}
	for range olderReads {
		asked.Limit = min(mostOlder, room+len(known)+1)
		got, err := h.RequestedRuns(ctx, asked)
		if err != nil {
			return noOlder(f, err)
		}
		for i, r := range got.Runs {
			run := runOfRecord(r)
			if !known[run.ID] && s.isLost(ctx, c, job, run) {
				run = lost(run)
			}
			switch {
			case known[run.ID] || !run.State.Ended(): // The registry has it.
				continue
			case room == 0:
				return olderFrom(ctx, h, page, asked, i)
			}
			page.Runs = append(page.Runs, run)
			page.Older++
			room--
		}
		if asked.Cursor = got.Next; got.Next == "" {
			return nil
		}
	}
	page.Next = olderCursor + asked.Cursor
	return nil
}

// noOlder is what becomes of a page if the trace database cannot be read.
func noOlder(f RequestedFilter, err error) error {
	if !strings.HasPrefix(f.Cursor, olderCursor) {
		return nil
	}
	return HistoryProblem(err)
}

// olderFrom has the next page begin with a row of what was asked.
func olderFrom(ctx context.Context, h RunHistory, page *RequestedPage, asked rdb.RequestedFilter, row int) error {
	if row > 0 {
		asked.Limit = row
		got, err := h.RequestedRuns(ctx, asked)
		if err != nil {
			return HistoryProblem(err)
		}
		asked.Cursor = got.Next
	}
	page.Next = olderCursor + asked.Cursor
	return nil
}
