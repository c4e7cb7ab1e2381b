package explain

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// pastRuns is how many runs are read of each stretch of time.
const pastRuns = 200

// readPast explains what became of a past fire time of the job.
func (s service) readPast(c *gin.Context, l i18n.Lang, at time.Time) (statistics.JobDetail, past.Past, error) {
	job, err := s.ReadJob(c)
	if err != nil {
		return job, past.Past{}, err
	}
	in := past.Input{Job: job.Job, Shards: job.Shards, At: at, Now: s.Now(), Registered: make(map[string]time.Time), Obstacles: s.Obstacles(c, l, job.Name)}
	for _, server := range job.Servers {
		in.Servers = append(in.Servers, server.IP)
	}
	log := s.Members(c)
	var lived []string
	logged := false
	if log != nil {
		lived, logged = log.Live(job.Name)
		in.Events, in.EventsSince = log.Of(job.Name, members.MaxEvents), log.Known()
		in.Gaps = log.Gaps()
		if !in.EventsSince.IsZero() && job.Created.After(in.EventsSince) {
			in.EventsSince = job.Created // The events of a job that is removed are forgotten.
		}
	}
	s.runsAround(c, &in)
	if in.Job.Recorded {
		ctx, cancel := s.Reading(c)
		defer cancel()
		if in.Fired, err = s.RegistryOf(c).Jobs.Fired(ctx, job.Name); err != nil {
			s.LogFailure(c, app.AsProblem(err))
		}
	}
	java := false
	if in.HasRuns {
		java = s.runsBeyond(c, &in)
	}
	for _, i := range job.Instances {
		in.Live = append(in.Live, i.ID)
		in.Registered[i.ID] = i.Since
		in.Behind = max(in.Behind, -i.Agent.Ahead)
		if i.Agent.NoRecorder || !i.Agent.Ours && !java {
			in.Unrecorded = append(in.Unrecorded, i.ID)
		}
	}
	if logged { // As the events have it.
		in.Live = lived
	}
	if s.Options().Settings == nil {
		return job, past.Explain(l, in), nil
	}
	if !job.Changed.Before(at.Add(-past.Around)) {
		ctx, cancel := s.Reading(c)
		defer cancel()
		if in.Versions, err = s.Options().Settings.ConfigVersions(ctx, s.RegistryOf(c).SavedUnder(), job.Name); err != nil {
			s.LogFailure(c, app.SettingsDown(err))
		}
	}
	if app.May(c, app.Configures) {
		s.recordsAround(c, &in)
	}
	return job, past.Explain(l, in), nil
}

// runsAround reads the runs around an instant, those of the instant first, because a job that
// runs each second has more than one page of them.
func (s service) runsAround(c *gin.Context, in *past.Input) {
	seen := make(map[string]bool)
	for i, around := range [][2]time.Duration{
		{2 * time.Second, 75 * time.Second}, {past.Around, past.Around}, {0, past.MadeUpWithin},
	} {
		from, until := in.At.Add(-around[0]), in.At.Add(around[1])
		page, err := s.ReadRuns(c, rdb.RunFilter{JobName: in.Job.Name, From: from, To: until, Limit: pastRuns})
		if in.HasRuns = err == nil; err != nil {
			s.LogFailure(c, app.AsProblem(err))
			return
		}
		if page.NextCursor == "" {
			in.Until = until
		} else if i == 0 {
			in.HasMore = true
		}
		for _, r := range page.Runs {
			if !seen[r.ID] {
				seen[r.ID] = true
				in.Runs = append(in.Runs, r)
			}
		}
	}
}

// runsBeyond looks whether runs of the job are on record from before the time, and from after it,
// and reports whether agents of Java record theirs.
func (s service) runsBeyond(c *gin.Context, in *past.Input) (java bool) {
	one := func(f rdb.RunFilter) bool {
		f.JobName, f.Limit = in.Job.Name, 1
		page, err := s.ReadRuns(c, f)
		if err != nil {
			s.LogFailure(c, app.AsProblem(err))
		}
		in.Beyond = append(in.Beyond, page.Runs...)
		java = java || len(page.Runs) > 0 && page.Runs[0].Grouped
		return err == nil && len(page.Runs) > 0
	}
	in.Before = one(rdb.RunFilter{To: in.At.Add(-time.Second)})
	s.nextRun(c, in)
	in.After = one(rdb.RunFilter{From: in.At.Add(past.Grace), StartedIn: true})
	return java || slices.ContainsFunc(in.Runs, func(r rdb.Run) bool { return r.Grouped })
}

// nextRun reads the run that follows the last one before the time.
func (s service) nextRun(c *gin.Context, in *past.Input) {
	if len(in.Beyond) == 0 {
		return
	}
	next, err := app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) (rdb.Run, error) {
		_, id, err := h.Neighbours(ctx, in.Beyond[0])
		if err != nil || id == "" {
			return rdb.Run{}, err
		}
		return h.Run(ctx, in.Job.Name, id)
	})
	if err != nil {
		s.LogFailure(c, app.AsProblem(err))
		return
	}
	in.Beyond = append(in.Beyond, next)
}

// recordsAround reads the audit of the job before the time and after it: of the job itself, of
// its servers and shards, and of several jobs at once.
func (s service) recordsAround(c *gin.Context, in *past.Input) {
	after, before := in.At.Add(past.Around), in.At.Add(-past.Lookback)
	in.RecordsSince = before
	servers := []settings.ActionLike{
		{Method: "POST", End: "/servers/:ip/disable"}, {Method: "DELETE", End: "/servers/:ip/disable"},
		{Method: "POST", End: "/servers/:ip/enable"}, {Method: "POST", End: "/servers/:ip/shutdown"},
	}
	for _, f := range []settings.AuditFilter{
		{Text: in.Job.Name, From: after.Add(time.Millisecond)},
		{Text: in.Job.Name, From: before, To: after}, {Actions: servers, From: before, To: after},
	} {
		f.Limit = settings.MaxAuditPage
		page, err := s.ReadRecordsHere(c, f)
		if err != nil {
			s.LogFailure(c, app.AsProblem(err))
			return
		}
		if n := len(page.Records); n > 0 && !f.To.IsZero() && page.NextCursor != "" {
			in.RecordsSince = time.UnixMilli(max(in.RecordsSince.UnixMilli(), page.Records[n-1].At.UnixMilli()))
		}
		in.Records = append(in.Records, page.Records...)
	}
	in.HasRecords = true
	slices.SortStableFunc(in.Records, func(a, b settings.Record) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
	})
	in.Records = slices.Compact(in.Records)
}
