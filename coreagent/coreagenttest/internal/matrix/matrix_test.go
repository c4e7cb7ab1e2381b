//go:build !race

package matrix_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// loss is the way in which an agent leaves the fleet.
type loss struct {
	name  string
	leave func(f *fleet, name string)
}

var losses = []loss{
	{"killed", func(f *fleet, name string) { f.kill(name) }},
	{"cut off", func(f *fleet, name string) { f.cut(name, 0) }},
	{"cut off for 5 minutes", func(f *fleet, name string) { f.cut(name, 5*time.Minute) }},
}

// TestW73Matrix: fleets of two to four agents lose one or more (but not all) of them at the same
// moment, and every shard should complete every fire time once. One fleet serves the jobs of all
// sizes and bodies. The jobs don't affect each other, and sharing a fleet saves time because most
// of it goes into the agents' pings.
func TestW73Matrix(t *testing.T) {
	t.Parallel()
	moments := []int{1, 10, 30, 55, 62}
	for agents := 2; agents <= 4; agents++ {
		for lost := 1; lost < agents; lost++ {
			for _, l := range losses {
				for _, moment := range moments {
					name := fmt.Sprintf("%d of %d agents %s after %d s", lost, agents, l.name, moment)
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						loseInBubble(t, agents, lost, l, time.Duration(moment)*time.Second)
					})
				}
			}
		}
	}
}

// loseInBubble runs the jobs of all sizes and bodies through one loss.
func loseInBubble(t *testing.T, agents, lost int, l loss, after time.Duration) {
	before, fire, next := clock(1, 0, 0), clock(2, 0, 0), clock(3, 0, 0)
	var works []work
	for each := 2; each <= 3; each++ {
		for _, seconds := range []int{5, 20, 70} {
			job := failingOver(fmt.Sprintf("%d shards each, %d s", each, seconds), each*agents)
			works = append(works, work{job, lasting(time.Duration(seconds) * time.Second)})
		}
	}
	var h history
	synctest.Test(t, func(t *testing.T) {
		until(before.Add(-time.Minute))
		f := newFleet(t, 4*time.Second, works...)
		for i := range agents {
			f.start(fmt.Sprint(i), fmt.Sprintf("10.0.0.%d", i+1), fmt.Sprint(i+1))
		}
		until(fire.Add(after))
		for i := range lost {
			l.leave(f, fmt.Sprint(i))
		}
		until(next.Add(8 * time.Minute))
		h = f.stopAll()
	})
	for _, w := range works {
		t.Run(w.job.Name, func(t *testing.T) {
			h.judge(t, w.job.Name, w.job.Shards, onceAt(before, fire, next))
		})
	}
}
