package coreagent

import (
	"bytes"
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/core"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Limits for a requested run's parameters, and for a script's output.
const (
	maxArgument    = 64 << 10 // bytes in a script's last argument
	maxEnvironment = 32 << 10 // bytes in its environment
	maxHeader      = 4 << 10  // bytes in a header
	exitDataError  = 65       // EX_DATAERR of sysexits.h
	maxScriptLine  = 16 << 10 // bytes of a line that a script prints; longer lines are split
)

func environment(s *Shard) ([]string, error) {
	document, err := contextJSON(s, maxEnvironment)
	if err != nil {
		return nil, err
	}
	env := scriptEnv(os.Environ(), core.CallOf(s).ScriptEnv, string(document))
	env = append(env, "ELASTICJOB_RUN_ID="+s.Run.ID, "ELASTICJOB_ATTEMPT="+strconv.Itoa(s.Run.Attempt))
	if len(s.Run.Params) > 0 && len(s.Run.Params) <= maxEnvironment {
		env = append(env, "ELASTICJOB_PARAMETERS="+string(s.Run.Params))
	}
	return env, nil
}

// payload is the body of an HTTP job's request, and the maximum size of parameters in its sharding context.
type payload struct {
	body, contentType string
	inContext         int
}

func payloadOf(s *Shard, method string) (payload, error) {
	hasBody := method == http.MethodPost || method == http.MethodPut || method == http.MethodDelete
	data := s.Props[jobconfig.PropData]
	if hasBody && data == "" && len(s.Run.Params) > 0 {
		return payload{body: string(s.Run.Params), contentType: "application/json"}, nil
	}
	if size := len(s.Run.Params); size > maxHeader {
		return payload{}, Permanent(fmt.Errorf("parameters of %d bytes do not fit a %s", size, method))
	}
	p := payload{inContext: maxHeader, contentType: cmp.Or(s.Props[jobconfig.PropContentType], "application/x-www-form-urlencoded")}
	if hasBody {
		p.body = data
	}
	return p, nil
}

// scriptLog turns a script's output into lines of the run's log.
type scriptLog struct {
	shard *Shard
	rest  []byte // of an unfinished line
}

func (l *scriptLog) Write(p []byte) (int, error) {
	if core.CallOf(l.shard).Stream == nil {
		return len(p), nil
	}
	l.rest = append(l.rest, p...)
	for {
		i, skipped := bytes.IndexByte(l.rest, '\n'), 1
		if i < 0 && len(l.rest) >= maxScriptLine {
			i, skipped = maxScriptLine, 0
		}
		if i < 0 {
			return len(p), nil
		}
		l.line(string(l.rest[:i]))
		l.rest = l.rest[i+skipped:]
	}
}

func (l *scriptLog) end() {
	if len(l.rest) > 0 {
		l.line(string(l.rest))
	}
	l.rest = nil
}

func (l *scriptLog) line(text string) {
	text = strings.TrimRight(text, "\r")
	if said, is := strings.CutPrefix(text, "::progress "); is {
		number, words, _ := strings.Cut(strings.TrimSpace(said), " ")
		if fraction, err := strconv.ParseFloat(number, 64); err == nil {
			l.shard.Progress(fraction, mask.Text(words))
			return
		}
	}
	core.CallOf(l.shard).Stream.Line(time.Now(), slog.LevelInfo, mask.Text(text))
}

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
