package lifecycle_test

import (
	"context"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// TestW96RestartingAgentIsNotJavas: if one of our agents leaves after the instances were listed, it
// should not count as a Java agent, for a time zone or a shutdown.
func TestW96RestartingAgentIsNotJavas(t *testing.T) {
	const stays, leaves = "10.0.0.1@-@7", "10.0.0.10@-@8"
	for name, act := range map[string]func(ctx context.Context, o *lifecycle.Operator) error{
		"zone": func(ctx context.Context, o *lifecycle.Operator) error {
			_, _, err := o.EditConfig(ctx, "j", "", func(c *jobconfig.Config) error {
				c.Props = map[string]string{"schedule.zone": "Europe/Berlin"}
				return nil
			})
			return err
		},
		"shutdown": func(ctx context.Context, o *lifecycle.Operator) error {
			_, err := o.ShutdownServer(ctx, "j", "10.0.0.1")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, srv := fake(t, twoHosts("j")+"j/config = \"cron: 0/5 * * * * ?\\nfailover: true\\njobName: j\\nshardingTotalCount: 2\\n\"\n"+
				"j/extension/agents/"+stays+" [E] = go runs=1\nj/extension/agents/"+leaves+" [E] = go runs=1\nj/extension/runs/active")
			b.begin(t, "begun", stays)
			job, session, other := b.NS.Job("j"), b.Client.Session().ID, treetest.Connect(t, b.Addr)
			var once sync.Once
			srv.SetFault(func(r zkfake.Request) zkfake.Fault {
				if r.Session == session && r.Path == job.Agents() {
					once.Do(func() {
						if err := other.Multi(context.Background(), zk.DeleteOp(job.Agent(leaves), zk.AnyVersion), zk.DeleteOp(job.Instance(leaves), zk.AnyVersion)); err != nil {
							t.Error(err)
						}
					})
				}
				return zkfake.None
			})
			if err := act(t.Context(), b.operator); err != nil {
				t.Error(err)
			}
		})
	}
}
