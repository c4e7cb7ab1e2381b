package cloud

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// countedCloud is what a scheduler sees: a job with a run of three tasks, one of which
// runs, and others that do not count.
type countedCloud struct {
	app.CloudSeen
	leads, synced atomic.Bool
}

func (c *countedCloud) Leads() bool            { return c.leads.Load() }
func (c *countedCloud) Synced() bool           { return c.synced.Load() }
func (*countedCloud) Jobs() []cloud.Definition { return make([]cloud.Definition, 5) }
func (*countedCloud) Runs(string) []cloud.RunStatus {
	return []cloud.RunStatus{
		{Name: "a-1", JobName: "a", State: cloud.RunRunning}, {Name: "a-2", JobName: "a", State: cloud.RunRunning},
		{Name: "b-1", JobName: "b", State: cloud.RunRunning}, {Name: "c-1", JobName: "c", State: cloud.RunSucceeded}, {Name: "d-1", JobName: "d", State: cloud.RunWaiting},
	}
}

func (*countedCloud) FindRun(name string) (cloud.RunStatus, []cloud.Task, bool) {
	tasks := []cloud.Task{{State: tracing.StateRunning}, {State: tracing.StateStaging}, {State: tracing.StateFinished}}
	if name == "b-1" {
		tasks = tasks[1:]
	}
	return cloud.RunStatus{}, tasks, true
}

// TestCloudCountsAreKept at each full minute by who schedules, while all can be read. One
// that cannot be noted is reported once, and when it can again.
func TestCloudCountsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		seen := new(countedCloud)
		var noted []rdb.CloudCount
		var full atomic.Bool
		ctx, cancel := context.WithCancel(t.Context())
		time.Sleep(20 * time.Second)
		begin := time.Now().Truncate(time.Minute)
		go KeepCounts(ctx, seen, func(_ context.Context, c rdb.CloudCount) error {
			if full.Load() {
				return errors.New("disk full")
			}
			noted = append(noted, c)
			return nil
		}, slog.New(slog.NewTextHandler(&log, nil)))
		for minute := 1; minute <= 9; minute++ {
			synctest.Wait()
			seen.leads.Store(minute != 3)
			seen.synced.Store(minute != 5)
			full.Store(minute == 7 || minute == 8)
			time.Sleep(time.Minute)
		}
		cancel()
		synctest.Wait()
		var minutes []int
		for _, c := range noted {
			minutes = append(minutes, int(c.Time.Sub(begin)/time.Minute))
			if c.TasksRunning != 2 || c.JobsRunning != 1 || c.JobsRegistered != 5 {
				t.Errorf("counted %+v", c)
			}
		}
		if want := []int{1, 2, 4, 6, 9}; !slices.Equal(minutes, want) {
			t.Errorf("counted at the minutes %v, want %v", minutes, want)
		}
		if text := log.String(); strings.Count(text, "disk full") != 1 || strings.Count(text, "noted again") != 1 {
			t.Errorf("log: %s", text)
		}
	})
}
