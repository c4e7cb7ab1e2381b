package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/internal/cloud/changes"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

const (
	// MaxShards is the number of shards of a run, each with two processes.
	MaxShards = 1000
	// maxRuns is the number of runs that are not forgotten.
	maxRuns = 100_000
	// defaultBackoff is the pause before the second attempt. Each further one doubles it.
	defaultBackoff = 10 * time.Second
	maxBackoff     = 6 * time.Minute
	// defaultGrace is the time for a program to end after SIGTERM.
	defaultGrace = 30 * time.Second
	// maxStarting is the number of shims started at the same time.
	maxStarting = 8
	// maxNode is the width of the history's column for machine names.
	maxNode = 50
)

type Config struct {
	// Dir is the engine's folder. It's created if missing. Required. Only one engine at a time can use it.
	Dir string
	// Apps is the folder with the programs. If it's empty, nothing can be started.
	Apps string
	// Account is the user that programs run as, which requires root. If nil, they run as this
	// process's user, and can read and change its files.
	Account *Account
	// Archives fetches archives of applications. The zero value refuses them.
	Archives archive.Fetcher
	// CPU and MemoryMB limit the sum that runs declare. Zero means all of the machine.
	CPU, MemoryMB float64
	// Shim is the command line of this program that calls [Shim]. The folder of an attempt and a
	// token are appended. Required.
	Shim []string
	// Node is this machine's name in the history, at most 50 bytes. Defaults to the host name.
	Node string
	// Backoff is the pause before the second attempt at a shard. It doubles up to six minutes. A
	// DAEMON's process restarts after a tenth of it, which doubles up to five minutes. Defaults to 10 s.
	Backoff time.Duration
	// Zone is for DAEMON jobs without a time zone; nil is UTC.
	Zone *time.Location
	// EventsURL is the address for reports of DAEMON jobs' runs. If it's empty, they don't report.
	EventsURL string
	// Version is shown to people.
	Version string
	Logger  *slog.Logger
}

// Account is a user of this machine with its groups.
type Account struct {
	UID, GID uint32
	Groups   []uint32
}

func (cfg Config) withDefaults() (Config, error) {
	var errs []error
	if cfg.Dir == "" {
		errs = append(errs, errors.New("Dir is empty; give a folder for the runs"))
	}
	if len(cfg.Shim) == 0 || cfg.Shim[0] == "" {
		errs = append(errs, errors.New("Shim is empty; give the command that calls the shim"))
	}
	cpu, memory := machine()
	cfg.CPU, cfg.MemoryMB = cmp.Or(cfg.CPU, cpu), cmp.Or(cfg.MemoryMB, memory)
	for name, value := range map[string]float64{"CPU": cfg.CPU, "MemoryMB": cfg.MemoryMB} {
		if value <= 0 || math.IsNaN(value) || math.IsInf(value, 0) {
			errs = append(errs, fmt.Errorf("%s is %g, want more than 0", name, value))
		}
	}
	if cfg.Backoff < 0 || cfg.Backoff > maxBackoff {
		errs = append(errs, fmt.Errorf("Backoff is %s, want 0 to %s", cfg.Backoff, maxBackoff))
	}
	cfg.Backoff = cmp.Or(cfg.Backoff, defaultBackoff)
	if cfg.Node == "" {
		name, err := os.Hostname()
		if err != nil {
			errs = append(errs, fmt.Errorf("the host has no name, give Node: %w", err))
		}
		cfg.Node = strings.ReplaceAll(name, "@-@", "-")
		cfg.Node = cfg.Node[:min(len(cfg.Node), maxNode)]
	}
	if len(cfg.Node) > maxNode || strings.Contains(cfg.Node, "@-@") {
		errs = append(errs, fmt.Errorf("Node is %q, want at most %d bytes without @-@", cfg.Node, maxNode))
	}
	for _, path := range []*string{&cfg.Dir, &cfg.Apps} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		errs = append(errs, err)
		*path = absolute
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.Default())
	return cfg, errors.Join(errs...)
}

// Engine is a [cloud.Engine] of processes on this host. Create it with Open and end it with Close,
// which ends no task.
type Engine struct {
	cfg  Config
	lock *os.File
	boot string
	// secret signs the tokens of DAEMON jobs' processes.
	secret []byte

	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	group    sync.WaitGroup
	wake     chan struct{}
	starting chan struct{} // a token for each shim being started

	launching sync.Mutex
	fetches   fetches

	mu       sync.Mutex
	closed   bool
	runs     map[string]*run
	queue    []*run // active runs in the order of their launch
	watchers changes.Feed[subject]
}

var (
	_ cloud.Engine    = (*Engine)(nil)
	_ cloud.Reporters = (*Engine)(nil)
)

type run struct {
	folder string
	file   runFile
	state  stateFile
	status cloud.RunStatus
	shards []*shard
	// admitted means that its shards count as used.
	admitted bool
	// busy counts attempts that are being started or have a process.
	busy int
}

type shard struct {
	number   int
	attempts []*attempt
	// outcome is the final state, "" before the end.
	outcome cloud.State
	message string
	retryAt time.Time // zero if it isn't waiting
}

type attempt struct {
	folder string
	task   cloud.Task
	phase  phase
	shim   claimFile
	// stop is the reason for its end.
	stop *cloud.Ending
	// unfetch stops waiting for its archive; nil if it isn't waiting.
	unfetch context.CancelFunc
	// version is the configuration its program was started with; see [runFile].
	version string
	// removed means that its files were removed while its run is active.
	removed bool
}

type phase int

const (
	waiting  phase = iota // for the admission of its run
	launched              // its shim is being started or running
	over
)

// Open starts an engine and adopts the tasks of an earlier one. It fails if cfg is invalid or
// another engine uses the folder.
func Open(cfg Config) (*Engine, error) {
	if !supported {
		return nil, fmt.Errorf("local engine: %w", errors.ErrUnsupported)
	}
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("local engine: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(cfg.Dir, runsFolder), 0o700); err != nil {
		return nil, fmt.Errorf("local engine: %w", err)
	}
	lock, err := lockFile(filepath.Join(cfg.Dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("local engine: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	secret, err := secretOf(cfg.Dir)
	if err != nil {
		cancel()
		return nil, errors.Join(fmt.Errorf("local engine: %w", err), lock.Close())
	}
	e := &Engine{
		cfg: cfg, lock: lock, boot: bootID(), secret: secret, ctx: ctx, cancel: cancel,
		wake: make(chan struct{}, 1), starting: make(chan struct{}, maxStarting),
		runs: make(map[string]*run),
	}
	e.watchers = changes.Feed[subject]{Lock: &e.mu, Present: e.present, Event: e.event}
	e.mu.Lock()
	err = errors.Join(e.openPath(cfg.Dir, filepath.Join(cfg.Dir, runsFolder)), e.load())
	e.mu.Unlock()
	if err != nil {
		cancel()
		e.group.Wait()
		return nil, errors.Join(fmt.Errorf("local engine: %w", err), lock.Close())
	}
	e.group.Go(e.work)
	return e, nil
}

// Close stops the engine. Tasks continue, and the folder's next engine adopts them. Watches and
// followed logs end.
func (e *Engine) Close() error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	e.mu.Unlock()
	e.cancel()
	e.group.Wait()
	return e.lock.Close()
}

var ErrClosed = errors.New("the local engine was closed")

// usable returns why a call can't be served, or nil.
func (e *Engine) usable(ctx context.Context) error {
	if e.ctx.Err() != nil {
		return ErrClosed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// onRun calls do with a run, if the engine can be used and has the run. It adds the failed operation to errors.
func (e *Engine) onRun(ctx context.Context, what, name string, do func(*run) error) error {
	err := e.usable(ctx)
	if err == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		if r := e.runs[name]; r != nil {
			err = do(r)
		} else {
			err = cloud.ErrNotFound
		}
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, name, err)
	}
	return nil
}

func (e *Engine) Capabilities() cloud.Capabilities {
	return cloud.Capabilities{Engine: cloud.EngineLocal, Version: e.cfg.Version, Suspend: true, Daemons: true, Logs: true, MaxShards: MaxShards}
}

func (e *Engine) again() { wake.Up(e.wake) }

func (e *Engine) work() {
	for {
		e.mu.Lock()
		wait := e.step(time.Now())
		e.mu.Unlock()
		select {
		case <-e.ctx.Done():
			return
		case <-e.wake:
		case <-time.After(wait):
		}
	}
}

func (e *Engine) command(folder, token string) *exec.Cmd {
	cmd := exec.Command(e.cfg.Shim[0], append(append([]string{}, e.cfg.Shim[1:]...), folder, token)...)
	cmd.Env = []string{"PATH=" + searchPath}
	cmd.Dir = folder
	cmd.SysProcAttr = shimAttributes()
	return cmd
}

// subject is the run or the task that an event is about. A forgotten run and a new one with its
// name are two subjects.
type subject struct {
	run  *run
	task *attempt // nil for the run itself
}

// changed queues a run or a task for all watchers. e.mu must be held.
func (e *Engine) changed(r *run, a *attempt) { e.watchers.Add(subject{r, a}) }

func (e *Engine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	if err := e.usable(ctx); err != nil {
		return fmt.Errorf("watch runs: %w", err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(e.ctx, func() { cancel(ErrClosed) })()
	return fmt.Errorf("watch runs: %w", e.watchers.Watch(ctx, report))
}

// present returns everything, each run before its tasks.
func (e *Engine) present() []cloud.TaskEvent {
	runs := slices.SortedFunc(maps.Values(e.runs), func(a, b *run) int {
		return cmp.Or(a.status.Created.Compare(b.status.Created), cmp.Compare(a.status.Name, b.status.Name))
	})
	var events []cloud.TaskEvent
	for _, r := range runs {
		events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status})
		for _, s := range r.shards {
			for _, a := range s.attempts {
				events = append(events, cloud.TaskEvent{Event: cloud.EventChanged, Run: r.status, Task: a.task})
			}
		}
	}
	return events
}

func (e *Engine) event(s subject) cloud.TaskEvent {
	event := cloud.TaskEvent{Event: cloud.EventChanged, Run: s.run.status}
	if e.runs[s.run.status.Name] != s.run || s.task != nil && s.task.removed {
		event.Event = cloud.EventRemoved
	}
	if s.task != nil {
		event.Task = s.task.task
	}
	return event
}
