package judge

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

func at(seconds float64) time.Time {
	return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds * float64(time.Second)))
}

// run is a run for a fire time that ended normally and was recorded.
func run(process string, source tracing.Source, fire, begin, end float64) shardRun {
	return shardRun{Process: process, Source: source, At: at(fire), Fires: true, Begin: at(begin), End: at(end), Done: true, Settled: at(end)}
}

func normal(process string, fire, begin, end float64) shardRun {
	return run(process, tracing.SourceNormal, fire, begin, end)
}

func misfire(process string, fire, begin, end float64) shardRun {
	return run(process, tracing.SourceMisfire, fire, begin, end)
}

// failover names the time of the takeover, as older versions did.
func failover(process string, begin, end float64) shardRun {
	return triggered(run(process, tracing.SourceFailover, begin, begin, end))
}

// named is a failover that names a fire time.
func named(process string, fire, begin, end float64) shardRun {
	return run(process, tracing.SourceFailover, fire, begin, end)
}

// died is a run that ended with its process.
func died(r shardRun) shardRun {
	r.Done, r.Settled, r.End, r.Interrupted = false, time.Time{}, time.Time{}, true
	return r
}

// unrecorded is a run that ended while its process was cut off, until back; 0 means forever.
func unrecorded(r shardRun, back float64) shardRun {
	if r.Settled, r.Interrupted = at(back), true; back == 0 {
		r.Settled = time.Time{}
	}
	return r
}

func triggered(r shardRun) shardRun {
	r.Fires = false
	return r
}

// The last of the runs is one too many, or not.
func TestW73CountsOverAllSources(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		runs  []shardRun
		again bool
	}{
		"each fire time once":                           {[]shardRun{normal("a", 10, 10, 11), normal("a", 20, 20, 21)}, false},
		"the same one twice":                            {[]shardRun{normal("a", 10, 10, 11), normal("b", 10, 12, 13)}, true},
		"an earlier one after a later one":              {[]shardRun{normal("a", 20, 20, 21), misfire("a", 10, 22, 23)}, true},
		"a later one after an earlier one":              {[]shardRun{misfire("a", 10, 19, 21), normal("a", 20, 21, 22)}, false},
		"an interrupted one is failed over":             {[]shardRun{died(normal("a", 10, 10, 0)), failover("b", 15, 16)}, false},
		"an interrupted one is made up for":             {[]shardRun{died(normal("a", 10, 10, 0)), misfire("b", 10, 15, 16)}, false},
		"made up for, and failed over":                  {[]shardRun{died(normal("a", 10, 10, 0)), misfire("b", 10, 15, 16), failover("b", 17, 18)}, true},
		"failed over, and made up for":                  {[]shardRun{died(normal("a", 10, 10, 0)), failover("b", 15, 16), misfire("c", 10, 17, 18)}, true},
		"a failover settles nothing that came since":    {[]shardRun{died(normal("a", 10, 10, 0)), failover("b", 25, 26), misfire("c", 20, 27, 28)}, false},
		"a later fire time that was marked and not run": {[]shardRun{died(normal("a", 10, 10, 0)), named("b", 20, 25, 26), misfire("c", 20, 27, 28)}, true},
		"a failover that died is failed over":           {[]shardRun{died(normal("a", 10, 10, 0)), died(failover("b", 15, 0)), failover("c", 20, 21)}, false},
		"and once more":                                 {[]shardRun{died(normal("a", 10, 10, 0)), died(failover("b", 15, 0)), failover("c", 20, 21), failover("a", 22, 23)}, true},
		"others could not know, as its process died":    {[]shardRun{unrecorded(normal("a", 10, 10, 11), 0), failover("b", 15, 16)}, false},
		"begun elsewhere before the process was back":   {[]shardRun{unrecorded(normal("a", 10, 10, 11), 20), failover("b", 15, 30)}, false},
		"begun elsewhere after the process was back":    {[]shardRun{unrecorded(normal("a", 10, 10, 11), 20), failover("b", 21, 30)}, true},
		"the process that finished it runs it again":    {[]shardRun{unrecorded(normal("a", 10, 10, 11), 20), misfire("a", 10, 15, 30)}, true},
		"a trigger that was interrupted":                {[]shardRun{died(triggered(normal("a", 13, 13, 0))), failover("b", 15, 16)}, false},
		"and is failed over again":                      {[]shardRun{died(triggered(normal("a", 13, 13, 0))), failover("b", 15, 16), failover("b", 17, 18)}, true},
		"two instances take the same trigger":           {[]shardRun{triggered(normal("a", 13, 13, 14)), triggered(normal("b", 13, 15, 16))}, false},
		"a trigger settles no fire time":                {[]shardRun{triggered(normal("a", 13, 13, 14)), misfire("a", 10, 15, 16)}, false},
	} {
		fires := firesOf(c.runs)
		_, again := repeatedBy(c.runs, fires, len(c.runs)-1, func(int) bool { return true })
		if again != c.again {
			t.Errorf("%s: again %v, the runs stand for %v", name, again, fires)
		}
	}
}

// When a process could have recorded an end at 10.
func TestReachable(t *testing.T) {
	t.Parallel()
	span := func(from, to float64) Span { return Span{From: at(from), To: at(to)} }
	for name, c := range map[string]struct {
		connected, cuts []Span
		want            float64
	}{
		"always":            {[]Span{{From: at(0)}}, nil, 12},
		"after an outage":   {[]Span{span(0, 9), span(30, 40)}, nil, 32},
		"too short":         {[]Span{span(0, 11), span(30, 31)}, nil, 0},
		"never":             {nil, nil, 0},
		"cut off unnoticed": {[]Span{{From: at(0)}}, []Span{span(9, 20), span(21, 25)}, 27},
		"cut off for good":  {[]Span{{From: at(0)}}, []Span{{From: at(9)}}, 0},
	} {
		got := reachable(at(10), writable(c.connected, c.cuts, at(50)), 2*time.Second)
		if want := at(c.want); c.want == 0 && !got.IsZero() || c.want > 0 && !got.Equal(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
