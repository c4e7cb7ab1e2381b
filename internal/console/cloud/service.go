package cloud

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/notices"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// service is ElasticJob-Cloud in a console.
type service struct {
	*app.Cloud
	commands bool // callers may change the text of a shell
}

// serviceOf is ElasticJob-Cloud of a console, or the reason why it's off and the way to have it.
func serviceOf(s *app.Console) (*service, error) {
	if s.Options().Cloud == nil {
		return nil, &app.Problem{
			Kind: app.KindNotFound, Code: "cloud_off", Message: "ElasticJob-Cloud is off in this console.",
			Hint: "Start `console serve` with --cloud local, or `console demo --cloud`: both run jobs of ElasticJob-Cloud on their machine.",
		}
	}
	return &service{s.Options().Cloud, s.Options().CommandChanges}, nil
}

// unused are the fields of a document that are kept and have no effect here.
func (at *service) unused(d document) []cloud.Unused {
	engine := at.Engine.Capabilities().Engine
	if d.isApp() {
		return d.app.Unused(engine)
	}
	return d.Job.Unused(engine)
}

// warnings are sentences about the parts of a valid document that have no effect. They name hosts
// and properties only with details.
func (at *service) warnings(l i18n.Lang, d document, details bool) (list []string) {
	if !d.isApp() && at.Unnotified != nil {
		if p := at.Unnotified(d.Job); p != nil {
			list = append(list, unnotified(l, p, details))
		}
	}
	var fields []string
	for _, u := range at.unused(d) {
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

// several reports whether several namespaces are served, so that documents have one.
func (at *service) several() bool { return len(at.Namespaces) > 1 }

// checkNamespace refuses a namespace that isn't served; "" is always right.
func (at *service) checkNamespace(namespace string) error {
	if namespace == "" || slices.Contains(at.Namespaces, namespace) {
		return nil
	}
	want := "none: the engine " + at.Engine.Capabilities().Engine + " has no namespaces"
	if len(at.Namespaces) > 0 {
		want = "one that is served: " + strings.Join(at.Namespaces, ", ")
	}
	return invalid(app.FieldBody{Field: "namespace", Value: view.Clip(namespace, 100), Want: want})
}

// place is the namespace of a new document: the wanted one or the first. It's "" if there aren't
// several.
func (at *service) place(wanted string) string {
	if !at.several() {
		return ""
	}
	return cmp.Or(wanted, at.Namespaces[0])
}

// schedule reads the fire times of a job, as the scheduler does.
func (at *service) schedule(j cloud.Job) (cloud.Schedule, error) {
	if at.Zone == nil {
		return j.Schedule(time.UTC)
	}
	return j.Schedule(at.Zone)
}

// errNotSynced is the reason why a list can't be answered.
var errNotSynced = errors.New("store or engine could not be read for a while")

// problemOf is an error for the caller. A [app.Problem] stays as it is. Errors that aren't from
// package cloud are treated as temporary.
func problemOf(err error) *app.Problem {
	if p, ok := errors.AsType[*app.Problem](err); ok {
		return p
	}
	if fields := lifecycle.FieldErrors(err); len(fields) > 0 {
		return invalid(app.FieldBodies(fields)...)
	}
	if errors.Is(err, cloud.ErrNotFound) {
		return app.NotFound(app.Sentence(err.Error()), "GET /api/cloud/apps, /api/cloud/jobs and /api/cloud/runs list what there is.")
	}
	for _, known := range []struct {
		err error
		app.Problem
	}{
		{cloud.ErrExists, app.Problem{Kind: app.KindConflict, Code: "exists", Hint: "Choose another name, or change the one that exists with PUT."}},
		{cloud.ErrConflict, app.Problem{Kind: app.KindConflict, Code: "conflict", Hint: "Read it again and repeat the change."}},
		{cloud.ErrPendingFull, app.Problem{Kind: app.KindConflict, Code: "queue_full", Hint: "Wait until some of them have run."}},
		{cloud.ErrUnsupported, app.Problem{Kind: app.KindUnsupported, Code: "unsupported", Hint: "GET /api/cloud says what this engine can do."}},
		{cloud.ErrRefused, app.Problem{Kind: app.KindConflict, Code: "refused", Hint: "Change what it names, then ask again."}},
	} {
		if errors.Is(err, known.err) {
			known.Message = app.Sentence(err.Error())
			return &known.Problem
		}
	}
	return &app.Problem{
		Kind: app.KindUnavailable, Code: "cloud_unavailable", Message: "ElasticJob-Cloud cannot be asked at present.",
		Hint: "Its registry or its engine does not answer; runs that have begun go on. Ask again in a moment.", Retry: app.ReloadSeconds, Cause: err,
	}
}

// invalid refuses a request because of its fields.
func invalid(fields ...app.FieldBody) *app.Problem {
	return &app.Problem{
		Kind: app.KindInvalid, Code: "invalid", Message: "The request cannot be taken: " + strings.Trim(app.FieldsText(i18n.English, fields), " ;.:") + ".",
		Hint: "Correct the fields; nothing was changed.", Fields: fields,
	}
}
