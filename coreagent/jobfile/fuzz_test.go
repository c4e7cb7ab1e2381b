package jobfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
)

// FuzzParse: for any text there is a file or a list of problems, each in an existing line, and no
// value from the environment is shown.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add(oneJob("cron: ${SECRET}", "timeoutMilliseconds: ${SECRET}", "jobErrorHandlerType: EMAIL"))
	f.Add(oneJob("<<: {a: b}", "? [x]", "props.a.b: ${SECRET:${SECRET}}"))
	f.Add("elasticjob: &a\n  jobs: {<<: [*a, {}], x: *a}\n  regCenter: {digest: \"${SECRET}\", serverLists: [\"${SECRET}\"], namespace: \"${SECRET}\"}\n")
	f.Add("elasticjob.jobs.[a.b].props.c: 1\nelasticjob.jobs..cron: 2\nelasticjob.dump.port: ${SECRET}\n")
	f.Fuzz(func(t *testing.T, text string) {
		const secret = "/hunter2/*\\"
		file, err := parse(map[string]string{"SECRET": secret}, text)
		var wrong *jobfile.Error
		switch {
		case err == nil:
			for _, n := range file.Notes {
				if strings.Contains(n.String(), secret) {
					t.Errorf("a note contains the secret: %s", n)
				}
			}
		case !errors.As(err, &wrong) || len(wrong.Problems) == 0:
			t.Errorf("no list of problems: %v", err)
		default:
			for _, p := range wrong.Problems {
				if p.Line < 0 || p.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+1 || p.Text == "" {
					t.Errorf("line %d of a text with %d: %s", p.Line, strings.Count(text, "\n")+1, p)
				}
				if strings.Contains(p.String(), secret) {
					t.Errorf("a problem contains the secret: %s", p)
				}
			}
		}
	})
}

// TestNotes checks notes, which aren't mistakes.
func TestNotes(t *testing.T) {
	t.Parallel()
	f := mustParse(t, nil, `elasticjob:
  regCenter: {serverLists: "a:1", namespace: x, digest: "u:hunter2"}
  jobs:
    my_job: &j {elasticJobType: SCRIPT, shardingTotalCount: 1, props: {script.command.line: /bin/true}}
    my.job: *j
    "[your.job]": *j
    beyond: {<<: *j, shardingItemParameters: "0=a,1=b"}
    known: {<<: *j, props: {script.command.line: /bin/true, api.token: hunter2}}
  tracing: {type: RDB, includeJobNames: other-service, dataSource: {url: x, password: hunter2}}
elasticsearch: {}
`)
	var got []string
	for _, n := range f.Notes {
		got = append(got, n.String())
	}
	want := []string{
		"line 2: elasticjob.regCenter.digest: is in the file in plain text",
		`line 5: elasticjob.jobs.my.job: Java's starter changes this name; write "[my.job]"`,
		"line 7: elasticjob.jobs.beyond.shardingItemParameters: names a shard that does not exist; the job has the shards 0 to 0",
		"line 8: elasticjob.jobs.known.props.api.token: is in the file in plain text",
		`line 9: elasticjob.tracing.includeJobNames: the file has no job "other-service"`,
		"line 9: elasticjob.tracing.dataSource.password: is in the file in plain text",
		"line 10: elasticsearch: doesn't belong to elasticjob and was ignored",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !strings.HasPrefix(got[i], want[i]) || strings.Contains(got[i], "hunter2") {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
