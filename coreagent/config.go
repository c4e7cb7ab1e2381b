package coreagent

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"go.opentelemetry.io/otel/trace"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Config configures an [Agent]. The zero value of each field except Namespace and ZooKeeper.Servers
// is its default.
type Config struct {
	// Namespace is the path prefix of all jobs, such as "billing". All processes that serve a job
	// use the same one. Required.
	Namespace string

	// ZooKeeper has the settings of the registry. Servers is required. A program that also operates
	// jobs passes ZooKeeper and Namespace to [registry.Open].
	ZooKeeper registry.ZooKeeper

	// Address is the IP that this process announces. Operators see it and disable servers by it. By default
	// [New] chooses it once: the address selected by Interface and AddressPattern; without them ElasticJob's
	// choice, the first address of the last network interface that is up and not loopback, with bridges of
	// container engines last and IPv6 after IPv4; and 127.0.0.1 on a machine without a network.
	Address string

	// Interface is the name of the network interface with the address to announce, such as "eth0".
	// Defaults to any. Java's agents have the system property
	// elasticjob.preferred.network.interface for it.
	Interface string

	// AddressPattern restricts the announced address: a network such as "10.1.0.0/16", the beginning
	// of an address such as "10.1.", or a regular expression for the whole address. Defaults to any.
	// Java's agents have the system property elasticjob.preferred.network.ip for it.
	AddressPattern string

	// InstanceSuffix is the part of the instance id after "@-@". It must be unique per address. Defaults
	// to the process id, as in Java, or to a unique text in a container, where the process id is 1.
	InstanceSuffix string

	// Program names this program as the origin of the runs that it requests. At most 100
	// characters. Defaults to the name of its executable.
	Program string

	// Tracing receives events about runs. Defaults to [tracing.Discard]. At the end of [Agent.Stop]
	// the agent closes a [tracing.AgentRecorder], such as rdb.Recorder; the caller closes any
	// other, such as [tracing.Async], which agents may share. Events that can't be written in time
	// are lost, which is logged but doesn't change the error of Stop.
	Tracing tracing.Recorder

	// RunLog limits the log lines that [Shard.Log] and [LogHandler] send to the history of runs. It
	// needs a Tracing that is a [tracing.RunRecorder], such as [tracing.Async].
	RunLog RunLog

	// Observer is notified of the agent's actions, for metrics. Defaults to none, which costs nothing.
	Observer Observer

	// Now returns the wall clock's time, for tests. It decides when the job fires and is recorded with each
	// run; durations use the monotonic clock. It may be called from any goroutine. Defaults to [time.Now].
	Now func() time.Time

	// TracerProvider makes an OpenTelemetry span of each run and, within it, of each shard; the
	// handler gets its context. It should export in batches, because a run waits for its processors
	// when a span begins or ends. Defaults to none, not to the global one.
	TracerProvider trace.TracerProvider

	// Logger receives the agent's own log. Defaults to [slog.Default].
	Logger *slog.Logger

	// Strict makes [Agent.Start] fail if any job is refused. By default the agent serves the
	// others; see [Agent.Refused].
	Strict bool

	// DrainTimeout is how long [Agent.Run] lets running shards finish after its context ends,
	// before it cancels them. Defaults to 30 seconds; at most 365 days.
	DrainTimeout time.Duration

	// MaxParallel limits the handlers that run at once in this process, over all its jobs. Others
	// wait in order of arrival, marked as running. The wait counts as lateness, not towards a
	// timeout. A requested run for a single shard isn't claimed during the wait, so that other
	// processes can take it. A handler that waits for another run while all places are taken waits
	// forever. Defaults to no limit; at most 100,000.
	MaxParallel int

	// Debug keeps this process from starting runs by itself: for fire times, for requests not made
	// by a person, or both. It still gets its share of the shards, so only use it in a separate
	// namespace. Defaults to [DebugOff].
	Debug Debug

	// Executors, Strategies, ErrorHandlers and Listeners are the program's own, for stored
	// configurations that name them although the declaration of their job doesn't have them. All
	// processes of such a job must have them.
	Executors     []Executor
	Strategies    []Strategy
	ErrorHandlers []ErrorHandler
	Listeners     []Listener

	// Types are the program's own job types by the name that [Job.Type] asks for: a handler that
	// serves many jobs, each configured by its properties.
	Types map[string]Handler

	// ScriptEnv are the names of this process's environment variables that SCRIPT jobs inherit, in addition
	// to PATH, HOME, LANG, TZ and the like: "NAME", "PREFIX_*" or "*" for all. Defaults to none, because
	// users who may edit a job's command line or read its history should not read the secrets of the process.
	ScriptEnv []string

	// Dump configures a support service that shows a job's nodes in ZooKeeper. It's off unless it has a port.
	Dump Dump
}

// Dump configures the snapshot service. A client that sends the line "dump@<job>" gets that job's
// nodes as text, with addresses and secrets masked, as in ElasticJob. It has no access control.
type Dump struct {
	// Host is the address to listen on. Defaults to 127.0.0.1.
	Host string
	// Port is the port to listen on. 0 turns the service off. -1 takes a free port, which
	// [Agent.DumpAddr] returns.
	Port int
}

// maxDrain is the longest DrainTimeout.
const maxDrain = 365 * 24 * time.Hour

// Debug keeps a process from starting runs by itself.
type Debug = jobrun.Held

const (
	DebugOff      = Debug("")
	DebugSchedule = jobrun.HeldSchedule // fire times pass
	DebugRequests = jobrun.HeldRequests // requested runs wait, unless a person asked for them
	DebugAll      = jobrun.HeldAll
)

// maxName is the length in characters of a title and of a program's or a person's name.
const maxName = 100

// checkName returns an error if a displayed name is too long or not one line.
func checkName(name string) error {
	switch {
	case !utf8.ValidString(name), strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%q isn't one line of text", name)
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("%d characters; at most %d", utf8.RuneCountInString(name), maxName)
	}
	return nil
}

// programName returns the name of the executable in a form that checkName allows.
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

const maxParallel = 100_000

func (cfg Config) hold() jobtree.Hold {
	if cfg.Debug == DebugOff {
		return jobtree.Hold{}
	}
	return jobtree.Hold{What: cfg.Debug, By: "this process", Reason: "Config.Debug"}
}

// Validate returns all problems of cfg joined, or nil. Each names its field and the allowed values.
// [New] calls it.
func (cfg Config) Validate() error {
	var p problems
	_, err := jobtree.NewNamespace(cfg.Namespace)
	p.field("Namespace", err)
	p.field("ZooKeeper", cfg.ZooKeeper.Validate())
	p.when(cfg.Address != "" && net.ParseIP(cfg.Address) == nil, "Address: %q is not an IP address", cfg.Address)
	lines, bytes := cfg.RunLog.Lines, cfg.RunLog.Bytes
	p.when(lines < -1 || lines > maxLogLines, "RunLog.Lines: %d is not allowed; want -1 to %d", lines, maxLogLines)
	p.when(bytes < 0 || bytes > maxLogBytes, "RunLog.Bytes: %d is not allowed; want 0 to %d", bytes, maxLogBytes)
	p.field("Program", checkName(cfg.Program))
	p.when(cfg.MaxParallel < 0 || cfg.MaxParallel > maxParallel, "MaxParallel: %d is not allowed; want 0 to %d", cfg.MaxParallel, maxParallel)
	p.when(!slices.Contains([]Debug{DebugOff, DebugSchedule, DebugRequests, DebugAll}, cfg.Debug),
		"Debug: %q is not allowed; want schedule, requests or all", cfg.Debug)
	p.when(cfg.Address != "" && cfg.Interface != "", "Interface: %q has no effect, because Address is %s", cfg.Interface, cfg.Address)
	p.when(cfg.Address != "" && cfg.AddressPattern != "",
		"AddressPattern: %q has no effect, because Address is %s", cfg.AddressPattern, cfg.Address)
	_, err = addressWish{nic: cfg.Interface, pattern: cfg.AddressPattern}.matcher()
	p.add(err)
	p.when(strings.ContainsAny(cfg.InstanceSuffix, "/") || strings.Contains(cfg.InstanceSuffix, "@-@"),
		"InstanceSuffix: %q contains / or @-@", cfg.InstanceSuffix)
	p.when(cfg.DrainTimeout < 0 || cfg.DrainTimeout > maxDrain, "DrainTimeout: %v is outside 0 to %v", cfg.DrainTimeout, maxDrain)
	p.add(checkScriptEnv(cfg.ScriptEnv))
	p.when(cfg.Dump.Port < -1 || cfg.Dump.Port > 65535,
		"Dump.Port: %d is not allowed; want 1 to 65535, 0 for none, or -1 for any free port", cfg.Dump.Port)
	p.add(cfg.checkRegistered())
	return errors.Join(p...)
}

// problems are the errors of a configuration or a declaration.
type problems []error

func (p *problems) add(err error) { *p = append(*p, err) }

// field adds the error of a field, if there is one.
func (p *problems) field(name string, err error) {
	if err != nil {
		p.add(fmt.Errorf("%s: %w", name, err))
	}
}

func (p *problems) when(wrong bool, format string, args ...any) {
	if wrong {
		p.add(fmt.Errorf(format, args...))
	}
}

func (cfg Config) client() zk.Config {
	return zk.Config{
		Servers: cfg.ZooKeeper.Servers, Digest: cfg.ZooKeeper.Digest,
		SessionTimeout: cfg.ZooKeeper.SessionTimeout, ConnectTimeout: cfg.ZooKeeper.ConnectTimeout,
		Dial: cfg.ZooKeeper.Dial, TLS: cfg.ZooKeeper.TLS, ACL: zk.ACL(cfg.ZooKeeper.ACL), Logger: cfg.Logger,
	}
}

// scope is the instrumentation scope of spans.
const scope = "github.com/elasticjob-go/elasticjob/coreagent"

func (cfg Config) tracer() trace.Tracer {
	if cfg.TracerProvider == nil {
		return nil
	}
	return cfg.TracerProvider.Tracer(scope)
}

func (cfg Config) withDefaults() Config {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.InstanceSuffix == "" && os.Getpid() == 1 {
		cfg.InstanceSuffix = uniqueSuffix()
	}
	cfg.InstanceSuffix = cmp.Or(cfg.InstanceSuffix, strconv.Itoa(os.Getpid()))
	cfg.Program = cmp.Or(cfg.Program, programName(os.Args))
	cfg.Tracing = cmp.Or[tracing.Recorder](cfg.Tracing, tracing.Discard)
	cfg.Logger = cmp.Or(cfg.Logger, slog.Default())
	cfg.DrainTimeout = cmp.Or(cfg.DrainTimeout, 30*time.Second)
	return cfg
}
