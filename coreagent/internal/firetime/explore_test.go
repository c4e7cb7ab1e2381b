package firetime

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// judge looks for lost fire times in a state without further events.
func (s *modelState) judge() {
	if !s.settled() || s.shardOff || s.eraVersion != s.version {
		return
	}
	for f := s.excused + 1; f <= s.now; f++ {
		if bit(s.due, f) && s.done>>f == 0 {
			s.fail("lost: nothing was run for %d", f)
		}
	}
}

func firstState(bounds modelBounds) modelState {
	s := modelState{lives: 2, ownerLife: 1, record: 1, completed: -1, left: bounds}
	for i := range s.p {
		s.p[i] = modelProcess{life: int8(i + 1), listed: int8(i + 1), connected: true, waits: -1, runs: -1, enabled: true}
	}
	return s
}

// explore visits all states. It returns their number and the path to the first wrong one.
func explore(bounds modelBounds, m modelMutant) (states int, way []string) {
	type step struct {
		from  modelState
		event string
	}
	first := firstState(bounds)
	seen := map[modelState]step{first: {}}
	queue := []modelState{first}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		var found []modelState
		quiet := s.next(m, func(event string, n modelState) {
			if _, known := seen[n]; !known {
				seen[n] = step{s, event}
				found = append(found, n)
			}
		})
		if quiet {
			s.judge()
			if s.violated != "" {
				found = append(found, s)
				seen[s] = seen[func() modelState { c := s; c.violated = ""; return c }()]
			}
		}
		for _, n := range found {
			if n.violated == "" {
				queue = append(queue, n)
				continue
			}
			way = append(way, n.violated)
			for at, ok := seen[n]; ok && at.event != ""; at, ok = seen[at.from] {
				way = append(way, fmt.Sprintf("%d: %s", at.from.now, at.event))
			}
			slices.Reverse(way)
			return len(seen), way
		}
	}
	return len(seen), nil
}

// Within the bounds, no fire time is lost, repeated after it was completed, or made up for without
// having been missed.
func TestModel(t *testing.T) {
	for _, bounds := range []modelBounds{
		{ticks: 5, faults: 2, edits: 1},
		{ticks: 5, faults: 2, switches: 1},
		{ticks: 4, faults: 1, switches: 2},
		{ticks: 4, faults: 2, moves: 1},
		{ticks: 4, faults: 1, moves: 1, edits: 1},
		{ticks: 5, edits: 2, moves: 2},
		{ticks: 4, faults: 1, edits: 1, switches: 1, moves: 1},
	} {
		t.Run(fmt.Sprintf("%+v", bounds), func(t *testing.T) {
			t.Parallel()
			states, way := explore(bounds, modelMutant{})
			if way != nil {
				t.Errorf("after %d states:\n%s", states, strings.Join(way, "\n"))
			}
			t.Logf("%d states", states)
			if states < 10_000 {
				t.Errorf("only %d states: the bounds are too narrow to show anything", states)
			}
		})
	}
}

// The model finds the defects of earlier rules.
func TestModelFindsDefects(t *testing.T) {
	for name, c := range map[string]struct {
		mutant modelMutant
		bounds modelBounds
		want   string
	}{
		"V33, records are written unread": {modelMutant{unread: true}, modelBounds{ticks: 4, faults: 2, moves: 2}, "twice"},
		"V34, edits begin no era":         {modelMutant{noEra: true}, modelBounds{ticks: 4, faults: 2, edits: 1}, "unowed"},
		"V34, switches bound nothing":     {modelMutant{nowhere: true}, modelBounds{ticks: 4, faults: 1, switches: 2}, "unowed"},
		"V35, completed by the schedule":  {modelMutant{plain: true}, modelBounds{ticks: 4, faults: 2, edits: 1}, "twice"},
		"nothing is made up for":          {modelMutant{noMarkers: true}, modelBounds{ticks: 4, faults: 2}, "lost"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			states, way := explore(c.bounds, c.mutant)
			if way == nil || !strings.HasPrefix(way[len(way)-1], c.want) {
				t.Errorf("%d states, want a fire time %s, found:\n%s", states, c.want, strings.Join(way, "\n"))
			}
		})
	}
}
