package doctor

import (
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/jobfile"
	"github.com/elasticjob-go/elasticjob/internal/commandline"
	"github.com/elasticjob-go/elasticjob/internal/fullwidth"
	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/notify"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// JobFile returns the notes of a file, and the settings that are allowed and most likely fail at
// each run on this machine.
func JobFile(file *jobfile.File, now time.Time) []Finding {
	var list []Finding
	for _, n := range file.Notes {
		list = append(list, Problem(Note, n))
	}
	for _, j := range file.Jobs {
		list = append(list, job(fmt.Sprintf("line %d: job %s", j.Line, j.Name), j, now)...)
	}
	return list
}

// Problem returns a problem of a file as a finding.
func Problem(severity Severity, p jobfile.Problem) Finding {
	why := "the file may not do what its author expects"
	if severity == Error {
		why = "an agent doesn't start with this file"
	}
	where := strings.TrimSuffix(jobfile.Problem{Line: p.Line, Key: p.Key}.String(), ": ")
	return New(severity, where, p.Text, why, "see docs/agent.md")
}

func job(where string, j jobfile.Job, now time.Time) (list []Finding) {
	add := func(problem, why, fix string) { list = append(list, New(Warning, where, mask.Text(problem), why, fix)) }
	if fires, err := j.NextFires(now, 1); j.Schedule.Cron != "" && err == nil && len(fires) == 0 {
		add("its cron never fires again", "the job doesn't run", "correct the year, the day or the window")
	}
	if hint := fullwidth.Hint(j.Schedule.Cron); hint != "" {
		add("Quartz ignores a part of its cron"+hint, "the job fires at other times", "write ASCII characters")
	}
	if hint := fullwidth.Hint(j.Props[jobconfig.PropURI]); hint != "" {
		add("its address is probably misspelled"+hint, "the server gets another path or no query", "write ASCII characters")
	}
	words, err := commandline.Split(j.Props[jobconfig.PropCommandLine])
	if j.Type == jobconfig.TypeScript && err == nil && len(words) > 0 {
		if word := commandline.ShellWord(words); word != "" {
			add("there is no shell, so the program gets "+fmt.Sprintf("%q", word)+" as an argument",
				"each run does something else or fails",
				"write sh -c '…' if a shell should read the command")
		}
		if _, err := exec.LookPath(words[0]); err != nil {
			add("its program can't be started on this machine: "+err.Error(), "each run fails",
				"install it, or correct the path")
		}
	}
	if j.ErrorHandler.Name == notify.TypeEmail {
		if err := notify.CheckAddresses(j.Props); err != nil {
			add("no mail would be sent: "+err.Error(), "failures go unnoticed", "correct the addresses")
		}
	}
	return list
}
