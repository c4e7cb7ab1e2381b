package scheduler

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// entry is what a term knows of a job beside the mirror.
type entry struct {
	name  string
	index int       // in the heap, -1 outside
	at    time.Time // when to look again, by the monotonic clock

	uid string // of the definition that the rest is about
	// namespace is that of the last definition.
	namespace string
	// unwritten are changes of the status that the store does not have yet; the first
	// durable of them hold up the next action.
	unwritten []func(*cloud.Status)
	durable   int
	// passing moves the cursor of a job that stands still. It is written when the job goes
	// on: until then the next leader would find the same.
	passing *cloud.Action
	writing bool
	writeAt time.Time // zero if there is nothing to write
	// writeFailures and failures count errors in a row.
	writeFailures, failures int

	calling bool      // a call of the engine is under way
	blocked time.Time // no call before; zero for at once
	refused string    // the digest of what was refused, "" if blocked means a pause
	// launched are runs that the engine took and did not report yet.
	launched map[string]launched
	// asked is when the end or the deletion of a run was asked for, resumed when it was to
	// go on, by their references.
	asked, resumed map[string]time.Time
	// askedTasks is the same of tasks, by their UIDs.
	askedTasks map[string]time.Time
	collided   map[string]bool // runs whose names somebody else's have
	// judged has the runs that this term has seen, true if it has taken notice of their ends.
	judged map[string]bool
	// ends are runs that have ended and that no store knows as ended, in the order of their
	// ends: those before one that somebody is being notified of are in unwritten.
	ends   []*runEnd
	daemon string // the digest of what the engine has
	// daemonAsked is when the engine was asked for it.
	daemonAsked time.Time

	schedule    cloud.Schedule
	scheduleErr error
	read        string // the digest of the job that schedule is of
}

// runEnd is the end of a run. While it is open, somebody is being notified of it.
type runEnd struct {
	last cloud.LastRun
	open bool
}

// settleEnds has the ends be written that nobody has to be notified of any more. Each waits for
// those before it: what the store knows as the last run says that the runs before it need no
// notification.
func (e *entry) settleEnds() {
	for len(e.ends) > 0 && !e.ends[0].open {
		last := e.ends[0].last
		e.ends = e.ends[1:]
		e.remember(func(s *cloud.Status) {
			if newer(last, s.LastRun) {
				s.LastRun = last
			}
		})
	}
}

// newer reports whether a run is none of those up to another one, in the order of their ends.
func newer(run, than cloud.LastRun) bool {
	if c := run.Ended.Compare(than.Ended); c != 0 {
		return c > 0 && run.Name != than.Name
	}
	return run.Name > than.Name
}

// launched is a run in the time before it is reported.
type launched struct {
	status  cloud.RunStatus
	listing int // the number of the engine's list when it was launched
}

func newEntry(name string) *entry {
	e := &entry{name: name, index: -1}
	e.reset("")
	return e
}

// reset forgets everything about another job of the name.
func (e *entry) reset(uid string) {
	*e = entry{
		name: e.name, index: e.index, at: e.at, calling: e.calling, writing: e.writing, uid: uid, namespace: e.namespace, daemon: e.daemon,
		launched: make(map[string]launched), asked: make(map[string]time.Time), resumed: make(map[string]time.Time), askedTasks: make(map[string]time.Time), collided: make(map[string]bool), judged: make(map[string]bool),
	}
}

// follow brings the entry up to what the mirror has, and returns the definition as it will
// be when everything is written, and the runs of it and of earlier jobs of the name.
func (e *entry) follow(v jobView) (d cloud.Definition, own, others []cloud.RunStatus) {
	if v.definition.UID != e.uid {
		e.reset(v.definition.UID)
	}
	d = v.definition
	if v.defined {
		e.namespace = d.Job.Namespace
	}
	for _, change := range e.unwritten {
		change(&d.Status)
	}
	if e.passing != nil {
		e.passing.Apply(&d.Status)
	}
	for _, r := range v.runs {
		if v.defined && r.Owner == d.UID {
			delete(e.launched, r.Name)
			own = append(own, r)
		} else {
			others = append(others, r)
		}
	}
	for name, l := range e.launched {
		// A list that began after the launch and does not have the run: somebody has
		// deleted it before it was ever reported.
		if v.lists > l.listing {
			delete(e.launched, name)
			continue
		}
		own = append(own, l.status)
	}
	for uid := range e.askedTasks {
		if !slices.ContainsFunc(v.stuck, func(t stuckTask) bool { return t.UID == uid }) {
			delete(e.askedTasks, uid)
		}
	}
	for _, asked := range []map[string]time.Time{e.asked, e.resumed} {
		for run := range asked {
			if !slices.ContainsFunc(v.runs, func(r cloud.RunStatus) bool { return r.Ref() == run }) {
				delete(asked, run)
			}
		}
	}
	for run := range e.judged {
		if !slices.ContainsFunc(own, func(r cloud.RunStatus) bool { return r.Name == run }) {
			delete(e.judged, run)
		}
	}
	return d, own, others
}

// remember keeps a change of the status until it is written.
func (e *entry) remember(change func(*cloud.Status)) {
	if e.passing != nil {
		e.unwritten = append(e.unwritten, e.passing.Apply)
		e.passing = nil
	}
	e.unwritten = append(e.unwritten, change)
	if e.writeAt.IsZero() {
		e.writeAt = time.Now().Add(flushDelay)
	}
}

// recently reports whether something was asked for so short a time ago that nothing can be
// concluded from its not having happened, and else notes that it is asked for now.
func recently(asked map[string]time.Time, name string) bool {
	now := time.Now()
	if at, known := asked[name]; known && now.Sub(at) < repeatAfter {
		return true
	}
	asked[name] = now
	return false
}

// idle reports whether there is nothing to remember of a job that no longer exists.
func (e *entry) idle() bool {
	return !e.calling && !e.writing
}
