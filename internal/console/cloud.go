package console

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/notices"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Cloud is what a console needs of ElasticJob-Cloud. All fields but Zone and
// Unnotified are required.
type Cloud struct {
	// Store keeps applications and jobs, Engine runs their tasks.
	Store  cloud.Store
	Engine cloud.Engine
	// Seen is what both have reported to the scheduler of this process.
	Seen CloudSeen
	// Zone is that of jobs that name none. Nil is UTC.
	Zone *time.Location
	// Record takes rows of executions that processes of DAEMON jobs report; an error says
	// that they cannot be stored now, and none of them is.
	Record func(rows []tracing.Execution) error
	// ReadTree reads the tree of another scheduler.
	ReadTree ReadCloudTree
	// Unnotified says why nobody is notified of failed runs of a job; nil if somebody is, or
	// if the job asks for nobody. It is nil where nothing is known about that.
	Unnotified func(j cloud.Job) *notices.Problem
	// Namespaces are those of a cluster that are served; what says of none is made in the
	// first. Empty where the engine has none.
	Namespaces []string
}

// Unused returns the fields of an application or a job that are kept and have no effect here. REST,
// pages, apply and import all name these.
func (at *Cloud) Unused(d CloudDocument) []cloud.Unused {
	engine := at.Engine.Capabilities().Engine
	if d.Kind == cloud.KindApp {
		return d.App.Unused(engine)
	}
	return d.Job.Unused(engine)
}

// Warnings are sentences about the parts of a valid document that have no effect. They name hosts
// and properties only with details.
func (at *Cloud) Warnings(l i18n.Lang, d CloudDocument, details bool) (list []string) {
	if d.Kind == cloud.KindJob && at.Unnotified != nil {
		if p := at.Unnotified(d.Job); p != nil {
			list = append(list, unnotified(l, p, details))
		}
	}
	var fields []string
	for _, u := range at.Unused(d) {
		fields = append(fields, view.Clip(u.Field, 100))
	}
	if len(fields) > 0 {
		list = append(list, l.CloudUnused(view.Clip(strings.Join(fields, ", "), 1000)))
	}
	return list
}

// unnotified explains why this console sends no notifications of a job's failed runs.
func unnotified(l i18n.Lang, p *notices.Problem, details bool) string {
	detail := p.Detail
	if !details {
		detail = mask.Hidden
	}
	switch p.Reason {
	case notices.ReasonOff:
		return l.CloudUnnotifiedOff(p.Type)
	case notices.ReasonHost:
		return l.CloudUnnotifiedHost(detail)
	case notices.ReasonDaemon:
		return l.CloudUnnotifiedDaemon(p.Type)
	}
	return l.CloudUnnotifiedProps(p.Type, detail)
}

// Several reports whether jobs and applications say of which namespace they are.
func (at *Cloud) Several() bool { return len(at.Namespaces) > 1 }

// CheckNamespace refuses a namespace that is not served; "" is none in particular.
func (at *Cloud) CheckNamespace(namespace string) error {
	if namespace == "" || slices.Contains(at.Namespaces, namespace) {
		return nil
	}
	want := "none: the engine " + at.Engine.Capabilities().Engine + " has no namespaces"
	if len(at.Namespaces) > 0 {
		want = "one that is served: " + strings.Join(at.Namespaces, ", ")
	}
	return CloudInvalid(FieldBody{Field: "namespace", Value: view.Clip(namespace, 100), Want: want})
}

// Place is the namespace that something is to be made in, or "" where there are not several.
func (at *Cloud) Place(namespace string) string {
	if !at.Several() {
		return ""
	}
	return cmp.Or(namespace, at.Namespaces[0])
}

// Schedule reads the fire times of a job, as the scheduler does.
func (at *Cloud) Schedule(j cloud.Job) (cloud.Schedule, error) {
	if at.Zone == nil {
		return j.Schedule(time.UTC)
	}
	return j.Schedule(at.Zone)
}

// CloudRevision names what is stored of an application or a job, so that a change does not
// undo somebody else's. The status of a job is no part of it.
func CloudRevision(document any) string {
	text, err := json.Marshal(document)
	if err != nil {
		panic(fmt.Sprintf("console: a document as JSON: %v", err)) // It has no values that JSON cannot have.
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// CloudSeen reads what there is without asking for it. It may be a moment behind.
type CloudSeen interface {
	// Leads reports whether this process schedules, Synced whether store and engine can be
	// read at present.
	Leads() bool
	Synced() bool
	// Health returns why they can't be read, nil if they can; since is zero if they never could
	// be read. A process that doesn't lead reports why it can't take part in the election.
	Health() (since time.Time, err error)
	// Apps and Jobs come by name, Runs of a job, or of all for "", the newest first.
	Apps() []cloud.App
	Jobs() []cloud.Definition
	Runs(job string) []cloud.RunStatus
	// FindRun is one with its tasks, FindTask the one of a UID; false if there is none.
	FindRun(name string) (cloud.RunStatus, []cloud.Task, bool)
	FindTask(uid string) (cloud.Task, bool)
	// Reconcile has what the engine has be read anew, and with all what the store has too. A
	// caller that comes too soon gets the time to wait, and nothing is read.
	Reconcile(all bool) (wait time.Duration)
}

// CloudOf is the console's part of ElasticJob-Cloud. Where it is off, the error says so and
// how to have it.
func CloudOf(s *Console) (*Cloud, error) {
	if s.opts.Cloud == nil {
		return nil, &Problem{
			Kind: kindNotFound, Code: "cloud_off", Message: "ElasticJob-Cloud is off in this console.",
			Hint: "Start `console serve` with --cloud local, or `console demo --cloud`: both run jobs of ElasticJob-Cloud on their machine.",
		}
	}
	return s.opts.Cloud, nil
}

// CloudProblem is an error of ElasticJob-Cloud as the caller may see it: a [Problem] stays
// what it is, and what is none of package cloud's errors may pass.
func CloudProblem(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	fields := lifecycle.FieldErrors(err)
	switch {
	case len(fields) > 0:
		return CloudInvalid(FieldBodies(fields)...)
	case errors.Is(err, cloud.ErrNotFound):
		return NotFound(sentence(err.Error()), "GET /api/cloud/apps, /api/cloud/jobs and /api/cloud/runs list what there is.")
	case errors.Is(err, cloud.ErrExists):
		return cloudConflict("exists", err, "Choose another name, or change the one that exists with PUT.")
	case errors.Is(err, cloud.ErrConflict):
		return cloudConflict("conflict", err, "Read it again and repeat the change.")
	case errors.Is(err, cloud.ErrPendingFull):
		return cloudConflict("queue_full", err, "Wait until some of them have run.")
	case errors.Is(err, cloud.ErrUnsupported):
		return &Problem{Kind: KindUnsupported, Code: "unsupported", Message: sentence(err.Error()), Hint: "GET /api/cloud says what this engine can do."}
	case errors.Is(err, cloud.ErrRefused):
		return cloudConflict("refused", err, "Change what it names, then ask again.")
	}
	return &Problem{
		Kind: KindUnavailable, Code: "cloud_unavailable", Message: "ElasticJob-Cloud cannot be asked at present.",
		Hint: "Its registry or its engine does not answer; runs that have begun go on. Ask again in a moment.", Retry: ReloadSeconds, Cause: err,
	}
}

func cloudConflict(code string, err error, hint string) *Problem {
	return &Problem{Kind: KindConflict, Code: code, Message: sentence(err.Error()), Hint: hint}
}

// CloudInvalid refuses a document of ElasticJob-Cloud for its fields.
func CloudInvalid(fields ...FieldBody) *Problem {
	return &Problem{
		Kind: KindInvalid, Code: "invalid", Message: "The request cannot be taken: " + strings.Trim(FieldsText(i18n.English, fields), " ;.:") + ".",
		Hint: "Correct the fields; nothing was changed.", Fields: fields,
	}
}
