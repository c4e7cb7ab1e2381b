package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/judge"
	"github.com/elasticjob-go/elasticjob/chaos/ledger"
)

// collect ends the agents in order and reads what everybody wrote down.
func (c *campaign) collect(ctx context.Context) error {
	for _, a := range c.agents {
		c.history.Lives = append(c.history.Lives, a.lives...) // Those at the end have none.
	}
	for _, a := range c.agents {
		a.claim() // Nobody else is at work any more.
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

// clocks are the two clocks of the machine at one moment.
type clocks struct {
	wall time.Time
	mono int64
}

func readClocks() clocks { return clocks{time.Now().Round(0), ledger.Mono()} }

// at is the moment at which the clock that never steps had a value.
func (c clocks) at(mono int64) time.Time { return c.wall.Add(time.Duration(mono - c.mono)) }

// stepped tells when the wall clock was set meanwhile: fire times follow it, so
// nothing can be judged then.
func (c *campaign) stepped() {
	now := readClocks()
	if off := now.wall.Sub(c.clocks.at(now.mono)); off.Abs() > 500*time.Millisecond {
		c.trouble("campaign", "the clock of the machine was set by %v", off)
	}
}

func (c *campaign) readLedger(a *agent) error {
	running := make(map[[2]int64]*judge.Execution) // by process and number
	return ledger.Read(a.ledger, func(r ledger.Record) {
		at := c.clocks.at(r.Mono)
		key := [2]int64{int64(r.PID), r.Run}
		switch r.What {
		case ledger.Began:
			e := &judge.Execution{
				Job: r.Job, Item: r.Item, Process: a.name, PID: r.PID, Source: r.Source, Token: r.Token,
				Fire: time.UnixMicro(r.Fire), Begin: at, Ended: r.State != "",
			}
			running[key] = e
			c.history.Executions = append(c.history.Executions, e)
		case ledger.Ended:
			if e := running[key]; e != nil {
				e.End, e.Outcome = at, r.Outcome
				delete(running, key)
			}
		case ledger.Session:
			c.history.States = append(c.history.States, judge.State{PID: r.PID, At: at, Name: r.State})
		case ledger.Row:
			c.history.Recorded = append(c.history.Recorded, judge.Recorded{ID: r.ID, PID: r.PID, At: at, Complete: r.Complete, Success: r.Success})
		case ledger.Usage:
			c.history.Samples = append(c.history.Samples, judge.Sample{Process: a.name, PID: r.PID, At: at, Goroutines: float64(r.Goroutines), Heap: float64(r.Heap)})
		}
	})
}

// readRows reads the history as the database has it.
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
		c.history.Rows = append(c.history.Rows, judge.Row{ID: r.ID, Job: r.JobName, Item: r.ShardingItem, Complete: r.Complete == 1, Success: r.IsSuccess == 1})
	}
	return c.database.DB.WithContext(ctx).Raw("SELECT id, job_name AS job, state FROM JOB_RUN").Scan(&c.history.Runs).Error
}

// verdict judges, prints, and says whether the fleet kept its promises.
func (c *campaign) verdict() error {
	violations := slices.Concat(c.troubles, judge.Check(&c.history), c.tooLittle())
	c.report(violations)
	if len(violations) > 0 {
		return fmt.Errorf("%d violations: %w; seed %d", len(violations), errViolated, c.opts.seed)
	}
	return nil
}
