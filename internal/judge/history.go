package judge

import (
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// Outcome is the way a run ended.
type Outcome string

// Outcomes of a run.
const (
	Completed Outcome = "completed" // the handler returned, with or without an error
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
	Called    time.Time // when its handler was called, if the process was paused before Start; else zero
	Local     time.Time // the start by the process's own clock; zero if that's right
	End       time.Time // zero if it never ended
	Cancel    time.Time // when its context ended; zero if it didn't
	Outcome   Outcome

	// Ended is set if its context had ended before the handler was called.
	Ended    bool
	TimedOut time.Time // when its context ended because of the job's timeout; zero if it didn't
	// Doubtful is set if only its agent knows whether its end counted, because something else may
	// have ended its context after the timeout.
	Doubtful bool

	Request string        // the requested run that it belongs to; empty for a fire time or a trigger
	Verdict Verdict       // its handler's result, if it completes a requested run
	After   time.Duration // when the shard wants to run again, if it does
}

// local returns when the run began by the process's own clock, which determines its fire time.
func (r *Run) local() time.Time {
	if r.Local.IsZero() {
		return r.Start
	}
	return r.Local
}

// called returns when the handler was called. From then on the run could not know of events while
// its process was paused.
func (r *Run) called() time.Time {
	if r.Called.IsZero() {
		return r.Start
	}
	return r.Called
}

// Refusal is a time at which a process refused to run a job because of its clock.
type Refusal struct {
	Job, Process string
	At           time.Time
}

// Marker is the life of one running marker in the tree.
type Marker struct {
	Job       string
	Item      int
	Instance  string
	Session   int64 // that created it
	From      time.Time
	To        time.Time // zero while it exists
	RemovedBy int64     // 0 if it vanished with its session
	Offered   bool      // the shard was offered to others when the marker was removed
	Claimed   bool      // it was created for a failover
}

// Settings are a job's stored configuration and everything an operator disabled, from one time to
// the next.
type Settings struct {
	From     time.Time
	Period   time.Duration // 0 if the job runs only for triggers
	Items    int
	Monitor  bool
	Misfire  bool
	Failover bool
	Turns    bool          // the only shard rotates
	Off      []int         // disabled shards
	Servers  int           // number of disabled servers
	Shut     bool          // all servers are disabled
	Held     bool          // the schedule is held
	HeldOnly bool          // only Held has changed
	Timeout  time.Duration // of a handler; 0 means none

	// The following fields are for jobs with periods of minutes, hours and days. Period is then the
	// shortest gap between two fire times.
	Schedule *Schedule // nil if Period suffices
	Unusable bool      // no agent can serve this configuration
	Closed   []string  // addresses of the disabled servers
}

// runs reports whether a shard runs at the fire times of s.
func (s Settings) runs(shard int) bool {
	return s.Period > 0 && shard < s.Items && s.Servers == 0 && !s.Held && !slices.Contains(s.Off, shard)
}

// Span is a period of time. It's open to the right if To is zero.
type Span struct{ From, To time.Time }

// Holds reports whether a time is in s.
func (s Span) Holds(t time.Time) bool {
	return !t.Before(s.From) && (s.To.IsZero() || !t.After(s.To))
}

// Change is a change of a job's instances that requires a resharding: an owner of shards left, or
// an instance came and there are enough shards for all. Settled is when the resharding was
// complete, or zero if it never was.
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

// Snapshot is a job's tree at one time.
type Snapshot struct {
	Job   string
	At    time.Time
	Nodes []Node
}

// JobHistory is everything known about a job.
type JobHistory struct {
	Name         string
	Rules        []string       // the rules with evidence; nil if the same as for other jobs
	Longest      time.Duration  // of a handler
	Deaf         bool           // handlers ignore their context
	Meeting      time.Duration  // how long a once-per-run listener waits for the other instances; 0 without one
	MaxSkew      time.Duration  // larger clock errors are not allowed; 0 means no limit
	Settings     []Settings     // in order of time
	Items        map[int][]Span // when each shard existed; nil if the settings show it
	Triggers     []time.Time
	Members      []time.Time // when an instance joined or left
	Disturbed    []Span      // when something disturbed only this job
	Deserted     []Span      // when no instance was registered
	Resharding   []Span      // when one was announced or in progress
	Lives        []*Life     // of its instances, from the tree
	Owners       map[int][]Owner
	Misfires     map[int][]Span         // when a misfire marker existed
	Writes       []time.Time            // of the configuration
	Switches     []time.Time            // when a writer other than an agent wrote a server's node
	Requests     *Requests              // nil if the job has no requested runs
	Holds        []Span                 // of the schedule
	HeldTriggers []time.Time            // triggers placed while the schedule was held
	Started      []time.Time            // fire times for which its listener was called because all shards start
	Ended        []time.Time            // because all have completed
	Left         map[string][]time.Time // by process: when its agent gave up the job and went on
}

// Life is the time in which an instance was registered.
type Life struct {
	Instance, Address, Process string
	Span
}

// Owner is the instance that owns a shard from a time on.
type Owner struct {
	Instance string
	From     time.Time
}

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

// until returns when the settings with an index ended.
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

// awaited reports whether an added shard had to wait for its first owner until after a time.
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

// steady reports whether the settings didn't change in a span, except for holds.
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
	Job  string // empty if it concerns all
	Who  string
	What string
}

// WrongClock is a time in which a process's clock was wrong by more than its jobs allow. Ahead is negative if
// it was behind.
type WrongClock struct {
	Span
	Ahead time.Duration
}

// History is everything that a fleet did. Its methods are safe for concurrent use. [Check] must not
// be called before the fleet has ended.
type History struct {
	Begin  time.Time // every agent has started
	Healed time.Time // the last fault has ended
	Quiet  time.Time // the fleet has had time to repair itself
	End    time.Time

	SessionTimeout time.Duration
	// Blind is set if watch events were lost. The package documentation lists the rules that differ
	// then.
	Blind bool
	// Brief is set if the fleet had only a few fire times.
	Brief bool
	// Skew is the maximum clock error, except for processes that must refuse to run a job.
	Skew time.Duration
	// Parallel is how many shards of a job a process runs in parallel; the others wait. 0 means
	// all. It depends on the machine.
	Parallel int

	Jobs      map[string]*JobHistory
	Rules     []string // the rules with evidence; nil means all
	Pace      Pace
	Unwatched bool // only the markers of known runs were seen

	Runs      []*Run
	Markers   []*Marker
	Excused   map[string][]Span      // by process: when it was paused, or robbed of its session
	Disturbed []Span                 // times of faults and their consequences
	Hindered  map[string][]Span      // by process: when a fault affected only this process
	Losses    map[string][]time.Time // by process: when it considered its session lost
	Connected map[string][]Span      // by process: when it considered itself connected
	Cuts      map[string][]Span      // by process: when nothing passed all the same
	Astray    []WrongClock           // clock errors larger than the jobs allow
	Processes map[string]*Span       // from the start of each process until it stopped or crashed
	Refusals  []Refusal
	Changes   []*Change
	Snapshots []Snapshot
	Overruled []Note          // cases in which an agent undid an operator's disabling
	Disabled  map[string]bool // servers that an operator disabled and did not enable again, by job and address
	Notes     []Note
	Machine   *Machine // nil if there is no machine

	mu     sync.Mutex
	ran    map[string][]*Run // by job, in order of their starts
	marked map[shardKey][]*Marker
}

// Pace is the required speed of a fleet.
type Pace struct {
	CatchUp  time.Duration // how long a fleet must be undisturbed to make up for a fire time
	OnTime   time.Duration // how late a run may be if it had nothing to wait for
	Record   time.Duration // how long a process must be connected to record an end
	Obey     time.Duration // how long a handler may take to obey its context
	Repair   time.Duration // how long a fleet may take to repair itself, not counting session timeouts
	Handlers float64       // the factor by which a handler may take longer than Longest
}

// InVirtualTime is the pace of fleets in which only faults take time. OnMachine is the pace of
// processes on a machine with busy processors.
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

func NewHistory() *History {
	return &History{Pace: InVirtualTime, Jobs: make(map[string]*JobHistory), Connected: make(map[string][]Span), Cuts: make(map[string][]Span), Hindered: make(map[string][]Span), Excused: make(map[string][]Span), Losses: make(map[string][]time.Time), Processes: make(map[string]*Span), Disabled: make(map[string]bool)}
}

func (h *History) locked(do func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	do()
}

// Over ends the history. Later events of processes are ignored.
func (h *History) Over(at time.Time) { h.locked(func() { h.End = at }) }

// Add adds the start of a run.
func (h *History) Add(r *Run) { h.locked(func() { h.Runs = append(h.Runs, r) }) }

func (h *History) Ended(r *Run, outcome Outcome, at time.Time) {
	h.locked(func() { r.Outcome, r.End = outcome, at })
}

// CancelSeen records when the context of a run ended.
func (h *History) CancelSeen(r *Run, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.Cancel.IsZero() {
		r.Cancel = at
	}
}

// Excuse records a time in which a process can't know that it lost a shard.
func (h *History) Excuse(process string, s Span) {
	h.locked(func() { h.Excused[process] = append(h.Excused[process], s) })
}

// Disturb records the time of a fault.
func (h *History) Disturb(s Span) { h.locked(func() { h.Disturbed = append(h.Disturbed, s) }) }

// Lose records that a process considers its session lost.
func (h *History) Lose(process string, at time.Time) {
	h.locked(func() { h.Losses[process] = append(h.Losses[process], at) })
}

// Live records the begin or the end of a process.
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

// Refuse records that a process refuses to run a job because of its clock.
func (h *History) Refuse(r Refusal) { h.locked(func() { h.Refusals = append(h.Refusals, r) }) }

// refused reports whether any process refused to run a job in a span.
func (h *History) refused(job string, s Span) bool {
	return slices.ContainsFunc(h.Refusals, func(r Refusal) bool { return r.Job == job && s.Holds(r.At) })
}

func (h *History) Note(at time.Time, job, who, what string) {
	h.locked(func() { h.Notes = append(h.Notes, Note{at, job, who, what}) })
}

// runsOf returns the runs of each shard of a job by their start.
func (h *History) runsOf(job string) map[int][]*Run {
	shards := make(map[int][]*Run)
	for _, r := range h.ran[job] {
		shards[r.Item] = append(shards[r.Item], r)
	}
	return shards
}

// markerOf returns the marker of a run, the newest if several existed when it began.
func (h *History) markerOf(r *Run) *Marker {
	return h.newest(r, r.Start, func(m *Marker) bool { return m.To.IsZero() || !m.To.Before(r.Start) })
}

// newest returns the newest marker of a run's instance and shard before a time.
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

// markedAt returns when the newest marker that a run can have begun under was created, even if it
// no longer existed then. Without one it's the start of the run.
func (h *History) markedAt(r *Run) time.Time {
	if m := h.newest(r, r.called(), func(*Marker) bool { return true }); m != nil {
		return m.From
	}
	return r.Start
}

// confirmed reports whether a run ended and the tree confirms it: its own session, which was never
// in doubt, removed the marker after the end.
func (h *History) confirmed(r *Run) bool {
	m := h.markerOf(r)
	if r.Outcome != Completed || r.Doubtful || m == nil || m.To.IsZero() || m.RemovedBy != m.Session || m.Offered || m.To.Before(r.End) {
		return false
	}
	return !slices.ContainsFunc(h.Losses[r.Process], Span{r.Start, m.To}.Holds)
}

// calm reports whether there was a period of the given length within a span in which the job was
// served and no fault, no resharding and no run of the job on the process disturbed it.
func (h *History) calm(job, process string, from, to time.Time, length time.Duration) bool {
	var busy []Span
	add := func(s Span) { // Only spans that touch it, because a history of hours has thousands.
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
		// It may wait one session timeout for the markers of departed instances, but no longer.
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

// Overrule records that an agent enabled a server that an operator had disabled.
func (h *History) Overrule(at time.Time, job, process, server string) {
	h.locked(func() { h.Overruled = append(h.Overruled, Note{at, job, process, server}) })
}

// Running reports whether a handler is running in a live process.
func (h *History) Running() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.Runs, func(r *Run) bool { return r.End.IsZero() })
}
