//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/cli"
	"github.com/elasticjob-go/elasticjob/internal/cli/clitest"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/demo"
)

// yearly are parameters that the one-off job of the demo takes.
const yearly = `--params={"year":2026,"regions":["Berlin","Oslo"]}`

// TestJobEndToEnd speaks to the console of a demo, whose agents run what is requested.
func TestJobEndToEnd(t *testing.T) {
	t.Parallel()
	_, f := startDemo(t, "--restart-after=0s")
	rootAPI := f.signIn(t, "root")
	eventually(t, "both shards are assigned", func() bool {
		shards := rootAPI.job(t, demo.OneOffJob).Shards
		return len(shards) == 2 && !slices.ContainsFunc(shards, func(s shardState) bool { return s.InstanceID == "" })
	})
	as := func(user string, code int, args ...string) (stdout, stderr string) {
		t.Helper()
		return f.job(t, user, code, args...)
	}
	const job = demo.OneOffJob
	stdout, stderr := as("root", 0, "run", job, yearly, "--note=INC-4821", "--wait", "--timeout=1m")
	id := strings.TrimSpace(stdout)
	if !strings.Contains(stderr, "run "+id+": succeeded") {
		t.Errorf("standard error:\n%s", stderr)
	}
	if stdout, _ = as("guest", 0, "show", job, id); !strings.Contains(stdout, "shards      2: 2 succeeded") || !strings.Contains(stdout, "INC-4821") {
		t.Errorf("show:\n%s", stdout)
	}
	stdout, _ = as("root", 0, "run", job, yearly, "--delay=1h", "--key=k", "-o", "json")
	var waits api.RequestedRun
	if err := json.Unmarshal([]byte(stdout), &waits); err != nil || waits.State != "scheduled" {
		t.Fatalf("%v: %s", err, stdout)
	}
	if stdout, stderr = as("root", 0, "run", job, yearly, "--delay=1h", "--key=k"); strings.TrimSpace(stdout) != waits.ID || !strings.Contains(stderr, "with this key before") {
		t.Errorf("the same key:\n%s%s", stdout, stderr)
	}
	if stdout, _ = as("root", 0, "cancel", job, waits.ID, "--reason=wrong year"); !strings.Contains(stdout, "cancelled") {
		t.Errorf("cancel:\n%s", stdout)
	}
	as("root", cli.ExitFailure, "start", job, waits.ID)
	if stdout, _ = as("guest", 0, "runs", job, "--state=cancelled"); !strings.Contains(stdout, waits.ID) || strings.Contains(stdout, id) {
		t.Errorf("runs:\n%s", stdout)
	}
	stdout, _ = as("root", 0, "run", job, yearly, "--delay=1h")
	as("root", 0, "start", job, strings.TrimSpace(stdout))
	stdout, _ = as("root", 0, "again", job, id, "--wait", "--timeout=1m")
	if stdout, _ = as("root", 0, "show", job, strings.TrimSpace(stdout)); !strings.Contains(stdout, `"year":2026`) || !strings.Contains(stdout, id) {
		t.Errorf("a run again, with the parameters of the run that it repeats:\n%s", stdout)
	}

	holdAndRelease(t, f, job)
	refusedJobs(t, f, job, id)
}

// holdAndRelease: what a program requests of a job that is held waits, what a person asks
// for does not.
func holdAndRelease(t *testing.T, f fleet, job string) {
	t.Helper()
	as := func(user string, code int, args ...string) (stdout, stderr string) {
		t.Helper()
		return f.job(t, user, code, args...)
	}
	as("root", 0, "hold", job, "--what=requests", "--reason=migration")
	stdout, _ := as("root", 0, "run", job, yearly)
	waiting := strings.TrimSpace(stdout)
	if _, stderr := as("root", cli.ExitFailure, "hold", job, "--what=all", "--reason=again"); !strings.Contains(stderr, "held already, by root") {
		t.Errorf("held twice:\n%s", stderr)
	}
	as("root", 0, "run", job, yearly, "--manual", "--wait", "--timeout=1m")
	if stdout, _ = as("root", 0, "show", job, waiting); !strings.Contains(stdout, "queued") {
		t.Errorf("what a program requests of a job that is held:\n%s", stdout)
	}
	as("root", 0, "release", job)
	eventually(t, "the run that waited has ended", func() bool {
		stdout, _ := as("root", 0, "show", job, waiting)
		return strings.Contains(stdout, "succeeded")
	})
}

func refusedJobs(t *testing.T, f fleet, job, id string) {
	t.Helper()
	for _, tt := range []struct {
		user, want string
		args       []string
	}{
		{"guest", "forbidden", []string{"run", job}},
		{"root", "\n  params.year: \"soon\" is not allowed; want a whole number from 2000 to 2100\n", []string{"run", job, `--params={"year":"soon"}`}},
		{"root", "not found", []string{"run", "作业 50%"}},
		{"root", "not found", []string{"show", job, "0193a5b0-7c11-7000-8000-5f2a9c31d0e4"}},
		{"root", "refused", []string{"again", job, id, "--shards=failed"}},
		{"root", "\n  shards: 7 is not one of 0 to 1\n", []string{"run", job, yearly, "--shards=7"}},
	} {
		if _, stderr := f.job(t, tt.user, cli.ExitFailure, tt.args...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: it did not say %q:\n%s", tt.args, tt.want, stderr)
		}
	}
}

// job runs a verb of `elasticjob job` or `elasticjob run`, as a user whose password is their name.
func (f fleet) job(t *testing.T, user string, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	command := "job"
	if slices.Contains([]string{"show", "cancel", "start", "again"}, args[0]) {
		command = "run"
	}
	return f.elasticjob(t, command, user, code, args...)
}

// elasticjob runs a command that asks the console of the fleet.
func (f fleet) elasticjob(t *testing.T, command, user string, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	password := filepath.Join(t.TempDir(), "password")
	must(t, os.WriteFile(password, []byte(user), 0o600))
	cmd := exec.CommandContext(t.Context(), clitest.Build(t, "elasticjob"), append(append([]string{command}, args...), "--console="+f.site, "--user="+user, "--password-file="+password)...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%v: exit code %d, want %d:\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String(), errs.String()
}
