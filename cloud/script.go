package cloud

import (
	"errors"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/commandline"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The fields of a script job in upstream's generations: 3.x has a property, 2.x a job type and a
// field of its own. Fields of 2.x are in [Job.Compat].
const (
	PropScript    = jobconfig.PropCommandLine
	compatJobType = "jobType"
	compatScript  = "scriptCommandLine"
)

// scriptField returns the field with the command line of a script job, and the line; empty if the
// job is none. The property of 3.x wins.
func (j Job) scriptField() (field, line string) {
	if line = j.Props[PropScript]; line != "" {
		return "props." + PropScript, line
	}
	kind := j.Compat[compatJobType]
	if line = j.Compat[compatScript]; line != "" && (kind == "" || strings.EqualFold(kind, jobconfig.TypeScript)) {
		return compatScript, line
	}
	return "", ""
}

// Script returns the words of the command line that each shard of a script job starts in place of
// its application's program, nil if the job is no script job. The sharding context is one more
// argument. For a DAEMON, cloudrun starts the line at each fire time. The processes of a job with
// a registry are agents, which have a script job of their own.
func (j Job) Script() ([]string, error) {
	field, line := j.scriptField()
	if line == "" || j.Registry() {
		return nil, nil
	}
	words, err := commandline.Split(line)
	if err == nil && (len(words) == 0 || words[0] == "") {
		err = errors.New("no program in it")
	}
	if err != nil {
		return nil, &jobconfig.FieldError{Field: field, Value: cut(line, 200), Want: "a program and its arguments: " + err.Error()}
	}
	if j.Type == TypeDaemon {
		words = append(Wrapper(), words...)
	}
	return words, nil
}

// Wrapper returns the command that starts the program behind it as a script job, with the sharding
// context as one more argument.
func Wrapper() []string { return []string{"cloudrun", "--"} }
