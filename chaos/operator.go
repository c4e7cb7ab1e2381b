package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// operate gives random commands over REST during storms.
func (c *campaign) operate(ctx context.Context, r *rand.Rand) {
	commands := []func(context.Context, *rand.Rand){
		c.trigger, c.trigger, c.request, c.request, c.cancelRuns, c.switchJob, c.switchShard, c.switchServer, c.editCron, c.editShards, c.editParameter,
	}
	for {
		for _, do := range shuffled(r, commands) {
			if !c.awaitStorm(ctx) || !pause(ctx, between(r, 200*time.Millisecond, 2*time.Second)) {
				return
			}
			do(ctx, r)
		}
	}
}

// command gives one command and records it.
func (c *campaign) command(ctx context.Context, kind, job, method, path string, body any) int {
	// It finishes even if the campaign is about to end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerLimit)
	defer cancel()
	a := c.console.ask(ctx, method, path, body)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Commands = append(c.Commands, command{Kind: kind, Job: job, Span: a.Span, Status: a.Status})
	if a.Status/100 == 2 {
		c.Counts["command-"+kind]++
	}
	return a.Status
}

// insist repeats a command until it succeeds.
func (c *campaign) insist(ctx context.Context, kind, job, method, path string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Minute)
	defer cancel()
	for {
		status := c.command(ctx, kind, job, method, path, nil)
		if status/100 == 2 || status == 409 || status == 404 {
			return
		}
		if !pause(ctx, time.Second) {
			c.trouble("console", "%s of %q is not obeyed for two minutes; the last answer is %d", kind, job, status)
			return
		}
	}
}

// change records new settings of a job, or of all jobs with "".
func (c *campaign) change(job string, change func(*judge.Settings)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, j := range c.History.Jobs {
		if job != "" && job != name {
			continue
		}
		next := j.Settings[len(j.Settings)-1]
		next.Off = slices.Clone(next.Off)
		next.From = time.Now()
		change(&next)
		j.Settings = append(j.Settings, next)
	}
}

func (c *campaign) trigger(ctx context.Context, r *rand.Rand) {
	job := pick(r, c.jobs)
	if r.IntN(2) == 0 {
		job = c.job("triggered")
	}
	c.command(ctx, trigger, job.Name, "POST", "/api/jobs/"+job.Name+"/trigger", nil)
}

// requestRun is the kind of the commands that request runs.
const requestRun = "request-run"

// request requests a few runs, some with a delay.
func (c *campaign) request(ctx context.Context, r *rand.Rand) {
	for range 1 + r.IntN(6) {
		body := map[string]any{"params": map[string]any{"n": r.IntN(100)}}
		if r.IntN(3) == 0 {
			body["delay"] = between(r, time.Second, 10*time.Second).String()
		}
		c.command(ctx, requestRun, "requested", "POST", "/api/jobs/requested/requested-runs", body)
	}
}

func (c *campaign) cancelRuns(ctx context.Context, _ *rand.Rand) {
	c.command(ctx, "cancel-runs", "requested", "DELETE", "/api/jobs/requested/requested-runs", nil)
}

func (c *campaign) job(name string) ledger.Job {
	return c.jobs[slices.IndexFunc(c.jobs, func(j ledger.Job) bool { return j.Name == name })]
}

// soon selects a job to disable. It prefers one with a long period that fires within seconds, and
// waits for that time. over is the time left until the fire time.
func (c *campaign) soon(ctx context.Context, r *rand.Rand) (job ledger.Job, over time.Duration) {
	for _, job := range shuffled(r, c.jobs) {
		period := c.setting(job.Name).Period
		if period < 30*time.Second {
			continue
		}
		left := time.Until(time.Now().Truncate(period).Add(period))
		if left > 2*time.Second && left < 12*time.Second {
			pause(ctx, left-1500*time.Millisecond)
			return job, 2 * time.Second
		}
	}
	return pick(r, c.jobs), 0
}

// setting returns the current settings of a job.
func (c *campaign) setting(job string) judge.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.History.Jobs[job].Settings
	return list[len(list)-1]
}

func (c *campaign) switchJob(ctx context.Context, r *rand.Rand) {
	chosen, over := c.soon(ctx, r)
	job := chosen.Name
	c.change(job, func(s *judge.Settings) { s.Servers, s.Shut = 1, true })
	c.command(ctx, "disable-job", job, "POST", "/api/jobs/"+job+"/disable", nil)
	pause(ctx, over+between(r, 0, 6*time.Second))
	c.insist(ctx, "enable-job", job, "POST", "/api/jobs/"+job+"/enable")
	c.change(job, func(s *judge.Settings) { s.Servers, s.Shut = 0, false })
}

func (c *campaign) switchShard(ctx context.Context, r *rand.Rand) {
	job, over := c.soon(ctx, r)
	item := r.IntN(c.setting(job.Name).Items)
	path := "/api/jobs/" + job.Name + "/sharding/" + strconv.Itoa(item)
	c.change(job.Name, func(s *judge.Settings) { s.Off = append(s.Off, item) })
	c.command(ctx, "disable-shard", job.Name, "POST", path+"/disable", nil)
	pause(ctx, over+between(r, 0, 8*time.Second))
	c.insist(ctx, "enable-shard", job.Name, "POST", path+"/enable")
	c.change(job.Name, func(s *judge.Settings) { s.Off = slices.DeleteFunc(s.Off, func(n int) bool { return n == item }) })
}

// switchServer disables a server with all its jobs for a while.
func (c *campaign) switchServer(ctx context.Context, r *rand.Rand) {
	a := pick(r, c.agents[:goAgents])
	c.change("", func(s *judge.Settings) { s.Servers = 1 })
	c.command(ctx, "disable-server", "", "POST", "/api/servers/"+a.address+"/disable", nil)
	pause(ctx, between(r, 0, 5*time.Second))
	c.insist(ctx, "enable-server", "", "POST", "/api/servers/"+a.address+"/enable")
	c.change("", func(s *judge.Settings) { s.Servers = 0 })
}

func (c *campaign) editCron(ctx context.Context, r *rand.Rand) {
	c.edit(ctx, r, "edit-cron", func(name string) map[string]any {
		periods := []int{1, 2, 3, 5, 10}
		if c.job(name).Period >= 60 {
			periods = []int{30, 60, 120}
		}
		return map[string]any{"cron": ledger.CronOf(pick(r, periods))}
	})
}

func (c *campaign) editShards(ctx context.Context, r *rand.Rand) {
	c.edit(ctx, r, "edit-shards", func(string) map[string]any { return map[string]any{"shardingTotalCount": 2 + r.IntN(10)} })
}

func (c *campaign) editParameter(ctx context.Context, r *rand.Rand) {
	c.edit(ctx, r, "edit-parameter", func(string) map[string]any { return map[string]any{"jobParameter": fmt.Sprint("p", r.IntN(1000))} })
}

// edit changes the configuration of a job that may be edited. The result is read from the tree,
// because an answer may be lost.
func (c *campaign) edit(ctx context.Context, r *rand.Rand, kind string, body func(job string) map[string]any) {
	var names []string
	for _, j := range c.jobs {
		if j.Edited {
			names = append(names, j.Name)
		}
	}
	name := pick(r, names)
	change := body(name)
	change["jobName"] = name
	c.command(ctx, kind, name, "PUT", "/api/jobs/config", change)
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	if err := c.readSetting(reading, name); err != nil {
		c.trouble("campaign", "read the configuration of %s: %v", name, err)
	}
}

// readSettings records the final configurations in the tree.
func (c *campaign) readSettings(ctx context.Context) error {
	for _, job := range c.jobs {
		if err := c.readSetting(ctx, job.Name); err != nil {
			return err
		}
	}
	return nil
}

func (c *campaign) readSetting(ctx context.Context, name string) error {
	for {
		data, stat, err := c.tree.Get(ctx, c.paths.Job(name).Config())
		if zk.Retriable(err) && pause(ctx, 200*time.Millisecond) {
			continue
		}
		if err != nil {
			return err
		}
		config, err := jobconfig.Decode(data)
		if err != nil {
			return err
		}
		period, err := periodOf(config.Cron)
		if err != nil {
			return err
		}
		last := c.setting(name)
		if last.Period != period || last.Items != config.Shards {
			c.change(name, func(s *judge.Settings) {
				if stat.Mtime.After(last.From) {
					s.From = stat.Mtime
				}
				s.Period, s.Items = period, config.Shards
			})
		}
		return nil
	}
}

// periodOf is the inverse of [ledger.CronOf].
func periodOf(cron string) (time.Duration, error) {
	for seconds := range 3601 {
		if ledger.CronOf(seconds) == cron {
			return time.Duration(seconds) * time.Second, nil
		}
	}
	return 0, errors.New("no campaign writes the schedule " + strconv.Quote(cron))
}

// look sends typical requests to the console, all the time.
func (c *campaign) look(ctx context.Context) {
	r := c.random(1001)
	for pause(ctx, between(r, 300*time.Millisecond, 1500*time.Millisecond)) {
		job := pick(r, c.jobs).Name
		path := pick(r, []string{
			"/api/jobs", "/api/jobs/" + job, "/api/jobs/" + job + "/sharding", "/api/jobs/" + job + "/explain",
			"/api/jobs/config/" + job, "/api/servers", "/api/event-trace/execution?pageSize=20", "/api/jobs/count",
			"/api/jobs/" + job + "/reshard-plan", "/healthz",
		})
		c.console.ask(ctx, "GET", path, nil)
	}
}
