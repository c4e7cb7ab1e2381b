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
)

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
