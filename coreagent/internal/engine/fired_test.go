package engine

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// TestInheritOnlyFireTimes: a record that was written when an item came under
// observation, between two fire times, does not say that the one before it was
// completed.
func TestInheritOnlyFireTimes(t *testing.T) {
	schedule, err := quartz.Parse("0/10 * * * * ?")
	if err != nil {
		t.Fatal(err)
	}
	fire := time.Date(2026, 1, 1, 0, 0, 10, 0, time.UTC)
	c := control{schedule: schedule, zone: time.UTC}
	c.inherit([]int{0, 1, 2}, []fired{{at: fire}, {at: fire.Add(3 * time.Second)}, {}})
	for n, want := range []time.Time{fire, {}, {}} {
		if got := c.inherited[n]; !got.Equal(want) {
			t.Errorf("item %d: completed %v, want %v", n, got, want)
		}
	}
	if late := (item{fired: c.inherited[1]}); late.hasFired(fire, fire.Add(5*time.Second)) {
		t.Error("a fire time counts as completed although nobody ran it")
	}
}
