//go:build interop

package interop

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// written are jobs whose configuration both kinds write, by what they are for.
var written = map[string]struct {
	args  []string
	wants string // a part of what is written
}{
	"the least": {[]string{"--shards=1"}, "jobParameter: ''\nmaxTimeDiffSeconds: -1\n"},
	"a schedule": {[]string{"--cron=*/5 * * * * ?", "--shards=3", "--item-parameters=0=Beijing,1=Shanghai,2=Guangzhou"},
		"cron: '*/5 * * * * ?'\n"},
	"a property that looks like a boolean": {[]string{"--shards=3", "--property=streaming.process=true"},
		"props:\n  streaming.process: 'true'\n"},
	"nothing default": {[]string{
		"--cron=0 0 2 * * ?", "--time-zone=GMT+08:00", "--shards=10", "--item-parameters=0=a",
		"--parameter=k=v: x #y", `--description=第一 "q" 'z'`, "--failover=true", "--misfire=false",
		"--max-time-diff-seconds=60", "--reconcile-minutes=5", "--strategy=ROUND_ROBIN", "--static-sharding=true",
		"--disabled=true", "--overwrite=true", "--property=d=1",
	}, "timeZone: GMT+08:00\n"},
	"odd texts":   {[]string{"--shards=2", "--parameter=1:30", "--description=line 1\nline 2", "--property=tab=a\tb"}, "jobParameter: '1:30'\n"},
	"a long text": {[]string{"--shards=2", "--property=on=" + strings.Repeat("a word and another one ", 8)}, "'on': '"},
}

// TestK01K02K03ConfigBytes has each kind write the same jobs, Java all of them in
// one process, and compares the bytes.
func TestK01K02K03ConfigBytes(t *testing.T) {
	withEveryJava(t, func(t *testing.T, version string) {
		names := slices.Sorted(maps.Keys(written))
		job := func(n int) string { return fmt.Sprint("job-", n) } // The names go into the bytes.
		var args []string
		for n, name := range names {
			args = append(append(args, "--also", "--job="+job(n)), written[name].args...)
		}
		all := newFleet(t, version)
		all.start(java, args...)
		for n, name := range names {
			t.Run(name, func(t *testing.T) {
				c := written[name]
				theirs := all.get(t.Context(), all.tree.Job(job(n)).Config())
				f := newFleetAt(t, version, place{job: job(n)}, c.args...)
				f.start(golang)
				ours := f.get(t.Context(), f.job.Config())
				if diff := cmp.Diff(theirs, ours); diff != "" || !strings.Contains(ours, c.wants) {
					t.Errorf("Java and Go write different configurations (-java +go):\n%s\n%s", diff, theirs)
				}
			})
		}
	})
}

// TestK08K09TreeBytes has each kind serve the same job alone and compares the whole
// tree, but for what is Go's own and Java's agents ignore.
func TestK08K09TreeBytes(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		trees := make(map[string]string)
		for _, kind := range []string{"java", "go"} {
			f := newFleet(t, version, neverFires, "--shards=3", "--failover=true")
			var p *process
			if kind == "java" {
				p = f.startJava(kind)
			} else {
				p = f.startGo(kind, lowAddress)
			}
			f.runOnce(3, p)
			f.runOnce(3, p)
			nodes := f.nodes()
			formatter := zktest.Formatter{
				Name: func(name string) string {
					return zktest.MaskName(strings.NewReplacer(p.id, "<instance>", p.ip(), "<ip>").Replace(name))
				},
				Data: func(_ string, data []byte) string {
					return strings.NewReplacer(p.id, "<instance>", p.ip(), "<ip>").Replace(string(data))
				},
			}
			var shared []zktest.Node
			for _, n := range nodes {
				// The latch of the election is a container: the server removes it
				// when it is empty, and who founds a job does not need it.
				if !strings.HasPrefix(n.Path, f.job.Extension()) && n.Path != f.job.ElectionLatch() {
					shared = append(shared, n)
				}
			}
			trees[kind] = strings.ReplaceAll(formatter.Format(shared), f.namespace, "namespace")
		}
		if diff := cmp.Diff(trees["java"], trees["go"]); diff != "" {
			t.Errorf("Java and Go leave different trees (-java +go):\n%s", diff)
		}
		t.Logf("both leave:\n%s", trees["java"])
	})
}

// TestK10K11StoredConfigCounts has each kind join a job that the other has written
// with other settings: the stored ones count for both, until one overwrites
// them while both run.
func TestK10K11StoredConfigCounts(t *testing.T) {
	stored := []string{everyTwoSeconds, "--shards=3", "--parameter=stored"}
	own := []string{"--cron=0 0 2 * * ?", "--shards=7", "--parameter=own"}
	overwriting := []string{everyTwoSeconds, "--shards=4", "--parameter=overwritten", "--overwrite=true"}
	withJava(t, func(t *testing.T, version string) {
		for _, first := range []string{"java", "go"} {
			t.Run(first+" writes", func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version, mortal, "--misfire=false") // A Java agent that starts slowly would make up for it.
				start := func(kind string, args []string) *process {
					if kind == "java" {
						return f.startJava(kind, args...)
					}
					return f.startGo(kind, lowAddress, args...)
				}
				second := map[string]string{"java": "go", "go": "java"}[first]
				a := start(first, stored)
				f.awaitAssigned(3, a)
				b := start(second, own)
				f.awaitAssigned(3, a, b)
				f.quiet(2, period, 3, a, b)
				f.checkParameter(time.Time{}, "stored", 3)

				b.kill()
				f.awaitDeparture(b)
				f.awaitAssigned(3, a)
				b = start(second, overwriting)
				f.awaitAssigned(4, a, b)
				from := time.Now()
				f.quiet(2, period, 4, a, b)
				f.checkParameter(from, "overwritten", 4)
			})
		}
	})
}

// checkParameter checks which parameter the handlers got.
func (f *fleet) checkParameter(from time.Time, parameter string, total int) {
	f.t.Helper()
	want := fmt.Sprintf(" job=%s total=%d", parameter, total)
	for _, r := range f.runsSince(from) {
		if !strings.HasSuffix(r.line, want) {
			f.t.Errorf("%s reported %q, want %q at its end", r.agent.name, r.line, want)
		}
	}
}

// TestK12ClassConflict has each kind refuse a job of the other that is of another
// class, and leave it as it is. A Go agent leaves the reason in its own corner.
func TestK12ClassConflict(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for _, first := range []string{"java", "go"} {
			t.Run(first+" first", func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version, "--shards=1")
				var refused *process
				if first == "java" {
					f.awaitLeader(f.startJava("java"))
					f.awaitExists(f.job.Necessary()) // The last thing that a starting agent brings about.
					refused = f.launchGo("go", lowAddress, "--class=com.example.Other")
				} else {
					goAgent := f.startGo("go", lowAddress, "--class=com.example.Other")
					f.awaitAssigned(1, goAgent)
					refused = f.launchJava("java")
				}
				before := f.dump()
				reason := f.awaitRefused(refused)
				if !strings.Contains(reason, "Job conflict with register center.") {
					t.Errorf("refused for another reason: %s", reason)
				}
				after := regexp.MustCompile(`(?m)^ +extension\n +refused\n(?: +\S+@-@.*\n)?`).ReplaceAllString(f.dump(), "")
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("the refused agent changed the tree:\n%s", diff)
				}
			})
		}
	})
}
