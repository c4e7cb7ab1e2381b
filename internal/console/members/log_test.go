package members_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

const a, b, c = "10.0.0.1@-@7", "10.0.0.2@-@8", "10.0.0.3@-@9"

// job has three shards on a, b and c.
func job(live []string, change func(*statistics.JobDetail)) statistics.JobDetail {
	d := statistics.JobDetail{Job: statistics.Job{Name: "mail"}}
	for _, id := range live {
		d.Instances = append(d.Instances, statistics.Instance{ID: id})
	}
	for item, id := range []string{a, b, c} {
		d.Shards = append(d.Shards, statistics.Shard{Item: item, Instance: id})
	}
	if change != nil {
		change(&d)
	}
	return d
}

func listed(l *members.Log) []string {
	var list []string
	for _, e := range slices.Backward(l.Of("mail", 100)) {
		list = append(list, fmt.Sprintf("%s %s %s %v %v %s", e.At.Sub(noon), e.IP(), e.Kind, e.Shards, e.Lost, e.From))
	}
	return list
}

// TestLog: an instance leaves while it runs a shard, another runs that, and a
// resharding ends the matter.
func TestLog(t *testing.T) {
	t.Parallel()
	var l members.Log
	if l.See("mail", members.Seen{Live: []string{a, b, c}}, noon) || len(listed(&l)) > 0 || !l.Known().Equal(noon) {
		t.Error("what was there first is no event")
	}
	if !l.See("mail", members.Seen{Live: []string{a, b}}, noon.Add(time.Second)) || !l.Follows("mail") {
		t.Fatal("nobody is to look at the job")
	}
	l.Look(job([]string{a, b}, func(d *statistics.JobDetail) { d.Shards[2].Lost = true }), noon.Add(time.Second))
	if departed := l.Departed("mail"); len(departed) != 1 || departed[0].Instance != c || !slices.Equal(departed[0].Open, []int{2}) {
		t.Errorf("departed %+v", departed)
	}
	over := func(d *statistics.JobDetail) { d.Shards[2].Failover, d.Shards[2].RunningOn = a, a }
	l.Look(job([]string{a, b}, over), noon.Add(2*time.Second))
	l.Look(job([]string{a, b}, over), noon.Add(3*time.Second)) // once is enough
	if len(l.Departed("mail")) != 1 {
		t.Error("forgotten before the shard has another owner")
	}
	l.Look(job([]string{a, b}, func(d *statistics.JobDetail) { d.Shards[2].Instance = b }), noon.Add(4*time.Second))
	l.See("mail", members.Seen{Live: []string{b, a, c}}, noon.Add(5*time.Second))
	want := []string{
		"1s 10.0.0.3 left [2] [2] ",
		"2s 10.0.0.1 failed over [2] [] " + c,
		"4s 10.0.0.2 assigned [2] [] " + c,
		"5s 10.0.0.3 joined [] [] ",
	}
	if diff := cmp.Diff(want, listed(&l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(l.Departed("mail")) > 0 || l.Follows("mail") {
		t.Error("followed for ever")
	}
}

// TestLogOfTheSame: an owner that runs its own shard failed nothing over, and an
// instance that is back again is not followed.
// TestLiveByTheLog: the events lead to the live instances.
func TestLiveByTheLog(t *testing.T) {
	t.Parallel()
	var log members.Log
	if live, seen := log.Live("mail"); seen {
		t.Errorf("before the first look: %v", live)
	}
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, ids := range [][]string{{"a"}, {"a", "b"}, {"b"}, nil} {
		log.See("mail", members.Seen{Live: ids}, now)
		if live, seen := log.Live("mail"); !seen || !slices.Equal(live, ids) {
			t.Errorf("%v, %v, want %v", live, seen, ids)
		}
	}
}

func TestLogOfTheSame(t *testing.T) {
	t.Parallel()
	var l members.Log
	l.See("mail", members.Seen{Live: []string{a, b, c}}, noon)
	l.See("mail", members.Seen{Live: []string{a, b}}, noon)
	l.Look(job([]string{a, b}, nil), noon)
	l.Look(job([]string{a, b}, func(d *statistics.JobDetail) { d.Shards[2].Instance, d.Shards[2].RunningOn = a, a }), noon)
	if got := listed(&l); len(got) != 2 || got[1] != "0s 10.0.0.1 assigned [2] [] "+c {
		t.Errorf("%q", got)
	}
	l.See("mail", members.Seen{Live: []string{a}}, noon)
	l.Look(job([]string{a}, nil), noon)
	l.See("mail", members.Seen{Live: []string{a, b}}, noon)
	l.Look(job([]string{a, b}, nil), noon)
	if l.Follows("mail") {
		t.Error("an instance that lives is followed")
	}
}

// TestLogIsBounded: however much happens, the newest is kept and what is open has an
// end.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	var l members.Log
	for n := range members.MaxEvents {
		name := fmt.Sprint("job", n)
		l.See(name, members.Seen{Live: []string{a}}, noon)
		l.See(name, members.Seen{}, noon.Add(time.Duration(n)))
		l.See(name, members.Seen{Live: []string{b}}, noon.Add(time.Duration(n)))
	}
	events, followed := 0, 0
	for n := range members.MaxEvents {
		events += len(l.Of(fmt.Sprint("job", n), 10))
		if l.Follows(fmt.Sprint("job", n)) {
			followed++
		}
	}
	if events < members.MaxEvents || events > members.MaxEvents*5/4 || followed != members.MaxOpen {
		t.Errorf("%d events, %d jobs are followed", events, followed)
	}
	if !l.Known().After(noon) {
		t.Error("says that it knows all there were")
	}
	l.Keep([]string{"job1"})
	if !l.Follows("job1") || l.Follows("job2") {
		t.Error("follows a job that is gone, or not the one that exists")
	}
	d := job(nil, func(d *statistics.JobDetail) { d.Name = "job1" })
	l.Look(d, noon)
	if l.Look(d, noon.Add(2*members.Follow)); l.Follows("job1") {
		t.Error("follows for ever")
	}
}

// TestW24Losses: an agent that is lost counts as lost until it returns, the job has as many
// instances as before, or a user acknowledges it. An orderly stop isn't a loss. A Java agent
// counts if it was running shards when it left.
func TestW24Losses(t *testing.T) {
	t.Parallel()
	all := members.Seen{Live: []string{a, b, c}, Agents: []string{a, b, c}}
	again := "10.0.0.3@-@77"
	for name, tt := range map[string]struct {
		first members.Seen
		then  []members.Seen
		look  func(*statistics.JobDetail)
		exit  members.Exit
		lost  []string
	}{
		"stopped":                      {first: all, then: []members.Seen{{Live: []string{a, b}, Stopped: []string{c}}}, exit: members.Stopped},
		"lost":                         {first: all, then: []members.Seen{{Live: []string{a, b}}}, exit: members.Lost, lost: []string{c}},
		"half the fleet":               {first: all, then: []members.Seen{{Live: []string{a}}}, exit: members.Lost, lost: []string{c, b}},
		"it returns":                   {first: all, then: []members.Seen{{Live: []string{a}}, {Live: []string{a, again}}}, exit: members.Lost, lost: []string{b}},
		"others replace it":            {first: all, then: []members.Seen{{Live: []string{a}}, {Live: []string{a, "10.0.0.8@-@1", "10.0.0.9@-@1"}}}, exit: members.Lost},
		"one of two is replaced":       {first: all, then: []members.Seen{{Live: []string{a}}, {Live: []string{a, "10.0.0.8@-@1"}}}, exit: members.Lost, lost: []string{c, b}},
		"a Java agent, idle":           {first: members.Seen{Live: []string{a, b, c}}, then: []members.Seen{{Live: []string{a, b}}}, exit: members.Unknown},
		"a Java agent, during a run":   {first: members.Seen{Live: []string{a, b, c}}, then: []members.Seen{{Live: []string{a, b}}}, look: func(d *statistics.JobDetail) { d.Shards[2].Lost = true }, exit: members.Unknown, lost: []string{c}},
		"its agent was seen later":     {first: members.Seen{Live: []string{a, b, c}}, then: []members.Seen{all, {Live: []string{a, b}}}, exit: members.Lost, lost: []string{c}},
		"its agent is gone before it":  {first: all, then: []members.Seen{{Live: []string{a, b, c}}, {Live: []string{a, b}}}, exit: members.Lost, lost: []string{c}},
		"another process of its host":  {first: members.Seen{Live: []string{a, c, again}, Agents: []string{a, c, again}}, then: []members.Seen{{Live: []string{a, again}}}, exit: members.Lost, lost: []string{c}},
		"lost after an orderly return": {first: all, then: []members.Seen{{Live: []string{a, b}, Stopped: []string{c}}, all, {Live: []string{a, b}}}, exit: members.Lost, lost: []string{c}},
	} {
		var l members.Log
		l.See("mail", tt.first, noon)
		for _, s := range tt.then {
			if l.See("mail", s, noon) {
				l.Look(job(s.Live, tt.look), noon)
			}
		}
		var lost []string
		for _, loss := range l.Losses("mail") {
			lost = append(lost, loss.Instance)
		}
		events := l.Of("mail", 10)
		at := slices.IndexFunc(events, func(e members.Event) bool { return e.Kind == members.Left && e.Instance == c })
		if at < 0 || events[at].Exit != tt.exit || !slices.Equal(lost, tt.lost) {
			t.Errorf("%s: %+v, lost %q", name, events, lost)
		}
		if had := l.Acknowledge([]string{a, b, c}); len(had) != len(tt.lost) || len(l.Losses("")) > 0 {
			t.Errorf("%s: acknowledged %q, and %v is left", name, had, l.Losses(""))
		}
	}
}

// TestW29StoppedAndIdle: the executions of an instance that stopped in an orderly way have ended a minute after
// the registry shows that it runs nothing any more. They haven't while it drains, however long that
// takes, or if it came back.
func TestW29StoppedAndIdle(t *testing.T) {
	t.Parallel()
	drains := func(d *statistics.JobDetail) { d.Shards[2].Instance, d.Shards[2].RunningOn = a, c }
	handed := func(d *statistics.JobDetail) { d.Shards[2].Instance = a }
	began := func(at time.Duration) *tracing.Execution {
		return &tracing.Execution{JobName: "mail", TaskID: jobtree.TaskID("mail", []int{2}, c, ""), StartTime: noon.Add(at)}
	}
	type look struct {
		at     time.Duration // after it left
		change func(*statistics.JobDetail)
	}
	for name, tt := range map[string]struct {
		looks []look
		back  bool
		asked time.Duration
		ended bool
	}{
		"it drains":                       {[]look{{0, drains}, {2 * time.Minute, drains}}, false, 2 * time.Minute, false},
		"it drains for hours":             {[]look{{0, drains}, {3 * time.Hour, drains}, {4 * time.Hour, drains}}, false, 4 * time.Hour, false},
		"it drained for hours":            {[]look{{0, drains}, {3 * time.Hour, drains}, {4 * time.Hour, handed}}, false, 4*time.Hour + members.Late, true},
		"its marker is gone just now":     {[]look{{0, drains}, {6 * time.Second, handed}}, false, 30 * time.Second, false},
		"its marker is gone for a minute": {[]look{{0, drains}, {6 * time.Second, handed}}, false, 6*time.Second + members.Late, true},
		"no markers, just now":            {[]look{{0, handed}}, false, 30 * time.Second, false},
		"no markers, a minute later":      {[]look{{0, handed}}, false, members.Late, true},
		"it came back":                    {[]look{{0, handed}}, true, time.Hour, false},
	} {
		var l members.Log
		l.See("mail", members.Seen{Live: []string{a, b, c}, Agents: []string{a, b, c}}, noon)
		l.See("mail", members.Seen{Live: []string{a, b}, Stopped: []string{c}}, noon)
		for _, look := range tt.looks {
			if !l.Follows("mail") {
				t.Errorf("%s: nothing is looked at after %v", name, look.at)
			}
			l.Look(job([]string{a, b}, look.change), noon.Add(look.at))
		}
		if tt.back {
			l.See("mail", members.Seen{Live: []string{a, b, c}}, noon.Add(time.Second))
		}
		l.Look(job([]string{a, b}, tt.looks[len(tt.looks)-1].change), noon.Add(tt.asked))
		absent := l.Absent(noon.Add(tt.asked))
		if got := absent.Ended(began(-time.Minute)); got != tt.ended || absent.Ended(began(5*time.Hour)) {
			t.Errorf("%s: ended %t, want %t", name, got, tt.ended)
		}
		if l.Follows("mail") == tt.ended && !tt.back {
			t.Errorf("%s: followed %t", name, l.Follows("mail"))
		}
	}
}

// TestW29ASuccessorBeforeTheLoss: a process that was killed and started again at once joins before
// its old session ends. Each new process replaces one lost process.
func TestW29ASuccessorBeforeTheLoss(t *testing.T) {
	t.Parallel()
	second, again, more := "10.0.0.3@-@10", "10.0.0.3@-@77", "10.0.0.3@-@78"
	for name, tt := range map[string]struct {
		steps [][]string // each some seconds later
		lost  []string
	}{
		"killed and restarted":               {[][]string{{a, c}, {a, c, again}, {a, again}}, nil},
		"and again":                          {[][]string{{a, c}, {a, c, again}, {a, again}, {a, again, more}, {a, more}}, nil},
		"both killed, one restarted":         {[][]string{{c, second}, {c, second, again}, {again}}, []string{c}},
		"both killed, both restarted":        {[][]string{{c, second}, {c, second, again, more}, {again, more}}, nil},
		"lost one by one, one restarted":     {[][]string{{c, second}, {c, second, again}, {second, again}, {again}}, []string{second}},
		"restarted on another server":        {[][]string{{a, c}, {a, c, b}, {a, b}}, []string{c}},
		"another process joined long before": {[][]string{{a, c}, {a, c, again}, {a, c, again}, nil, {a, again}}, []string{c}},
		"the successor is lost":              {[][]string{{a, c}, {a, c, again}, {a, c}}, []string{again}},
	} {
		var l members.Log
		now := noon
		for _, live := range tt.steps {
			if now = now.Add(8 * time.Second); live == nil {
				now = now.Add(time.Hour)
				continue
			}
			l.See("mail", members.Seen{Live: live, Agents: live}, now)
		}
		var lost []string
		for _, loss := range l.Losses("mail") {
			lost = append(lost, loss.Instance)
		}
		if slices.Sort(lost); !slices.Equal(lost, slices.Sorted(slices.Values(tt.lost))) {
			t.Errorf("%s: lost %q, want %q", name, lost, tt.lost)
		}
	}
}

// Every process of a crash loop replaces the one before it, however long its life and its session are.
func TestW29CrashLoop(t *testing.T) {
	t.Parallel()
	id := func(n int) string { return fmt.Sprintf("10.0.0.3@-@%d", 100+n) }
	for seconds := 1; seconds < 40; seconds++ {
		var l members.Log
		now := noon
		see := func(live ...string) {
			l.See("mail", members.Seen{Live: live, Agents: live}, now)
			now = now.Add(time.Duration(seconds) * time.Second)
		}
		see(id(0))
		for n := range 30 {
			see(id(n), id(n+1))
			if see(id(n + 1)); len(l.Losses("mail")) > 0 {
				t.Fatalf("every %d s: %v", 2*seconds, l.Losses("mail"))
			}
		}
		if see(); len(l.Losses("mail")) != 1 {
			t.Errorf("the last one: %v", l.Losses("mail"))
		}
	}
}

// TestW24LossesAreBounded: the newest losses are kept, and a removed job has none.
func TestW24LossesAreBounded(t *testing.T) {
	t.Parallel()
	var l members.Log
	for n := range members.MaxLosses + 5 {
		name := fmt.Sprint("job", n)
		l.See(name, members.Seen{Live: []string{a}, Agents: []string{a}}, noon)
		l.See(name, members.Seen{}, noon)
	}
	if got := l.Losses(""); len(got) != members.MaxLosses || len(l.Losses("job4")) > 0 || len(l.Losses("job5")) != 1 {
		t.Errorf("%d losses", len(got))
	}
	l.Keep([]string{"job9"})
	if got := l.Losses(""); len(got) != 1 || got[0].Job != "job9" {
		t.Errorf("of removed jobs: %v", got)
	}
}

// TestW29CrashesInARow: each loss of the last minutes counts, also if the instance came back.
func TestW29CrashesInARow(t *testing.T) {
	t.Parallel()
	var l members.Log
	for minute, live := range [][]string{{a}, nil, {a}, nil, {a}} {
		l.See("mail", members.Seen{Live: live, Agents: live}, noon.Add(time.Duration(minute)*time.Minute))
	}
	for asked, want := range map[time.Duration]members.Crash{5 * time.Minute: {N: 2, Since: noon.Add(time.Minute)}, 12 * time.Minute: {N: 1, Since: noon.Add(3 * time.Minute)}, time.Hour: {}} {
		if got := l.Crashes(noon.Add(asked))["mail"]; got != want {
			t.Errorf("after %v: %+v, want %+v", asked, got, want)
		}
	}
}

// TestGaps: an outage is a gap, and doesn't hide the events before it. Gaps that are older than the
// events go with them, and not too many are kept.
func TestGaps(t *testing.T) {
	t.Parallel()
	var l members.Log
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	l.Blind(at(0), true) // Nothing was seen before.
	l.Restart(at(1))
	if len(l.Gaps()) > 0 {
		t.Errorf("gaps %v before anything was seen", l.Gaps())
	}
	l.See("mail", members.Seen{Live: []string{a}}, at(1))
	l.Blind(at(10), true)
	l.Blind(at(12), true) // It goes on.
	if want := []members.Gap{{From: at(10), Unreachable: true}}; !slices.Equal(l.Gaps(), want) {
		t.Errorf("gaps %v, want %v", l.Gaps(), want)
	}
	l.See("mail", members.Seen{}, at(20))
	l.Restart(at(20))
	l.Restart(at(30))
	if want := []members.Gap{{From: at(10), Until: at(20), Unreachable: true}}; !slices.Equal(l.Gaps(), want) || !l.Known().Equal(at(1)) || len(l.Of("mail", 9)) != 1 {
		t.Errorf("gaps %v, want %v; known since %s", l.Gaps(), want, l.Known())
	}
	for i := range members.MaxGaps {
		l.Blind(at(100+2*i), false)
		l.Restart(at(101 + 2*i))
	}
	if gaps := l.Gaps(); len(gaps) != members.MaxGaps || !l.Known().Equal(at(20)) {
		t.Errorf("%d gaps, known since %s", len(gaps), l.Known())
	}
	for i := range 2 * members.MaxEvents {
		l.See("mail", members.Seen{Live: [][]string{{a}, {b}}[i%2]}, at(1000+i))
	}
	if gaps := l.Gaps(); len(gaps) > 0 || l.Known().Before(at(1000)) {
		t.Errorf("gaps %v, known since %s", gaps, l.Known())
	}
}

// TestUnserved: the last time without an instance is known as far as it was seen.
func TestUnserved(t *testing.T) {
	t.Parallel()
	var l members.Log
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	see := func(s int, live ...string) { l.See("mail", members.Seen{Live: live}, at(s)) }
	want := func(from, until time.Time) {
		t.Helper()
		if diff := cmp.Diff(map[string]members.Unserved{"mail": {From: from, Until: until}}, l.Unserved()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	see(0, a, b)
	see(1, b)
	if len(l.Unserved()) > 0 {
		t.Errorf("an instance served it: %v", l.Unserved())
	}
	see(2)
	want(at(2), time.Time{})
	see(3, a)
	see(4, a, b)
	want(at(2), at(3))
	see(5)
	l.Blind(at(6), true)
	l.Restart(at(9))
	want(at(5), at(6))
	see(10, a)
	want(at(5), at(6))
	l.Keep(nil)
	if len(l.Unserved()) > 0 {
		t.Errorf("the job doesn't exist: %v", l.Unserved())
	}
	see(11)
	want(at(11), time.Time{})
}
