package requested

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// mostRuns bounds the waiting runs of a job that a list reads, and the ended runs. Other runs are
	// found by their ids.
	mostRuns = 1000
	// mostJobs bounds the jobs that a page of the runs of all jobs reads. Only jobs with requested
	// runs count: the list of jobs knows them.
	mostJobs   = 50
	jobsAtOnce = 8
	// mostOlder bounds the rows of a read of the trace database, olderReads the reads for a page.
	mostOlder  = 200
	olderReads = 8
	// olderCursor begins the cursor of a page of runs that only the trace database has.
	olderCursor = "older."
	// liveCursor begins the cursor of a page of runs of all jobs that haven't ended: the place of the
	// last one in its job, empty behind all runs of the job, and the job.
	liveCursor = "live/"
)

// page is a page of requested runs: running runs, then waiting runs, by their time, then ended runs,
// the newest first; behind them older ended runs from the trace database. It may have fewer runs than
// its limit, or none, and still a page after it.
type page struct {
	Runs []Found
	Next string // the cursor of the page after it, empty for none
	// Waiting and Ended are the numbers of runs of the job that the registry has.
	Waiting, Ended int
	// Registry and Database are the outcomes of reading them for a page of the runs of all jobs.
	Registry, Database string
	// Unreadable are jobs with runs that the console may not read.
	Unreadable []string
}

// source is the place from which the runs of a page of one job were read.
func (p *page) source() string {
	switch older := p.older(); {
	case older == 0:
		return api.FromRegistry
	case older == len(p.Runs):
		return api.FromDatabase
	}
	return api.FromBoth
}

// older counts the runs that the registry no longer has.
func (p *page) older() (n int) {
	for _, r := range p.Runs {
		if r.Source == api.FromDatabase {
			n++
		}
	}
	return n
}

// has reports whether a filter selects a run.
func has(f query.Requested, r jobrun.Run) bool {
	return (f.State == "" || string(r.State) == f.State) && (f.Key == "" || r.Key == f.Key || r.ID == f.Key) && (f.Origin == "" || r.By.Kind == f.Origin) &&
		!r.Submitted.Before(f.From) && (f.To.IsZero() || !r.Submitted.After(f.To))
}

// liveOnly and endedOnly report whether a filter selects only runs that haven't ended, or only ended runs.
func liveOnly(f query.Requested) bool  { return f.State != "" && !jobrun.State(f.State).Ended() }
func endedOnly(f query.Requested) bool { return jobrun.State(f.State).Ended() }

func wrongCursor() *app.Problem {
	return app.InvalidAs(i18n.Lang.RequestCursor, i18n.Lang.RequestCursorHint)
}

// list reads runs of a job, as the caller may see them.
func (s service) list(c *gin.Context, job string, f query.Requested) (p page, err error) {
	older, behind := strings.CutPrefix(f.Cursor, olderCursor)
	var after place
	if !behind {
		var ok bool
		if after, ok = parsePlace(f.Cursor); !ok {
			return p, wrongCursor()
		}
		older = ""
	}
	most := mostRuns
	if f.Cursor == "" && !f.Narrow() {
		most = f.Limit + 1
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := reading(s, c, job, "", func(ctx context.Context, op app.Operator) (jobrun.List, error) { return op.Runs(ctx, job, most) })
	if err != nil {
		return p, err
	}
	p.Waiting, p.Ended = list.WaitingCount, list.EndedCount
	all := slices.Concat(list.Active, list.Waiting, list.Ended)
	byID := f.Cursor == "" && isRunID(f.Key) && !slices.ContainsFunc(all, func(r jobrun.Run) bool { return r.ID == f.Key })
	if byID { // It may be behind the runs that were read.
		if run, err := s.RegistryOf(c).Operator.Run(ctx, job, f.Key); err == nil {
			all, byID = append(all, run), false
		}
	}
	if !behind {
		p.add(job, all, f, after)
	}
	if h := s.HistoryOf(c); h != nil && p.Next == "" && !liveOnly(f) {
		known := make(map[string]bool, len(all))
		for _, r := range all {
			known[r.ID] = true
		}
		if byID && len(p.Runs) < f.Limit {
			if r, err := h.RequestedRun(ctx, job, f.Key); err == nil {
				if run := s.ended(ctx, c, r); run.State.Ended() && has(f, run.Run) {
					p.Runs, known[run.ID] = append(p.Runs, run), true
				}
			}
		}
		// While the database can't be read, the list ends with the runs of the registry, unless
		// the reader has come further already.
		if _, err := s.addOlder(ctx, c, h, &p, job, f, older, known); err != nil && behind {
			return p, app.HistoryProblem(err)
		}
	}
	s.mask(c, &p)
	return p, nil
}

// listAll reads runs of all jobs, as the caller may see them. It fails only if nothing can be read:
// otherwise the page has the outcome for each place.
func (s service) listAll(c *gin.Context, f query.Requested) (p page, err error) {
	older, isOlder := strings.CutPrefix(f.Cursor, olderCursor)
	at, isLive := strings.CutPrefix(f.Cursor, liveCursor)
	after, job, named := strings.Cut(at, "/")
	if _, ok := parsePlace(after); f.Cursor != "" && !isOlder && (!isLive || !named || !ok) {
		return p, wrongCursor()
	}
	if !isOlder {
		older = ""
	}
	p.Registry, p.Database = api.PlaceNotAsked, api.PlaceNotAsked
	var down error
	if isLive || f.Cursor == "" && !endedOnly(f) {
		p.Registry = api.PlaceRead
		if down = s.addLive(c, &p, f, job, after); down != nil {
			if f.Cursor != "" || liveOnly(f) || app.AsProblem(down).Kind != app.KindUnavailable {
				return p, down
			}
			p.Runs, p.Next, p.Registry = nil, "", api.PlaceUnavailable
		}
	}
	switch {
	case p.Next != "" || liveOnly(f):
	case len(p.Runs) == f.Limit:
		p.Next = olderCursor // The database is for the next page.
	default:
		if err := s.addEnded(c, &p, f, older); err != nil {
			return p, err
		}
		if down != nil && p.Database != api.PlaceRead {
			return p, down
		}
	}
	s.mask(c, &p)
	return p, nil
}

// addLive appends runs that have not ended, of the jobs that have any: behind a place in a job.
func (s service) addLive(c *gin.Context, p *page, f query.Requested, job, after string) error {
	if _, stale := app.SnapshotOf(c); stale {
		return s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	jobs, err := s.ReadJobs(c)
	if err != nil {
		return err
	}
	var names []string
	for _, j := range jobs {
		if j.Requested && (f.Job == "" || j.Name == f.Job) && (j.Name > job || j.Name == job && after != "") {
			names = append(names, j.Name)
		}
	}
	slices.Sort(names)
	looked := names[:min(mostJobs, len(names))]
	for part := range slices.Chunk(looked, jobsAtOnce) {
		lists, err := s.liveOf(c, p, part)
		if err != nil {
			return err
		}
		for i, list := range lists {
			name, of := part[i], f
			of.Cursor = ""
			if name == job {
				of.Cursor = after
			}
			from, _ := parsePlace(of.Cursor)
			p.add(name, slices.Concat(list.Active, list.Waiting), of, from)
			switch {
			case p.Next != "":
				p.Next = liveCursor + p.Next + "/" + name
			case len(p.Runs) == f.Limit && name != names[len(names)-1]:
				p.Next = liveCursor + "/" + name
			default:
				continue
			}
			return nil
		}
	}
	if len(names) > len(looked) {
		p.Next = liveCursor + "/" + looked[len(looked)-1]
	}
	return nil
}

// liveOf reads the runs of some jobs that have not ended. A job that was removed since has none.
func (s service) liveOf(c *gin.Context, p *page, names []string) ([]jobrun.List, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	lists, refused := make([]jobrun.List, len(names)), make([]bool, len(names))
	err := rethrow.Each(ctx, jobsAtOnce, len(names), func(ctx context.Context, i int) (err error) {
		lists[i], err = s.RegistryOf(c).Operator.LiveRuns(ctx, names[i], mostRuns)
		refused[i] = errors.Is(err, lifecycle.ErrForbidden)
		if refused[i] || errors.Is(err, lifecycle.ErrNotFound) {
			return nil
		}
		return err
	})
	for i, name := range names {
		if refused[i] {
			p.Unreadable = append(p.Unreadable, name)
		}
	}
	if err != nil {
		return nil, app.RunsUnread(s.Console, c, app.Target{Job: names[0]}, err)
	}
	return lists, nil
}

// addEnded appends ended runs of all jobs, from the trace database.
func (s service) addEnded(c *gin.Context, p *page, f query.Requested, cursor string) error {
	h := s.HistoryOf(c)
	if h == nil {
		p.Database = string(app.NoDatabase)
		return nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	p.Database = api.PlaceRead
	switch cursor, err := s.addOlder(ctx, c, h, p, f.Job, f, cursor, nil); {
	case err != nil && cursor != "":
		return app.HistoryProblem(err)
	case err != nil:
		p.Database = string(app.RecordStateOf(s.Console, c, err))
	}
	return nil
}

// addOlder fills a page up with ended runs of the trace database that aren't known, from a cursor of
// the database on. With an error it returns the cursor of the read that failed.
func (s service) addOlder(ctx context.Context, c *gin.Context, h app.History, p *page, job string, f query.Requested, cursor string, known map[string]bool) (string, error) {
	asked := rdb.RequestedFilter{JobName: job, State: jobrun.State(f.State), Key: f.Key, Origin: f.Origin, From: f.From, To: f.To, Cursor: cursor}
	for range olderReads {
		asked.Limit = min(mostOlder, max(1, f.Limit-len(p.Runs)+len(known)))
		got, err := h.RequestedRuns(ctx, asked)
		if err != nil {
			return asked.Cursor, err
		}
		for i, r := range got.Runs {
			if known[r.ID] {
				continue
			}
			run := s.ended(ctx, c, r)
			if !run.State.Ended() { // The registry has it.
				continue
			}
			if len(p.Runs) == f.Limit {
				return s.nextOlder(ctx, h, p, asked, i)
			}
			p.Runs = append(p.Runs, run)
		}
		if asked.Cursor = got.Next; got.Next == "" {
			return "", nil
		}
		if len(p.Runs) == f.Limit {
			break
		}
	}
	p.Next = olderCursor + asked.Cursor
	return "", nil
}

// nextOlder sets p.Next so that the next page begins with this row of the history. After an error, it
// returns the cursor that was asked for.
func (s service) nextOlder(ctx context.Context, h app.History, p *page, asked rdb.RequestedFilter, row int) (string, error) {
	if row > 0 {
		asked.Limit = row
		got, err := h.RequestedRuns(ctx, asked)
		if err != nil {
			return asked.Cursor, err
		}
		asked.Cursor = got.Next
	}
	p.Next = olderCursor + asked.Cursor
	return "", nil
}

// add appends runs that the registry has, behind a place.
func (p *page) add(job string, all []jobrun.Run, f query.Requested, after place) {
	slices.SortStableFunc(all, func(a, b jobrun.Run) int { return placeOf(a).compare(placeOf(b)) })
	for _, run := range all {
		switch {
		case !has(f, run), f.Cursor != "" && placeOf(run).compare(after) <= 0:
			continue
		case len(p.Runs) == f.Limit:
			p.Next = placeOf(p.Runs[f.Limit-1].Run).String()
			return
		}
		p.Runs = append(p.Runs, Found{Job: job, Run: run, Source: api.FromRegistry})
	}
}

// mask hides values that the caller may not see.
func (s service) mask(c *gin.Context, p *page) {
	if !app.LooksOnly(c) {
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	schemas := make(map[string]*runparams.Schema)
	for i, r := range p.Runs {
		schema, known := schemas[r.Job]
		if !known && p.Registry != api.PlaceUnavailable { // Without the registry all parameters are secret.
			schema = s.secrets(ctx, c, r.Job)
			schemas[r.Job] = schema
		}
		p.Runs[i] = masked(r, schema)
	}
}

// place is the place of a run in the list of its job. It changes only when the run begins or ends, so
// that the next page is found again.
type place struct {
	rank int // 0 runs, 1 waits, 2 ended
	ms   int64
	id   string
}

func placeOf(r jobrun.Run) place {
	switch {
	case r.State.Ended():
		return place{2, r.Ended.UnixMilli(), r.ID}
	case r.State == jobrun.Running:
		return place{0, r.Due.UnixMilli(), r.ID}
	}
	return place{1, r.Due.UnixMilli(), r.ID}
}

func (p place) compare(q place) int {
	switch {
	case p.rank != q.rank:
		return p.rank - q.rank
	case p.rank == 2: // the last first
		p, q = q, p
	}
	if p.ms != q.ms {
		return time.UnixMilli(p.ms).Compare(time.UnixMilli(q.ms))
	}
	return strings.Compare(p.id, q.id)
}

// String is the place as a cursor.
func (p place) String() string {
	return strconv.Itoa(p.rank) + "." + strconv.FormatInt(p.ms, 10) + "." + p.id
}

func parsePlace(text string) (p place, ok bool) {
	if text == "" {
		return p, true
	}
	parts := strings.SplitN(text, ".", 3)
	if len(parts) != 3 || !isRunID(parts[2]) {
		return p, false
	}
	rank, err1 := strconv.Atoi(parts[0])
	ms, err2 := strconv.ParseInt(parts[1], 10, 64)
	return place{rank, ms, parts[2]}, err1 == nil && err2 == nil && rank >= 0 && rank <= 2
}
