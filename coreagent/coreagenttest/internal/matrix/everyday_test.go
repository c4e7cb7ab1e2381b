//go:build !race

package matrix_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// operation is an everyday operation on a fleet, such as a release, a change of size, or a restart
// of ZooKeeper.
type operation struct {
	name string
	do   func(f *fleet)
}

var operations = []operation{
	{"rolling release, same ids, long drain", func(f *fleet) { f.roll(2*time.Minute, "10.0.0.1", "1", "10.0.0.2", "1") }},
	{"rolling release, new ids, long drain", func(f *fleet) { f.roll(2*time.Minute, "10.0.1.1", "7", "10.0.1.2", "8") }},
	{"rolling release, new ids, short drain", func(f *fleet) { f.roll(time.Second, "10.0.1.1", "7", "10.0.1.2", "8") }},
	{"new agents before old ones leave", func(f *fleet) {
		f.startSecondGeneration()
		time.Sleep(time.Second)
		go f.stop("a", 2*time.Minute)
		f.stop("b", 2*time.Minute)
	}},
	{"all stop, all start 5 minutes later", func(f *fleet) {
		f.stop("a", time.Second)
		f.stop("b", time.Second)
		time.Sleep(5 * time.Minute)
		f.startSecondGeneration()
	}},
	{"scale out", func(f *fleet) { f.start("c", "10.0.0.3", "1") }},
	{"scale in", func(f *fleet) { f.stop("b", 2*time.Minute) }},
	{"ZooKeeper away for 3 s", func(f *fleet) { f.outage(3 * time.Second) }},
	{"ZooKeeper away for 30 s", func(f *fleet) { f.outage(30 * time.Second) }},
	{"ZooKeeper away for 10 minutes", func(f *fleet) { f.outage(10 * time.Minute) }},
	{"connections drop", func(f *fleet) { f.server.DropConnections() }},
	{"all sessions expire", func(f *fleet) { f.server.ExpireSessions() }},
	{"one session expires", func(f *fleet) { f.server.ExpireSession(f.server.Sessions()[0]) }},
	{"all sessions expire twice", func(f *fleet) {
		f.server.ExpireSessions()
		time.Sleep(700 * time.Millisecond)
		f.server.ExpireSessions()
	}},
}

// roll replaces the two agents one after the other.
func (f *fleet) roll(drain time.Duration, ip1, suffix1, ip2, suffix2 string) {
	f.stop("a", drain)
	f.start("a2", ip1, suffix1)
	time.Sleep(3 * time.Second)
	f.stop("b", drain)
	f.start("b2", ip2, suffix2)
}

func (f *fleet) startSecondGeneration() {
	f.start("a2", "10.0.1.1", "7")
	f.start("b2", "10.0.1.2", "8")
}

func (f *fleet) outage(d time.Duration) {
	f.server.Stop()
	time.Sleep(d)
	if err := f.server.Start(); err != nil {
		f.t.Error(err)
	}
}

// TestW80EverydayOperations: every everyday operation, at eight moments around a fire time, should
// leave each fire time completed once per shard. A fleet serves the job with failover and the one
// without. It starts a minute before the last fire time that precedes the operation, and we watch
// it until the next fire time is over. It isn't watched longer because each agent's pings cost
// time, even in a bubble.
func TestW80EverydayOperations(t *testing.T) {
	t.Parallel()
	moments := []time.Duration{-12 * time.Second, -2 * time.Second, -150 * time.Millisecond, -10 * time.Millisecond,
		0, 100 * time.Millisecond, 2 * time.Second, 30 * time.Second}
	for _, o := range operations {
		for _, body := range []time.Duration{5 * time.Second, 80 * time.Second} {
			for _, moment := range moments {
				t.Run(fmt.Sprintf("%s, bodies of %v, at %v", o.name, body, moment), func(t *testing.T) {
					t.Parallel()
					operateInBubble(t, o, body, moment)
				})
			}
		}
	}
}

func operateInBubble(t *testing.T, o operation, body, moment time.Duration) {
	before, fire, next := clock(1, 0, 0), clock(2, 0, 0), clock(3, 0, 0)
	with, without := failingOver("failover", 4), failingOver("no failover", 4)
	without.Failover = false
	var h history
	synctest.Test(t, func(t *testing.T) {
		until(before.Add(-time.Minute))
		f := newFleet(t, 10*time.Second, work{with, lasting(body)}, work{without, lasting(body)})
		f.start("a", "10.0.0.1", "1")
		f.start("b", "10.0.0.2", "1")
		until(fire.Add(moment))
		o.do(f)
		until(next.Add(5 * time.Minute))
		h = f.stopAll()
	})
	for _, w := range []string{with.Name, without.Name} {
		t.Run(w, func(t *testing.T) { h.judge(t, w, 4, onceAt(before, fire, next)) })
	}
}
