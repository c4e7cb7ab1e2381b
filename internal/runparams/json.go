package runparams

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/elasticjob-go/elasticjob/internal/rawjson"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// MaxParams is the maximum size of a run's parameters, in bytes of JSON.
const MaxParams = 64 << 10

const (
	maxDepth    = 32  // of JSON
	maxProblems = 100 // that are listed
	maxShown    = 60  // characters of a value, in a problem
	maxSegment  = 100 // characters of a name, in a path
)

// CheckJSON checks that parameters are one JSON object without duplicate keys, or empty.
func CheckJSON(params []byte) error {
	if len(params) == 0 {
		return nil
	}
	_, found, err := readParams(params)
	if err != nil {
		return err
	}
	return found.err()
}

// refusal is an error of package jobrun with its own text.
type refusal struct {
	kind error
	text string
}

func (r *refusal) Error() string { return r.text }

func (r *refusal) Unwrap() error { return r.kind }

func readParams(params []byte) (node, *problems, error) {
	if len(params) > MaxParams {
		return node{}, nil, &refusal{jobrun.ErrTooLarge, fmt.Sprintf("parameters have %d bytes; at most %d are allowed", len(params), MaxParams)}
	}
	root, found, err := read(params)
	if err != nil {
		return node{}, nil, &refusal{jobrun.ErrParams, "parameters aren't valid JSON: " + err.Error()}
	}
	if root.kind != object {
		return node{}, nil, &jobrun.ParamsError{Problems: []jobrun.ParamProblem{{Text: "want a JSON object, not " + root.kind.String()}}}
	}
	return root, found, nil
}

type kind int

const (
	null kind = iota
	truth
	number
	text
	list
	object
)

func (k kind) String() string {
	return [...]string{"null", "a truth value", "a number", "a text", "a list", "an object"}[k]
}

type node struct {
	kind    kind
	raw     []byte // as written, or nil for a list or an object that was edited
	text    string // a text without escapes, a number as written, or a boolean
	list    []node
	members []member // in the order of the text
}

type member struct {
	name  string
	value node
}

// path is the place of a value. It's only formatted for problems.
type path struct {
	up    *path
	name  string
	index int // of a list, if there is no name
	named bool
}

func (p *path) String() string {
	if p == nil {
		return ""
	}
	above := p.up.String()
	switch {
	case !p.named:
		return above + "[" + strconv.Itoa(p.index) + "]"
	case above == "":
		return segment(p.name)
	}
	return above + "." + segment(p.name)
}

// segment returns a name on one line, shortened.
func segment(name string) string {
	cut := shorten(name, maxSegment)
	if cut == "" || strings.ContainsFunc(cut, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(cut)
	}
	return cut
}

func shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// problems are the first problems of parameters.
type problems struct {
	list []jobrun.ParamProblem
	more int
}

// full reports whether further problems are only counted.
func (p *problems) full() bool { return len(p.list) == maxProblems }

func (p *problems) add(at *path, text string) {
	if p.full() {
		p.more++
		return
	}
	p.list = append(p.list, jobrun.ParamProblem{Path: at.String(), Text: text})
}

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	found := p.list
	if p.more > 0 {
		found = append(found, jobrun.ParamProblem{Text: fmt.Sprintf("and %d more", p.more)})
	}
	return &jobrun.ParamsError{Problems: found}
}

type reader struct {
	data    []byte
	decoder *json.Decoder
	found   problems
}

// read returns the value of a document, and its duplicate names.
func read(data []byte) (node, *problems, error) {
	r := reader{data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	r.decoder.UseNumber()
	root, err := r.value(nil, 0)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return node{}, nil, err
	}
	if rest := bytes.TrimLeft(data[r.decoder.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return node{}, nil, fmt.Errorf("text after the end, at byte %d", len(data)-len(rest)+1)
	}
	return root, &r.found, nil
}

func (r *reader) value(at *path, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, fmt.Errorf("more than %d levels", maxDepth)
	}
	from := r.decoder.InputOffset()
	token, err := r.decoder.Token()
	if err != nil {
		return node{}, err
	}
	var n node
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			n.kind = object
			n.members, err = r.object(at, depth)
		} else {
			n.kind = list
			n.list, err = r.list(at, depth)
		}
		if err != nil {
			return node{}, err
		}
	case string:
		n.kind, n.text = text, token
	case json.Number:
		n.kind, n.text = number, token.String()
	case bool:
		n.kind, n.text = truth, strconv.FormatBool(token)
	}
	n.raw = bytes.TrimLeft(r.data[from:r.decoder.InputOffset()], " \t\r\n,:")
	return n, nil
}

func (r *reader) list(at *path, depth int) ([]node, error) {
	var values []node
	for r.decoder.More() {
		n, err := r.value(&path{up: at, index: len(values)}, depth+1)
		if err != nil {
			return nil, err
		}
		values = append(values, n)
	}
	_, err := r.decoder.Token()
	return values, err
}

func (r *reader) object(at *path, depth int) ([]member, error) {
	var members []member
	seen := make(map[string]bool)
	for r.decoder.More() {
		token, err := r.decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		below := &path{up: at, name: name, named: true}
		if seen[name] {
			r.found.add(below, "is given twice")
		}
		seen[name] = true
		n, err := r.value(below, depth+1)
		if err != nil {
			return nil, err
		}
		members = append(members, member{name, n})
	}
	_, err := r.decoder.Token()
	return members, err
}

func (n node) shown() string {
	switch n.kind {
	case text:
		return strconv.Quote(shorten(n.text, maxShown))
	case number:
		return shorten(n.text, maxShown)
	case truth:
		return n.text
	case null, list, object:
	}
	return n.kind.String()
}

// json returns the value as JSON: as written, unless raw was removed by an edit.
func (n node) json() []byte {
	if n.raw != nil {
		return n.raw
	}
	if n.kind == object {
		var members rawjson.Object
		for _, m := range n.members {
			members = append(members, rawjson.Member{Key: m.name, Value: m.value.json()})
		}
		return members.Encode()
	}
	var values [][]byte
	for _, value := range n.list {
		values = append(values, value.json())
	}
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}

// encoded returns the JSON of a value that can always be encoded.
func encoded(value any) []byte {
	data, _ := rawjson.Marshal(value)
	return data
}
