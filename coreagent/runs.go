package coreagent

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Requests is how a job handles requested runs. Its fields are stored as the properties run.deal,
// run.overlap, run.lost, run.expiry and run.keep, which Java doesn't know.
type Requests struct {
	// Assign decides which shards take part in a run. Defaults to [AssignEach].
	Assign Assign

	// Overlap decides about a run that is due while the job is busy. Defaults to [OverlapQueue].
	Overlap Overlap

	// Lost decides about a shard whose instance dies. Defaults to [LostAgain].
	Lost Lost

	// Expiry is how long after its time a run is given up if it hasn't started: a second to 365
	// days, negative for never. Defaults to 7 days.
	Expiry time.Duration

	// Keep is how many ended runs stay in ZooKeeper: 1 to 1,000, negative for none. Defaults to 100. The last
	// 1,000 stay for at least a minute anyway.
	Keep int

	// Schema is the schema of the parameters, in the subset of JSON Schema described in docs/runs.md,
	// for handlers that aren't made by a [Trigger], such as [Script] and [HTTP]. Defaults to the
	// handler's own; without either any JSON object is accepted. A missing parameter gets its default.
	Schema []byte
}

// Assign decides which shards of a job take part in a requested run.
type Assign = jobrun.Assign

const (
	// AssignEach makes every shard of the job take part, as in ElasticJob. It's the default.
	AssignEach = jobrun.AssignEach
	// AssignOne gives each run to one free shard, so as many runs are active at once as there are
	// shards. It needs a job without a schedule that isn't Unmonitored.
	AssignOne = jobrun.AssignOne
)

// Overlap decides about a requested run that is due while the job is busy.
type Overlap = jobrun.Overlap

// The policies. They apply to the whole fleet.
const (
	OverlapQueue  = jobrun.OverlapQueue  // it waits; one after the other. The default
	OverlapOne    = jobrun.OverlapOne    // one may wait, further ones are skipped
	OverlapSkip   = jobrun.OverlapSkip   // it is skipped
	OverlapCancel = jobrun.OverlapCancel // the oldest active run is cancelled, and this one follows
)

// Lost decides about the shard of a requested run whose instance dies or loses its session in another way.
type Lost string

const (
	LostAgain Lost = "again" // it runs again; a shard that is lost for the third time fails. The default
	LostFail  Lost = "fail"  // it fails: for work that must not be done twice
)

// Retry is how often the failed shards of a requested run, or of a fire time, are retried. The zero
// value is never.
type Retry struct {
	// Retries is how many attempts may follow the first: 0 to 100.
	Retries int
	// Backoff is the pause before the second attempt. It doubles with each further one, up to
	// MaxBackoff, with 10 % random variation. Zero retries at once; at most 24 hours.
	Backoff time.Duration
	// MaxBackoff defaults to an hour; at most 24 hours.
	MaxBackoff time.Duration
}

// runProps returns the properties with the title and the fields about requested runs.
func (job Job) runProps() map[string]string {
	props := make(map[string]string)
	set := func(key, value string, is bool) {
		if is {
			props[key] = value
		}
	}
	set(jobconfig.PropTitle, job.Title, job.Title != "")
	set(runs.PropAssign, string(job.Requests.Assign), job.Requests.Assign != "")
	set(runs.PropOverlap, string(job.Requests.Overlap), job.Requests.Overlap != "")
	set(runs.PropLost, string(job.Requests.Lost), job.Requests.Lost != "")
	set(runs.PropRetries, strconv.Itoa(job.Retry.Retries), job.Retry.Retries != 0)
	set(runs.PropBackoff, job.Retry.Backoff.String(), job.Retry.Backoff != 0)
	set(runs.PropMost, job.Retry.MaxBackoff.String(), job.Retry.MaxBackoff != 0)
	set(runs.PropTimeout, job.Timeout.String(), job.Timeout > 0)
	set(runs.PropPause, strconv.Itoa(job.PauseAfter), job.PauseAfter != 0)
	set(runs.PropLog, "off", job.Unlogged)
	switch {
	case job.Requests.Expiry < 0:
		props[runs.PropExpiry] = "-1"
	case job.Requests.Expiry > 0:
		props[runs.PropExpiry] = job.Requests.Expiry.String()
	}
	set(runs.PropKeep, strconv.Itoa(max(job.Requests.Keep, 0)), job.Requests.Keep != 0)
	return props
}

func (job Job) checkRuns() error {
	var p problems
	r, one := job.Requests, job.Requests.Assign == AssignOne
	p.when(one && job.Schedule.Cron != "", "Requests.Assign: one needs a job without Schedule.Cron")
	p.when(one && job.Unmonitored, "Requests.Assign: one needs a job that isn't Unmonitored")
	refuse := func(wrong bool, field string, value any, want string) {
		p.when(wrong, "%s: %v is not allowed; want %s", field, value, want)
	}
	text := func(field, value, want string, allowed ...string) {
		refuse(value != "" && !slices.Contains(allowed, value), field, strconv.Quote(value), want)
	}
	text("Requests.Assign", string(r.Assign), "each or one", string(AssignEach), string(AssignOne))
	text("Requests.Overlap", string(r.Overlap), "queue, one, skip or cancel",
		string(OverlapQueue), string(OverlapOne), string(OverlapSkip), string(OverlapCancel))
	text("Requests.Lost", string(r.Lost), "again or fail", string(LostAgain), string(LostFail))
	retry := job.Retry
	refuse(retry.Retries < 0 || retry.Retries > 100, "Retry.Retries", retry.Retries, "0 to 100")
	refuse(retry.Backoff < 0 || retry.Backoff > 24*time.Hour, "Retry.Backoff", retry.Backoff, "0 to 24h")
	refuse(retry.MaxBackoff < 0 || retry.MaxBackoff > 24*time.Hour, "Retry.MaxBackoff", retry.MaxBackoff, "0 to 24h")
	refuse(r.Expiry > 0 && r.Expiry < time.Second || r.Expiry > 365*24*time.Hour,
		"Requests.Expiry", r.Expiry, "1s to 8760h, or -1 for never")
	refuse(r.Keep > 1000, "Requests.Keep", r.Keep, "1 to 1000, or -1 for none")
	refuse(job.PauseAfter < 0 || job.PauseAfter > 1000, "PauseAfter", job.PauseAfter, "0 to 1000")
	return errors.Join(p...)
}
