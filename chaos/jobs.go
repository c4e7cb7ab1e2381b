package main

import (
	"fmt"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
)

// kindsOfJobs returns the jobs of every campaign, one of each kind.
func kindsOfJobs(java bool) []ledger.Job {
	on := ledger.Job{Monitor: true, Misfire: true}
	job := func(name string, period, shards int, base ledger.Job) ledger.Job {
		base.Name, base.Period, base.Shards = name, period, shards
		return base
	}
	with := func(change func(*ledger.Job)) ledger.Job {
		j := on
		j.Longest = 50
		change(&j)
		return j
	}
	jobs := []ledger.Job{
		job("plain", 2, 6, with(func(*ledger.Job) {})),
		job("failover", 3, 10, with(func(j *ledger.Job) { j.Failover, j.Longest = true, 800 })),
		job("eager", 5, 5, with(func(j *ledger.Job) { j.Failover, j.Eager, j.Shortest, j.Longest = true, true, 500, 2000 })),
		job("no-misfire", 2, 6, with(func(j *ledger.Job) { j.Misfire = false })),
		job("no-monitor", 2, 6, with(func(j *ledger.Job) { j.Monitor = false })),
		job("neither", 1, 4, with(func(j *ledger.Job) { j.Monitor, j.Misfire = false, false })),
		job("turns", 2, 1, with(func(j *ledger.Job) { j.Strategy = "SINGLE_SHARDING_BALANCE" })),
		job("robin", 3, 20, with(func(j *ledger.Job) { j.Strategy = "ROUND_ROBIN" })),
		job("odevity", 10, 3, with(func(j *ledger.Job) { j.Strategy, j.Failover, j.Longest = "ODEVITY", true, 3000 })),
		job("flow", 3, 6, with(func(j *ledger.Job) { j.Dataflow = true })),
		job("failing", 2, 5, with(func(j *ledger.Job) { j.FailOneIn = 3 })),
		job("long", 10, 4, with(func(j *ledger.Job) { j.Failover, j.Shortest, j.Longest = true, 2000, 4500 })),
		job("overrun", 2, 3, with(func(j *ledger.Job) { j.Shortest, j.Longest = 500, 4000 })),
		job("ten", 10, 8, with(func(j *ledger.Job) { j.Failover = true })),
		job("half-minute", 30, 5, with(func(j *ledger.Job) { j.Failover = true })),
		// Missed fire times of jobs with periods of minutes have other rules.
		job("two-minutes", 120, 10, with(func(*ledger.Job) {})),
		job("four-minutes", 240, 10, with(func(j *ledger.Job) { j.Failover = true })),
		job("edited-minute", 60, 6, with(func(j *ledger.Job) { j.Edited = true })),
		job("edited", 2, 6, with(func(j *ledger.Job) { j.Edited = true })),
		job("edited-failover", 5, 8, with(func(j *ledger.Job) { j.Edited, j.Failover, j.Longest = true, true, 1000 })),
		job("triggered", 0, 4, with(func(*ledger.Job) {})),
		job("requested", 0, 3, with(func(j *ledger.Job) { j.Requested, j.Longest = true, 1500 })),
	}
	if java {
		jobs = append(jobs,
			job("mixed", 3, 6, with(func(j *ledger.Job) { j.Mixed = true })),
			job("mixed-failover", 5, 6, with(func(j *ledger.Job) { j.Mixed, j.Failover, j.Shortest, j.Longest = true, true, 500, 500 })))
	}
	return jobs
}

// jobsFor returns jobs with a total number of shards per second.
func jobsFor(rate float64, java bool) []ledger.Job {
	jobs := kindsOfJobs(java)
	for _, j := range jobs {
		if j.Period > 0 {
			rate -= float64(j.Shards) / float64(j.Period)
		}
	}
	for i := 0; rate > 0; i++ {
		shards := min(20, int(rate)+1)
		jobs = append(jobs, ledger.Job{
			Name: fmt.Sprintf("second-%d", i), Period: 1, Shards: shards, Monitor: i%4 != 3, Misfire: true, Failover: i%2 == 0, Longest: 20,
		})
		rate -= float64(shards)
	}
	return jobs
}
