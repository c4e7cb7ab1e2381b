package pages

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
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

// newProps is how many rows for new properties a form has.
const newProps = 2

// showEditor shows a draft in the editor.
func (s *Pages) showEditor(c *gin.Context, status int, d *draft, notices []ui.Notice, hints ...string) {
	l := i18n.From(c.Request.Context())
	p := jobs.ConfigProps{
		Frame: s.Frame(c, l.ConfigTitle(d.job), console.AreaJobs), Heading: l.ConfigTitle(d.job), Job: d.job,
		JobHref: console.JobPath("/jobs", d.job), Operates: edits(c), Revision: d.revision, Notices: notices,
		Tabs:   jobpage.Tabs(l, d.job, d.base.Shards, "config"),
		AsText: d.asText, TextTab: l.ConfigTabYaml(),
		Action: d.at("preview"), Discard: console.JobPath("/jobs", d.job), FormHref: d.at(), TextHref: d.at() + "?view=yaml",
	}
	p.Frame.Ignored = append(p.Frame.Ignored, hints...)
	if d.base.Generation == jobconfig.Generation2x {
		p.TextTab = l.ConfigTabJson()
	}
	if !d.fresh {
		p.Save = d.at()
	}
	if d.fresh {
		p.Frame.Title, p.Heading, p.JobHref, p.Tabs, p.Discard, p.Revision = l.ConfigNew(), l.ConfigNew(), "", nil, "/jobs", ""
	} else if s.Options().Settings != nil {
		p.Versions = d.at("versions")
		if v, ok := console.SavedVersion(s.Console, c, d.job, d.revision); ok {
			p.Author, p.SavedAt = v.User, view.AgoTime(v.At, s.Now())
		}
	}
	if p.Operates && !d.fresh && d.base.Generation == jobconfig.Generation3x {
		p.Duplicate = newJobRoute + "?" + url.Values{"from": {d.job}}.Encode()
	}
	if p.Operates {
		p.Hidden, p.Frame.Scripts = d.hidden(false), []string{"cron.js"}
		p.Text = d.text
	} else {
		d.base, d.mine = console.MaskedConfig(d.base), console.MaskedConfig(d.mine)
		p.Text = console.ConfigText(d.baseRaw, false)
	}
	wrong := wrongFields(l, d.err)
	p.TextError = textError(d, wrong)
	p.Beside = besideForm(s, c, d, wrong)
	if !d.asText {
		p.Groups = configGroups(l, d, d.changed(), wrong)
		p.Hidden = append(p.Hidden, jobs.Hidden{Name: "p95", Value: s.durationHint(c, d.job)})
	}
	if job, err := s.LookUp(c, d.job); err == nil && !d.fresh {
		head := jobpage.Head(s.Console, c, job, "config", nil)
		head.Frame, p.Head = p.Frame, &head
	}
	s.Render(c, status, jobs.Config(p))
}

// besideForm is what stands beside the form of a draft.
func besideForm(s *Pages, c *gin.Context, d *draft, wrong map[string]string) jobs.ConfigBeside {
	p := jobs.ConfigBeside{Operates: edits(c), Fresh: d.fresh, Changes: len(editor.Changed(d.base, d.mine)), Wrong: len(wrong)}
	if d.fresh { // the name and the class are no keys of the document
		for _, typed := range []string{d.mine.Name, d.class} {
			if typed != "" {
				p.Changes++
			}
		}
	}
	if !d.asText {
		p.Cron = s.cronProps(c, d)
	}
	if !p.Operates {
		return p
	}
	if text, err := d.document(); err == nil {
		preview := previewOf(s, c, d, string(text))
		preview.Nothing = preview.Nothing || d.fresh && d.mine.Name == ""
		p.Preview = &preview
	}
	return p
}

// changed are the keys in which a draft differs from what is stored. Of a new job nothing
// is stored, so that none was changed.
func (d *draft) changed() []string {
	if d.fresh {
		return nil
	}
	return editor.Changed(d.base, d.mine)
}

// changedFields are the keys of a draft that differ from what is stored, with what
// stands there but for flags: the other of two is what it was.
func changedFields(l i18n.Lang, d *draft) []jobs.ConfigField {
	var list []jobs.ConfigField
	known := formKeys(d.base)
	for _, name := range d.changed() {
		f := jobs.ConfigField{Name: name}
		if k, ok := known[name]; ok && k.Kind != editor.Flag {
			f.HasWas, f.Was = true, fieldText(l, k, d.base)
		}
		list = append(list, f)
	}
	return list
}

// wrongFields are the fields that cannot be taken, each with its sentence.
func wrongFields(l i18n.Lang, err error) map[string]string {
	wrong := make(map[string]string)
	fields := console.FieldBodies(lifecycle.FieldErrors(err))
	if p, ok := errors.AsType[*console.Problem](err); ok {
		fields = append(fields, p.Fields...)
		if len(p.Fields) == 0 {
			wrong["document"] = pageui.ProblemText(l, p)
		}
	}
	if err != nil && len(fields) == 0 && len(wrong) == 0 {
		wrong["document"] = view.Clip(mask.Text(err.Error()), 300)
	}
	for _, f := range fields {
		sentence := l.ConfigWant(console.WantIn(l, f.Want))
		if f.Value != "" {
			sentence = l.ConfigWantValue(strconv.Quote(f.Value), console.WantIn(l, f.Want))
		}
		wrong[f.Field] = sentence
	}
	for _, f := range lifecycle.FieldErrors(err) {
		if f.Text != "" && l == i18n.English { // the whole says more than value and want
			wrong[f.Field] = view.Clip(mask.Text(f.Text), 300) + "."
		}
	}
	return wrong
}

// textError is what is wrong with a draft as a text: all of it.
func textError(d *draft, wrong map[string]string) string {
	if !d.asText {
		return ""
	}
	var all []string
	for _, field := range view.SortedKeys(wrong) {
		if field == "document" {
			all = append(all, wrong[field])
		} else {
			all = append(all, field+": "+wrong[field])
		}
	}
	return strings.Join(all, " ")
}

// configGroups are the parts of the form with what was typed, or what mine says.
func configGroups(l i18n.Lang, d *draft, changed []string, wrong map[string]string) []jobs.ConfigGroup {
	keys := formKeys(d.mine)
	var groups []jobs.ConfigGroup
	if d.fresh {
		groups = append(groups, newJobGroup(l, d, wrong))
	}
	for _, g := range formGroups {
		group := jobs.ConfigGroup{ID: g.id, Title: g.title(l)}
		for _, f := range g.keys {
			if k, ok := keys[f.name]; ok {
				group.Fields = append(group.Fields, configField(l, d, f, k, slices.Contains(changed, f.name), wrong[f.name]))
			}
		}
		if g.rest {
			group.HasProps = d.mine.Generation == jobconfig.Generation3x
			group.Props, group.PropError = propRows(d, changed), propError(wrong)
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

func configField(l i18n.Lang, d *draft, f formKey, k editor.Key, changed bool, wrong string) jobs.ConfigField {
	field := jobs.ConfigField{Kind: jobs.FieldText, Name: f.name, Label: f.label(l), Error: wrong, Changed: changed, Wide: f.wide, Mono: f.mono, Lone: f.lone, Suggest: f.suggest}
	if f.help != nil {
		field.Help = f.help(l)
	}
	value, before := fieldText(l, k, d.mine), fieldText(l, k, d.base)
	switch k.Kind {
	case editor.Flag:
		field.Kind = jobs.FieldSwitch
		field.On, _ = k.Read(d.mine).(bool)
		return field // the other of two is what it was
	case editor.Number:
		field.Kind = jobs.FieldNumber
		bounds, _ := jobconfig.NumberBounds(f.name)
		field.Least, field.Most = bounds.Least, bounds.Most
	case editor.List:
		field.Kind = jobs.FieldArea
	case editor.Text:
		if strings.ContainsAny(value, "\r\n") || f.name == "description" {
			field.Kind = jobs.FieldArea
		}
	case editor.Other, editor.Props:
	}
	field.Value, field.HasWas, field.Was = value, changed, before
	if d.form != nil && d.form.Has(f.name) && !d.rowed(f.name) {
		field.Value = d.form.Get(f.name)
		field.Changed = field.Changed || wrong != "" && !d.fresh
	}
	propField(l, f, &field)
	return field
}

// fieldText is the value of a key as a field shows it.
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

// propError is what is wrong with properties.
func propError(wrong map[string]string) string {
	var all []string
	for _, field := range view.SortedKeys(wrong) {
		if key, of := strings.CutPrefix(field, editor.PropField); field == "props" || of && !slices.Contains(editor.OwnProps, key) {
			all = append(all, field+": "+wrong[field])
		}
	}
	return strings.Join(all, " ")
}

// typedOr is what was typed in a field, or what the configuration says.
func typedOr(form url.Values, name, otherwise string) string {
	if form.Has(name) {
		return form.Get(name)
	}
	return otherwise
}
