package coreagent

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Assign decides which shards take part in a requested run.
type Assign string

const (
	// AssignEach makes every shard of the job take part, as in ElasticJob. It's the default.
	AssignEach Assign = "each"
	// AssignOne gives each run to one free shard, so as many runs are active at once as there are
	// shards. It needs a job without Cron and with MonitorExecution.
	AssignOne Assign = "one"
)

// Overlap decides about a requested run that is due while the job is busy.
type Overlap string

// The policies. They apply to the whole fleet.
const (
	OverlapQueue  Overlap = "queue"  // it waits; one after the other. The default
	OverlapOne    Overlap = "one"    // one may wait, further ones are skipped
	OverlapSkip   Overlap = "skip"   // it is skipped
	OverlapCancel Overlap = "cancel" // the oldest active run is cancelled, and this one follows
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
	set(runs.PropAssign, string(job.Assign), job.Assign != "")
	set(runs.PropOverlap, string(job.Overlap), job.Overlap != "")
	set(runs.PropLost, string(job.Lost), job.Lost != "")
	set(runs.PropRetries, strconv.Itoa(job.Retry.Retries), job.Retry.Retries != 0)
	set(runs.PropBackoff, job.Retry.Backoff.String(), job.Retry.Backoff != 0)
	set(runs.PropMost, job.Retry.MaxBackoff.String(), job.Retry.MaxBackoff != 0)
	set(runs.PropTimeout, job.Timeout.String(), job.Timeout > 0)
	set(runs.PropPause, strconv.Itoa(job.PauseAfter), job.PauseAfter != 0)
	switch {
	case job.RunExpiry < 0:
		props[runs.PropExpiry] = "-1"
	case job.RunExpiry > 0:
		props[runs.PropExpiry] = job.RunExpiry.String()
	}
	if job.RunKeep != nil {
		props[runs.PropKeep] = strconv.Itoa(*job.RunKeep)
	}
	return props
}

// checkRuns returns errors in the fields about requested runs.
func (job Job) checkRuns(c *jobconfig.Config) error {
	var errs []error
	refuse := func(field, value, want string) {
		errs = append(errs, fmt.Errorf("%s: %s is not allowed; want %s", field, value, want))
	}
	switch job.Assign {
	case "", AssignEach:
	case AssignOne:
		if c.Cron != "" {
			errs = append(errs, errors.New("Assign: one needs a job without Cron"))
		}
		if !c.MonitorExecution {
			errs = append(errs, errors.New("Assign: one needs MonitorExecution, which is off"))
		}
	default:
		refuse("Assign", strconv.Quote(string(job.Assign)), "each or one")
	}
	switch job.Overlap {
	case "", OverlapQueue, OverlapOne, OverlapSkip, OverlapCancel:
	default:
		refuse("Overlap", strconv.Quote(string(job.Overlap)), "queue, one, skip or cancel")
	}
	switch job.Lost {
	case "", LostAgain, LostFail:
	default:
		refuse("Lost", strconv.Quote(string(job.Lost)), "again or fail")
	}
	if r := job.Retry.Retries; r < 0 || r > 100 {
		refuse("Retry.Retries", strconv.Itoa(r), "0 to 100")
	}
	for field, d := range map[string]time.Duration{"Retry.Backoff": job.Retry.Backoff, "Retry.MaxBackoff": job.Retry.MaxBackoff} {
		if d < 0 || d > 24*time.Hour {
			refuse(field, d.String(), "0 to 24h")
		}
	}
	if d := job.RunExpiry; d > 0 && d < time.Second || d > 365*24*time.Hour {
		refuse("RunExpiry", d.String(), "1s to 8760h, or -1 for never")
	}
	if n := job.RunKeep; n != nil && (*n < 0 || *n > 1000) {
		refuse("RunKeep", strconv.Itoa(*n), "0 to 1000")
	}
	if n := job.PauseAfter; n < 0 || n > 1000 {
		refuse("PauseAfter", strconv.Itoa(n), "0 to 1000")
	}
	return errors.Join(errs...)
}
