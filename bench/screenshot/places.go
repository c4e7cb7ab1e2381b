package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/relay"
)

// site is one of the consoles.
type site int

const (
	demoSite  site = iota
	emptySite      // of a namespace without jobs, and without a history
	cloudSite      // a demo with jobs of ElasticJob-Cloud
	staleSite      // of the demo's registry, which goes away
)

// places are the consoles that pictures are taken of.
type places struct {
	console string // the binary

	folder   string
	registry string // of the demo
	demo     string
	closers  []func() error
}

// start starts the demo.
func (p *places) start(ctx context.Context) (err error) {
	if p.folder, err = os.MkdirTemp("", "screenshot-"); err != nil {
		return err
	}
	p.closers = append(p.closers, func() error { return os.RemoveAll(p.folder) })
	if p.registry, err = freeAddress(); err != nil {
		return err
	}
	p.demo, err = p.run(ctx, "demo", "--registry="+p.registry, "--data="+p.folder)
	return err
}

// site is the address of a console, which is started if it is another one's than the
// demo. away takes its registry away, if it is to go.
func (p *places) site(ctx context.Context, which site) (address string, away func(), err error) {
	if which == demoSite {
		return p.demo, nil, nil
	}
	data, err := os.MkdirTemp(p.folder, "beside-")
	if err != nil {
		return "", nil, err
	}
	if which == cloudSite {
		address, err = p.run(ctx, "demo", "--cloud", "--registry=127.0.0.1:0", "--data="+data)
		return address, nil, err
	}
	if which == emptySite {
		address, err = p.run(ctx, "serve", "--zookeeper="+p.registry, "--namespace=newshop", "--data="+data)
		return address, nil, err
	}
	between, err := relay.Start(p.registry, relay.Options{})
	if err != nil {
		return "", nil, err
	}
	p.closers = append(p.closers, func() error { between.Close(); return nil })
	address, err = p.run(ctx, "serve", "--zookeeper="+between.Addr(), "--namespace=bookshop", "--session-timeout=5s", "--data="+data,
		"--dsn=sqlite://"+filepath.Join(p.folder, "demo.db"))
	return address, between.Close, err
}

var siteAddress = regexp.MustCompile(`http://[0-9.:]+`)

// run starts a console and returns where it listens.
func (p *places) run(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	process := exec.CommandContext(ctx, p.console, append(args, "--listen=127.0.0.1:0")...)
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
	process.WaitDelay = 30 * time.Second
	pipe := process.StderrPipe // the log
	if args[0] == "demo" {     // which says it to people
		process.Stderr, pipe = os.Stderr, process.StdoutPipe
	}
	printed, err := pipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		cancel()
		return "", fmt.Errorf("start %s: %w; run make build first", p.console, err)
	}
	p.closers = append(p.closers, func() error {
		cancel()
		if err := process.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("console %s: %w", args[0], err)
		}
		return nil
	})
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		if found := siteAddress.FindString(lines.Text()); found != "" {
			go io.Copy(io.Discard, printed) //nolint:errcheck // until it ends
			return found, nil
		}
	}
	return "", fmt.Errorf("console %s did not say where it listens", args[0])
}

// close ends what was started, the last first.
func (p *places) close() (err error) {
	for i := len(p.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, p.closers[i]())
	}
	return err
}

// freeAddress is one on which nobody listens.
func freeAddress() (string, error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
