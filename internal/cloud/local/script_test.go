package local_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// TestW39ScriptJobs: a shard of a script job, in the form of 2.x or 3.x, starts the job's command
// line instead of the application's program, with the sharding context as its last argument.
func TestW39ScriptJobs(t *testing.T) {
	f := open(t, config(t))
	const line = `program program args "two words" 'a"b'`
	for name, change := range map[string]func(*cloud.Job){
		"three": func(j *cloud.Job) { j.Props = map[string]string{"script.command.line": line} },
		"two":   func(j *cloud.Job) { j.Compat = map[string]string{"jobType": "SCRIPT", "scriptCommandLine": line} },
		"three-two": func(j *cloud.Job) {
			j.Props, j.Compat = map[string]string{"script.command.line": line}, map[string]string{"scriptCommandLine": "program nothing"}
		},
	} {
		r := job(name, 2, "exit", "7")
		r.App.Command, r.App.BootstrapScript = nil, "program program exit 7"
		r.Job.ShardParameters = "1=Turin"
		change(&r.Job)
		f.launch(r)
		if s := f.finished(r); s.State != cloud.RunSucceeded {
			t.Fatalf("%s: the bootstrapScript ran: %+v", name, s)
		}
		task := f.of(r)[1]
		want := "two words\na\"b\n" + `{"jobName":"` + name + `","taskId":"` + task.ID(name) + `","shardingTotalCount":2,"jobParameter":"","shardingItem":1,"shardingParameter":"Turin"}` + "\n"
		if got := f.log(task.TaskRef, cloud.LogOptions{}); got != want {
			t.Errorf("%s: arguments\n%s\nwant\n%s", name, got, want)
		}
	}
	// A job of 2.x that isn't a script job keeps its application's program.
	r := job("simple", 1, "exit", "0")
	r.Job.Compat = map[string]string{"jobType": "SIMPLE", "scriptCommandLine": "nothing"}
	f.launch(r)
	if s := f.finished(r); s.State != cloud.RunSucceeded {
		t.Errorf("%+v", s)
	}
}

// TestW39ScriptsOfADaemon: cloudrun starts a DAEMON's command line at each fire time, and scripts
// must be below the programs' folder.
func TestW39ScriptsOfADaemon(t *testing.T) {
	f := open(t, config(t))
	script := map[string]string{"script.command.line": "job.sh a"}
	r := job("outside", 1)
	r.Job.Props = maps.Clone(script)
	r.Job.Props["script.command.line"] = "/bin/echo a"
	if _, err := f.Launch(t.Context(), r); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "only programs there may be started") {
		t.Errorf("a script outside: %v", err)
	}
	d := feed("stays", 1)
	d.Job.Props = script
	if err := f.Daemon(t.Context(), d); !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "/cloudrun") {
		t.Errorf("without cloudrun: %v", err)
	}
}
