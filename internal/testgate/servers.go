//go:build servers

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/testgate/sharedserver"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

const module = "github.com/elasticjob-go/elasticjob"

// process is a server that was started.
type process interface {
	Log() string
	End() error
}

// kinds are the servers that packages share: the package whose fixtures take it,
// and how one is started.
var kinds = []struct {
	server  sharedserver.Server
	fixture string
	launch  func() (addr string, p process, err error)
}{
	{sharedserver.ZooKeeper, module + "/internal/zk/zktest", func() (string, process, error) {
		z, err := zktest.LaunchShared()
		if err != nil {
			return "", nil, err
		}
		return z.Addr(), z, nil
	}},
	{sharedserver.MariaDB, module + "/internal/store/storetest", func() (string, process, error) {
		m, err := storetest.LaunchMariaDB()
		if err != nil {
			return "", nil, err
		}
		return m.Addr, m, nil
	}},
	{sharedserver.Postgres, module + "/internal/store/storetest", func() (string, process, error) {
		p, err := storetest.LaunchPostgres()
		if err != nil {
			return "", nil, err
		}
		return p.Addr, p, nil
	}},
}

// running is a shared server that runs.
type running struct {
	server sharedserver.Server
	addr   string
	process
}

// startServers starts the servers that the packages share, and returns them with the
// environment that announces them to the tests. One that does not start is reported and
// not announced: the tests that need it say why.
func startServers(ctx context.Context, packages []string, w io.Writer) (list []running, env []string) {
	used := fixtures(ctx, packages)
	env = os.Environ()
	var (
		mu sync.Mutex // guards list, env and w
		wg sync.WaitGroup
	)
	for _, kind := range kinds {
		env = append(env, kind.server.Variable()+"=") // not that of a run around this one
	}
	for _, kind := range kinds {
		if !used[kind.fixture] {
			continue
		}
		wg.Go(func() {
			addr, p, err := kind.launch()
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				fmt.Fprintf(w, "testgate: no shared %s: %v\n", kind.server, err)
				return
			}
			list, env = append(list, running{kind.server, addr, p}), append(env, kind.server.Variable()+"="+addr)
		})
	}
	wg.Wait()
	return list, env
}

// endServers ends them, and reports whether one has ended before, with the end of its log.
func endServers(list []running, w io.Writer) (lost bool, err error) {
	for _, r := range list {
		if gone := r.server.Reach(r.addr); gone != nil {
			log := r.Log()
			fmt.Fprintf(w, "DIED    %v; the end of its log:\n%s\n", gone, log[max(0, len(log)-4000):])
			lost = true
		}
		err = errors.Join(err, r.End())
	}
	return lost, err
}

// fixtures are the packages that the tests of packages import, directly or not. Where
// they cannot be listed, `go test` says why.
func fixtures(ctx context.Context, packages []string) map[string]bool {
	used := map[string]bool{}
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-test", "-deps"}, packages...)...).Output()
	if err == nil {
		for line := range bytes.Lines(out) {
			used[strings.TrimSpace(string(line))] = true
		}
	}
	return used
}
