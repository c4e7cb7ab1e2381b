//go:build interop

package interop

import (
	"context"
	"testing"
	"time"
)

const (
	everyTwoSeconds = "--cron=0/2 * * * * ?"
	period          = 2 * time.Second
)

// goldenConfig is what both kinds write for the job of these tests, byte for
// byte.
const goldenConfig = `cron: 0/2 * * * * ?
description: ''
disabled: false
failover: false
jobName: job
jobParameter: ''
maxTimeDiffSeconds: -1
misfire: true
monitorExecution: true
overwrite: false
reconcileIntervalMinutes: 10
shardingItemParameters: 0=Beijing,1=Shanghai,2=Guangzhou
shardingTotalCount: 5
staticSharding: false
`

// TestK08K20Together has each kind start first and lead, the other join, and the
// leader die: the other becomes leader and shards.
func TestK08K20Together(t *testing.T) {
	withEveryJava(t, func(t *testing.T, version string) {
		for _, c := range []struct {
			name      string
			javaFirst bool
			address   string
		}{
			{"java first, go gets the first shards", true, highAddress},
			{"go first, java gets the first shards", false, lowAddress},
		} {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version, mortal, everyTwoSeconds, "--shards=5", "--item-parameters=0=Beijing,1=Shanghai,2=Guangzhou")
				start := []func() *process{
					func() *process { return f.startJava("java") },
					func() *process { return f.startGo("go", c.address) },
				}
				if !c.javaFirst {
					start[0], start[1] = start[1], start[0]
				}
				first := start[0]()
				f.awaitLeader(first)
				f.awaitAssigned(5, first)
				f.checkRegistration(first)
				second := start[1]()
				f.awaitAssigned(5, first, second)
				f.checkRegistration(second)
				f.awaitLeader(first)
				f.quiet(4, period, 5, first, second)

				first.kill()
				f.awaitDeparture(first)
				f.awaitLeader(second)
				f.awaitAssigned(5, second)
				f.quiet(2, period, 5, second)

				first = start[0]()
				f.awaitAssigned(5, first, second)
				f.awaitLeader(second)
				f.quiet(3, period, 5, first, second)
				second.terminate()
				f.awaitLeader(first)
				f.awaitAssigned(5, first)
				f.quiet(2, period, 5, first)
			})
		}
	})
}

// checkRegistration compares what the agents wrote, byte for byte.
func (f *fleet) checkRegistration(p *process) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), patience)
	defer cancel()
	for path, want := range map[string]string{
		f.job.Root():         javaClass,
		f.job.Config():       goldenConfig,
		f.job.Server(p.ip()): "ENABLED",
		f.job.Instance(p.id): instanceData(p.id, p.ip()),
	} {
		if got := f.get(ctx, path); got != want {
			f.t.Errorf("%s holds\n%q\nwant\n%q", path, got, want)
		}
	}
}
