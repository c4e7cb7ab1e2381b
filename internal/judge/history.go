package judge

import (
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Outcome says how a run ended.
type Outcome string

// The outcomes of a run.
const (
	Completed Outcome = "completed" // the handler came to its end, with an error or without
	Cancelled Outcome = "cancelled" // its context ended and it obeyed
	Died      Outcome = "died"      // its process crashed
)

// Run is one execution of a shard's handler, recorded by the handler itself.
type Run struct {
	Job       string
	Item      int
	Process   string
	Instance  string
	Source    tracing.Source
	Scheduled time.Time
	Token     int64
	Start     time.Time
	Called    time.Time // when its handler was called, before Start if the process was paused then; zero: at Start
	Local     time.Time // the start by the process's own clock, zero if that is right
	End       time.Time // zero if it never ended
	Cancel    time.Time // when its context ended, zero if it did not
	Outcome   Outcome

	// Ended means that its context had ended before the handler was called.
	Ended    bool
	TimedOut time.Time // when its context ended because of the job's timeout, zero if it did not
	// Doubtful says that only its agent can tell whether its end counted: something else
	// may have ended its context after the timeout had.
	Doubtful bool

	Request string        // the requested run that it is a part of; empty for a fire time or a trigger
	Verdict Verdict       // what its handler says of a requested run that it completes
	After   time.Duration // when the shard is to run again, if it says so
}

// local is when the run began by the process's own clock, which is the one that
// its fire time is of.
func (r *Run) local() time.Time {
	if r.Local.IsZero() {
		return r.Start
	}
	return r.Local
}

// called is when the handler was called: from then on the run could not know
// what happened while its process was paused.
func (r *Run) called() time.Time {
	if r.Called.IsZero() {
		return r.Start
	}
	return r.Called
}

// Refusal is a moment in which a process said that it does not run a job
// because of its clock.
type Refusal struct {
	Job, Process string
	At           time.Time
}

// Marker is the life of one running marker in the tree.
type Marker struct {
	Job       string
	Item      int
	Instance  string
	Session   int64 // whose transaction made it
	From      time.Time
	To        time.Time // zero while it exists
	RemovedBy int64     // 0 if it went with its session
	Offered   bool      // the shard was offered to others as the marker was removed
	Claimed   bool      // it was made for a failover
}

// Settings are a job's stored configuration, and what an operator switched
// off, from one moment to the next.
type Settings struct {
	From     time.Time
	Period   time.Duration // 0: the job fires only when it is triggered
	Items    int
	Monitor  bool
	Misfire  bool
	Failover bool
	Turns    bool          // the only shard rotates
	Off      []int         // shards that are disabled
	Servers  int           // servers that are disabled
	Shut     bool          // all of them are
	Held     bool          // the schedule is held
	HeldOnly bool          // that alone is new
	Timeout  time.Duration // of a handler, 0 for ever

	// What follows is kept of jobs whose periods are minutes, hours and days. The
	// period is then the shortest gap between two fire times.
	Schedule *Schedule // nil: Period says all
	Unusable bool      // nobody can serve a job that is configured like this
	Closed   []string  // addresses of the servers that are disabled
}

// runs reports whether s has a shard run at its fire times.
func (s Settings) runs(shard int) bool {
	return s.Period > 0 && shard < s.Items && s.Servers == 0 && !s.Held && !slices.Contains(s.Off, shard)
}

// Span is a stretch of time, open to the right while To is zero.
type Span struct{ From, To time.Time }

// Holds reports whether a moment is in s.
func (s Span) Holds(t time.Time) bool {
	return !t.Before(s.From) && (s.To.IsZero() || !t.After(s.To))
}

// Change is a change of a job's instances that calls for another distribution:
// somebody who owned shards left, or somebody came and there are shards for all.
// Settled is when the distribution that follows was complete, zero if it never
// was.
type Change struct {
	Job      string
	At       time.Time
	Instance string
	Joined   bool
	Settled  time.Time
}

// Node is a node of the job tree at the end.
type Node struct {
	Path    string // below the job
	Data    string
	Owner   int64 // session of an ephemeral node
	Created time.Time
}

// Snapshot is a job's tree at one moment.
type Snapshot struct {
	Job   string
	At    time.Time
	Nodes []Node
}

// JobHistory is what is known about a job.
type JobHistory struct {
	Name       string
	Rules      []string       // the rules that there is evidence for, nil if as for other jobs
	Longest    time.Duration  // of a handler
	Deaf       bool           // handlers ignore their context
	Meeting    time.Duration  // how long a listener that is called once per run waits for the other instances, 0 without one
	MaxSkew    time.Duration  // who is off by more may not run it; 0: anybody may
	Settings   []Settings     // in order of time
	Items      map[int][]Span // when each shard existed, nil if that follows from the settings
	Triggers   []time.Time
	Members    []time.Time // when an instance came or went
	Disturbed  []Span      // when something disturbed this job only
	Deserted   []Span      // when no instance was registered
	Resharding []Span      // when one was announced or under way
	Lives      []*Life     // of its instances, by the tree
	Owners     map[int][]Owner
	Misfires   map[int][]Span         // when a misfire marker stood
	Writes     []time.Time            // of the configuration
	Switches   []time.Time            // when somebody else than an agent wrote a server's node
	Requests   *Requests              // nil if no run of the job is requested
	Holds      []Span                 // of the schedule
	Pressed    []time.Time            // triggers that were placed while the schedule was held
	Started    []time.Time            // for which fire times its listener was called because all shards start
	Ended      []time.Time            // and because all have completed
	Left       map[string][]time.Time // by process: when its agent gave up the job and went on
}

// Life is how long an instance was registered.
type Life struct {
	Instance, Address, Process string
	Span
}

// Owner says to whom a shard was assigned, from a moment on.
type Owner struct {
	Instance string
	From     time.Time
}

// at returns the settings at a moment.
func (j *JobHistory) at(t time.Time) Settings {
	var s Settings
	for _, next := range j.Settings {
		if next.From.After(t) {
			break
		}
		s = next
	}
	return s
}

// until is when the settings of a number ended.
func (h *History) until(j *JobHistory, k int) time.Time {
	if k+1 < len(j.Settings) {
		return j.Settings[k+1].From
	}
	return h.End
}

// assigned reports whether a shard came to an instance within a span.
func (j *JobHistory) assigned(shard int, within Span) bool {
	return slices.ContainsFunc(j.Owners[shard], func(o Owner) bool { return within.Holds(o.From) })
}

// awaited reports whether a shard that was added had to wait for its first owner until
// after a moment.
func (j *JobHistory) awaited(shard int, at time.Time) bool {
	for _, s := range j.Items[shard] {
		first := slices.IndexFunc(j.Owners[shard], func(o Owner) bool { return !o.From.Before(s.From) })
		if s.Holds(at) && first >= 0 && j.Owners[shard][first].From.After(at) {
			return true
		}
	}
	return false
}

// overruns reports whether handlers may take longer than the period.
func (h *History) overruns(j *JobHistory, s Settings) bool {
	return s.Period > 0 && h.Pace.Handlers*float64(j.Longest) >= float64(s.Period)
}

// steady reports whether the settings stayed what they were in a span, but for holds.
func (j *JobHistory) steady(from, to time.Time) bool {
	for _, s := range j.Settings {
		if !s.HeldOnly && s.From.After(from) && !s.From.After(to) {
			return false
		}
	}
	return true
}

// known reports whether a shard existed throughout a span.
func (j *JobHistory) known(shard int, from, to time.Time) bool {
	return j.Items == nil || slices.ContainsFunc(j.Items[shard], func(s Span) bool { return s.Holds(from) && s.Holds(to) })
}

// Note is a line of the timeline.
type Note struct {
	At   time.Time
	Job  string // empty for what concerns all
	Who  string
	What string
}

// History is everything that a simulated fleet did. Its methods may be called
// from any goroutine; [Check] may not be called before the fleet has ended.
type History struct {
	Begin  time.Time // every agent has started
	Healed time.Time // the last fault has ended
	Quiet  time.Time // the fleet had the time to repair itself
	End    time.Time

	SessionTimeout time.Duration
	// Blind says that watch events were lost: see the package documentation for
	// what is judged otherwise then.
	Blind bool
	// Brief says that the fleet had a few fire times only.
	Brief bool
	// Skew is how far clocks are off at most, but for those of processes that
	// must refuse to run a job.
	Skew time.Duration
	// Parallel is how many shards of a job a process runs side by side, 0 if as many
	// as it has: the others wait for their handlers. It depends on the machine.
	Parallel int

	Jobs      map[string]*JobHistory
	Rules     []string // the rules that there is evidence for, nil if for all
	Pace      Pace
	Unwatched bool // no markers were seen but the markers of runs that are known

	Runs      []*Run
	Markers   []*Marker
	Excused   map[string][]Span      // by process: paused, or robbed of its session
	Disturbed []Span                 // when faults were at work, and what they leave behind
	Hindered  map[string][]Span      // by process: when a fault kept only this process from its work
	Losses    map[string][]time.Time // by process: when it took its session for lost
	Connected map[string][]Span      // by process: when it was connected, by its own word
	Cuts      map[string][]Span      // by process: when nothing passed all the same
	Astray    []Span                 // when a clock was off by more than the jobs allow
	Processes map[string]*Span       // from the start of each process until it stopped or crashed
	Refusals  []Refusal
	Changes   []*Change
	Snapshots []Snapshot
	Overruled []Note          // an agent undid what an operator had disabled
	Disabled  map[string]bool // server nodes that an operator disabled and nobody enabled, by job and address
	Notes     []Note
	Machine   *Machine // nil if there is no machine

	mu     sync.Mutex
	ran    map[string][]*Run // by job, in the order of their starts
	marked map[shardKey][]*Marker
}

// Pace is how fast a fleet must be.
type Pace struct {
	CatchUp  time.Duration // how long nothing must disturb a fleet that makes up for a fire time
	OnTime   time.Duration // how late a run may be that had nothing to wait for
	Record   time.Duration // how long a process must be connected to record an end
	Obey     time.Duration // how long a handler may take to obey its context
	Repair   time.Duration // how long a fleet may take to repair itself, without session timeouts
	Handlers float64       // how much longer than Longest a handler may take
}

// InVirtualTime is the pace of fleets in which only faults take time.
// OnMachine is the pace of processes on a machine with busy processors.
var (
	InVirtualTime = Pace{CatchUp: 2 * time.Second, OnTime: 100 * time.Millisecond, Record: 2 * time.Second, Repair: 10 * time.Second, Handlers: 1}
	OnMachine     = Pace{CatchUp: 5 * time.Second, OnTime: time.Second, Record: 5 * time.Second, Obey: time.Second / 2, Repair: 5 * time.Second, Handlers: 1.99}
)

type shardKey struct {
	job  string
	item int
}

// arrange sorts runs and markers for [Check].
func (h *History) arrange() {
	h.ran, h.marked = make(map[string][]*Run), make(map[shardKey][]*Marker)
	for _, r := range h.Runs {
		h.ran[r.Job] = append(h.ran[r.Job], r)
	}
	for _, list := range h.ran {
		slices.SortStableFunc(list, func(a, b *Run) int { return a.Start.Compare(b.Start) })
	}
	for _, m := range h.Markers {
		key := shardKey{m.Job, m.Item}
		h.marked[key] = append(h.marked[key], m)
	}
	for _, list := range h.marked {
		slices.SortStableFunc(list, func(a, b *Marker) int { return a.From.Compare(b.From) })
	}
}

// NewHistory returns an empty history.
func NewHistory() *History {
	return &History{Pace: InVirtualTime, Jobs: make(map[string]*JobHistory), Connected: make(map[string][]Span), Cuts: make(map[string][]Span), Hindered: make(map[string][]Span), Excused: make(map[string][]Span), Losses: make(map[string][]time.Time), Processes: make(map[string]*Span), Disabled: make(map[string]bool)}
}

func (h *History) locked(do func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	do()
}

// Over ends the history. What processes do after that is left out.
func (h *History) Over(at time.Time) { h.locked(func() { h.End = at }) }

// Add keeps the start of a run.
func (h *History) Add(r *Run) { h.locked(func() { h.Runs = append(h.Runs, r) }) }

// Ended completes a run.
func (h *History) Ended(r *Run, outcome Outcome, at time.Time) {
	h.locked(func() { r.Outcome, r.End = outcome, at })
}

// CancelSeen notes when the context of a run ended.
func (h *History) CancelSeen(r *Run, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.Cancel.IsZero() {
		r.Cancel = at
	}
}

// Excuse notes that a process cannot know for a while that it lost a shard.
func (h *History) Excuse(process string, s Span) {
	h.locked(func() { h.Excused[process] = append(h.Excused[process], s) })
}

// Disturb notes that a fault was at work.
func (h *History) Disturb(s Span) { h.locked(func() { h.Disturbed = append(h.Disturbed, s) }) }

// Lose notes that a process took its session for lost.
func (h *History) Lose(process string, at time.Time) {
	h.locked(func() { h.Losses[process] = append(h.Losses[process], at) })
}

// Live notes that a process began, or ended, to live.
func (h *History) Live(process string, at time.Time, alive bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch s := h.Processes[process]; {
	case alive:
		h.Processes[process] = &Span{From: at}
	case s != nil && s.To.IsZero():
		s.To = at
	}
}

// Refuse notes that a process does not run a job because of its clock.
func (h *History) Refuse(r Refusal) { h.locked(func() { h.Refusals = append(h.Refusals, r) }) }

// refused reports whether some process refused to run a job in a span.
func (h *History) refused(job string, s Span) bool {
	return slices.ContainsFunc(h.Refusals, func(r Refusal) bool { return r.Job == job && s.Holds(r.At) })
}

// Note adds a line to the timeline.
func (h *History) Note(at time.Time, job, who, what string) {
	h.locked(func() { h.Notes = append(h.Notes, Note{at, job, who, what}) })
}

// runsOf returns the runs of each shard of a job, by their start.
func (h *History) runsOf(job string) map[int][]*Run {
	shards := make(map[int][]*Run)
	for _, r := range h.ran[job] {
		shards[r.Item] = append(shards[r.Item], r)
	}
	return shards
}

// markerOf finds the marker under which a run was made, the newest if several
// stood at the moment it began.
func (h *History) markerOf(r *Run) *Marker {
	return h.newest(r, r.Start, func(m *Marker) bool { return m.To.IsZero() || !m.To.Before(r.Start) })
}

// newest finds the newest marker of a run's instance and shard from before a moment.
func (h *History) newest(r *Run, at time.Time, fits func(m *Marker) bool) *Marker {
	list := h.marked[shardKey{r.Job, r.Item}]
	n, _ := slices.BinarySearchFunc(list, at.Add(1), func(m *Marker, at time.Time) int { return m.From.Compare(at) })
	for _, m := range slices.Backward(list[:n]) {
		if m.Instance == r.Instance && fits(m) {
			return m
		}
	}
	return nil
}

// markedAt is when the newest marker was made that a run can have begun under,
// whether it stood still then or not; the start if there is none.
func (h *History) markedAt(r *Run) time.Time {
	if m := h.newest(r, r.called(), func(*Marker) bool { return true }); m != nil {
		return m.From
	}
	return r.Start
}

// confirmed reports whether a run came to its end and the tree says so: its
// own session took the marker away, after the end, and was never in doubt.
func (h *History) confirmed(r *Run) bool {
	m := h.markerOf(r)
	if r.Outcome != Completed || r.Doubtful || m == nil || m.To.IsZero() || m.RemovedBy != m.Session || m.Offered || m.To.Before(r.End) {
		return false
	}
	return !slices.ContainsFunc(h.Losses[r.Process], Span{r.Start, m.To}.Holds)
}

// calm reports whether some stretch of the given length within a span was
// disturbed by no fault, no resharding, nor by a run of the job on the process, and
// had somebody who served the job.
func (h *History) calm(job, process string, from, to time.Time, length time.Duration) bool {
	var busy []Span
	add := func(s Span) { // Those that touch the span: a history of hours has thousands.
		if s.From.Before(to) && (s.To.IsZero() || s.To.After(from)) {
			busy = append(busy, s)
		}
	}
	for _, list := range [][]Span{h.Disturbed, h.Jobs[job].Disturbed, h.Jobs[job].Deserted, h.Hindered[process]} {
		for _, s := range list {
			add(s)
		}
	}
	for _, s := range h.Jobs[job].Resharding {
		// It may wait a session timeout for the markers of who has left, and no longer.
		if most := s.From.Add(h.SessionTimeout + h.Pace.CatchUp); s.To.IsZero() || s.To.After(most) {
			s.To = most
		}
		add(s)
	}
	for _, r := range h.ran[job] {
		if r.Process == process {
			s := Span{r.Start, r.End}
			if !r.End.IsZero() {
				s.To = r.End.Add(h.Jobs[job].Meeting) // The run ends with the others' runs.
			}
			add(s)
		}
	}
	slices.SortFunc(busy, func(a, b Span) int { return a.From.Compare(b.From) })
	for _, s := range busy {
		if s.From.Sub(from) >= length {
			break
		}
		if s.To.IsZero() {
			return false
		}
		if s.To.After(from) {
			from = s.To
		}
	}
	return to.Sub(from) >= length
}

// Overrule notes that an agent enabled a server that an operator had disabled.
func (h *History) Overrule(at time.Time, job, process, server string) {
	h.locked(func() { h.Overruled = append(h.Overruled, Note{at, job, process, server}) })
}

// Running reports whether a handler is under way in a process that lives.
func (h *History) Running() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.Runs, func(r *Run) bool { return r.End.IsZero() })
}
