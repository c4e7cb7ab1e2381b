package doctor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func namespaceOf(t *testing.T, name string) jobtree.Namespace {
	t.Helper()
	namespace, err := jobtree.NewNamespace(name)
	if err != nil {
		t.Fatal(err)
	}
	return namespace
}

// create makes nodes with an ACL.
func create(t *testing.T, cfg zk.Config, paths ...string) {
	t.Helper()
	c, err := zk.Connect(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, path := range paths {
		if _, err := c.CreateAll(t.Context(), path, nil, zk.Persistent); err != nil {
			t.Fatal(err)
		}
	}
}

// expect compares the findings with parts of them, one each.
func expect(t *testing.T, list []doctor.Finding, want ...string) {
	t.Helper()
	if len(list) != len(want) {
		t.Errorf("%d findings, want %d", len(list), len(want))
	}
	text := fmt.Sprintln(list)
	for _, part := range want {
		if !strings.Contains(text, part) {
			t.Errorf("lacks %q", part)
		}
	}
	if t.Failed() {
		t.Log(strings.ReplaceAll(text, ". Fix: ", ". Fix:\n"))
	}
}

// TestDoctorOfZooKeeper: on every server, a namespace that's absent, open or fine, and a chroot.
func TestDoctorOfZooKeeper(t *testing.T) {
	t.Parallel()
	zktest.Each(t, func(t *testing.T, srv zktest.Target) {
		namespace := namespaceOf(t, zktest.Namespace(t))
		cfg := zk.Config{Servers: []string{srv.Addr}, ACL: zk.ACLOpen, SessionTimeout: 20 * time.Second}
		expect(t, doctor.ZooKeeper(t.Context(), cfg, namespace, true), "it doesn't exist in ZooKeeper")
		create(t, cfg, namespace.Job("invoices").Config())
		expect(t, doctor.ZooKeeper(t.Context(), cfg, namespace, true))
		cfg.ACL = zk.ACLDefault
		expect(t, doctor.ZooKeeper(t.Context(), cfg, namespace, true), "new nodes are open to every user")
		cfg.Digest = "agent:hunter2"
		expect(t, doctor.ZooKeeper(t.Context(), cfg, namespace, true), "2 nodes are open to every user")
		expect(t, doctor.ZooKeeper(t.Context(), cfg, namespace, false), "1 nodes are open to every user")
		closed := namespaceOf(t, zktest.Namespace(t)+"-closed")
		create(t, cfg, closed.Job("invoices").Config())
		expect(t, doctor.ZooKeeper(t.Context(), cfg, closed, true))
		cfg.Digest = "stranger:x"
		expect(t, doctor.ZooKeeper(t.Context(), cfg, closed, true), "its ACL doesn't let us read it")
		cfg.Servers = []string{srv.Addr + "/nobody/made/this"}
		expect(t, doctor.ZooKeeper(t.Context(), cfg, namespace, true),
			"the chroot behind the last address doesn't exist")
	})
}

// TestDoctorOfServers: versions, limits, whitelists and servers that are away.
func TestDoctorOfServers(t *testing.T) {
	t.Parallel()
	listen := func(answers map[string]string, frame int) string {
		srv := zkfake.New(zkfake.Options{Answers: answers, MaxFrame: frame})
		t.Cleanup(func() { srv.Close() })
		addr, err := srv.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		create(t, zk.Config{Servers: []string{addr.String()}, ACL: zk.ACLOpen}, "/x")
		return addr.String()
	}
	const refusal = " is not executed because it is not in the whitelist.\n"
	for name, tt := range map[string]struct {
		answers map[string]string
		frame   int
		want    []string
	}{
		"as it should be": {},
		"no words": {map[string]string{"srvr": "srvr" + refusal, "conf": "conf" + refusal}, 0,
			[]string{"note: ", "couldn't read the version", "couldn't read maxClientCnxns"}},
		"before 3.5": {map[string]string{"srvr": "Zookeeper version: 3.4.14-4c25d480, built on 2019\nMode: " +
			"standalone\n"}, 0, []string{"error: ", "its version is 3.4.14"}},
		"few connections": {map[string]string{"conf": "clientPort=2181\nmaxClientCnxns=5\n"}, 0,
			[]string{"warning: ", "maxClientCnxns is 5"}},
		"no quorum": {map[string]string{"srvr": "This ZooKeeper instance is not currently serving " +
			"requests\n"}, 0, []string{"warning: ", "it doesn't serve requests"}},
		"small packets": {nil, 100_000, []string{"warning: ", "jute.maxbuffer is smaller than the default"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := zk.Config{Servers: []string{listen(tt.answers, tt.frame)}, ACL: zk.ACLOpen}
			list := doctor.ZooKeeper(t.Context(), cfg, namespaceOf(t, "x"), true)
			text := fmt.Sprintln(list)
			for _, part := range tt.want {
				if !strings.Contains(text, part) {
					t.Errorf("lacks %q: %s", part, text)
				}
			}
			if len(list) != max(0, len(tt.want)-1) {
				t.Errorf("findings: %s", text)
			}
		})
	}
	both := zk.Config{Servers: []string{listen(nil, 0), "127.0.0.1:1"}, ACL: zk.ACLOpen}
	expect(t, doctor.ZooKeeper(t.Context(), both, namespaceOf(t, "x"), true),
		"warning: ZooKeeper 127.0.0.1:1: ask 127.0.0.1:1 for srvr")
}
