package runparams

import (
	"fmt"
	"strings"
	"testing"
)

func property(schema string) string {
	return `{"type":"object","properties":{"a":` + schema + `}}`
}

func nested(levels int) string {
	s := `{}`
	for range levels {
		s = property(s)
	}
	return s
}

func manyProperties() string {
	var many []string
	for i := range MaxProperties + 1 {
		many = append(many, fmt.Sprintf(`"p%d":{}`, i))
	}
	return strings.Join(many, ",")
}

// refusedSchemas maps schemas to their error.
var refusedSchemas = map[string]string{
	``:                                   `invalid JSON: unexpected EOF`,
	`{"type":"object"} {}`:               `invalid JSON: text after the end, at byte 19`,
	`[]`:                                 `want an object, not a list`,
	`{}`:                                 `type: want "object" at the top`,
	`{"type":"string"}`:                  `type: want "object" at the top`,
	`{"type":"null"}`:                    `type: "null" is not allowed; want object, array, string, integer, number or boolean`,
	`{"type":["object"]}`:                `type: a list is not allowed; want object, array, string, integer, number or boolean`,
	`{"type":"object","type":"object"}`:  `type is given twice`,
	`{"type":"object","oneOf":[]}`:       `unknown keyword "oneOf"`,
	`{"type":"object","default":{}}`:     `default: only a property has one`,
	`{"type":"object","properties":[]}`:  `properties: want an object, not a list`,
	`{"type":"object","required":["a"]}`: `required: unknown property "a"`,
	`{"type":"object","required":[1]}`:   `required: want a list of names, not of 1`,
	`{"type":"object","required":"a"}`:   `required: want a list, not "a"`,
	`{"type":"object","properties":{"a":{}},"required":["a","a"]}`: `required: "a" is given twice`,
	`{"type":"object","additionalProperties":true}`:                `additionalProperties: want false, or leave it out`,
	`{"type":"object","additionalProperties":{}}`:                  `additionalProperties: want false, or leave it out`,
	`{"type":"object","title":1}`:                                  `title: want a text, not 1`,
	`{"type":"object","properties":{"":{}}}`:                       `properties: "" is not a name; want 1 to 100 characters that can be printed`,
	`{"type":"object","properties":{"a\n":{}}}`:                    `properties: "a\n" is not a name; want 1 to 100 characters that can be printed`,
	`{"type":"object","properties":{` + manyProperties() + `}}`:    `more than 200 properties`,
	nested(6):     `a.a.a.a.a.a: more than 5 levels`,
	property(`7`): `a: want an object, not a number`,
	property(`{"type":"array","items":{"type":"array","items":{"const":1}}}`):   `a[][]: unknown keyword "const"`,
	property(`{"type":"array","items":{"default":1}}`):                          `a[]: default: only a property has one`,
	property(property(`{"$ref":"x"}`)):                                          `a.a: unknown keyword "$ref"`,
	property(`{"type":"string","minimum":1}`):                                   `a: minimum: does not fit the type string`,
	property(`{"minLength":1}`):                                                 `a: minLength: needs a type`,
	property(`{"type":"boolean","enum":["a"]}`):                                 `a: enum: does not fit the type boolean`,
	property(`{"type":"string","minLength":-1}`):                                `a: minLength: -1 is not allowed; want a whole number from 0 to 65536`,
	property(`{"type":"string","maxLength":65537}`):                             `a: maxLength: 65537 is not allowed; want a whole number from 0 to 65536`,
	property(`{"type":"string","maxLength":1e1}`):                               `a: maxLength: 1e1 is not allowed; want a whole number from 0 to 65536`,
	property(`{"type":"string","maxLength":"1"}`):                               `a: maxLength: "1" is not allowed; want a whole number from 0 to 65536`,
	property(`{"type":"string","minLength":5,"maxLength":4}`):                   `a: minLength: 5 is more than maxLength, 4`,
	property(`{"type":"array","minItems":5,"maxItems":4}`):                      `a: minItems: 5 is more than maxItems, 4`,
	property(`{"type":"number","minimum":1.5,"maximum":1}`):                     `a: minimum: 1.5 is more than maximum, 1`,
	property(`{"type":"number","minimum":1e400}`):                               `a: minimum: 1e400 is not allowed; want a number`,
	property(`{"type":"number","maximum":"1"}`):                                 `a: maximum: "1" is not allowed; want a number`,
	property(`{"type":"integer","maximum":1.5}`):                                `a: maximum: 1.5 is not allowed; want a whole number of 64 bits`,
	property(`{"type":"integer","maximum":18446744073709551616}`):               `a: maximum: 18446744073709551616 is not allowed; want a whole number of 64 bits`,
	property(`{"type":"string","pattern":"("}`):                                 "a: pattern: error parsing regexp: missing closing ): `(`",
	property(`{"type":"string","pattern":"(?=a)"}`):                             "a: pattern: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
	property(`{"type":"string","pattern":"` + strings.Repeat("a", 1001) + `"}`): `a: pattern: 1001 characters; at most 1000`,
	property(`{"type":"string","format":"ipv4"}`):                               `a: format: "ipv4" is not allowed; want date, date-time, email or uri`,
	property(`{"type":"string","enum":[]}`):                                     `a: enum: want a value at least`,
	property(`{"type":"string","enum":"a"}`):                                    `a: enum: want a list, not "a"`,
	property(`{"type":"string","enum":["a",1]}`):                                `a: enum: 1 is not allowed; want a text`,
	property(`{"type":"string","enum":["a","\u0061"]}`):                         `a: enum: "a" is given twice`,
	property(`{"type":"integer","enum":[1,2],"maximum":1}`):                     `a: enum: 2 is not allowed; want a whole number of at most 1`,
	property(`{"type":"string","default":1}`):                                   `a: default: 1 is not allowed; want a text`,
	property(`{"default":null}`):                                                `a: default: null has no effect; leave it out`,
	property(`{"type":"array","items":{"type":"string"},"default":["a",1]}`):    `a: default: [1]: 1 is not allowed; want a text`,
	property(`{"type":"string","secret":true,"default":"a"}`):                   `a: default: not allowed for a secret, because all users may read the schema`,
	`{"type":"object","properties":{"o":{"type":"object","default":{"a":"x"},"properties":{"a":{"type":"string","secret":true}}}}}`: `o: default: not allowed for a secret, because all users may read the schema`,
	property(`{"secret":1}`): `a: secret: want a truth value, not 1`,
	`{"type":"object","description":"` + strings.Repeat("x", MaxSchema) + `"}`: `32802 bytes; at most 32768 are allowed`,
}

// TestParseRefuses: each error should have its path and its keyword.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for schema, want := range refusedSchemas {
		if _, err := Parse([]byte(schema)); err == nil || err.Error() != "parameter schema: "+want {
			t.Errorf("%.100s:\n got %v\nwant parameter schema: %s", schema, err, want)
		}
	}
}

// TestParse: a schema keeps its content in the order of the text.
func TestParse(t *testing.T) {
	t.Parallel()
	s := mustParse(t, ` { "properties" : { "b" : {"type":"integer", "minimum":1, "default": 2 , "title":"<B>"},
		"a":{"type":"string","maxLength":3,"multiline":true,"description":"d","secret":false},
		"l":{"type":"array","items":{"type":"string","enum":["x","\u0079"]},"maxItems":0}}, "required":["a"], "type":"object", "additionalProperties":false}`)
	want := `{"type":"object","properties":{"b":{"type":"integer","title":"<B>","minimum":1,"default":2},` +
		`"a":{"type":"string","description":"d","maxLength":3,"multiline":true},` +
		`"l":{"type":"array","maxItems":0,"items":{"type":"string","enum":["x","y"]}}},"required":["a"],"additionalProperties":false}`
	if got := string(s.Text()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if !s.Requires("a") || s.Requires("b") || s.Property("c") != nil || s.HasSecrets() {
		t.Errorf("%+v", s)
	}
	mustParse(t, nested(5))
	mustParse(t, `{"type":"object"}`)
}
