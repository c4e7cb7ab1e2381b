package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// exitRefused is how `elasticjob cloud fetch` ends if trying again is useless: a run of a
// cluster fails the shard at once then.
const exitRefused = 78

const (
	// terminationLog is where a container finds the file of its termination message.
	terminationLog = "/dev/termination-log"
	// mostMessage is how much of it Kubernetes keeps.
	mostMessage = 4096
)

// cloudFetchCommand is `elasticjob cloud fetch`, which pods run before the program of an archive.
// It asks no console.
type cloudFetchCommand struct {
	URL    string   `name:"url" required:"" placeholder:"URL" help:"Where the archive is, by https. Its name has one of the endings .tar, .tar.gz, .tgz, .tar.bz2, .tbz2, .tar.xz, .txz, .zip, .gz; any other is one file that may be executed."`
	SHA256 string   `name:"sha256" required:"" placeholder:"SUM" help:"Its SHA-256 sum, as sha256sum prints it."`
	Hosts  []string `placeholder:"HOST,…" help:"The hosts that it may come from, also after a redirect, each with a port or for every port. Default: none."`
	Cache  string   `placeholder:"DIR" help:"A folder that keeps archives by their sums, the 16 that were used last, which other users of the folder share. Default: none."`
	To     string   `required:"" placeholder:"DIR" help:"The folder to unpack it into: absent, or empty."`

	Timeout time.Duration `placeholder:"DURATION" help:"End after this time. Default: no limit."`

	// Of tests.
	transport http.RoundTripper
	pause     time.Duration
}

// LogLevel makes the command log warnings only.
func (c *cloudFetchCommand) LogLevel() string { return "warn" }

func (c *cloudFetchCommand) Run(p *cli.Process) error {
	hosts, err := archive.ParseHosts(c.Hosts)
	if err != nil {
		return cli.Usage("Give host names, separated by commas.", "--hosts: %w", err)
	}
	fetcher := archive.Fetcher{Hosts: hosts, Transport: c.transport, Timeout: max(c.Timeout, 0), Pause: c.pause, Cache: c.Cache, Logger: p.Log}
	err = fetcher.Fetch(p.Ctx, c.URL, c.SHA256, c.To)
	if err == nil {
		return nil
	}
	// A cluster looks for the cause in another place.
	err = errors.Join(err, noteEnd(p.Env, err))
	switch {
	case errors.Is(err, archive.ErrRefused):
		return &cli.Failure{Err: fmt.Errorf("cloud fetch: %w", err), Code: exitRefused}
	case errors.Is(err, context.Canceled):
		return cli.Fail("", "cloud fetch: it was ended by a signal")
	}
	return cli.Fail("This may pass: try again.", "cloud fetch: %w", err)
}

// noteEnd writes an error into the file of the termination message, if there is one.
func noteEnd(env cli.Lookup, failed error) error {
	flags := os.O_WRONLY | os.O_TRUNC
	path, found := env(task.TerminationPath)
	if found && path != "" {
		flags |= os.O_CREATE
	} else {
		path = terminationLog
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil && path == terminationLog {
		return nil // This is no container.
	}
	if err != nil {
		return fmt.Errorf("the termination message can't be written to the file in %s: %w", task.TerminationPath, err)
	}
	text := failed.Error()
	_, err = file.WriteString(text[:min(len(text), mostMessage)])
	return errors.Join(err, file.Close())
}
