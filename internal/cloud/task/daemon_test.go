package task_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
)

// daemon returns the environment of a DAEMON job's process.
func daemon(changes ...string) []string {
	env := environment("ELASTICJOB_EXECUTION_TYPE=DAEMON", "ELASTICJOB_SCHEDULED_AT=", "ELASTICJOB_RUN=settle-daemon", "ELASTICJOB_CRON=0 30 2 * * ?")
	return append(env, changes...)
}

// TestReadDaemonRefuses: each variable has limits, and the error names it.
func TestReadDaemonRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change, want string
		code         int
	}{
		{"CRON=", "is not set; the scheduler sets it", 64},
		{"CRON=" + strings.Repeat("0", 1001), "has 1001 bytes, want at most 1000", 64},
		{"CRON=* * * * *", "is not a Quartz expression: ", 78},
		{"CRON=* * * * * ? " + strings.Repeat("x", 900), "correct cron of the job", 78},
		{"TIME_ZONE=Mars/Olympus", `is "Mars/Olympus", want a known zone`, 78},
		{"TIME_ZONE=Local", "such as Europe/Berlin", 78},
		{"TIME_ZONE=GMT+25:00", "or an offset such as GMT+08:00", 78},
		{"START_TIME=tomorrow", `has "tomorrow" for schedule.from`, 78},
		{"END_TIME=" + strings.Repeat("x", 1001), "has 1001 bytes", 64},
		{"CLOCK_CHANGE=twice", `is "twice", want quartz or once; correct clockChange`, 78},
		{`PROPS={"cron.clock.change":"twice"}`, `is "twice", want quartz or once`, 78},
		{`PROPS={"schedule.exclude":"someday"}`, `has "someday" for schedule.exclude`, 78},
		{`PROPS={"schedule.jitter":"2h"}`, `has "2h" for schedule.jitter`, 78},
		{"MISFIRE=yes", `is "yes", want true or false`, 64},
		{"EVENT_SAMPLING=-1", "want a whole number from 0 to 1073741824", 64},
		{"EVENT_SAMPLING=1073741825", "want a whole number from 0 to 1073741824", 64},
		{"EVENTS_URL=console", "is not an address such as https://", 64},
		{"EVENTS_URL=file:///etc/passwd", "is not an address such as https://", 64},
		{"EVENTS_URL=https://u:geheim@console/api", "without a user and a password", 64},
		{"EVENTS_URL=http://" + strings.Repeat("x", 2000), "has 2007 bytes, want at most 2000", 64},
		{"READY_PORT=0", "want a whole number from 1 to 65535", 64},
		{"READY_PORT=65536", "want a whole number from 1 to 65535", 64},
		{"EVENTS_TOKEN_FILE=" + strings.Repeat("x", 2001), "has 2001 bytes, want at most 2000", 64},
	} {
		name, _, _ := strings.Cut(c.change, "=")
		_, err := task.Read(daemon("ELASTICJOB_" + c.change))
		if err == nil || !strings.Contains(err.Error(), "ELASTICJOB_"+name+" ") || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 500 || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%.60s: got %v, want %s", c.change, err, c.want)
		} else if code := task.ExitCode(err); code != c.code {
			t.Errorf("%.60s: exit code %d", c.change, code)
		}
	}
	if _, err := task.Read(daemon("ELASTICJOB_EVENTS_URL=http://console/api")); err == nil || !strings.Contains(err.Error(), "ELASTICJOB_EVENTS_TOKEN_FILE is not set although ELASTICJOB_EVENTS_URL is") {
		t.Error(err)
	}
}

// TestReadDaemon: absent variables have defaults, and the process has no fire time.
func TestReadDaemon(t *testing.T) {
	t.Parallel()
	read, err := task.Read(daemon("ELASTICJOB_SCHEDULED_AT=2026-11-22T12:00:00Z", `ELASTICJOB_RUN_PARAMETERS={"a":1}`))
	if err != nil || !read.ScheduledAt.IsZero() || read.Manual() {
		t.Fatalf("%v %+v", err, read)
	}
	if d := read.Daemon; d.Zone != time.UTC || d.Misfire || d.Sampling != 0 || d.EventsURL != "" || d.ReadyPort != 0 || !d.Sampled(1) {
		t.Errorf("%+v", d)
	}
	read, err = task.Read(daemon("ELASTICJOB_MISFIRE=true", "ELASTICJOB_EVENT_SAMPLING=3", "ELASTICJOB_EVENTS_URL=http://[::1]:8088/api/cloud/events", "ELASTICJOB_EVENTS_TOKEN_FILE=/run/token", "ELASTICJOB_READY_PORT=65535"))
	if err != nil {
		t.Fatal(err)
	}
	d := read.Daemon
	if !d.Misfire || d.ReadyPort != 65535 || d.TokenFile != "/run/token" || d.EventsURL != "http://[::1]:8088/api/cloud/events" || d.Sampled(1) || d.Sampled(2) || !d.Sampled(3) || d.Sampled(4) || !d.Sampled(6) {
		t.Errorf("%+v", d)
	}
	if read, err = task.Read(environment()); err != nil || read.Daemon != nil {
		t.Error(err, read.Daemon)
	}
}

// TestDaemonFiresAsTheSchedulerWould: the variables that package cloud makes of a job should result
// in the scheduler's fire times, also in repeated hours.
func TestDaemonFiresAsTheSchedulerWould(t *testing.T) {
	t.Parallel()
	back := time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC) // 03:00 becomes 02:00.
	for name, change := range map[string]func(*cloud.Job){
		"nothing":     func(*cloud.Job) {},
		"an offset":   func(j *cloud.Job) { j.TimeZone = "GMT+08:00" },
		"once":        func(j *cloud.Job) { j.ClockChange = "once" },
		"a window":    func(j *cloud.Job) { j.StartTime, j.EndTime = "2026-10-25T00:10:00Z", "2026-10-25T01:20:00Z" },
		"properties":  func(j *cloud.Job) { j.Props = map[string]string{"schedule.jitter": "4m", "schedule.exclude": "SUN"} },
		"of no zone":  func(j *cloud.Job) { j.TimeZone = "" },
		"misfire":     func(j *cloud.Job) { j.Misfire = true },
		"with a word": func(j *cloud.Job) { j.Cron = "0 0/10 0-3 ? OCT SUN" },
	} {
		job, app := cloud.NewJob("settle", "shop", 3), cloud.NewApp("shop")
		job.Type, job.Cron, job.TimeZone, app.EventSampling = cloud.TypeDaemon, "0 0/10 * * * ?", "Europe/Berlin", 7
		change(&job)
		zone, err := time.LoadLocation("America/Havana")
		if err != nil {
			t.Fatal(err)
		}
		env := daemon()
		for variable, value := range cloud.DaemonVariables(job, app, zone) {
			env = append(env, variable+"="+value)
		}
		if job.Props != nil {
			env = append(env, `ELASTICJOB_PROPS={"schedule.jitter":"4m","schedule.exclude":"SUN"}`)
		}
		read, err := task.Read(env)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if read.Daemon.Sampling != 7 || read.Daemon.Misfire != job.Misfire {
			t.Errorf("%s: %+v", name, read.Daemon)
		}
		job.Type = cloud.TypeTransient // Because the scheduler only has fire times for TRANSIENT jobs.
		s, err := job.Schedule(zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []time.Time{back.Add(-90 * time.Minute), back.Add(-30 * time.Minute), back.Add(30 * time.Minute)} {
			for range 20 {
				want, ok := s.Next(from)
				got, there := read.Daemon.Next(from)
				if ok != there || !got.Equal(want) {
					t.Fatalf("%s: after %v comes %v, want %v", name, from, got, want)
				}
				from = want
			}
		}
	}
}
