package runparams

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestParamsRefused: the problems of parameters, word for word.
func TestParamsRefused(t *testing.T) {
	t.Parallel()
	large := `{"a":"` + strings.Repeat("x", 70012-8) + `"}`
	for params, want := range map[string]struct {
		text string
		kind error
	}{
		`[1]`:                               {"parameters refused: want a JSON object, not a list", jobrun.ErrParams},
		`"a"`:                               {"parameters refused: want a JSON object, not a text", jobrun.ErrParams},
		`7`:                                 {"parameters refused: want a JSON object, not a number", jobrun.ErrParams},
		`null`:                              {"parameters refused: want a JSON object, not null", jobrun.ErrParams},
		`{"month":1,"month":2}`:             {"parameters refused: month: is given twice", jobrun.ErrParams},
		`{"a":[{"b":1,"b":2},{"b":1}]}`:     {"parameters refused: a[0].b: is given twice", jobrun.ErrParams},
		`{"month":"2026-10","dryRun":1} {}`: {"parameters aren't valid JSON: text after the end, at byte 32", jobrun.ErrParams},
		`{"a":1`:                            {"parameters aren't valid JSON: unexpected EOF", jobrun.ErrParams},
		large:                               {"parameters have 70012 bytes; at most 65536 are allowed", jobrun.ErrTooLarge},
	} {
		err := CheckJSON([]byte(params))
		if err == nil || err.Error() != want.text || !errors.Is(err, want.kind) {
			t.Errorf("%.40s: %v, want %s", params, err, want.text)
		}
	}
	for _, params := range []string{"", `{}`, ` {"a":{"a":[1,null,true,"x"]}} `} {
		if err := CheckJSON([]byte(params)); err != nil {
			t.Errorf("%s: %v", params, err)
		}
	}
}

// FuzzCheckJSON: accepted parameters are objects for encoding/json, too.
func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,{"b":null}]}`, `{"a":1}x`, `[`, `{"a":1,"a":2}`, `{"a":1e999}`, "{\"\xff\":1}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, params []byte) {
		if err := CheckJSON(params); err != nil || len(params) == 0 {
			return
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(params, &object); err != nil {
			t.Errorf("%q was taken: %v", params, err)
		}
	})
}
