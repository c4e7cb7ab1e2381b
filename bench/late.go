package main

import (
	"fmt"
	"time"
)

const (
	latePeriod = 5 * time.Second
	lateRounds = 3
	lateFires  = 4 // per round
)

// lateCase is an agent whose jobs all fire at the same second of five. Each case has another
// second, so they can run at the same time.
type lateCase struct {
	name             string
	jobs, second     int
	p50, p99         float64 // limits in milliseconds
	javaP50, javaP99 float64 // noted
	args             []string
}

// late measures how long after its fire time a body starts.
func late(b *bench) {
	cases := []lateCase{
		{"1-job", 1, 4, 1, 2, 18, 37, nil},
		{"100-jobs", 100, 3, 8, 20, 119, 180, nil},
		{"1000-jobs", 1000, 0, 3, 8, 988, 1278, nil},
		{"1000-jobs-unmonitored", 1000, 2, 3, 8, 653, 1035, []string{"--monitor-execution=false", "--misfire=false"}},
	}
	warmUp := 2 * latePeriod
	if b.kind == java {
		cases, warmUp = cases[:3], 4*latePeriod
	}

	s := b.newScene()
	defer s.end()
	for _, c := range cases {
		s.spawn(s.Addr(), 1, "late-"+c.name, append(c.args, fmt.Sprintf("--jobs=%d", c.jobs), fmt.Sprintf("--cron=%d/5 * * * * ?", c.second))...)
	}
	s.awaitReady(4 * time.Minute)

	begin := time.Now().Add(warmUp).Truncate(latePeriod).Add(-latePeriod / 20) // No case fires just here.
	b.pauseUntil(begin)
	before := make([]usage, len(cases))
	for i, p := range s.agents {
		before[i] = usageOf(p.pid())
	}
	const window = lateRounds * lateFires * latePeriod
	b.pauseUntil(begin.Add(window))

	for i, c := range cases {
		after := usageOf(s.agents[i].pid())
		var p50, p99 []float64
		missing := lateRounds * lateFires * c.jobs
		for _, delays := range lateness(s.agents[i], begin, c.second, lateRounds) {
			missing -= len(delays)
			if len(delays) > 0 {
				p50, p99 = append(p50, percentile(delays, 50)), append(p99, percentile(delays, 99))
			}
		}
		how := fmt.Sprintf("%d jobs of one shard that all fire at the same second of five; body start minus fire time, %d rounds of %d fires", c.jobs, lateRounds, lateFires)
		b.atMost("late-p50-"+c.name, "ms", c.p50, how, p50...).noted = c.javaP50
		b.atMost("late-p99-"+c.name, "ms", c.p99, how, p99...).noted = c.javaP99
		b.atMost("fires-missing-"+c.name, "", 0, how, float64(missing))
		if c.name == "1000-jobs" {
			b.atMost("cpu-1000-jobs", "%", 5, "of one core, while 1,000 jobs fire every 5 s", 100*(after.cpu-before[i].cpu).Seconds()/window.Seconds()).noted = 48
			b.atMost("rss-1000-jobs-firing", "MB", 60, "resident memory while 1,000 jobs fire every 5 s", after.resident/1e6).noted = 973
			b.atMost("threads-1000-jobs-firing", "", 16, "threads of the operating system while 1,000 jobs fire", after.threads).noted = 4026
		}
	}
}

// lateness returns by how many milliseconds bodies started after their fire times, per round. The
// jobs fire at a second of five.
func lateness(p *process, begin time.Time, second, rounds int) [][]float64 {
	delays := make([][]float64, rounds)
	offset := time.Duration(second) * time.Second
	for _, r := range p.since(begin, 'S') {
		if round := int(r.at.Sub(begin) / (lateFires * latePeriod)); round < rounds {
			fired := r.at.Add(-offset).Truncate(latePeriod).Add(offset)
			delays[round] = append(delays[round], millis(r.at.Sub(fired)))
		}
	}
	return delays
}
