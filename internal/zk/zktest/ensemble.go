package zktest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Ensemble is a group of real servers, for programs that kill some of them. Its methods are for one
// goroutine at a time.
type Ensemble struct {
	Members []*ZooKeeper
}

// LaunchEnsemble starts an ensemble with its files in dir. The caller removes dir after
// [Ensemble.Kill]. If the caller's process ends first, the servers end too.
func LaunchEnsemble(dir string, size int, opts Options) (*Ensemble, error) {
	if err := checkInstalled(); err != nil {
		return nil, err
	}
	var failures []error
	for attempt := range 3 { // Another process may take a free port first.
		e, err := launchEnsemble(filepath.Join(dir, strconv.Itoa(attempt)), size, opts)
		if err == nil {
			return e, nil
		}
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

func launchEnsemble(dir string, size int, opts Options) (*Ensemble, error) {
	lines := new(strings.Builder)
	// Under load a member may need long to catch up.
	fmt.Fprint(lines, "initLimit=100\nsyncLimit=30\nstandaloneEnabled=false\n")
	e := &Ensemble{}
	for id := range size {
		var ports [3]int
		for i := range ports {
			port, err := freePort(loopback)
			if err != nil {
				return nil, err
			}
			ports[i] = port
		}
		fmt.Fprintf(lines, "server.%d=127.0.0.1:%d:%d:participant;127.0.0.1:%d\n", id+1, ports[0], ports[1], ports[2])
		e.Members = append(e.Members, &ZooKeeper{dir: filepath.Join(dir, strconv.Itoa(id+1)), host: loopback, port: ports[2], opts: opts})
	}
	for i, z := range e.Members {
		z.opts.quorum = lines.String()
		if err := os.MkdirAll(filepath.Join(z.dir, "data"), 0o700); err != nil {
			return nil, fmt.Errorf("zktest: %w", err)
		}
		if err := os.WriteFile(filepath.Join(z.dir, "data", "myid"), []byte(strconv.Itoa(i+1)), 0o600); err != nil {
			return nil, fmt.Errorf("zktest: %w", err)
		}
	}
	if err := e.Start(e.Members...); err != nil {
		e.Kill()
		return nil, err
	}
	return e, nil
}

// Start starts stopped members and waits until they serve, which needs more than half of all. If
// one fails, the others keep running.
func (e *Ensemble) Start(members ...*ZooKeeper) error {
	for _, z := range members {
		if err := z.spawn(); err != nil {
			return err
		}
	}
	for _, z := range members {
		if err := z.await(); err != nil {
			return fmt.Errorf("zktest: start member %s of the ensemble: %w; its log:\n%s", z.Addr(), err, z.Log())
		}
	}
	return nil
}

// Leader returns the leading member, or nil if there is none.
func (e *Ensemble) Leader() *ZooKeeper {
	for _, z := range e.Members {
		if z.stdin == nil {
			continue
		}
		if reply, err := ask(z.Addr(), "srvr", time.Second); err == nil && strings.Contains(reply, "Mode: leader") {
			return z
		}
	}
	return nil
}

// Servers returns the addresses of all members.
func (e *Ensemble) Servers() []string {
	var list []string
	for _, z := range e.Members {
		list = append(list, z.Addr())
	}
	return list
}

// Kill crashes all members.
func (e *Ensemble) Kill() {
	for _, z := range e.Members {
		z.Kill()
	}
}
