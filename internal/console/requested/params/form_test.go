package params

import (
	_ "embed"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/runparams"
)

// everyField is a schema with a field of every kind.
//
//go:embed testdata/every.json
var everyField string

func paramFormOf(t *testing.T, schema string) *Form {
	t.Helper()
	s, err := runparams.Parse([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return New(s)
}

func TestParamsFormHasAFieldForEveryKind(t *testing.T) {
	t.Parallel()
	var got []string
	f := paramFormOf(t, everyField)
	each(f.Fields, func(f *Field) { got = append(got, fmt.Sprint(f.Name, " ", f.path, " ", f.Kind, " ", f.Required)) })
	want := []string{
		"p.month month 0 true", "p.note note 1 false", "p.token token 2 false", "p.count count 3 false", "p.rate rate 3 false", "p.day day 0 false", "p.until until 0 false",
		"p.mail mail 0 false", "p.link link 0 false", "p.size size 4 true", "p.level level 4 false", "p.dryRun dryRun 5 false", "p.sure sure 5 true", "p.mails mails 5 false",
		"p.tenants tenants 6 false", "p.numbers numbers 6 false", "p.address.city address.city 0 true", "p.address.zip address.zip 0 false",
		"p.retry.times retry.times 3 true", "p.retry.after retry.after 0 true", "p.retry.hard retry.hard 5 true", "p.retry.way retry.way 4 false",
		"p.rows rows 7 false", "p.anything anything 7 false", "p.with%2Edot with.dot 0 false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(url.Values{"p.count": {"100"}, "p.size": {"large"}, "p.mails": {"true"}, "p.retry.after": {"5m"}}, f.Fresh); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
	if paramFormOf(t, `{"type":"object"}`) != nil || New(nil) != nil {
		t.Error("there is a form for parameters of which nothing is known")
	}
	if f := paramFormOf(t, `{"type":"object","additionalProperties":false}`); f == nil || len(f.Fields) > 0 {
		t.Error("a job that takes no parameters has no form, or one with fields")
	}
}

func TestParamsAreBuiltOfWhatWasTyped(t *testing.T) {
	t.Parallel()
	f := paramFormOf(t, everyField)
	const rest = `"size":"large","sure":false,"mails":false,"address":{}}`
	for _, test := range []struct{ typed, want, broken string }{
		{``, `{` + strings.Replace(rest, `"size":"large",`, "", 1), ""},
		{`p.size=large&p.month=2026-10&p.count=7&p.rate=1.5e3`, `{"month":"2026-10","count":7,"rate":1.5e3,` + rest, ""},
		{`p.size=large&p.count=+seven&p.rate=+2+`, `{"count":"seven","rate":2,` + rest, ""},
		{`p.size=large&p.count=007&p.rate=true`, `{"count":"007","rate":"true",` + rest, ""},
		{`p.size=large&p.month=+&p.note=a%0D%0Ab%0D%0A&p.token=+s3cret`, `{"month":" ","note":"a\nb\n","token":" s3cret",` + rest, ""},
		{`p.size=large&p.day=2026-10-31&p.until=2026-10-31T18:30`, `{"day":"2026-10-31","until":"2026-10-31T18:30:00Z",` + rest, ""},
		{`p.size=large&p.until=2026-10-31T18:30:01.5&p.mail=+a@b.org`, `{"until":"2026-10-31T18:30:01.5Z","mail":"a@b.org",` + rest, ""},
		{`p.size=large&p.until=tomorrow&p.level=2`, `{"until":"tomorrow","size":"large","level":2,"sure":false,"mails":false,"address":{}}`, ""},
		{`p.size=large&p.dryRun=true&p.sure=true&p.mails=true`, `{"size":"large","dryRun":true,"sure":true,"mails":true,"address":{}}`, ""},
		{`p.size=large&p.tenants=a%0D%0A%0D%0A+b+%0D%0A<%26>&p.numbers=1%0Atwo`, `{` + strings.Replace(rest, `"address"`, `"tenants":["a","b","<&>"],"numbers":[1,"two"],"address"`, 1), ""},
		{`p.size=large&p.address.city=Bonn`, `{` + strings.Replace(rest, `{}`, `{"city":"Bonn"}`, 1), ""},
		{`p.size=large&p.retry.after=5m`, `{` + rest, ""}, // no field was changed
		{`p.size=large&p.retry.after=`, `{` + rest[:len(rest)-1] + `,"retry":{"hard":false}}`, ""},
		{`p.size=large&p.retry.after=5m&p.retry.way=one`, `{` + rest[:len(rest)-1] + `,"retry":{"after":"5m","hard":false,"way":"one"}}`, ""},
		{`p.size=large&p.rows=[ {"a.b": 1} ]&p.anything=null`, `{` + rest[:len(rest)-1] + `,"rows":[{"a.b":1}],"anything":null}`, ""},
		{`p.size=large&p.rows=[{"a":1,"a":2}]&p.with%252Edot=x`, `{` + rest[:len(rest)-1] + `,"rows":[{"a":1,"a":2}],"with.dot":"x"}`, ""},
		{`p.size=large&p.rows=[1&p.unknown=x`, "", "p.rows"},
	} {
		sent, err := url.ParseQuery(test.typed)
		if err != nil {
			t.Fatal(err)
		}
		got, broken := f.Build(f.Keep(sent))
		var names []string
		for _, field := range broken {
			names = append(names, field.Name)
		}
		if test.want != "" && string(got) != test.want || strings.Join(names, " ") != test.broken {
			t.Errorf("%s:\n got %s %s\nwant %s %s", test.typed, got, names, test.want, test.broken)
		}
	}
}

func TestParamsFillTheFormOrDoNotFit(t *testing.T) {
	t.Parallel()
	f := paramFormOf(t, everyField)
	for params, typed := range map[string]string{
		`{"month":"2026-10","count":7,"sure":true,"mails":false,"address":{"city":"Bonn"},"size":"small"}`:                  `p.month=2026-10&p.count=7&p.sure=true&p.address.city=Bonn&p.size=small&p.retry.after=5m`,
		`{"month":"2026-10","sure":false,"address":{"city":"Bonn","zip":""},"note":null,"dryRun":false,"tenants":[]}`:       `p.month=2026-10&p.count=100&p.mails=true&p.address.city=Bonn&p.size=large&p.retry.after=5m`,
		`{"sure":true,"address":{},"tenants":["a","<b>"],"numbers":[1,-2],"until":"2026-10-31T18:30:00+02:00","rows":[{}]}`: `p.sure=true&p.count=100&p.mails=true&p.size=large&p.retry.after=5m&p.tenants=a%0A<b>&p.numbers=1%0A-2&p.until=2026-10-31T16:30:00&p.rows=[%0A++{}%0A]`,
		`{"sure":true,"address":{},"note":"\na\n","token":" x","retry":{"times":3,"after":"1m","hard":true,"way":"all"}}`:   `p.sure=true&p.count=100&p.mails=true&p.size=large&p.note=%0Aa%0A&p.token=+x&p.retry.times=3&p.retry.after=1m&p.retry.hard=true&p.retry.way=all`,
		`{"sure":true,"address":{},"count":50000,"month":"never"}`:                                                          `p.sure=true&p.count=50000&p.month=never&p.mails=true&p.size=large&p.retry.after=5m`,
		// What fields cannot have.
		`{"sure":true,"address":{},"colour":"red"}`:                           "",
		`{"sure":true,"address":{"city":"Bonn","street":"x"}}`:                "",
		`{"sure":"yes","address":{}}`:                                         "",
		`{"sure":true,"address":[]}`:                                          "",
		`{"sure":true,"address":{},"count":"7"}`:                              "",
		`{"sure":true,"address":{},"month":7}`:                                "",
		`{"sure":true,"address":{},"month":"a\nb"}`:                           "",
		`{"sure":true,"address":{},"month":""}`:                               "", // it would be missing
		`{"sure":true,"address":{},"size":"huge"}`:                            "",
		`{"sure":true,"address":{},"day":"31.10.2026"}`:                       "",
		`{"sure":true,"address":{},"until":"2026-10-31T18:30:00.123456789Z"}`: "",
		`{"sure":true,"address":{},"tenants":["a\nb"]}`:                       "",
		`{"sure":true,"address":{},"tenants":["a",null]}`:                     "",
		`{"sure":true,"address":{},"tenants":[" a"]}`:                         "",
		`{"address":{}}`:            "", // sure is said by the form
		`{"sure":true}`:             "", // and so is an address
		`[1]`:                       "",
		`{"sure":true,"address":{}`: "",
	} {
		got, fits := f.Fill([]byte(params))
		if fits != (typed != "") {
			t.Errorf("%s: fits is %t", params, fits)
		}
		want, err := url.ParseQuery(typed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); fits && diff != "" {
			t.Errorf("%s (-want +got):\n%s", params, diff)
		}
	}
}

func TestProblemsWithParamsArePlaced(t *testing.T) {
	t.Parallel()
	f := paramFormOf(t, everyField)
	for path, want := range map[string]string{
		"month": "p.month  0", "address.city": "p.address.city  0", "address": "p.address  0", "tenants[3]": "p.tenants [3] 4", "tenants": "p.tenants  0", "rows[2].a.b": "p.rows [2].a.b 0",
		"with.dot": "p.with%2Edot  0", "anything.x": "p.anything x 0", "retry.times": "p.retry.times  0", "months": "", "address.street": "", "month.x": "", "": "",
	} {
		got := ""
		if at, within := f.Placed(path); at != nil {
			got = fmt.Sprint(at.Name, " ", within, " ", LineOf(within))
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestEveryParamHasAField: as many as a schema may have.
func TestEveryParamHasAField(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for n := range runparams.MaxProperties {
		fmt.Fprintf(&b, `,"n%d":{"type":"integer"}`, n)
	}
	f := paramFormOf(t, `{"type":"object","properties":{`+b.String()[1:]+`}}`)
	if len(f.Fields) != runparams.MaxProperties {
		t.Errorf("%d fields", len(f.Fields))
	}
}

// TestChipsOfAList: boxes make a list in the order of the choices. Other lists are shown as JSON.
func TestChipsOfAList(t *testing.T) {
	t.Parallel()
	schema, err := runparams.Parse([]byte(`{"type":"object","properties":{"cities":{"type":"array","items":{"type":"string","enum":["Munich","Paris","Oslo"]},"default":["Paris"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	f := New(schema)
	if chips, _ := f.Fields[0].Choices(i18n.English, f.Fresh.Get("p.cities")); len(chips) != 3 || chips[0].Selected || !chips[1].Selected {
		t.Errorf("fresh: %+v", chips)
	}
	for _, c := range []struct {
		sent []string
		want string
	}{{[]string{"Munich", "Oslo"}, `{"cities":["Munich","Oslo"]}`}, {nil, `{"cities":[]}`}, {[]string{"Paris"}, `{"cities":["Paris"]}`}} {
		if params, broken := f.Build(f.Keep(url.Values{"p.cities": c.sent})); string(params) != c.want || len(broken) > 0 {
			t.Errorf("%q make %s", c.sent, params)
		}
	}
	for params, want := range map[string]bool{`{"cities":["Munich","Oslo"]}`: true, `{}`: true, `{"cities":["Oslo","Munich"]}`: false, `{"cities":["Oslo","Oslo"]}`: false, `{"cities":["Rome"]}`: false} {
		if typed, fits := f.Fill([]byte(params)); fits != want {
			t.Errorf("%s fits: %v (%q)", params, fits, typed.Get("p.cities"))
		}
	}
}
