package main

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

// TestCountFires: of the fire times between two moments, those without an object and those
// with two are counted, and others are not.
func TestCountFires(t *testing.T) {
	t.Parallel()
	from := time.Unix(1_700_000_000, 0)
	at := func(periods ...int) (list []kubetest.Seen) {
		for _, n := range periods {
			list = append(list, kubetest.Seen{Fire: from.Add(time.Duration(n) * cloudPeriod)})
		}
		return list
	}
	for name, c := range map[string]struct {
		list             []kubetest.Seen
		missing, doubled float64
	}{
		"each once":              {at(0, 1, 2, 3), 0, 0},
		"one more before, after": {at(-1, 0, 1, 2, 3, 4), 0, 0},
		"none":                   {nil, 4, 0},
		"one twice, one never":   {at(0, 1, 1, 3), 1, 1},
	} {
		if missing, doubled := countFires(c.list, from, from.Add(3*cloudPeriod)); missing != c.missing || doubled != c.doubled {
			t.Errorf("%s: %v missing, %v doubled", name, missing, doubled)
		}
	}
	if got := lateness([]kubetest.Seen{{Fire: from, At: from.Add(1500 * time.Microsecond)}}); got[0] != 1.5 {
		t.Errorf("late by %v ms", got)
	}
}
