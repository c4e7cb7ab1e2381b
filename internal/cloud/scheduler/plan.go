package scheduler

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// observation is the input of plan: the current state of a job.
type observation struct {
	name string
	jobView
	parsed
	now      time.Time // the wall clock, for fire times and ages
	tick     time.Time // the monotonic clock, for pauses
	recorded bool      // the history has all rows so far
	notifies bool      // there is a notifier
}

// parsed is the schedule of a job, or why the job isn't accepted.
type parsed struct {
	digest   string // of the job
	schedule cloud.Schedule
	invalid  error
}

type decision struct {
	memory  // the new memory
	actions []action
	wake    time.Time // on the monotonic clock; zero if nothing is due before an event
	over    bool      // nothing needs to be remembered
}

// action is something to do for a job: a call, which ends in [term.finish], or a log line.
type action struct {
	do      verb
	uid     string       // of the job's definition
	inTurn  bool         // the job's next call in turn waits for it
	run     string       // the reference of the run to end, to resume or to forget
	shard   int          // to end, -1 for all
	way     cloud.Way    // to end the run
	why     string       // reason for the end
	launch  cloud.Run    // to launch
	decided cloud.Action // to log, or to apply to the status after the launch
	daemon  cloud.Daemon // the requested processes
	job     cloud.Job
	failed  cloud.RunStatus // to notify of, or to log
	changes []change        // to write
}

// verb names an action. The verbs of calls are also in the metrics.
type verb string

const (
	doLaunch     verb = "launch"
	doEnd        verb = "end"
	doResume     verb = "resume"
	doDaemon     verb = "daemon"
	doForget     verb = "forget"
	doNotify     verb = "notify"
	doChange     verb = "change"      // the status in the store
	doLogDecided verb = "log decided" // and count it
	doLogFailed  verb = "log failed"
)

// plan decides what to do for a job now. It's a pure function and doesn't change its arguments.
func plan(o observation, m memory) decision {
	p := planner{observation: o, decision: decision{memory: m.clone()}}
	if o.unreadable == nil { // Otherwise we can't know the job's runs: they continue and none begins.
		p.plan()
	}
	return p.decision
}

type planner struct {
	observation
	decision
	// s has the job's own runs, and the status with everything that isn't written yet.
	s         cloud.Situation
	daemonRun *cloud.RunStatus  // of a DAEMON job
	orphans   []cloud.RunStatus // runs of deleted jobs with this name, and of a DAEMON job that is now TRANSIENT
}

func (p *planner) plan() {
	p.catchUp()
	if p.halted != nil { // The runs in its namespace can't be read: they continue and none begins.
		p.setCondition(unreadCondition(p.halted, p.now))
		p.save()
		return
	}
	p.endOrphans()
	if !p.defined {
		p.stopDaemon()
		p.over = len(p.runs) == 0 && p.turn.state != calling && p.backlog.state != calling
		return
	}
	p.noticeEnds()
	p.checkConditions()
	p.checkHealth()
	if p.mayAct() {
		if p.s.Definition.Job.Type == cloud.TypeDaemon {
			p.keepDaemon()
		} else {
			p.endStuck()
			p.followPlan()
		}
		p.trim()
	}
	p.save()
}

// catchUp updates the memory and divides the runs into the job's own and orphans.
func (p *planner) catchUp() {
	if p.definition.UID != p.uid {
		p.memory = p.memory.of(p.definition.UID)
	}
	p.s = cloud.Situation{
		Definition: p.definition.Clone(), Schedule: p.schedule, App: p.app, Now: p.now,
	}
	if p.invalid != nil {
		p.s.Refused = p.invalid.Error()
	}
	if p.defined {
		p.namespace = p.definition.Job.Namespace
	}
	for _, c := range slices.Concat(p.backlog.changes, p.backlog.passing) {
		c.Apply(&p.s.Definition.Status)
	}
	exists := make(map[string]bool) // runs by reference, and stuck tasks by UID
	for _, r := range p.runs {
		exists[r.Ref()] = true
		own := p.defined && r.Owner == p.uid
		if own {
			delete(p.launched, r.Name)
		}
		switch isDaemon := p.definition.Job.Type == cloud.TypeDaemon; {
		case !own || r.Origin == cloud.OriginDaemon && !isDaemon:
			p.orphans = append(p.orphans, r)
		case r.Origin == cloud.OriginDaemon:
			p.daemonRun = &r
		default:
			p.s.Runs = append(p.s.Runs, r)
		}
	}
	for _, task := range p.stuck {
		exists[task.UID] = true
	}
	maps.DeleteFunc(p.asked, func(id string, _ asked) bool { return !exists[id] })
	for name, l := range p.launched {
		if p.lists > l.list { // A newer list doesn't have the run, so it was deleted before it was ever reported.
			delete(p.launched, name)
			continue
		}
		p.s.Runs = append(p.s.Runs, l.status)
	}
	maps.DeleteFunc(p.progress, func(name string, _ progress) bool {
		return !slices.ContainsFunc(p.s.Runs, func(r cloud.RunStatus) bool { return r.Name == name })
	})
}

// endOrphans ends and forgets the runs of deleted jobs, such as an earlier job with this name, and
// the processes of a job that is no longer a DAEMON.
func (p *planner) endOrphans() {
	if len(p.orphans) > 0 {
		p.wakeIn(lookAgain)
	}
	for _, r := range p.orphans {
		ref := r.Ref()
		old := p.now.Sub(r.Fire) > cloud.HistoryAtLeast && p.now.Sub(r.Created) > cloud.HistoryAtLeast
		switch ended := r.State.Ended(); {
		case ended && (!old || !p.recorded):
		case ended:
			p.ask(ref, action{do: doForget, run: ref})
		case r.Origin == cloud.OriginDaemon:
			p.ask(ref, action{do: doDaemon, run: ref, daemon: noDaemon(r.Namespace, r.JobName, r.Owner)})
		default:
			why := fmt.Sprintf("job %q was deleted", r.JobName)
			p.ask(ref, action{do: doEnd, run: ref, shard: -1, way: cloud.EndKill, why: why})
		}
	}
}

// stopDaemon stops the processes of a DAEMON job that was deleted before the engine reported their
// run. endOrphans ends a reported run.
func (p *planner) stopDaemon() {
	reported := slices.ContainsFunc(p.runs, func(r cloud.RunStatus) bool { return r.Origin == cloud.OriginDaemon })
	if p.daemon != "" && !reported && p.turn.ready(p.tick) {
		p.callDaemon(noDaemon(p.namespace, p.name, ""))
	}
}

// noticeEnds handles ended runs: the newest becomes the last run of the status, and failed runs are
// notified. If this term saw a run active, its end counts even if it's older than the last run,
// because ends may be reported out of order. Otherwise an earlier leader handled an older end.
func (p *planner) noticeEnds() {
	byEnd := func(a, b cloud.RunStatus) int {
		return cmp.Or(a.Ended.Compare(b.Ended), strings.Compare(a.Name, b.Name))
	}
	for _, r := range slices.SortedFunc(slices.Values(p.s.Runs), byEnd) {
		seen := p.progress[r.Name]
		last := cloud.LastRun{Name: r.Name, State: r.State, Ended: r.Ended}
		newest := newer(last, p.s.Definition.Status.LastRun)
		switch {
		case seen == noticed:
			continue
		case !r.State.Ended():
			p.progress[r.Name] = working
			continue
		}
		p.progress[r.Name] = noticed
		if seen == unseen && !newest {
			continue
		}
		if newest {
			p.s.Definition.Status.LastRun = last
			p.setCondition(cloud.Condition{Type: cloud.ConditionHealthy, OK: r.State != cloud.RunFailed,
				Reason: cloud.ReasonLastRun, Message: r.Message, Since: r.Ended})
		}
		end := runEnd{last: last}
		if r.State == cloud.RunFailed {
			p.do(action{do: doLogFailed, failed: r})
			if p.notifies && p.s.Definition.Job.Notifies() {
				end.notice = sending
				p.do(action{do: doNotify, job: p.s.Definition.Job, failed: r})
			}
		}
		p.ends = append(p.ends, end)
	}
	p.settleEnds()
}

// settleEnds keeps ends for the store, up to the first run with a notification under way. If this
// process dies now, the next leader finds that run after the status's last run, and notifies again.
func (p *planner) settleEnds() {
	for len(p.ends) > 0 && p.ends[0].notice != sending {
		when := later
		if p.ends[0].notice == sent {
			when = atOnce // Otherwise another leader would notify again.
		}
		p.note(when, lastRun(p.ends[0].last))
		p.ends = p.ends[1:]
	}
}

func (p *planner) checkConditions() {
	accepted := cloud.Condition{Type: cloud.ConditionAccepted, OK: true, Reason: "Accepted"}
	fires := cloud.Condition{Type: cloud.ConditionFires, OK: true, Reason: "Fires"}
	refuse := func(c *cloud.Condition, reason, format string, args ...any) {
		c.OK, c.Reason, c.Message = false, reason, fmt.Sprintf(format, args...)
	}
	switch job := p.s.Definition.Job; {
	case p.s.Refused != "":
		refuse(&accepted, cloud.ReasonInvalid, "%s", p.s.Refused)
		refuse(&fires, cloud.ReasonInvalid, "the job is not accepted")
	case p.s.App == nil:
		refuse(&accepted, cloud.ReasonAppMissing, "there is no application %q; register it", job.AppName)
		refuse(&fires, cloud.ReasonAppMissing, "the job is not accepted")
		if p.elsewhere != "" {
			refuse(&accepted, cloud.ReasonAppMissing, "application %q is in namespace %s, and the job in %s; a job "+
				"uses an application of its own namespace", job.AppName, p.elsewhere, job.Namespace)
		}
	case job.Disabled:
		refuse(&fires, cloud.ReasonDisabled, "the job is disabled")
	case p.s.App.Disabled:
		refuse(&fires, cloud.ReasonDisabled, "the application %q is disabled", job.AppName)
	}
	p.setCondition(accepted)
	if !fires.OK || p.refused == "" && len(p.collided) == 0 { // Otherwise the answer to a launch has set it.
		p.setCondition(fires)
	}
}

// checkHealth updates the condition of a DAEMON job's processes. They're healthy while the engine
// has no message about their run.
func (p *planner) checkHealth() {
	if r := p.daemonRun; r != nil && !r.State.Ended() && (r.State != cloud.RunWaiting || r.Message != "") {
		p.setCondition(cloud.Condition{
			Type: cloud.ConditionHealthy, OK: r.Message == "", Reason: cloud.ReasonProcesses, Message: r.Message,
		})
	}
}

// mayAct reports whether the job's next action may begin. If not, the term looks again when a call
// ends or at p.wake.
func (p *planner) mayAct() bool {
	if p.turn.state == calling || p.backlog.durable > 0 || len(p.backlog.changes) > mostUnwritten {
		return false
	}
	if p.refused != "" && p.refused != digest(p.s.Definition.Job, p.s.App) {
		p.refused, p.turn = "", call{}
	}
	if !p.turn.ready(p.tick) {
		p.wakeAt(p.turn.at)
		return false
	}
	return true
}

func (p *planner) keepDaemon() {
	if p.s.App == nil || p.s.Refused != "" {
		return // An unreadable document is no reason to stop processes.
	}
	job := p.s.Definition.Job
	d := cloud.Daemon{Name: cloud.Slug(p.name), Job: job, App: *p.s.App, Owner: p.uid, Count: job.Processes()}
	if p.s.Off() {
		d.Count = 0
	}
	works := p.daemonRun != nil && !p.daemonRun.State.Ended()
	if p.daemon == digest(d) && works != (d.Count > 0) {
		// The engine accepted the call but reports something else. The report may be late, or the
		// processes were changed by others.
		if again := p.daemonAt.Add(repeatAfter); again.After(p.tick) {
			p.wakeAt(again)
			return
		}
		p.daemon = ""
	}
	p.callDaemon(d)
}

// noDaemon is the request to stop the processes of a job.
func noDaemon(namespace, job, owner string) cloud.Daemon {
	return cloud.Daemon{
		Name: cloud.Slug(job), Job: cloud.Job{Name: job, Type: cloud.TypeDaemon, Namespace: namespace}, Owner: owner,
	}
}

// callDaemon requests processes unless the engine already accepted the same request.
func (p *planner) callDaemon(d cloud.Daemon) {
	if p.daemon != digest(d) {
		p.daemonAt = p.tick
		p.do(action{inTurn: true, do: doDaemon, daemon: d})
	}
}

// endStuck ends tasks that couldn't start before their deadline.
func (p *planner) endStuck() {
	deadline := p.s.Definition.Job.StartDeadline()
	for _, task := range p.stuck {
		if task.Run == cloud.DaemonRunName(p.name) {
			continue
		}
		if left := deadline - p.now.Sub(task.Stuck); left > 0 {
			p.wakeIn(left)
			continue
		}
		why := fmt.Sprintf("it did not start within %s: %s", deadline, task.Message)
		p.ask(task.UID, action{do: doEnd, run: task.run, shard: task.Shard, way: cloud.EndError, why: why})
	}
}

// followPlan carries out [cloud.Plan], up to the first action that takes time.
func (p *planner) followPlan() {
	for range 1000 {
		actions, wake := cloud.Plan(p.s)
		changed, settles := false, !p.suspending()
		for _, a := range actions {
			ref := cloud.RunRef(p.namespace, a.Run)
			switch a.Do {
			case cloud.DoLaunch:
				p.launch(a)
				return
			case cloud.DoEnd, cloud.DoResume: // The verbs are the same words.
				if p.ask(ref, action{do: verb(a.Do), inTurn: true, run: ref, shard: -1, way: a.Way, why: a.Why}) {
					return
				}
				settles = false
				continue
			case cloud.DoSettled:
				if !settles {
					p.wakeIn(repeatAfter)
					continue
				}
			}
			p.apply(a)
			if changed = true; a.Durable() {
				return
			}
		}
		if !changed {
			if !wake.IsZero() {
				p.wakeIn(wake.Sub(p.now))
			}
			return
		}
	}
}

// suspending reports whether a run was recently asked to end but isn't reported as ended. It may
// already be suspended, and then it must be resumed before anything is settled.
func (p *planner) suspending() bool {
	return slices.ContainsFunc(p.s.Runs, func(r cloud.RunStatus) bool {
		last, open := p.asked[r.Ref()], !r.State.Ended() && r.State != cloud.RunSuspended
		return open && last.do == doEnd && p.tick.Sub(last.at) < repeatAfter
	})
}

func (p *planner) launch(a cloud.Action) {
	d := p.s.Definition
	run := cloud.Run{Name: a.Run, Job: d.Job, App: *p.s.App, Owner: d.UID, Fire: a.Fire, Origin: a.Origin}
	if r := a.Request; r != nil {
		run.Shards, run.Parameters, run.By = r.Shards, r.Parameters, r.By
	}
	if p.collided[a.Run] {
		run.Name = cloud.CollisionName(a.Run)
	}
	p.do(action{inTurn: true, do: doLaunch, launch: run, decided: a})
}

// apply carries out an action that only changes the status.
func (p *planner) apply(a cloud.Action) {
	p.do(action{do: doLogDecided, decided: a})
	switch {
	case p.s.Off() && a.Do == cloud.DoAdvance:
		p.note(whenEnabled, a)
	case a.Durable():
		p.note(durable, a)
	case a.Do == cloud.DoBegin:
		p.note(atOnce, a)
	default:
		p.note(later, a)
	}
}

// trim forgets old runs after everything about them is stored and notified.
func (p *planner) trim() {
	if len(p.s.Runs) > cloud.HistorySucceeded {
		p.wakeIn(lookAgain)
	}
	if len(p.backlog.changes) > 0 || p.backlog.state == calling || len(p.ends) > 0 || !p.recorded {
		return
	}
	for _, run := range cloud.Trim(p.s.Runs, p.now) {
		ref := cloud.RunRef(p.namespace, run)
		p.ask(ref, action{do: doForget, run: ref})
	}
}

func (p *planner) save() {
	b := &p.backlog
	if len(b.passing) > 0 && !p.s.Off() {
		b.add(later, p.tick)
	}
	switch {
	case b.state != waiting:
	case b.ready(p.tick):
		b.begin()
		p.do(action{do: doChange, changes: b.changes})
	default:
		p.wakeAt(b.at)
	}
}

// note applies a change to the status and keeps it for the store.
func (p *planner) note(when urgency, c change) {
	c.Apply(&p.s.Definition.Status)
	p.backlog.add(when, p.tick, c)
}

// setCondition keeps a condition for the store unless the status has it.
func (p *planner) setCondition(c cloud.Condition) {
	if c.Since.IsZero() {
		c.Since = p.now
	}
	if p.s.Definition.Status.SetCondition(c) {
		p.backlog.add(later, p.tick, condition(c))
	}
}

func (p *planner) do(a action) {
	a.uid = p.uid
	if a.inTurn {
		p.turn.begin()
	}
	p.actions = append(p.actions, a)
}

// ask makes a call about a run or a task and returns true, unless the same call was made so recently
// that its effect may still come. Ending and forgetting count as the same call, resuming doesn't.
func (p *planner) ask(id string, a action) bool {
	last, known := p.asked[id]
	if known && (last.do == doResume) == (a.do == doResume) && p.tick.Sub(last.at) < repeatAfter {
		if a.inTurn {
			p.wakeIn(repeatAfter)
		}
		return false
	}
	p.asked[id] = asked{a.do, p.tick}
	p.do(a)
	return true
}

func (p *planner) wakeIn(d time.Duration) { p.wakeAt(p.tick.Add(max(0, d))) }

func (p *planner) wakeAt(at time.Time) {
	if p.wake.IsZero() || at.Before(p.wake) {
		p.wake = at
	}
}

// unreadCondition is the condition of a job in an unreadable namespace.
func unreadCondition(err error, since time.Time) cloud.Condition {
	return cloud.Condition{Type: cloud.ConditionFires, Reason: reasonOf(err), Message: err.Error(), Since: since}
}

func reasonOf(err error) string {
	if errors.Is(err, cloud.ErrForbidden) {
		return cloud.ReasonForbidden
	}
	return cloud.ReasonRefused
}

// digest identifies the input of a call.
func digest(values ...any) string {
	h := sha256.New()
	encoder := json.NewEncoder(h)
	for _, v := range values {
		if err := encoder.Encode(v); err != nil {
			fmt.Fprintf(h, "%+v", v) // JSON can't express NaN.
		}
	}
	return string(h.Sum(nil))
}
