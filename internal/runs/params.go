package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/elasticjob-go/elasticjob/jobrun"
)

// MaxParams bounds the parameters of a run, in bytes of JSON; beside agents of Java,
// which keep the whole job in memory, they may be less.
const (
	MaxParams       = 64 << 10
	maxParamsBeside = 8 << 10
	maxDepth        = 32
)

// CheckParams checks that parameters are one JSON object without a key that stands
// there twice. None at all are fine.
func CheckParams(params json.RawMessage) error {
	if len(params) == 0 {
		return nil
	}
	if len(params) > MaxParams {
		return &refusal{jobrun.ErrTooLarge, fmt.Sprintf("parameters have %d bytes; at most %d are taken", len(params), MaxParams)}
	}
	c := paramCheck{decoder: json.NewDecoder(bytes.NewReader(params))}
	c.decoder.UseNumber()
	kind, err := c.value("", 0)
	if err == nil {
		end := c.decoder.InputOffset()
		if rest := bytes.TrimLeft(params[end:], " \t\r\n"); len(rest) > 0 {
			return notJSON(fmt.Sprintf("text after the end, at byte %d", len(params)-len(rest)+1))
		}
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	switch {
	case err != nil:
		return notJSON(err.Error())
	case kind != "an object":
		return &jobrun.ParamsError{Problems: []jobrun.ParamProblem{{Text: "want a JSON object, not " + kind}}}
	case len(c.problems) > 0:
		return &jobrun.ParamsError{Problems: c.problems}
	}
	return nil
}

func notJSON(why string) error { return &refusal{jobrun.ErrParams, "parameters are no JSON: " + why} }

type paramCheck struct {
	decoder  *json.Decoder
	problems []jobrun.ParamProblem
}

// value reads one value and says what it is.
func (c *paramCheck) value(path string, depth int) (kind string, err error) {
	if depth > maxDepth {
		return "", fmt.Errorf("more than %d levels", maxDepth)
	}
	token, err := c.decoder.Token()
	if err != nil {
		return "", err
	}
	switch token {
	case json.Delim('{'):
		return "an object", c.object(path, depth)
	case json.Delim('['):
		for i := 0; c.decoder.More(); i++ {
			if _, err := c.value(path+"["+strconv.Itoa(i)+"]", depth+1); err != nil {
				return "", err
			}
		}
		_, err := c.decoder.Token()
		return "a list", err
	}
	switch token.(type) {
	case string:
		return "a text", nil
	case json.Number:
		return "a number", nil
	case bool:
		return "a truth value", nil
	}
	return "null", nil
}

func (c *paramCheck) object(path string, depth int) error {
	seen := make(map[string]bool)
	for c.decoder.More() {
		token, err := c.decoder.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		below := key
		if path != "" {
			below = path + "." + key
		}
		if seen[key] {
			c.problems = append(c.problems, jobrun.ParamProblem{Path: below, Text: "stands there twice"})
		}
		seen[key] = true
		if _, err := c.value(below, depth+1); err != nil {
			return err
		}
	}
	_, err := c.decoder.Token()
	return err
}
