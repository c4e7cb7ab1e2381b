package main

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestSelectGroups: groups and parts are measured once each, and a group that is named itself
// is measured as a whole. Errors list the valid names.
func TestSelectGroups(t *testing.T) {
	t.Parallel()
	for only, want := range map[string]struct {
		groups []string
		parts  map[string][]string
		err    string
	}{
		"fire":                            {groups: []string{"fire"}},
		"runs/rate,late,runs/lost":        {groups: []string{"runs", "late"}, parts: map[string][]string{"runs": {"rate", "lost"}}},
		"runs/rate,runs,query/requested":  {groups: []string{"runs", "query"}, parts: map[string][]string{"query": {"requested"}}},
		"cloud/fire,cloud/crash":          {groups: []string{"cloud"}, parts: map[string][]string{"cloud": {"fire", "crash"}}},
		"scale/bell":                      {groups: []string{"scale"}, parts: map[string][]string{"scale": {"bell"}}},
		"runs/nope":                       {err: `group runs has no part "nope"; its parts: submit, `},
		"fire/n1":                         {err: `group fire has no part "n1"; its parts: none`},
		"nope/rate":                       {err: `unknown group "nope"; the groups are fire, `},
		"record/lines,record/executions,": {err: `unknown group ""`},
	} {
		list, parts, err := selectGroups(only)
		if want.err != "" {
			if err == nil || !strings.Contains(err.Error(), want.err) {
				t.Errorf("%q: error %v, want %q", only, err, want.err)
			}
			continue
		}
		var names []string
		for _, g := range list {
			names = append(names, g.name)
		}
		if err != nil || !slices.Equal(names, want.groups) || !maps.EqualFunc(parts, want.parts, slices.Equal) {
			t.Errorf("%q: %v, %v, %v", only, names, parts, err)
		}
	}
	if list, _, err := selectGroups(""); len(list) != len(groups)-1 || slices.ContainsFunc(list, func(g group) bool { return g.apart }) || err != nil {
		t.Errorf("without a choice: %d groups, %v", len(list), err)
	}
}

// TestMeasureParts: only the named parts are measured, and an error names its part.
func TestMeasureParts(t *testing.T) {
	t.Parallel()
	var measured []string
	parts := []part[string]{
		{"one", func(s string) { measured = append(measured, s+" one") }},
		{"two", func(s string) { measured = append(measured, s+" two") }},
		{"broken", func(string) { fail("no server") }},
	}
	measureParts(&bench{parts: []string{"two"}}, "a", parts)
	err := attempt(func() { measureParts(&bench{}, "b", parts) })
	if !slices.Equal(measured, []string{"a two", "b one", "b two"}) || err == nil || err.Error() != "broken: no server" {
		t.Errorf("%q, %v", measured, err)
	}
}

// TestFigures: the limit is for the median, or the worst round. A figure that could not be
// measured misses it, and a figure without a limit never does.
func TestFigures(t *testing.T) {
	t.Parallel()
	b := new(bench)
	b.atMost("median", "ms", 2, "", 1, 2, 9).noted = 20
	b.worst("worst", "ms", 2, "", 1, 2, 9)
	b.atMost("nothing", "ms", 2, "")
	b.note("noted", "ms", "", 1e9)
	b.atMost("java", "ms", 40, "how", 20)
	b.compare([]*figure{{name: "java", values: []float64{2000, 2200, never}}})
	for i, want := range []struct {
		met bool
		row string
	}{
		{true, " | 1 / 2 / 9 ms | 2 | ok | 20 (noted) | 10 x | "},
		{false, " | 1 / 2 / 9 ms | max 2 | **missed** | "},
		{false, " |  ms | 2 | **missed** | "},
		{true, " | 1000000000 ms |  |  |  |  | "},
		{true, " | 20 ms | 40 | ok | 2000 / 2200 / not within 1m0s | 110 x | how |"},
	} {
		if f := b.figures[i]; f.met() != want.met || !strings.Contains(f.row(), want.row) {
			t.Errorf("%s: %v, %s", f.name, f.met(), f.row())
		}
	}
}

// TestTogether: every error is reported, and panics of other kinds aren't swallowed.
func TestTogether(t *testing.T) {
	t.Parallel()
	done := make([]bool, 100)
	err := attempt(func() {
		together(7, len(done), func(i int) {
			done[i] = true
			if i%50 == 3 {
				fail("%d is bad", i)
			}
		})
	})
	if err == nil || err.Error() != "3 is bad\n53 is bad" || slices.Contains(done, false) {
		t.Errorf("%v, %v", err, done)
	}
}

// TestProxyCounts: a request with the text counts for any operation; pings don't count.
func TestProxyCounts(t *testing.T) {
	t.Parallel()
	const read, write = 3, 14
	p := &proxy{text: "/extension/runs/bell"}
	p.count(wire.OpSetWatches, []byte("\x00/billing/a/extension/runs/bell\x00/billing/a/trigger"))
	p.count(wire.OpSetWatches, []byte("/billing/a/trigger"))
	p.count(read, []byte("/billing/a/extension/runs/bell"))
	p.count(write, nil)
	p.count(wire.OpPing, nil)
	if p.reads.Load() != 1 || p.writes.Load() != 1 || p.frames.Load() != 4 || p.matches.Load() != 2 {
		t.Errorf("%d reads, %d writes, %d frames, %d matches", p.reads.Load(), p.writes.Load(), p.frames.Load(), p.matches.Load())
	}
}

// TestReports: reports of shards, reports of requested runs and answers differ, and the
// reports of a shard are combined.
func TestReports(t *testing.T) {
	t.Parallel()
	p := new(process)
	for _, line := range []string{"READY 500000", "S 1000000 0 3", "S 1500000 0 2", "C 2000000 0 3", "E 3000000 0 3", "R 4000000 a", "STATS 1 2"} {
		p.accept(line)
	}
	list := p.executions()
	if len(list) != 2 || list[0] != (execution{3, time.UnixMicro(1e6), time.UnixMicro(3e6), time.UnixMicro(2e6)}) || list[1].item != 2 || !list[1].cancel.IsZero() {
		t.Errorf("%+v", list)
	}
	if r := p.since(time.UnixMicro(4e6), 'R'); len(r) != 1 || r[0].id != "a" || !p.ready.Equal(time.UnixMicro(5e5)) || p.answer != "STATS 1 2" {
		t.Errorf("%+v, %v, %q", r, p.ready, p.answer)
	}
}

// TestLateness: delays count from the fire time, in the round of the fire.
func TestLateness(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC).Add(-latePeriod / 20)
	p := &process{reports: []report{
		{what: 'S', at: begin.Add(-time.Second)}, {what: 'S', at: begin.Add(latePeriod/20 + 3*time.Second + 7*time.Millisecond)},
		{what: 'S', at: begin.Add(lateFires*latePeriod + latePeriod/20 + 3*time.Second)}, {what: 'E', at: begin.Add(time.Minute)},
	}}
	if got := lateness(p, begin, 3, 2); len(got) != 2 || !slices.Equal(got[0], []float64{7}) || !slices.Equal(got[1], []float64{0}) {
		t.Error(got)
	}
}

// TestAssignmentTooLate: shards that are never assigned end the measurement with the error that
// marks Java's figure as not measured in time.
func TestAssignmentTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := zkfake.New(zkfake.Options{})
		defer srv.Close()
		client, err := zk.Connect(t.Context(), zk.Config{Servers: []string{"zookeeper:2181"}, Dial: srv.Dial})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		job := newSharded(&scene{bench: &bench{Context: t.Context()}, client: client}, "reshard", 1000)
		err = attempt(func() { job.awaitComplete(3) })
		if !errors.Is(err, errTooLate) || !strings.Contains(err.Error(), "1000 shards to 3 instances: not in time, within 1m0s") {
			t.Errorf("error %v", err)
		}
	})
}

// TestFlow: a wait counts from the time at which the run should be requested, until its last
// report. Missing runs and second starts are counted.
func TestFlow(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }
	f := &flow{began: noon, moments: map[string]time.Time{"a": noon, "b": at(10), "c": at(20), "early": at(30)}}
	f.evaluate(map[string][]time.Time{"a": {at(4)}, "b": {at(90), at(15)}, "early": {at(28)}, "warm": {noon.Add(time.Hour)}})
	slices.Sort(f.waits)
	if !slices.Equal(f.waits, []float64{-2, 4, 80, never}) || f.last != 90*time.Millisecond || f.missing != 1 || f.twice != 1 {
		t.Errorf("%+v", f)
	}
	if got := after(map[string]time.Time{"a": noon}, map[string][]time.Time{"a": {at(1)}}, 2); !math.IsInf(got[0], 1) {
		t.Errorf("a run with one of two shards: %v", got)
	}
}

// TestCountFires: only fire times between the two moments are counted.
func TestCountFires(t *testing.T) {
	t.Parallel()
	from := time.Unix(1_700_000_000, 0)
	for name, c := range map[string]struct {
		periods          []int
		missing, doubled float64
	}{
		"each once":              {[]int{0, 1, 2, 3}, 0, 0},
		"one more before, after": {[]int{-1, 0, 1, 2, 3, 4}, 0, 0},
		"none":                   {nil, 4, 0},
		"one twice, one never":   {[]int{0, 1, 1, 3}, 1, 1},
	} {
		var list []kubetest.Seen
		for _, n := range c.periods {
			list = append(list, kubetest.Seen{Fire: from.Add(time.Duration(n) * cloudPeriod)})
		}
		if missing, doubled := countFires(list, from, from.Add(3*cloudPeriod)); missing != c.missing || doubled != c.doubled {
			t.Errorf("%s: %v missing, %v doubled", name, missing, doubled)
		}
	}
}
