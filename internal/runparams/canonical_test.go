package runparams

import "testing"

// TestW60Canonical: equal parameters should have the same form, and its canonical form should be itself.
func TestW60Canonical(t *testing.T) {
	t.Parallel()
	for params, want := range map[string]string{
		``:      ``,
		` { } `: `{}`,
		"{\"b\": [1, {\"d\":1,\"c\":2}],\n\"a\":null}": `{"a":null,"b":[1,{"c":2,"d":1}]}`,
		`{"a":"\u0041<\/>\u003c&","n":1.0e2}`:          `{"a":"A</><&","n":1.0e2}`,
		"{\"a\":\"\u2028\"}":                           `{"a":"\u2028"}`,
		`{"a":1,"a":2}`:                                `{"a":1,"a":2}`,
		`[1, 2]`:                                       `[1, 2]`,
		`{"a":`:                                        `{"a":`,
	} {
		got := string(Canonical([]byte(params)))
		if again := string(Canonical([]byte(got))); got != want || again != want {
			t.Errorf("%s: %s, %s, want %s", params, got, again, want)
		}
	}
}
