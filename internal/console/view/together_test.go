package view

import (
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// TestTogether: of several fire times of a job that at which the most others fire, too;
// who cannot fire is left out, and what is known is not computed again.
func TestTogether(t *testing.T) {
	t.Parallel()
	at := func(clock string) time.Time {
		instant, err := time.Parse("2006-01-02 15:04:05", "2026-11-23 "+clock)
		if err != nil {
			t.Fatal(err)
		}
		return instant
	}
	job := func(name, cron string) statistics.Job {
		return statistics.Job{Name: name, Cron: cron, TimeZone: "GMT", Servers: 1}
	}
	list := []statistics.Job{job("itself", "0 0/10 * * * ?"), job("a", "0 0 3 * * ?"), job("b", "0 0 4 * * ?"), job("c", "0 50 2 * * ?"), job("often", "0/30 * * * * ?"), job("bad", "x"), job("none", "")}
	list[2].TimeZone = "GMT+01:00"
	for i := range 3 {
		off := job(fmt.Sprint("off", i), "0 50 2 * * ?")
		off.DisabledServers = 1
		list = append(list, off)
	}
	var memory Together
	fires := []time.Time{at("02:50:00"), at("03:00:00"), at("03:10:00")}
	for range 2 {
		if instant, n, ok := memory.Most(list, "itself", fires); !ok || n != 3 || !instant.Equal(at("03:00:00")) {
			t.Errorf("%d others at %s, %t", n, instant, ok)
		}
	}
	if _, n, ok := memory.Most(list[:1], "itself", fires); n != 0 || !ok {
		t.Errorf("alone: %d others, %t", n, ok)
	}
	if _, n, _ := memory.Most(list, "itself", []time.Time{at("02:49:30")}); n != 1 { // before what is remembered
		t.Errorf("%d others at 02:49:30", n)
	}
}

// TestTogetherOfManySchedules: an answer looks for a bounded number of fires, and the
// next one goes on.
func TestTogetherOfManySchedules(t *testing.T) {
	t.Parallel()
	var list []statistics.Job
	for i := range togetherBudget + 500 {
		list = append(list, statistics.Job{Name: fmt.Sprint("j", i), Cron: fmt.Sprintf("%d %d %d * * ?", i%60, i/60%60, 4+i/3600), TimeZone: "GMT"})
	}
	var memory Together
	instants := []time.Time{time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC)}
	if _, _, ok := memory.Most(list, "", instants); ok {
		t.Error("the first answer looked at all of them")
	}
	if at, n, ok := memory.Most(list, "", instants); !ok || n != 1 || !at.Equal(instants[0]) {
		t.Errorf("the second: %d at %s, %t", n, at, ok)
	}
}
