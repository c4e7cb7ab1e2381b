package config

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// newProps is the number of rows for new properties.
const newProps = 2

// showEditor shows a draft in the editor.
func (s configs) showEditor(c *gin.Context, status int, d *draft, notices []ui.Notice, hints ...string) error {
	l := i18n.From(c.Request.Context())
	p := jobs.ConfigProps{
		ConfigPage: s.configPage(c, l.ConfigTitle(d.job), d, notices), Operates: edits(c), AsText: d.asText, TextTab: l.ConfigTabYaml(),
	}
	p.Frame.Ignored = append(p.Frame.Ignored, hints...)
	if d.base.Generation == jobconfig.Generation2x {
		p.TextTab = l.ConfigTabJson()
	}
	if !d.fresh {
		p.Revision, p.Tabs = d.revision, jobpage.Tabs(l, d.job, d.base.Shards, "config")
		p.Versions = s.Options().Settings != nil
		if v, ok := app.SavedVersion(s.Console, c, d.job, d.revision); ok {
			p.Author, p.SavedAt = v.User, view.AgoTime(v.At, s.Now())
		}
	}
	if p.Operates && !d.fresh && d.base.Generation == jobconfig.Generation3x {
		p.Duplicate = pageui.NewJobRoute + "?" + url.Values{"from": {d.job}}.Encode()
	}
	if p.Operates {
		p.Hidden, p.Frame.Scripts = d.hidden(false), []string{"cron.js"}
		p.Text = d.text
	} else {
		d.base, d.mine = app.MaskedConfig(d.base), app.MaskedConfig(d.mine)
		p.Text = app.ConfigText(d.baseRaw, false)
	}
	wrong := wrongFields(l, d.err)
	p.Beside = s.aside(c, d, wrong)
	if d.asText {
		p.TextError = joined(wrong, func(string) bool { return true })
	} else {
		p.Groups = configGroups(l, d, wrong)
		p.Hidden = append(p.Hidden, [2]string{"p95", s.durationHint(c, d.job)})
	}
	if job, err := s.LookUp(c, d.job); err == nil && !d.fresh {
		head := jobpage.Head(s.Console, c, job, "config", nil)
		head.Frame, p.Head = p.Frame, &head
	}
	s.Render(c, status, jobs.Config(p))
	return nil
}

// aside is the part next to the form of a draft.
func (s configs) aside(c *gin.Context, d *draft, wrong map[string]string) jobs.ConfigBeside {
	p := jobs.ConfigBeside{Operates: edits(c), Fresh: d.fresh, Changes: len(editor.Changed(d.base, d.mine)), Wrong: len(wrong)}
	if d.fresh { // the name and the class are no keys of the document
		p.Changes += len(pageui.NonEmpty(d.mine.Name, d.class))
	}
	if !d.asText {
		p.Cron = s.assistant(c, d)
	}
	if !p.Operates {
		return p
	}
	if text, err := d.document(); err == nil {
		preview := s.preview(c, d, string(text))
		preview.Nothing = preview.Nothing || d.fresh && d.mine.Name == ""
		p.Preview = &preview
	}
	return p
}

// region answers the script that asks while a form is filled in. It has the part next to the form,
// the changed keys with their stored values, and whether another revision was stored.
func (s configs) region(c *gin.Context, d *draft) error {
	d.err = s.check(d)
	l := i18n.From(c.Request.Context())
	p := s.aside(c, d, wrongFields(l, d.err))
	p.Alone = true
	known := formKeys(d.base)
	for _, name := range d.changed() {
		f := jobs.ConfigField{FieldDef: jobs.FieldDef{Name: name}}
		if k, ok := known[name]; ok && k.Kind != editor.Flag { // the other value of a flag is its old one
			f.HasWas, f.Was = true, fieldText(l, k, d.base)
		}
		p.Changed = append(p.Changed, f)
	}
	if job, err := s.LookUp(c, d.job); err == nil && !d.fresh {
		if begun, _, ok := strings.Cut(d.revision, "-"); ok && begun != strconv.Itoa(int(job.ConfigVersion)) {
			p.Stale = l.ConfigStale(s.savedBy(c, d.job, ""))
		}
	}
	s.Render(c, http.StatusOK, jobs.ConfigRegion(p))
	return nil
}

// wrongFields are the fields with problems, each with a sentence.
func wrongFields(l i18n.Lang, err error) map[string]string {
	wrong := make(map[string]string)
	fields := app.FieldBodies(lifecycle.FieldErrors(err))
	if p, ok := errors.AsType[*app.Problem](err); ok {
		fields = append(fields, p.Fields...)
		if len(p.Fields) == 0 {
			wrong["document"] = pageui.ProblemText(l, p)
		}
	}
	if err != nil && len(fields) == 0 && len(wrong) == 0 {
		wrong["document"] = view.Clip(mask.Text(err.Error()), 300)
	}
	for _, f := range fields {
		sentence := l.ConfigWant(app.WantIn(l, f.Want))
		if f.Value != "" {
			sentence = l.ConfigWantValue(strconv.Quote(f.Value), app.WantIn(l, f.Want))
		}
		wrong[f.Field] = sentence
	}
	for _, f := range lifecycle.FieldErrors(err) {
		if f.Text != "" && l == i18n.English { // the whole text has more than value and want
			wrong[f.Field] = view.Clip(mask.Text(f.Text), 300) + "."
		}
	}
	return wrong
}

// joined are the problems of the fields that match, in one text.
func joined(wrong map[string]string, match func(field string) bool) string {
	var all []string
	for _, field := range view.SortedKeys(wrong) {
		switch {
		case !match(field):
		case field == "document":
			all = append(all, wrong[field])
		default:
			all = append(all, field+": "+wrong[field])
		}
	}
	return strings.Join(all, " ")
}

// configGroups are the parts of the form with the typed values, or else the values of mine.
func configGroups(l i18n.Lang, d *draft, wrong map[string]string) []jobs.ConfigGroup {
	keys, changed := formKeys(d.mine), d.changed()
	var groups []jobs.ConfigGroup
	if d.fresh {
		groups = append(groups, jobs.ConfigGroup{ID: "job", Title: l.ConfigGroupJob(), Fields: []jobs.ConfigField{
			{FieldDef: jobs.FieldDef{Name: "jobName", Label: i18n.Lang.ConfigName, Help: i18n.Lang.ConfigNameHelp, Mono: true}, Value: d.typed("jobName", d.mine.Name), Error: wrong["jobName"]},
			{FieldDef: jobs.FieldDef{Name: "class", Label: i18n.Lang.ConfigClass, Help: i18n.Lang.ConfigClassHelp, Mono: true}, Value: d.class},
		}})
	}
	for _, g := range formGroups {
		group := jobs.ConfigGroup{ID: g.id, Title: g.title(l)}
		for _, f := range g.keys {
			if k, ok := keys[f.Name]; ok {
				group.Fields = append(group.Fields, configField(l, d, f, k, slices.Contains(changed, f.Name), wrong[f.Name]))
			}
		}
		if g.rest {
			group.HasProps, group.Props = d.mine.Generation == jobconfig.Generation3x, propRows(d, changed)
			group.PropError = joined(wrong, func(field string) bool {
				key, of := strings.CutPrefix(field, editor.PropField)
				return field == "props" || of && !slices.Contains(editor.OwnProps, key)
			})
		}
		if g.rest || g.folds {
			group.Folded = group.PropError == "" && !slices.ContainsFunc(group.Fields, func(f jobs.ConfigField) bool { return f.Changed || f.Error != "" || g.folds && f.Value != "" }) &&
				!slices.ContainsFunc(group.Props, func(r jobs.PropRow) bool { return r.Changed })
		}
		if g.folds && len(group.Fields) == 0 { // of a job of 2.1.x
			continue
		}
		groups = append(groups, group)
	}
	return groups
}

func configField(l i18n.Lang, d *draft, f jobs.FieldDef, k editor.Key, changed bool, wrong string) jobs.ConfigField {
	field := jobs.ConfigField{FieldDef: f, Error: wrong, Changed: changed}
	value := fieldText(l, k, d.mine)
	switch k.Kind {
	case editor.Flag:
		field.Kind = jobs.FieldSwitch
		field.On, _ = k.Read(d.mine).(bool)
		return field // the other value is the old one
	case editor.Number:
		field.Kind = jobs.FieldNumber
		bounds, _ := jobconfig.NumberBounds(f.Name)
		field.Lowest, field.Highest = bounds.Least, bounds.Most
	case editor.List:
		field.Kind = jobs.FieldArea
	case editor.Text:
		if strings.ContainsAny(value, "\r\n") || f.Name == "description" {
			field.Kind = jobs.FieldArea
		}
	case editor.Other, editor.Props:
	}
	field.Value, field.HasWas, field.Was = value, changed, fieldText(l, k, d.base)
	if d.form.Has(f.Name) && !d.rowed(f.Name) {
		field.Value = d.form.Get(f.Name)
		field.Changed = field.Changed || wrong != "" && !d.fresh
	}
	ask(l, &field)
	return field
}

// fieldText is the value of a key in a field.
func fieldText(l i18n.Lang, k editor.Key, c *jobconfig.Config) string {
	switch v := k.Read(c).(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case []string:
		return strings.Join(v, "\n")
	case bool:
		if v {
			return l.ConfigOn()
		}
		return l.ConfigOff()
	}
	return ""
}

// propRows are the properties, and rows for new ones.
func propRows(d *draft, changed []string) []jobs.PropRow {
	var rows []jobs.PropRow
	if keys, values := d.form[editor.PropKeyField], d.form[editor.PropValueField]; len(keys) == len(values) && len(keys) > 0 {
		for i := range keys {
			if (keys[i] != "" || values[i] != "") && !d.rowed(prop(keys[i])) {
				rows = append(rows, jobs.PropRow{Key: keys[i], Value: values[i], Changed: slices.Contains(changed, "props."+keys[i])})
			}
		}
	} else {
		for _, key := range view.SortedKeys(d.mine.Props) {
			if slices.Contains(editor.OwnProps, key) {
				continue
			}
			rows = append(rows, jobs.PropRow{Key: key, Value: d.mine.Props[key], Changed: slices.Contains(changed, "props."+key)})
		}
	}
	return append(rows, make([]jobs.PropRow, newProps)...)
}
