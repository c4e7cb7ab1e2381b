package members

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const (
	// MaxEvents is how many events a Log keeps, and at times up to a quarter more.
	MaxEvents = 5000
	// MaxOpen is how many instances that left are followed at once.
	MaxOpen = 1000
	// MaxShards is how many shards an event lists.
	MaxShards = 1000
	// MaxLosses is how many losses a Log keeps.
	MaxLosses = 1000
	// MaxGaps is how many gaps a Log keeps.
	MaxGaps = 100
	// Notice is how long it may take until the loss of an instance is noticed: until its session ends.
	Notice = time.Minute
	// Follow is how long an instance that left is followed, longer if it still runs shards.
	Follow = time.Hour
	// Late is how late the end of an execution may be stored after the instance stopped, or without
	// monitorExecution, how long its handlers may go on.
	Late = time.Minute
)

// Kind is what happened to an instance.
type Kind string

// The kinds of events.
const (
	Joined Kind = "joined"
	Left   Kind = "left"
	// FailedOver: the instance runs, or is to run, shards of one that left.
	FailedOver Kind = "failed over"
	// Assigned: the instance owns shards of one that left.
	Assigned Kind = "assigned"
)

// Exit is how an instance left.
type Exit string

// The exits. Only agents of this repository announce that they stop in an orderly way.
const (
	Stopped Exit = "stopped" // in an orderly way
	Lost    Exit = "lost"    // its session ended
	Unknown Exit = "unknown" // a Java agent, which may have stopped or was lost
)

// Event is something that happened to an instance of a job.
type Event struct {
	At       time.Time
	Kind     Kind
	Job      string
	Instance string // its id
	Exit     Exit   // of Left
	// Shards are what it had when it left, failed over or was assigned; at most
	// [MaxShards].
	Shards []int
	// Lost are those of the shards that it was running when it left, as far as the
	// registry tells.
	Lost []int
	// From is the instance that had the shards before it took them over.
	From string
	// Idle is when the registry first showed that an instance that stopped runs nothing any more, zero
	// until then.
	Idle time.Time
}

// Loss is the departure of an instance that was lost, or of a Java agent that was running
// shards. It's kept until the instance returns or a user acknowledges it.
type Loss struct {
	Event
	before int // how many live instances the job had
}

// Seen has the ids of a job's live instances, of its agents from this repository, and of the
// agents from this repository that have left in an orderly way.
type Seen struct{ Live, Agents, Stopped []string }

// IP is the address of the instance.
func (e Event) IP() string { return jobtree.InstanceIP(e.Instance) }

// Departed is an instance that left and whose shards nobody else has all.
type Departed struct {
	Instance string
	At       time.Time
	// Shards are what it had, Open those that nobody else owns yet.
	Shards, Open []int
}

// Log is the events of a registry. The zero value is empty and ready.
type Log struct {
	mu     sync.Mutex
	known  time.Time
	gaps   []Gap                  // oldest first
	live   map[string][]string    // the ids of each job, sorted
	java   map[string][]string    // the Java agents among them, of jobs with any
	bare   map[string]Unserved    // by job
	losses []Loss                 // oldest first
	heirs  map[[2]string]bool     // live instances that replace a lost one, by job and id
	events []Event                // oldest first
	open   map[string][]*departed // by job
	opened int
}

// Unserved is a time in which no instance served a job. Until is zero while it lasts.
type Unserved struct{ From, Until time.Time }

// Unserved returns the last time in which no instance served a job, as far as that was seen, by job.
func (l *Log) Unserved() map[string]Unserved {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.bare)
}

// noteServed notes whether any instance serves a job, with mu held.
func (l *Log) noteServed(job string, serves bool, now time.Time) {
	last, noted := l.bare[job]
	switch {
	case !serves:
		l.bare[job] = Unserved{From: now}
	case noted && last.Until.IsZero():
		l.bare[job] = Unserved{From: last.From, Until: now}
	}
}

// departed follows an instance that left.
type departed struct {
	id    string
	at    time.Time
	had   map[int]bool // what it owned; nil until the first look
	taken map[int]bool // shards that were failed over
	order []int

	before  int // how many live instances the job had
	stopped bool
	idle    time.Time // see Event
}

// Known is since when the events are all that happened, but for those in [Log.Gaps]; zero if nothing was seen.
func (l *Log) Known() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// Gap is a time in which instances weren't seen. What happened in it is found at its end, and at what time it
// happened is not known.
type Gap struct {
	From, Until time.Time // Until is zero while it lasts
	// Unreachable is set if ZooKeeper couldn't be reached.
	Unreachable bool
}

// Gaps are the times since [Log.Known] in which nothing was seen, the oldest first.
func (l *Log) Gaps() []Gap {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.gaps)
}

// Blind notes that nothing is seen since a time.
func (l *Log) Blind(since time.Time, unreachable bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.gaps); l.known.IsZero() || n > 0 && l.gaps[n-1].Until.IsZero() {
		return
	}
	if l.gaps = append(l.gaps, Gap{From: since, Unreachable: unreachable}); len(l.gaps) > MaxGaps {
		l.remember(l.gaps[0].Until)
	}
	for job, last := range l.bare {
		if last.Until.IsZero() {
			l.bare[job] = Unserved{From: last.From, Until: since}
		}
	}
}

// Restart notes that instances are seen again.
func (l *Log) Restart(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.gaps); n > 0 && l.gaps[n-1].Until.IsZero() {
		l.gaps[n-1].Until = now
	}
}

// remember notes since when the events are all that happened, with mu held.
func (l *Log) remember(since time.Time) {
	l.known = since
	l.gaps = slices.DeleteFunc(l.gaps, func(g Gap) bool { return !g.Until.IsZero() && !g.Until.After(since) })
}

// Live returns the instances of a job that live by the log; false if it hasn't seen the job. The registry may
// show a change before its event is here.
func (l *Log) Live(job string) ([]string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids, seen := l.live[job]
	return slices.Clone(ids), seen
}

// Gone reports whether an instance of a job isn't among the live ones any more. Then See has to
// know which agents have stopped.
func (l *Log) Gone(job string, live []string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.live[job], func(id string) bool { return !slices.Contains(live, id) })
}

// See notes the live instances of a job, and reports whether one left, so
// that the job has to be looked at.
func (l *Log) See(job string, s Seen, now time.Time) (look bool) {
	ids := slices.Sorted(slices.Values(s.Live))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.live == nil {
		l.live, l.java, l.open, l.bare = make(map[string][]string), make(map[string][]string), make(map[string][]*departed), make(map[string]Unserved)
		l.heirs = make(map[[2]string]bool)
	}
	if l.known.IsZero() {
		l.known = now
	}
	before, seen := l.live[job]
	javas := l.javas(job, ids, before, s.Agents)
	if seen && slices.Equal(before, ids) {
		return false
	}
	if l.live[job] = ids; !seen || len(before) == 0 || len(ids) == 0 {
		l.noteServed(job, len(ids) > 0, now)
	}
	if !seen {
		return false
	}
	for _, id := range before {
		if _, there := slices.BinarySearch(ids, id); there {
			continue
		}
		delete(l.heirs, [2]string{job, id})
		e := Event{At: now, Kind: Left, Job: job, Instance: id, Exit: Lost}
		switch {
		case slices.Contains(s.Stopped, id):
			e.Exit = Stopped
		case slices.Contains(javas, id):
			e.Exit = Unknown
		}
		l.add(e)
		if e.Exit == Lost {
			l.lose(Loss{e, len(before)})
		}
		look = l.follow(e, len(before)) || look
	}
	for _, id := range ids {
		if _, there := slices.BinarySearch(before, id); !there {
			e := Event{At: now, Kind: Joined, Job: job, Instance: id}
			l.add(e)
			if at := slices.IndexFunc(l.losses, func(lost Loss) bool { return lost.Job == job && lost.IP() == e.IP() }); at >= 0 {
				l.losses = slices.Delete(l.losses, at, at+1)
				l.heirs[[2]string{job, id}] = true
			}
		}
	}
	l.losses = slices.DeleteFunc(l.losses, func(lost Loss) bool {
		return lost.Job == job && (lost.At.Equal(now) && l.replaced(lost, ids, now) || len(ids) >= lost.before)
	})
	return look
}

// replaced reports whether an instance that was lost just now already has its successor on the same server,
// with mu held: a process that was killed and started again joins before its old session ends. An instance
// replaces one other.
func (l *Log) replaced(lost Loss, ids []string, now time.Time) bool {
	for _, e := range slices.Backward(l.events) {
		if now.Sub(e.At) > Notice || e.Kind == Joined && e.Job == lost.Job && e.Instance == lost.Instance {
			break
		}
		heir := [2]string{e.Job, e.Instance}
		if e.Kind == Joined && e.Job == lost.Job && e.IP() == lost.IP() && slices.Contains(ids, e.Instance) && !l.heirs[heir] {
			l.heirs[heir] = true
			return true
		}
	}
	return false
}

// javas notes which instances of a job are Java agents, and returns those until now, with mu
// held. An instance that once had an agent node isn't one.
func (l *Log) javas(job string, ids, before, agents []string) []string {
	was := l.java[job]
	var list []string
	for _, id := range ids {
		known := slices.Contains(before, id) && !slices.Contains(was, id)
		if !known && !slices.Contains(agents, id) {
			list = append(list, id)
		}
	}
	if l.java[job] = list; list == nil {
		delete(l.java, job)
	}
	return was
}

// lose keeps a loss and drops the oldest, with mu held.
func (l *Log) lose(one Loss) {
	l.losses = append(l.losses, one)
	l.losses = slices.Delete(l.losses, 0, max(0, len(l.losses)-MaxLosses))
}

// Losses are the losses of a job, or of all jobs with "", the newest first.
func (l *Log) Losses(job string) []Loss {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Loss
	for _, lost := range slices.Backward(l.losses) {
		if job == "" || lost.Job == job {
			list = append(list, lost)
		}
	}
	return list
}

// LostInstance is an instance that was lost, last at At, with its jobs.
type LostInstance struct {
	Instance string
	At       time.Time
	Exit     Exit
	Jobs     []LostJob
}

// LostJob is a job of a lost instance: Lost are the shards that it was running, Open the shards without
// an owner.
type LostJob struct {
	Name       string
	Lost, Open []int
}

// ByInstance groups losses by instance, the newest first.
func ByInstance(losses []Loss, departed func(job string) []Departed) (list []LostInstance) {
	places := make(map[string]int)
	for _, e := range losses {
		i, known := places[e.Instance]
		if !known {
			i, list = len(list), append(list, LostInstance{Instance: e.Instance, At: e.At, Exit: e.Exit})
			places[e.Instance] = i
		}
		job := LostJob{Name: e.Job, Lost: e.Lost}
		for _, d := range departed(e.Job) {
			if d.Instance == e.Instance {
				job.Open = d.Open
			}
		}
		list[i].Jobs = append(list[i].Jobs, job)
	}
	slices.SortFunc(list, func(a, b LostInstance) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Instance, b.Instance)) })
	return list
}

// Acknowledge forgets the losses of some instances, and returns the instances that had any.
func (l *Log) Acknowledge(instances []string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var had []string
	l.losses = slices.DeleteFunc(l.losses, func(lost Loss) bool {
		asked := slices.Contains(instances, lost.Instance)
		if asked && !slices.Contains(had, lost.Instance) {
			had = append(had, lost.Instance)
		}
		return asked
	})
	return had
}

// Keep forgets the jobs that no longer exist.
func (l *Log) Keep(jobs []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.live) <= len(jobs) {
		return
	}
	there := make(map[string]bool, len(jobs))
	for _, job := range jobs {
		there[job] = true
	}
	maps.DeleteFunc(l.live, func(job string, _ []string) bool { return !there[job] })
	maps.DeleteFunc(l.bare, func(job string, _ Unserved) bool { return !there[job] })
	maps.DeleteFunc(l.java, func(job string, _ []string) bool { return !there[job] })
	maps.DeleteFunc(l.heirs, func(of [2]string, _ bool) bool { return !there[of[0]] })
	l.losses = slices.DeleteFunc(l.losses, func(lost Loss) bool { return !there[lost.Job] })
	for job := range l.open {
		if !there[job] {
			l.close(job, func(*departed) bool { return true })
		}
	}
}

// add appends an event and drops the oldest, with mu held.
func (l *Log) add(e Event) {
	l.events = append(l.events, e)
	if over := len(l.events) - MaxEvents; over > MaxEvents/4 { // now and then, not each time
		l.remember(l.events[over-1].At)
		l.events = slices.Clone(l.events[over:])
	}
}

// follow begins to follow an instance that left, with mu held.
func (l *Log) follow(left Event, before int) bool {
	if l.opened >= MaxOpen {
		return false
	}
	l.open[left.Job] = append(l.open[left.Job], &departed{id: left.Instance, at: left.At, before: before, stopped: left.Exit == Stopped})
	l.opened++
	return true
}

// close ends to follow some instances of a job, with mu held.
func (l *Log) close(job string, ends func(*departed) bool) {
	left := slices.DeleteFunc(l.open[job], ends)
	l.opened -= len(l.open[job]) - len(left)
	if l.open[job] = left; len(left) == 0 {
		delete(l.open, job)
	}
}

// Follows reports whether an instance of a job is followed.
func (l *Log) Follows(job string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open[job]) > 0
}

// Of are the newest events of a job, at most n, the newest first.
func (l *Log) Of(job string, n int) (list []Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range slices.Backward(l.events) {
		if e.Job == job && len(list) < n {
			list = append(list, e)
		}
	}
	return list
}

// Absent has the instances that ended and haven't come back, by job and id, and when they ended.
type Absent map[[2]string]time.Time

// Absent returns the instances that left and haven't come back. An instance that stopped in an orderly way
// is among them once it's idle and the ends of its executions should have been stored.
func (l *Log) Absent(now time.Time) Absent {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make(Absent)
	for i := range l.events {
		switch e := &l.events[i]; {
		case e.Kind == Left && e.Exit != Stopped:
			list[[2]string{e.Job, e.Instance}] = e.At
		case e.Kind == Left && !e.Idle.IsZero() && now.Sub(e.Idle) >= Late:
			list[[2]string{e.Job, e.Instance}] = e.Idle
		case e.Kind == Left, e.Kind == Joined:
			delete(list, [2]string{e.Job, e.Instance})
		}
	}
	return list
}

// CrashTime is how long a lost instance counts as a crash.
const CrashTime = 10 * time.Minute

// Crash is how many times a job lost an instance in the last [CrashTime], and when it did first. An instance
// that came back may be lost again.
type Crash struct {
	N     int
	Since time.Time
}

// Crashes returns the lost instances of the last [CrashTime] by job.
func (l *Log) Crashes(now time.Time) map[string]Crash {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make(map[string]Crash)
	for _, e := range slices.Backward(l.events) {
		if now.Sub(e.At) > CrashTime {
			break
		}
		if e.Kind == Left && e.Exit == Lost {
			list[e.Job] = Crash{list[e.Job].N + 1, e.At}
		}
	}
	return list
}

// Ended reports whether an execution that the history calls running ended with its instance.
func (a Absent) Ended(e *tracing.Execution) bool {
	if len(a) == 0 || !e.Running() {
		return false
	}
	task, err := jobtree.ParseTaskID(e.TaskID)
	at, absent := a[[2]string{e.JobName, task.InstanceID()}]
	return err == nil && absent && !e.StartTime.After(at)
}

// Departed are the instances of a job that are followed, the one that left last first.
func (l *Log) Departed(job string) []Departed {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Departed
	for _, g := range slices.Backward(l.open[job]) {
		if g.had == nil || len(g.order) == 0 {
			continue
		}
		one := Departed{Instance: g.id, At: g.at, Shards: slices.Clone(g.order)}
		for _, item := range g.order {
			if g.had[item] {
				one.Open = append(one.Open, item)
			}
		}
		if len(one.Open) > 0 {
			list = append(list, one)
		}
	}
	return list
}

// Look notes who has the shards of instances that left, as the job is now.
func (l *Log) Look(d statistics.JobDetail, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	job := d.Name
	live := make(map[string]bool, len(d.Instances))
	for _, i := range d.Instances {
		live[i.ID] = true
	}
	for _, g := range l.open[job] {
		if g.had == nil {
			g.begin(d, live)
			l.complete(job, g, d, live)
		}
		if e := l.left(job, g); e != nil && e.Exit == Stopped && e.Idle.IsZero() && !runsOn(d, g.id) {
			e.Idle, g.idle = now, now
		}
		for _, kind := range []Kind{FailedOver, Assigned} {
			l.hand(d, g, live, kind, now)
		}
	}
	l.close(job, func(g *departed) bool {
		ended := !g.stopped || !g.idle.IsZero() && now.Sub(g.idle) >= Late
		return live[g.id] || ended && (now.Sub(g.at) > Follow || !slices.Contains(slices.Collect(maps.Values(g.had)), true))
	})
}

// runsOn reports whether a shard has the running marker of an instance.
func runsOn(d statistics.JobDetail, id string) bool {
	return slices.ContainsFunc(d.Shards, func(s statistics.Shard) bool { return s.RunningOn == id })
}

// begin notes what an instance had: what is assigned to it still.
func (g *departed) begin(d statistics.JobDetail, live map[string]bool) {
	g.had, g.taken = make(map[int]bool), make(map[int]bool)
	for _, s := range d.Shards {
		if s.Instance == g.id && !live[g.id] && len(g.order) < MaxShards {
			g.had[s.Item] = true
			g.order = append(g.order, s.Item)
		}
	}
}

// complete adds to the event of an instance that left what it had, with mu held.
func (l *Log) complete(job string, g *departed, d statistics.JobDetail, live map[string]bool) {
	if e := l.left(job, g); e != nil {
		e.Shards = slices.Clone(g.order)
		for _, s := range d.Shards {
			if s.RunningOn == g.id && !live[g.id] || g.had[s.Item] && (s.Lost || other(s.Failover, g.id, live) || other(s.RunningOn, g.id, live)) {
				e.Lost = append(e.Lost, s.Item)
			}
		}
		at := slices.IndexFunc(l.losses, func(lost Loss) bool { return lost.Job == job && lost.Instance == g.id })
		switch {
		case at >= 0:
			l.losses[at].Event = *e
		case e.Exit == Unknown && len(e.Lost) > 0 && len(live) < g.before:
			l.lose(Loss{*e, g.before})
		}
	}
}

// left returns the event of an instance that left, or nil if it isn't kept any more, with mu held.
func (l *Log) left(job string, g *departed) *Event {
	for i := range slices.Backward(l.events) {
		if e := &l.events[i]; e.Job == job && e.Kind == Left && e.Instance == g.id && e.At.Equal(g.at) {
			return e
		}
	}
	return nil
}

// other reports whether an id is that of another live instance.
func other(id, than string, live map[string]bool) bool { return id != "" && id != than && live[id] }

// hand notes who has shards of an instance that left, with mu held.
func (l *Log) hand(d statistics.JobDetail, g *departed, live map[string]bool, kind Kind, now time.Time) {
	by := make(map[string][]int)
	for _, s := range d.Shards {
		if !g.had[s.Item] {
			continue
		}
		to := s.Instance
		if kind == FailedOver {
			if to = s.Failover; !other(to, g.id, live) && s.Instance == g.id {
				to = s.RunningOn
			}
			if g.taken[s.Item] {
				continue
			}
		}
		if !other(to, g.id, live) {
			continue
		}
		by[to] = append(by[to], s.Item)
		if kind == FailedOver {
			g.taken[s.Item] = true
		} else {
			g.had[s.Item] = false
		}
	}
	for _, id := range slices.Sorted(maps.Keys(by)) {
		l.add(Event{At: now, Kind: kind, Job: d.Name, Instance: id, Shards: by[id], From: g.id})
	}
}
