package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// takenParams is what parameters the job of a form takes.
type takenParams struct {
	schema   *runparams.Schema // nil for anything
	form     *paramForm        // nil if the schema makes none
	id       string            // of the schema
	asFields bool              // else as JSON
	typed    url.Values        // into the fields
	link     url.Values        // what leads to this form again
}

// readSchema reads what the job takes. A schema of a later version says nothing here.
func (s requestPages) readSchema(c *gin.Context, f *requestForm) error {
	stored, err := s.requested().Schema(c, f.job.Name)
	if err != nil && console.AsProblem(err).Status() >= http.StatusInternalServerError {
		return err
	}
	if err != nil || len(stored.Text) == 0 {
		return nil
	}
	schema, err := runparams.Parse(stored.Text)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(stored.Text)
	f.takes.schema, f.takes.form, f.takes.id = schema, newParamForm(schema), hex.EncodeToString(sum[:8])
	if f.takes.form != nil {
		f.takes.typed = f.takes.form.fresh
	}
	return nil
}

// sentFields finds the fields of a form that was sent, and reports whether the job takes
// other parameters since it was shown: then the fields would say something else.
func (s requestPages) sentFields(c *gin.Context, f *requestForm) (changed bool, err error) {
	shown := c.Request.PostForm.Get("schema")
	if err := s.readSchema(c, f); err != nil && shown != "" {
		return false, err
	} // else the JSON that was typed is shown again, with what becomes of the request
	f.takes.asFields = shown != "" && f.takes.form != nil
	changed = shown != "" && shown != f.takes.id
	if changed {
		f.notices = append(f.notices, ui.Notice{Tone: ui.ToneWarn, Heading: f.lang.RequestParameters(), Text: f.lang.RequestParamsChanged(), TestID: "request-changed"})
	}
	return changed, nil
}

// fillFields fills the fields in as another run was requested; parameters that they
// cannot have are shown as JSON.
func (f *requestForm) fillFields(run jobrun.Run) {
	if !f.takes.asFields || len(run.Params) == 0 {
		return
	}
	typed, fits := f.takes.form.fill(run.Params)
	if fits {
		f.takes.typed = typed
		return
	}
	f.takes.asFields = false
	f.notices = append(f.notices, ui.Notice{Tone: ui.ToneWarn, Heading: f.lang.RequestParameters(), Text: f.lang.RequestParamsUnfit(), TestID: "request-unfit"})
}

// typedParams are the parameters as they were typed. JSON that is none is noted beside
// its field.
func (f *requestForm) typedParams() json.RawMessage {
	if !f.takes.asFields {
		return compact(f.params)
	}
	params, broken := f.takes.form.build(f.takes.typed)
	for _, field := range broken {
		f.wrong[field.name] = f.lang.RequestWrongJson()
	}
	return params
}

// refuseFields puts each problem with the parameters beside its field; rest are all of
// them in other words, for a refusal that does not list them.
func (f *requestForm) refuseFields(p *console.Problem, rest []string) {
	if listed, ok := errors.AsType[*jobrun.ParamsError](p.Cause); ok {
		beside := make(map[string][]string)
		rest = nil
		for _, problem := range listed.Problems {
			want := console.WantIn(f.lang, problem.Text)
			switch field, within := f.takes.form.placed(problem.Path); {
			case field == nil && problem.Path == "":
				rest = append(rest, want)
			case field == nil:
				rest = append(rest, problem.Path+": "+want)
			case field.kind == paramLines && lineOf(within) > 0:
				beside[field.name] = append(beside[field.name], f.lang.RequestParamValue(strconv.Itoa(lineOf(within)), want))
			case within != "":
				beside[field.name] = append(beside[field.name], within+": "+want)
			default:
				beside[field.name] = append(beside[field.name], want)
			}
		}
		for name, texts := range beside {
			if f.wrong[name] == "" {
				f.wrong[name] = f.sentence(texts)
			}
		}
	}
	if len(rest) > 0 {
		f.notices = append(f.notices, ui.Notice{Tone: ui.ToneBad, Heading: f.lang.RequestParameters(), Text: f.sentence(rest), TestID: "request-params"})
	}
}

// shownInCurl are the parameters for everybody who looks over the shoulder.
func (f *requestForm) shownInCurl(params json.RawMessage) json.RawMessage {
	if f.takes.asFields && f.takes.schema.HasSecrets() {
		return f.takes.schema.Mask(params)
	}
	return params
}

// paramFields are the fields for the page, nil if the job's schema makes none.
func (f *requestForm) paramFields() *jobs.RequestParams {
	if f.takes.form == nil {
		return nil
	}
	link := func(as string) string {
		q := url.Values{}
		for name, values := range f.takes.link {
			if len(values) > 0 {
				q[name] = values
			}
		}
		if as != "" {
			q.Set("as", as)
		}
		return strings.TrimSuffix(pageui.AskRunPath(f.job.Name)+"?"+q.Encode(), "?")
	}
	p := &jobs.RequestParams{FormHref: link(""), JSONHref: link("json"), AsJSON: !f.takes.asFields, Schema: f.takes.id, Secrets: f.takes.schema.HasSecrets()}
	if f.takes.asFields {
		p.Fields = f.shownFields(f.takes.form.fields)
	}
	return p
}

func (f *requestForm) shownFields(fields []*paramField) (list []jobs.RequestParam) {
	for _, field := range fields {
		s, value := field.schema, f.takes.typed.Get(field.name)
		p := jobs.RequestParam{
			Kind: shownKinds[field.kind], Name: field.name, ID: url.PathEscape(field.name), Label: field.property, Help: s.Description, Error: f.wrong[field.name],
			Required: field.required && field.kind != paramCheck && field.kind != paramGroup, Value: value, Secret: s.HasSecrets(), InUTC: field.inUTC(),
		}
		if s.Title != "" {
			p.Label = s.Title
		}
		switch field.kind {
		case paramInput:
			p.Type, p.Step = inputTypes[s.Format], map[bool]string{true: "1"}[field.inUTC()]
		case paramNumber:
			p.Type, p.Step, p.Min, p.Max = "number", "any", string(s.Minimum), string(s.Maximum)
			if s.Type == runparams.Integer {
				p.Step = "1"
			}
		case paramHidden:
			p.Type = "password"
		case paramSelect:
			p.Choices = choicesOf(f.lang, field, value)
		case paramLines:
			if field.chips() {
				p.Kind, p.Choices = jobs.ParamChips, chipsOf(field, value)
			}
		case paramGroup:
			p.Below = f.shownFields(field.below)
		}
		list = append(list, p)
	}
	return list
}

// chipsOf are the values of a list to choose from.
func chipsOf(field *paramField, value string) (list []ui.Choice) {
	chosen := strings.Split(value, "\n")
	for _, raw := range field.schema.Items.Enum {
		text, _ := paramText(field.schema.Items, raw)
		list = append(list, ui.Choice{Value: text, Label: text, Selected: slices.Contains(chosen, text)})
	}
	return list
}

var shownKinds = map[paramKind]jobs.RequestParamKind{
	paramInput: jobs.ParamInput, paramHidden: jobs.ParamInput, paramNumber: jobs.ParamInput, paramArea: jobs.ParamArea, paramSelect: jobs.ParamSelect,
	paramCheck: jobs.ParamCheck, paramLines: jobs.ParamLines, paramJSON: jobs.ParamJSON, paramGroup: jobs.ParamGroup,
}

// inputTypes are the inputs of HTML for formats.
var inputTypes = map[string]string{
	"": "text", runparams.FormatDate: "date", runparams.FormatDateTime: "datetime-local", runparams.FormatEmail: "email", runparams.FormatURI: "url",
}

// choicesOf are the choices of a field, with none first where nothing may be chosen.
func choicesOf(l i18n.Lang, field *paramField, value string) (list []ui.Choice) {
	if field.canBeEmpty() {
		list = append(list, ui.Choice{Label: l.RequestParamNone(), Selected: value == ""})
	}
	for _, raw := range field.schema.Enum {
		text, _ := paramText(field.schema, raw)
		list = append(list, ui.Choice{Value: text, Label: text, Selected: text == value})
	}
	return list
}
