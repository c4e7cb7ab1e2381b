package editor

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// What agents execute, and whom they call, stands in the props of a job's
// configuration. To change it is a right of its own (the option --allow-command-changes):
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

// ChangedCommands are the props in which two configurations differ and that say
// what agents execute or whom they call, sorted.
func ChangedCommands(before, after *jobconfig.Config) []string {
	return slices.DeleteFunc(changedProps(before, after), func(key string) bool {
		return !isExecuted(key, before.Props[key], after.Props[key])
	})
}
