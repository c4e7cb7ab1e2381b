package statistics_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// worldAgent is an agent of the job, with its own server.
type worldAgent struct {
	id, ip             string
	ours, records      bool // records: writes its runs to the history
	live, on, hindered bool // on: its server is enabled; hindered: it announces an obstacle
	came, switched     time.Time
}

// worldFire is a past fire time and its result.
type worldFire struct {
	at      time.Time
	wanted  []bool // the enabled shards; none while the schedule was held
	ran     []bool
	visible bool // every shard that ran is recorded
}

// worldRun is a run that appears in the history at the time from.
type worldRun struct {
	explain.Run
	from time.Time
}

// world is a job with its agents and its past. Each step changes it.
type world struct {
	*rand.Rand
	now, made                  time.Time
	period                     time.Duration
	zone                       string // a line of the configuration
	shards                     int
	failover, monitor, misfire bool
	agents                     []worldAgent
	owner                      []int // the index of each shard's agent
	off                        []bool
	held, away, junk           bool
	leader                     int
	led, released              time.Time
	// frozen is the number of next fire times at which no agent runs anything. hangs, silent and
	// bad are the index of an agent or a shard, or -1.
	frozen, hangs, silent, bad int
	hungSince                  time.Time
	delay                      time.Duration // how late rows are stored
	fires                      []worldFire
	runs                       []worldRun
	fired                      map[int]jobtree.FireRecord
	steps                      []string
}

func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 4343)), hangs: -1, silent: -1, bad: -1, fired: make(map[int]jobtree.FireRecord)}
	w.now = time.Date(2026, 11, 29, 1+w.IntN(20), 17, 23, 0, time.UTC)
	w.made = w.now.Add(-1000 * time.Hour)
	w.period, w.shards, w.failover, w.monitor = time.Hour, 1+w.IntN(4), w.IntN(2) == 0, w.IntN(4) > 0
	if w.IntN(2) == 0 {
		w.period = time.Minute
	}
	if w.IntN(2) == 0 {
		w.zone = `timeZone: GMT+0` + "\n"
	}
	w.misfire = w.IntN(2) == 0
	records := w.IntN(4) > 0
	for i := range 1 + w.IntN(3) {
		ip := fmt.Sprintf("10.0.0.%d", i+1)
		ours := w.IntN(3) > 0
		w.agents = append(w.agents, worldAgent{
			id: ip + "@-@7", ip: ip, ours: ours, records: records && (ours || w.IntN(2) == 0), live: true, on: true, came: w.made, switched: w.made,
		})
	}
	w.owner, w.off, w.led = make([]int, w.shards), make([]bool, w.shards), w.made
	w.assign()
	w.pass(4 * w.period)
	w.steps = []string{fmt.Sprintf("every %v %q, shards %v, monitored %v, agents %v", w.period, w.zone, w.owner, w.monitor, w.agents)}
	return w
}

func (a worldAgent) String() string {
	return fmt.Sprintf("%s ours %v records %v", a.id, a.ours, a.records)
}

func (w *world) assign() {
	able := w.able()
	for n := range w.owner {
		if len(able) == 0 {
			return
		}
		to := &w.agents[able[n%len(able)]]
		if to.ours && w.monitor && !w.agents[w.owner[n]].ours { // It can't know which fire times the Java agent has run.
			w.fired[n] = jobtree.FireRecord{Completed: w.fired[n].Completed, Through: w.now, Owner: to.id}
		}
		w.owner[n] = able[n%len(able)]
	}
}

func (w *world) able() (places []int) {
	for i, a := range w.agents {
		if a.live && a.on {
			places = append(places, i)
		}
	}
	return places
}

func (w *world) pass(d time.Duration) {
	until := w.now.Add(d)
	for at := w.now.Truncate(w.period).Add(w.period); !at.After(until); at = at.Add(w.period) {
		w.now = at
		w.fire(at)
	}
	w.now = until
}

func (w *world) fire(at time.Time) {
	f := worldFire{at: at, wanted: make([]bool, w.shards), ran: make([]bool, w.shards), visible: w.delay == 0}
	ours := worldRun{explain.Run{ScheduledAt: at, Start: at.Add(time.Millisecond), End: at.Add(time.Second), Trigger: tracing.TriggerSchedule}, at.Add(w.delay)}
	javas := worldRun{explain.Run{Start: at.Add(2 * time.Millisecond), End: at.Add(time.Second), Together: true}, at.Add(w.delay)}
	for n := range w.shards {
		a := &w.agents[w.owner[n]]
		f.wanted[n] = !w.off[n] && !(w.held && a.ours)
		if f.ran[n] = f.wanted[n] && a.live && a.on && !a.hindered && w.frozen == 0 && w.silent != n && w.hangs != w.owner[n]; !f.ran[n] {
			continue
		}
		shard := explain.ShardRun{Item: n, Outcome: explain.Succeeded, IP: a.ip}
		if w.bad == n {
			shard.Outcome = explain.Failed
		}
		switch {
		case !a.records:
			f.visible = false
		case a.ours:
			ours.Shards = append(ours.Shards, shard)
		default:
			javas.Shards = append(javas.Shards, shard)
		}
		if a.ours && w.monitor {
			w.fired[n] = jobtree.FireRecord{Completed: at, Through: at, Owner: a.id}
		}
	}
	w.fires = append(w.fires, f)
	for _, r := range []worldRun{ours, javas} {
		if len(r.Shards) > 0 {
			w.runs = append(w.runs, r)
		}
	}
	w.frozen = max(0, w.frozen-1)
}

func (w *world) step() {
	i, n := w.IntN(len(w.agents)), w.IntN(w.shards)
	a, what := &w.agents[i], ""
	switch w.IntN(16) {
	case 0:
		what, a.live, a.hindered = a.id+" leaves", false, false
		if w.hangs == i {
			w.hangs = -1
		}
	case 1:
		if what = a.id + " is there"; !a.live {
			what, a.live, a.came = a.id+" comes", true, w.now
		}
	case 2:
		a.on, a.switched = !a.on, w.now
		what = fmt.Sprintf("server %s is on: %v", a.ip, a.on)
	case 3, 4:
		w.off[n] = !w.off[n]
		what = fmt.Sprintf("shard %d is off: %v", n, w.off[n])
	case 5:
		if what, w.held = fmt.Sprintf("held: %v", !w.held), !w.held; !w.held {
			w.released = w.now
		}
	case 6:
		w.frozen = 1 + w.IntN(2)
		what = fmt.Sprintf("nobody runs the next %d fire times", w.frozen)
	case 7:
		what, w.silent = fmt.Sprintf("shard %d takes no part", n), n
	case 8:
		what, w.bad = fmt.Sprintf("shard %d fails", n), n
	case 9:
		what, w.silent, w.bad, w.delay = "all is well", -1, -1, 0
	case 10:
		what, w.delay = "runs are recorded late", 3*w.period
	case 11:
		what, w.junk = "junk", !w.junk
	case 12:
		w.away = !w.away
		what = fmt.Sprintf("the history is away: %v", w.away)
	case 13:
		if a.ours && a.live {
			a.hindered = !a.hindered
			what = fmt.Sprintf("%s can't run the job: %v", a.id, a.hindered)
		}
	case 14:
		if w.hangs >= 0 {
			what, w.hangs = "the run that hung ends", -1
		} else if a.live && a.on && w.monitor {
			what, w.hangs, w.hungSince = a.id+" hangs", i, w.now
		}
	}
	if w.IntN(3) > 0 { // The leader reshards.
		what += "; assigned"
		w.assign()
	}
	if able := w.able(); len(able) > 0 && (!w.agents[w.leader].live || !w.agents[w.leader].on) {
		w.leader, w.led = able[0], w.now
	}
	d := []time.Duration{time.Second, 15 * time.Second, w.period / 2, w.period, 2*w.period + w.period/2, 5 * w.period}[w.IntN(6)]
	w.steps = append(w.steps, fmt.Sprintf("%s %s; %v pass", w.now.Format(time.TimeOnly), what, d))
	w.pass(d)
}

func (w *world) reader(ns jobtree.Namespace) *statistics.Reader {
	tree := make(map[string]statistics.Node)
	put := func(at time.Time, ephemeral bool, name, data string) {
		tree["j/"+name] = statistics.Node{Data: data, At: at, Ephemeral: ephemeral}
	}
	cron := "0 0 * * * ?"
	if w.period == time.Minute {
		cron = "0 * * * * ?"
	}
	put(w.made, false, "config", fmt.Sprintf("jobName: j\nshardingTotalCount: %d\nfailover: %v\nmonitorExecution: %v\nmisfire: %v\ncron: %s\n%s", w.shards, w.failover, w.monitor, w.misfire, cron, w.zone))
	for i, a := range w.agents {
		state := jobtree.ServerEnabled
		if !a.on {
			state = jobtree.ServerDisabled
		}
		put(a.switched, false, "servers/"+a.ip, state)
		if !a.live {
			continue
		}
		put(a.came, true, "instances/"+a.id, "jobInstanceId: "+a.id+"\nserverIp: "+a.ip+"\n")
		if a.ours {
			put(a.came, true, "extension/agents/"+a.id, "go zone=UTC")
		}
		if a.hindered {
			put(w.now, true, "extension/refused/"+a.id, `{"code":"EXECUTOR_UNKNOWN","text":"no such executor"}`)
		}
		if i == w.leader {
			put(w.led, true, "leader/election/instance", a.id)
		}
	}
	for n, i := range w.owner {
		put(w.made, false, fmt.Sprintf("sharding/%d/instance", n), w.agents[i].id)
		if w.off[n] {
			put(w.now, false, fmt.Sprintf("sharding/%d/disabled", n), "")
		}
		if w.hangs == i {
			put(w.hungSince, !w.failover, fmt.Sprintf("sharding/%d/running", n), w.agents[i].id)
		}
		if record, kept := w.fired[n]; kept {
			put(record.Through, false, fmt.Sprintf("extension/fired/%d", n), string(record.Encode()))
		}
	}
	if w.held {
		put(w.now, false, "extension/runs/bell", "")
		put(w.now, false, "extension/held", `{"what":"schedule","by":"root"}`)
	}
	if !w.released.IsZero() {
		put(w.released, false, "extension/runs/done", string(jobtree.Released{Last: w.released, Schedule: w.released}.Encode()))
	}
	if w.junk {
		for _, name := range []string{"instances/junk", "extension/agents/ju nk", "extension/fired/x", "extension/refused/10.0.0.77@-@1", "servers/10.0.0.77", "sharding/9/disabled", "sharding/07", "trigger/10.0.0.77@-@1", "leader/failover/items/9", "junk"} {
			put(w.now, false, name, "junk")
		}
	}
	return statistics.NewMemory(ns, tree, func() time.Time { return w.now })
}

// digest returns the history as the console would see it.
func (w *world) digest(t *testing.T, r *statistics.Reader, j *statistics.Job) *explain.Digest {
	var seen []explain.Run
	if !w.away {
		for _, run := range slices.Backward(w.runs) {
			if !run.from.After(w.now) {
				seen = append(seen, run.Run)
			}
		}
	}
	slices.SortStableFunc(seen, func(a, b explain.Run) int { return b.Start.Compare(a.Start) })
	all := explain.DigestOf(seen, true)
	d := all.Planned(j)
	if d.WantsFired(j, w.now) {
		fired, err := r.Fired(t.Context(), "j")
		if err != nil {
			t.Fatal(err)
		}
		d = d.With(&fired, false)
	}
	return d
}

// due returns the fire times that the job could have run and that are over by more than the grace,
// the newest first.
func (w *world) due() (fires []worldFire) {
	var enabled, came time.Time
	for _, a := range w.agents {
		if a.on && (enabled.IsZero() || a.switched.Before(enabled)) {
			enabled = a.switched
		}
		if a.on && a.live && (came.IsZero() || a.came.Before(came)) {
			came = a.came
		}
	}
	if came.IsZero() {
		return nil
	}
	for _, f := range slices.Backward(w.fires) {
		ready := f.at.After(enabled.Add(time.Second)) && f.at.After(came.Add(time.Second)) && f.at.After(w.released.Add(time.Second))
		if ready && w.now.After(f.at.Add(max(12*time.Second, w.period/20+2*time.Second))) {
			fires = append(fires, f)
		}
	}
	return fires
}

// missed returns the enabled shards that should have run at each of the fire times and ran at none.
func (w *world) missed(fires []worldFire) (items []int) {
	for n := range w.shards {
		if len(fires) > 0 && !w.off[n] && !slices.ContainsFunc(fires, func(f worldFire) bool { return !f.wanted[n] || f.ran[n] }) {
			items = append(items, n)
		}
	}
	return items
}

// ranSince reports whether any shard ran at the fire time or later.
func (w *world) ranSince(at time.Time) bool {
	return slices.ContainsFunc(w.fires, func(f worldFire) bool { return !f.at.Before(at) && slices.Contains(f.ran, true) })
}

// ranOnJavas reports whether a row of a Java agent has the shard. Their rows have no run ids, so
// all of them count.
func (w *world) ranOnJavas(n int) bool {
	return slices.ContainsFunc(w.runs, func(r worldRun) bool {
		return r.Together && slices.ContainsFunc(r.Shards, func(s explain.ShardRun) bool { return s.Item == n })
	})
}

// stuck returns the shards that can't run, by the registry.
func (w *world) stuck() (items []int) {
	for n, i := range w.owner {
		if a := w.agents[i]; w.off[n] || !a.live || !a.on || a.hindered || w.held && a.ours {
			items = append(items, n)
		}
	}
	return items
}

func (w *world) wrong(listed explain.Judgement, a explain.Answer) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if listed.State != a.State {
		fault("the list says %s, Explain %s", listed.State, a.State)
	}
	has := func(code statistics.CheckCode) bool {
		return slices.ContainsFunc(a.Checks, func(c statistics.Check) bool { return c.Code == code })
	}
	green := a.State == explain.Healthy || a.State == explain.Running && w.hangs < 0
	if items := w.stuck(); len(items) > 0 && (green || a.State == explain.Running) {
		fault("%s, and shards %v can't run", a.State, items)
	}
	due := w.due()
	if len(due) > 0 && !w.held {
		last := due[0]
		nobody := !w.ranSince(last.at) && len(w.missed(due[:1])) > 0
		if green && nobody {
			fault("%s, and nobody ran at %s", a.State, last.at.Format(time.TimeOnly))
		}
		if has(statistics.CheckOnTime) && nobody {
			fault("ON_TIME, and nobody ran at %s", last.at.Format(time.TimeOnly))
		}
		some := slices.DeleteFunc(due, func(f worldFire) bool { return !slices.Contains(f.ran, true) })
		items := slices.DeleteFunc(w.missed(some[:min(2, len(some))]), func(n int) bool {
			taken := w.fired[n].Through.After(w.fired[n].Completed) // from a Java agent, which may have run it
			return taken || w.fires[len(w.fires)-1].ran[n] || w.ranOnJavas(n)
		})
		if green && len(some) > 1 && len(items) > 0 {
			fault("%s, and shards %v ran at neither of the last two fire times", a.State, items)
		}
	}
	for _, f := range a.Findings {
		switch f.Code {
		case statistics.CodeLate:
			at := slices.IndexFunc(w.fires, func(fire worldFire) bool { return fire.at.Equal(a.Due) })
			if at < 0 || w.fires[at].visible && !slices.Contains(w.fires[at].ran, false) {
				fault("LATE, and every shard ran at %s", a.Due.Format(time.TimeOnly))
			}
		case statistics.CodeShardsMissed:
			for _, n := range f.Items {
				if last := w.fires[len(w.fires)-1]; last.ran[n] && w.now.After(last.at.Add(12*time.Second)) && w.delay == 0 && last.visible {
					fault("shard %d has run at %s", n, last.at.Format(time.TimeOnly))
				}
			}
		}
	}
	return faults
}

// TestJudgementOverTime: after any series of events, the list and Explain must agree, no check may
// contradict a finding, and a job must not be healthy if it misses fire times or has a shard that
// doesn't run.
func TestJudgementOverTime(t *testing.T) {
	t.Parallel()
	ns, err := jobtree.NewNamespace("time")
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for seed := range uint64(1000) {
		w := newWorld(seed)
		for range 5 + w.IntN(6) {
			w.step()
			reader := w.reader(ns)
			list, err := reader.Jobs(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			why, err := reader.Explain(t.Context(), "j")
			if err != nil {
				t.Fatal(err)
			}
			row := list[0]
			e := explain.Evidence{Job: &row, Runs: w.digest(t, reader, &row), Known: !w.away, Now: w.now}
			listed := explain.Judge(e)
			row.Findings = why.Findings
			answer := explain.Explain(why, e)
			faults := slices.Concat(contradictions(answer), w.wrong(listed, answer))
			if len(faults) == 0 {
				continue
			}
			t.Errorf("seed %d: %s\n%s\n%s %s", seed, strings.Join(faults, "; "), strings.Join(w.steps, "\n"), w.now.Format(time.TimeOnly), codes(answer.Findings))
			if failed++; failed > 5 {
				t.FailNow()
			}
			break
		}
	}
}
