package console

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/rethrow"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Bounds of what a page of the runs of all jobs reads of the registry.
const (
	// MostJobsLooked is how many jobs are looked at, of those of which somebody has
	// ever requested a run: the list of jobs knows which these are.
	MostJobsLooked = 50
	jobsAtOnce     = 8
)

// RunOfJob is a requested run, and its job.
type RunOfJob struct {
	Job string
	FoundRun
}

// PlaceState says whether a place was read for a page.
type PlaceState string

// The states of the registry; those of the trace database are a [RecordState], too.
const (
	PlaceRead        PlaceState = "read"
	PlaceNotAsked    PlaceState = "not_asked" // the page needed nothing of it
	PlaceUnavailable PlaceState = "unavailable"
)

// AllRequestedPage is a page of the requested runs of all jobs: those that have not ended,
// job by job, then those of the trace database that have, the last submitted first. It may
// have fewer runs than were asked for, or none, and yet a page after it.
type AllRequestedPage struct {
	Runs               []RunOfJob
	Next               string // the cursor of the page after it, empty for none
	Registry, Database PlaceState
	// Unreadable are jobs whose runs the console may not read.
	Unreadable []string
}

// liveCursor begins the cursor of a page of runs that have not ended: the place of the last
// one in its job, empty behind all of the job's, and the job.
const liveCursor = "live/"

// allAsked is where a page of the runs of all jobs begins.
type allAsked struct {
	RequestedFilter
	live       bool // of the registry; else of the database
	after, job string
	older      string
}

func askedOfAll(f RequestedFilter) (a allAsked, ok bool) {
	a = allAsked{RequestedFilter: f}
	older, isOlder := strings.CutPrefix(f.Cursor, olderCursor)
	place, isLive := strings.CutPrefix(f.Cursor, liveCursor)
	switch {
	case f.Cursor == "":
		a.live = f.State == "" || !f.State.Ended()
		return a, true
	case isOlder:
		a.older = older
		return a, true
	case isLive:
		var named bool
		a.live = true
		a.after, a.job, named = strings.Cut(place, "/")
		_, fine := parseRequestedPlace(a.after)
		return a, named && fine
	}
	return a, false
}

// ListAll reads requested runs of all jobs, as the caller may see them. What cannot be read
// is said by the page; without anything that can it is an error.
func (s RequestedRuns) ListAll(c *gin.Context, f RequestedFilter) (page AllRequestedPage, err error) {
	a, ok := askedOfAll(f)
	if !ok {
		return page, Invalid("", "").SaidAs(i18n.Lang.RequestCursor, i18n.Lang.RequestCursorHint)
	}
	page.Registry, page.Database = PlaceNotAsked, PlaceNotAsked
	var down error
	if a.live {
		page.Registry = PlaceRead
		if down = s.addLive(c, &page, a); down != nil {
			if f.Cursor != "" || f.State != "" && !f.State.Ended() || AsProblem(down).Kind != KindUnavailable {
				return page, down
			}
			page.Runs, page.Next, page.Registry = nil, "", PlaceUnavailable
		}
	}
	switch ends := f.State == "" || f.State.Ended(); {
	case page.Next != "" || !ends:
	case len(page.Runs) == f.Limit:
		page.Next = olderCursor // The database is for the next page.
	default:
		if err := s.addEnded(c, &page, a); err != nil {
			return page, err
		}
		if down != nil && page.Database != PlaceRead {
			return page, down
		}
	}
	s.maskAll(c, &page)
	return page, nil
}

// addLive appends runs that have not ended, of the jobs that have any.
func (s RequestedRuns) addLive(c *gin.Context, page *AllRequestedPage, a allAsked) error {
	if _, stale := SnapshotOf(c); stale {
		return s.RegistryDown(c, lifecycle.ErrUnavailable)
	}
	jobs, err := s.ReadJobs(c)
	if err != nil {
		return err
	}
	var names []string
	for _, job := range jobs {
		if job.Requested && (a.Job == "" || job.Name == a.Job) && (job.Name > a.job || job.Name == a.job && a.after != "") {
			names = append(names, job.Name)
		}
	}
	slices.Sort(names)
	looked := names[:min(MostJobsLooked, len(names))]
	behind := func(job string) string { return liveCursor + "/" + job }
	for part := range slices.Chunk(looked, jobsAtOnce) {
		lists, err := s.liveOf(c, page, part)
		if err != nil {
			return err
		}
		for i, list := range lists {
			page.addLive(part[i], list, a)
			if page.Next == "" && len(page.Runs) == a.Limit && part[i] != names[len(names)-1] {
				page.Next = behind(part[i])
			}
			if page.Next != "" {
				return nil
			}
		}
	}
	if len(names) > len(looked) {
		page.Next = behind(looked[len(looked)-1])
	}
	return nil
}

// liveOf reads the runs of some jobs that have not ended. A job that has been removed
// meanwhile has none.
func (s RequestedRuns) liveOf(c *gin.Context, page *AllRequestedPage, names []string) ([]jobrun.List, error) {
	ctx, cancel := s.Reading(c)
	defer cancel()
	lists, refused := make([]jobrun.List, len(names)), make([]bool, len(names))
	err := rethrow.Each(ctx, jobsAtOnce, len(names), func(ctx context.Context, i int) (err error) {
		lists[i], err = s.RegistryOf(c).Operator.LiveRuns(ctx, names[i], MostRequested)
		refused[i] = errors.Is(err, lifecycle.ErrForbidden)
		if refused[i] || errors.Is(err, lifecycle.ErrNotFound) {
			return nil
		}
		return err
	})
	for i, name := range names {
		if refused[i] {
			page.Unreadable = append(page.Unreadable, name)
		}
	}
	if err != nil {
		return nil, s.unread(c, Target{Job: names[0]}, err)
	}
	return lists, nil
}

// addLive appends the runs of a job, up to the limit.
func (p *AllRequestedPage) addLive(job string, list jobrun.List, a allAsked) {
	f := a.RequestedFilter
	f.Cursor, f.Limit = "", a.Limit-len(p.Runs)
	var after requestedPlace
	if job == a.job {
		after, _ = parseRequestedPlace(a.after)
		f.Cursor = a.after
	}
	var of RequestedPage
	of.add(slices.Concat(list.Active, list.Waiting), f, after)
	for _, run := range of.Runs {
		p.Runs = append(p.Runs, RunOfJob{job, FoundRun{Run: run, Source: FromRegistry}})
	}
	if of.Next != "" {
		p.Next = liveCursor + of.Next + "/" + job
	}
}

// addEnded appends runs of the trace database that have ended.
func (s RequestedRuns) addEnded(c *gin.Context, page *AllRequestedPage, a allAsked) error {
	h := s.HistoryOf(c)
	if h == nil {
		page.Database = PlaceState(NoDatabase)
		return nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	asked := rdb.RequestedFilter{JobName: a.Job, State: a.State, Key: a.Key, Origin: a.Origin, From: a.From, To: a.To, Cursor: a.older}
	page.Database = PlaceRead
	for range olderReads {
		asked.Limit = a.Limit - len(page.Runs)
		got, err := h.RequestedRuns(ctx, asked)
		switch {
		case err != nil && asked.Cursor != "":
			return HistoryProblem(err)
		case err != nil:
			page.Database = PlaceState(s.recordState(c, err))
			return nil
		}
		for _, r := range got.Runs {
			found := foundInDatabase(r)
			if s.isLost(ctx, c, r.JobName, found.Run) {
				found.Run = lost(found.Run)
			}
			if found.State.Ended() { // The registry has the others.
				page.Runs = append(page.Runs, RunOfJob{r.JobName, found})
			}
		}
		if asked.Cursor = got.Next; got.Next == "" {
			return nil
		}
		if len(page.Runs) == a.Limit {
			break
		}
	}
	page.Next = olderCursor + asked.Cursor
	return nil
}

// maskAll hides what the caller may not see.
func (s RequestedRuns) maskAll(c *gin.Context, page *AllRequestedPage) {
	if !LooksOnly(c) {
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	schemas := make(map[string]*runparams.Schema)
	for i := range page.Runs {
		r := &page.Runs[i]
		schema, known := schemas[r.Job]
		if !known && page.Registry != PlaceUnavailable { // Else nobody says which are secret.
			schema = s.schemaOf(ctx, c, r.Job)
			schemas[r.Job] = schema
		}
		r.Run, r.FoundRun.Error = maskedRequest(r.Run, schema), mask.Text(r.FoundRun.Error)
	}
}
