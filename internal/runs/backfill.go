package runs

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// ByBackfill is where the requests of a backfill come from.
const ByBackfill = "backfill"

// mostCounted bounds how many times of a cron expression are looked at: some expressions
// have one for each second of a century.
const mostCounted = 200_000

// PlanBackfill says which fire times a backfill would make runs for, by a job's
// configuration.
func PlanBackfill(job string, config *jobconfig.Config, b jobrun.Backfill, now time.Time) (plan jobrun.BackfillPlan, err error) {
	wrong := func(format string, args ...any) error {
		return &refusal{jobrun.ErrOptions, fmt.Sprintf(format, args...)}
	}
	switch {
	case b.From.IsZero():
		return plan, wrong("From: is missing")
	case b.To.IsZero():
		return plan, wrong("To: is missing")
	case b.To.Before(b.From):
		return plan, wrong("To: %s is before From", b.To.Format(time.RFC3339))
	case b.To.After(now):
		return plan, wrong("To: %s has yet to come; only past fire times are backfilled", b.To.Format(time.RFC3339))
	case config.Cron == "":
		return plan, &refusal{jobrun.ErrNoSchedule, fmt.Sprintf("job %q has no cron expression, and so no fire times", job)}
	}
	rules := quartz.RulesOf(job, config.Props)
	schedule, err := rules.Parse(config.Cron)
	if err != nil {
		return plan, &refusal{jobrun.ErrNoSchedule, fmt.Sprintf("the schedule of job %q cannot be read: %v", job, err)}
	}
	zone, err := rules.Location(config.TimeZone)
	if err != nil {
		return plan, &refusal{jobrun.ErrNoSchedule, fmt.Sprintf("the time zone of job %q cannot be read: %v", job, err)}
	}
	plan.ZoneAssumed = config.TimeZone == "" && rules.Zone == ""
	count, looked, more := 0, 0, ""
	for fire := range schedule.Fires(b.From.Add(-time.Nanosecond), zone) {
		if fire.Nominal.After(b.To) {
			break
		}
		if looked++; looked > mostCounted {
			more = "more than "
			break
		}
		if fire.Refused == "" {
			if count++; count <= jobrun.MostBackfilled {
				plan.Times = append(plan.Times, fire.Nominal)
			}
			continue
		}
		if plan.RefusedCount++; plan.RefusedCount <= jobrun.MostBackfilled {
			plan.Refused = append(plan.Refused, jobrun.RefusedTime{At: fire.Nominal, Property: fire.Refused})
		}
	}
	if count > jobrun.MostBackfilled || more != "" {
		return jobrun.BackfillPlan{}, wrong("%s%d fire times; at most %d at once", more, max(count, jobrun.MostBackfilled), jobrun.MostBackfilled)
	}
	return plan, nil
}

// CheckBackfill returns what is wrong with the parameters of a backfill, as the first of
// its requests would: a preview must not promise what is refused afterwards.
func (s Store) CheckBackfill(ctx context.Context, b jobrun.Backfill) error {
	if err := CheckParams(b.Params); err != nil {
		return err
	}
	r := jobrun.Request{Params: b.Params, By: b.By}
	at, err := s.look(ctx, r)
	if err != nil {
		return err
	}
	return at.check(r)
}

// Backfill requests a run for each of the fire times, the oldest first. Who repeats one
// that broke off gets the runs that are missing: each has a key of its own. After an error
// the result says how far it came.
func (s Store) Backfill(ctx context.Context, times []time.Time, b jobrun.Backfill) (result jobrun.BackfillResult, err error) {
	result.ID = NewID(s.Now())
	b.By.Kind = ByBackfill
	b.Params = runparams.Canonical(b.Params) // Otherwise blanks would make other runs of it.
	list := make([]jobrun.Request, len(times))
	for i, at := range times {
		// A person has chosen the times, so a hold of the schedule is none of theirs.
		list[i] = jobrun.Request{
			Params: b.Params, By: b.By, Manual: true, FireTime: at, Overlap: jobrun.OverlapQueue, Backfill: result.ID,
			Key: backfillKey(at, b), KeyFor: mostKeyFor,
		}
	}
	tickets, err := s.SubmitMany(ctx, list)
	for _, ticket := range tickets {
		if ticket.Repeated {
			result.Repeated++
		} else {
			result.Created++
		}
	}
	if err != nil {
		i := len(tickets)
		err = fmt.Errorf("fire time %d of %d, %s: %w", i+1, len(times), times[i].Format(time.RFC3339), err)
	}
	return result, err
}

// backfillKey is the key of the run for a fire time.
func backfillKey(at time.Time, b jobrun.Backfill) string {
	return "backfill/" + strconv.FormatInt(at.UnixMilli(), 10) + "/" + hashOf(b.Params)
}

// Config reads the configuration of the job.
func (s Store) Config(ctx context.Context) (*jobconfig.Config, error) {
	data, _, err := s.Client.Get(ctx, s.Tree.Config())
	if err != nil {
		return nil, err
	}
	config, err := jobconfig.Decode(data)
	if err != nil {
		return nil, &refusal{jobrun.ErrNoSchedule, fmt.Sprintf("the configuration of job %q cannot be read: %v", jobtree.Shown(s.Tree.Name()), err)}
	}
	return config, nil
}
