package coreagent_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/registry"
)

// TestV17BoundsOfAJob: every number of a declaration at its limits. Other values are refused with
// the field and the limit, before anything is written.
func TestV17BoundsOfAJob(t *testing.T) {
	t.Parallel()
	const year = 365 * 24 * time.Hour
	const longest = time.Duration(math.MaxInt64)
	type edge struct {
		change func(j *coreagent.Job)
		want   []string // in the error; nil is accepted
	}
	shards := func(n int, want ...string) edge {
		return edge{func(j *coreagent.Job) { j.Shards = n }, want}
	}
	reconcile := func(d time.Duration, want ...string) edge {
		return edge{func(j *coreagent.Job) { j.ReconcileInterval = d }, want}
	}
	diff := func(d time.Duration, want ...string) edge {
		return edge{func(j *coreagent.Job) { j.MaxTimeDiff = d }, want}
	}
	timeout := func(d time.Duration, want ...string) edge {
		return edge{func(j *coreagent.Job) { j.Timeout = d }, want}
	}
	prop := func(key, value string, want ...string) edge {
		return edge{func(j *coreagent.Job) { j.Props = map[string]string{key: value} }, want}
	}
	most := jobconfig.MaxTimeoutMillis * time.Millisecond
	for i, e := range []edge{
		shards(0, "Shards: ", "100000"), shards(-1, "Shards: ", "100000"), shards(math.MinInt, "Shards: "),
		shards(1), shards(100_000), shards(100_001, "Shards: ", "100000"), shards(math.MaxInt, "Shards: ", "100000"),
		reconcile(0), reconcile(-1), reconcile(math.MinInt64), reconcile(time.Minute), reconcile(year),
		reconcile(year+time.Minute, "ReconcileInterval", "525600"), reconcile(longest.Truncate(time.Minute), "ReconcileInterval", "525600"),
		reconcile(time.Second, "ReconcileInterval", "whole number of minutes"),
		diff(0), diff(time.Second), diff(year), diff(year+time.Second, "MaxTimeDiff", "31536000"), diff(-1, "MaxTimeDiff"),
		diff(longest.Truncate(time.Second), "MaxTimeDiff", "31536000"), diff(math.MinInt64, "MaxTimeDiff"),
		timeout(0), timeout(1), timeout(most), timeout(most+1, "Timeout", most.String()), timeout(longest, "Timeout", most.String()), timeout(-1, "Timeout"),
		prop("http.read.timeout.milliseconds", "2147483647"), prop("http.read.timeout.milliseconds", "2147483648", "http.read.timeout", "2147483647"),
		prop("http.connect.timeout.milliseconds", "0", "http.connect.timeout", "2147483647"),
		prop("email.port", "65535"), prop("email.port", "65536", "email.port", "65535"), prop("email.port", "-1", "email.port"),
	} {
		job := coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "0 0 3 * * ?"}, Shards: 1}
		e.change(&job)
		err := idleAgent(t).Add(job, coreagent.HandlerFunc(nop))
		if (err == nil) != (len(e.want) == 0) {
			t.Errorf("edge %d: %v, want %q", i, err, e.want)
		}
		for _, want := range e.want {
			if err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("edge %d: no %q in %v", i, want, err)
			}
		}
	}
}

// TestV17BoundsOfAConfig: the largest value of a field's type is refused, with the field's name.
func TestV17BoundsOfAConfig(t *testing.T) {
	t.Parallel()
	const longest = time.Duration(math.MaxInt64)
	config := func(change func(c *coreagent.Config)) error {
		c := coreagent.Config{Namespace: "declare", ZooKeeper: registry.ZooKeeper{Servers: []string{"127.0.0.1:1"}}}
		change(&c)
		return c.Validate()
	}
	for name, refused := range map[string]error{
		"DrainTimeout":   config(func(c *coreagent.Config) { c.DrainTimeout = longest }),
		"ConnectTimeout": config(func(c *coreagent.Config) { c.ZooKeeper.ConnectTimeout = longest }),
		"SessionTimeout": config(func(c *coreagent.Config) { c.ZooKeeper.SessionTimeout = longest }),
		"Dump.Port":      config(func(c *coreagent.Config) { c.Dump.Port = math.MaxInt }),
	} {
		if refused == nil || !strings.Contains(refused.Error(), name) {
			t.Errorf("%s: the largest of its type gives %v", name, refused)
		}
	}
}
