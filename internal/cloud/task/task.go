package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/internal/commandline"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The variables. Engines set them, applications can't.
const (
	JobName         = "ELASTICJOB_JOB_NAME"
	AppName         = "ELASTICJOB_APP_NAME"
	Run             = "ELASTICJOB_RUN"
	Item            = "ELASTICJOB_ITEM"
	Total           = "ELASTICJOB_SHARDING_TOTAL_COUNT"
	ItemParameters  = "ELASTICJOB_SHARDING_ITEM_PARAMETERS"
	Parameter       = "ELASTICJOB_SHARDING_PARAMETER"
	JobParameter    = "ELASTICJOB_JOB_PARAMETER"
	Props           = "ELASTICJOB_PROPS"
	RunParameters   = "ELASTICJOB_RUN_PARAMETERS"
	ScheduledAt     = "ELASTICJOB_SCHEDULED_AT"
	ExecutionType   = "ELASTICJOB_EXECUTION_TYPE"
	Attempt         = "ELASTICJOB_ATTEMPT"
	TaskID          = "ELASTICJOB_TASK_ID"
	Node            = "ELASTICJOB_NODE"
	TerminationPath = "ELASTICJOB_TERMINATION_MESSAGE_PATH"

	// Only for DAEMON jobs: the schedule, the sampling of reports, their address, and the file with
	// the token. The token is read for each report, because Kubernetes renews it.

	Cron            = "ELASTICJOB_CRON"
	TimeZone        = "ELASTICJOB_TIME_ZONE"
	StartTime       = "ELASTICJOB_START_TIME"
	EndTime         = "ELASTICJOB_END_TIME"
	ClockChange     = "ELASTICJOB_CLOCK_CHANGE"
	Misfire         = "ELASTICJOB_MISFIRE"
	EventSampling   = "ELASTICJOB_EVENT_SAMPLING"
	EventsURL       = "ELASTICJOB_EVENTS_URL"
	EventsTokenFile = "ELASTICJOB_EVENTS_TOKEN_FILE" //nolint:gosec // The name of a variable.
	// ReadyPort is the port for readiness checks, if the engine makes them.
	ReadyPort = "ELASTICJOB_READY_PORT"

	// On Kubernetes all pods share one template, so some values are computed from others.

	// Index is the number of the pod. ShardList has the shards if not all run.
	Index     = "ELASTICJOB_INDEX"
	ShardList = "ELASTICJOB_ITEMS"
	// PodUID is used for the task id if a pod has to look up its shard.
	PodUID = "ELASTICJOB_POD_UID"
	// Failures and IgnoredFailures are the Job controller's annotations with the number of an
	// index's failed pods.
	Failures        = "ELASTICJOB_FAILURES"
	IgnoredFailures = "ELASTICJOB_IGNORED_FAILURES"
)

// Limits as in package cloud, which refuses larger values.
const (
	MaxName       = 100
	MaxShards     = 100_000
	MaxParameters = 64 << 10
	MaxText       = 96 << 10

	maxWord     = 1000 // bytes of a task id or the name of a run or a machine
	maxAttempts = 1_000_000
	maxShown    = 100 // bytes of a value in an error
	maxProblem  = 300 // bytes of another package's message in an error
	// tokenAttempts is how many attempts a fencing token can distinguish.
	tokenAttempts = 1000
)

// Task is one shard of a run, read from the environment.
type Task struct {
	Job, Run, ID string
	Item, Total  int
	JobParameter string
	// Parameter is the shard's own. HasParameter distinguishes empty from absent.
	Parameter    string
	HasParameter bool
	Props        map[string]string
	// RunParameters of a requested run are one JSON object, else nil.
	RunParameters json.RawMessage
	// ScheduledAt is the run's fire time, zero for a process with its own schedule.
	ScheduledAt time.Time
	// Attempt counts from 1.
	Attempt int
	// Daemon is the schedule of a DAEMON job's process, else nil. Misfired means that its run makes
	// up for missed fire times.
	Daemon   *Daemon
	Misfired bool
}

// FencingToken grows with each fire time and each attempt at the shard: 1000 times the fire time's
// Unix second, plus the attempt. It stops growing at the 999th attempt.
func (t Task) FencingToken() int64 {
	return t.ScheduledAt.Unix()*tokenAttempts + int64(min(t.Attempt, tokenAttempts-1))
}

// Manual reports whether the run was requested. Only names of fire times end in a number.
func (t Task) Manual() bool {
	own := strings.TrimPrefix(t.Run[strings.LastIndexByte(t.Run, '-')+1:], "y")
	return strings.HasPrefix(own, "x") || t.RunParameters != nil
}

// Exit codes of sysexits.h. Engines don't retry after them.
const (
	ExitUsage  = 64 // EX_USAGE: the environment is wrong
	ExitConfig = 78 // EX_CONFIG: the job's configuration is wrong
)

type Error struct {
	Variable string
	Problem  string
	// Config means that the value comes from the job's configuration.
	Config bool
}

func (e *Error) Error() string { return e.Variable + " " + e.Problem }

// ExitCode returns the exit code for an error of [Read].
func ExitCode(err error) int {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, part := range joined.Unwrap() {
			if ExitCode(part) == ExitUsage {
				return ExitUsage
			}
		}
		return ExitConfig
	}
	if problem, ok := errors.AsType[*Error](err); ok && problem.Config {
		return ExitConfig
	}
	return ExitUsage
}

// Lookup returns a variable from an environment in the form of [os.Environ]. The last one of a name
// wins. An empty value counts as absent.
func Lookup(env []string, name string) string {
	value := ""
	for _, pair := range env {
		if n, v, ok := strings.Cut(pair, "="); ok && n == name {
			value = v
		}
	}
	return value
}

type reader struct {
	env  map[string]string
	errs []error
}

func newReader(env []string) *reader {
	r := &reader{env: make(map[string]string)}
	for _, pair := range env {
		if name, value, ok := strings.Cut(pair, "="); ok && strings.HasPrefix(name, "ELASTICJOB_") {
			r.env[name] = value
		}
	}
	return r
}

// Read reads a task. The error joins all problems, each an [*Error].
func Read(env []string) (Task, error) {
	r := newReader(env)
	daemon := r.executionType()
	t := Task{
		Job: r.text(JobName, MaxName*utf8.UTFMax, true), Run: r.text(Run, maxWord, false),
		Total: r.number(Total, 1, MaxShards, 0), JobParameter: r.text(JobParameter, MaxText, false),
		Attempt: r.attempt(),
	}
	if utf8.RuneCountInString(t.Job) > MaxName {
		r.refuse(JobName, "has %d characters, want at most %d", utf8.RuneCountInString(t.Job), MaxName)
	}
	t.Item = r.item(t.Total)
	t.ID = r.taskID(t)
	r.documents(&t)
	if daemon {
		t.Daemon = r.daemon(t)
		return t, errors.Join(r.errs...)
	}
	t.ScheduledAt = r.instant()
	r.runParameters(&t)
	return t, errors.Join(r.errs...)
}

func (r *reader) refuse(variable, format string, args ...any) {
	r.errs = append(r.errs, &Error{Variable: variable, Problem: fmt.Sprintf(format, args...)})
}

func (r *reader) absent(variable string) {
	r.refuse(variable, "is not set; the scheduler sets it for each shard of a run")
}

func (r *reader) text(name string, most int, required bool) string {
	switch value := r.env[name]; {
	case value == "" && required:
		r.absent(name)
	case len(value) > most:
		r.refuse(name, "has %d bytes, want at most %d", len(value), most)
	case !utf8.ValidString(value):
		r.refuse(name, "is not valid UTF-8")
	default:
		return value
	}
	return ""
}

// number reads an integer. It's required if otherwise is less than least.
func (r *reader) number(name string, least, most, otherwise int) int {
	value := r.env[name]
	if value == "" {
		if otherwise < least {
			r.absent(name)
		}
		return otherwise
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		r.refuse(name, "is %q, want a whole number from %d to %d", shown(value), least, most)
		return otherwise
	}
	return n
}

func (r *reader) executionType() (daemon bool) {
	value := r.env[ExecutionType]
	if value != "" && value != "TRANSIENT" && value != "DAEMON" {
		r.refuse(ExecutionType, "is %q, want TRANSIENT or DAEMON", shown(value))
	}
	return value == "DAEMON"
}

func (r *reader) instant() time.Time {
	value := r.env[ScheduledAt]
	if value == "" {
		r.absent(ScheduledAt)
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil || at.Unix() < 0 {
		r.refuse(ScheduledAt, "is %q, want a time from 1970 on such as 2026-11-22T12:00:00Z", shown(value))
	}
	return at
}

// attempt is counted by the engine, or by the Job controller as two kinds of failures.
func (r *reader) attempt() int {
	failures := r.number(Failures, 0, maxAttempts, 0) + r.number(IgnoredFailures, 0, maxAttempts, 0)
	return r.number(Attempt, 1, maxAttempts, failures+1)
}

// item returns the shard's number, looked up in ShardList if only some shards run.
func (r *reader) item(total int) int {
	most := MaxShards - 1
	if total > 0 {
		most = total - 1
	}
	if r.env[Item] != "" || r.env[ShardList] == "" {
		return r.number(Item, 0, most, math.MinInt)
	}
	words := strings.Split(r.env[ShardList], ",")
	index := r.number(Index, 0, len(words)-1, math.MinInt)
	if index < 0 {
		return index
	}
	n, err := strconv.Atoi(words[index])
	if err != nil || n < 0 || n > most {
		r.refuse(ShardList, "has %q at position %d, want a shard from 0 to %d", shown(words[index]), index, most)
	}
	return n
}

func (r *reader) taskID(t Task) string {
	if id := r.text(TaskID, maxWord, false); id != "" || r.env[TaskID] != "" {
		return id
	}
	node, uid := r.text(Node, maxWord, false), r.text(PodUID, maxWord, false)
	if node == "" || uid == "" {
		r.absent(TaskID)
		return ""
	}
	return strings.Join([]string{t.Job, strconv.Itoa(t.Item), "READY", node, uid}, "@-@")
}

// documents reads the job's parameters and properties, which people write.
func (r *reader) documents(t *Task) {
	all, err := jobconfig.ParseItemParameters(r.text(ItemParameters, MaxText, false))
	if err != nil {
		r.errs = append(r.errs, &Error{ItemParameters, fmt.Sprintf("cannot be read: %s; correct shardingItemParameters of the job", shown(err.Error())), true})
	}
	t.Parameter, t.HasParameter = all[t.Item]
	if text := r.text(Props, MaxText, false); text != "" {
		if err := json.Unmarshal([]byte(text), &t.Props); err != nil {
			r.refuse(Props, "is not a JSON object of strings: %s", shown(err.Error()))
		}
	}
}

func (r *reader) runParameters(t *Task) {
	if text := r.text(RunParameters, MaxParameters, false); text != "" {
		raw := bytes.TrimSpace([]byte(text))
		if !json.Valid(raw) || raw[0] != '{' {
			r.refuse(RunParameters, "is not a JSON object")
			return
		}
		t.RunParameters = raw
	}
}

func shown(value string) string { return mask.Clip(value, maxShown) }

// maxArgument is the size of one argument in bytes, because Linux allows 128 KiB with the terminating zero.
const maxArgument = 128<<10 - 1

// ContextJSON returns the sharding context of a task. Run parameters that would make it too long
// for an argument are left out; they are also in [RunParameters]. The error is an [*Error].
func (t Task) ContextJSON() (string, error) {
	c := commandline.ShardingContext{
		JobName: t.Job, TaskID: t.ID, ShardingTotalCount: t.Total, JobParameter: t.JobParameter, ShardingItem: t.Item,
	}
	if t.HasParameter {
		c.ShardingParameter = &t.Parameter
	}
	if t.Manual() {
		c.RunID, c.Attempt, c.RunParameters = t.Run, t.Attempt, t.RunParameters
	}
	document, err := json.Marshal(c)
	if err == nil && len(document) > maxArgument && c.RunParameters != nil {
		c.RunParameters = nil
		document, err = json.Marshal(c)
	}
	switch {
	case err != nil:
		return "", &Error{JobParameter, "cannot be written as JSON: " + err.Error(), true}
	case len(document) > maxArgument:
		return "", &Error{JobParameter, fmt.Sprintf("is too long: as JSON the sharding context has %d bytes, and an argument of a program at most %d; shorten jobParameter of the job", len(document), maxArgument), true}
	}
	return string(document), nil
}
