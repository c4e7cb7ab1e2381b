// Package waits has a test that does not end by itself.
package waits

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestWaits(t *testing.T) {
	file := filepath.Join(os.Getenv("GATE_TEST"), "waits")
	if err := os.WriteFile(file+".new", []byte(zktest.Real(t).Addr+" "+strconv.Itoa(os.Getpid())), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	select {}
}
