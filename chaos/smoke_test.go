//go:build servers

package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Runs the smallest campaign: one agent and ZooKeeper's leader are killed, everything else is as in
// a long one. It shows that the campaign works, from the servers to the verdict.
func TestSmoke(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	o := options{minutes: 0.1, seed: 1, rate: 1, agent: filepath.Join(bin, "agent"), console: filepath.Join(bin, "console")}
	for program, from := range map[string]string{o.agent: "./agent", o.console: "../cmd/console"} {
		if out, err := exec.Command("go", "build", "-o", program, from).CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", from, err, out)
		}
	}
	c := newCampaign(o, dir)
	c.tempo = tempo{storm: 6 * time.Second, quiet: 12 * time.Second, apart: 6 * time.Second}
	c.operated = false
	c.jobs = c.jobs[:2]
	c.sequences = func() [][]kind {
		kinds := c.serverKinds()
		return [][]kind{{{name: "agent-kill", run: c.restarting(c.agents[:2], false)}}, kinds[:1]}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	defer c.close()
	if err := c.perform(ctx); err != nil {
		t.Error(err)
	}
	if c.Counts["agent-kill"] == 0 || c.Counts["zk-kill-leader"] == 0 || len(c.History.Runs) == 0 {
		t.Errorf("nothing happened: %v, %d executions", c.Counts, len(c.History.Runs))
	}
}
