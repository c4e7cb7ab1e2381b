package pages

import (
	"slices"
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostLabels bounds the labels that are suggested.
const mostLabels = 50

// asksLabel reports whether nobody has said yet what the jobs are labelled with.
func (r *bulkRequest) asksLabel() bool { return r.action.Verb == console.Label.Verb && r.label == nil }

// wrongLabel says what is wrong with the label, which is asked again then.
func (r *bulkRequest) wrongLabel(l i18n.Lang) string {
	if r.label == nil {
		return ""
	}
	p := console.CheckLabel(*r.label)
	if p == nil {
		return ""
	}
	r.label = nil
	return pageui.ProblemText(l, p)
}

// labelField asks for the label, with those that there are.
func labelField(r *bulkRequest, wrong string, list []statistics.Job) *jobs.BulkLabel {
	f := &jobs.BulkLabel{Error: wrong, Most: strconv.Itoa(console.MaxLabel), Fields: [][2]string{{"do", r.action.Verb}, {"return", r.back}}}
	if r.label != nil {
		f.Value = *r.label
	}
	for _, name := range r.names {
		f.Fields = append(f.Fields, [2]string{"job", name})
	}
	for _, j := range list {
		if j.Label != "" && !slices.Contains(f.Known, j.Label) && len(f.Known) < mostLabels {
			f.Known = append(f.Known, j.Label)
		}
	}
	slices.Sort(f.Known)
	return f
}

// labelRows are the jobs with the labels that they have.
func labelRows(l i18n.Lang, r *bulkRequest, list []statistics.Job) (rows []jobs.BulkRow) {
	labels := make(map[string]string, len(list))
	for _, j := range list {
		labels[j.Name] = j.Label
	}
	for _, name := range r.names {
		rows = append(rows, jobs.BulkRow{Name: name, Href: console.JobPath("/jobs", name), Tone: ui.ToneQuiet, What: labelText(l, labels[name]), Quiet: true})
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
