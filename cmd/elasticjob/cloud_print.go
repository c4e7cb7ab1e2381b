package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
)

// cloudRun is a run, with its tasks if it was asked for alone.
type cloudRun struct{ api.CloudRunDetail }

// chosen are the last attempts of the shards, or of one, or so many-th ones. Tasks come by
// shard and attempt.
func (r cloudRun) chosen(shard, attempt int) (list []api.CloudTask) {
	for i, t := range r.Tasks {
		last := i+1 == len(r.Tasks) || r.Tasks[i+1].Shard != t.Shard
		if (shard < 0 || t.Shard == shard) && (attempt == 0 && last || t.Attempt == attempt) {
			list = append(list, t)
		}
	}
	return list
}

// result returns nil for a run that succeeded, else an error with the exit code.
func (r cloudRun) result() error {
	code := exitRunFailed
	switch cloud.RunState(r.State) {
	case cloud.RunSucceeded:
		return nil
	case cloud.RunKilled:
		code = exitRunCancelled
	}
	text := r.State
	if r.Message != "" {
		text += ": " + firstLine(r.Message)
	}
	return &cli.Failure{Err: fmt.Errorf("run %s of job %q: %s", r.Name, r.JobName, text), Remedy: "What its shards wrote: `elasticjob cloud logs " + inShell(r.Name) + "`.", Code: code}
}

// cloudRun reads a run with its tasks.
func (c *client) cloudRun(ctx context.Context, name string) (r cloudRun, raw []byte, err error) {
	raw, err = c.Ask(ctx, api.Call{Method: http.MethodGet, Path: cloudPath("runs", name)}, &r)
	return r, raw, err
}

func printCloudApps(w io.Writer, apps []cloud.App) error {
	return table(w, "APP PROGRAM CPU MEMORY DISABLED", func(row func(...any)) {
		for _, a := range apps {
			program := strings.Join(append(append([]string{}, a.Command...), a.Args...), " ")
			if program == "" {
				program = a.BootstrapScript
			}
			row(a.Name, firstLine(program), a.CPU, a.MemoryMB, a.Disabled)
		}
	})
}

func printCloudJobs(w io.Writer, jobs []api.CloudJob) error {
	return table(w, "JOB APP CRON SHARDS PENDING NEXT LAST NOTE", func(row func(...any)) {
		for _, j := range jobs {
			last, note := "", ""
			if j.LastRun != nil {
				last = j.LastRun.State
			}
			if j.Disabled {
				note = "disabled"
			}
			for _, c := range j.Conditions {
				if note == "" && !c.OK && c.Type != cloud.ConditionHealthy {
					note = firstLine(c.Message)
				}
			}
			row(j.Name, j.AppName, j.Cron, j.Shards, j.Pending+j.Requested, moment(j.NextFireTime), last, note)
		}
	})
}

func printCloudRuns(w io.Writer, runs []cloudRun) error {
	return table(w, "RUN JOB ORIGIN STATE SHARDS FIRE TOOK", func(row func(...any)) {
		for _, r := range runs {
			row(r.Name, r.JobName, r.Origin, r.State, r.TaskCount, moment(r.FireTime), span(r.StartTime, r.CompleteTime))
		}
	})
}

func printCloudRun(w io.Writer, r cloudRun) error {
	if err := printCloudRuns(w, []cloudRun{r}); err != nil {
		return err
	}
	if r.Message != "" {
		fmt.Fprintf(w, "%s\n", firstLine(r.Message))
	}
	for _, reason := range r.Reasons {
		fmt.Fprintf(w, "%d × %s\n", reason.Count, firstLine(reason.Text))
	}
	fmt.Fprintln(w)
	return table(w, "SHARD ATTEMPT STATE NODE MESSAGE", func(row func(...any)) {
		for _, t := range r.Tasks {
			row(t.Shard, t.Attempt, t.State, t.Node, firstLine(t.Message))
		}
	})
}

// printCloudLog prints the log of a shard; its lines begin with its number if there are several.
func printCloudLog(w io.Writer, l cloudLogAnswer, several bool) error {
	if l.Log == "" {
		return nil
	}
	before := ""
	if several {
		before = fmt.Sprintf("[%d] ", l.Shard)
	}
	for _, line := range plainLines(l.Log) {
		if _, err := fmt.Fprintf(w, "%s%s\n", before, line); err != nil {
			return err
		}
	}
	return nil
}
