package scenario_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// TestKindsInTheTree: a job without code should be stored under its type, and use the stored
// properties, not the declared ones.
func TestKindsInTheTree(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		out := filepath.Join(b.TempDir(), "out")
		line := `/bin/sh -c 'echo "$0" >>` + out + `'`
		var hits atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
		defer server.Close()
		m := b.agent(1)
		b.must(m.Add(coreagent.Job{Name: "script", Shards: 1}, coreagent.Script(line+" declared")))
		b.must(m.Add(coreagent.Job{Name: "http", Shards: 2}, coreagent.HTTP(coreagent.HTTPRequest{Method: http.MethodGet, URL: server.URL})))
		m.start()
		b.awaitOwners("script", m.id)
		b.awaitOwners("http", m.id, m.id)
		for job, class := range map[string]string{"script": "SCRIPT", "http": "HTTP"} {
			if stored, _ := b.get(b.tree.Job(job).Root()); stored != class {
				b.Errorf("job %s is stored as %q", job, stored)
			}
		}
		if props := b.config("http").Props; props["http.uri"] != server.URL || props["http.method"] != "GET" || len(props) != 2 {
			b.Errorf("properties %v", props)
		}
		b.must(m.Trigger(b.ctx(), "http"))
		b.await("both shards called", func() bool { return hits.Load() == 2 })
		b.must(m.Trigger(b.ctx(), "script"))
		b.await("the script ran", func() bool { return len(m.trace.states("script")) == 3 })
		b.configure("script", func(c *jobconfig.Config) { c.Props["script.command.line"] = line + " stored" })
		b.awaitTidy("script")
		b.must(m.Trigger(b.ctx(), "script"))
		b.await("the script ran again", func() bool { return len(m.trace.states("script")) == 6 })
		text, err := os.ReadFile(out)
		b.must(err)
		if string(text) != "declared\nstored\n" {
			b.Errorf("the script was given %q", text)
		}
	})
}

// TestDataflowStopsOnResharding: an endless stream should end for a resharding, so that the
// newcomer gets its share.
func TestDataflowStopsOnResharding(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		var processed [3]atomic.Int64 // by agent
		flow := func(n int) coreagent.Dataflow[int] {
			return coreagent.Dataflow[int]{
				Streaming: true,
				Fetch:     func(context.Context, *coreagent.Shard) ([]int, error) { return []int{1}, nil },
				Process: func(ctx context.Context, _ *coreagent.Shard, _ []int) error {
					processed[n].Add(1)
					select {
					case <-time.After(time.Millisecond):
					case <-ctx.Done():
					}
					return nil
				},
			}
		}
		job := coreagent.Job{Name: "flow", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2}
		one := b.agent(1)
		b.must(one.Add(job, flow(1)))
		one.start()
		b.await("it streams", func() bool { return processed[1].Load() > 100 })
		two := b.agent(2)
		b.must(two.Add(job, flow(2)))
		two.start()
		b.awaitOwners("flow", two.id, one.id)
		before := processed[1].Load()
		b.await("both stream", func() bool { return processed[2].Load() > 100 && processed[1].Load() > before+100 })
		ctx, cancel := context.WithTimeout(b.ctx(), 100*time.Millisecond)
		defer cancel()
		if err := two.Stop(ctx); err != nil { // A stream ends with its context.
			b.Errorf("stop: %v", err)
		}
	})
}

// secretCanary must not appear in the log or the history.
const secretCanary = "Canary-26"

// V26: a script should only see the environment variables that were named for it. If it fails and
// prints secrets, they should be masked in the error, because that's stored in the history.
func TestV26HistoryOfAScriptHasNoSecret(t *testing.T) {
	t.Setenv("DB_DSN", "mysql://root:"+secretCanary+"@db/shop")
	t.Setenv("MY_TOKEN", secretCanary)
	t.Setenv("APP_COLOUR", "green")
	t.Setenv("APP_PASSWORD", secretCanary)
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		b := newFixture(t, srv.Addr)
		m := b.agent(1, func(c *coreagent.Config) { c.ScriptEnv = []string{"DB_DSN", "APP_*"} })
		const line = `sh -c 'env | grep -v -e ^PATH -e ^HOME; exit 1'`
		b.must(m.Add(coreagent.Job{Name: "env", Shards: 1, Type: "SCRIPT", Props: map[string]string{"script.command.line": line}}, nil))
		m.start()
		b.awaitOwners("env", m.id)
		m.triggerHere("env")
		var causes []string
		b.await("the run is recorded", func() bool {
			for _, e := range m.trace.executed("env") {
				if e.FailureCause != "" {
					causes = append(causes, e.FailureCause)
				}
			}
			return len(causes) > 0
		})
		for _, cause := range append(causes, m.trace.states("env")...) {
			if !strings.Contains(cause, "exit status") {
				continue
			}
			if strings.Contains(cause, secretCanary) || strings.Contains(cause, "MY_TOKEN") {
				b.Errorf("the history has a secret: %s", cause)
			}
			if !strings.Contains(cause, "APP_COLOUR=green") || !strings.Contains(cause, "DB_DSN=mysql://***@db/shop") || !strings.Contains(cause, "APP_PASSWORD=***") {
				b.Errorf("what was named is not passed on: %s", cause)
			}
		}
		if strings.Contains(b.log.String(), secretCanary) {
			b.Error("the log has a secret")
		}
	})
}
