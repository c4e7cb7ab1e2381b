package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

const (
	tabsOpen    = 100
	tabsQuiet   = 20 * time.Second // without a change
	tabsChanges = 20
	tabsBetween = 500 * time.Millisecond
	// Targets: percent of a core, milliseconds.
	tabsCPU, tabsLate = 5, 500
)

// measureTabs opens the list of jobs a hundred times, as far as that is a stream of
// changes, and measures the console first while nothing changes and then while a job
// does. What a page asks for after a message is measured with the pages.
func (r *reader) measureTabs(ctx context.Context, registry string, pid int) (figures []figure, err error) {
	before, err := usageOf(pid)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	seen := make(chan time.Time, tabsOpen*tabsChanges)
	for range tabsOpen {
		if err := r.openTab(ctx, seen); err != nil {
			return nil, err
		}
	}
	packetsBefore, err := packets(registry)
	if err != nil {
		return nil, err
	}
	open, err := usageOf(pid)
	if err != nil {
		return nil, err
	}
	if err := pause(ctx, tabsQuiet); err != nil {
		return nil, err
	}
	quiet, err := usageOf(pid)
	if err != nil {
		return nil, err
	}
	packetsAfter, err := packets(registry)
	if err != nil {
		return nil, err
	}
	pings := 2*(tabsQuiet.Seconds()/sessionPing.Seconds()+1) + 1 // as in warmLists
	late, err := r.changesSeen(ctx, registry, seen)
	if err != nil {
		return nil, err
	}
	changed, err := usageOf(pid)
	if err != nil {
		return nil, err
	}
	how := fmt.Sprintf("%d streams of GET /events about /jobs", tabsOpen)
	return []figure{
		{name: "tabs-rss", unit: "MB", values: []float64{max(0, quiet.resident-before.resident) / 1e6}, reportOnly: true, how: how + "; resident memory of the console more than before"},
		{name: "tabs-cpu", unit: "%", values: []float64{100 * (quiet.cpu - open.cpu).Seconds() / tabsQuiet.Seconds()}, target: tabsCPU, how: fmt.Sprintf("%s; of one core, in %v without a change", how, tabsQuiet)},
		{name: "tabs-reads", values: []float64{max(0, packetsAfter-packetsBefore-pings)}, target: 0, how: how + "; requests that ZooKeeper counts in that time, less pings"},
		{name: "tabs-change-p95", unit: "ms", values: []float64{percentile(late, 95)}, target: tabsLate, how: fmt.Sprintf("%s; from writing a node to the message at the last of them, %d changes", how, tabsChanges)},
		{name: "tabs-change-work", unit: "ms", values: []float64{(changed.cpu - quiet.cpu).Seconds() * 1000 / tabsChanges}, reportOnly: true, how: how + "; processor time of the console for each change, with one list that is read after it"},
	}, nil
}

// openTab follows the stream of the list of jobs until ctx ends, and tells when a
// message comes. It returns when the stream has begun.
func (r *reader) openTab(ctx context.Context, seen chan<- time.Time) error {
	begun := make(chan error, 2)
	go func() { begun <- r.follow(ctx, begun, seen) }()
	return <-begun
}

func (r *reader) follow(ctx context.Context, begun chan<- error, seen chan<- time.Time) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.site+"/events?path=%2Fjobs", nil)
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	if resp.StatusCode != http.StatusOK || !lines.Scan() {
		return errors.Join(fmt.Errorf("a stream does not begin: %s", resp.Status), lines.Err())
	}
	begun <- nil
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data:") {
			seen <- time.Now()
		}
	}
	return lines.Err()
}

// changesSeen writes the configuration of a job some times and returns how long each
// took to reach every tab, in milliseconds. The list is read after each, as a page
// would: a change of what nobody has read since the one before is not announced.
func (r *reader) changesSeen(ctx context.Context, registry string, seen <-chan time.Time) (late []float64, err error) {
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{registry}, SessionTimeout: time.Minute})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	ns, err := jobtree.NewNamespace("bench")
	if err != nil {
		return nil, err
	}
	job := ns.Job(pagesJob)
	for n := range tabsChanges {
		if _, _, _, err := r.timed(ctx, "/jobs"); err != nil {
			return nil, err
		}
		if err := pause(ctx, tabsBetween); err != nil {
			return nil, err
		}
		for len(seen) > 0 {
			<-seen // of runs that fell due, and jobs that are late by now
		}
		began := time.Now()
		if _, err := client.Set(ctx, job.Config(), []byte(snapshotConfig(job, fmt.Sprintf("tab %d", n))), zk.AnyVersion); err != nil {
			return nil, err
		}
		var last time.Time
		for range tabsOpen {
			select {
			case last = <-seen:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		late = append(late, last.Sub(began).Seconds()*1000)
	}
	return late, nil
}
