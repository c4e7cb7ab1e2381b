package jobs

import (
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// multiline reports whether a text needs a field of several lines: others drop
// line ends.
func multiline(text string) bool { return strings.ContainsAny(text, "\n\r") }

// list is the id of the values that are suggested; empty for none.
func (f ConfigField) list() string {
	if len(f.Suggest) == 0 {
		return ""
	}
	return f.id() + "-list"
}

func propLabel(t i18n.Lang, key string) string {
	if key == "" {
		return t.ConfigPropNew()
	}
	return t.ConfigPropKey() + " " + key
}

func propHint(t i18n.Lang, key string) string {
	if key == "" {
		return t.ConfigPropNew()
	}
	return ""
}

func was(t i18n.Lang, value string) string {
	if value == "" {
		return t.ConfigWasEmpty()
	}
	return t.ConfigWas(value)
}

func orEmpty(t i18n.Lang, value string) string {
	if value == "" {
		return t.ConfigEmpty()
	}
	return value
}
