package runparams

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type color string

type inner struct {
	Name string    `json:"name"`
	At   time.Time `json:"at"`
}

type Shared struct {
	Note string `json:"note"`
}

// everything has a field of each kind that can be a parameter.
type everything struct {
	Bool    bool
	Int     int
	Int8    int8
	Int16   int16
	Int32   int32
	Int64   int64
	Uint    uint
	Uint8   uint8
	Uint16  uint16
	Uint32  uint32
	Uint64  uint64
	Float32 float32
	Float64 float64
	Text    string
	Color   color
	Time    time.Time
	Wait    time.Duration
	Texts   []string
	Lists   [][]int8
	Colors  map[color]string
	Maps    map[string]map[string]int
	Inner   inner
	Inners  []inner
	Pointer *int
	Struct  *inner
	Structs []*inner
	Any     json.RawMessage
	Anys    []json.RawMessage
	Left    string   `json:",omitempty"`
	Out     chan int `json:"-"`
	Dash    bool     `json:"-,"` //nolint:staticcheck // its name is -, as in the tag
	unseen  chan int
	Shared
}

const ofEverything = `{"type":"object","properties":{"Bool":{"type":"boolean"},"Int":{"type":"integer"},` +
	`"Int8":{"type":"integer","minimum":-128,"maximum":127},"Int16":{"type":"integer","minimum":-32768,"maximum":32767},` +
	`"Int32":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"Int64":{"type":"integer"},` +
	`"Uint":{"type":"integer","minimum":0,"maximum":18446744073709551615},"Uint8":{"type":"integer","minimum":0,"maximum":255},` +
	`"Uint16":{"type":"integer","minimum":0,"maximum":65535},"Uint32":{"type":"integer","minimum":0,"maximum":4294967295},` +
	`"Uint64":{"type":"integer","minimum":0,"maximum":18446744073709551615},"Float32":{"type":"number"},"Float64":{"type":"number"},` +
	`"Text":{"type":"string"},"Color":{"type":"string"},"Time":{"type":"string","format":"date-time"},"Wait":{"type":"integer"},` +
	`"Texts":{"type":"array","items":{"type":"string"}},` +
	`"Lists":{"type":"array","items":{"type":"array","items":{"type":"integer","minimum":-128,"maximum":127}}},` +
	`"Colors":{"type":"object"},"Maps":{"type":"object"},"Inner":` + ofInner + `,"Inners":{"type":"array","items":` + ofInner + `},` +
	`"Pointer":{"type":"integer"},"Struct":` + ofInner + `,"Structs":{"type":"array","items":` + ofInner + `},"Any":{},"Anys":{"type":"array","items":{}},` +
	`"Left":{"type":"string"},"-":{"type":"boolean"},"note":{"type":"string"}},"additionalProperties":false}`

const ofInner = `{"type":"object","properties":{"name":{"type":"string"},"at":{"type":"string","format":"date-time"}},"additionalProperties":false}`

// TestOfKinds: the schema of each kind. Its text should parse to the same schema.
func TestOfKinds(t *testing.T) {
	t.Parallel()
	_ = everything{unseen: nil}
	s, text, err := Of(reflect.TypeFor[everything]())
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != ofEverything {
		t.Errorf("\n got %s\nwant %s", text, ofEverything)
	}
	sameAgain(t, s, text)
	if _, again, err := Of(reflect.TypeFor[everything]()); err != nil || string(again) != string(text) {
		t.Errorf("another text: %s, %v", again, err)
	}
}

func sameAgain(t *testing.T, s *Schema, text []byte) {
	t.Helper()
	read, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	byText := cmp.Comparer(func(a, b *regexp.Regexp) bool {
		return (a == nil) == (b == nil) && (a == nil || a.String() == b.String())
	})
	if diff := cmp.Diff(s, read, byText, cmp.AllowUnexported(Schema{})); diff != "" {
		t.Error(diff)
	}
}

type options struct {
	Deep int `json:"deep" param:"default=3"`
}

func TestOfTags(t *testing.T) {
	t.Parallel()
	type tagged struct {
		Month   string    `json:"month" param:"required;pattern=^\\d{4}-(0[1-9]|1[0-2])$;title=Month; description=Which\\; one = all\\d ;"`
		Size    int8      `json:"size,omitempty" param:"min=1;max=100;default=10;required"`
		Share   float64   `json:"share" param:"min=-0.5;max=1e3"`
		Kind    string    `json:"kind" param:"enum=a|b\\|c|;default=a"`
		Step    *uint     `json:"step" param:"enum=1|2"`
		Name    string    `json:"name" param:"minLength=2;maxLength=4;default=a\"b\\;"`
		Tenants []string  `json:"tenants" param:"minItems=1;maxItems=3;pattern=^t;default=[\"t1\", \"t2\"]"`
		Sizes   []int     `json:"sizes" param:"max=5"`
		Text    string    `json:"text" param:"multiline"`
		Token   string    `json:"token" param:"secret"`
		Mail    string    `json:"mail" param:"format=email"`
		From    time.Time `json:"from" param:"format=date-time;default=2026-10-31T00:00:00Z"`
		Dry     bool      `json:"dry" param:"default=true"`
		Options options   `json:"options"`
		Maybe   *options  `json:"maybe"`
	}
	const want = `{"type":"object","properties":{` +
		`"month":{"type":"string","title":"Month","description":"Which; one = all\\d ","pattern":"^\\d{4}-(0[1-9]|1[0-2])$"},` +
		`"size":{"type":"integer","minimum":1,"maximum":100,"default":10},` +
		`"share":{"type":"number","minimum":-0.5,"maximum":1e3},` +
		`"kind":{"type":"string","enum":["a","b|c",""],"default":"a"},` +
		`"step":{"type":"integer","minimum":0,"maximum":18446744073709551615,"enum":[1,2]},` +
		`"name":{"type":"string","minLength":2,"maxLength":4,"default":"a\"b;"},` +
		`"tenants":{"type":"array","minItems":1,"maxItems":3,"default":["t1","t2"],"items":{"type":"string","pattern":"^t"}},` +
		`"sizes":{"type":"array","items":{"type":"integer","maximum":5}},` +
		`"text":{"type":"string","multiline":true},` +
		`"token":{"type":"string","secret":true},` +
		`"mail":{"type":"string","format":"email"},` +
		`"from":{"type":"string","format":"date-time","default":"2026-10-31T00:00:00Z"},` +
		`"dry":{"type":"boolean","default":true},` +
		`"options":{"type":"object","default":{},"properties":{"deep":{"type":"integer","default":3}},"additionalProperties":false},` +
		`"maybe":{"type":"object","properties":{"deep":{"type":"integer","default":3}},"additionalProperties":false}` +
		`},"required":["month","size"],"additionalProperties":false}`
	s, text, err := Of(reflect.TypeFor[tagged]())
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != want {
		t.Errorf("\n got %s\nwant %s", text, want)
	}
	sameAgain(t, s, text)
	if got := string(s.Defaults(nil)); !strings.Contains(got, `"options":{"deep":3}`) || strings.Contains(got, "maybe") {
		t.Error(got)
	}
}

type endless struct{ Next *endless }

type within struct{ Done chan int }

type hides struct{ X int }

// refusedTypes maps errors to types.
var refusedTypes = map[string]any{
	`int is not a struct`:                                                7,
	`*runparams.inner is not a struct`:                                   (*inner)(nil),
	`time.Time is not a struct`:                                          time.Time{},
	`netip.Addr cannot be parameters: it marshals itself`:                netip.Addr{},
	`field Done chan int cannot be a parameter`:                          within{},
	`field In.Done chan int cannot be a parameter`:                       struct{ In *within }{},
	`field In.Done chan int cannot be a parameter `:                      struct{ In map[string][]within }{},
	`field Done []chan int cannot be a parameter`:                        struct{ Done []chan int }{},
	`field F func() cannot be a parameter`:                               struct{ F func() }{},
	`field C complex128 cannot be a parameter`:                           struct{ C complex128 }{},
	`field I interface {} cannot be a parameter`:                         struct{ I any }{},
	`field A [2]int cannot be a parameter`:                               struct{ A [2]int }{},
	`field B []uint8 cannot be a parameter`:                              struct{ B []byte }{},
	`field N json.Number cannot be a parameter`:                          struct{ N json.Number }{},
	`field M map[int]string cannot be a parameter`:                       struct{ M map[int]string }{},
	`field M map[string]chan int cannot be a parameter`:                  struct{ M map[string]chan int }{},
	`field P []*string cannot be a parameter`:                            struct{ P []*string }{},
	`field U uintptr cannot be a parameter`:                              struct{ U uintptr }{},
	`field Addr netip.Addr cannot be a parameter: it marshals itself`:    struct{ Addr netip.Addr }{},
	`field hides *runparams.hides cannot be a parameter: it is embedded`: struct{ *hides }{},
	`field Shared runparams.Shared cannot be a parameter: it is embedded`: struct {
		Shared `param:"required"`
	}{},
	`field Next.Next.Next.Next.Next.Next: more than 5 levels`: endless{},
	`field L: more than 5 levels`:                             struct{ L [][][][][][]int }{},
	`field N: there are two fields with the name note`: struct {
		Shared
		N string `json:"note"`
	}{},
	`field N: the option string of its json tag is not allowed`: struct {
		N int `json:",string"`
	}{},
	`field N has a param tag, but JSON leaves it out`: struct {
		N int `json:"-" param:"required"`
	}{},
	`field N: unknown entry "max_length"`: struct {
		N string `param:"max_length=1"`
	}{},
	`field N: required takes no value`: struct {
		N string `param:"required=true"`
	}{},
	`field N: min needs a value`: struct {
		N int `param:"min"`
	}{},
	`field N: max is given twice`: struct {
		N int `param:"max=1;max=2"`
	}{},
	`field N: min: x is not allowed; want a whole number from -9223372036854775808 to 9223372036854775807`: struct {
		N int `param:"min=x"`
	}{},
	`field N: max: 300 is not allowed; want a whole number from -128 to 127`: struct {
		N int8 `param:"max=300"`
	}{},
	`field N: max: 1 is not allowed; want a whole number from 2 to 9223372036854775807`: struct {
		N int `param:"min=2;max=1"`
	}{},
	`field N: max: 1/2 is not allowed; want a number`: struct {
		N float64 `param:"max=1/2"`
	}{},
	`field N: minLength: a is not allowed; want a whole number from 0 to 65536`: struct {
		N string `param:"minLength=a"`
	}{},
	`field N: minLength: does not fit the type integer`: struct {
		N int `param:"minLength=1"`
	}{},
	`field N: minItems: does not fit the type string`: struct {
		N string `param:"minItems=1"`
	}{},
	"field N: pattern: error parsing regexp: missing closing ): `(`": struct {
		N string `param:"pattern=("`
	}{},
	"field N: pattern: error parsing regexp: missing closing ]: `[`": struct {
		N []string `param:"pattern=["`
	}{},
	`field N: default: "x" is not valid JSON`: struct {
		N int `param:"default=x"`
	}{},
	`field N: default: 0 is not allowed; want a whole number of at least 1`: struct {
		N int `param:"default=0;min=1"`
	}{},
	`field N: default: null has no effect; leave it out`: struct {
		N *int `param:"default=null"`
	}{},
	`field N: default: not allowed for a secret, because all users may read the schema`: struct {
		N string `param:"default=a;secret"`
	}{},
	`field N: enum: invalid character 'a' looking for beginning of value`: struct {
		N int `param:"enum=1|a"`
	}{},
	`field N: format: a time.Time has the format date-time`: struct {
		N time.Time `param:"format=date"`
	}{},
	`field N: format: "ipv4" is not allowed; want date, date-time, email or uri`: struct {
		N string `param:"format=ipv4"`
	}{},
	`field N.Deep: multiline: does not fit the type integer`: struct {
		N struct {
			Deep int `param:"multiline"`
		}
	}{},
}

// TestOfRefuses: an error should name the field and the reason.
func TestOfRefuses(t *testing.T) {
	t.Parallel()
	for want, v := range refusedTypes {
		if _, _, err := Of(reflect.TypeOf(v)); err == nil || err.Error() != strings.TrimSpace(want) {
			t.Errorf("%T:\n got %v\nwant %s", v, err, want)
		}
	}
	if _, _, err := Of(nil); err == nil {
		t.Error("nil is a struct")
	}
}

// TestOfEmbedded: fields of embedded structs are fields.
func TestOfEmbedded(t *testing.T) {
	t.Parallel()
	type base struct{ A int }
	type top struct {
		base
		*Shared
		Named inner `json:"named"`
	}
	_, text, err := Of(reflect.TypeFor[top]())
	if want := `{"type":"object","properties":{"A":{"type":"integer"},"note":{"type":"string"},"named":` + ofInner + `},"additionalProperties":false}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// TestValuesPassTheirSchema: without limits in the tags, any value of a struct is allowed, and
// Defaults keeps it.
func TestValuesPassTheirSchema(t *testing.T) {
	t.Parallel()
	s, _, err := Of(reflect.TypeFor[everything]())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		data, err := json.Marshal(drawn(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(data); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		var back everything
		if err := json.Unmarshal(s.Defaults(data), &back); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if again, err := json.Marshal(back); err != nil || string(again) != string(data) {
			t.Fatalf("%s\n%s, %v", data, again, err)
		}
	})
}

func drawn(t *rapid.T) everything {
	when := rapid.Custom(func(t *rapid.T) time.Time {
		return time.Unix(rapid.Int64Range(-1e10, 1e11).Draw(t, "seconds"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns")).UTC()
	})
	in := rapid.Custom(func(t *rapid.T) inner {
		return inner{rapid.String().Draw(t, "name"), when.Draw(t, "at")}
	})
	raw := rapid.SampledFrom([]json.RawMessage{nil, json.RawMessage(`{"a":[null,1e400]}`), json.RawMessage(`"x"`), json.RawMessage(`null`)})
	texts := rapid.SampledFrom([]string{"", "a", "<&>", "\x00", "é\u2028"})
	return everything{
		Bool: rapid.Bool().Draw(t, "bool"), Int: rapid.Int().Draw(t, "int"), Int8: rapid.Int8().Draw(t, "int8"),
		Int16: rapid.Int16().Draw(t, "int16"), Int32: rapid.Int32().Draw(t, "int32"), Int64: rapid.Int64().Draw(t, "int64"),
		Uint: rapid.Uint().Draw(t, "uint"), Uint8: rapid.Uint8().Draw(t, "uint8"), Uint16: rapid.Uint16().Draw(t, "uint16"),
		Uint32: rapid.Uint32().Draw(t, "uint32"), Uint64: rapid.Uint64().Draw(t, "uint64"),
		Float32: rapid.Float32().Draw(t, "float32"), Float64: rapid.Float64().Draw(t, "float64"),
		Text: rapid.String().Draw(t, "text"), Color: color(texts.Draw(t, "color")), Time: when.Draw(t, "time"),
		Wait: time.Duration(rapid.Int64().Draw(t, "wait")), Texts: rapid.SliceOf(texts).Draw(t, "texts"),
		Lists:  [][]int8{nil, rapid.SliceOf(rapid.Int8()).Draw(t, "list")},
		Colors: map[color]string{"a": texts.Draw(t, "value")}, Maps: map[string]map[string]int{"a": nil},
		Inner: in.Draw(t, "inner"), Inners: rapid.SliceOfN(in, 0, 3).Draw(t, "inners"),
		Pointer: rapid.Ptr(rapid.Int(), true).Draw(t, "pointer"), Struct: rapid.Ptr(in, true).Draw(t, "struct"),
		Structs: rapid.SliceOfN(rapid.Ptr(in, true), 0, 3).Draw(t, "structs"),
		Any:     raw.Draw(t, "any"), Anys: rapid.SliceOfN(raw, 0, 3).Draw(t, "anys"),
		Left: texts.Draw(t, "left"), Shared: Shared{Note: rapid.String().Draw(t, "note")},
	}
}
