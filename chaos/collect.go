package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// collect ends the agents in an orderly way and reads all logs.
func (c *campaign) collect(ctx context.Context) error {
	for _, a := range c.agents {
		c.Lives = append(c.Lives, a.lives...) // those at the end have none
	}
	for _, a := range c.agents {
		a.claim() // nothing else uses it any more
		c.end(a, true)
	}
	c.stepped()
	for _, a := range c.agents {
		read := c.readLedger
		if a.java {
			read = c.readReports
		}
		if err := read(a); err != nil {
			return err
		}
	}
	return c.readRows(ctx)
}

// clocks are readings of the machine's two clocks at one time.
type clocks struct {
	wall time.Time
	mono int64
}

func readClocks() clocks { return clocks{time.Now().Round(0), ledger.Mono()} }

// at returns the time at which the clock that never steps had a value.
func (c clocks) at(mono int64) time.Time { return c.wall.Add(time.Duration(mono - c.mono)) }

// stepped records a violation if the wall clock was set in the meantime. Fire times follow it, so
// we can't judge anything then.
func (c *campaign) stepped() {
	now := readClocks()
	if off := now.wall.Sub(c.clocks.at(now.mono)); off.Abs() > 500*time.Millisecond {
		c.trouble("campaign", "the clock of the machine was set by %v", off)
	}
}

func (c *campaign) readLedger(a *agent) error {
	running := make(map[[2]int64]*judge.Run) // by process and number
	h := c.History
	return ledger.Read(a.ledger, func(r ledger.Record) {
		at := c.clocks.at(r.Mono)
		key, process := [2]int64{int64(r.PID), r.Run}, processName(a.name, r.PID)
		switch r.What {
		case ledger.Began:
			e := &judge.Run{
				Job: r.Job, Item: r.Item, Process: process, Instance: process, Source: tracing.Source(r.Source), Token: r.Token,
				Scheduled: time.UnixMicro(r.Fire), Start: at, Ended: r.State != "",
			}
			if c.job(r.Job).Requested {
				e.Request = "one of " + r.Job // its ledger doesn't name the run
			}
			running[key] = e
			h.Add(e)
		case ledger.Ended:
			if e := running[key]; e != nil {
				h.Ended(e, outcomes[r.Outcome], at)
				delete(running, key)
			}
			if r.Outcome == ledger.Failed {
				c.Counts["executions failed"]++
			}
		case ledger.Session:
			h.Note(at, "", process, "session "+r.State)
			switch r.State {
			case "connected":
				h.Connect(process, at)
			case "lost", "closed":
				h.Lose(process, at)
				fallthrough
			default:
				h.Disconnect(process, at)
			}
		case ledger.Row:
			h.Machine.Recorded = append(h.Machine.Recorded, judge.Recorded{ID: r.ID, Process: process, At: at, Complete: r.Complete, Success: r.Success})
		case ledger.Usage:
			h.Machine.Samples = append(h.Machine.Samples, judge.Sample{Process: process, At: at, Goroutines: float64(r.Goroutines), Heap: float64(r.Heap)})
		}
	})
}

// outcomes maps the outcomes in a ledger to the judge's outcomes.
var outcomes = map[string]judge.Outcome{ledger.Done: judge.Completed, ledger.Failed: judge.Completed, ledger.Cancelled: judge.Cancelled}

func processName(agent string, pid int) string { return fmt.Sprintf("%s (%d)", agent, pid) }

func (c *campaign) readRows(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var rows []struct {
		ID           string
		JobName      string
		ShardingItem int
		IsSuccess    int
		Complete     int
	}
	err := c.database.DB.WithContext(ctx).Raw("SELECT id, job_name, sharding_item, is_success, complete_time IS NOT NULL AS complete FROM JOB_EXECUTION_LOG").Scan(&rows).Error
	if err != nil {
		return err
	}
	for _, r := range rows {
		c.History.Machine.Rows = append(c.History.Machine.Rows, judge.Row{ID: r.ID, Job: r.JobName, Item: r.ShardingItem, Complete: r.Complete == 1, Success: r.IsSuccess == 1})
	}
	var runs []struct {
		ID, JobName string
		State       jobrun.State
	}
	if err := c.database.DB.WithContext(ctx).Raw("SELECT id, job_name, state FROM JOB_RUN").Scan(&runs).Error; err != nil {
		return err
	}
	for _, r := range runs {
		c.History.Jobs[r.JobName].Requests.Database.Runs[r.ID] = tracing.RunRecord{ID: r.ID, JobName: r.JobName, State: r.State}
	}
	return nil
}

// verdict judges and prints, and returns an error if the fleet broke a promise.
func (c *campaign) verdict() error {
	violations := slices.Concat(c.Troubles, c.judge(), c.tooLittle())
	c.report(violations)
	if len(violations) > 0 {
		return fmt.Errorf("%d violations: %w; seed %d", len(violations), errViolated, c.opts.seed)
	}
	return nil
}
