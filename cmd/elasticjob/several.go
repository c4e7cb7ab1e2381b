package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// jobs are the jobs of a command: one by its name, or several.
type jobs struct {
	jobAccess
	confirming
	Job   string `arg:"" optional:"" name:"name" help:"The job."`
	Match string `placeholder:"PATTERN" help:"In place of a job: all jobs with such a name, such as 'billing-*'. Without --yes it prints what would happen, and asks."`
	All   bool   `help:"In place of a job: all jobs."`
}

func (j *jobs) several() bool { return j.All || j.Match != "" }

// check reports a mistake of the flags.
func (j *jobs) check() error {
	given := 0
	for _, is := range []bool{j.Job != "", j.Match != "", j.All} {
		if is {
			given++
		}
	}
	switch _, err := path.Match(j.Match, ""); {
	case err != nil:
		return cli.Usage("* is any text, ? one letter, [a-c] one of these letters.", "--match: %w", err)
	case given == 0:
		return cli.Usage("Give a name, or --match or --all.", "no job is named")
	case given > 1:
		return cli.Usage("Give one of them.", "a name, --match and --all exclude each other")
	}
	return nil
}

// act carries out an action. For one job it asks the question, unless that is empty, and calls single;
// if single is nil, or there are several jobs, it submits the order.
func (j *jobs) act(p *cli.Process, o api.BulkRequest, question string, single func(*ofJob) error) error {
	if err := j.check(); err != nil {
		return err
	}
	if j.several() || single == nil {
		return j.submit(p, o)
	}
	if question != "" {
		if err := ask(p, j.Yes, question); err != nil {
			return err
		}
	}
	return single(&ofJob{j.jobAccess, j.Job})
}

// atOnceMost is how many jobs an action on several has at most.
const atOnceMost = 200

// names returns the names of the jobs.
func (j *jobs) names(ctx context.Context, c *client) ([]string, error) {
	if !j.several() {
		return []string{j.Job}, nil
	}
	var list []api.Job
	if _, err := c.Ask(ctx, api.Call{Method: http.MethodGet, Path: "/api/jobs"}, &list); err != nil {
		return nil, err
	}
	all := namesOf(func(j api.Job) string { return j.JobName })(list)
	names := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		matches, _ := path.Match(j.Match, name) // check has looked at the pattern.
		return !j.All && !matches
	})
	if len(names) == 0 {
		return nil, didYouMean(cli.Fail("`elasticjob job list` has the names.", "no job matches"), j.Match, all)
	}
	return names, nil
}

// printBulk prints the outcome of each job; done is the word for jobs that don't refuse.
func printBulk(w io.Writer, a api.Bulk, done string) error {
	return table(w, "JOB OUTCOME REASON", func(row func(...any)) {
		for _, r := range a.Results {
			outcome, reason := done, enumerate(r.Affected, 10)
			if r.Code != "" {
				outcome, reason = r.Code, r.Message
			}
			for _, s := range r.Skipped {
				reason += "; left out: " + s.Target + ": " + s.Reason
			}
			if r.CancelledRuns > 0 {
				reason += "; " + count(r.CancelledRuns, "run") + " cancelled"
			}
			row(r.Job, outcome, strings.TrimPrefix(reason, "; "))
		}
	})
}

// submit carries out an action on the jobs, at most 200 at a time. A job that refuses keeps it from no
// other; the exit code is 1 then.
func (j *jobs) submit(p *cli.Process, o api.BulkRequest) error {
	return j.with(p, func(ctx context.Context, c *client) error {
		names, err := j.names(ctx, c)
		if err != nil {
			return err
		}
		if j.several() && !j.Yes {
			answer, err := c.order(ctx, o, true, names)
			if err != nil {
				return err
			}
			if err := printBulk(p.Stderr, answer, "planned"); err != nil {
				return err
			}
			if err := ask(p, false, fmt.Sprintf("%s %s?", o.Order, count(answer.Done, "job"))); err != nil {
				return err
			}
		}
		answer, err := c.order(ctx, o, false, names)
		if err != nil && len(answer.Results) == 0 {
			return c.mean(ctx, j.Job, err)
		}
		raw, failed := json.Marshal(answer)
		if failed != nil {
			return failed
		}
		done := namesOf(func(r api.BulkResult) string { return r.Job })(slices.DeleteFunc(slices.Clone(answer.Results), func(r api.BulkResult) bool { return r.Code != "" }))
		if err := j.print(p, raw, func() error { return printBulk(p.Stdout, answer, "done") }, done...); err != nil {
			return err
		}
		switch {
		case err != nil:
			return cli.Fail(cli.Hint(err), "only %s of %d: %w", count(answer.Done, "job"), len(names), err)
		case answer.Refused > 0:
			return cli.Fail("", "%s refused", count(answer.Refused, "job"))
		}
		return nil
	})
}

// order sends an action in parts. With an error the answer has the parts before.
func (c *client) order(ctx context.Context, o api.BulkRequest, preview bool, names []string) (all api.Bulk, err error) {
	o.Preview = &preview
	for part := range slices.Chunk(names, atOnceMost) {
		o.Jobs = part
		var answer api.Bulk
		if _, err := c.Ask(ctx, api.Call{Method: http.MethodPost, Path: "/api/bulk", Body: o}, &answer); err != nil {
			return all, err
		}
		all.Done += answer.Done
		all.Refused += answer.Refused
		all.Results = append(all.Results, answer.Results...)
	}
	return all, nil
}
