package jobtree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/elasticjob-go/elasticjob/internal/javayaml"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// CloudDocument is a document of ElasticJob-Cloud: YAML as 3.x writes it, or JSON as in 2.1.x and
// our own nodes. Fields are read into a struct and written from it by their JSON names. Other
// fields stay unchanged.
//
//	bytes ──ParseCloudDocument──▶ CloudDocument ──Read──▶ struct
//	bytes ◀──────Encode────────── CloudDocument ◀──Write── struct
//
// The zero value is an empty YAML document.
type CloudDocument struct {
	json    bool
	members rawjson.Object
	yaml    *yaml.Node // a mapping, may be nil
	changed bool
	data    []byte // as parsed
}

// ErrCloudDocument is wrapped by every error about a document's text.
var ErrCloudDocument = errors.New("malformed document")

// NewCloudJSON returns an empty JSON document.
func NewCloudJSON() *CloudDocument { return &CloudDocument{json: true} }

// ParseCloudDocument reads a document. If the first character is a brace it's JSON, otherwise YAML.
func ParseCloudDocument(data []byte) (*CloudDocument, error) {
	d := &CloudDocument{data: data}
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		members, err := rawjson.Parse(trimmed)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCloudDocument, err)
		}
		d.json, d.members = true, members
		return d, nil
	}
	root, err := javayaml.Parse(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrCloudDocument, err)
	case root == nil:
		return nil, fmt.Errorf("%w: it is empty", ErrCloudDocument)
	case root.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("%w: it is %s, want a mapping", ErrCloudDocument, javayaml.KindName(root))
	}
	d.yaml = root
	return d, nil
}

// Read copies the document's fields into the struct that into points to, if only selects them.
// Other fields keep their value, and null counts as absent.
func (d *CloudDocument) Read(into any, only func(key string) bool) error {
	var errs []error
	fields, _ := cloudFields(reflect.ValueOf(into).Elem())
	for key, value := range d.values() {
		field, known := fields[key]
		if !known || !only(key) {
			continue
		}
		if err := readField(key, value, field); err != nil {
			errs = append(errs, fmt.Errorf("%w: %s: %w", ErrCloudDocument, key, err))
		}
	}
	return errors.Join(errs...)
}

func readField(key string, value any, field reflect.Value) error {
	if plain(field.Kind()) {
		text, null, err := scalarText(key, value)
		if err != nil || null {
			return err
		}
		return setScalar(field, text)
	}
	if texts, ok := field.Addr().Interface().(*map[string]string); ok {
		read, err := textMap(key, value)
		if err == nil && read != nil {
			*texts = read
		}
		return err
	}
	raw, ok := value.(json.RawMessage)
	if !ok {
		return errors.New("only JSON documents have such a field")
	}
	return json.Unmarshal(raw, field.Addr().Interface())
}

// values returns the fields by key, a json.RawMessage or a *yaml.Node each. Of equal keys the last
// one counts, as for every JSON reader. An unreadable document has no fields.
func (d *CloudDocument) values() map[string]any {
	values := make(map[string]any)
	for _, m := range d.members {
		values[m.Key] = m.Value
	}
	if d.yaml != nil {
		entries, _ := javayaml.Flatten(d.yaml)
		for _, e := range entries {
			values[e.Key] = e.Value
		}
	}
	return values
}

// Texts returns texts, numbers and booleans that the struct behind like doesn't have.
func (d *CloudDocument) Texts(like any) map[string]string {
	unknown := make(map[string]string)
	values := d.values()
	for _, key := range d.Others(like) {
		if text, null, err := scalarText(key, values[key]); err == nil && !null {
			unknown[key] = text
		}
	}
	return unknown
}

// Others returns all fields that the struct behind like doesn't have, each once.
func (d *CloudDocument) Others(like any) []string {
	known, _ := cloudFields(reflect.ValueOf(like).Elem())
	others := d.values()
	maps.DeleteFunc(others, func(key string, _ any) bool {
		_, is := known[key]
		return is
	})
	return slices.Sorted(maps.Keys(others))
}

// Write copies the fields of the struct after points to into the document, if only selects them and
// they differ from before. If before is nil, it copies all. Empty texts and lists are removed.
func (d *CloudDocument) Write(before, after any, only func(key string) bool) error {
	fields, keys := cloudFields(reflect.ValueOf(after).Elem())
	var old map[string]reflect.Value
	if before != nil {
		old, _ = cloudFields(reflect.ValueOf(before).Elem())
	}
	for _, key := range keys {
		field := fields[key]
		switch {
		case !only(key) || old != nil && sameField(old[key], field):
		case empty(field):
			d.Remove(key)
		default:
			if err := d.set(key, field.Interface()); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameField compares the encoded values, because a time has several forms in memory.
func sameField(a, b reflect.Value) bool {
	left, leftErr := json.Marshal(a.Interface())
	right, rightErr := json.Marshal(b.Interface())
	return leftErr == nil && rightErr == nil && bytes.Equal(left, right)
}

// empty reports whether a field may be left out of a document. Numbers and booleans stay, because
// their defaults aren't zero.
func empty(v reflect.Value) bool {
	switch {
	case v.Kind() == reflect.Bool || numeric(v.Kind()):
		return false
	case v.Kind() == reflect.Map || v.Kind() == reflect.Slice:
		return v.Len() == 0
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

func (d *CloudDocument) Remove(key string) {
	n := len(d.members)
	d.members = d.members.Without(key)
	d.changed = d.changed || len(d.members) != n
	if d.yaml == nil {
		return
	}
	for i := 0; i+1 < len(d.yaml.Content); i += 2 {
		if d.yaml.Content[i].Value == key {
			d.yaml.Content = slices.Delete(d.yaml.Content, i, i+2)
			d.changed = true
			return
		}
	}
}

func (d *CloudDocument) set(key string, value any) error {
	d.changed = true
	if d.json {
		raw, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("encode %s: %w", key, err)
		}
		d.members = d.members.With(key, raw)
		return nil
	}
	node, err := yamlNode(value)
	if err != nil {
		return fmt.Errorf("encode %s: %w", key, err)
	}
	if d.yaml == nil {
		d.yaml = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	for i := 0; i+1 < len(d.yaml.Content); i += 2 {
		if d.yaml.Content[i].Value == key {
			d.yaml.Content[i+1] = node
			return nil
		}
	}
	d.yaml.Content = append(d.yaml.Content, yamlText(key), node)
	return nil
}

func (d *CloudDocument) Empty() bool {
	return len(d.members) == 0 && (d.yaml == nil || len(d.yaml.Content) == 0)
}

// Changed reports whether Write or Remove has changed anything.
func (d *CloudDocument) Changed() bool { return d.changed }

// Encode returns the document's bytes, and the parsed bytes if nothing has changed.
func (d *CloudDocument) Encode() ([]byte, error) {
	switch {
	case !d.changed && d.data != nil:
		return d.data, nil
	case d.json:
		return d.members.Encode(), nil
	case d.yaml == nil:
		return nil, nil
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(d.yaml); err != nil {
		return nil, fmt.Errorf("encode document: %w", err)
	}
	return b.Bytes(), nil
}

// cloudFields returns the fields of a struct by JSON name, and the names in order.
func cloudFields(v reflect.Value) (fields map[string]reflect.Value, names []string) {
	fields = make(map[string]reflect.Value)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			fields[name] = v.Field(i)
			names = append(names, name)
		}
	}
	return fields, names
}

func numeric(k reflect.Kind) bool {
	return k == reflect.Int || k == reflect.Int64 || k == reflect.Float64
}

// plain reports whether a field is written as a scalar.
func plain(k reflect.Kind) bool { return k == reflect.String || k == reflect.Bool || numeric(k) }

// scalarText returns the text of a scalar of any type, because the struct's fields have the types.
func scalarText(key string, value any) (text string, null bool, err error) {
	if node, ok := value.(*yaml.Node); ok {
		return javayaml.Text(key, node)
	}
	decoder := json.NewDecoder(bytes.NewReader(value.(json.RawMessage)))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return "", false, err
	}
	switch v := v.(type) {
	case nil:
		return "", true, nil
	case string:
		return v, false, nil
	case bool:
		return strconv.FormatBool(v), false, nil
	case json.Number:
		return v.String(), false, nil
	}
	return "", false, errors.New("it is a list or an object, want a text, a number or a truth value")
}

// textMap reads a mapping of texts. Null becomes nil.
func textMap(key string, value any) (map[string]string, error) {
	texts := make(map[string]string)
	add := func(name string, value any) error {
		text, _, err := scalarText(key+"."+name, value)
		texts[name] = text
		return err
	}
	switch value := value.(type) {
	case *yaml.Node:
		if javayaml.IsNull(value) {
			return nil, nil
		}
		if value.Kind != yaml.MappingNode {
			return nil, fmt.Errorf("it is %s, want a mapping", javayaml.KindName(value))
		}
		entries, err := javayaml.Flatten(value)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if err := add(e.Key, e.Value); err != nil {
				return nil, err
			}
		}
	case json.RawMessage:
		var object map[string]json.RawMessage
		if err := json.Unmarshal(value, &object); err != nil {
			return nil, err
		}
		if object == nil {
			return nil, nil
		}
		for name, raw := range object {
			if err := add(name, raw); err != nil {
				return nil, err
			}
		}
	}
	return texts, nil
}

func setScalar(field reflect.Value, text string) error {
	switch {
	case field.Kind() == reflect.String:
		field.SetString(text)
	case field.Kind() == reflect.Bool:
		switch strings.ToLower(text) {
		case "true", "yes", "on":
			field.SetBool(true)
		case "false", "no", "off":
			field.SetBool(false)
		default:
			return fmt.Errorf("%q, want true or false", text)
		}
	case field.Kind() == reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
			return fmt.Errorf("%q, want a number", text)
		}
		field.SetFloat(n)
	default:
		n, err := strconv.ParseInt(strings.TrimSuffix(text, ".0"), 10, 64)
		if err != nil {
			return fmt.Errorf("%q, want a whole number", text)
		}
		field.SetInt(n)
	}
	return nil
}

// unquoted matches text that every YAML reader reads as text, unless it's one of YAML's words.
var (
	unquoted = regexp.MustCompile(`\A[A-Za-z][A-Za-z0-9_./@-]*\z`)
	words    = []string{"y", "yes", "n", "no", "true", "false", "on", "off", "null"}
)

func yamlText(text string) *yaml.Node {
	node := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	switch {
	case unquoted.MatchString(text) && !slices.Contains(words, strings.ToLower(text)):
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		node.Style = yaml.DoubleQuotedStyle
	default:
		node.Style = yaml.SingleQuotedStyle
	}
	return node
}

func yamlNode(value any) (*yaml.Node, error) {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.String:
		return yamlText(v.String()), nil
	case v.Kind() == reflect.Bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: strconv.FormatBool(v.Bool())}, nil
	case v.Kind() == reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0" // as Java writes a double
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}, nil
	case numeric(v.Kind()):
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.FormatInt(v.Int(), 10)}, nil
	}
	texts, ok := value.(map[string]string)
	if !ok {
		return nil, fmt.Errorf("a YAML document has no place for %T", value)
	}
	node := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		node.Content = append(node.Content, yamlText(key), yamlText(texts[key]))
	}
	return node, nil
}
