package console

import (
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/console/past"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

const (
	// pastRuns and pastRecords are how many are read of each kind.
	pastRuns    = 200
	pastRecords = 100
)

// ReadPast explains what the job that the address names did at a time.
func (s *Console) ReadPast(c *gin.Context, l i18n.Lang, at time.Time) (statistics.JobDetail, past.Past, error) {
	job, err := s.ReadJob(c)
	if err != nil {
		return job, past.Past{}, err
	}
	in := past.Input{Job: job.Job, At: at}
	for _, i := range job.Instances {
		in.Live = append(in.Live, i.ID)
	}
	if log := s.Members(c); log != nil {
		in.Events, in.EventsSince = log.Of(job.Name, members.MaxEvents), log.Known()
	}
	in.Runs, in.HasRuns = s.runsAround(c, job.Name, at)
	if in.HasRuns {
		in.Before, in.After = s.runsBeyond(c, job.Name, at)
	}
	if Caller(c).Role == auth.RoleRoot && s.opts.Settings != nil {
		in.Records, in.HasRecords = s.recordsAround(c, job.Name, at)
	}
	return job, past.Explain(l, in), nil
}

// runsAround are the runs that were on about an instant, first those of the instant
// itself: of a job that runs each second not all of the others are read.
func (s *Console) runsAround(c *gin.Context, job string, at time.Time) (runs []rdb.Run, ok bool) {
	seen := make(map[string]bool)
	for _, around := range [][2]time.Duration{{2 * time.Second, 75 * time.Second}, {past.Around, past.Around}} {
		page, err := s.ReadRuns(c, rdb.RunFilter{JobName: job, From: at.Add(-around[0]), To: at.Add(around[1]), Limit: pastRuns})
		if err != nil {
			s.LogFailure(c, AsProblem(err))
			return nil, false
		}
		for _, r := range page.Runs {
			if !seen[r.ID] {
				seen[r.ID] = true
				runs = append(runs, r)
			}
		}
	}
	return runs, true
}

// runsBeyond reports whether runs of a job are on record from before an instant, and from
// after it.
func (s *Console) runsBeyond(c *gin.Context, job string, at time.Time) (before, after bool) {
	one := func(f rdb.RunFilter) bool {
		f.JobName, f.Limit = job, 1
		page, err := s.ReadRuns(c, f)
		if err != nil {
			s.LogFailure(c, AsProblem(err))
		}
		return err == nil && len(page.Runs) > 0
	}
	return one(rdb.RunFilter{To: at.Add(-time.Second)}), one(rdb.RunFilter{From: at.Add(past.Grace), StartedIn: true})
}

// recordsAround is the audit of a job before an instant, and after it: of the job itself, of
// its servers and shards, and of several jobs at once.
func (s *Console) recordsAround(c *gin.Context, job string, at time.Time) (records []settings.Record, ok bool) {
	for _, f := range []settings.AuditFilter{
		{Text: job, From: at.Add(past.Around), Limit: pastRecords},
		{Text: job, From: at.Add(-past.Lookback), To: at.Add(past.Around), Limit: pastRecords},
	} {
		page, err := s.ReadRecordsHere(c, f)
		if err != nil {
			s.LogFailure(c, AsProblem(err))
			return nil, false
		}
		records = append(records, slices.DeleteFunc(page, func(r settings.Record) bool { return !concerns(r, job) })...)
	}
	return records, true
}

// concerns reports whether a record is about a job: its target is the job, the job with a
// server or a shard, or several jobs.
func concerns(r settings.Record, job string) bool {
	if slices.Contains(strings.Split(r.Target, ", "), job) {
		return true
	}
	return strings.HasPrefix(r.Target, job+" ") || strings.HasSuffix(r.Target, " "+job)
}

// ReadRecordsHere reads the newest records of the audit that are about the registry of
// the request.
func (s *Console) ReadRecordsHere(c *gin.Context, f settings.AuditFilter) ([]settings.Record, error) {
	page, err := s.ReadAudit(c, f)
	if err != nil {
		return nil, err
	}
	here := s.RegistryOf(c).Name()
	return slices.DeleteFunc(page.Records, func(r settings.Record) bool {
		return r.Registry != here && (r.Registry != "" || here != DefaultRegistry)
	}), nil
}
