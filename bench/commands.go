package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// commands measures the command line against a console with many jobs.
func commands(b *bench) {
	const rounds = 5
	s := b.newScene()
	defer s.end()
	s.plantJobs(b.jobs)
	c := b.launch("serve", "--zookeeper="+s.Addr(), "--namespace=bench")
	defer c.end(os.Interrupt)
	c.signIn()
	b.poll("all jobs are known", tooLong, 100*time.Millisecond, func() bool {
		return c.ask("/api/jobs?page=1&pageSize=1").total == strconv.Itoa(b.jobs)
	})
	s.awaitQuiet()
	folder, remove := tempFolder()
	defer closing(remove)
	token := filepath.Join(folder, "token")
	check(os.WriteFile(token, []byte(c.token), 0o600))

	var work time.Duration // processor time of the commands
	times := func(rounds int, args ...string) (seconds []float64) {
		for range rounds {
			cmd := exec.CommandContext(b, b.options.command, args...)
			cmd.Env = []string{"ELASTICJOB_CONSOLE=" + c.site, "ELASTICJOB_TOKEN_FILE=" + token}
			began := time.Now()
			out, err := cmd.CombinedOutput()
			if seconds = append(seconds, time.Since(began).Seconds()); err != nil {
				fail("%s: %w: %s", strings.Join(args, " "), err, out)
			}
			work += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		return seconds
	}
	b.atMost("command-start", "s", 0.05, "`elasticjob version`, from its start to its end", times(4*rounds, "version")...)
	how := fmt.Sprintf("of %d jobs, from its start to its end", b.jobs)
	b.atMost("command-list", "s", 1, "`elasticjob job list` "+how, times(rounds, "job", "list")...)
	jobs := filepath.Join(folder, "jobs")
	b.note("command-export", "s", "`elasticjob config export` "+how, times(1, "config", "export", jobs)...)
	work = 0
	before := c.usage().cpu
	b.atMost("command-diff", "s", 5, "`elasticjob config diff` of a folder of job files with nothing to change "+how, times(rounds, "config", "diff", jobs)...)
	b.note("command-diff-work", "s", "processor time of such a command", work.Seconds()/rounds)
	b.note("command-diff-console", "s", "processor time of the console for such a command", (c.usage().cpu-before).Seconds()/rounds)
	b.atMost("command-size", "MB", 25, "static binary with the agent", float64(must(os.Stat(b.options.command)).Size())/1e6)
}
