package bulk

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	maxLabel        = 100 // characters of a label
	suggestedLabels = 50
)

// checkLabel returns the problem of a label; nil if it has none. The empty label removes the label of a job.
func checkLabel(label string) *app.Problem {
	if utf8.RuneCountInString(label) <= maxLabel && utf8.ValidString(label) && !strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil
	}
	return app.Invalid("", "").Said(func(l i18n.Lang) (string, string) {
		return l.ProblemWrongLabel(strconv.Quote(view.Clip(label, 40)), maxLabel), l.ProblemNothingChanged()
	})
}

// foreseeLabel returns what the new label would change for a job.
func foreseeLabel(job statistics.JobDetail, label string) (r result) {
	switch {
	case job.Config == nil:
		r = refuse(conflict("config_unreadable", func(l i18n.Lang) string { return l.ProblemConfigUnread(job.Name, job.ConfigError) }))
	case job.Config.Generation == jobconfig.Generation2x && label != "":
		r = refuse(conflict("conflict", i18n.Lang.ProblemNoLabel2x))
	case job.Config.Label == label:
		r = unchanged(job.Name)
	default:
		r = changed(job.Name)
	}
	r.had = job.Label
	return r
}

// setLabel writes the label of a job.
func (s service) setLabel(c *gin.Context, b bulk, name string) result {
	before, after, err := s.Configure(c, app.ConfigChange{Job: name, Reason: b.reason, Edit: func(config *jobconfig.Config) error {
		config.Label = *b.label
		return nil
	}})
	r := changed(name)
	switch {
	case err != nil:
		return refuse(s.ConfigProblem(c, name, false, before, err))
	case before.Revision() == after.Revision():
		r = unchanged(name)
	}
	r.had = before.Config.Label
	return r
}

// errLabelledSince: a job has another label than the undone change gave it.
var errLabelledSince = errors.New("console: the job has another label")

// undoLabels gives jobs the labels that they had before a change. A job whose label changed since
// keeps it.
func (s service) undoLabels(c *gin.Context, change settings.Change) []result {
	var results []result
	for _, r := range change.Results {
		if r.Label == nil {
			continue
		}
		one := changed(r.Job)
		before, _, err := s.Configure(c, app.ConfigChange{Job: r.Job, Edit: func(config *jobconfig.Config) error {
			if config.Label != r.Label.To {
				return errLabelledSince
			}
			config.Label = r.Label.From
			return nil
		}})
		switch {
		case errors.Is(err, errLabelledSince):
			one.refused = conflict("conflict", i18n.Lang.ProblemLabelledSince)
		case err != nil:
			one.refused = s.ConfigProblem(c, r.Job, false, before, err)
		}
		one.Job = r.Job
		results = append(results, one)
	}
	return results
}

// asksLabel reports whether the label has yet to be asked for.
func (r *request) asksLabel() bool { return r.action.Verb == app.Label.Verb && r.label == nil }

// wrongLabel returns the problem of the label; the page asks for another one then.
func (r *request) wrongLabel(l i18n.Lang) string {
	if r.label == nil {
		return ""
	}
	p := checkLabel(*r.label)
	if p == nil {
		return ""
	}
	r.label = nil
	return pageui.ProblemText(l, p)
}

// labelField asks for the label, with the existing labels as suggestions.
func labelField(r *request, wrong string, list []statistics.Job) *jobs.BulkLabel {
	f := &jobs.BulkLabel{Error: wrong, Most: strconv.Itoa(maxLabel), Fields: [][2]string{{"do", r.action.Verb}, {"return", r.back}}}
	if r.label != nil {
		f.Value = *r.label
	}
	for _, name := range r.jobs {
		f.Fields = append(f.Fields, [2]string{"job", name})
	}
	for _, j := range list {
		if j.Label != "" && !slices.Contains(f.Known, j.Label) && len(f.Known) < suggestedLabels {
			f.Known = append(f.Known, j.Label)
		}
	}
	slices.Sort(f.Known)
	return f
}

// labelRows are the jobs with their labels.
func labelRows(l i18n.Lang, r *request, list []statistics.Job) (rows []jobs.BulkRow) {
	labels := make(map[string]string, len(list))
	for _, j := range list {
		labels[j.Name] = j.Label
	}
	for _, name := range r.jobs {
		rows = append(rows, jobs.BulkRow{Name: name, Href: app.JobPath("/jobs", name), Tone: ui.ToneQuiet, What: labelText(l, labels[name]), Quiet: true})
	}
	return rows
}

// labelText is a label, or that there is none.
func labelText(l i18n.Lang, label string) string {
	if label == "" {
		return l.BulkNoLabel()
	}
	return label
}

// labelChange is a label before and after.
func labelChange(l i18n.Lang, from, to string) string {
	return labelText(l, from) + " → " + labelText(l, to)
}
