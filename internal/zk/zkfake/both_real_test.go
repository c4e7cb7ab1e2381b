//go:build servers

package zkfake_test

import (
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// TestReaping: both servers should delete an empty container and an old node.
func TestReaping(t *testing.T) {
	const interval = 200 * time.Millisecond
	test := func(t *testing.T, addr string) {
		client, _ := dialTarget(t, addr, 30*time.Second)
		for _, path := range []string{"/used", "/new"} {
			if _, err := client.CreateContainer(path, nil, zk.FlagContainer, world()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := client.CreateTTL("/old", nil, zk.FlagTTL, world(), 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		mustCreate(t, client, "/used/child", "", 0)
		_, _, used, err := client.ExistsW("/used")
		if err != nil {
			t.Fatal(err)
		}
		if ok, _, old, err := client.ExistsW("/old"); err != nil {
			t.Fatal(err)
		} else if ok {
			await(t, old)
		}
		if err := client.Delete("/used/child", -1); err != nil {
			t.Fatal(err)
		}
		if e := await(t, used); e.Type != zk.EventNodeDeleted {
			t.Errorf("event %v", e.Type)
		}
		if !exists(t, client, "/new") {
			t.Error("a container that was never used is removed")
		}
	}
	t.Run("fake", func(t *testing.T) {
		_, addr := listening(t, zkfake.Options{ContainerCheckInterval: interval})
		test(t, addr)
	})
	t.Run("real", func(t *testing.T) {
		test(t, zktest.StartZooKeeperWith(t, zktest.Options{ContainerCheckInterval: interval}).Addr())
	})
}
