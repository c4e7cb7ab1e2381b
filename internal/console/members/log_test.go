package members_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/members"
	"github.com/elasticjob-go/elasticjob/statistics"
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
	if l.See("mail", []string{a, b, c}, noon) || len(listed(&l)) > 0 || !l.Known().Equal(noon) {
		t.Error("what was there first is no event")
	}
	if !l.See("mail", []string{a, b}, noon.Add(time.Second)) || !l.Follows("mail") {
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
	l.See("mail", []string{b, a, c}, noon.Add(5*time.Second))
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
func TestLogOfTheSame(t *testing.T) {
	t.Parallel()
	var l members.Log
	l.See("mail", []string{a, b, c}, noon)
	l.See("mail", []string{a, b}, noon)
	l.Look(job([]string{a, b}, nil), noon)
	l.Look(job([]string{a, b}, func(d *statistics.JobDetail) { d.Shards[2].Instance, d.Shards[2].RunningOn = a, a }), noon)
	if got := listed(&l); len(got) != 2 || got[1] != "0s 10.0.0.1 assigned [2] [] "+c {
		t.Errorf("%q", got)
	}
	l.See("mail", []string{a}, noon)
	l.Look(job([]string{a}, nil), noon)
	l.See("mail", []string{a, b}, noon)
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
		l.See(name, []string{a}, noon)
		l.See(name, nil, noon.Add(time.Duration(n)))
		l.See(name, []string{b}, noon.Add(time.Duration(n)))
	}
	if got := len(l.Since(noon, 10*members.MaxEvents)); got < members.MaxEvents || got > members.MaxEvents*5/4 || len(l.Open()) != members.MaxOpen {
		t.Errorf("%d events, %d jobs are followed", got, len(l.Open()))
	}
	if !l.Known().After(noon) {
		t.Error("says that it knows all there were")
	}
	l.Keep([]string{"job1"})
	if got := l.Open(); !slices.Equal(got, []string{"job1"}) {
		t.Errorf("follows %q", got)
	}
	d := job(nil, func(d *statistics.JobDetail) { d.Name = "job1" })
	l.Look(d, noon)
	if l.Look(d, noon.Add(2*members.Follow)); len(l.Open()) > 0 {
		t.Error("follows for ever")
	}
}
