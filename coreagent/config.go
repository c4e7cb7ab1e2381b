package coreagent

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.opentelemetry.io/otel/trace"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Config configures an [Agent]. The zero value of each field but Namespace and
// ZooKeeper.Servers is its default.
type Config struct {
	// Namespace is the path prefix of all jobs, such as "billing". All
	// processes that serve a job use the same one. Required.
	Namespace string

	// ZooKeeper says where the registry is. Servers is required. A program
	// that operates jobs, too, gives ZooKeeper and Namespace to [registry.Open].
	ZooKeeper registry.ZooKeeper

	// Address is the IP this process announces; operators see it and disable
	// servers by it. Defaults to the address that Interface and AddressPattern
	// say; without them to the first address of the last network interface that
	// is up and not loopback, ElasticJob's choice, where bridges of container
	// engines come after all others and IPv6 after IPv4; and to 127.0.0.1 on a
	// machine without a network. It is chosen once, by [New].
	Address string

	// Interface is the name of the network interface whose address is announced,
	// such as "eth0". Defaults to any. Java's agents have the system property
	// elasticjob.preferred.network.interface for it.
	Interface string

	// AddressPattern is what the announced address must fit: a network such as
	// "10.1.0.0/16", the beginning of an address such as "10.1.", or a regular
	// expression for the whole address. Defaults to any. Java's agents have the
	// system property elasticjob.preferred.network.ip for it.
	AddressPattern string

	// InstanceSuffix is the part of the instance id after "@-@". It must be
	// unique per address. Defaults to the process id, as in Java; to a unique
	// text in a container, where the process id is 1.
	InstanceSuffix string

	// Program is how this program is named as the origin of the runs that it requests.
	// At most 100 characters. Defaults to the name of its executable.
	Program string

	// Tracing receives what runs. Defaults to [tracing.Discard]. At the end of [Agent.Stop] the
	// agent closes a [tracing.AgentRecorder], such as rdb.Recorder; the caller closes any other,
	// such as [tracing.Async], which agents may share. Events that can't be written in time
	// are lost, which is logged and doesn't change the error of Stop.
	Tracing tracing.Recorder

	// RunLog bounds what [Shard.Log] and [LogHandler] send to the history of runs. It
	// needs a Tracing that is a [tracing.RunRecorder], such as [tracing.Async].
	RunLog RunLog

	// Observer is notified of what the agent does, for metrics. Defaults to nobody,
	// which costs nothing.
	Observer Observer

	// Now returns the wall clock's time, for tests. It decides when the job fires and is recorded
	// with each run; durations use the monotonic clock. It may be called from any goroutine.
	// Defaults to [time.Now].
	Now func() time.Time

	// TracerProvider makes an OpenTelemetry span of each run and, within it, of
	// each shard, whose context is handed to the handler. It should export in
	// batches: what its processors do when a span begins or ends, a run waits
	// for. Defaults to none, and not to the global one.
	TracerProvider trace.TracerProvider

	// Logger receives what the agent does on its own. Defaults to
	// [slog.Default].
	Logger *slog.Logger

	// Strict makes [Agent.Start] fail if any job is refused. By default the agent serves
	// the others; see [Agent.Refused].
	Strict bool

	// DrainTimeout is how long [Agent.Run] lets running shards finish when its
	// context ends, before it cancels them. Defaults to 30 seconds; at most 365
	// days.
	DrainTimeout time.Duration

	// MaxParallel is how many handlers run at once in this process, of all its jobs
	// together. Others wait in the order of their arrival, marked as running, and the
	// wait counts as lateness, not for a time-out; a requested run that one shard has
	// to itself is not claimed meanwhile, so that other processes may. A handler that
	// waits for another run while all places are taken waits for ever. Defaults to no
	// limit; at most 100,000.
	MaxParallel int

	// Debug keeps this process from beginning on its own: fire times, requested runs
	// that no person asked for, or both. It still takes its share of the shards, so it
	// is for a namespace of one's own. Defaults to [DebugOff].
	Debug Debug

	// Executors are thread pools of the user's own, by the name that [Job.Executor] asks for:
	// how many shards of a job run side by side on an instance, 1 to 100,000. As in
	// ElasticJob, each job that asks for a name has a pool of its own; MaxParallel bounds
	// all jobs together. All processes of a job must know the name. Java agents need a
	// JobExecutorThreadPoolSizeProvider of that type, before 3.0.5 a
	// JobExecutorServiceHandler. Defaults to none, so that jobs can ask for CPU and
	// SINGLE_THREAD.
	Executors map[string]int

	// Strategies are sharding strategies of the user's own, by the name that
	// [Job.Strategy] asks for. All processes of a job must know them; Java
	// agents need one of the same name.
	Strategies map[string]Strategy

	// ErrorHandlers are error handlers of the user's own, by the name that
	// [Job.ErrorHandler] asks for.
	ErrorHandlers map[string]ErrorHandler

	// Listeners are notified before and after each run of a job on this instance,
	// by the names that [Job.Listeners] asks for.
	Listeners map[string]Listener

	// OnceListeners are notified once per run of the whole job. Their names are
	// those of Listeners: one name means one listener.
	OnceListeners map[string]OnceListener

	// Types are job types of the user's own, by the name that [Job.Type] asks
	// for: a handler that serves many jobs, each configured by its properties.
	Types map[string]Handler

	// ScriptEnv are the names of environment variables of this process that
	// SCRIPT jobs inherit, beside PATH, HOME, LANG, TZ and the like: "NAME",
	// "PREFIX_*" or "*" for all. Defaults to none: who may edit a job's command
	// line, or reads its history, is not to read the secrets of the process.
	ScriptEnv []string

	// Dump is a service that tells what ZooKeeper holds of a job, for support.
	// It is off unless it has a port.
	Dump Dump
}

// Dump configures the snapshot service: who connects and sends the line
// "dump@<job>" gets the nodes of that job as text, with addresses and secrets
// masked, as from ElasticJob's. It has no access control.
type Dump struct {
	// Host is the address to listen on. Defaults to 127.0.0.1.
	Host string
	// Port to listen on. 0 turns the service off, -1 takes a free port, which
	// [Agent.DumpAddr] tells.
	Port int
}

// maxDrain is the longest DrainTimeout.
const maxDrain = 365 * 24 * time.Hour

// Debug says what a process does not begin on its own.
type Debug string

// The choices.
const (
	DebugOff      Debug = ""
	DebugSchedule Debug = "schedule" // fire times pass
	DebugRequests Debug = "requests" // requested runs wait, unless a person asked for them
	DebugAll      Debug = "all"
)

// maxName is how many characters a title and the name of a program or a person may have.
const maxName = 100

// checkName returns an error for a name that people read if it's too long or not one line.
func checkName(name string) error {
	switch {
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q isn't one line of text", name)
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("%d characters; at most %d", utf8.RuneCountInString(name), maxName)
	}
	return nil
}

// programName returns the name of the executable, as checkName allows it.
func programName(args []string) string {
	if len(args) == 0 {
		return "program"
	}
	name := strings.ToValidUTF8(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, filepath.Base(args[0])), "")
	return string([]rune(name)[:min(len([]rune(name)), maxName)])
}

// maxParallel is the largest MaxParallel.
const maxParallel = 100_000

// hold is what the process holds of each job.
func (cfg Config) hold() jobtree.Hold {
	if cfg.Debug == DebugOff {
		return jobtree.Hold{}
	}
	return jobtree.Hold{What: string(cfg.Debug), By: "this process", Reason: "Config.Debug"}
}

// Validate returns all problems of cfg joined, each naming its field and what
// is allowed; nil if there is none. [New] calls it.
func (cfg Config) Validate() error {
	var errs []error
	if _, err := jobtree.NewNamespace(cfg.Namespace); err != nil {
		errs = append(errs, fmt.Errorf("Namespace: %w", err))
	}
	if err := cfg.ZooKeeper.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("ZooKeeper: %w", err))
	}
	if cfg.Address != "" && net.ParseIP(cfg.Address) == nil {
		errs = append(errs, fmt.Errorf("Address: %q is not an IP address", cfg.Address))
	}
	errs = append(errs, cfg.RunLog.check())
	if err := checkName(cfg.Program); err != nil {
		errs = append(errs, fmt.Errorf("Program: %w", err))
	}
	if cfg.MaxParallel < 0 || cfg.MaxParallel > maxParallel {
		errs = append(errs, fmt.Errorf("MaxParallel: %d is not allowed; want 0 to %d", cfg.MaxParallel, maxParallel))
	}
	switch cfg.Debug {
	case DebugOff, DebugSchedule, DebugRequests, DebugAll:
	default:
		errs = append(errs, fmt.Errorf("Debug: %q is not allowed; want schedule, requests or all", cfg.Debug))
	}
	wish := addressWish{nic: cfg.Interface, pattern: cfg.AddressPattern}
	if cfg.Address != "" && cfg.Interface != "" {
		errs = append(errs, fmt.Errorf("Interface: %q is of no use, Address says %s", cfg.Interface, cfg.Address))
	}
	if cfg.Address != "" && cfg.AddressPattern != "" {
		errs = append(errs, fmt.Errorf("AddressPattern: %q is of no use, Address says %s", cfg.AddressPattern, cfg.Address))
	}
	if _, err := wish.matcher(); err != nil {
		errs = append(errs, err)
	}
	if strings.ContainsAny(cfg.InstanceSuffix, "/") || strings.Contains(cfg.InstanceSuffix, "@-@") {
		errs = append(errs, fmt.Errorf("InstanceSuffix: %q contains / or @-@", cfg.InstanceSuffix))
	}
	if cfg.DrainTimeout < 0 || cfg.DrainTimeout > maxDrain {
		errs = append(errs, fmt.Errorf("DrainTimeout: %v is outside 0 to %v", cfg.DrainTimeout, maxDrain))
	}
	if err := checkScriptEnv(cfg.ScriptEnv); err != nil {
		errs = append(errs, err)
	}
	if cfg.Dump.Port < -1 || cfg.Dump.Port > 65535 {
		errs = append(errs, fmt.Errorf("Dump.Port: %d is not allowed; want 1 to 65535, 0 for none, or -1 for any free port", cfg.Dump.Port))
	}
	return errors.Join(append(errs, cfg.checkRegistered())...)
}

func (cfg Config) client() zk.Config {
	return zk.Config{
		Servers: cfg.ZooKeeper.Servers, Digest: cfg.ZooKeeper.Digest,
		SessionTimeout: cfg.ZooKeeper.SessionTimeout, ConnectTimeout: cfg.ZooKeeper.ConnectTimeout,
		Dial: cfg.ZooKeeper.Dial, TLS: cfg.ZooKeeper.TLS, ACL: zk.ACL(cfg.ZooKeeper.ACL), Logger: cfg.Logger,
	}
}

// scope is the name under which spans are made.
const scope = "github.com/elasticjob-go/elasticjob/coreagent"

func (cfg Config) tracer() trace.Tracer {
	if cfg.TracerProvider == nil {
		return nil
	}
	return cfg.TracerProvider.Tracer(scope)
}

func (cfg Config) withDefaults() Config {
	cfg.Executors = maps.Clone(cfg.Executors)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.InstanceSuffix == "" {
		cfg.InstanceSuffix = strconv.Itoa(os.Getpid())
		if os.Getpid() == 1 {
			cfg.InstanceSuffix = uniqueSuffix()
		}
	}
	if cfg.Program == "" {
		cfg.Program = programName(os.Args)
	}
	if cfg.Tracing == nil {
		cfg.Tracing = tracing.Discard
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.DrainTimeout == 0 {
		cfg.DrainTimeout = 30 * time.Second
	}
	return cfg
}
