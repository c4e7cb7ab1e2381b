package main

import (
	"compress/gzip"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// evidence is everything that a campaign has collected. It can be judged again by other rules.
type evidence struct {
	Seed     uint64
	Minutes  float64
	Rate     float64
	Java     string
	Counts   map[string]int    // faults and commands by kind
	Troubles []judge.Violation // found by no rule of the judge

	Faults   []disturbance
	Commands []command
	Lives    []life
	History  *judge.History // without the consequences of faults, commands and lives
}

type disturbance struct {
	Kind   string
	Target string // the affected agent, or "" for all
	judge.Span
	Frozen bool // the target was stopped
	Silent bool // it keeps no agent from running its jobs, such as a fault of the database
}

// command is a change by the operator.
type command struct {
	Kind string
	Job  string // "" if it concerns all jobs of a server
	judge.Span
	Status int // of HTTP; 0 if there was no answer
}

// trigger is the kind of the commands that make a job run.
const trigger = "trigger"

// life is one process of an agent.
type life struct {
	Agent string
	PID   int
	judge.Span
	Killed bool // it was ended by kill -9
}

const (
	// settle is how long the fleet may take to repair itself after a disturbance. A session lost just before should
	// have expired by then, twice if the first taker also died, and we allow for slow machines.
	settle = 2*sessionTimeout + 5*time.Second
	// confirmation is the time within which a run should appear in the tree after its end.
	confirmation = 3 * time.Second
	// resumption is the time within which a stopped process should notice.
	resumption = 2 * time.Second
)

// rules are the rules with evidence in a campaign. For jobs that Java agents also serve, we only
// check ElasticJob's promises.
var (
	rules      = []string{"I1", "I2", "I3", "I4", "I5", "I6", "I8", "I13", "I22", "I24", "ended", "row", "growth", "console"}
	mixedRules = []string{"I5", "I6", "I13", "ended"}
)

// refused are excuses that a campaign doesn't need; see the documentation of package judge.
var refused = []judge.Excuse{
	judge.Deaf, judge.EventsLost, judge.Triggered, judge.Astray, judge.Skewed, judge.NoMisfire, judge.NoServer, judge.Stranger, judge.Unscheduled, judge.Retimed,
}

func newEvidence(o options) evidence {
	h := judge.NewHistory()
	h.Machine = new(judge.Machine)
	return evidence{Seed: o.seed, Minutes: o.minutes, Rate: o.rate, Java: o.java, Counts: make(map[string]int), History: h}
}

// judged returns the history of a job once all agents serve it.
func judged(job ledger.Job, since time.Time) *judge.JobHistory {
	j := &judge.JobHistory{
		Name: job.Name, Longest: time.Duration(job.Longest) * time.Millisecond, Lives: []*judge.Life{}, Requests: &judge.Requests{Database: judge.NewDatabase()},
		Settings: []judge.Settings{{From: since, Period: time.Duration(job.Period) * time.Second, Items: job.Shards, Monitor: job.Monitor, Misfire: job.Misfire}},
	}
	if job.Mixed {
		j.Rules = mixedRules
	}
	return j
}

// judge adds the consequences of all events to the history, and judges it.
func (e *evidence) judge() []judge.Violation {
	h := e.History
	h.SessionTimeout, h.Pace, h.Unwatched, h.Rules = sessionTimeout, judge.OnMachine, true, rules
	for _, f := range e.Faults {
		e.struck(f)
	}
	for _, c := range e.Commands {
		for name, job := range h.Jobs {
			if c.Job != "" && c.Job != name {
				continue
			}
			job.Disturbed = append(job.Disturbed, settling(c.Span))
			if c.Kind == trigger {
				job.Triggers = append(job.Triggers, c.From)
			}
		}
		h.Note(c.From, c.Job, "command", fmt.Sprintf("%s: %d", c.Kind, c.Status))
	}
	killed := make(map[string]bool)
	for _, l := range e.Lives {
		process := processName(l.Agent, l.PID)
		h.Live(process, l.From, true)
		h.Disturb(settling(judge.Span{From: l.From, To: l.From})) // It joins, and shards move.
		h.Note(l.From, "", process, "starts")
		if killed[process] = l.Killed; l.To.IsZero() {
			continue
		}
		h.Live(process, l.To, false)
		h.Disconnect(process, l.To)
		h.Disturb(settling(judge.Span{From: l.To, To: l.To}))
		h.Note(l.To, "", process, "has ended")
	}
	h.Machine.Killed = killed
	for _, job := range h.Jobs {
		for k := range job.Settings {
			s := job.Settings[k]
			job.Disturbed = append(job.Disturbed, settling(judge.Span{From: s.From, To: s.From}))
			h.Note(s.From, job.Name, "settings", fmt.Sprintf("every %v, %d shards, off %v, servers disabled %d", s.Period, s.Items, s.Off, s.Servers))
		}
		job.Settings[0].From = job.Settings[0].From.Add(-time.Hour) // They had it when they joined.
	}
	for _, r := range h.Runs {
		e.mark(r)
	}
	for _, s := range h.Snapshots {
		e.found(s)
	}
	return judge.Check(h, refused...)
}

// settling adds the time that a fleet needs to repair itself after a disturbance.
func settling(s judge.Span) judge.Span {
	if !s.To.IsZero() {
		s.To = s.To.Add(settle)
	}
	return s
}

// struck adds the consequences of a fault.
func (e *evidence) struck(f disturbance) {
	h := e.History
	h.Machine.Faults = append(h.Machine.Faults, f.Span)
	h.Note(f.From, "", "fault", f.Kind+" "+f.Target)
	if !f.To.IsZero() {
		h.Note(f.To, "", "fault", "ends: "+f.Kind+" "+f.Target)
	}
	if f.Silent {
		return
	}
	if f.Target != "" && !f.To.IsZero() && f.To.Sub(f.From) > 4*settle {
		// The fleet goes on without it until it returns.
		h.Disturb(judge.Span{From: f.From, To: f.From.Add(sessionTimeout)})
		h.Disturb(settling(judge.Span{From: f.To, To: f.To}))
	} else {
		h.Disturb(settling(f.Span))
	}
	for _, l := range e.Lives {
		if f.Target != "" && f.Target != l.Agent {
			continue
		}
		process := processName(l.Agent, l.PID)
		h.Cut(process, f.Span)
		if f.Target != "" && !f.To.IsZero() {
			h.Hindered[process] = append(h.Hindered[process], settling(f.Span))
		}
		if f.Frozen {
			aware := f.Span
			if !aware.To.IsZero() {
				aware.To = aware.To.Add(resumption)
			}
			h.Excuse(process, aware)
		}
	}
}

// mark completes a run if its process has ended, and adds its marker. The session removed the
// marker unless something kept the process from doing so.
func (e *evidence) mark(r *judge.Run) {
	h, process := e.History, e.History.Processes[r.Process]
	if r.End.IsZero() && process != nil && !process.To.IsZero() {
		r.End, r.Outcome = process.To, judge.Died
	}
	m := &judge.Marker{Job: r.Job, Item: r.Item, Instance: r.Instance, Session: 1, From: r.Start, To: r.End}
	around := judge.Span{From: r.Start, To: r.End.Add(judge.OnMachine.Obey)} // The order is unknown.
	r.Doubtful = r.Outcome == judge.Completed && slices.ContainsFunc(h.Losses[r.Process], around.Holds)
	if e.confirmed(r) {
		m.RemovedBy = m.Session
	}
	for _, s := range h.Excused[r.Process] { // A stopped process may have created it earlier.
		if r.Outcome == judge.Cancelled && s.Holds(r.Start) {
			m.From = s.From
		}
	}
	h.Markers = append(h.Markers, m)
}

// confirmed reports whether a run ended and nothing kept its process from recording that in the
// tree.
func (e *evidence) confirmed(r *judge.Run) bool {
	h, window := e.History, judge.Span{From: r.Start.Add(-time.Second), To: r.End.Add(confirmation)}
	if life := h.Processes[r.Process]; r.Outcome != judge.Completed || life == nil || !life.To.IsZero() && life.To.Before(window.To) {
		return false
	}
	connected := slices.ContainsFunc(h.Connected[r.Process], func(s judge.Span) bool { return s.Holds(r.Start) && s.Holds(window.To) })
	return connected && !slices.ContainsFunc(h.Connected[r.Process], func(s judge.Span) bool { return window.Holds(s.To) }) &&
		!slices.ContainsFunc(h.Cuts[r.Process], func(s judge.Span) bool {
			return !s.From.After(window.To) && (s.To.IsZero() || !s.To.Before(window.From))
		})
}

// found adds the instances and requested runs of a snapshot.
func (e *evidence) found(s judge.Snapshot) {
	job := e.History.Jobs[s.Job]
	for _, id := range s.Instances() {
		for _, l := range e.Lives {
			if l.To.IsZero() && strings.HasSuffix(id, fmt.Sprintf("@-@%d", l.PID)) {
				job.Lives = append(job.Lives, &judge.Life{Instance: id, Process: processName(l.Agent, l.PID), Span: l.Span})
			}
		}
	}
	job.Requests.Changes = s.Runs() // The last snapshot counts.
}

const evidenceFile = "evidence.gob.gz"

// saveEvidence writes the evidence for the verdict to a file.
func (c *campaign) saveEvidence() (err error) {
	file, err := os.Create(filepath.Join(c.dir, evidenceFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	zipped := gzip.NewWriter(file)
	err = gob.NewEncoder(zipped).Encode(c.evidence)
	return errors.Join(err, zipped.Close())
}

// judgeAgain judges the evidence in a folder.
func judgeAgain(dir string) error {
	file, err := os.Open(filepath.Join(dir, evidenceFile))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	kept := newEvidence(options{})
	if err := gob.NewDecoder(zipped).Decode(&kept); err != nil {
		return err
	}
	c := newCampaign(options{seed: kept.Seed, minutes: kept.Minutes, rate: kept.Rate, java: kept.Java}, dir)
	for range goAgents {
		c.agents = append(c.agents, &agent{}) // only the kinds of their faults are needed
	}
	if kept.Java != "" {
		c.agents = append(c.agents, &agent{java: true})
	}
	c.evidence = kept
	return c.verdict()
}
