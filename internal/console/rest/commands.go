package rest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// What agents execute, and whom they call, stands in the props of a job's
// configuration. To change it is a right of its own ([console.Options.CommandChanges]):
// whoever has it runs code on the agents.

// executed are the props of ElasticJob's SCRIPT and HTTP jobs and of the error
// handlers that send messages.
var executed = []string{
	jobconfig.PropCommandLine, jobconfig.PropURI, jobconfig.PropMethod, jobconfig.PropData, jobconfig.PropContentType,
	"email.host", "email.port", "email.useSsl", "email.ssl.trust", "wechat.webhook", "dingtalk.webhook",
}

// executedWord is a word in the names of such props of other programs: job types
// and error handlers can be anybody's.
var executedWord = regexp.MustCompile(`(?i:^|[._-])(?i:command|cmd|script|exec|ur[il]|webhook|endpoint|host|address|port)(?:$|[._A-Z-])`)

// isExecuted reports whether a prop says what is executed or who is called. An
// address in a value does, whatever the prop is called.
func isExecuted(key, before, after string) bool {
	return slices.Contains(executed, key) || executedWord.MatchString(key) || strings.Contains(before+after, "://")
}

// changedProps are the props in which two configurations differ, sorted.
func changedProps(before, after *jobconfig.Config) []string {
	keys := make(map[string]bool)
	for key, value := range before.Props {
		if now, ok := after.Props[key]; !ok || now != value {
			keys[key] = true
		}
	}
	for key := range after.Props {
		if _, ok := before.Props[key]; !ok {
			keys[key] = true
		}
	}
	return slices.Sorted(maps.Keys(keys))
}

// mayChange refuses a change of what is executed, unless the console was started
// with the right to. Stored values that stay as they are pass.
func (s *API) mayChange(before, after *jobconfig.Config) error {
	if s.Options().CommandChanges {
		return nil
	}
	var fields []console.FieldBody
	for _, key := range changedProps(before, after) {
		if isExecuted(key, before.Props[key], after.Props[key]) {
			// Not its value: that may be a secret.
			fields = append(fields, console.FieldBody{Field: "props." + view.Clip(key, 100), Want: "the stored value"})
		}
	}
	if len(fields) == 0 {
		return nil
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Field
	}
	return &console.Problem{
		Kind: console.KindForbidden, Code: "command_changes_off", Fields: fields,
		Message: fmt.Sprintf("This console may not change what agents execute or call: %s.", view.Join(names)),
		Hint:    "Send the stored value, or start the console with --allow-command-changes. Nothing was stored.",
	}
}
