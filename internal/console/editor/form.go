package editor

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The names of the fields of a form that are not keys.
const (
	// FlagField is sent once for each switch that the form has: a switch that is off
	// sends nothing of its own.
	FlagField = "flag"
	// PropKeyField and PropValueField are sent once for each property, in pairs.
	PropKeyField   = "prop.key"
	PropValueField = "prop.value"
)

// FromForm is a configuration with what a form says about it. Keys that the form
// does not have stay as they are. seen is what a reader is shown of a text: a
// value that comes back as it was shown is not a change. Each problem is a
// *jobconfig.FieldError.
func FromForm(stored *jobconfig.Config, form url.Values, seen func(string) string) (*jobconfig.Config, error) {
	body := make(map[string]json.RawMessage)
	set := func(key string, value any) {
		body[key], _ = json.Marshal(value) // texts, flags and lists of texts always marshal
	}
	switches := make(map[string]bool)
	for _, name := range form[FlagField] {
		switches[name] = true
	}
	for _, k := range KeysOf(stored) {
		switch {
		case k.Kind == Flag && switches[k.Name]:
			set(k.Name, form.Has(k.Name))
		case k.Kind == Props && hasProps(form):
			props, err := propsOf(stored, form, seen)
			if err != nil {
				return stored.Clone(), err
			}
			set(k.Name, props)
		case !form.Has(k.Name):
		case k.Kind == Number:
			set(k.Name, strings.TrimSpace(form.Get(k.Name)))
		case k.Kind == Text:
			before, _ := k.Read(stored).(string)
			set(k.Name, kept(before, form.Get(k.Name), seen))
		case k.Kind == List:
			names := []string{}
			for line := range strings.Lines(form.Get(k.Name)) {
				if line = strings.TrimSpace(line); line != "" {
					names = append(names, line)
				}
			}
			set(k.Name, names)
		}
	}
	edited := stored.Clone()
	return edited, Apply(edited, body)
}

// kept is what is meant by a text that comes back from a field: the stored one, if
// it is what was shown of that. Browsers send their own line ends.
func kept(stored, sent string, seen func(string) string) string {
	if sent = lines(sent); sent == lines(seen(stored)) {
		return stored
	}
	return sent
}

func lines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// FromText is a configuration as somebody has written it as a text, in place of
// the stored one of a job: YAML, or JSON for a job of 2.1.x. Comments and keys that
// nobody here knows stay as they are stored, and so a text in which such a key is
// another is refused: it may name a Java class. Each problem is a
// *jobconfig.FieldError, or the text cannot be read.
func FromText(stored *jobconfig.Config, raw []byte, text string, seen func(string) string) (*jobconfig.Config, error) {
	if text = lines(text); text == lines(seen(string(raw))) {
		return stored.Clone(), nil
	}
	read, err := jobconfig.Decode([]byte(text))
	if err != nil {
		return stored.Clone(), err
	}
	if read.Generation != stored.Generation {
		return stored.Clone(), &jobconfig.FieldError{Field: "document", Value: read.Generation.String(), Want: "a configuration of ElasticJob " + stored.Generation.String()}
	}
	var problems []error
	fixed := func(field, before, now string) {
		if before != now {
			problems = append(problems, &jobconfig.FieldError{Field: field, Value: now, Want: strconv.Quote(before) + ", which cannot be changed here"})
		}
	}
	if stored.Name != "" { // not of a new job
		fixed("jobName", stored.Name, read.Name)
	}
	fixed("jobType", stored.JobType, read.JobType)
	fixed("jobClass", stored.JobClass, read.JobClass)
	for _, key := range foreignChanges(raw, []byte(text), stored.Generation) {
		problems = append(problems, &jobconfig.FieldError{Field: key, Want: "the stored value: what this console does not know stays as it is"})
	}
	edited := Onto(read, stored)
	for name, now := range FreeTexts(edited) {
		*now = kept(*FreeTexts(stored)[name], *now, seen)
	}
	return edited, errors.Join(problems...)
}

// Onto is a configuration that somebody wrote, to take the place of a stored one:
// what nobody here knows stays as it is stored.
func Onto(written, stored *jobconfig.Config) *jobconfig.Config {
	onto := written.Onto(stored)
	onto.Label, onto.JobClass, onto.JobType = written.Label, stored.JobClass, stored.JobType
	return onto
}
