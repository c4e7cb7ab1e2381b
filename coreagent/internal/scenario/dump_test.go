package scenario_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// ask sends a line to an agent's dump service and returns the answer.
func (b *fixture) ask(m *member, line string) string {
	b.Helper()
	conn, err := net.DialTimeout("tcp", m.DumpAddr().String(), patience)
	b.must(err)
	defer conn.Close()
	b.must(conn.SetDeadline(time.Now().Add(patience)))
	fmt.Fprintln(conn, line)
	text, err := io.ReadAll(conn)
	b.must(err)
	return string(text)
}

// TestK59DumpOfAnAgent: an agent should have one dump service on loopback for all jobs of the
// namespace, with addresses and secrets masked. It should stop with the agent.
func TestK59DumpOfAnAgent(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		m := b.agent(1, func(cfg *coreagent.Config) { cfg.Dump.Port = -1 })
		m.serve(coreagent.Job{Name: "job", Shards: 2, Props: map[string]string{"email.password": "hunter2"}}, nil).start()
		b.store(jobconfig.New("elsewhere", 1), "elsewhere")
		b.awaitOwners("job", m.id, m.id)
		addr, ok := m.DumpAddr().(*net.TCPAddr)
		if !ok || !addr.IP.IsLoopback() {
			b.Errorf("listens on %v", m.DumpAddr())
		}
		// The agent's cache should equal the server's data.
		var text string
		b.await("equal caches", func() bool {
			text = b.ask(m, "dump@job")
			for _, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(line, "/job") && strings.Count(line, " | ") > 1 {
					return false
				}
			}
			return true
		})
		for _, want := range []string{
			"/job/config | ", "shardingTotalCount: 2", "email.password: ***", "/job/instances/ip1@-@1 | jobInstanceId: ip1@-@1\n",
			"/job/leader/election/instance | ip1@-@1\n", "/job/servers/ip1 | ENABLED\n", "/job/sharding/1/instance | ip1@-@1\n",
		} {
			if !strings.Contains(text, want) {
				b.Errorf("no %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, "10.0.0.1") || strings.Contains(text, "hunter2") {
			b.Errorf("not masked:\n%s", text)
		}
		for line, want := range map[string]string{"dump@none": "\n", "dump": "", "DUMP@job": "", "dump@a@b": ""} {
			if got := b.ask(m, line); got != want {
				b.Errorf("%q is answered with %q", line, got)
			}
		}
		if text := b.ask(m, "dump@elsewhere"); !strings.HasPrefix(text, "/elsewhere/config | ") {
			b.Errorf("a job of others: %q", text)
		}
		// The port is taken, but the agent should start anyway.
		other := b.agent(2, func(cfg *coreagent.Config) { cfg.Dump.Port = addr.Port }).start()
		if other.DumpAddr() != nil || b.log.count("the dump service is off") != 1 {
			b.Errorf("second service on %v", other.DumpAddr())
		}
		// A silent client shouldn't delay the stop.
		mute, err := net.Dial("tcp", addr.String())
		b.must(err)
		defer mute.Close()
		b.must(m.Stop(b.ctx()))
		if conn, err := net.Dial("tcp", addr.String()); err == nil {
			conn.Close()
			b.Error("the service outlives its agent")
		}
	})
}

// TestDumpIsOffByDefault: without a configured port there's no dump service.
func TestDumpIsOffByDefault(t *testing.T) {
	onBothServers(t, func(b *fixture) {
		if addr := b.agent(1).start().DumpAddr(); addr != nil {
			b.Errorf("listens on %v", addr)
		}
	})
}
