package main

import (
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/commandline"
	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// print says what an agent with this file would do, from now on.
func (plan *agentPlan) print(w io.Writer, now time.Time) error {
	f := plan.file
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s is in order.\n", plan.name)
	if !f.Enabled {
		fmt.Fprintln(t, "elasticjob.enabled is false: an agent would serve nothing.")
	}
	fmt.Fprintf(t, "\nregistry\t%s, namespace %s\n", strings.Join(f.Config.ZooKeeper.Servers, ","), f.Config.Namespace)
	fmt.Fprintf(t, "tracing\t%s\n", plan.tracing())
	fmt.Fprintf(t, "dump\t%s\n", dumpAddress(f.Config.Dump.Port))
	for _, j := range f.Jobs {
		fmt.Fprintf(t, "\n%s\t%s, %s\n", j.Name, j.Type, items(j.Shards))
		for i, fire := range schedule(j, now) {
			label := "\t"
			if i == 0 {
				label = "  " + cronOf(j) + "\t"
			}
			fmt.Fprintf(t, "%s%s\n", label, fire)
		}
	}
	doubts := plan.doubts(now)
	if len(f.Notes)+len(plan.unused)+len(doubts) > 0 {
		fmt.Fprintln(t, "\nnotes")
	}
	for _, n := range f.Notes {
		fmt.Fprintf(t, "  %s\n", n)
	}
	if len(plan.unused) > 0 {
		fmt.Fprintf(t, "  line %d: parameters of the database's address that only Java's driver knows: %s\n", f.Tracing.Source.Line, strings.Join(plan.unused, ", "))
	}
	for _, text := range doubts {
		fmt.Fprintf(t, "  %s\n", text)
	}
	return t.Flush()
}

// doubts are settings that are allowed and most likely fail at each run, on this machine.
func (plan *agentPlan) doubts(now time.Time) []string {
	var texts []string
	for _, j := range plan.file.Jobs {
		doubt := func(format string, args ...any) {
			texts = append(texts, fmt.Sprintf("line %d: job %s: ", j.Line, j.Name)+fmt.Sprintf(format, args...))
		}
		if fires, err := j.NextFires(now, 1); j.Cron != "" && err == nil && len(fires) == 0 {
			doubt("its cron never fires again")
		}
		if hint := fullwidth.Hint(j.Cron); hint != "" {
			doubt("Quartz ignores a part of its cron%s", hint)
		}
		words, err := commandline.Split(j.Props[jobconfig.PropCommandLine])
		if j.Type == jobconfig.TypeScript && err == nil && len(words) > 0 {
			if word := commandline.ShellWord(words); word != "" {
				doubt("there is no shell, so the program gets %q as an argument; "+
					"write sh -c '…' if a shell should read the command", mask.Text(word))
			}
			if _, err := exec.LookPath(words[0]); err != nil {
				doubt("its program can't be started on this machine: %s", mask.Text(err.Error()))
			}
		}
		if j.ErrorHandler == notify.TypeEmail {
			if err := notify.CheckAddresses(j.Props); err != nil {
				doubt("no mail would be sent: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
			}
		}
	}
	return texts
}

func items(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}

func cronOf(j jobfile.Job) string {
	if j.Cron == "" {
		return "one-off"
	}
	return j.Cron
}

// schedule says when the job fires next: three times, or why not.
func schedule(j jobfile.Job, now time.Time) []string {
	if j.Cron == "" {
		return []string{"when it is triggered"}
	}
	fires, err := j.NextFires(now, 3)
	if err != nil {
		return []string{err.Error()}
	}
	if len(fires) == 0 {
		return []string{"never again"}
	}
	lines := make([]string, len(fires))
	for i, at := range fires {
		lines[i] = at.Format("2006-01-02 15:04:05 -07:00")
	}
	return lines
}

func (plan *agentPlan) tracing() string {
	t := plan.file.Tracing
	if plan.dsn == "" {
		return "off"
	}
	text := mask.DSN(plan.dsn)
	switch {
	case len(t.Include) > 0:
		text += ", only " + strings.Join(t.Include, ", ")
	case len(t.Exclude) > 0:
		text += ", without " + strings.Join(t.Exclude, ", ")
	}
	return text
}

func dumpAddress(port int) string {
	switch port {
	case 0:
		return "off"
	case -1:
		return "a free port of 127.0.0.1"
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
