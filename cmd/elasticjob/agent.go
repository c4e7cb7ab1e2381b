package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/agentmetrics"
	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// agentCommand is `elasticjob agent`.
type agentCommand struct {
	Config         string             `placeholder:"FILE" help:"The jobs, in the shape of ElasticJob's Spring Boot starter (see docs/agent.md). Required. Read again on SIGHUP."`
	Check          bool               `help:"Check the file, print what would be served and when it fires next, and end. Nothing is connected to."`
	Drain          time.Duration      `default:"30s" help:"How long running shards may go on after a signal to end before they are cancelled."`
	Address        string             `placeholder:"IP" help:"The address this process announces; operators disable servers by it. Default: the address of a network interface."`
	Interface      string             `placeholder:"NAME" help:"Announce the address of this network interface, such as eth0."`
	AddressPattern string             `placeholder:"PATTERN" help:"Announce an address that fits: a network (10.1.0.0/16), a beginning (10.1.) or a regular expression."`
	Access         cli.ZooKeeperFlags `embed:"" prefix:"zookeeper-"`
	DSN            string             `name:"dsn" placeholder:"DSN" help:"The trace database, instead of the one the file names."`
	DSNFile        string             `name:"dsn-file" placeholder:"FILE" help:"A file with the value of --dsn."`
	Spool          string             `placeholder:"DIR" help:"Keep trace events in this folder while the database is away, up to 256 MiB, and over restarts. Each process needs its own. Default: in memory, the newest 10,000."`
	ScriptEnv      []string           `placeholder:"NAME,…" help:"Environment variables of this process that SCRIPT jobs inherit: names, PREFIX_* or *. Default: only PATH, HOME, LANG, TZ and the like."`
	Strict         bool               `help:"Don't start if a job is refused because its name belongs to another class. Default: serve the others."`
	Health         string             `placeholder:"HOST:PORT" help:"Answer /healthz and /readyz here. Default: nowhere."`
	MetricsAddr    string             `name:"metrics-addr" placeholder:"HOST:PORT" help:"Answer GET /metrics, for Prometheus, here; without a host to this machine alone. Default: nowhere."`
}

// Time limits of an agent's end, after its shards.
const (
	flushLimit  = 5 * time.Second
	leaveMargin = 15 * time.Second // to leave the tree when the drain is over; usually a moment
)

const agentHint = "See docs/agent.md for the keys of a job file; examples/jobs.yaml is an example."

func (c *agentCommand) Run(p *cli.Process) error {
	if c.Config == "" {
		return cli.Usage("Name the file with the jobs: --config jobs.yaml (or "+cli.EnvName("config")+").", "no job file is named")
	}
	if c.Drain < 0 {
		return cli.Usage("--drain takes a duration such as 30s; 0s cancels at once.", "--drain %v is negative", c.Drain)
	}
	if c.Address != "" && net.ParseIP(c.Address) == nil {
		return cli.Usage("--address takes an IP address of this machine, such as 10.1.2.3.", "--address %q is no IP address", c.Address)
	}
	if c.Address != "" && c.Interface+c.AddressPattern != "" {
		return cli.Usage("Leave out one or the other.", "--address %s leaves --interface and --address-pattern nothing to choose", c.Address)
	}
	plan, err := c.load(p)
	if err != nil {
		return err
	}
	if c.Check {
		return plan.print(p.Stdout, time.Now())
	}
	for _, n := range plan.file.Notes {
		p.Log.InfoContext(p.Ctx, "job file", slog.String("note", n.String()))
	}
	if !plan.file.Enabled {
		p.Log.WarnContext(p.Ctx, "elasticjob.enabled is false in the job file: there is nothing to serve")
		return nil
	}
	return (&agentProcess{cmd: c, p: p, plan: plan, cleanups: cli.Cleanups{Log: p.Log}}).run(p.Ctx)
}

// agentPlan is a job file that was checked as far as possible.
type agentPlan struct {
	name string
	file *jobfile.File
	dsn  string // "": nothing is recorded
	// unused are parameters of the file's data source that have no meaning
	// here.
	unused []string
}

// load reads the job file. A mistake in it is as one on the command line:
// another start will not fix it.
func (c *agentCommand) load(p *cli.Process) (*agentPlan, error) {
	plan, err := c.read(p)
	if err != nil {
		return nil, err
	}
	if err := refuseCode(plan.name, plan.file.Jobs); err != nil {
		return nil, err
	}
	if len(plan.file.Jobs) == 0 && plan.file.Enabled {
		return nil, cli.Usage(agentHint, "%s: elasticjob.jobs is empty: there is nothing to serve", plan.name)
	}
	return plan, nil
}

// read is load for a file that another program may serve.
func (c *agentCommand) read(p *cli.Process) (*agentPlan, error) {
	secure, err := c.Access.Config()
	if err != nil {
		return nil, err
	}
	file, err := jobfile.Options{
		Name: filepath.Base(c.Config), Env: p.Env,
		Config: coreagent.Config{ScriptEnv: c.ScriptEnv, ZooKeeper: registry.ZooKeeper{TLS: secure, ACL: c.Access.ACL}, Address: c.Address, Interface: c.Interface, AddressPattern: c.AddressPattern, Logger: p.Log, Strict: c.Strict, DrainTimeout: max(c.Drain, 1)},
	}.Load(c.Config)
	if err != nil {
		if wrong, ok := errors.AsType[*jobfile.Error](err); ok {
			return nil, cli.Usage(agentHint, "%w", wrong)
		}
		return nil, cli.Usage(agentHint, "--config: %w", err)
	}
	plan := &agentPlan{name: filepath.Base(c.Config), file: file}
	if err := c.database(plan); err != nil {
		return nil, err
	}
	return plan, nil
}

// refuseCode names all jobs that this program cannot run.
func refuseCode(name string, jobs []jobfile.Job) error {
	var lines []string
	for _, j := range jobs {
		if j.NeedsCode() {
			lines = append(lines, fmt.Sprintf("line %d: elasticjob.jobs.%s.elasticJobClass: %q is code, and this program has none", j.Line, j.Name, j.Class))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return cli.Usage("`elasticjob agent` runs jobs of the types SCRIPT and HTTP (elasticJobType). SIMPLE and DATAFLOW jobs, which need a class,\n"+
		"are served by a Go program that reads the same file with coreagent/jobfile and adds its handlers, or by Java processes.\n"+
		"Leave them out of the file that this program gets.",
		"%s: %d jobs need code:\n  %s", name, len(lines), strings.Join(lines, "\n  "))
}

// agentProcess is a running agent.
type agentProcess struct {
	cmd      *agentCommand
	p        *cli.Process
	plan     *agentPlan
	cleanups cli.Cleanups
	agent    *coreagent.Agent
	ready    atomic.Bool
}

// run serves until ctx ends.
func (a *agentProcess) run(ctx context.Context) (err error) {
	defer func() {
		// What could not be cleaned up was logged; the jobs are what counts.
		_ = a.cleanups.Run()
	}()
	// From the start on a hangup means to read the file again, not to end.
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)

	if err := a.answerHealth(ctx); err != nil {
		return err
	}
	config := a.plan.file.Config
	var metrics agentmetrics.Options
	if config.Tracing, err = a.recorder(&metrics); err != nil {
		return err
	}
	if a.cmd.MetricsAddr != "" {
		counts := agentmetrics.New(metrics)
		counts.Set().AddProcess()
		config.Observer = counts
		if err := cli.AnswerMetrics(ctx, a.cmd.MetricsAddr, counts.Set(), &a.cleanups, a.p.Log); err != nil {
			return err
		}
	}
	if a.agent, err = coreagent.New(config); err != nil {
		return cli.Usage(agentHint, "%s: %w", a.plan.name, err)
	}
	if err := a.plan.file.Add(a.agent, nil); err != nil {
		return cli.Usage(agentHint, "%s: %w", a.plan.name, err)
	}
	if err := a.start(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	a.ready.Store(true)
	a.examine(ctx)
	fmt.Fprintf(a.p.Stdout, "serving %d jobs of %s\n", len(a.plan.file.Jobs), a.plan.name)
	for {
		select {
		case <-hangups:
			a.reload(ctx)
		case <-ctx.Done():
			return a.stop(ctx)
		}
	}
}

// start connects and registers, and logs a warning while ZooKeeper does not answer.
func (a *agentProcess) start(ctx context.Context) error {
	servers := strings.Join(a.plan.file.Config.ZooKeeper.Servers, ",")
	waiting := time.AfterFunc(10*time.Second, func() {
		a.p.Log.WarnContext(ctx, "still waiting for ZooKeeper", slog.String("servers", servers))
	})
	defer waiting.Stop()
	err := a.agent.Start(ctx)
	switch {
	case err == nil || ctx.Err() != nil: // Asked to end before it had begun is no failure.
		return nil
	case errors.Is(err, coreagent.ErrJobConflict):
		return cli.Fail("In ZooKeeper the name belongs to a job of another class or type. Choose another name, or remove the stored job in the console\nwhen no process serves it any more.", "%w", err)
	}
	return cli.Fail("Is "+servers+" the ensemble, and elasticjob.regCenter.digest its account?", "%w", err)
}

// stop drains the agent.
func (a *agentProcess) stop(ctx context.Context) error {
	a.ready.Store(false)
	a.p.Log.InfoContext(ctx, "asked to end, draining", slog.Duration("limit", a.cmd.Drain), slog.Any("cause", context.Cause(ctx)))
	began := time.Now()
	// Stop cancels what runs when its context ends and then still has to see
	// it end.
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cmd.Drain)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- a.agent.Stop(drain) }()
	select {
	case err := <-done:
		if err != nil {
			return cli.Fail("A shard that ignores its cancellation is left behind when this process ends.", "drain: %w", err)
		}
	case <-time.After(a.cmd.Drain + leaveMargin):
		return cli.Fail("The ZooKeeper session expires by itself; others take the shards over then.", "drain: the agent did not end within %v", a.cmd.Drain+leaveMargin)
	}
	a.p.Log.InfoContext(ctx, "drained", slog.Duration("took", time.Since(began).Round(time.Millisecond)))
	return nil
}

// recorder returns the recorder of the database, if there is one, and sets its counters in metrics.
func (a *agentProcess) recorder(metrics *agentmetrics.Options) (tracing.Recorder, error) {
	if a.plan.dsn == "" {
		return tracing.Discard, nil
	}
	recorder, err := rdb.NewRecorder(store.Source(a.plan.dsn), rdb.Options{Spool: a.cmd.Spool, Logger: a.p.Log})
	if err != nil {
		return nil, cli.Fail("--spool names a folder that this user may write and no other process uses.", "%w", err)
	}
	// The agent closes it, unless it never starts.
	a.cleanups.Add("close the trace recorder", flushLimit, recorder.Close)
	metrics.Recorder = recorder.Stats
	if a.cmd.Spool != "" {
		metrics.Spool = recorder.SpoolStats
	}
	return a.plan.file.Tracing.Recorder(recorder), nil
}

// answerHealth listens for probes, if asked to.
func (a *agentProcess) answerHealth(ctx context.Context) error {
	if a.cmd.Health == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", a.cmd.Health)
	if err != nil {
		return cli.Fail("--health takes host:port of this machine, such as 127.0.0.1:8898; port 0 picks a free one.", "--health %q: %w", a.cmd.Health, err)
	}
	a.p.Log.InfoContext(ctx, "answering probes", slog.String("address", "http://"+listener.Addr().String()))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !a.ready.Load() {
			http.Error(w, "not serving", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
		for _, refused := range a.agent.Refused() {
			fmt.Fprintln(w, refused)
		}
	})
	cli.ServeAside(listener, mux, "stop answering probes", &a.cleanups, a.p.Log)
	return nil
}
