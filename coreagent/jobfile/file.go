package jobfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// File is the content of a file, checked as far as possible without a server.
type File struct {
	// Enabled is false if the file disables ElasticJob. Then nothing should be served.
	Enabled bool
	// Config is [Options.Config] with elasticjob.regCenter and elasticjob.dump. Set the fields that
	// only the process knows, such as Tracing, before coreagent.New.
	Config coreagent.Config
	// Jobs are in the order of the file.
	Jobs    []Job
	Tracing Tracing
	// Notes are worth knowing but not mistakes, such as keys without an effect.
	Notes []Problem
}

type Job struct {
	coreagent.Job
	// Line is the job's line in the file.
	Line int
}

// NeedsCode reports whether the job was declared by its class, so the program must have its handler.
func (j Job) NeedsCode() bool { return j.Type == "" }

// Add adds every job of the file to the agent. A job declared by its class is served by the handler
// with the job's name or its class; the others have a type and need none. The error names every
// refused job and every job without a handler; the others have been added.
func (f *File) Add(agent *coreagent.Agent, handlers map[string]coreagent.Handler) error {
	var errs []error
	for _, j := range f.Jobs {
		h := handlers[j.Name]
		if h == nil && j.NeedsCode() {
			h = handlers[j.Class]
		}
		var err error
		if h == nil && j.NeedsCode() {
			err = fmt.Errorf("job %q is of class %s, and there is no handler for either name; only jobs of the types SCRIPT and HTTP run without code", j.Name, j.Class)
		} else {
			err = agent.Add(j.Job, h)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", j.Line, err))
		}
	}
	return errors.Join(errs...)
}

// Tracing is elasticjob.tracing: whether and where runs are recorded. The program creates the
// recorder; see rdb.NewRecorder.
type Tracing struct {
	// RDB means that runs should be recorded.
	RDB bool
	// Source is the database, from elasticjob.tracing.dataSource or else from spring.datasource.
	// Its URL is empty if the file has none.
	Source DataSource
	// Include, if not empty, names the only jobs to record; Exclude names the jobs not to record.
	Include, Exclude []string
}

// Wants reports whether the job's runs should be recorded.
func (t Tracing) Wants(job string) bool {
	return t.RDB && !slices.Contains(t.Exclude, job) && (len(t.Include) == 0 || slices.Contains(t.Include, job))
}

// Recorder returns the value for [coreagent.Config.Tracing]: next, without the events of jobs that
// should not be recorded.
func (t Tracing) Recorder(next tracing.Recorder) tracing.Recorder {
	switch {
	case !t.RDB:
		return tracing.Discard
	case len(t.Include) == 0 && len(t.Exclude) == 0:
		return next
	}
	w := wanted{next, t}
	if runs, ok := next.(tracing.RunRecorder); ok {
		return wantedRuns{w, runs}
	}
	return w
}

// wanted records the wanted jobs.
type wanted struct {
	tracing.Recorder
	tracing Tracing
}

func (w wanted) RecordExecution(e tracing.Execution) {
	if w.tracing.Wants(e.JobName) {
		w.Recorder.RecordExecution(e)
	}
}

func (w wanted) RecordStatus(s tracing.Status) {
	if w.tracing.Wants(s.JobName) {
		w.Recorder.RecordStatus(s)
	}
}

func (w wanted) AgentStopped(ctx context.Context) error {
	if r, ok := w.Recorder.(tracing.AgentRecorder); ok {
		return r.AgentStopped(ctx)
	}
	return nil
}

// wantedRuns also records the requested runs of the wanted jobs.
type wantedRuns struct {
	wanted
	runs tracing.RunRecorder
}

func (w wantedRuns) RecordRun(r tracing.RunRecord) {
	if w.tracing.Wants(r.JobName) {
		w.runs.RecordRun(r)
	}
}

func (w wantedRuns) RecordRunStep(s tracing.RunStep) {
	if w.tracing.Wants(s.JobName) {
		w.runs.RecordRunStep(s)
	}
}

func (w wantedRuns) RecordLogLine(l tracing.LogLine) {
	if w.tracing.Wants(l.JobName) {
		w.runs.RecordLogLine(l)
	}
}

func (w wantedRuns) RecordProgress(p tracing.Progress) {
	if w.tracing.Wants(p.JobName) {
		w.runs.RecordProgress(p)
	}
}

// DataSource is a database in Spring's form. It doesn't print its secrets.
type DataSource struct {
	// URL is a JDBC address or anything else; it isn't checked.
	URL string
	// Username and Password are empty if URL has them or there are none.
	Username, Password string
	// Line is the URL's line in the file.
	Line int
}

// String only returns whether there is a data source, because an address may contain a password in many ways.
func (s DataSource) String() string {
	if s.URL == "" {
		return "no data source"
	}
	return fmt.Sprintf("data source of line %d", s.Line)
}

// GoString is String.
func (s DataSource) GoString() string { return s.String() }

// LogValue is String.
func (s DataSource) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Options are the sources of values. [Load] and [Parse] use the zero value.
type Options struct {
	// Name is the file's name in errors. Defaults to "jobs", for Load to the file's name.
	Name string
	// Config has everything that the program registers for names in the file: Executors,
	// Strategies, ErrorHandlers, Listeners and Types. Names that are neither here
	// nor ElasticJob's are refused. Its other fields are kept unless the file sets them.
	Config coreagent.Config
	// Env looks up environment variables. Defaults to os.LookupEnv.
	Env func(name string) (string, bool)
}

// Load reads a file. If its content is wrong, the error is an [*Error] with all problems.
func Load(path string) (*File, error) { return Options{}.Load(path) }

// Parse is [Load] for a text.
func Parse(r io.Reader) (*File, error) { return Options{}.Parse(r) }

// Load is the function [Load] with options.
func (o Options) Load(path string) (_ *File, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("job file: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	o.Name = cmp.Or(o.Name, filepath.Base(path))
	return o.Parse(file)
}

// Parse is the function [Parse] with options.
func (o Options) Parse(r io.Reader) (*File, error) {
	o.Name = cmp.Or(o.Name, "jobs")
	if o.Env == nil {
		o.Env = os.LookupEnv
	}
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	b := builder{findings: &findings{}, known: o.Config}
	rd := reader{findings: b.findings}
	var file *File
	if t := rd.read([]byte(strings.TrimPrefix(string(text), "\ufeff")), o.Env); t != nil {
		b.looked = rd.looked
		file = b.file(t)
	}
	if len(b.problems) > 0 {
		return nil, &Error{Name: o.Name, Problems: ordered(b.problems)}
	}
	file.Notes = ordered(b.notes)
	return file, nil
}
