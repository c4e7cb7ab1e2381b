package cloud

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
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Cloud is ElasticJob-Cloud in a console.
type Cloud struct{ *console.Cloud }

// Unused returns the fields of an application or a job that are kept and have no effect here. REST,
// pages, apply and import all name these.
func (at *Cloud) Unused(d Document) []cloud.Unused {
	engine := at.Engine.Capabilities().Engine
	if d.Kind == cloud.KindApp {
		return d.App.Unused(engine)
	}
	return d.Job.Unused(engine)
}

// Warnings are sentences about the parts of a valid document that have no effect. They name hosts
// and properties only with details.
func (at *Cloud) Warnings(l i18n.Lang, d Document, details bool) (list []string) {
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
	return invalid(console.FieldBody{Field: "namespace", Value: view.Clip(namespace, 100), Want: want})
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
func revisionOf(document any) string {
	text, err := json.Marshal(document)
	if err != nil {
		panic(fmt.Sprintf("console: a document as JSON: %v", err)) // It has no values that JSON cannot have.
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// CloudOf is the console's part of ElasticJob-Cloud. Where it is off, the error says so and
// how to have it.
func cloudOf(s *console.Console) (*Cloud, error) {
	if s.Options().Cloud == nil {
		return nil, &console.Problem{
			Kind: console.KindNotFound, Code: "cloud_off", Message: "ElasticJob-Cloud is off in this console.",
			Hint: "Start `console serve` with --cloud local, or `console demo --cloud`: both run jobs of ElasticJob-Cloud on their machine.",
		}
	}
	return &Cloud{s.Options().Cloud}, nil
}

// CloudProblem is an error of ElasticJob-Cloud as the caller may see it: a [Problem] stays
// what it is, and what is none of package cloud's errors may pass.
func problemOf(err error) *console.Problem {
	if p, ok := errors.AsType[*console.Problem](err); ok {
		return p
	}
	fields := lifecycle.FieldErrors(err)
	switch {
	case len(fields) > 0:
		return invalid(console.FieldBodies(fields)...)
	case errors.Is(err, cloud.ErrNotFound):
		return console.NotFound(console.Sentence(err.Error()), "GET /api/cloud/apps, /api/cloud/jobs and /api/cloud/runs list what there is.")
	case errors.Is(err, cloud.ErrExists):
		return cloudConflict("exists", err, "Choose another name, or change the one that exists with PUT.")
	case errors.Is(err, cloud.ErrConflict):
		return cloudConflict("conflict", err, "Read it again and repeat the change.")
	case errors.Is(err, cloud.ErrPendingFull):
		return cloudConflict("queue_full", err, "Wait until some of them have run.")
	case errors.Is(err, cloud.ErrUnsupported):
		return &console.Problem{Kind: console.KindUnsupported, Code: "unsupported", Message: console.Sentence(err.Error()), Hint: "GET /api/cloud says what this engine can do."}
	case errors.Is(err, cloud.ErrRefused):
		return cloudConflict("refused", err, "Change what it names, then ask again.")
	}
	return &console.Problem{
		Kind: console.KindUnavailable, Code: "cloud_unavailable", Message: "ElasticJob-Cloud cannot be asked at present.",
		Hint: "Its registry or its engine does not answer; runs that have begun go on. Ask again in a moment.", Retry: console.ReloadSeconds, Cause: err,
	}
}

func cloudConflict(code string, err error, hint string) *console.Problem {
	return &console.Problem{Kind: console.KindConflict, Code: code, Message: console.Sentence(err.Error()), Hint: hint}
}

// CloudInvalid refuses a document of ElasticJob-Cloud for its fields.
func invalid(fields ...console.FieldBody) *console.Problem {
	return &console.Problem{
		Kind: console.KindInvalid, Code: "invalid", Message: "The request cannot be taken: " + strings.Trim(console.FieldsText(i18n.English, fields), " ;.:") + ".",
		Hint: "Correct the fields; nothing was changed.", Fields: fields,
	}
}
