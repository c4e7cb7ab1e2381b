package task_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

func environment(changes ...string) []string {
	return append([]string{
		"ELASTICJOB_JOB_NAME=settle", "ELASTICJOB_RUN=settle-1795514400", "ELASTICJOB_ITEM=1", "ELASTICJOB_SHARDING_TOTAL_COUNT=3",
		"ELASTICJOB_SCHEDULED_AT=2026-11-22T12:00:00Z", "ELASTICJOB_TASK_ID=id",
	}, changes...)
}

// TestReadRefuses: each variable has limits, and the error names it.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change, want string
		code         int
	}{
		{"JOB_NAME=", "is not set; the scheduler sets it", 64},
		{"JOB_NAME=" + strings.Repeat("x", 101), "has 101 characters, want at most 100", 64},
		{"JOB_NAME=" + strings.Repeat("x", 1000), "has 1000 bytes", 64},
		{"JOB_NAME=\xff", "is not valid UTF-8", 64},
		{"RUN=" + strings.Repeat("x", 1001), "has 1001 bytes, want at most 1000", 64},
		{"ITEM=3", `is "3", want a whole number from 0 to 2`, 64},
		{"ITEM=-1", "from 0 to 2", 64},
		{"ITEM=one", "from 0 to 2", 64},
		{"SHARDING_TOTAL_COUNT=0", "from 1 to 100000", 64},
		{"SHARDING_TOTAL_COUNT=100001", "from 1 to 100000", 64},
		{"SHARDING_TOTAL_COUNT=", "is not set", 64},
		{"SCHEDULED_AT=", "is not set", 64},
		{"SCHEDULED_AT=noon", "want a time from 1970 on such as", 64},
		{"SCHEDULED_AT=1969-12-31T23:59:59Z", "want a time from 1970 on", 64},
		{"ATTEMPT=0", "from 1 to 1000000", 64},
		{"ATTEMPT=99999999999999999999", "from 1 to 1000000", 64},
		{"FAILURES=-1", "from 0 to 1000000", 64},
		{"TASK_ID=", "is not set", 64},
		{"TASK_ID=" + strings.Repeat("x", 1001), "want at most 1000", 64},
		{"EXECUTION_TYPE=SOMETIMES", `is "SOMETIMES", want TRANSIENT or DAEMON`, 64},
		{"PROPS=[]", "is not a JSON object of strings", 64},
		{`PROPS={"a":1}`, "is not a JSON object of strings", 64},
		{"PROPS=" + strings.Repeat(" ", 96<<10+1), "has 98305 bytes, want at most 98304", 64},
		{"RUN_PARAMETERS=1", "is not a JSON object", 64},
		{"RUN_PARAMETERS=  ", "is not a JSON object", 64},
		{"RUN_PARAMETERS={", "is not a JSON object", 64},
		{"RUN_PARAMETERS=" + strings.Repeat(" ", 64<<10+1), "want at most 65536", 64},
		{"JOB_PARAMETER=" + strings.Repeat("x", 96<<10+1), "want at most 98304", 64},
		{"SHARDING_ITEM_PARAMETERS=a=b", "cannot be read: Sharding item parameters key 'a' is not an integer.; correct shardingItemParameters of the job", 78},
	} {
		name, _, _ := strings.Cut(c.change, "=")
		_, err := task.Read(environment("ELASTICJOB_" + c.change))
		if err == nil || err.Error() != strings.TrimSpace(err.Error()) || !strings.Contains(err.Error(), "ELASTICJOB_"+name+" ") || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
			t.Errorf("%.60s: got %v, want %s", c.change, err, c.want)
		} else if code := task.ExitCode(err); code != c.code {
			t.Errorf("%.60s: exit code %d", c.change, code)
		}
	}
	// All problems are reported at once, and the environment's come before the configuration's.
	_, err := task.Read([]string{"ELASTICJOB_SHARDING_ITEM_PARAMETERS=a=b"})
	if err == nil || strings.Count(err.Error(), "is not set") != 5 || task.ExitCode(err) != 64 {
		t.Error(err)
	}
	for items, want := range map[string]string{"0,9": `ELASTICJOB_ITEMS has "9" at position 1, want a shard from 0 to 2`, "0": "ELASTICJOB_INDEX is \"1\", want a whole number from 0 to 0"} {
		if _, err := task.Read(environment("ELASTICJOB_ITEM=", "ELASTICJOB_ITEMS="+items, "ELASTICJOB_INDEX=1")); err == nil || err.Error() != want {
			t.Errorf("%s: %v", items, err)
		}
	}
}

// TestBoundsAreTheSchedulers: every value that the scheduler accepts should be readable.
func TestBoundsAreTheSchedulers(t *testing.T) {
	t.Parallel()
	if task.MaxName != cloud.MaxName || task.MaxShards != cloud.MaxShards || task.MaxParameters != cloud.MaxParameters || task.MaxText != cloud.MaxText {
		t.Error("the bounds of package cloud are others")
	}
	fire := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for name, manual := range map[string]bool{
		cloud.RunName("x", fire): false, cloud.CollisionName(cloud.RunName("x", fire)): false,
		cloud.ManualRunName("settle", "k"): true, cloud.CollisionName(cloud.ManualRunName("settle", "k")): true, "": false,
	} {
		if got := (task.Task{Run: name}).Manual(); got != manual {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFencingToken: it grows with attempts and with fire times.
func TestFencingToken(t *testing.T) {
	t.Parallel()
	last := int64(0)
	for second := range 2 {
		for _, attempt := range []int{1, 2, 999} {
			token := task.Task{ScheduledAt: time.Unix(int64(second)+1, 0), Attempt: attempt}.FencingToken()
			if token <= last {
				t.Errorf("%d is not more than %d", token, last)
			}
			last = token
		}
	}
	if token := (task.Task{ScheduledAt: time.Unix(2, 0), Attempt: 5000}).FencingToken(); token != last {
		t.Errorf("%d, want %d", token, last)
	}
}

// TestContextJSON: it has the form of agents, and fits into an argument.
func TestContextJSON(t *testing.T) {
	t.Parallel()
	read, err := task.Read(environment("ELASTICJOB_SHARDING_ITEM_PARAMETERS=1=b", "ELASTICJOB_RUN=settle-x0123456789", `ELASTICJOB_RUN_PARAMETERS={"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"jobName":"settle","taskId":"id","shardingTotalCount":3,"jobParameter":"","shardingItem":1,"shardingParameter":"b","runId":"settle-x0123456789","attempt":1,"runParameters":{"a":1}}`
	if got, err := read.ContextJSON(); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	read.JobParameter = strings.Repeat("x", task.MaxText)
	read.RunParameters = []byte(`{"a":"` + strings.Repeat("y", 60<<10) + `"}`)
	if got, err := read.ContextJSON(); err != nil || len(got) >= 128<<10 || strings.Contains(got, "runParameters") || !strings.Contains(got, "runId") {
		t.Errorf("%v, %d bytes", err, len(got))
	}
	read.JobParameter = strings.Repeat("\x01", task.MaxText)
	if _, err := read.ContextJSON(); err == nil || task.ExitCode(err) != 78 || !strings.Contains(err.Error(), "shorten jobParameter") {
		t.Error(err)
	}
}

// TestTail: the last lines are kept, limited and without secrets.
func TestTail(t *testing.T) {
	t.Parallel()
	var tail task.Tail
	if tail.String() != "" {
		t.Error(tail.String())
	}
	write := func(format string, args ...any) {
		if _, err := fmt.Fprintf(&tail, format, args...); err != nil {
			t.Fatal(err)
		}
	}
	write("a\nb password=geheim\nc\n")
	if got := tail.String(); !strings.HasPrefix(got, "a\nb password=") || !strings.HasSuffix(got, "\nc") || strings.Contains(got, "geheim") {
		t.Error(got)
	}
	for i := range 100_000 {
		write("%d\n", i)
	}
	if got := strings.Split(tail.String(), "\n"); len(got) != 80 || got[0] != "99920" || got[79] != "99999" {
		t.Error(got)
	}
	for range 100 {
		write("%s\n", strings.Repeat("ü", 500))
	}
	got := strings.Split(tail.String(), "\n")
	if len(got) != 4 {
		t.Errorf("%d lines", len(got))
	}
	for _, line := range got {
		if line != strings.Repeat("ü", 500) {
			t.Errorf("a line is cut: %d bytes", len(line))
		}
	}
	write("%s", strings.Repeat("ü", 1<<20))
	if got := tail.String(); len(got) > 4096 || len(got) < 4090 || strings.Trim(got, "ü") != "" {
		t.Errorf("%d bytes", len(got))
	}
}

// TestWriteMessage: it writes into the named file, and does nothing without a name.
func TestWriteMessage(t *testing.T) {
	t.Parallel()
	var tail task.Tail
	if _, err := tail.Write([]byte("the last word\n")); err != nil {
		t.Fatal(err)
	}
	if err := task.WriteMessage(nil, &tail); err != nil {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "message")
	if err := task.WriteMessage([]string{task.TerminationPath + "=" + path}, &tail); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "the last word" {
		t.Errorf("%v %q", err, data)
	}
	err := task.WriteMessage([]string{task.TerminationPath + "=/nowhere/message"}, &tail)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), task.TerminationPath) {
		t.Error(err)
	}
}
