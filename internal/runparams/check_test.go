package runparams

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

func mustParse(tb testing.TB, text string) *Schema {
	tb.Helper()
	s, err := Parse([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// invoices has a property of each kind.
const invoices = `{"type":"object","required":["month"],"additionalProperties":false,"properties":{
	"month":{"type":"string","pattern":"^\\d{4}-(0[1-9]|1[0-2])$"},
	"tenants":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":3},
	"size":{"type":"integer","minimum":1,"maximum":100},
	"atLeast":{"type":"integer","minimum":1},
	"atMost":{"type":"number","maximum":2.5},
	"any":{"type":"integer"},
	"share":{"type":"number"},
	"kind":{"type":"string","enum":["a","b"]},
	"step":{"type":"number","enum":[1,2.5]},
	"dry":{"type":"boolean"},
	"name":{"type":"string","minLength":2,"maxLength":4},
	"long":{"type":"string","minLength":1},
	"day":{"type":"string","format":"date"},
	"time":{"type":"string","format":"date-time"},
	"mail":{"type":"string","format":"email"},
	"page":{"type":"string","format":"uri"},
	"token":{"type":"string","pattern":"^x","secret":true},
	"mode":{"type":"object","required":["a"],"additionalProperties":false,"properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}}},
	"users":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},
	"free":{}}}`

// refusals maps parameters, in addition to the month, to their problem.
var refusals = map[string]string{
	`"tenants":["a","b",7]`:               `tenants[2]: 7 is not allowed; want a text`,
	`"tenants":["a",null]`:                `tenants[1]: null is not allowed; want a text`,
	`"tenants":"a"`:                       `tenants: "a" is not allowed; want a list`,
	`"tenants":[]`:                        `tenants: a list of 0 values is not allowed; want 1 to 3 values`,
	`"tenants":["a","b","c","d"]`:         `tenants: a list of 4 values is not allowed; want 1 to 3 values`,
	`"size":0`:                            `size: 0 is not allowed; want a whole number from 1 to 100`,
	`"size":101`:                          `size: 101 is not allowed; want a whole number from 1 to 100`,
	`"size":1.0`:                          `size: 1.0 is not allowed; want a whole number from 1 to 100`,
	`"size":1e1`:                          `size: 1e1 is not allowed; want a whole number from 1 to 100`,
	`"size":"1"`:                          `size: "1" is not allowed; want a whole number from 1 to 100`,
	`"atLeast":0`:                         `atLeast: 0 is not allowed; want a whole number of at least 1`,
	`"atLeast":9223372036854775808`:       `atLeast: 9223372036854775808 is not allowed; want a whole number from 1 to 9223372036854775807`,
	`"atMost":2.51`:                       `atMost: 2.51 is not allowed; want a number of at most 2.5`,
	`"atMost":-1e999999999`:               `atMost: -1e999999999 is not allowed; want a number of at most 2.5`,
	`"any":-0`:                            `any: -0 is not allowed; want a whole number`,
	`"any":9223372036854775808`:           `any: 9223372036854775808 is not allowed; want a whole number from -9223372036854775808 to 9223372036854775807`,
	`"any":1` + strings.Repeat("0", 200):  `any: 1` + strings.Repeat("0", 59) + `… is not allowed; want a whole number from -9223372036854775808 to 9223372036854775807`,
	`"share":1e309`:                       `share: 1e309 is not allowed; want a number`,
	`"share":1e-999999999`:                `share: 1e-999999999 is not allowed; want a number`,
	`"share":true`:                        `share: true is not allowed; want a number`,
	`"kind":"c"`:                          `kind: "c" is not allowed; want one of "a", "b"`,
	`"kind":1`:                            `kind: 1 is not allowed; want one of "a", "b"`,
	`"step":2`:                            `step: 2 is not allowed; want one of 1, 2.5`,
	`"dry":"true"`:                        `dry: "true" is not allowed; want true or false`,
	`"name":"a"`:                          `name: "a" is not allowed; want text of 2 to 4 characters`,
	`"name":"abcde"`:                      `name: "abcde" is not allowed; want text of 2 to 4 characters`,
	`"long":""`:                           `long: "" is not allowed; want text of at least 1 character`,
	`"day":"2026-02-30"`:                  `day: "2026-02-30" is not allowed; want a date such as 2026-10-31`,
	`"time":"2026-10-31"`:                 `time: "2026-10-31" is not allowed; want a time such as 2026-10-31T18:30:00Z`,
	`"mail":"a"`:                          `mail: "a" is not allowed; want an e-mail address`,
	`"mail":"A <a@b.c>"`:                  `mail: "A <a@b.c>" is not allowed; want an e-mail address`,
	`"page":"example.com"`:                `page: "example.com" is not allowed; want an address such as https://example.com/a`,
	`"token":"hunter2"`:                   `token: *** is not allowed; want text that matches ^x`,
	`"token":{}`:                          `token: *** is not allowed; want a text`,
	`"mode":{}`:                           `mode.a: is missing`,
	`"mode":[1]`:                          `mode: a list is not allowed; want an object`,
	`"mode":{"a":[[1],[1,true]]}`:         `mode.a[1][1]: true is not allowed; want a whole number`,
	`"mode":{"a":[],"b":1}`:               `mode.b: is unknown`,
	`"users":[{"name":"a"},{"mane":"a"}]`: `users[1].name: is missing`,
	`"size":1,"size":200`:                 `size: is given twice; size: 200 is not allowed; want a whole number from 1 to 100`,
	`"siz":1`:                             `siz: is unknown; did you mean size?`,
	`"TENANT":1`:                          `TENANT: is unknown; did you mean tenants?`,
	`"quite another":1`:                   `quite another: is unknown`,
	`"a\nb":1`:                            `"a\nb": is unknown`,
	`"":1`:                                `"": is unknown`,
	`"name":"` + strings.Repeat("é", 100) + `"`: `name: "` + strings.Repeat("é", 60) + `…" is not allowed; want text of 2 to 4 characters`,
	`"` + strings.Repeat("k", 101) + `":1`:      strings.Repeat("k", 100) + `…: is unknown`,
	`"size":0,"dry":1,"tenants":[1,2],"x":{"y":1}`: `tenants[0]: 1 is not allowed; want a text; tenants[1]: 2 is not allowed; want a text; ` +
		`size: 0 is not allowed; want a whole number from 1 to 100; dry: 1 is not allowed; want true or false; x: is unknown`,
}

// TestRefusals: the problems of parameters, word for word.
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := mustParse(t, invoices)
	const pattern = `want text that matches ^\d{4}-(0[1-9]|1[0-2])$`
	for params, want := range map[string]string{
		`{}`:                   `month: is missing`,
		``:                     `month: is missing`,
		`{"month":null}`:       `month: is missing`,
		`{"month":"2026-13"}`:  `month: "2026-13" is not allowed; ` + pattern,
		`{"month":7}`:          `month: 7 is not allowed; want a text`,
		`{"month":"2026-1\n"}`: `month: "2026-1\n" is not allowed; ` + pattern,
		`[]`:                   `want a JSON object, not a list`,
		`null`:                 `want a JSON object, not null`,
		`{"mouth":"2026-10"}`:  `month: is missing; mouth: is unknown; did you mean month?`,
	} {
		refused(t, s, params, want)
	}
	for params, want := range refusals {
		refused(t, s, `{"month":"2026-10",`+params+`}`, want)
	}
}

func refused(t *testing.T, s *Schema, params, want string) {
	t.Helper()
	err := s.Check([]byte(params))
	var list *jobrun.ParamsError
	if err == nil || err.Error() != "parameters refused: "+want || !errors.Is(err, jobrun.ErrParams) || !errors.As(err, &list) {
		t.Errorf("%.80s:\n got %v\nwant parameters refused: %s", params, err, want)
	}
}

// TestAllowed: allowed parameters, including the limits.
func TestAllowed(t *testing.T) {
	t.Parallel()
	s := mustParse(t, invoices)
	for _, params := range []string{
		`"tenants":["a"],"size":1`, `"size":100,"tenants":["a","b","c"]`, `"tenants":null,"size":null,"mode":null`,
		`"any":-9223372036854775808`, `"any":9223372036854775807`, `"share":1.7976931348623157e308`, `"share":5e-324`, `"share":-0`,
		`"kind":"\u0061"`, `"step":1`, `"step":1.0`, `"step":25e-1`, `"atMost":2.50`, `"name":"éé"`, `"name":"1234"`,
		`"day":"2024-02-29","time":"2026-10-31T18:30:00.5+08:00","mail":"a@example.com","page":"https://example.com/a?b"`,
		`"token":"xy"`, `"mode":{"a":[[],null,[1]]}`, `"users":[{"name":"a","other":1}]`,
		`"free":{"a":[null,{"b":"c"}]}`, `"free":1e99999`,
	} {
		if err := s.Check([]byte(`{"month":"2026-10",` + params + `}`)); err != nil {
			t.Errorf("%s: %v", params, err)
		}
	}
	open := mustParse(t, `{"type":"object","properties":{"a":{"type":"integer"}}}`)
	if err := open.Check([]byte(`{"a":1,"b":2}`)); err != nil {
		t.Error(err)
	}
	if err := (*Schema)(nil).Check([]byte(`{"b":2}`)); err != nil {
		t.Error(err)
	}
}

// TestUnreadable: invalid JSON, and a job without parameters.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	none := mustParse(t, `{"type":"object","additionalProperties":false}`)
	if err := none.Check([]byte(`{}`)); err != nil {
		t.Error(err)
	}
	for _, s := range []*Schema{none, nil} {
		for params, want := range map[string]string{
			`{"month":"2026-10","dryRun":1} {}`: "parameters aren't valid JSON: text after the end, at byte 32",
			`{"a":1`:                            "parameters aren't valid JSON: unexpected EOF",
			`[7]`:                               "parameters refused: want a JSON object, not a list",
			`{"a":"` + strings.Repeat("x", MaxParams) + `"}`: "parameters have 65544 bytes; at most 65536 are allowed",
		} {
			if err := s.Check([]byte(params)); err == nil || err.Error() != want {
				t.Errorf("%.40s: %v, want %s", params, err, want)
			}
		}
	}
	refused(t, none, `{"a":1}`, "the job takes none")
	if err := (*Schema)(nil).Check([]byte(`{"a":1,"a":1}`)); err == nil || err.Error() != "parameters refused: a: is given twice" {
		t.Error(err)
	}
}

// TestManyProblems: the number of problems and the work for them are limited.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"array","items":{"type":"string"}}}}`)
	var list *jobrun.ParamsError
	if err := s.Check([]byte(`{"a":[` + strings.Repeat("1,", 30000) + `1]}`)); !errors.As(err, &list) {
		t.Fatal(err)
	}
	if n := len(list.Problems); n != 101 || list.Problems[100].Text != "and 29901 more" || list.Problems[99].Path != "a[99]" {
		t.Errorf("%d problems, the last is %v", n, list.Problems[n-1])
	}
	keys := make(map[string]int)
	for i := range 3000 {
		keys[strings.Repeat("k", i%7)+time.Duration(i).String()] = i
	}
	params, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(params); !errors.As(err, &list) || len(list.Problems) != 101 || len(err.Error()) > 64<<10 {
		t.Errorf("%.100s", err.Error())
	}
}

// FuzzCheck: no text makes a schema or a check panic, and checked parameters can be filled, masked and decoded.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(invoices), []byte(`{"month":"2026-10","tenants":["a"],"users":[{"name":1}]}`))
	f.Add([]byte(invoices), []byte(`{"mouth":null,"mouth":1e999,"mode":{"a":[[[]]]},"":""}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"default":[{}],"type":"array"}}}}}}`), []byte(`{"a":[{},{}]}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"integer","minimum":-5,"default":3,"enum":[3]},"s":{"secret":true}}}`), []byte(`{"s":[{}]}`))
	f.Fuzz(func(t *testing.T, schema, params []byte) {
		s, err := Parse(schema)
		if err != nil {
			return
		}
		again, err := Parse(s.Text())
		if err != nil || string(again.Text()) != string(s.Text()) {
			t.Errorf("%s is not read as it was written: %v", s.Text(), err)
		}
		checked := s.Check(params)
		if checked != nil && len(checked.Error()) > 1<<20 {
			t.Errorf("%d characters of problems", len(checked.Error()))
		}
		if again.Check(params) == nil != (checked == nil) {
			t.Errorf("%s: %v the second time", params, again.Check(params))
		}
		filled, masked := s.Defaults(params), s.Mask(params)
		if checked != nil || len(params) == 0 {
			return
		}
		if !json.Valid(filled) || !json.Valid(masked) {
			t.Errorf("no JSON: %s, %s", filled, masked)
		}
		if err := s.Check(filled); len(filled) <= MaxParams && err != nil {
			t.Errorf("%s with defaults, %s: %v", params, filled, err)
		}
	})
}
