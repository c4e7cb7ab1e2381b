package app

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// LogLink is the address of an execution's full log in another program, such as Grafana for Loki or Kibana, with
// placeholders. The zero LogLink is none.
type LogLink struct{ template string }

// logLinkMargin is added before and after an execution, because clocks differ.
const logLinkMargin = 5 * time.Second

var logLinkFields = map[string]func(e tracing.Execution, end time.Time) string{
	"job":       func(e tracing.Execution, _ time.Time) string { return e.JobName },
	"run":       func(e tracing.Execution, _ time.Time) string { return e.RunID },
	"shard":     func(e tracing.Execution, _ time.Time) string { return strconv.Itoa(e.Item) },
	"attempt":   func(e tracing.Execution, _ time.Time) string { return strconv.Itoa(max(e.Attempt, 1)) },
	"execution": func(e tracing.Execution, _ time.Time) string { return e.ID },
	"task":      func(e tracing.Execution, _ time.Time) string { return e.TaskID },
	"ip":        func(e tracing.Execution, _ time.Time) string { return e.IP },
	"host":      func(e tracing.Execution, _ time.Time) string { return e.Hostname },
	"from":      func(e tracing.Execution, _ time.Time) string { return isoMillis(logLinkBegin(e)) },
	"to":        func(_ tracing.Execution, end time.Time) string { return isoMillis(end) },
	"from_ms":   func(e tracing.Execution, _ time.Time) string { return millis(logLinkBegin(e)) },
	"to_ms":     func(_ tracing.Execution, end time.Time) string { return millis(end) },
}

func logLinkBegin(e tracing.Execution) time.Time { return e.StartTime.Add(-logLinkMargin) }
func isoMillis(t time.Time) string               { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
func millis(t time.Time) string                  { return strconv.FormatInt(t.UnixMilli(), 10) }

var logLinkField = regexp.MustCompile(`\{([a-zA-Z_]+)\}`)

// LogLinkFields are the names of the placeholders of a [LogLink].
func LogLinkFields() []string {
	names := make([]string, 0, len(logLinkFields))
	for name := range logLinkFields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ParseLogLink checks a template: an address that begins with http:// or https://, with placeholders such as {job}
// behind the host. An empty one is none.
func ParseLogLink(template string) (LogLink, error) {
	if template == "" {
		return LogLink{}, nil
	}
	for _, field := range logLinkField.FindAllStringSubmatch(template, -1) {
		if logLinkFields[field[1]] == nil {
			return LogLink{}, fmt.Errorf("unknown placeholder {%s}; there are {%s}", field[1], strings.Join(LogLinkFields(), "}, {"))
		}
	}
	u, err := url.Parse(logLinkField.ReplaceAllString(template, "x"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return LogLink{}, fmt.Errorf("%q is not an address that begins with http:// or https://", template)
	}
	scheme, rest, _ := strings.Cut(template, "://")
	if host, _, _ := strings.Cut(rest, "/"); logLinkField.MatchString(scheme + host) {
		return LogLink{}, fmt.Errorf("%q has a placeholder in its host", template)
	}
	return LogLink{template}, nil
}

// Of returns the address for an execution, which may not have ended at now; "" if there's no template.
func (l LogLink) Of(e tracing.Execution, now time.Time) string {
	end := e.CompleteTime
	if end.IsZero() {
		end = now
	}
	end = end.Add(logLinkMargin)
	return logLinkField.ReplaceAllStringFunc(l.template, func(field string) string {
		// Spaces as %20 are right in a path as well as in a query.
		return strings.ReplaceAll(url.QueryEscape(logLinkFields[field[1:len(field)-1]](e, end)), "+", "%20")
	})
}
