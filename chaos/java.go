package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// addJavaAgents adds Java agents, which serve the mixed jobs.
func (c *campaign) addJavaAgents() error {
	if c.opts.java == "" {
		return nil
	}
	program := javaagent.Program{Dir: filepath.Join("interop", "java"), Version: c.opts.java}
	if err := program.Build(); err != nil {
		return err
	}
	args := []string{
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", "-Djava.net.preferIPv4Stack=true", "-cp", program.ClassPath(), "elasticjob.interop.Agent",
		"--zookeeper=" + strings.Join(c.zookeeper.Servers(), ","), "--namespace=" + namespace,
		fmt.Sprintf("--session-ms=%d", sessionTimeout.Milliseconds()), "--error-handler=IGNORE", "--reconcile-minutes=1",
	}
	// Options before the first --also apply to all jobs.
	first := true
	for _, j := range c.jobs {
		if !j.Mixed {
			continue
		}
		if !first {
			args = append(args, "--also")
		}
		first = false
		args = append(args, "--job="+j.Name, "--cron="+j.Cron(), fmt.Sprintf("--shards=%d", j.Shards), fmt.Sprintf("--body-ms=%d", j.Longest),
			fmt.Sprintf("--failover=%v", j.Failover), fmt.Sprintf("--misfire=%v", j.Misfire))
	}
	for i := range javaAgents {
		name := fmt.Sprintf("java-%d", i+1)
		c.agents = append(c.agents, &agent{
			name: name, java: true, log: filepath.Join(c.dir, name+".log"), ledger: filepath.Join(c.dir, name+".reports"),
			command: func() *exec.Cmd { return exec.Command("java", args...) },
		})
	}
	return nil
}

var reportField = regexp.MustCompile(`(\w+)=(\S*)`)

// readReports reads the standard output of a place's Java agents: START and END lines with the time
// in ms. The task id contains the process.
func (c *campaign) readReports(a *agent) error {
	file, err := os.Open(a.ledger)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read
	running := make(map[string]*judge.Run)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		values := make(map[string]string)
		for _, match := range reportField.FindAllStringSubmatch(rest, -1) {
			values[match[1]] = match[2]
		}
		item, _ := strconv.Atoi(values["item"]) // a truncated line has no item
		millis, err := strconv.ParseInt(values["at"], 10, 64)
		task := strings.Split(values["task"], "@-@")
		if err != nil || len(task) != 5 {
			continue
		}
		key := values["task"] + "/" + values["item"]
		switch word {
		case "START":
			pid, _ := strconv.Atoi(task[4]) // Java agents are named after their process
			e := &judge.Run{Job: task[0], Item: item, Process: processName(a.name, pid), Start: time.UnixMilli(millis)}
			running[key] = e
			c.History.Add(e)
		case "END", "INTERRUPTED":
			if e := running[key]; e != nil {
				e.End, e.Outcome = time.UnixMilli(millis), judge.Completed
				if word == "INTERRUPTED" {
					e.Outcome = judge.Cancelled
				}
				delete(running, key)
			}
		}
	}
	return lines.Err()
}
