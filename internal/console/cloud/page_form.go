package cloud

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
)

// field is a field in the form of a document. Its name and its label are its name in the REST
// interface.
type field struct {
	cloudui.FormField
	help func(i18n.Lang) string
	get  func() string
	// set reads the typed text. It returns the right values instead, "" if the text is right.
	set func(typed string) (want string)
}

func newField(name string, help func(i18n.Lang) string, kind cloudui.FieldKind, get func() string, set func(string) string) field {
	return field{cloudui.FormField{Name: name, Kind: kind}, help, get, set}
}

func textField(name string, help func(i18n.Lang) string, kind cloudui.FieldKind, at *string) field {
	return newField(name, help, kind, func() string { return *at }, func(typed string) string { *at = typed; return "" })
}

func amountField(name string, help func(i18n.Lang) string, least, most float64, at *float64) field {
	return newField(name, help, cloudui.FieldCode, func() string { return strconv.FormatFloat(*at, 'g', -1, 64) }, func(typed string) string {
		v, err := strconv.ParseFloat(typed, 64)
		if err != nil {
			return fmt.Sprintf("a number from %g to %g", least, most)
		}
		*at = v
		return ""
	})
}

func wholeField(name string, help func(i18n.Lang) string, least, most int, at *int) field {
	return newField(name, help, cloudui.FieldCode, func() string { return strconv.Itoa(*at) }, func(typed string) string {
		v, err := strconv.Atoi(typed)
		if err != nil {
			return fmt.Sprintf("a whole number from %d to %d", least, most)
		}
		*at = v
		return ""
	})
}

func switchField(name string, help func(i18n.Lang) string, at *bool) field {
	return newField(name, help, cloudui.FieldCheck, func() string { return map[bool]string{true: "on"}[*at] }, func(typed string) string { *at = typed != ""; return "" })
}

// wordsField is a list of words, one on each line, or a JSON list if a word has lines itself.
func wordsField(name string, help func(i18n.Lang) string, at *[]string) field {
	odd := func(word string) bool { return word == "" || strings.ContainsAny(word, "\r\n") }
	return newField(name, help, cloudui.FieldLines, func() string {
		if slices.ContainsFunc(*at, odd) || len(*at) > 0 && strings.HasPrefix((*at)[0], "[") {
			return asJSON(*at)
		}
		return strings.Join(*at, "\n")
	}, func(typed string) string {
		words := linesOf(typed)
		if strings.HasPrefix(typed, "[") {
			if words = nil; json.Unmarshal([]byte(typed), &words) != nil {
				return "a list of texts"
			}
		}
		*at = words
		return ""
	})
}

// pairsField are names and values, name=value on each line, or a JSON object if lines would be
// ambiguous.
func pairsField(name string, help func(i18n.Lang) string, at *map[string]string) field {
	return newField(name, help, cloudui.FieldLines, func() string {
		var lines []string
		for _, key := range view.SortedKeys(*at) {
			value := (*at)[key]
			if key == "" || strings.ContainsAny(key, "={\r\n") || strings.ContainsAny(value, "\r\n") || key != strings.TrimSpace(key) || value != strings.TrimSpace(value) {
				return asJSON(*at)
			}
			lines = append(lines, key+"="+value)
		}
		return strings.Join(lines, "\n")
	}, func(typed string) string {
		pairs := make(map[string]string)
		if strings.HasPrefix(typed, "{") {
			if json.Unmarshal([]byte(typed), &pairs) != nil {
				return "an object of texts"
			}
		} else {
			for _, line := range linesOf(typed) {
				key, value, is := strings.Cut(line, "=")
				if key = strings.TrimSpace(key); !is || key == "" {
					return "name=value on each line"
				}
				pairs[key] = strings.TrimSpace(value)
			}
		}
		if *at = pairs; len(pairs) == 0 {
			*at = nil
		}
		return ""
	})
}

func asJSON(value any) string {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("cloud: texts as JSON: %v", err)) // They always have one.
	}
	return string(text)
}

// linesOf are the lines of a text that are not empty.
func linesOf(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// form is the form of a document.
type form struct {
	*call
	props    cloudui.FormProps
	stored   document // its kind is empty for a new document
	wanted   document
	sections []section
}

type section struct {
	title  string
	fields []field
}

// formPage is the form of a document: of the one in the address, or else of a new one. It comes back
// with the errors, then with the question whether to save, and leads to the saved document.
func formPage(kind cloud.Kind) handler {
	return func(r *call) error {
		r.kind = kind
		f := &form{call: r, wanted: newDocument(kind)}
		of, title := partOf(kind), map[cloud.Kind]string{cloud.KindApp: r.l.CloudAppNew(), cloud.KindJob: r.l.CloudJobNew()}[kind]
		if r.name == "" {
			f.props = cloudui.FormProps{Head: r.headOf(title, of), Post: r.c.FullPath(), Back: cloudui.Path(of.name)}
			f.wanted.Job.Shards = 1
			f.wanted.put(r.place(""))
			if apps := r.Seen.Apps(); len(apps) > 0 {
				f.wanted.Job.AppName = apps[0].Name
			}
		} else {
			stored, err := r.read(r.ctx, kind, r.name)
			if err != nil {
				return err
			}
			f.stored, f.wanted = stored, stored.clone()
			f.props = cloudui.FormProps{Head: r.headAbout(r.l.CloudEditTitle(r.name)), Post: r.path(r.name, "edit"), Back: r.path(r.name), Seen: stored.revision()}
		}
		f.sections = f.sectionsOf(&f.wanted)
		if r.posted() {
			return f.take()
		}
		return f.show(http.StatusOK, nil, nil)
	}
}

// sectionsOf are the fields of a document.
func (f *form) sectionsOf(d *document) []section {
	if d.isApp() {
		return f.appSections(&d.app)
	}
	return f.jobSections(&d.Job)
}

func (f *form) isNew() bool { return f.stored.kind == "" }

// all are the fields of all sections.
func (f *form) all() (list []field) {
	for _, s := range f.sections {
		list = append(list, s.fields...)
	}
	return list
}

func (f *form) has(name string) bool {
	return slices.ContainsFunc(f.all(), func(one field) bool { return one.Name == name })
}

// show shows the form with the texts and errors of its fields, and problems that aren't about one.
func (f *form) show(status int, typed, wrong map[string]string, problems ...string) error {
	p := f.props
	p.Problems = problems
	for _, s := range f.sections {
		fields := cloudui.FormSection{Title: s.title}
		for _, one := range s.fields {
			one.Help, one.Value, one.Error = one.help(f.l), one.get(), wrong[one.Name]
			if text, is := typed[one.Name]; is {
				one.Value = text
			}
			fields.Fields = append(fields.Fields, one.FormField)
		}
		p.Sections = append(p.Sections, fields)
	}
	return f.render(status, cloudui.Form(p))
}

// take carries a sent form as far as it goes.
func (f *form) take() error {
	typed, wrong := make(map[string]string), make(map[string]string)
	for _, one := range f.all() {
		if one.Fixed {
			continue
		}
		typed[one.Name] = strings.TrimSpace(f.c.PostForm(one.Name))
		if want := one.set(typed[one.Name]); want != "" {
			wrong[one.Name] = app.WantIn(f.l, want)
		}
	}
	var problems []string
	if f.c.PostForm("seen") != f.props.Seen {
		problems = append(problems, f.l.CloudFormChanged())
	}
	if len(wrong) == 0 {
		more, err := f.assign(f.check(f.ctx, f.stored, f.wanted, false), wrong)
		if err != nil {
			return err
		}
		problems = append(problems, more...)
	}
	switch {
	case len(wrong)+len(problems) > 0:
		app.Refused(f.c, "invalid")
		return f.show(app.FormStatus(f.c), typed, wrong, problems...)
	case f.c.PostForm("again") != "":
		app.Refused(f.c, "not_confirmed")
		return f.show(http.StatusOK, typed, nil)
	case !pageui.Confirmed(f.c):
		return f.review()
	}
	var names []string
	for _, change := range f.changes() {
		names = append(names, change.Label)
	}
	f.note(slog.String("fields", strings.Join(names, ",")))
	if err := f.save(f.ctx); err != nil {
		flash := pageui.FailedFlash(f.s, f.c, pageProblem(err))
		return f.show(http.StatusUnprocessableEntity, typed, nil, strings.TrimSpace(flash.Title+" "+strings.Join(flash.Lines, " ")))
	}
	did := f.l.CloudDidSave(f.wanted.name())
	if f.isNew() {
		did = f.l.CloudDidMake(f.wanted.name())
	}
	return f.acted(f.path(f.wanted.name()), did, nil)
}

func (f *form) save(ctx context.Context) (err error) {
	if f.isNew() {
		_, err = f.create(ctx, f.wanted)
	} else {
		_, err = f.replace(ctx, f.stored, f.wanted)
	}
	return err
}

// assign writes each problem of the document next to its field, in wrong. It returns the problems
// without a field, and any error that isn't about the document.
func (f *form) assign(err error, wrong map[string]string) (problems []string, _ error) {
	if err == nil {
		return nil, nil
	}
	var fields []app.FieldBody
	for _, one := range lifecycle.FieldErrors(err) {
		fields = append(fields, app.FieldBody{Field: one.Field, Want: one.Want})
	}
	if len(fields) == 0 {
		if fields = pageProblem(err).Fields; len(fields) == 0 {
			return nil, err
		}
	}
	for _, one := range fields {
		at, _, _ := strings.Cut(one.Field, ".")
		text := app.WantIn(f.l, one.Want)
		if at != one.Field || !f.has(at) {
			text = one.Field + ": " + text
		}
		switch {
		case !f.has(at):
			problems = append(problems, text)
		case wrong[at] != "":
			wrong[at] += "; " + text
		default:
			wrong[at] = text
		}
	}
	return problems, nil
}

// changes are the fields that change, with their texts before and after.
func (f *form) changes() (list []cloudui.FormChange) {
	before := make(map[string]string)
	if !f.isNew() {
		was := f.stored.clone()
		for _, s := range f.sectionsOf(&was) {
			for _, one := range s.fields {
				before[one.Name] = one.get()
			}
		}
	}
	for _, one := range f.all() {
		if was, is := before[one.Name], one.get(); was != is {
			list = append(list, cloudui.FormChange{Label: one.Name, Before: was, After: is})
		}
	}
	return list
}

// review asks whether to save the changes.
func (f *form) review() error {
	const most = 2000
	for _, change := range f.changes() {
		f.props.Changes = append(f.props.Changes, cloudui.FormChange{Label: change.Label, Before: view.Clip(change.Before, most), After: view.Clip(change.After, most)})
	}
	if len(f.props.Changes) == 0 {
		return f.show(http.StatusOK, nil, nil, f.l.CloudFormNothing())
	}
	f.props.Effects = f.effects()
	body := fieldsOf(f.wanted.config())
	maps.DeleteFunc(body, func(name string, _ json.RawMessage) bool { return !f.has(name) })
	text, err := json.Marshal(body)
	if err != nil {
		return app.Internal(err)
	}
	method, path, query := http.MethodPut, f.path(f.name), url.Values(nil)
	if f.isNew() {
		method, path = http.MethodPost, f.props.Back
		if in := f.wanted.namespace(); in != "" {
			query = url.Values{"namespace": {in}}
		}
	}
	f.props.Curl = f.s.Curl(f.c, method, "/api"+path, query, string(text))
	return f.show(http.StatusOK, nil, nil)
}

// effects are the consequences of saving.
func (f *form) effects() (list []string) {
	if f.wanted.isApp() {
		return []string{executes(f.l, f.wanted.app), f.l.CloudFormRuns()}
	}
	j := f.wanted.Job
	if f.isNew() && j.Cron != "" {
		list = append(list, f.l.CloudFormFires())
	}
	list = append(list, f.l.CloudFormRuns())
	if script, err := j.Script(); err == nil && script != nil {
		list = append(list, f.l.CloudExecutes(strings.Join(script, " ")))
	}
	return append(list, f.warnings(f.l, f.wanted, true)...)
}

// executes is the program that an application starts, so that it isn't saved by mistake.
func executes(l i18n.Lang, a cloud.App) string {
	words := strings.Join(slices.Concat(a.Command, a.Args), " ")
	program := strings.TrimSpace(words + " " + a.BootstrapScript)
	switch {
	case a.Image != "" && program == "":
		return l.CloudExecutesImage(a.Image)
	case a.Image != "":
		return l.CloudExecutesInImage(a.Image, program)
	case a.Shell:
		return l.CloudExecutesShell(a.BootstrapScript)
	}
	return l.CloudExecutes(program)
}

// namespaceField is the namespace of a document if there are several. It never changes.
func (f *form) namespaceField(at *string) []field {
	if !f.several() {
		return nil
	}
	one := textField("namespace", i18n.Lang.CloudHelpNamespace, cloudui.FieldChoice, at)
	if one.Choices, one.Fixed = f.Namespaces, !f.isNew(); one.Fixed {
		one.Kind = cloudui.FieldCode
	}
	one.set = func(typed string) string {
		if !slices.Contains(f.Namespaces, typed) {
			return "one that is served: " + strings.Join(f.Namespaces, ", ")
		}
		*at = typed
		return ""
	}
	return []field{one}
}

func (f *form) nameField(name string, at *string) field {
	one := textField(name, i18n.Lang.CloudHelpName, cloudui.FieldCode, at)
	one.Fixed = !f.isNew()
	return one
}

func (f *form) jobSections(j *cloud.Job) []section {
	application := textField("appName", i18n.Lang.CloudHelpApp, cloudui.FieldChoice, &j.AppName)
	for _, a := range f.Seen.Apps() {
		application.Choices = append(application.Choices, a.Name)
	}
	if stored := f.stored.Job.AppName; !f.isNew() && !slices.Contains(application.Choices, stored) {
		application.Choices = append(application.Choices, stored)
	}
	return []section{
		{f.l.CloudFormWhat(), slices.Concat([]field{f.nameField("jobName", &j.Name)}, f.namespaceField(&j.Namespace), []field{
			application,
			textField("description", i18n.Lang.CloudHelpDescription, cloudui.FieldText, &j.Description),
			wholeField("shardingTotalCount", i18n.Lang.CloudHelpShards, 1, cloud.MaxShards, &j.Shards),
			textField("shardingItemParameters", i18n.Lang.CloudHelpShardParameters, cloudui.FieldCode, &j.ShardParameters),
			textField("jobParameter", i18n.Lang.CloudHelpParameter, cloudui.FieldText, &j.Parameter),
			amountField("cpuCount", i18n.Lang.CloudHelpCpu, cloud.LeastCPU, cloud.MaxCPU, &j.CPU),
			amountField("memoryMB", i18n.Lang.CloudHelpMemory, cloud.LeastMemoryMB, cloud.MaxMemoryMB, &j.MemoryMB),
		})},
		{f.l.CloudFormWhen(), []field{
			textField("cron", i18n.Lang.CloudHelpCron, cloudui.FieldCode, &j.Cron),
			textField("timeZone", i18n.Lang.CloudHelpZone, cloudui.FieldText, &j.TimeZone),
			switchField("misfire", i18n.Lang.CloudHelpMisfire, &j.Misfire),
			switchField("failover", i18n.Lang.CloudHelpFailover, &j.Failover),
			textField("jobErrorHandlerType", i18n.Lang.CloudHelpErrorHandler, cloudui.FieldText, &j.ErrorHandlerType),
			pairsField("props", i18n.Lang.CloudHelpProps, &j.Props),
		}},
	}
}

// appSections are the fields of an application. The engine decides which of them start a program.
func (f *form) appSections(a *cloud.App) []section {
	local := f.Engine.Capabilities().Engine == cloud.EngineLocal
	what := append([]field{f.nameField("appName", &a.Name)}, f.namespaceField(&a.Namespace)...)
	if !local || f.stored.app.Image != "" {
		what = append(what, textField("image", i18n.Lang.CloudHelpImage, cloudui.FieldCode, &a.Image))
	}
	what = append(what,
		wordsField("command", i18n.Lang.CloudHelpCommand, &a.Command), wordsField("args", i18n.Lang.CloudHelpArgs, &a.Args),
		textField("bootstrapScript", i18n.Lang.CloudHelpScript, cloudui.FieldLines, &a.BootstrapScript),
	)
	if local {
		what = append(what, switchField("shell", i18n.Lang.CloudHelpShell, &a.Shell))
	}
	return []section{{f.l.CloudProcess(), what}, {f.l.CloudNeeds(), []field{
		amountField("cpuCount", i18n.Lang.CloudHelpCpu, cloud.LeastCPU, cloud.MaxCPU, &a.CPU),
		amountField("memoryMB", i18n.Lang.CloudHelpMemory, cloud.LeastMemoryMB, cloud.MaxMemoryMB, &a.MemoryMB),
		wholeField("terminationGracePeriodSeconds", i18n.Lang.CloudHelpGrace, 0, 24*60*60, &a.GraceSeconds),
		pairsField("env", i18n.Lang.CloudHelpEnv, &a.Env),
	}}}
}
