package scheduler

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// TestCL47Disable: active runs end or are suspended as configured, and resume when the job is enabled.
func TestCL47Disable(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("killed", "0 0 * * * ?")
		f.job("suspended", "0 0 * * * ?")
		f.job("finishing", "0 0 * * * ?")
		f.begin()
		f.passes(time.Hour + time.Second)
		for name, way := range map[string]cloud.Way{"killed": cloud.EndKill, "suspended": cloud.EndSuspend, "finishing": ""} {
			f.change(name, func(d *cloud.Definition) { d.SetDisabled(true, way, time.Now()) })
		}
		f.passes(time.Minute)
		f.wantStates(map[string]cloud.RunState{"killed": cloud.RunKilled, "suspended": cloud.RunSuspended, "finishing": cloud.RunRunning})
		f.change("suspended", func(d *cloud.Definition) { d.SetDisabled(false, "", time.Now()) })
		f.passes(time.Minute)
		f.wantStates(map[string]cloud.RunState{"killed": cloud.RunKilled, "suspended": cloud.RunRunning, "finishing": cloud.RunRunning})
		f.passes(58 * time.Minute)
		f.want("killed", 3600)
	})
}

// TestCL47DisabledApplication: runs suspended with an application resume when it's enabled, even at
// once. Runs of a job that is itself disabled wait for the job, and runs suspended for too long end.
func TestCL47DisabledApplication(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0 0 0 * * ?")
		f.job("off", "0 0 0 * * ?")
		f.begin()
		f.passes(24*time.Hour + time.Second)
		app := func(disabled bool, way cloud.Way) {
			if _, err := f.store.ChangeApp(f.Context(), "shop", func(a *cloud.App) error { a.Disabled, a.Running = disabled, way; return nil }); err != nil {
				f.Fatal(err)
			}
		}
		states := func(settlement, off cloud.RunState) {
			f.Helper()
			f.wantStates(map[string]cloud.RunState{"settlement": settlement, "off": off})
		}
		app(true, cloud.EndSuspend)
		f.passes(time.Second)
		states(cloud.RunSuspended, cloud.RunSuspended)
		f.change("off", func(d *cloud.Definition) { d.SetDisabled(true, cloud.EndSuspend, time.Now()) })
		app(false, "")
		f.passes(5 * time.Second)
		states(cloud.RunRunning, cloud.RunSuspended)
		f.change("off", func(d *cloud.Definition) { d.SetDisabled(false, "", time.Now()) })
		f.passes(5 * time.Second)
		states(cloud.RunRunning, cloud.RunRunning)
		app(true, cloud.EndSuspend)
		f.passes(time.Minute)
		states(cloud.RunSuspended, cloud.RunSuspended)
		f.passes(time.Hour)
		app(false, "")
		f.passes(time.Minute)
		states(cloud.RunKilled, cloud.RunKilled)
	})
}

// TestCL47DisabledForAMoment: a job enabled again before its run was reported as suspended still resumes it.
func TestCL47DisabledForAMoment(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		f.job("settlement", "0 0 * * * ?")
		f.begin()
		f.passes(time.Hour + time.Second)
		f.change("settlement", func(d *cloud.Definition) { d.SetDisabled(true, cloud.EndSuspend, time.Now()) })
		f.passes(time.Second)
		f.change("settlement", func(d *cloud.Definition) { d.SetDisabled(false, "", time.Now()) })
		f.passes(time.Second)
		f.wantStates(map[string]cloud.RunState{"settlement": cloud.RunRunning})
		if running := f.status("settlement").Running; running != "" {
			t.Errorf("it is not settled: %q", running)
		}
	})
}

func (f *fixture) wantStates(want map[string]cloud.RunState) {
	f.Helper()
	for _, r := range f.engine.Runs() {
		if r.State != want[r.JobName] {
			f.Errorf("the run of %s is %s, want %s", r.JobName, r.State, want[r.JobName])
		}
	}
}
