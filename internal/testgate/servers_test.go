package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/testgate/sharedserver"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// gate runs the gate on packages of testdata.
func gate(ctx context.Context, packages ...string) (code int, output string) {
	var out, stderr bytes.Buffer
	code = run(ctx, append([]string{"-count=1"}, packages...), &out, &stderr)
	return code, out.String() + stderr.String()
}

// said is what a package of testdata wrote, in words.
func said(t *testing.T, folder, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// silent fails unless nobody listens at the addresses.
func silent(t *testing.T, addrs ...string) {
	t.Helper()
	for _, addr := range addrs {
		if err := sharedserver.ZooKeeper.Reach(addr); err == nil {
			t.Errorf("somebody still listens at %s", addr)
		}
	}
}

// TestPackagesShareServers: two packages get the same three servers, which have
// ended when the gate ends, with their files.
func TestPackagesShareServers(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("GATE_TEST", folder)
	temporary := t.TempDir()
	for _, dir := range []string{temporary, filepath.Dir(temporary)} {
		if err := os.Chmod(dir, 0o755); err != nil { // PostgreSQL runs as nobody if the tests run as root
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", temporary)
	if code, output := gate(t.Context(), "./testdata/one", "./testdata/two"); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, output)
	}
	one, two := said(t, folder, "one"), said(t, folder, "two")
	if len(one) != 3 || !slices.Equal(one, two) {
		t.Errorf("one package has %q, the other %q", one, two)
	}
	silent(t, one...)
	for _, kind := range []string{"zktest-*", "ej-mariadb-*", "ej-postgres-*"} {
		if left, err := filepath.Glob(filepath.Join(temporary, kind)); len(left) > 0 || err != nil {
			t.Errorf("left behind: %q, %v", left, err)
		}
	}
}

// TestServersThatNobodyNeeds: packages without such tests start none, and a build tag
// counts.
func TestServersThatNobodyNeeds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args                []string
		zookeeper, database bool
	}{
		{[]string{"-race", "-run", "./testdata/one", "."}, true, true},
		{[]string{"-count=1", "./sharedserver"}, false, false},
		{[]string{"./testdata/waits"}, true, false},
		{[]string{"-tags", "interop", "-count=1", "../../interop"}, true, true},
		{[]string{"-count=1", "../../interop"}, false, false},
	} {
		used := fixtures(t.Context(), tt.args)
		if z, d := used[kinds[0].fixture], used[kinds[1].fixture]; z != tt.zookeeper || d != tt.database {
			t.Errorf("%q: ZooKeeper %v, databases %v", tt.args, z, d)
		}
	}
}

// TestSharedServerThatEnds: the tests that use it afterwards say that it has ended,
// and so does the gate, with its log.
func TestSharedServerThatEnds(t *testing.T) {
	t.Setenv("TESTGATE_RETRY", "")
	code, output := gate(t.Context(), "./testdata/ends")
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	_, after, _ := strings.Cut(output, "--- FAIL: TestComesAfter")
	_, log, _ := strings.Cut(output, "DIED    the MariaDB that all packages of this run share has ended: ")
	for want, where := range map[string]string{
		"the MariaDB that all packages of this run share has ended: dial tcp": after,
		"Normal shutdown": log,
		"FAILED  MariaDB": output,
	} {
		if !strings.Contains(where, want) {
			t.Errorf("%q is not said in its place:\n%s", want, output)
		}
	}
}

// TestInterruptedGate: the gate ends the tests, then the servers.
func TestInterruptedGate(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("GATE_TEST", folder)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var code int
	var output string
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		code, output = gate(ctx, "./testdata/waits")
	}()
	waittest.Until(t, "the test waits", func() bool {
		_, err := os.Stat(filepath.Join(folder, "waits"))
		return err == nil
	})
	interrupt()
	<-ended
	if code != 1 || !strings.Contains(output, "run the tests: context canceled") {
		t.Errorf("exit code %d:\n%s", code, output)
	}
	words := said(t, folder, "waits")
	silent(t, words[0])
	pid, err := strconv.Atoi(words[1])
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the test binary ends", func() bool { return syscall.Kill(pid, 0) != nil })
}
