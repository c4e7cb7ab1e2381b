//go:build !race

package scenario_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

// TestW102OutageLongerThanTheSession: instances are cut off for longer than their session while
// they run, or while they wait for the others to complete. The listener should be called once at
// the end, or the error handler should get an error.
func TestW102OutageLongerThanTheSession(t *testing.T) {
	t.Parallel()
	for _, failover := range []bool{false, true} {
		for _, cut := range [][]int{{0}, {1}, {0, 1}} {
			for _, body := range []time.Duration{time.Second, 12 * time.Second, 40 * time.Second} {
				for _, deaf := range []bool{false, true} { // The handler ignores its context.
					for _, away := range []time.Duration{time.Minute, 35 * time.Minute} {
						name := fmt.Sprintf("failover %v, cut %v for %v, body %v, deaf %v", failover, cut, away, body, deaf)
						t.Run(name, func(t *testing.T) {
							bubble(t, func(b *fixture, _ *zkfake.Server) {
								b.session = 30 * time.Second
								p := &phases{deadline: 5 * time.Minute}
								job := onceJob("job", failover)
								job.Schedule.Cron, job.Schedule.Zone = "0 0/30 * * * ?", "GMT"
								var fleet []*member
								for n := range 2 {
									m := b.agent(n+1, p.listens)
									work := m.work(body + time.Duration(n)*10*time.Second)
									fleet = append(fleet, m.serve(job, func(ctx context.Context, s *coreagent.Shard) error {
										if deaf {
											ctx = context.WithoutCancel(ctx)
										}
										return work(ctx, s)
									}).start())
								}
								at := sleepUntilNext(30 * time.Minute)
								time.Sleep(5 * time.Second)
								for _, n := range cut {
									fleet[n].cut()
								}
								time.Sleep(away)
								for _, n := range cut {
									fleet[n].reconnect()
								}
								next := at.Add(time.Hour)
								time.Sleep(time.Until(next.Add(-time.Second)))
								completed := p.ends(at)
								if reported := b.log.count("listener once: completed:"); completed == 0 && reported == 0 {
									runs := b.runs.between("job", at, next)
									t.Errorf("neither the listener nor the error handler was notified: %s", story(runs))
								}
								if again := p.repeated(); len(again) > 0 {
									t.Errorf("notified more than once: %q", again)
								}
								time.Sleep(10 * time.Minute)
								if started, completed := p.since(next); started != 1 || completed != 1 {
									t.Errorf("the listener was notified of %d starts and %d ends of the next fire time", started, completed)
								}
							})
						})
					}
				}
			}
		}
	}
}
