// Package rawjson edits JSON objects without changing the order or the text of their other members.
package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// Object has the members of a JSON object in the order of the text, even if a key is there twice.
type Object []Member

// Member is one member of an object.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Parse returns the members of the only object in data.
func Parse(data []byte) (Object, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.Join(errors.New("want a JSON object"), err)
	}
	var o Object
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		o = append(o, Member{key.(string), value})
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text follows the JSON object")
	}
	return o, nil
}

// Encode returns the object's text.
func (o Object) Encode() json.RawMessage {
	out := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		key, _ := Marshal(m.Key) // A text can always be encoded.
		out = append(append(out, key...), ':')
		out = append(out, m.Value...)
	}
	return append(out, '}')
}

// Get returns the value of a key. The last one counts, as for every JSON reader.
func (o Object) Get(key string) (value json.RawMessage, found bool) {
	for _, m := range o {
		if m.Key == key {
			value, found = m.Value, true
		}
	}
	return value, found
}

// With returns the object with a value for a key, which is appended if it's new.
func (o Object) With(key string, value json.RawMessage) Object {
	o = slices.Clone(o)
	found := false
	for i := range o {
		if o[i].Key == key {
			o[i].Value, found = value, true
		}
	}
	if !found {
		o = append(o, Member{key, value})
	}
	return o
}

// Without returns the object without a key.
func (o Object) Without(key string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return m.Key == key })
}

// Marshal is json.Marshal without escaping <, > and &.
func Marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
