package rawjson_test

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// TestEdit: an edit keeps the order and the text of the other members.
func TestEdit(t *testing.T) {
	t.Parallel()
	o, err := rawjson.Parse([]byte(` {"b": 1.0, "a": {"x":  "<"}, "b":2,"c":null} `))
	if err != nil {
		t.Fatal(err)
	}
	if value, found := o.Get("b"); !found || string(value) != "2" {
		t.Errorf("%s, %v", value, found)
	}
	if value, found := o.Get("d"); found || value != nil {
		t.Errorf("%s, %v", value, found)
	}
	for want, got := range map[string]rawjson.Object{
		`{"b":1.0,"a":{"x":  "<"},"b":2,"c":null}`:          o,
		`{"b":1.0,"a":7,"b":2,"c":null}`:                    o.With("a", []byte("7")),
		`{"b":7,"a":{"x":  "<"},"b":7,"c":null}`:            o.With("b", []byte("7")),
		`{"b":1.0,"a":{"x":  "<"},"b":2,"c":null,"<d>":[]}`: o.With("<d>", []byte("[]")),
		`{"a":{"x":  "<"},"c":null}`:                        o.Without("b"),
		`{}`:                                                nil,
	} {
		if string(got.Encode()) != want {
			t.Errorf("got  %s\nwant %s", got.Encode(), want)
		}
	}
}

// TestParseRefuses: the text must be one object.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `"a"`, `{`, `{"a"}`, `{"a":}`, `{"a":1`, `{"a":1} {}`, `{"a":1,}`} {
		if o, err := rawjson.Parse([]byte(text)); err == nil {
			t.Errorf("%s: %v", text, o)
		}
	}
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	if data, err := rawjson.Marshal(map[string]string{"a": "<&>\n"}); err != nil || string(data) != `{"a":"<&>\n"}` {
		t.Errorf("%s, %v", data, err)
	}
	if _, err := rawjson.Marshal(make(chan int)); err == nil {
		t.Error("a channel has JSON")
	}
}
