package main

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/doctor"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// print prints the jobs that an agent with this file would serve, and their next fire times.
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
	if list := plan.findings(now); len(list) > 0 {
		fmt.Fprintln(t, "\nfindings")
		for _, finding := range list {
			fmt.Fprintf(t, "  %s\n", finding)
		}
	}
	return t.Flush()
}

// findings returns the faults of the job file.
func (plan *agentPlan) findings(now time.Time) []doctor.Finding {
	list := doctor.JobFile(plan.file, now)
	if len(plan.unused) > 0 {
		list = append(list, doctor.New(doctor.Note, fmt.Sprintf("line %d", plan.file.Tracing.Source.Line),
			"parameters of the database's address have no effect here: "+strings.Join(plan.unused, ", "),
			"only Java's driver knows them", "remove them unless a Java process reads the file"))
	}
	return list
}

func items(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}

func cronOf(j jobfile.Job) string {
	if j.Schedule.Cron == "" {
		return "one-off"
	}
	return j.Schedule.Cron
}

// schedule returns the next three fire times of a job, or the reason why there are none.
func schedule(j jobfile.Job, now time.Time) []string {
	if j.Schedule.Cron == "" {
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
