package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
)

// Execution is one call of a handler.
type Execution struct {
	Job     string
	Item    int
	Process string // Process is the name of the agent.
	PID     int
	Java    bool
	Source  string // Source is one of ElasticJob's; empty for Java agents, which do not say.
	Fire    time.Time
	Token   int64
	Begin   time.Time
	End     time.Time // End is zero if the handler never returned.
	Outcome string    // Outcome is that of the ledger; empty if the handler never returned.
	Ended   bool      // Ended says that the context had ended before the call.
}

func (e *Execution) completed() bool { return e.Outcome == ledger.Done || e.Outcome == ledger.Failed }

func (e *Execution) String() string {
	end := "never ended"
	if !e.End.IsZero() {
		end = e.Outcome + " " + clock(e.End)
	}
	return fmt.Sprintf("%s on %s (%d) for %s from %s, %s, token %d", e.Source, e.Process, e.PID, clock(e.Fire), clock(e.Begin), end, e.Token)
}

func clock(t time.Time) string { return t.Format("15:04:05.000") }

// Span is a stretch of time, open to the right while To is zero.
type Span struct{ From, To time.Time }

func (s Span) holds(t time.Time) bool {
	return !t.Before(s.From) && (s.To.IsZero() || !t.After(s.To))
}

// overlaps reports whether two spans have a moment in common.
func (s Span) overlaps(o Span) bool {
	return (s.To.IsZero() || !o.From.After(s.To)) && (o.To.IsZero() || !s.From.After(o.To))
}

// Life is one process of an agent.
type Life struct {
	Process string
	PID     int
	Span
	Killed bool // Killed says that it ended by kill -9.
	Java   bool
}

// State is a change of an agent's session.
type State struct {
	PID  int
	At   time.Time
	Name string
}

// Fault is a disturbance.
type Fault struct {
	Kind   string
	Target string // Target is the process that it struck, empty if it struck all.
	Span
	Frozen bool // Frozen says that the target stood still.
	// Silent says that the fault keeps no agent from running its jobs, such as
	// one of the database.
	Silent bool
}

// Command is an action of the operator that changes something.
type Command struct {
	Kind string
	Job  string // Job is empty if it concerns all of a server.
	Span
	Status int // Status is that of HTTP, 0 if there was no answer.
}

// Setting is a job's configuration, and what is switched off, from one moment
// to the next, as the tree had it.
type Setting struct {
	From   time.Time
	Period int // seconds; 0: no schedule
	Shards int
	Off    []int // shards that are disabled
	Closed bool  // a server is disabled
	// Disabled says that all servers of the job are.
	Disabled bool
}

// Row is an execution as the database has it.
type Row struct {
	ID       string
	Job      string
	Item     int
	Complete bool
	Success  bool
}

// Recorded is an execution as an agent handed it to its recorder: twice, when
// it began and when it ended.
type Recorded struct {
	ID       string
	PID      int
	At       time.Time
	Complete bool
	Success  bool
}

// Node is a node of the tree.
type Node struct {
	Path    string
	Data    string
	Created int64 // Created is the transaction that made it.
	At      time.Time
}

// Snapshot is the tree at one moment.
type Snapshot struct {
	At    time.Time
	Nodes []Node
}

// Answer is what the console said, 0 as the status if nothing.
type Answer struct {
	Span
	Request string
	Status  int
	Body    string // Body is there for what is judged further.
}

// Sample is what a process took at a moment.
type Sample struct {
	Process     string
	PID         int
	At          time.Time
	Resident    float64 // bytes
	Descriptors float64
	Goroutines  float64 // 0 if unknown
	Heap        float64 // live bytes, 0 if unknown
}

// History is everything that is known of a campaign.
type History struct {
	Namespace      string
	Begin          time.Time // Begin is when every agent served.
	Healed         time.Time // Healed is when the last fault and command ended.
	Quiet          time.Time // Quiet is from when on the fleet had the time to repair itself.
	End            time.Time
	SessionTimeout time.Duration

	Jobs       []ledger.Job
	Settings   map[string][]Setting // in order of time
	Executions []*Execution
	Lives      []Life
	States     []State
	Faults     []Fault
	Commands   []Command
	Recorded   []Recorded
	Rows       []Row
	Runs       []RunRow
	Snapshots  []Snapshot
	Answers    []Answer
	Samples    []Sample
}

// Settle is how long the fleet may take to repair itself after a disturbance: a
// session that was lost just before expires, twice if the first taker had died
// as well, and machines are slow.
func (h *History) Settle() time.Duration { return 2*h.SessionTimeout + 5*time.Second }

// shards returns the executions of each shard of a job, by their begin.
func (h *History) shards(job string) map[int][]*Execution {
	items := make(map[int][]*Execution)
	for _, e := range h.Executions {
		if e.Job == job {
			items[e.Item] = append(items[e.Item], e)
		}
	}
	for _, list := range items {
		slices.SortStableFunc(list, func(a, b *Execution) int { return a.Begin.Compare(b.Begin) })
	}
	return items
}

// at returns a job's settings at a moment.
func (h *History) at(job string, t time.Time) Setting {
	var s Setting
	for _, next := range h.Settings[job] {
		if next.From.After(t) {
			break
		}
		s = next
	}
	return s
}

// steady reports whether the settings stayed what they were in a span.
func (h *History) steady(job string, from, to time.Time) bool {
	return !slices.ContainsFunc(h.Settings[job], func(s Setting) bool { return s.From.After(from) && !s.From.After(to) })
}

// disturbed returns the spans in which something may keep a job from running,
// each with the time to repair what it left behind.
func (h *History) disturbed(job string) []Span {
	var list []Span
	add := func(s Span) {
		if !s.To.IsZero() {
			s.To = s.To.Add(h.Settle())
		}
		list = append(list, s)
	}
	for _, f := range h.Faults {
		switch {
		case f.Silent:
		case f.Target != "" && !f.To.IsZero() && f.To.Sub(f.From) > 4*h.Settle():
			// The fleet goes on without it, until it returns.
			add(Span{f.From, f.From.Add(h.SessionTimeout)})
			add(Span{f.To, f.To})
		default:
			add(f.Span)
		}
	}
	for _, c := range h.Commands {
		if c.Job == "" || c.Job == job {
			add(c.Span)
		}
	}
	for _, s := range h.Settings[job] {
		add(Span{s.From, s.From})
	}
	for _, l := range h.Lives {
		add(Span{l.From, l.From}) // It joins, and shards move.
		if !l.To.IsZero() {
			add(Span{l.To, l.To})
		}
	}
	slices.SortFunc(list, func(a, b Span) int { return a.From.Compare(b.From) })
	return list
}

// calm reports whether a span has no moment that was disturbed.
func calm(disturbed []Span, s Span) bool {
	return !slices.ContainsFunc(disturbed, s.overlaps)
}

// calmFor reports whether some stretch of a length within a span was disturbed
// by none of what is listed, which is in order of its beginnings.
func calmFor(busy []Span, s Span, length time.Duration) bool {
	from := s.From
	for _, b := range busy {
		if b.From.Sub(from) >= length {
			break
		}
		if b.To.IsZero() {
			return false
		}
		if b.To.After(from) {
			from = b.To
		}
	}
	return s.To.Sub(from) >= length
}

// lifeOf finds a process.
func (h *History) lifeOf(pid int, at time.Time) *Life {
	for i := range h.Lives {
		if l := &h.Lives[i]; l.PID == pid && l.holds(at) {
			return l
		}
	}
	return nil
}

// confirmation is how long after its end a run may still be on its way into the
// tree.
const confirmation = 3 * time.Second

// sound reports whether an execution came to its end and nothing kept the agent
// from saying so in the tree.
func (h *History) sound(e *Execution) bool {
	span := Span{e.Begin.Add(-time.Second), e.End.Add(confirmation)}
	life := h.lifeOf(e.PID, e.Begin)
	if !e.completed() || life == nil || !life.To.IsZero() && life.To.Before(span.To) {
		return false
	}
	if slices.ContainsFunc(h.States, func(s State) bool { return s.PID == e.PID && s.Name != "connected" && span.holds(s.At) }) {
		return false
	}
	// A session that was suspended before and is not connected yet.
	last := "connected"
	for _, s := range h.States {
		if s.PID == e.PID && s.At.Before(span.From) {
			last = s.Name
		}
	}
	return last == "connected" && !slices.ContainsFunc(h.Faults, func(f Fault) bool {
		return !f.Silent && (f.Target == "" || f.Target == e.Process) && f.overlaps(span)
	})
}
