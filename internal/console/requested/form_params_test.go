package requested

import (
	_ "embed"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// everyField is a schema with a field of every kind.
//
//go:embed params/testdata/every.json
var everyField string

// takes has a job take what a schema says.
func takes(b *consoletest.Bench, job, schema string) {
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Schemas = map[string]jobrun.Schema{job: {Text: json.RawMessage(schema)}}
	})
}

// errorsOf are the texts beside fields.
func fieldErrors(t *testing.T, r consoletest.Reply) map[string]string {
	t.Helper()
	got := map[string]string{}
	r.Doc(t).Find(".field-error[id]").Each(func(_ int, s *goquery.Selection) { got[s.AttrOr("id", "")] = s.Text() })
	return got
}

// lastRun is the run that was requested last.
func lastRun(b *consoletest.Bench) (run jobrun.Run) {
	b.Registry.Set(func(f *consoletest.FakeRegistry) { run = f.Requested[len(f.Requested)-1] })
	return run
}

func TestTheFormOfARunHasTheParametersOfTheSchema(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	takes(b, "invoices", everyField)
	doc := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil).Doc(t)
	var got []string
	doc.Find(`[data-testid="param-fields"]`).Find("input, select, textarea").Each(func(_ int, s *goquery.Selection) {
		id := s.AttrOr("id", "")
		label := consoletest.Words(doc.Find(`label[for="` + id + `"]`))
		line := goquery.NodeName(s) + " " + s.AttrOr("type", "") + " " + label
		for _, name := range []string{"min", "max", "step"} {
			if value := s.AttrOr(name, ""); value != "" {
				line += " " + name + "=" + value
			}
		}
		for about := range strings.FieldsSeq(s.AttrOr("aria-describedby", "")) {
			line += " | " + consoletest.Words(doc.Find(`[id="`+about+`"]`))
		}
		if s.AttrOr("autocomplete", "off") != "off" {
			line += " completes itself"
		}
		got = append(got, line)
	})
	want := []string{
		"input text Month required | The month that is billed.", "textarea  note", "input password token", "input number count min=1 max=5000 step=1", "input number rate min=0 step=any",
		"input date day", "input datetime-local until step=1 | In UTC.", "input email mail", "input url link", "select  size required", "select  level", "input checkbox dryRun | Only say what would be done.",
		"input checkbox sure", "input checkbox mails", "textarea  tenants | One per line.", "textarea  numbers | One per line.", "input text city required", "input text zip",
		"input number times required step=1", "input text after required", "input checkbox hard", "select  way", "textarea  rows | As JSON.", "textarea  anything | As JSON.", "input text with.dot",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := consoletest.Words(doc.Find(`select[name="p.size"]`)) + "/" + consoletest.Words(doc.Find(`select[name="p.level"]`)); got != "small large/none 1 2 3" {
		t.Errorf("choices %q", got)
	}
	if got := consoletest.Words(doc.Find("fieldset legend")); got != "Address retry" {
		t.Errorf("groups %q", got)
	}
	// Without a schema, or with one that says nothing, there is an area for JSON.
	for _, schema := range []string{`{"type":"object"}`, `{"type":"object","later":1}`} {
		takes(b, "invoices", schema)
		doc := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil).Doc(t)
		if doc.Find(`textarea[name="params"]`).Length() != 1 || doc.Find(`[data-testid="as-json"], [data-testid="as-form"], [name="schema"]`).Length() > 0 {
			t.Errorf("%s: no area for JSON, or more than that", schema)
		}
	}
	takes(b, "invoices", `{"type":"object","additionalProperties":false}`)
	if got := b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run", nil).Text(t, "param-fields"); got != "The job takes no parameters." {
		t.Errorf("a job without parameters: %q", got)
	}
}

// wrongFieldsTyped are values for fields of everyField, wrong in each that
// wrongFieldsSaid names.
var (
	wrongFieldsTyped = []string{
		"p.month", "October", "p.token", "s3cret", "p.count", "50000", "p.rate", "much", "p.size", "large", "p.level", "2", "p.until", "2026-10-31T18:30", "p.mail", "nobody",
		"p.tenants", "a\r\nb\r\n\r\nc\r\nd", "p.numbers", "1\r\n\r\ntwo", "p.retry.times", "many", "p.rows", `[{"a.b":1},{"a.b":"x"}]`, "p.retry.way", "all",
	}
	wrongFieldsSaid = map[string]string{
		"p.month-error":        `"October" is not allowed; want text that matches ^[0-9]{4}-[0-9]{2}$.`,
		"p.count-error":        "50000 is not allowed; want a whole number from 1 to 5000.",
		"p.rate-error":         `"much" is not allowed; want a number of at least 0.`,
		"p.mail-error":         `"nobody" is not allowed; want an e-mail address.`,
		"p.tenants-error":      "a list of 4 values is not allowed; want at most 3 values.",
		"p.numbers-error":      `value 2: "two" is not allowed; want a whole number.`,
		"p.address.city-error": "is missing.",
		"p.retry.times-error":  `"many" is not allowed; want a whole number.`,
		"p.rows-error":         `[1].a.b: "x" is not allowed; want a whole number.`,
	}
)

// refusing posts the form of a job that takes everyField, with what is wrong in it and
// some more.
func refusing(t *testing.T) (b *consoletest.Bench, post func(lang string, change ...string) consoletest.Reply) {
	t.Helper()
	b = consoletest.New(t)
	takes(b, "invoices", everyField)
	path := app.RequestedPath("invoices")
	return b, func(lang string, change ...string) consoletest.Reply {
		t.Helper()
		form := requestFormOf(t, b, "/jobs/invoices/run", append(slices.Clone(wrongFieldsTyped), change...)...)
		return b.As(t, auth.RoleRoot, http.MethodPost, path, form, func(r *http.Request) { r.Header.Set("Accept-Language", lang) })
	}
}

func TestTheFormOfARunRefusesBesideItsFields(t *testing.T) {
	t.Parallel()
	_, post := refusing(t)
	r := post("en")
	consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	if diff := cmp.Diff(wrongFieldsSaid, fieldErrors(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := r.Text(t, "request-wrong"); got != "9 fields need a look" {
		t.Errorf("%q", got)
	}
	again := consoletest.Fields(t, r, "request-form")
	for i := 0; i < len(wrongFieldsTyped); i += 2 {
		if name := wrongFieldsTyped[i]; name != "p.size" && name != "p.level" && name != "p.retry.way" && again.Get(name) != strings.ReplaceAll(wrongFieldsTyped[i+1], "\r\n", "\n") {
			t.Errorf("%s is %q after the form was sent", name, again.Get(name))
		}
	}
	doc := r.Doc(t)
	if doc.Find(`select[name="p.level"] option[selected]`).Text() != "2" || doc.Find(`input[name="p.count"]`).AttrOr("aria-describedby", "") != "p.count-error" {
		t.Error("the choice is lost, or the error is not said of the field")
	}
	if curl := consoletest.Words(doc.Find("main")); strings.Contains(curl, "s3cret") {
		t.Error("the page says the secret")
	}
}

// TestTheFormOfARunRefusesAtOnce: what is wrong with parameters and with the rest of the
// form is said together.
func TestTheFormOfARunRefusesAtOnce(t *testing.T) {
	t.Parallel()
	b, post := refusing(t)
	wrong := maps.Clone(wrongFieldsSaid)
	r := post("en", "p.rows", "[{", "when", "in", "in", "soon")
	wrong["p.rows-error"], wrong["when-error"] = "This is no JSON.", "Write a whole number from 1, such as 5."
	if diff := cmp.Diff(wrong, fieldErrors(t, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r = post("zh-CN", "p.rows", "[{")
	for name, text := range fieldErrors(t, r) {
		if !regexp.MustCompile(`\p{Han}`).MatchString(text) || strings.Contains(text, "want") || strings.Contains(text, " is ") {
			t.Errorf("%s in Chinese: %q", name, text)
		}
	}
	if got := fieldErrors(t, r)["p.count-error"]; got != "不接受 50000；应为：1 到 5000 的整数。" {
		t.Errorf("in Chinese: %q", got)
	}
	// What is about no field stands above.
	r = post("en", "p.note", strings.Repeat("x", 70_000))
	consoletest.WantStatus(t, r, http.StatusRequestEntityTooLarge)
	if got := r.Text(t, "request-params"); !strings.Contains(got, "at most 65536 are allowed") {
		t.Errorf("parameters that are too large: %q", got)
	}
	r = post("en", "p.month", "2026-10", "p.count", "50", "p.rate", "", "p.mail", "", "p.tenants", "a", "p.numbers", "", "p.address.city", "Bonn", "p.retry.times", "3", "p.rows", "")
	consoletest.WantStatus(t, r, http.StatusSeeOther)
	if got := string(lastRun(b).Params); got != `{"month":"2026-10","token":"s3cret","count":50,"until":"2026-10-31T18:30:00Z","size":"large","level":2,"sure":false,"mails":true,"tenants":["a"],"address":{"city":"Bonn"},"retry":{"times":3,"after":"5m","hard":false,"way":"all"}}` {
		t.Errorf("parameters %s", got)
	}
}

func TestTheFormOfARunIsLeftForJSON(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	path := app.RequestedPath("invoices")
	get := func(query string) consoletest.Reply {
		return b.As(t, auth.RoleRoot, http.MethodGet, "/jobs/invoices/run"+query, nil)
	}
	again := url.Values{"again": {consoletest.SampleActive}, "shards": {"failed"}}.Encode()
	form := get("?" + again)
	if got := form.Doc(t).Find(`[data-testid="as-json"]`).AttrOr("href", ""); got != "/jobs/invoices/run?"+strings.Replace(again, "&", "&as=json&", 1) {
		t.Errorf("to JSON: %s", got)
	}
	if fields := consoletest.Fields(t, form, "request-form"); fields.Get("p.month") != "2026-10" || fields.Get("p.tenants") != "Munich\nParis" || fields.Has("params") {
		t.Errorf("a run that is repeated: %v", fields)
	}
	text := get("?as=json&" + again)
	if got := text.Doc(t).Find(`[data-testid="as-form"]`).AttrOr("href", ""); got != "/jobs/invoices/run?"+again {
		t.Errorf("to the fields: %s", got)
	}
	if fields := consoletest.Fields(t, text, "request-form"); !strings.Contains(fields.Get("params"), `"Munich"`) || fields.Has("schema") {
		t.Errorf("as JSON: %v", fields)
	}
	// JSON is refused as a whole, and shown again as such.
	r := b.As(t, auth.RoleRoot, http.MethodPost, path, requestFormOf(t, b, "/jobs/invoices/run?as=json", "params", `{"month":7}`))
	consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	if got := r.Text(t, "params-error"); got != "month: *** is not allowed; want a text." && got != "month: 7 is not allowed; want a text." {
		t.Errorf("%q", got)
	}
	if consoletest.Fields(t, r, "request-form").Get("params") != `{"month":7}` {
		t.Error("what was typed is lost")
	}
	// What the fields cannot have is shown as JSON, too.
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.Requested[0].Params = json.RawMessage(`{"month":"2026-10","colour":"red"}`)
	})
	unfit := get("?" + again)
	if fields := consoletest.Fields(t, unfit, "request-form"); !strings.Contains(fields.Get("params"), `"colour": "red"`) || unfit.Text(t, "request-unfit") == "" {
		t.Errorf("parameters that do not fit: %v", fields)
	}
}

// TestTheFormOfARunIsOfOneSchema: a form that was shown for another schema is shown
// again, with what was typed, and nothing is requested.
func TestTheFormOfARunIsOfOneSchema(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	path := app.RequestedPath("invoices")
	form := requestFormOf(t, b, "/jobs/invoices/run", "p.month", "2026-10")
	takes(b, "invoices", `{"type":"object","properties":{"month":{"type":"string"},"mails":{"type":"boolean","default":true}}}`)
	before := lastRun(b).ID
	r := b.As(t, auth.RoleRoot, http.MethodPost, path, form)
	consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	if r.Text(t, "request-changed") == "" || consoletest.Fields(t, r, "request-form").Get("p.month") != "2026-10" || lastRun(b).ID != before {
		t.Error("a form of another schema is carried out, or what was typed is lost")
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) { f.Schemas = nil })
	r = b.As(t, auth.RoleRoot, http.MethodPost, path, form)
	consoletest.WantStatus(t, r, http.StatusUnprocessableEntity)
	if r.Text(t, "request-changed") == "" || lastRun(b).ID != before {
		t.Error("a form of a schema that is no longer there is carried out")
	}
	b.Registry.Set(func(f *consoletest.FakeRegistry) {
		f.ReadErr = &lifecycle.Error{Op: "read", Job: "invoices", Kind: lifecycle.ErrUnavailable}
	})
	consoletest.WantStatus(t, b.As(t, auth.RoleRoot, http.MethodPost, path, form), http.StatusServiceUnavailable)
}
