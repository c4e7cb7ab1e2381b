package main

import (
	"fmt"
	"time"
)

// scaleParts measures idle jobs, and the additional cost of requested runs for them.
var scaleParts = []part[*bench]{{"jobs", scaleJobs}, {"bell", scaleBell}}

func scale(b *bench) { measureParts(b, b, scaleParts) }

// scaleJobs measures the costs of scheduled jobs for an agent that has nothing to do.
func scaleJobs(b *bench) {
	cases := []struct {
		jobs, rounds                   int
		settle                         time.Duration
		start, resident                float64 // limits: seconds, MB
		javaUp, javaRSS, javaOfThreads float64 // noted
	}{
		{1, 1, 3 * time.Second, 1, 25, 0.69, 76, 29},
		{1000, 3, 6 * time.Second, 1.5, 40, 27.9, 460, 4025},
		{3000, 1, 8 * time.Second, 5, 80, 90.4, 1089, 12025},
		{10000, 1, 10 * time.Second, 30, 200, 0, 0, 0},
	}
	if b.withJava {
		cases = cases[:2]
	}
	ofOneJob := 0.0 // goroutines
	for _, c := range cases {
		var up, resident, threads, requests, goroutines, heap, cpu []float64
		for range b.rounds(c.rounds, 1) {
			m := scaleOnce(b, c.jobs, c.settle)
			up, resident, threads, requests = append(up, m.up), append(resident, m.resident/1e6), append(threads, m.threads), append(requests, m.requests)
			goroutines, heap, cpu = append(goroutines, m.goroutines), append(heap, m.heap/1e3), append(cpu, m.cpu)
		}
		n := fmt.Sprintf("-%d-jobs", c.jobs)
		how := fmt.Sprintf("an agent with %d jobs of one shard that don't fire, each new to the registry; ", c.jobs)
		b.atMost("start-up"+n, "s", c.start, how+"from the start of the process until all are registered", up...).noted = c.javaUp
		b.atMost("rss"+n, "MB", c.resident, how+fmt.Sprintf("resident memory, %v after the last request", c.settle), resident...).noted = c.javaRSS
		b.atMost("threads"+n, "", 16, how+"threads of the operating system", threads...).noted = c.javaOfThreads
		if c.jobs == 1 {
			ofOneJob = goroutines[0]
			continue
		}
		jobs := float64(c.jobs)
		b.atMost("requests-per-job"+n, "", 12, how+"requests at start-up until it is quiet, divided by the jobs", requests...).noted = 111
		if b.kind == ours {
			b.atMost("goroutines-per-idle-job"+n, "", 0.001, how+"more than with one job, divided by the jobs", (goroutines[0]-ofOneJob)/jobs)
			b.atMost("heap-per-job"+n, "kB", 20, how+"live heap divided by the jobs", percentile(heap, 50)/jobs).noted = 45
			b.atMost("idle-cpu"+n, "%", 1, how+"of one core, while nothing happens", cpu...).noted = 23
		}
	}
}

// scaled is the measurement of an agent in one round.
type scaled struct {
	usage
	up                              float64 // seconds
	requests, goroutines, heap, cpu float64
}

func scaleOnce(b *bench, jobs int, settle time.Duration) (m scaled) {
	s := b.newScene()
	defer s.end()
	before := s.requests()
	p := s.spawn(s.Addr(), 1, "scale", fmt.Sprintf("--jobs=%d", jobs), neverFires)
	s.awaitReady(3 * time.Minute)
	m.up = p.ready.Sub(p.began).Seconds()
	s.awaitQuiet()
	early := usageOf(p.pid())
	b.pause(settle)
	m.requests = (s.requests() - before) / float64(jobs)
	m.usage = usageOf(p.pid())
	m.cpu = 100 * (m.usage.cpu - early.cpu).Seconds() / settle.Seconds()
	if b.kind == ours {
		m.goroutines, m.heap = p.stats(b)
	}
	return m
}

// scaleBell measures the costs of the feature of requested runs for a job that is never requested:
// a watch on an absent node, the bell. Every agent sets it, so we count the requests that name it.
func scaleBell(b *bench) {
	const jobs = 1000
	if b.kind == java {
		return
	}
	s := b.newScene()
	defer s.end()
	job := namespace("bell").Job(jobName)
	counter := startProxy(s.Addr(), job.RunsSignal()[len(job.Root()):])
	defer counter.Close()
	s.spawn(counter.Addr(), 1, "bell", fmt.Sprintf("--jobs=%d", jobs), neverFires)
	s.awaitReady(time.Minute)
	s.awaitQuiet()
	bells, all := float64(counter.matches.Load()), float64(counter.frames.Load())
	if bells == 0 {
		fail("none of %.0f requests names a bell: agents watch another node, and this figure has to count that node", all)
	}
	how := fmt.Sprintf("an agent with %d jobs that don't fire and had no requested runs; start-up requests that set a watch on a job's bell, ", jobs)
	b.atMost("requests-per-job-bell", "", 0.1, how+"divided by the jobs: the most that the bell can add, because they set other watches too", bells/jobs)
	b.note("requests-bell-share", "%", how+"of all requests of the start", 100*bells/all)
}
