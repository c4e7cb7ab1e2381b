package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

// overlapping has each fire time run, also while the pods of the one before work.
var overlapping = map[string]any{"cloud.overlap": "allow"}

// cloudOneJob measures how soon after a fire time its Job and its pod are stored, when
// nothing else happens.
func cloudOneJob(ctx context.Context, s *cloudScene) ([]figure, error) {
	const warm = 3 // fires that are not counted
	if err := s.createJobs(ctx, "one", 1, everySeconds(cloudPeriod), overlapping); err != nil {
		return nil, err
	}
	limit := (cloudFires + warm + 10) * cloudPeriod
	jobs, err := s.awaitMade(ctx, kubetest.Jobs, "one", cloudFires+warm, limit)
	if err != nil {
		return nil, err
	}
	pods, err := s.awaitMade(ctx, kubetest.Pods, "one", cloudFires+warm, limit)
	if err != nil {
		return nil, err
	}
	toJob, toPod := lateness(jobs[warm:]), lateness(pods[warm:])
	how := fmt.Sprintf("a job that fires every %v, %d fires, as a watch of the API server learns of it", cloudPeriod, cloudFires)
	return []figure{
		{name: "cloud-job-p50", unit: "ms", values: []float64{percentile(toJob, 50)}, target: 25, how: "from the fire time to the Job; " + how},
		{name: "cloud-job-p99", unit: "ms", values: []float64{percentile(toJob, 99)}, target: 100, how: "the same"},
		{name: "cloud-pod-p50", unit: "ms", values: []float64{percentile(toPod, 50)}, target: 60, how: "from the fire time to the pod that the Job controller makes"},
		{name: "cloud-pod-p99", unit: "ms", values: []float64{percentile(toPod, 99)}, target: 300, how: "the same"},
	}, s.forget(ctx)
}

// cloudBesideCronJobs has jobs of ours and CronJobs of one minute, on one cluster.
func cloudBesideCronJobs(ctx context.Context, s *cloudScene) ([]figure, error) {
	at := time.Now().Add(cloudAhead).Truncate(time.Minute).Add(time.Minute).UTC()
	if err := s.createJobs(ctx, "ours", cloudBeside, fmt.Sprintf("0 %d %d * * ?", at.Minute(), at.Hour()), nil); err != nil {
		return nil, err
	}
	var crons []map[string]any
	for n := range cloudBeside {
		crons = append(crons, cronJob(fmt.Sprintf("cron-%05d", n), fmt.Sprintf("%d %d * * *", at.Minute(), at.Hour())))
	}
	if err := s.cluster.Create(ctx, kubetest.CronJobs, cloudNamespace, crons...); err != nil {
		return nil, err
	}
	limit := time.Until(at) + 2*time.Minute
	ours, err := s.awaitMade(ctx, kubetest.Jobs, "ours", cloudBeside, limit)
	if err != nil {
		return nil, err
	}
	theirs, err := s.awaitMade(ctx, kubetest.Jobs, "cron", cloudBeside, limit)
	if err != nil {
		return nil, err
	}
	for i := range theirs {
		theirs[i].Fire = at
	}
	lateOurs, lateTheirs := lateness(ours), lateness(theirs)
	how := fmt.Sprintf("%d jobs of ours and %d CronJobs fire at the same minute of the same cluster", cloudBeside, cloudBeside)
	return []figure{
		{name: "cloud-minute-p50", unit: "ms", values: []float64{percentile(lateOurs, 50)}, target: percentile(lateTheirs, 50), how: how + "; the target is what CronJobs take"},
		{name: "cloud-minute-last", unit: "ms", values: []float64{percentile(lateOurs, 100)}, target: percentile(lateTheirs, 100), how: "until the last Job is stored"},
		{name: "cronjob-minute-p50", unit: "ms", values: []float64{percentile(lateTheirs, 50)}, reportOnly: true, how: "the CronJob controller of the cluster"},
		{name: "cronjob-minute-last", unit: "ms", values: []float64{percentile(lateTheirs, 100)}, reportOnly: true, how: "the same"},
	}, s.forget(ctx)
}

func cronJob(name, schedule string) map[string]any {
	return map[string]any{
		"apiVersion": "batch/v1", "kind": "CronJob", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"schedule": schedule, "jobTemplate": map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
			"restartPolicy": "Never",
			"containers":    []any{map[string]any{"name": "main", "image": "registry.example/bench:1", "env": []any{map[string]any{"name": "PLAY", "value": kubetest.PlayWell}}}},
		}}}}},
	}
}

// cloudCrash kills the console that schedules, and looks when the next one does. No fire
// time may be without its Job.
func cloudCrash(ctx context.Context, s *cloudScene) ([]figure, error) {
	if err := s.createJobs(ctx, "crash", 1, everySeconds(cloudPeriod), overlapping); err != nil {
		return nil, err
	}
	first, err := s.awaitMade(ctx, kubetest.Jobs, "crash", 1, managedWithin)
	if err != nil {
		return nil, err
	}
	var seconds []float64
	for range cloudCrashes {
		if err := s.addConsole(ctx); err != nil {
			return nil, err
		}
		leader, err := s.leader(ctx)
		if err != nil {
			return nil, err
		}
		before := len(s.made(kubetest.Jobs, "crash"))
		if _, err := s.awaitMade(ctx, kubetest.Jobs, "crash", before+1, managedWithin); err != nil {
			return nil, err
		}
		died, before := time.Now(), len(s.made(kubetest.Jobs, "crash"))
		if err := s.crash(leader); err != nil {
			return nil, err
		}
		next, err := s.awaitMade(ctx, kubetest.Jobs, "crash", before+1, managedWithin)
		if err != nil {
			return nil, err
		}
		seconds = append(seconds, next[before].At.Sub(died).Seconds())
	}
	last := time.Now().Truncate(cloudPeriod)
	if err := pauseUntil(ctx, last.Add(cloudSettles)); err != nil {
		return nil, err
	}
	missing, doubled := countFires(s.made(kubetest.Jobs, "crash"), first[0].Fire, last)
	how := fmt.Sprintf("the console that schedules is killed %d times, another stands by", cloudCrashes)
	return []figure{
		{name: "cloud-crash-next", unit: "s", values: seconds, target: 20, worst: true, how: how + "; until the next Job is stored"},
		{name: "cloud-crash-missing", values: []float64{missing}, target: 0, how: "fire times of that time without a Job, of a job with misfire"},
		{name: "cloud-crash-doubled", values: []float64{doubled}, target: 0, how: "fire times with two Jobs"},
	}, s.forget(ctx)
}

// countFires counts the fire times without an object and those with more than one.
func countFires(list []kubetest.Seen, from, to time.Time) (missing, doubled float64) {
	times := make(map[int64]int)
	for _, o := range list {
		times[o.Fire.Unix()]++
	}
	for at := from; !at.After(to); at = at.Add(cloudPeriod) {
		switch n := times[at.Unix()]; {
		case n == 0:
			missing++
		case n > 1:
			doubled++
		}
	}
	return missing, doubled
}

// cloudManyJobs has the scheduler know many jobs that do not fire.
func cloudManyJobs(ctx context.Context, s *cloudScene) ([]figure, error) {
	if err := s.createJobs(ctx, "many", cloudMany, "0 0 0 1 1 ?", nil); err != nil {
		return nil, err
	}
	old, err := s.awaitJobs(ctx, cloudMany)
	if err != nil {
		return nil, err
	}
	// In order: it gives the lease back, which its successor would wait for otherwise.
	if err := s.stop(old); err != nil {
		return nil, err
	}
	began := time.Now()
	if err := s.addConsole(ctx); err != nil {
		return nil, err
	}
	leader, err := s.awaitJobs(ctx, cloudMany)
	if err != nil {
		return nil, err
	}
	cold := time.Since(began).Seconds()
	if err := pause(ctx, idleFor); err != nil {
		return nil, err
	}
	resident, err := residentMemory(ctx, leader.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	how := fmt.Sprintf("%d ElasticJobs that do not fire", cloudMany)
	return []figure{
		{name: "cloud-start", unit: "s", values: []float64{cold}, target: 5, how: how + "; from the start of `console serve` until it schedules all of them"},
		{name: "cloud-rss", unit: "MB", values: []float64{resident / 1e6}, target: 157, how: fmt.Sprintf("resident memory of that console, %v later", idleFor)},
	}, s.forget(ctx)
}

// awaitJobs waits for the console that schedules so many jobs at least.
func (s *cloudScene) awaitJobs(ctx context.Context, jobs int) (*cloudConsole, error) {
	leader, err := s.leader(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 2*managedWithin)
	defer cancel()
	return leader, leader.visitor.await(ctx, func(ctx context.Context) (bool, error) {
		state, err := leader.state(ctx)
		return state.Jobs >= jobs, err
	})
}

// cloudBurst has jobs fire at one second.
func cloudBurst(ctx context.Context, s *cloudScene) ([]figure, error) {
	late, err := s.atOnce(ctx, "burst", cloudSome, cloudAhead)
	if err != nil {
		return nil, err
	}
	how := fmt.Sprintf("%d jobs fire at one second, with the budget of 200 writes a second, 400 at once", cloudSome)
	return []figure{
		{name: "cloud-burst-p50", unit: "ms", values: []float64{percentile(late, 50)}, reportOnly: true, how: how},
		{name: "cloud-burst-last", unit: "ms", values: []float64{percentile(late, 100)}, target: 6000, how: "until the last Job is stored; the goal is 60 s for 10,000"},
	}, s.forget(ctx)
}

// cloudCrowd has as many jobs fire at one second as the scheduler is made for (CL41): who
// leads goes on leading.
func cloudCrowd(ctx context.Context, s *cloudScene) ([]figure, error) {
	before, err := s.leader(ctx)
	if err != nil {
		return nil, err
	}
	late, err := s.atOnce(ctx, "crowd", cloudMany, 5*cloudAhead)
	if err != nil {
		return nil, err
	}
	switch after, err := s.leader(ctx); {
	case err != nil:
		return nil, err
	case after != before:
		return nil, errors.New("another console leads after the burst")
	}
	return []figure{
		{name: "cloud-crowd-last", unit: "s", values: []float64{percentile(late, 100) / 1000}, target: 60, how: fmt.Sprintf("%d jobs fire at one second; until the last Job is stored, by one leader", cloudMany)},
	}, nil // It is the last part: the cluster ends with what is on it.
}

// atOnce makes jobs that fire at one second some time ahead, and says by how much their Jobs
// were late.
func (s *cloudScene) atOnce(ctx context.Context, prefix string, count int, ahead time.Duration) (late []float64, err error) {
	at := time.Now().Add(ahead).Truncate(time.Second).UTC()
	if err := s.createJobs(ctx, prefix, count, fmt.Sprintf("%d %d %d * * ?", at.Second(), at.Minute(), at.Hour()), nil); err != nil {
		return nil, err
	}
	if made := time.Now(); made.After(at.Add(-2 * time.Second)) {
		return nil, fmt.Errorf("the %d jobs were made at %v, too late for their fire time %v: the machine does other work", count, made, at)
	}
	list, err := s.awaitMade(ctx, kubetest.Jobs, prefix, count, ahead+10*time.Minute)
	return lateness(list), err
}

// everySeconds is the cron expression of a period of seconds.
func everySeconds(period time.Duration) string {
	return fmt.Sprintf("0/%d * * * * ?", int(period.Seconds()))
}
