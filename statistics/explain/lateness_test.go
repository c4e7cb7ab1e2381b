package explain_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

// TestW90TheRegistryIsReadAgain: a job without a recorder is judged by the fire times in
// the registry, which are read again after each fire time. If it stops, it's late.
func TestW90TheRegistryIsReadAgain(t *testing.T) {
	t.Parallel()
	j := &statistics.Job{
		Name: "j", Status: statistics.StatusOK, Cron: "0 * * * * ?", TimeZone: "GMT+0", Shards: 1, Instances: 1,
		Recorded: true, ReadySince: noon.Add(-time.Hour), Changed: noon.Add(-time.Hour),
	}
	d := (&explain.Digest{}).Planned(j)
	if !d.WantsFired(j, noon.Add(30*time.Second)) {
		t.Fatal("the registry isn't asked although no run is on record")
	}
	read := func(at, through time.Time) {
		d = d.With(&statistics.Fired{At: at, Shards: map[int]statistics.FiredShard{0: {Completed: through, Through: through}}}).Planned(j)
	}
	for minute := range 5 {
		at := noon.Add(time.Duration(minute) * time.Minute)
		read(at.Add(30*time.Second), at)
		if state := explain.StateOf(explain.Evidence{Job: j, Runs: d, Known: true, Now: at.Add(40 * time.Second)}); state != explain.Unknown || d.WantsFired(j, at.Add(40*time.Second)) {
			t.Errorf("%s after the fire time %s, read again: %v", state, at, d.WantsFired(j, at.Add(40*time.Second)))
		}
		if !d.WantsFired(j, at.Add(80*time.Second)) {
			t.Errorf("not read again after the fire time that follows %s", at)
		}
	}
	last := noon.Add(4 * time.Minute)
	read(last.Add(80*time.Second), last)
	got := explain.Judge(explain.Evidence{Job: j, Runs: d, Known: true, Now: last.Add(81 * time.Second)})
	if got.State != explain.Late || !got.Due.Equal(last.Add(time.Minute)) {
		t.Errorf("%s, due %v, of a job that has stopped after %v", got.State, got.Due, last)
	}
}
