package runparams

import (
	"strings"
	"testing"
)

// TestDefaults: missing values are filled, and the rest keeps its bytes.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"object","properties":{
		"a":{"type":"integer","default":1},"b":{"type":"string"},
		"o":{"type":"object","default":{},"properties":{"x":{"type":"array","default":["y"]},"z":{}}},
		"p":{"type":"object","properties":{"x":{"default":0}}},
		"l":{"type":"array","items":{"type":"object","properties":{"x":{"default":true}}}}}}`)
	for params, want := range map[string]string{
		``:                                 `{"a":1,"o":{"x":["y"]}}`,
		`{}`:                               `{"a":1,"o":{"x":["y"]}}`,
		`{ "a" : 2.50 , "o":{"x":[]} }`:    `{ "a" : 2.50 , "o":{"x":[]} }`,
		`{"a":null,"o":{"z":null}}`:        `{"o":{"z":null,"x":["y"]},"a":1}`,
		`{"a":5,"o":null,"n":[1, 2]}`:      `{"a":5,"n":[1, 2],"o":{"x":["y"]}}`,
		`{"a":5,"o":{"x":[]},"p":{}}`:      `{"a":5,"o":{"x":[]},"p":{"x":0}}`,
		`{"a":5,"o":7,"l":[{},1,{"x":2}]}`: `{"a":5,"o":7,"l":[{"x":true},1,{"x":2}]}`,
		`{"a":5,"o":7,"l":[]}`:             `{"a":5,"o":7,"l":[]}`,
		`{"b":"\u0061<"}`:                  `{"b":"\u0061<","a":1,"o":{"x":["y"]}}`,
		`[1`:                               `[1`,
		`[]`:                               `[]`,
	} {
		if got := string(s.Defaults([]byte(params))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", params, got, want)
		}
	}
	none := mustParse(t, `{"type":"object"}`)
	if got := none.Defaults(nil); got != nil {
		t.Errorf("%s", got)
	}
	if got := string((*Schema)(nil).Defaults([]byte(`{"a":1}`))); got != `{"a":1}` {
		t.Errorf("%s", got)
	}
}

// TestDefaultsAreBounded: a default in each of many elements should not fill the memory.
func TestDefaultsAreBounded(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"default":"`+strings.Repeat("x", 30000)+`"}}}}}}`)
	params := `{"l":[{}` + strings.Repeat(",{}", 20000) + `]}`
	if got := string(s.Defaults([]byte(params))); got != params {
		t.Errorf("%d bytes", len(got))
	}
}

// TestMask: secrets are hidden in any place.
func TestMask(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"object","properties":{
		"token":{"type":"string","secret":true},"keys":{"type":"array","secret":true},"b":{"type":"string"},
		"o":{"type":"object","properties":{"pin":{"type":"integer","secret":true},"x":{}}},
		"c":{"type":"object","additionalProperties":false,"properties":{"x":{}}},
		"l":{"type":"array","items":{"type":"string","secret":true}}}}`)
	for params, want := range map[string]string{
		``:                                     ``,
		`{"b":"x", "n":1.0}`:                   `{"b":"x","n":1.0}`,
		`{"token":"hunter2","b":"hunter"}`:     `{"token":"***","b":"hunter"}`,
		`{"token":null}`:                       `{"token":"***"}`,
		`{"token":"hunter2","token":"hunter"}`: `{"token":"***","token":"***"}`,
		`{"Token":"hunter2"}`:                  `{"Token":"***"}`,
		`{"keys":["a","b"]}`:                   `{"keys":"***"}`,
		`{"o":{"x":1,"pin":1234}}`:             `{"o":{"x":1,"pin":"***"}}`,
		`{"o":"hunter2"}`:                      `{"o":"***"}`,
		`{"o":["hunter2"]}`:                    `{"o":"***"}`,
		`{"o":null}`:                           `{"o":null}`,
		`{"c":{"x":[1],"token":"hunter2"}}`:    `{"c":{"x":[1],"token":"***"}}`,
		`{"l":["a","b"]}`:                      `{"l":["***","***"]}`,
		`{"l":[]}`:                             `{"l":[]}`,
		`{"token":"hunter2"`:                   `"***"`,
		`["hunter2"]`:                          `"***"`,
	} {
		if got := string(s.Mask([]byte(params))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", params, got, want)
		}
	}
	if got := string((*Schema)(nil).Mask([]byte(`{"a":1}`))); got != `"***"` {
		t.Error(got)
	}
	if !s.HasSecrets() {
		t.Error("no secrets")
	}
}

// TestW59NamesWithoutTag: a parameter with the name of a secret is one without a tag, and even
// without being in the schema.
func TestW59NamesWithoutTag(t *testing.T) {
	t.Parallel()
	const text = `{"type":"object","properties":{"password":{"type":"string","default":"hunter2"},"port":{"type":"integer","default":1},` +
		`"db":{"type":"object","default":{"api-key":"hunter2"},` +
		`"properties":{"api-key":{"type":"string"},"host":{"type":"string"}}},` +
		`"密码":{"type":"string"},"pin":{"type":"integer"},"use_token":{"type":"boolean"},"more":{}}}`
	s := mustParse(t, text)
	for params, want := range map[string]string{
		`{"password":"hunter2"}`:                          `{"password":"***"}`,
		`{"Password":"hunter2"}`:                          `{"Password":"***"}`,
		`{"密码":"hunter2","pin":1234}`:                     `{"密码":"***","pin":"***"}`,
		`{"db":{"api-key":"hunter2","host":"h"}}`:         `{"db":{"api-key":"***","host":"h"}}`,
		`{"db":"hunter2"}`:                                `{"db":"***"}`,
		`{"other_secret":"hunter2"}`:                      `{"other_secret":"***"}`,
		`{"x":{"y":[{"token":"hunter2","n":1}]}}`:         `{"x":{"y":[{"token":"***","n":1}]}}`,
		`{"more":{"pw":"hunter2"}}`:                       `{"more":{"pw":"***"}}`,
		`{"url":"https://u:hunter2@h/","use_token":true}`: `{"url":"https://***@h/","use_token":true}`,
	} {
		if got := string(s.Mask([]byte(params))); got != want {
			t.Errorf("%s:\n got %s\nwant %s", params, got, want)
		}
	}
	if err := s.Check([]byte(`{"password":7,"pin":"hunter2"}`)); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	if shown := string(WithoutSecrets([]byte(text))); strings.Contains(shown, "hunter2") || string(s.Text()) != text {
		t.Errorf("%s\n%s", shown, s.Text())
	}
}
