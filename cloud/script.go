package cloud

import (
	"errors"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/commandline"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// The fields of a script job: 3.x has a property, 2.x a job type and its own field. Fields of 2.x
// are in [Job.Compat].
const (
	PropScript    = jobconfig.PropCommandLine
	compatJobType = "jobType"
	compatScript  = "scriptCommandLine"
)

// scriptField returns the field with the command line of a script job, and the line; both are empty
// for other jobs. The property of 3.x wins.
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

// Script returns the words of the command line that each shard of a script job runs instead of its
// application's program, nil for other jobs. The sharding context is appended as an argument. For a
// DAEMON, cloudrun runs the line at each fire time. It's nil for a job with a registry, because its
// processes are agents with their own script job.
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

// Wrapper returns the command that runs the program after it as a script job, with the sharding
// context as an additional argument.
func Wrapper() []string { return []string{"cloudrun", "--"} }
