//go:build !race

package scenario_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestW77OnceMeetsAgain: one of three instances is cut off over a fire time and runs it late, when
// the others are already waiting for the next one. Soon all three should meet again.
func TestW77OnceMeetsAgain(t *testing.T) {
	t.Parallel()
	const lead, body = 5 * time.Second, time.Second
	for _, period := range []time.Duration{time.Minute, 5 * time.Minute} {
		for _, deadline := range []time.Duration{0, period * 4 / 5, period * 3 / 5, period / 3} {
			for _, seconds := range []int{15, 30, 50, 63, 80, 110} {
				off := time.Duration(seconds) * time.Second
				t.Run(fmt.Sprintf("period %v, deadline %v, cut off for %v", period, deadline, off), func(t *testing.T) {
					bubble(t, func(b *fixture, _ *zkfake.Server) {
						b.session = 75 * time.Second
						p := &phases{deadline: deadline}
						job := onceJob("job", true)
						job.Schedule.Cron, job.Schedule.Zone, job.Shards = fmt.Sprintf("0 0/%d * * * ?", int(period.Minutes())), "GMT", 4
						var fleet []*member
						for n := range 3 {
							m := b.agent(n+1, p.listens)
							fleet = append(fleet, m.serve(job, m.work(body)).start())
						}
						at := sleepUntilNext(5 * time.Minute)
						time.Sleep(time.Until(at.Add(2*period - lead)))
						fleet[1].cut()
						time.Sleep(off)
						fleet[1].reconnect()
						time.Sleep(15 * time.Minute)
						from := sleepUntilNext(5 * time.Minute)
						const watched = 30 * time.Minute
						time.Sleep(watched - lead)
						want := int(watched / period)
						if started, completed := p.since(from); started != want || completed != want {
							t.Errorf("the listener was notified of %d starts and %d ends of %d fire times", started, completed, want)
						}
						if again := p.repeated(); len(again) > 0 {
							t.Errorf("notified more than once: %q", again)
						}
					})
				})
			}
		}
	}
}
