//go:build interop

package interop

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// store puts a configuration into the tree before any agent starts.
func (f *fleet) store(config string) {
	f.t.Helper()
	f.put(f.job.Root(), javaClass)
	f.put(f.job.Config(), config)
}

// TestK04K06ForeignConfigurations has both kinds serve configurations that
// neither has written, and understand the same by them: keys left out, and
// other notations of YAML.
func TestK04K06ForeignConfigurations(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for name, c := range map[string]struct {
			config    string
			items     int
			monitored bool
			parameter string
		}{
			"two keys":  {"jobName: job\nshardingTotalCount: 2\n", 2, false, ""},
			"flow":      {`{"jobName": "job", "shardingTotalCount": "3", 'monitorExecution': true, jobParameter: 'a b', props: {n: 5, b: true}}`, 3, true, "a b"},
			"document":  {"---\nmonitorExecution: 'true'\nshardingTotalCount: 0x2\njobName: \"job\"\njobParameter: >-\n  a\n  b\n", 2, true, "a b"},
			"duplicate": {"jobName: job\nshardingTotalCount: 7\nmonitorExecution: yes\njobParameter: x\nshardingTotalCount: 2\n", 2, true, "x"},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version, "--shards=9", "--body-ms=4000", "--parameter=own")
				f.store(c.config)
				java, goAgent := f.startLed(java)
				from := time.Now()
				f.trigger()
				f.awaitStarts(from, c.items)
				marks := []string{f.job.ItemRunning(0), f.job.ItemRunning(c.items - 1)}
				for _, mark := range marks {
					if f.exists(t.Context(), mark) != c.monitored {
						t.Errorf("%s: present is %v, want %v", mark, !c.monitored, c.monitored)
					}
				}
				f.eachOnce(from, average(c.items, java, goAgent))
				for _, r := range f.runsSince(from) {
					if want := fmt.Sprintf(" job=%s total=%d", c.parameter, c.items); !strings.HasSuffix(r.line, want) {
						t.Errorf("%s reported %q, want %q at its end", r.agent.name, r.line, want)
					}
				}
				if got := f.get(t.Context(), f.job.Config()); got != c.config {
					t.Errorf("the configuration became\n%s", got)
				}
			})
		}
	})
}

// TestK05UnknownKey has Java refuse a key that it does not know, as it does,
// while ours serves the job, keeps the key and never writes one itself.
func TestK05UnknownKey(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version)
		f.store("foo: 1\njobName: job\nmonitorExecution: true\nshardingTotalCount: 2\n")
		reason := f.awaitRefused(f.launchJava("java"))
		if !strings.Contains(reason, "foo") {
			t.Errorf("Java was refused for another reason: %s", reason)
		}
		goAgent := f.start(golang)
		f.runOnce(2, goAgent)
		f.configure(func(c *jobconfig.Config) { c.Parameter = "edited" })
		if got, want := f.get(t.Context(), f.job.Config()), "foo: 1\njobName: job\n"; !strings.HasPrefix(got, want) {
			t.Errorf("the configuration became\n%s", got)
		}
		f.runOnce(2, goAgent)
	})
}

// TestK07UnusableConfigurations has both kinds say the same about a
// configuration that cannot be: Java refuses to start, ours stays, with the
// reason in its log, and serves once somebody has repaired it.
func TestK07UnusableConfigurations(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		for name, c := range map[string]struct{ config, reason string }{
			"no shards": {"jobName: job\nshardingTotalCount: 0\n", "shardingTotalCount should larger than zero."},
			"no name":   {"shardingTotalCount: 2\n", "jobName can not be empty."},
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f := newFleet(t, version)
				f.store(c.config)
				if reason := f.awaitRefused(f.launchJava("java")); !strings.Contains(reason, c.reason) {
					t.Errorf("Java was refused for another reason: %s", reason)
				}
				goAgent := f.start(golang)
				mayComplain(goAgent)
				f.put(f.job.Trigger(goAgent.id), "")
				f.awaitAbsent(f.job.Trigger(goAgent.id))
				f.nothingRuns(time.Time{})
				if log := goAgent.log.String(); !strings.Contains(log, c.reason) {
					t.Errorf("Go does not say %q", c.reason)
				}
				f.put(f.job.Config(), "jobName: job\nmonitorExecution: true\nshardingTotalCount: 2\n")
				f.runOnce(2, goAgent)
			})
		}
	})
}

// TestK13JobNodeWithoutClass has each kind start on a job node without data,
// which is what a parent of a hand-made node is, and the other join it.
func TestK13JobNodeWithoutClass(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		bothWays(t, "finds it", func(t *testing.T, s side) {
			f := newFleet(t, version, "--shards=2")
			f.put(f.job.Root(), "")
			first, second := f.startLed(s)
			f.awaitData(f.job.Root(), javaClass)
			f.runOnce(2, first, second)
		})
	})
}

// TestK52ItemParameters has neither kind run anything with shard parameters that
// cannot be read, both survive that, and both agree on odd ones that can.
func TestK52ItemParameters(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, "--shards=2")
		java, goAgent := f.startLed(java)
		mayComplain(java, goAgent)
		f.runOnce(2, java, goAgent)
		set := func(text string) {
			f.put(f.job.Config(), "jobName: job\nmonitorExecution: true\nshardingItemParameters: '"+text+"'\nshardingTotalCount: 2\n")
		}
		for _, bad := range []string{"0=a,1", "0=", "x=1", "0=a=b"} {
			set(bad)
			from := time.Now()
			f.trigger()
			f.awaitAbsent(f.job.Trigger(java.id), f.job.Trigger(goAgent.id))
			f.nothingRuns(from)
		}
		for _, odd := range []string{"0=a,1=a,", " 0 = a , 1 = a"} {
			set(odd)
			from := time.Now()
			f.runOnce(2, java, goAgent)
			for _, r := range f.runsSince(from) {
				if !strings.Contains(r.line, " parameter=a ") {
					t.Errorf("with %q %s reported %q", odd, r.agent.name, r.line)
				}
			}
		}
	})
}
