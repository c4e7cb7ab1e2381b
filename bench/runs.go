package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	connect "github.com/elasticjob-go/elasticjob/registry"
)

const (
	runsSubmitted = 1000                  // one after the other, and delayed ones
	runsPace      = 20 * time.Millisecond // between two requests whose start is measured
	runsCancelled = 500
	rateAgents    = 3
	rateShards    = 16 // of each agent
)

// runsParts measures requested runs, which are requested from code and run in agents' processes.
var runsParts = []part[*bench]{
	{"submit", onJob(1, submits, "--assign=one", "--jobs=2")},
	{"each", onJob(3, startsOfEach, "--shards=10")},
	{"delayed", onJob(1, delays, "--assign=one", "--shards=16")},
	{"bulk", onJob(1, bulk, "--assign=one")},
	{"cancel", onJob(3, cancels, "--assign=one", fmt.Sprintf("--shards=%d", runsCancelled), "--body-ms=300000")},
	{"rate", onJob(rateAgents, atRate, "--assign=one", fmt.Sprintf("--shards=%d", rateAgents*rateShards))},
	{"waiting", onJob(2, waiting, waitingArgs...)},
	{"lost", lost},
	{"beside", onJob(1, beside, "--assign=one", fmt.Sprintf("--shards=%d", rateShards))},
}

func requested(b *bench) { measureParts(b, b, runsParts) }

// requestedJob is a job with agents of its own, and a client that requests runs.
type requestedJob struct {
	*scene
	ns      jobtree.Namespace
	job     jobtree.Job
	workers []*process
	client  *coreagent.Agent
	params  map[string]string // some 400 bytes
}

// onJob makes a part of a measurement that needs one job.
func onJob(agents int, measure func(*requestedJob), args ...string) func(*bench) {
	return func(b *bench) {
		s := b.newScene()
		defer s.end()
		r := s.requestedJob("runs", agents, args...)
		defer r.disconnect()
		s.connect(r)
		measure(r)
	}
}

// requestedJob starts the agents of a job.
func (s *scene) requestedJob(name string, agents int, args ...string) *requestedJob {
	r := &requestedJob{scene: s, ns: namespace(name), params: map[string]string{"text": strings.Repeat("x", 388)}}
	r.job = r.ns.Job(jobName)
	for n := range agents {
		r.workers = append(r.workers, s.spawn(s.Addr(), n+1, name, args...))
	}
	return r
}

// connect waits for the agents of all jobs and connects their clients.
func (s *scene) connect(jobs ...*requestedJob) {
	s.awaitReady(time.Minute)
	for _, r := range jobs {
		r.client = must(coreagent.New(coreagent.Config{
			Namespace: r.ns.String(), Address: "127.0.1.99", Logger: slog.New(slog.DiscardHandler), ZooKeeper: connect.ZooKeeper{Servers: []string{s.Addr()}},
		}))
		check(r.client.Start(s))
	}
	s.pause(2 * time.Second) // The shards are assigned then.
}

func (r *requestedJob) disconnect() {
	if r.client != nil {
		_ = r.client.Stop(context.WithoutCancel(r))
	}
}

// submit requests a run and returns its id and the moment before the call.
func (r *requestedJob) submit(o coreagent.RunOptions) (id string, at time.Time) {
	at = time.Now()
	return must(r.client.Submit(r, jobName, r.params, o)).ID, at
}

// reports returns the moments that the agents reported of a kind, by run. It waits until there
// are so many, but no longer than a minute; the others are missing.
func (r *requestedJob) reports(what byte, want int) map[string][]time.Time {
	var found map[string][]time.Time
	for deadline := time.Now().Add(tooLong); ; r.pause(reportsDelay / 2) {
		found = make(map[string][]time.Time)
		n := 0
		for _, p := range r.workers {
			for _, report := range p.since(time.Time{}, what) {
				found[report.id] = append(found[report.id], report.at)
				n++
			}
		}
		if n >= want || time.Now().After(deadline) {
			return found
		}
	}
}

// after returns how many milliseconds after its moment each run had the reports of all its shards.
func after(moments map[string]time.Time, reports map[string][]time.Time, shards int) (took []float64) {
	for id, from := range moments {
		last := never
		if at := reports[id]; len(at) >= shards {
			last = math.Inf(-1)
			for _, t := range at {
				last = max(last, millis(t.Sub(from)))
			}
		}
		took = append(took, last)
	}
	return took
}

// paced requests runs at a pace, and returns the milliseconds from each request to the start of
// the run's last shard. A first run, which isn't counted, creates the nodes that all share.
func (r *requestedJob) paced(runs int, pace time.Duration, shards int) []float64 {
	r.warm(shards)
	moments := make(map[string]time.Time)
	for next := time.Now(); len(moments) < runs; next = next.Add(pace) {
		r.pauseUntil(next)
		id, at := r.submit(coreagent.RunOptions{})
		moments[id] = at
	}
	return after(moments, r.reports('R', (runs+1)*shards), shards)
}

func (r *requestedJob) warm(shards int) {
	r.submit(coreagent.RunOptions{})
	r.reports('R', shards)
}

// submits measures how soon a handler starts, and the call that requests a run.
func submits(r *requestedJob) {
	took := r.paced(runsSubmitted, runsPace, 1)
	var calls []float64
	for range runsSubmitted {
		_, at := r.submit(coreagent.RunOptions{Delay: 24 * time.Hour})
		calls = append(calls, millis(time.Since(at)))
	}
	r.percentiles("runs-submit", 2, 20, fmt.Sprintf("`Agent.Submit`, %d requests with 400 bytes of parameters, one after the other; the runs are due in a day", runsSubmitted), calls)
	r.percentiles("runs-start", 5, 30, fmt.Sprintf("from the call of `Agent.Submit` to the start of the handler: one agent, one shard, `one`, %d runs, one each %v", runsSubmitted, runsPace), took)
}

// startsOfEach measures how soon the last shard of a fleet starts.
func startsOfEach(r *requestedJob) {
	const runs, shards, pace = 300, 10, 4 * runsPace
	r.percentiles("runs-start-each", 10, 50, fmt.Sprintf("from the call of `Agent.Submit` to the start of the last of %d shards on three agents, `each`: %d runs, one each %v", shards, runs, pace), r.paced(runs, pace, shards))
}

// delays measures how late delayed runs start, and that none is early.
func delays(r *requestedJob) {
	const spread, lead = 10 * time.Second, 20 * time.Second
	r.warm(1)
	first := time.Now().Add(lead)
	due := make(map[string]time.Time)
	var mu sync.Mutex
	together(4, runsSubmitted, func(i int) {
		ticket := must(r.client.Submit(r, jobName, r.params, coreagent.RunOptions{NotBefore: first.Add(spread * time.Duration(i) / runsSubmitted)}))
		mu.Lock()
		defer mu.Unlock()
		due[ticket.ID] = ticket.Due
	})
	if time.Now().After(first) {
		fail("the requests took longer than %v, so that runs were due before all were placed", lead)
	}
	r.pauseUntil(first.Add(spread))
	took, early := after(due, r.reports('R', 1+len(due)), 1), 0.0
	for _, ms := range took {
		if ms < 0 {
			early++
		}
	}
	how := fmt.Sprintf("%d runs that are due within %v, one agent, 16 shards, `one`; from that time to the start of the handler", len(due), spread)
	r.percentiles("runs-delayed", 5, 50, how, took)
	r.atMost("runs-delayed-early", "", 0, how, early)
}

// bulk measures how long many delayed requests take together.
func bulk(r *requestedJob) {
	began := time.Now()
	how := r.fill()
	r.atMost("runs-submit-10000", "s", 1.5, how, time.Since(began).Seconds())
}

// fill places ten thousand requests that are due in a day, and describes how.
func (r *requestedJob) fill() (how string) {
	const callers, calls, each = 4, 20, 500
	requests := make([]coreagent.RunRequest, each)
	for i := range requests {
		requests[i] = coreagent.RunRequest{Params: r.params, Options: coreagent.RunOptions{Delay: 24*time.Hour + time.Duration(i)*time.Second}}
	}
	together(callers, calls, func(int) { must(r.client.SubmitMany(r, jobName, requests)) })
	return fmt.Sprintf("%d delayed requests, by `Agent.SubmitMany` in calls of %d, %d at once", calls*each, each, callers)
}

// cancels measures how soon a handler's context ends after its run was cancelled.
func cancels(r *requestedJob) {
	var ids []string
	for range runsCancelled {
		id, _ := r.submit(coreagent.RunOptions{})
		ids = append(ids, id)
	}
	r.reports('R', runsCancelled)
	moments := make(map[string]time.Time)
	next := time.Now()
	for _, id := range ids {
		r.pauseUntil(next)
		next = next.Add(runsPace)
		moments[id] = time.Now()
		must(r.client.CancelRun(r, jobName, id, ""))
	}
	r.percentiles("runs-cancel", 10, 60, fmt.Sprintf("from the call of `Agent.CancelRun` to the end of the handler's context; %d running runs on three agents, one cancelled each %v", runsCancelled, runsPace),
		after(moments, r.reports('K', runsCancelled), 1))
}

// flow is a series of requests at a steady rate.
type flow struct {
	began   time.Time
	moments map[string]time.Time // when each run should be requested, by id
	refused float64              // because the queue was full

	waits   []float64     // milliseconds from the time of each request to the start of its handler
	last    time.Duration // from the beginning to the last start
	missing float64       // runs that didn't start
	twice   float64       // runs that started more than once
}

// request requests runs at a rate and waits for their starts. The wait counts from the time at
// which a run should be requested, even if the registry held up earlier requests.
func (r *requestedJob) request(perSecond int, length time.Duration) *flow {
	const callers = 64 // more than a registry that keeps up has at a time
	f := &flow{began: time.Now(), moments: make(map[string]time.Time)}
	var mu sync.Mutex
	together(callers, int(length.Seconds()*float64(perSecond)), func(n int) {
		due := f.began.Add(time.Duration(n) * time.Second / time.Duration(perSecond))
		r.pauseUntil(due)
		ticket, err := r.client.Submit(r, jobName, r.params, coreagent.RunOptions{})
		mu.Lock()
		defer mu.Unlock()
		if errors.Is(err, coreagent.ErrQueueFull) {
			f.refused++
			return
		}
		check(err)
		f.moments[ticket.ID] = due
	})
	f.evaluate(r.reports('R', 1+len(f.moments)))
	return f
}

func (f *flow) evaluate(reports map[string][]time.Time) {
	f.waits = after(f.moments, reports, 1)
	for id := range f.moments {
		at := reports[id]
		switch {
		case len(at) == 0:
			f.missing++
		case len(at) > 1:
			f.twice++
		}
		for _, t := range at {
			f.last = max(f.last, t.Sub(f.began))
		}
	}
}

// atRate measures whether a fleet keeps up with 500 requests a second.
func atRate(r *requestedJob) {
	const rate, wait = 500, 1000 // a second, milliseconds
	r.warm(1)
	f := r.request(rate, r.load)
	if len(f.moments) == 0 {
		fail("all %.0f requests were refused because the queue is full", f.refused)
	}
	runs := float64(len(f.moments))
	how := fmt.Sprintf("%d requests/s for %v, `one`, empty handlers, %d agents with %d shards each; ", rate, r.load, rateAgents, rateShards)
	r.atMost("runs-rate-run", "ms", 1e3/rate+wait/(r.load.Seconds()*rate), how+fmt.Sprintf("from the first request to the start of the last run, divided by the runs: %.0f runs/s; the limit is %d ms, and %d ms for the last run's wait", runs/f.last.Seconds(), 1000/rate, wait),
		millis(f.last)/runs)
	r.note("runs-rate-wait-p50", "ms", how+"from the time at which a run should be requested to the start of its handler", percentile(f.waits, 50))
	r.atMost("runs-rate-wait-p99", "ms", wait, how+"the same", percentile(f.waits, 99))
	r.atMost("runs-rate-missing", "", 0, how+fmt.Sprintf("runs that had not started %v after the last request", tooLong), f.missing)
	r.atMost("runs-rate-twice", "", 0, how+"runs that started more than once", f.twice)
	r.atMost("runs-rate-refused", "", 0, how+"requests that were refused because the queue was full", f.refused)
}

// beside measures how late a thousand jobs fire, without and then with requested runs of another
// job in the same registry.
func beside(r *requestedJob) {
	const jobs, rate, window = 1000, 200, lateFires * latePeriod
	p := r.spawn(r.Addr(), 50, "runs-beside", fmt.Sprintf("--jobs=%d", jobs), "--cron=0/5 * * * * ?")
	r.awaitReady(time.Minute)
	r.warm(1)
	begin := time.Now().Add(2 * latePeriod).Truncate(latePeriod).Add(-latePeriod / 20) // Nothing fires just here.
	r.pauseUntil(begin.Add(window))
	f := r.request(rate, window)
	r.pauseUntil(begin.Add(2*window + 2*reportsDelay))
	late := lateness(p, begin, 0, 2)
	if len(late[0]) == 0 || len(late[1]) == 0 {
		fail("of %d fires without and with requested runs %d and %d happened", lateFires*jobs, len(late[0]), len(late[1]))
	}
	how := fmt.Sprintf("%d jobs of one shard that all fire at the same second of five, %d fires", jobs, lateFires)
	with := how + fmt.Sprintf("; at the same time %d runs/s of another job, with an agent of its own in the same registry", rate)
	r.note("runs-beside-late-p50-without", "ms", how, percentile(late[0], 50))
	r.note("runs-beside-late-p99-without", "ms", how, percentile(late[0], 99))
	r.note("runs-beside-late-p50", "ms", with, percentile(late[1], 50))
	r.atMost("runs-beside-late-p99", "ms", 100, with, percentile(late[1], 99))
	r.atMost("runs-beside-fires-missing", "", 0, with, float64(2*lateFires*jobs-len(late[0])-len(late[1])))
	r.atMost("runs-beside-runs-missing", "", 0, with+"; runs that were refused or didn't start", f.missing+f.refused)
}

// started waits until a run starts at one of the agents, and returns which, and when.
func (r *requestedJob) started(id string, agents ...*process) (owner *process, at time.Time) {
	r.poll("start of run "+id, tooLong, reportsDelay/5, func() bool {
		for _, p := range agents {
			for _, report := range p.since(time.Time{}, 'R') {
				if report.id == id {
					owner, at = p, report.at
					return true
				}
			}
		}
		return false
	})
	return owner, at
}

// lost measures how long after the end of its owner's session a run begins elsewhere. Rounds run
// at the same time, each with a job and two agents, one of which is idle.
func lost(b *bench) {
	const rounds = 8 // of each kind
	s := b.newScene()
	defer s.end()
	kinds := [2][]string{{"--assign=one", "--shards=2"}, {"--assign=each", "--shards=1"}}
	var jobs []*requestedJob
	for i := range 2 * rounds {
		r := s.requestedJob(fmt.Sprintf("lost-%d", i), 2, append(kinds[i%2], "--body-ms=300000", shortSession)...)
		defer r.disconnect()
		jobs = append(jobs, r)
	}
	s.connect(jobs...)
	took := make([]float64, len(jobs))
	first := time.Now()
	together(len(jobs), len(jobs), func(i int) {
		b.pauseUntil(first.Add(time.Duration(i) * failoverStep))
		r := jobs[i]
		id, _ := r.submit(coreagent.RunOptions{})
		owner, _ := r.started(id, r.workers...)
		survivor := r.workers[0]
		if survivor == owner {
			survivor = r.workers[1]
		}
		b.pause(failoverStep / 2) // The work of the run's beginning is over.
		gone := s.kill(r.job, owner)
		_, began := r.started(id, survivor)
		took[i] = millis(began.Sub(gone))
	})
	var one, each []float64
	for i := 0; i < len(took); i += 2 {
		one, each = append(one, took[i]), append(each, took[i+1])
	}
	how := fmt.Sprintf("two agents, one executes a run and is killed, the other is idle, %d rounds; from the end of the session, as a watcher sees it, to the start of the handler at the other agent; ", rounds)
	b.atMost("runs-lost-one-p50", "ms", 60, how+"`one`, a shard at each agent", one...)
	b.worst("runs-lost-one-max", "ms", 400, how+"`one`; the largest instead of the p99", one...)
	b.atMost("runs-lost-each-p50", "ms", 60, how+"`each`, one shard, which is then assigned to the other agent", each...)
	b.worst("runs-lost-each-max", "ms", 400, how+"`each`; the largest instead of the p99", each...)
}

// waitingArgs has a session long enough to ping seldom, and short enough to wait for its end.
var waitingArgs = []string{"--assign=one", "--shards=2", "--session-ms=4000"}

// waiting measures the cost of ten thousand requests that are due in a day, and how soon another
// agent is the steward after the steward was killed.
func waiting(r *requestedJob) {
	const window, kills = 12 * time.Second, 3
	r.warm(1)
	steward, other := r.roles()
	before := r.idle(window, steward, other)
	r.fill()
	after := r.idle(window, steward, other)
	if now, _ := r.roles(); now != steward {
		fail("the steward changed while nothing happened, so the figures are of two agents")
	}
	const sessions = 4 // of two agents and two clients: each may ping once more in one of the two windows
	how := "10,000 requests of 400 bytes that are due in a day, two agents, `one`; "
	r.atMost("runs-waiting-steward-heap", "MB", 4, how+"live heap of the steward, more than before", max(0, after.heap[0]-before.heap[0])/1e6)
	r.atMost("runs-waiting-other-heap", "MB", 0.1, how+"live heap of the other agent, more than before; the goal is 0, and less than 0.1 is the runtime's", max(0, after.heap[1]-before.heap[1])/1e6)
	r.atMost("runs-waiting-requests", "/s", 0, how+fmt.Sprintf("requests that ZooKeeper counts in %v, more than in the same time before, without a ping of each session", window),
		max(0, after.requests-before.requests-sessions)/window.Seconds())
	r.atMost("runs-waiting-cpu", "%", 0.2, how+fmt.Sprintf("of one core, of the steward in %v; the goal is 0, and Linux counts in steps of 10 ms, pings too; without requests it was %s", window, number(before.cpu)), after.cpu)

	var changes, starts []float64
	for i := range kills {
		change, start := r.killSteward(len(r.workers) + 1)
		if start < 0 {
			fail("kill %d: the run that fell due started %v ms before the end of the steward's session, which came too late to measure", i, -start)
		}
		changes, starts = append(changes, change), append(starts, start)
	}
	how = fmt.Sprintf("10,000 requests wait, and the steward is killed, %d times; from the end of its session, as a watcher sees it, ", kills)
	r.worst("runs-steward-change", "ms", 500, how+"until the other agent is the steward", changes...)
	r.note("runs-steward-change-start", "ms", how+"to the start of a run that fell due in between, which the next steward moves once it has read the waiting runs", starts...)
}

// roles returns the agent that is the steward, and the other one.
func (r *requestedJob) roles() (steward, other *process) {
	id, _, err := r.scene.client.Get(r, r.job.RunsSteward())
	check(err)
	for _, p := range r.workers {
		switch {
		case p.ended():
		case p.is(string(id)):
			steward = p
		default:
			other = p
		}
	}
	if steward == nil || other == nil {
		fail("the steward is %q, which is not one of two running agents", id)
	}
	return steward, other
}

// idled is the consumption while nothing happens.
type idled struct {
	heap     [2]float64 // live bytes: of the steward and of the other agent
	requests float64    // that the registry counted
	cpu      float64    // of the steward, in percent of a core
}

func (r *requestedJob) idle(window time.Duration, steward, other *process) (out idled) {
	r.awaitQuiet()
	requests, early := r.requests(), usageOf(steward.pid())
	r.pause(window)
	out.cpu = 100 * (usageOf(steward.pid()).cpu - early.cpu).Seconds() / window.Seconds()
	out.requests = r.requests() - requests
	for i, p := range []*process{steward, other} {
		for range 2 { // The second collection releases the content of pools.
			_, out.heap[i] = p.stats(r.bench)
		}
	}
	return out
}

// killSteward kills the steward while a run falls due, and returns the milliseconds from the end
// of its session until the other agent is the steward, and until that run starts. Then it starts
// a new agent instead of the dead one.
func (r *requestedJob) killSteward(n int) (change, start float64) {
	steward, other := r.roles()
	// The steward is dead when the run is due, but its session isn't.
	id, _ := r.submit(coreagent.RunOptions{Delay: 500 * time.Millisecond})
	gone := r.kill(r.job, steward)
	elected := r.watch(r.job.RunsSteward(), true)()
	_, began := r.started(id, other)
	r.workers = append(r.workers, r.spawn(r.Addr(), n, r.ns.String(), waitingArgs...))
	r.awaitReady(time.Minute)
	r.awaitQuiet()
	return millis(elected.Sub(gone)), millis(began.Sub(gone))
}
