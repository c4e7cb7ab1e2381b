//go:build !race

package crdstore_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/elasticjob-go/elasticjob/cloud"
)

func objects() int64 {
	runtime.GC()
	runtime.GC() // The first one frees the content of pools.
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Mallocs - stats.Frees)
}

// A console may know ten thousand jobs and more. A watch keeps their texts, not the client's decoded values.
func TestMemoryOfManyJobs(t *testing.T) {
	const jobs, limit = 2000, 25
	d := newDouble(t)
	for i := range jobs {
		name := fmt.Sprintf("job-%d", i)
		d.apply("elasticjobs", name, map[string]any{
			"jobName": name, "appName": "billing", "cron": "0 0 0 1 1 ?", "shardingTotalCount": 3, "cpuCount": 0.5, "memoryMB": 64,
			"shardingItemParameters": "0=Beijing,1=Shanghai,2=Guangzhou", "props": map[string]any{"cloud.transient.attempts": "3"},
		}, map[string]any{
			"cursor": "2026-01-01T00:00:00Z", "pendingCount": 0, "lastRun": map[string]any{"name": name + "-1767225600", "ended": "2026-01-01T00:00:09Z"},
			"conditions": []any{map[string]any{"type": "Accepted", "status": "True", "reason": "Accepted", "message": "", "lastTransitionTime": "2025-12-24T18:00:00Z"}},
		})
	}
	s := d.open(t)
	before := objects()
	synced, ended := make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	go func() {
		ended <- s.Watch(ctx, func(e cloud.StoreEvent) {
			switch e.Event {
			case cloud.EventChanged:
				if e.Err != nil {
					t.Errorf("job %s: %v", e.Name, e.Err)
				}
				seen++
			case cloud.EventSynced:
				close(synced)
			}
		})
	}()
	select {
	case <-synced:
	case err := <-ended:
		t.Fatal(err)
	}
	of := (objects() - before) / jobs
	t.Logf("%d objects in memory for each of %d jobs", of, seen)
	if seen != jobs {
		t.Errorf("the watch has reported %d jobs, want %d", seen, jobs)
	}
	if of > limit {
		t.Errorf("a watch holds %d objects for each of %d jobs, want at most %d", of, jobs, limit)
	}
	cancel()
	<-ended
}
