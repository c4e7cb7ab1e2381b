package scheduler

import (
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// memory has the facts about a job that only this term knows.
type memory struct {
	uid       string // of the definition that everything else is about
	namespace string // of the last definition
	backlog   backlog
	turn      call   // the calls of the engine, one at a time
	refused   string // digest of the job and the application that the engine refused
	// launched has runs by name that the engine took but hasn't reported yet.
	launched map[string]launched
	// asked has the last call about each run, by reference, and each task, by UID.
	asked    map[string]asked
	collided map[string]bool     // names of runs taken by others
	progress map[string]progress // runs by name
	// ends has ended runs that the store doesn't know as ended yet, in order of their ends.
	ends []runEnd
	// daemon is the digest of the DAEMON processes that the engine accepted, "" for none. daemonAt
	// is the time of that call.
	daemon   string
	daemonAt time.Time
}

func (m memory) clone() memory {
	m.launched, m.asked = copied(m.launched), copied(m.asked)
	m.collided, m.progress = copied(m.collided), copied(m.progress)
	m.ends = slices.Clone(m.ends)
	return m
}

func copied[V any](m map[string]V) map[string]V { return maps.Collect(maps.All(m)) }

// of returns the memory for another job of the same name. Calls for the earlier job may still be under way.
func (m memory) of(uid string) memory {
	fresh := memory{uid: uid, namespace: m.namespace, daemon: m.daemon, daemonAt: m.daemonAt}
	if m.turn.state == calling {
		fresh.turn.begin()
	}
	if m.backlog.state == calling {
		fresh.backlog.begin()
	}
	return fresh.clone()
}

// call is the state of calls that a job makes one at a time.
//
//	state    event              next state
//	idle     waitUntil          waiting
//	idle     begin              calling
//	waiting  begin, from at on  calling
//	calling  waitUntil          calling; at is for the next call
//	calling  done               idle, or waiting if at was set
//	calling  failed             waiting
type call struct {
	state    callState
	at       time.Time // no call before; zero if it may begin at once
	failures int       // in a row
}

type callState int

const (
	idle callState = iota
	waiting
	calling
)

func (c call) ready(now time.Time) bool { return c.state != calling && !now.Before(c.at) }
func (c *call) begin()                  { c.state, c.at = calling, time.Time{} }
func (c *call) waitUntil(at time.Time)  { c.state, c.at = max(c.state, waiting), at }

func (c *call) done() {
	if c.state, c.failures = idle, 0; !c.at.IsZero() {
		c.state = waiting
	}
}

// failed returns the pause before the next call.
func (c *call) failed(now time.Time, err error) time.Duration {
	wait := pause(c.failures, err)
	c.state, c.at = waiting, now.Add(wait)
	c.failures++
	return wait
}

// backlog has the changes of a status that the store doesn't have yet. Its call is their write.
// Changes during a write set the time of the next write.
type backlog struct {
	call
	changes []change
	durable int // how many must be written before the job's next action
	// passing moves the cursor of a disabled job. It's written when the job is enabled; until then
	// another leader would move the cursor itself.
	passing []change
}

// change is a [cloud.Action], a condition or a lastRun.
type change interface{ Apply(*cloud.Status) }

type condition cloud.Condition

func (c condition) Apply(s *cloud.Status) { s.SetCondition(cloud.Condition(c)) }

type lastRun cloud.LastRun

// Apply sets the last run unless the status has a newer one.
func (r lastRun) Apply(s *cloud.Status) {
	if newer(cloud.LastRun(r), s.LastRun) {
		s.LastRun = cloud.LastRun(r)
	}
}

func newer(run, than cloud.LastRun) bool {
	if c := run.Ended.Compare(than.Ended); c != 0 {
		return c > 0 && run.Name != than.Name
	}
	return run.Name > than.Name
}

// urgency is when a change must be written.
type urgency int

const (
	whenEnabled urgency = iota // replaces the passing change
	later                      // within flushDelay
	atOnce                     // but actions don't wait for it
	durable                    // before the job's next action
)

// add appends changes after the passing one.
func (b *backlog) add(when urgency, now time.Time, changes ...change) {
	if when == whenEnabled {
		b.passing = changes
		return
	}
	b.changes, b.passing = slices.Concat(b.changes, b.passing, changes), nil
	switch {
	case when >= atOnce:
		b.waitUntil(now)
	case b.at.IsZero():
		b.waitUntil(now.Add(flushDelay))
	}
	if when == durable {
		b.durable = len(b.changes)
	}
}

func (b *backlog) written(count int) {
	b.done()
	b.changes, b.durable = slices.Clone(b.changes[count:]), max(0, b.durable-count)
}

type launched struct {
	status cloud.RunStatus
	list   int // the number of the engine's list at the launch
}

type asked struct {
	do verb
	at time.Time
}

// progress is how far this term has followed a run.
type progress int

const (
	unseen  progress = iota
	working          // seen before its end
	noticed          // its end was handled
)

// runEnd is the end of a run, and the state of its notification.
type runEnd struct {
	last   cloud.LastRun
	notice notice
}

type notice int

const (
	unwanted notice = iota
	sending
	sent // or given up
)
