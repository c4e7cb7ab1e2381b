package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/departure"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/gate"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/places"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/timers"
	"github.com/elasticjob-go/elasticjob/internal/build"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Causes of a shard's ended context; see context.Cause.
var (
	ErrStopping    = errors.New("the agent is stopping")
	ErrSessionLost = fmt.Errorf("another instance may own this shard now: %w", zk.ErrSessionLost)
	ErrShutdown    = errors.New("the job was shut down on this instance by an operator")
	ErrTimeout     = errors.New("the run exceeded the job's timeout")
	ErrBroken      = errors.New("the job is broken on this instance by a panic of the agent")
)

// ControlParallel is how many jobs of an agent do a control step at the same time. Jobs can't run
// before their first step. A server that has just started is slow to answer each request, and not
// slower with more of them.
const ControlParallel = 128

// Host has the parts that all jobs of one agent share.
type Host struct {
	Client   *zk.Client
	Tree     jobtree.Namespace
	IP       string
	Suffix   string // instance id suffix, made unique per job if the id is taken
	Hostname string
	Recorder tracing.Recorder
	History  *runhistory.History // nil if the recorder doesn't store requested runs
	Log      *slog.Logger

	// Now returns the wall time; nil means time.Now. Fire times and their records use it. Durations
	// use the monotonic clock.
	Now func() time.Time

	ScriptEnv []string // environment variables that scripts may see

	// Debug is a hold of each job for this process alone.
	Debug jobtree.Hold

	// MaxParallel limits the handlers that run at once in the process; 0 means no limit.
	MaxParallel int

	// Observe receives each observation; nil means none. It must not block.
	Observe func(Observation)
	// Plant is called at the beginning of each activity of a job; see WithPlant.
	Plant func(job, activity string)
	// Tracer makes a span for each run and each shard; nil means none.
	Tracer trace.Tracer

	Timers    *timers.Queue
	Gates     *gate.Gates
	Places    *places.Places // nil if there is no limit
	Admission timers.Admission
	announced runs.AgentData  // the same for all jobs
	Life      context.Context // ends when the agent has stopped; no ZooKeeper work after that
	end       context.CancelFunc
	Tasks     sync.WaitGroup

	present atomic.Pointer[map[string]bool] // jobs that were in the registry at the start

	Departures *departure.Departures

	pastMu sync.Mutex
	past   map[int64]bool // ids of all sessions of this process
}

func (e *Host) Time() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// Open prepares e for its jobs. Close ends everything that Open began.
func (e *Host) Open() {
	e.Life, e.end = context.WithCancel(context.Background())
	e.announced = e.describe()
	e.Timers = timers.New(e.Time)
	e.Gates = gate.New(e.Time)
	e.Places = places.New(e.MaxParallel)
	e.past = make(map[int64]bool)
	e.Departures = departure.New(e.Life, e.Log, e.Timers, e.Tasks.Go)
	e.Tasks.Go(func() { e.Timers.Run(e.Life) })
}

// Close stops the timers and every background task, and waits for them.
func (e *Host) Close() {
	e.end()
	e.Tasks.Wait()
}

func (e *Host) NoteSession(id int64) {
	e.pastMu.Lock()
	defer e.pastMu.Unlock()
	e.past[id] = true
}

// Ours reports whether a node belongs to a session that this process has or had.
func (e *Host) Ours(owner int64) bool {
	e.pastMu.Lock()
	defer e.pastMu.Unlock()
	return e.past[owner]
}

// Definition is a job as declared in code.
type Definition struct {
	Config  *jobconfig.Config
	Class   string // data of the job node; empty accepts any stored class
	Timeout time.Duration
	// EagerFailover takes shards of crashed instances even while the job runs here, and runs them
	// next to that run.
	EagerFailover bool
	Schema        []byte // of the parameters of requested runs; empty if unknown
	Handler       core.Handler
	Plugins       Plugins
}

type plantKey struct{}

// WithPlant returns a context under which an agent calls plant at the beginning of each activity of
// a job. Tests use it to plant a panic.
func WithPlant(ctx context.Context, plant func(job, activity string)) context.Context {
	return context.WithValue(ctx, plantKey{}, plant)
}

// PlantOf returns the function given to WithPlant, or nil.
func PlantOf(ctx context.Context) func(job, activity string) {
	plant, _ := ctx.Value(plantKey{}).(func(job, activity string))
	return plant
}

// Survey lists the jobs in the registry once, so that jobs that register next needn't check. It's
// only a hint: without an answer, and for later jobs, everything works as well.
func (e *Host) Survey(ctx context.Context) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return
	}
	present := make(map[string]bool, len(names))
	for _, name := range names {
		present[name] = true
	}
	e.present.Store(&present)
}

// Surveyed ends the time in which the list is used.
func (e *Host) Surveyed() { e.present.Store(nil) }

// Absent reports whether a job is known to have been missing from the registry just now.
func (e *Host) Absent(job string) bool {
	present := e.present.Load()
	return present != nil && !(*present)[job]
}

// Dialect returns the most common dialect among the namespace's jobs, or ElasticJob 3.0.4's if none
// shows one. Jobs that these credentials may not read don't count.
func (e *Host) Dialect(ctx context.Context) (jobconfig.Dialect, error) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil {
		return jobconfig.Dialect304, zk.Ignore(err, zk.ErrNoNode)
	}
	names = jobtree.DialectSample(names)
	documents := make([][]byte, len(names))
	err = nodes.Each(ctx, len(names), func(ctx context.Context, i int) (err error) {
		documents[i], _, err = e.Client.Get(ctx, e.Tree.Job(names[i]).Config())
		return zk.Ignore(err, zk.ErrNoNode, zk.ErrNoAuth)
	})
	dialect, _ := jobtree.CommonDialect(documents)
	return dialect, err
}

// Announcement returns the data for a new node of this agent. From such nodes leaders learn which
// instances keep fire records, and stewards which instances take requested runs.
func (e *Host) Announcement() []byte {
	data := e.announced
	data.Clock = e.Time()
	return data.Encode()
}

func (e *Host) describe() runs.AgentData {
	return runs.AgentData{
		TakesRuns: true, Backfills: true, Debug: e.Debug.What, MaxParallel: e.MaxParallel,
		NoRecorder: e.Recorder == tracing.Discard, Zone: localZone(), Version: build.Library(), Started: e.Time(),
	}
}

// localZone returns the name of the process's time zone, or "" if only its rules are known.
func localZone() string {
	if name := time.Local.String(); name != "Local" {
		return name
	}
	path, err := os.Readlink("/etc/localtime")
	if err != nil {
		return ""
	}
	_, name, _ := strings.Cut(path, "zoneinfo/")
	return name
}
