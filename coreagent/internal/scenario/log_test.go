package scenario_test

import (
	"context"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent"
)

// TestShardLog: a handler's log records should have the job and the shard at the top level, even if
// the handler opens a group.
func TestShardLog(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		m := b.agent(1).serve(coreagent.Job{Name: "job", Shards: 1}, func(ctx context.Context, s *coreagent.Shard) error {
			s.Log.InfoContext(ctx, "plain", "rows", 3)
			s.Log.With("table", "orders").WithGroup("part").InfoContext(ctx, "grouped", "rows", 4)
			return nil
		}).start()
		b.awaitOwners("job", m.id)
		m.triggerHere("job")
		b.await("both lines", func() bool { return b.log.count("msg=grouped") == 1 })
		for message, want := range map[string]string{"plain": " job=job shard=0 rows=3\n", "grouped": " job=job shard=0 table=orders part.rows=4\n"} {
			if !strings.Contains(b.log.String(), want) {
				b.Errorf("%s: no line ends in %q", message, want)
			}
		}
	})
}
