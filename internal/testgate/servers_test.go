//go:build servers

package main

import (
	"bytes"
	"context"
	"fmt"
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

// gate runs the gate on packages of testdata, which need the build tag servers.
func gate(ctx context.Context, t *testing.T, packages ...string) (ok bool, output string) {
	t.Helper()
	t.Setenv("GOFLAGS", "-tags=servers,nomsgpack")
	var out bytes.Buffer
	ok, err := run(ctx, append([]string{"-count=1", "--"}, packages...), &out)
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return ok, out.String()
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
	if ok, output := gate(t.Context(), t, "./testdata/one", "./testdata/two"); !ok {
		t.Fatal(output)
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
	for _, tt := range []struct {
		tags, pkg           string
		zookeeper, database bool
	}{
		{"servers", ".", true, true},
		{"servers", "./sharedserver", false, false},
		{"servers", "./testdata/waits", true, false},
		{"servers,interop", "../../interop", true, true},
		{"servers", "../../interop", false, false},
	} {
		t.Setenv("GOFLAGS", "-tags="+tt.tags)
		used := fixtures(t.Context(), []string{tt.pkg})
		if z, d := used[kinds[0].fixture], used[kinds[1].fixture]; z != tt.zookeeper || d != tt.database {
			t.Errorf("%s with the tags %s: ZooKeeper %v, databases %v", tt.pkg, tt.tags, z, d)
		}
	}
}

// TestSharedServerThatEnds: the tests that use it afterwards say that it has ended,
// and so does the gate, with its log.
func TestSharedServerThatEnds(t *testing.T) {
	t.Setenv("TESTGATE_RETRY", "")
	ok, output := gate(t.Context(), t, "./testdata/ends")
	if ok {
		t.Error("the gate passes")
	}
	_, after, _ := strings.Cut(output, "TestComesAfter")
	_, log, _ := strings.Cut(output, "DIED    the MariaDB that all packages of this run share has ended: ")
	for want, where := range map[string]string{
		"the MariaDB that all packages of this run share has ended: dial tcp": after,
		"Normal shutdown": log,
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
	var ok bool
	var output string
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ok, output = gate(ctx, t, "./testdata/waits")
	}()
	waittest.Until(t, "the test waits", func() bool {
		_, err := os.Stat(filepath.Join(folder, "waits"))
		return err == nil
	})
	interrupt()
	<-ended
	if ok || !strings.Contains(output, "run the tests: context canceled") {
		t.Errorf("passed: %v\n%s", ok, output)
	}
	words := said(t, folder, "waits")
	silent(t, words[0])
	pid, err := strconv.Atoi(words[1])
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the test binary ends", func() bool { return syscall.Kill(pid, 0) != nil })
}
