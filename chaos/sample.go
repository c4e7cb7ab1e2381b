package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// sample records the resources of the processes, and unexpected ends.
func (c *campaign) sample(ctx context.Context) {
	told := make(map[int]bool)
	for pause(ctx, 2*time.Second) {
		for _, a := range c.agents {
			c.sampleOne(a.name, a.current())
			pid, crashed := a.crashed()
			switch {
			case !crashed || told[pid]:
			case a.java: // it gives up if it can't reach ZooKeeper at its start
				if a.claim() {
					a.end(false)
					c.revive(a)
				}
			default:
				told[pid] = true
				c.trouble("crash", "%s (%d) ended by itself; the end of its log:\n%s", a.name, pid, tail(a.log))
			}
		}
		c.sampleOne("console", c.console.current())
	}
}

func (c *campaign) sampleOne(name string, p *process) {
	if p == nil || p.hasEnded() {
		return
	}
	s := judge.Sample{Process: processName(name, p.pid()), At: time.Now()}
	descriptors, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.pid()))
	if err != nil {
		return // It has just ended, or this isn't Linux.
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid()))
	if err != nil {
		return
	}
	s.Descriptors = float64(len(descriptors))
	for line := range strings.SplitSeq(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kilobytes, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 64) // 0: unknown
			s.Resident = kilobytes * 1024
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.History.Machine.Samples = append(c.History.Machine.Samples, s)
}

// tail returns the end of a file for the report.
func tail(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-3000):])
}
