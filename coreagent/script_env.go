package coreagent

import (
	"fmt"
	"slices"
	"strings"
)

// plainEnv are variables that programs need to work and that aren't secrets. A * at the end matches any rest.
var plainEnv = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "HOSTNAME", "TERM",
	// Windows.
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "USERNAME", "COMPUTERNAME",
}

const contextEnv = "ELASTICJOB_SHARDING_CONTEXT"

// scriptEnv returns the environment of a script: the agent's plain and allowed variables, and the
// sharding context.
func scriptEnv(agent, allowed []string, context string) []string {
	env := []string{}
	for _, pair := range agent {
		name, _, ok := strings.Cut(pair, "=")
		if ok && name != "" && name != contextEnv && (namedIn(plainEnv, strings.ToUpper(name)) || namedIn(allowed, name)) {
			env = append(env, pair)
		}
	}
	return append(env, contextEnv+"="+context)
}

func namedIn(list []string, name string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		prefix, open := strings.CutSuffix(entry, "*")
		return entry == name || open && strings.HasPrefix(name, prefix)
	})
}

func checkScriptEnv(names []string) error {
	for _, name := range names {
		if bare := strings.TrimSuffix(name, "*"); strings.ContainsAny(bare, "=*\x00 ") || name == "" {
			return fmt.Errorf("ScriptEnv: %q is not the name of an environment variable; write NAME, PREFIX_* or *", name)
		}
	}
	return nil
}
