package local

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// program is a resolved file below the allowed folder, or the shell.
type program struct {
	Path string
	Args []string
}

const (
	shell = "/bin/sh"
	// searchPath is the PATH of programs, unless the application has one.
	searchPath = "/usr/local/bin:/usr/bin:/bin"
	// shellWords are characters with a meaning in a shell.
	shellWords = "\"'`\\$&|;<>()*?[]{}~#!\n"
)

// refused returns a cloud.ErrRefused about an application.
func refused(a cloud.App, format string, args ...any) error {
	return fmt.Errorf("application %q: %s: %w", a.Name, fmt.Sprintf(format, args...), cloud.ErrRefused)
}

// wordsOf returns the program and the arguments of a script job or its application. If inShell is
// true, a shell runs the bootstrapScript instead.
func wordsOf(j cloud.Job, a cloud.App) (words []string, inShell bool, err error) {
	for name := range a.Env {
		if strings.HasPrefix(name, "LD_") {
			return nil, false, refused(a, "env has %s, which could load any file as a program; remove it", name)
		}
	}
	script, err := j.Script()
	words = slices.Concat(a.Command, a.Args)
	switch {
	case err != nil:
		return nil, false, fmt.Errorf("job %q: %w: %w", j.Name, err, cloud.ErrRefused)
	case script != nil:
		return script, false, nil
	case len(a.Command) > 0:
		return words, false, nil
	case a.BootstrapScript == "":
		return nil, false, refused(a, "it has neither a command nor a bootstrapScript; name the program in one of them")
	case a.Shell:
		return nil, true, nil
	case strings.ContainsAny(a.BootstrapScript, shellWords):
		return nil, false, refused(a, "bootstrapScript %q needs a shell; set shell: true, or give command and args", a.BootstrapScript)
	}
	if words = slices.Concat(strings.Fields(a.BootstrapScript), a.Args); len(words) == 0 {
		return nil, false, refused(a, "bootstrapScript is blank")
	}
	return words, false, nil
}

// programOf returns the program that a job and its application start from below a folder. The error
// is a cloud.ErrRefused with the remedy.
func programOf(j cloud.Job, a cloud.App, allowed string) (program, error) {
	refuse := func(format string, args ...any) (program, error) { return program{}, refused(a, format, args...) }
	words, inShell, err := wordsOf(j, a)
	switch {
	case allowed == "":
		return refuse("no folder of programs is set, so no program is allowed; start the console with --cloud-local-apps DIR")
	case err != nil:
		return program{}, err
	case inShell:
		return program{Path: shell, Args: slices.Concat([]string{"-c", a.BootstrapScript, a.Name}, a.Args)}, nil
	}
	path := words[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(allowed, path)
	}
	root, err := filepath.EvalSymlinks(allowed)
	if err != nil {
		return refuse("the folder of programs cannot be used: %v", err)
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return refuse("program %s cannot be used: %v; put it below %s", path, err, allowed)
	}
	if below, err := filepath.Rel(root, resolved); err != nil || below == ".." || strings.HasPrefix(below, "../") {
		return refuse("program %s is really %s, which is not below %s; only programs there may be started", path, resolved, root)
	}
	info, err := os.Stat(resolved)
	switch {
	case err != nil:
		return refuse("program %s cannot be used: %v", resolved, err)
	case !info.Mode().IsRegular() || info.Mode()&0o111 == 0:
		return refuse("program %s is not an executable file; chmod +x it", resolved)
	}
	return program{Path: resolved, Args: words[1:]}, nil
}

// withContext appends the sharding context to the arguments of a TRANSIENT script job. For a
// DAEMON, cloudrun does that.
func withContext(j cloud.Job, args, env []string) ([]string, error) {
	if script, err := j.Script(); script == nil || err != nil || j.Type == cloud.TypeDaemon {
		return args, err
	}
	t, err := task.Read(env)
	if err != nil {
		return nil, err
	}
	document, err := t.ContextJSON()
	return append(slices.Clip(args), document), err
}

func environment(r cloud.Run, t cloud.Task, folder string) ([]string, error) {
	parameters, err := jobconfig.ParseItemParameters(r.Job.ShardParameters)
	if err != nil {
		return nil, fmt.Errorf("shardingItemParameters: %w", err)
	}
	props, err := json.Marshal(r.Job.ProgramProps())
	if err != nil {
		return nil, fmt.Errorf("props: %w", err)
	}
	if r.Job.Props == nil {
		props = []byte("{}")
	}
	parameter := string(r.Parameters)
	if parameter == "null" { // No parameters, after a restart.
		parameter = ""
	}
	env := map[string]string{"PATH": searchPath, "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"}
	maps.Copy(env, r.App.Env)
	maps.Copy(env, map[string]string{
		task.JobName:        r.Job.Name,
		task.AppName:        r.App.Name,
		task.Run:            r.Name,
		task.Item:           strconv.Itoa(t.Shard),
		task.Total:          strconv.Itoa(r.Job.Shards),
		task.ItemParameters: r.Job.ShardParameters,
		task.Parameter:      parameters[t.Shard],
		task.JobParameter:   r.Job.Parameter,
		task.Props:          string(props),
		task.RunParameters:  parameter,
		task.ExecutionType:  string(r.Job.Type),
		task.Attempt:        strconv.Itoa(t.Attempt),
		task.TaskID:         t.ID(r.Job.Name),
		task.Node:           t.Node,
	})
	if r.Origin != cloud.OriginDaemon {
		env[task.ScheduledAt] = r.Fire.UTC().Format(time.RFC3339)
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		list = append(list, name+"="+env[name])
	}
	return list, nil
}
