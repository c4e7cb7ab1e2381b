package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
)

const (
	// MaxShards is how many shards a run may have: each is two processes.
	MaxShards = 1000
	// maxRuns is how many runs the engine has at most, until some are forgotten.
	maxRuns = 100_000
	// defaultBackoff is the pause before the second attempt; each further one doubles it.
	defaultBackoff = 10 * time.Second
	maxBackoff     = 6 * time.Minute
	// defaultGrace is how long a program may take to end after SIGTERM.
	defaultGrace = 30 * time.Second
	// maxStarting is how many shims are being started at the same time.
	maxStarting = 8
	// maxNode is how much of a machine's name fits into the history.
	maxNode = 50
)

// Config says where an engine works and what it may start.
type Config struct {
	// Dir is the engine's folder, which it makes. Required. One engine at a time uses it.
	Dir string
	// Apps is the folder below which programs lie. Empty: nothing may be started.
	Apps string
	// Account is the user that programs run as, for which this process has to be root. If nil, they run
	// as its own user, and can read and change its files.
	Account *Account
	// Archives fetches those of applications. The zero value refuses them.
	Archives archive.Fetcher
	// CPU and MemoryMB are what runs may declare together. Zero means what the machine has.
	CPU, MemoryMB float64
	// Shim is the command line by which this program calls [Shim]; the folder of an
	// attempt and a token are appended. Required.
	Shim []string
	// Node is the name of this machine in the history, of at most 50 bytes. Defaults to
	// its host name. IP is its address there; defaults to 127.0.0.1.
	Node, IP string
	// Backoff is the pause before the second attempt at a shard; each further one doubles
	// it, up to six minutes. The process of a DAEMON begins again after a tenth of it, which
	// doubles up to five minutes. Defaults to 10 s.
	Backoff time.Duration
	// Zone is that of DAEMON jobs that name none; nil is UTC.
	Zone *time.Location
	// EventsURL is where the processes of DAEMON jobs report their runs. Empty: they do not.
	EventsURL string
	// Version is shown to people.
	Version string
	// Logger is [slog.Default] if nil.
	Logger *slog.Logger
}

// Account is a user of this machine with its groups.
type Account struct {
	UID, GID uint32
	Groups   []uint32
}

func (cfg Config) withDefaults() (Config, error) {
	var errs []error
	if cfg.Dir == "" {
		errs = append(errs, errors.New("Dir is empty, want a folder for the runs"))
	}
	if len(cfg.Shim) == 0 || cfg.Shim[0] == "" {
		errs = append(errs, errors.New("Shim is empty, want the command that calls the shim"))
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
	cfg.Backoff, cfg.IP = cmp.Or(cfg.Backoff, defaultBackoff), cmp.Or(cfg.IP, "127.0.0.1")
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
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return cfg, errors.Join(errs...)
}

// Engine is a [cloud.Engine] of processes on this host. Make one with Open and end it with
// Close, which ends no task.
type Engine struct {
	cfg  Config
	lock *os.File
	boot string
	// secret makes the tokens of the processes of DAEMON jobs.
	secret []byte

	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	group    sync.WaitGroup
	wake     chan struct{}
	starting chan struct{} // a token for each shim that is being started

	launching sync.Mutex
	fetches   fetches

	mu       sync.Mutex
	closed   bool
	runs     map[string]*run
	queue    []*run // those that have not ended, in the order of their launch
	watchers map[*watcher]struct{}
}

var (
	_ cloud.Engine    = (*Engine)(nil)
	_ cloud.Reporters = (*Engine)(nil)
)

// run is a run that the engine has.
type run struct {
	folder string
	file   runFile
	state  stateFile
	status cloud.RunStatus
	shards []*shard
	// admitted: its shards are counted as used.
	admitted bool
	// busy counts attempts that are being started or have a process.
	busy int
}

// shard is one shard of a run.
type shard struct {
	number   int
	attempts []*attempt
	// outcome is the state that counts in the end; "" before.
	outcome cloud.State
	message string
	retryAt time.Time // zero if it waits for nothing
}

// attempt is one task.
type attempt struct {
	folder string
	task   cloud.Task
	phase  phase
	shim   claimFile
	// stop is why it is being ended.
	stop *cloud.Ending
	// unfetch ends the waiting for its archive; nil if it does not wait.
	unfetch context.CancelFunc
	// version is that of what its program was started as; see [runFile].
	version string
	// removed: what is left of it is, while its run goes on.
	removed bool
}

// phase is where an attempt stands.
type phase int

const (
	waiting  phase = iota // for the admission of its run
	launched              // its shim is being started, or lives
	over
)

// Open starts an engine: it adopts what an earlier one has left. The error says what is
// wrong with cfg, or that another engine uses the folder.
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
		runs: make(map[string]*run), watchers: make(map[*watcher]struct{}),
	}
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

// Close stops the engine. Tasks go on, and the next engine of the folder adopts them.
// Watches and logs that are being followed end.
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

// ErrClosed is what an engine answers after Close.
var ErrClosed = errors.New("the local engine was closed")

// usable reports why a call cannot be served.
func (e *Engine) usable(ctx context.Context) error {
	if e.ctx.Err() != nil {
		return ErrClosed
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// Capabilities implements [cloud.Engine].
func (e *Engine) Capabilities() cloud.Capabilities {
	return cloud.Capabilities{Engine: cloud.EngineLocal, Version: e.cfg.Version, Suspend: true, Daemons: true, Logs: true, MaxShards: MaxShards}
}

// again has the engine look for something to do.
func (e *Engine) again() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// work starts what may start, until Close.
func (e *Engine) work() {
	for {
		e.mu.Lock()
		wait := e.step(time.Now())
		e.mu.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-e.ctx.Done():
			timer.Stop()
			return
		case <-e.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// command is the shim for an attempt.
func (e *Engine) command(folder, token string) *exec.Cmd {
	cmd := exec.Command(e.cfg.Shim[0], append(append([]string{}, e.cfg.Shim[1:]...), folder, token)...)
	cmd.Env = []string{"PATH=" + searchPath}
	cmd.Dir = folder
	cmd.SysProcAttr = shimAttributes()
	return cmd
}
